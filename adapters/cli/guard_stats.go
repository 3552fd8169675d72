package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"tenet/adapters/agenthook"
)

// maxStatsDays is how far back the guard's log goes at most.
const maxStatsDays = 90

func guardStats() *cobra.Command {
	var days int
	var asJSON bool
	c := &cobra.Command{
		Use:   "stats",
		Short: "Count the guard's verdicts of the last days",
		Long: `Count the verdicts in the guard's log: per verdict, agent and rule, and the calls that
were asked about most, which are the ones to write a rule for. Text that looks like a
credential is masked in the log. A day is a day of UTC.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if days < 1 || days > maxStatsDays {
				return Usage("--days is %d; it is from 1 to %d, which is how long the log is kept", days, maxStatsDays)
			}
			home, err := Home()
			if err != nil {
				return err
			}
			s, err := agenthook.ReadStats(home, time.Now(), days)
			if err != nil {
				return err
			}
			if asJSON {
				e := json.NewEncoder(c.OutOrStdout())
				e.SetIndent("", "  ")
				return e.Encode(s)
			}
			printStats(c.OutOrStdout(), s)
			return nil
		},
	}
	c.Flags().IntVar(&days, "days", 7, "how many days, today among them")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func printStats(w io.Writer, s agenthook.Stats) {
	total := 0
	for _, c := range s.Verdicts {
		total += c.N
	}
	fmt.Fprintf(w, "%s to %s: %d calls, %d of them blocked\n", s.From, s.To, total, s.Blocked)
	if total > 0 {
		fmt.Fprintf(w, "a verdict took %d µs at the median, %d µs at the 99th percentile\n", s.MedianMicros, s.P99Micros)
	}
	for _, part := range []struct {
		title  string
		counts []agenthook.Count
	}{{"verdicts", s.Verdicts}, {"agents", s.Agents}, {"rules", s.Rules}, {"asked about most", s.Asked}} {
		if len(part.counts) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s\n", part.title)
		for _, c := range part.counts {
			fmt.Fprintf(w, "%7d  %s\n", c.N, c.Name)
		}
	}
	if s.Skipped > 0 {
		fmt.Fprintf(w, "\n%d lines of the log could not be read and are not counted\n", s.Skipped)
	}
}
