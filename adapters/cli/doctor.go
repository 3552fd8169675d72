package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"tenet/adapters/wait"
	"tenet/core/call"
	corewait "tenet/core/wait"
)

// DoctorOptions is what 'tenet doctor' was asked for.
type DoctorOptions struct {
	// Dir is the workspace.
	Dir string
	// Online asks the default model's server; JSON prints for programs.
	Online, JSON bool
	In           *os.File
	Out          io.Writer
	// Env is the environment that is looked at.
	Env func(string) string
	// Within bounds each check; 0 is a few seconds, and more for what is online.
	Within time.Duration
}

// Finding is what one check found.
type Finding struct {
	// Check is what was looked at: terminal, home, settings and so on.
	Check string `json:"check"`
	// Grade is ok, warn or fail.
	Grade string `json:"grade"`
	// Found is what was found, Todo what to do about it; empty when there is nothing to do.
	Found string `json:"found"`
	Todo  string `json:"todo,omitempty"`
}

// The grades of a finding.
const (
	gradeOK   = "ok"
	gradeWarn = "warn"
	gradeFail = "fail"
)

// The deadlines of a check.
const (
	checkWithin  = 5 * time.Second
	onlineWithin = 70 * time.Second
)

// check is one thing that the doctor looks at.
type check struct {
	name   string
	within time.Duration
	look   func(context.Context, *findings)
}

// findings collects what one check found.
type findings struct {
	check string
	all   []Finding
}

func (f *findings) say(grade, todo, format string, a ...any) {
	f.all = append(f.all, Finding{Check: f.check, Grade: grade, Found: call.OneLine(fmt.Sprintf(format, a...), 1000), Todo: call.OneLine(todo, 1000)})
}

func (f *findings) ok(format string, a ...any)         { f.say(gradeOK, "", format, a...) }
func (f *findings) warn(todo, format string, a ...any) { f.say(gradeWarn, todo, format, a...) }
func (f *findings) fail(todo, format string, a ...any) { f.say(gradeFail, todo, format, a...) }

// checks are all of them, in the order of the report.
func (o DoctorOptions) checks() []check {
	return []check{
		{"terminal", checkWithin, o.terminal},
		{"home", checkWithin, o.home},
		{"workspace", checkWithin, o.workspace},
		{"settings", checkWithin, o.settings},
		{"models", onlineWithin, o.models},
		{"guard", checkWithin, o.guard},
		{"git", checkWithin, o.git},
		{"shell", checkWithin, o.shells},
		{"sandbox", checkWithin, o.sandbox},
		{"log", checkWithin, o.log},
	}
}

// Doctor looks at everything that tenet stands on, changes nothing, and says what to do
// about what is not as it should be. The error carries exit code 1 when something fails.
func Doctor(ctx context.Context, o DoctorOptions) error {
	all := o.examine(ctx)
	if err := context.Cause(ctx); err != nil {
		return &Error{Code: ExitInterrupted, Err: err}
	}
	failed := 0
	for _, f := range all {
		if f.Grade == gradeFail {
			failed++
		}
	}
	if o.JSON {
		if err := writeJSON(o.Out, struct {
			OK       bool      `json:"ok"`
			Findings []Finding `json:"findings"`
		}{failed == 0, all}); err != nil {
			return err
		}
	} else if err := printFindings(o.Out, all); err != nil {
		return err
	}
	if failed > 0 {
		return &Error{Code: ExitFailed, Err: fmt.Errorf("%d checks failed", failed), Said: true}
	}
	return nil
}

// examine makes each check within its time: one that hangs is a finding, and holds up no
// other.
func (o DoctorOptions) examine(ctx context.Context) (all []Finding) {
	for _, c := range o.checks() {
		within := c.within
		if o.Within > 0 {
			within = o.Within
		}
		limited, stop := context.WithTimeout(ctx, within)
		done := make(chan []Finding, 1)
		go func() {
			f := &findings{check: c.name}
			c.look(limited, f)
			done <- f.all
		}()
		found, end := wait.Race(ctx, done, within)
		stop()
		if end != corewait.Event {
			found = []Finding{{c.name, gradeFail, fmt.Sprintf("the check did not end within %s", within), "look whether a disk or a server that it needs hangs"}}
		}
		all = append(all, found...)
	}
	return all
}

func printFindings(out io.Writer, all []Finding) error {
	counts, last := map[string]int{}, ""
	for _, f := range all {
		counts[f.Grade]++
		name := f.Check
		if name == last {
			name = ""
		}
		last = f.Check
		if _, err := fmt.Fprintf(out, "%-10s %-4s  %s\n", name, f.Grade, f.Found); err != nil {
			return err
		}
		if f.Todo != "" {
			fmt.Fprintf(out, "%-10s       -> %s\n", "", f.Todo)
		}
	}
	_, err := fmt.Fprintf(out, "\n%d ok, %d to look at, %d failed\n", counts[gradeOK], counts[gradeWarn], counts[gradeFail])
	return err
}

// DoctorCommand is 'tenet doctor'.
func DoctorCommand() *cobra.Command {
	var o DoctorOptions
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check the terminal, the home, the settings, the models and the rest that tenet stands on",
		Long: `Look at what tenet stands on and say what to do about what is not as it should be.
Nothing is changed, and no network is asked without --online.

Exit codes: 0 nothing failed, 1 something did, 2 usage.`,
		Example: `  tenet doctor
  tenet doctor --online
  tenet doctor --json`,
		Args: takes(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			o.In, o.Out, o.Env = os.Stdin, c.OutOrStdout(), os.Getenv
			return Doctor(c.Context(), o)
		},
	}
	c.Flags().StringVar(&o.Dir, "dir", ".", "the workspace")
	c.Flags().BoolVar(&o.Online, "online", false, "also send one small request to the default model")
	c.Flags().BoolVar(&o.JSON, "json", false, "print one JSON object")
	return c
}

// said is the text of an error without its type.
func said(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Err.Error()
	}
	return err.Error()
}
