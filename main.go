// Command tenet is a coding agent for the terminal whose rules are executable laws.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"tenet/adapters/cli"
	"tenet/adapters/session"
	"tenet/bridge"
	"tenet/tui"
	"tenet/tui/term"
)

// version is set by the release build; a build from source takes its module's.
var version = "devel"

func main() { os.Exit(execute()) }

func execute() int {
	// An agent waits for its guard before every tool call: no command line is built, and a
	// signal ends it at once, which blocks the call.
	if code, ok := cli.GuardNow(context.Background(), os.Args[1:]); ok {
		return code
	}
	ctx, stop := interruptible()
	defer stop()
	err := root().ExecuteContext(ctx)
	if err != nil && !cli.Said(err) {
		fmt.Fprintln(os.Stderr, "tenet:", err)
	}
	return cli.Code(err)
}

// interruptible is a context that Ctrl+C, SIGTERM and a closed terminal cancel, each
// with its own cause: commands run in groups of their own, so a signal that ended
// this process at once would leave them behind. The turn then ends within its grace;
// a signal that comes later than that ends the process, whatever it does.
func interruptible() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	stop := []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, stop...)
	// A write to a reader that is gone gives an error in place of an end: what runs must be
	// ended first.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	go func() {
		switch ours(signals) {
		case syscall.SIGINT, syscall.SIGQUIT:
			cancel(cli.ErrInterrupted)
		default:
			cancel(cli.ErrTerminated)
		}
		time.AfterFunc(2*session.Grace, func() { signal.Reset(stop...) })
	}()
	return ctx, func() { cancel(nil) }
}

// ours waits for a signal that is meant for this program: while an editor has the
// terminal, Ctrl+C is the editor's.
func ours(signals <-chan os.Signal) os.Signal {
	for s := range signals {
		if !term.Lent() || s == syscall.SIGTERM || s == syscall.SIGHUP {
			return s
		}
	}
	return nil
}

func root() *cobra.Command {
	c := &cobra.Command{
		Use:   "tenet",
		Short: "A coding agent for the terminal whose rules are executable laws",
		Long: `tenet is a coding agent for the terminal. A model proposes; tenet plans each call
into steps with effects, judges them by one gate, asks you where the rules say so,
and writes everything into a log that can be verified. The rules are laws that you
can read and run.

Start here:
  tenet                          open a session in this directory
  tenet demo                     watch an agent fix a small project under the gate
  tenet run --model M "prompt"   let a model work on one prompt, for scripts and CI
  tenet laws                     what must hold, and how far it was checked`,
		Version:           release(),
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: false},
		Args:              noArgs,
	}
	tui.Lead(c, release(), bridge.Sentence)
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return cli.Usage("%w; see '%s --help'", err, c.CommandPath())
	})
	c.AddCommand(demoCommand(), cli.RunCommand(release()), lawsCommand(), logCommand(),
		cli.WhyCommand(bridge.Sentence), cli.AuditCommand(), cli.RulesCommand(), cli.ModelsCommand(), cli.ConfigCommand(),
		cli.SessionsCommand(release()), cli.ReplayCommand(release()), cli.TrustCommand(), cli.GuardCommand(), cli.DoctorCommand())
	return c
}

// release is the version that --version and the records name.
func release() string {
	if version != "devel" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return version
}

func noArgs(c *cobra.Command, args []string) error {
	if len(args) > 0 && c.HasSubCommands() {
		return cli.Usage("there is no command %q%s; see '%s --help'", args[0], meant(c, args[0]), c.CommandPath())
	}
	if len(args) > 0 {
		return cli.Usage("%s takes no argument, got %q; see '%s --help'", c.CommandPath(), args[0], c.CommandPath())
	}
	return nil
}

func demoCommand() *cobra.Command {
	var o cli.Options
	var dir string
	c := &cobra.Command{
		Use:   "demo",
		Short: "Watch an agent fix a small project under the gate; needs no model",
		Long: `Unpack a small project into a new directory, make it a git repository, and play a
rehearsed model there: its replies are data, everything else is real. It lists,
reads, searches, runs the tests, edits and answers; on the way it tries to destroy
the home directory and to read a secret, and asks you about one step.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			o.Version, o.In, o.Out, o.Err = release(), os.Stdin, c.OutOrStdout(), c.OutOrStdout()
			return cli.RunDemo(c.Context(), o, dir)
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "a new or empty directory to unpack into (default: one below the temporary directory)")
	cli.Answers(c, &o)
	return c
}

// meant names the commands that are near a misspelt one.
func meant(c *cobra.Command, word string) string {
	c.SuggestionsMinimumDistance = 2
	if near := c.SuggestionsFor(word); len(near) > 0 {
		return "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return ""
}

func lawsCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "laws",
		Short: "Print every law: its rule, its sentence, and how far it was checked",
		Long: `Print every law of the catalogue: area, name, source rule, sentence, how the model
stands to production, the states and steps of its exhaustive check, how often its
premise held, and how many planted mutants it kills. Laws that have no check yet
are listed as planned.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			rows, err := bridge.Table()
			if err != nil {
				return err
			}
			if asJSON {
				return bridge.WriteJSON(c.OutOrStdout(), rows)
			}
			return bridge.WriteTable(c.OutOrStdout(), rows)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON array of objects")
	c.AddCommand(&cobra.Command{
		Use:   "check",
		Short: "Search every model again and compare with the pinned counts",
		Long: `Run the exhaustive check of every model in this very binary, judge every law on
every state and step, and compare the counts with the pinned ones. Exits 1 when a
law breaks or a count differs: a model that shrinks proves less than it says.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return bridge.Check(c.OutOrStdout()) },
	})
	return c
}

func logCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "log",
		Short: "Show, verify or list the logs of sessions",
		Args:  noArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(
		onLog("show [SESSION | ./FILE]", "Print a session's log for a person; the newest without a name", cli.ShowLog),
		onLog("verify [SESSION | ./FILE]", "Check a log's hash chain and name interrupted calls", cli.VerifyLog),
		&cobra.Command{
			Use: "list", Short: "List the sessions, newest first", Args: noArgs,
			RunE: func(c *cobra.Command, _ []string) error { return cli.ListLogs(c.OutOrStdout()) },
		},
	)
	return c
}

// onLog is a command on one session's log.
func onLog(use, short string, do func(io.Writer, string) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return cli.Usage("%s takes one session, got %d; see '%s --help'", c.CommandPath(), len(args), c.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return cli.SessionIDs(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			name := ""
			if len(args) == 1 {
				name = args[0]
			}
			return do(c.OutOrStdout(), name)
		},
	}
}
