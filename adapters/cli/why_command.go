package cli

import (
	"github.com/spf13/cobra"

	"tenet/core/rules"
)

// WhyCommand asks the gate about a call that never runs. sentence gives a law's
// sentence by its name.
func WhyCommand(sentence func(law string) string) *cobra.Command {
	var o WhyOptions
	var batch bool
	c := &cobra.Command{
		Use:   "why [--as TOOL] 'COMMAND' | PATH | --batch",
		Short: "Say what the gate would make of a call that never runs, and why",
		Long: `Plan a call as a session would, take it through every stage of the gate, and print
the verdict with the rule and the law that decided. Nothing runs.

Without --as the word is a bash script; with it, it is the main argument of that tool
(read, write, edit, search_replace, grep, glob, list_dir, fetch), or all its arguments as a JSON
object. Any other name is a tool that nobody knows.

With --batch, JSON lines {"id", "input", "cwd", "as"} are read from standard input and
each is answered by one line, so that a list of commands can be judged in CI.

Exit codes: 0 allow, 3 ask, 4 deny (of a batch: the strictest), 2 usage or configuration.`,
		Example: `  tenet why 'rm -rf build && npm test'
  tenet why --as write .git/config
  tenet why --json --profile strict 'ls'
  tenet why --batch < commands.jsonl`,
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case batch && len(args) > 0:
				return Usage("--batch reads its calls from standard input, got %q as well", args[0])
			case !batch && len(args) != 1:
				return Usage("why takes one command or path, got %d; quote it: tenet why 'npm test && git push'", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			o.Args, o.Sentence, o.In, o.Out, o.Err = args, sentence, c.InOrStdin(), c.OutOrStdout(), c.ErrOrStderr()
			if batch {
				return Batch(c.Context(), o)
			}
			return Why(c.Context(), o)
		},
	}
	f := c.Flags()
	f.StringVar(&o.Tool, "as", "bash", "the tool that makes the call")
	f.StringVar(&o.Dir, "dir", ".", "the workspace")
	f.StringVar(&o.Profile, "profile", "", "judge under this profile")
	f.BoolVar(&o.JSON, "json", false, "print one JSON object")
	f.BoolVar(&batch, "batch", false, "read calls as JSON lines and answer one line each")
	Offer(c, "profile", rules.Profiles())
	return c
}

// AuditCommand judges a recorded session again.
func AuditCommand() *cobra.Command {
	var o AuditOptions
	c := &cobra.Command{
		Use:   "audit [SESSION | ./FILE]",
		Short: "Judge the calls of a recorded session by other rules",
		Long: `Judge every call of a session again, by the rules that are in force now or by those of
a file, and list each verdict that would change. Nothing runs. The newest session is
taken without a name.

Exit codes: 0 nothing becomes stricter than allow, 3 some call would ask, 4 some call
would be denied (of those that change), 2 usage or configuration.`,
		Example: `  tenet audit
  tenet audit --rules team-settings.json 20260102-030405-abcdef
  tenet audit --profile strict --json`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return Usage("audit takes one session, got %d; see '%s --help'", len(args), c.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return SessionIDs(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.Session = args[0]
			}
			o.Out, o.Err = c.OutOrStdout(), c.ErrOrStderr()
			return Audit(c.Context(), o)
		},
	}
	c.Flags().StringVar(&o.Rules, "rules", "", "judge by this settings file in place of the user's and the project's")
	c.Flags().StringVar(&o.Profile, "profile", "", "judge under this profile")
	c.Flags().BoolVar(&o.JSON, "json", false, "print one JSON object for each verdict that would change")
	Offer(c, "profile", rules.Profiles())
	return c
}
