package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"tenet/adapters/agenthook"
	"tenet/core/call"
)

// installFlags are what install and uninstall share.
type installFlags struct{ project, user, print, yes, headless, trust bool }

func (f *installFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.user, "user", false, "in the user's settings, for every project (the default)")
	c.Flags().BoolVar(&f.project, "project", false, "in the settings of the project in this directory")
	c.Flags().BoolVar(&f.print, "print", false, "show the change and make none")
	c.Flags().BoolVar(&f.yes, "yes", false, "make the change without asking")
	c.MarkFlagsMutuallyExclusive("user", "project")
	c.MarkFlagsMutuallyExclusive("print", "yes")
}

func guardInstall() *cobra.Command {
	var f installFlags
	c := onAgent("install AGENT", "Make an agent ask the guard before every tool call",
		`Add the guard to the agent's settings, for every tool, and keep everything else in
the file as it is. The change is shown as a diff first and made on a yes; Enter is
no. Installing again changes nothing, or brings an older entry up to date.`,
		func(c *cobra.Command, a agenthook.Agent) error { return f.run(c, a, agenthook.Install, true) })
	f.add(c)
	c.Flags().BoolVar(&f.headless, "headless", false, "block where a person would be asked: for runs that nobody watches")
	c.Flags().BoolVar(&f.trust, "trust", false, "codex only: tell Codex to trust the hook, which it skips otherwise")
	return c
}

func guardUninstall() *cobra.Command {
	var f installFlags
	c := onAgent("uninstall AGENT", "Take the guard out of an agent's settings",
		`Remove what install added and nothing else; a file that nobody changed since is as
it was before, to the last byte. The change is shown as a diff first and made on a
yes; Enter is no.`,
		func(c *cobra.Command, a agenthook.Agent) error { return f.run(c, a, agenthook.Uninstall, false) })
	f.add(c)
	return c
}

func (f *installFlags) run(c *cobra.Command, a agenthook.Agent, plan func(agenthook.Agent, agenthook.Setup) (agenthook.Change, error), in bool) error {
	s, err := guardSetup(f.project)
	if err != nil {
		return err
	}
	s.Headless = f.headless
	change, err := plan(a, s)
	if err != nil {
		return err
	}
	for _, w := range change.Warnings {
		fmt.Fprintf(c.ErrOrStderr(), "warning: %s: %s\n", change.File, w)
	}
	if change.Empty() {
		state := map[bool]string{true: "has the guard already", false: "has no guard"}[in]
		fmt.Fprintf(c.OutOrStdout(), "%s %s; nothing to do\n", change.File, state)
		return f.after(c, a, in)
	}
	fmt.Fprint(c.OutOrStdout(), visibleLines(change.Diff()))
	if f.print {
		return nil
	}
	if !f.yes && !agreed(c.InOrStdin(), c.OutOrStdout(), "Make this change to "+change.File+"? [y/N] ") {
		return &Error{Code: ExitFailed, Err: fmt.Errorf("nothing was changed"), Said: false}
	}
	if err := change.Apply(); err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), "%s: done\n", change.File)
	return f.after(c, a, in)
}

// after says what is still to be done for the guard to work.
func (f *installFlags) after(c *cobra.Command, a agenthook.Agent, in bool) error {
	if !in || f.print {
		return nil
	}
	if a == agenthook.Codex {
		program, err := exec.LookPath("codex")
		if f.trust && err == nil {
			dir, err := os.Getwd()
			if err != nil {
				return err
			}
			return trustCodex(c.Context(), c.OutOrStdout(), program, dir)
		}
		fmt.Fprintln(c.OutOrStdout(), "Codex skips a hook that it does not trust, without a word. Trust it in codex with /hooks, or with: tenet guard trust codex")
	}
	fmt.Fprintf(c.OutOrStdout(), "Show that it works: tenet guard doctor %v\n", a)
	return nil
}

// visibleLines is a text whose control characters are written out.
func visibleLines(s string) string { return call.Visible(s) }

// agreed asks a yes or no; everything but a yes is no.
func agreed(in io.Reader, out io.Writer, question string) bool {
	fmt.Fprint(out, question)
	l, err := bufio.NewReader(in).ReadString('\n')
	if err != nil {
		fmt.Fprintln(out)
		return false // an answer that was never finished is none
	}
	return isYes(l)
}

// isYes reports whether a typed line is a yes: y or yes, and nothing else.
func isYes(line string) bool {
	word := strings.ToLower(strings.TrimSpace(line))
	return word == "y" || word == "yes"
}
