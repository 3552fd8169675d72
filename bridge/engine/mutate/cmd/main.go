// Command cmd runs the named mutants of laws/mutants and says what caught each:
//
//	go run ./bridge/engine/mutate/cmd                 all of them
//	go run ./bridge/engine/mutate/cmd -area lease     those of one area
//	go run ./bridge/engine/mutate/cmd -name no-fifo   one, in any area
//
// It ends with 1 when one lives. The same program, built with the mutants in it,
// judges the active one: that is its sub-command "try".
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"text/tabwriter"

	"tenet/bridge"
	"tenet/bridge/bites"
	"tenet/bridge/engine/mutate"
)

func main() {
	if len(os.Args) == 5 && os.Args[1] == "try" {
		try(os.Args[2], os.Args[3], os.Args[4])
		return
	}
	area := flag.String("area", "", "only the mutants of this `area`")
	name := flag.String("name", "", "only the mutants of this `name`")
	root := flag.String("root", ".", "the repository's `folder`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *root, *area, *name); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// try judges the mutant that is active in this program and prints the verdict.
func try(area, law, file string) {
	by, saw := bridge.Try(area, law, file)
	if err := json.NewEncoder(os.Stdout).Encode(mutate.Verdict{By: string(by), Saw: saw}); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, root, area, name string) error {
	all, err := bites.Load(root)
	if err != nil {
		return err
	}
	var ms []mutate.Mutant
	for _, m := range all {
		if (area == "" || m.Area == area) && (name == "" || m.Name == name) {
			ms = append(ms, m)
		}
	}
	if len(ms) == 0 {
		return fmt.Errorf("no mutant in %s/laws/mutants has that area and name", root)
	}
	rows, err := bites.Run(ctx, root, ms)
	if err != nil {
		return err
	}
	return show(rows)
}

func show(rows []bites.Row) error {
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	lives := 0
	for _, r := range rows {
		by := string(r.By)
		if r.Lives() {
			by = "LIVES"
			lives++
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%.2fs\t%s\n", r.Mutant, r.Law, by, r.Took.Seconds(), cut(r.Saw))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if lives > 0 {
		return fmt.Errorf("%d of %d mutants live", lives, len(rows))
	}
	fmt.Printf("%d mutants, none lives\n", len(rows))
	return nil
}

func cut(s string) string {
	if r := []rune(s); len(r) > 120 {
		return string(r[:120]) + "…"
	}
	return s
}
