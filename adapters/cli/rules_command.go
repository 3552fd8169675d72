package cli

import (
	"strconv"

	"github.com/spf13/cobra"

	"tenet/adapters/settings"
	"tenet/core/call"
	"tenet/core/rules"
)

// RulesCommand is 'tenet rules': what is allowed, asked about and denied, and by which
// file.
func RulesCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "rules",
		Short: "Show, change and test the rules: what is allowed, asked about, denied",
		Long: `Rules say what may happen unasked, what is asked about and what is denied. They
stand in settings.json, yours in ~/.tenet and the project's in .tenet, and in the
profile; the last rule that matches decides. docs/rules.md explains all of it.`,
		Args: onlySubcommands,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(rulesListCommand(), rulesAddCommand(), rulesRemoveCommand(), rulesMoveCommand(), rulesTestCommand())
	return c
}

// onlySubcommands refuses a word that is no command of the group.
func onlySubcommands(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Usage("there is no command %q; see '%s --help'", args[0], c.CommandPath())
	}
	return nil
}

// takes makes the check of how many arguments a command takes.
func takes(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != n {
			return Usage("%s takes %s, got %d arguments; see '%s --help'", c.CommandPath(), what, len(args), c.CommandPath())
		}
		return nil
	}
}

// on fills in where the output goes.
func (o *RulesOptions) on(c *cobra.Command) { o.Out, o.Err = c.OutOrStdout(), c.ErrOrStderr() }

func (o *RulesOptions) dirFlag(c *cobra.Command) {
	c.Flags().StringVar(&o.Dir, "dir", ".", "the workspace")
}

func (o *RulesOptions) profileFlag(c *cobra.Command) {
	c.Flags().StringVar(&o.Profile, "profile", "", "judge as if the settings named this profile: open, balanced, strict")
	Offer(c, "profile", rules.Profiles())
}

// Offer gives a flag's values to the shell.
func Offer(c *cobra.Command, flag string, values []string) {
	if err := c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag is declared where this is called
	}
}

func (s *Scope) flags(c *cobra.Command) {
	c.Flags().BoolVar(&s.User, "user", false, "your settings, for every project")
	c.Flags().BoolVar(&s.Project, "project", false, "the settings of this project, .tenet/settings.json")
}

func rulesListCommand() *cobra.Command {
	var o RulesOptions
	c := &cobra.Command{
		Use:   "list",
		Short: "Print every rule in force, in order, with its file and position",
		Example: `  tenet rules list
  tenet rules list --profile strict
  tenet rules list --json`,
		Args: takes(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error { o.on(c); return ListRules(o) },
	}
	o.dirFlag(c)
	o.profileFlag(c)
	c.Flags().BoolVar(&o.JSON, "json", false, "print one JSON object")
	return c
}

func rulesAddCommand() *cobra.Command {
	var o RulesOptions
	var s Scope
	c := &cobra.Command{
		Use:   "add --user|--project CAPABILITY PATTERN ACTION",
		Short: "Add a rule at the end, where it wins over those before it",
		Long: `Add a rule at the end of your rules or the project's. A * in the pattern stands for
any text; without one the pattern is the whole command or path. The action is allow,
ask or deny. Comments and order of the file are kept.`,
		Example: `  tenet rules add --project process.execute "npm test" allow
  tenet rules add --user process.execute "git push *" ask
  tenet rules add --user file.write.outsideProject "/home/me/notes/*" allow
  tenet rules add --user network.access "*" deny`,
		Args: takes(3, "a capability, a pattern and an action"),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return addCompletion(len(args)), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			o.on(c)
			return AddRule(c.Context(), o, s, args[0], args[1], args[2])
		},
	}
	o.dirFlag(c)
	s.flags(c)
	return c
}

// addCompletion is what the next argument of add may be.
func addCompletion(n int) []string {
	switch n {
	case 0:
		var out []string
		for _, c := range call.Capabilities() {
			out = append(out, c.String())
		}
		return out
	case 2:
		return []string{"allow", "ask", "deny"}
	}
	return nil
}

func rulesRemoveCommand() *cobra.Command {
	var o RulesOptions
	var s Scope
	c := &cobra.Command{
		Use:   "remove --user|--project POSITION",
		Short: "Remove the rule at a position that 'tenet rules list' shows",
		Long: `Remove one rule. The comments right above it and behind it in its line go with it,
all others stay.`,
		Example: `  tenet rules remove --project 2`,
		Args:    takes(1, "one position"),
		RunE: func(c *cobra.Command, args []string) error {
			o.on(c)
			at, err := positions(args)
			if err != nil {
				return err
			}
			return RemoveRule(c.Context(), o, s, at[0])
		},
	}
	o.dirFlag(c)
	s.flags(c)
	return c
}

func rulesMoveCommand() *cobra.Command {
	var o RulesOptions
	var s Scope
	c := &cobra.Command{
		Use:   "move --user|--project FROM TO",
		Short: "Move a rule to another position: a later rule wins",
		Long: `Move one rule, with its comments. A move between the forms of the file (a shorthand,
a nested form, the list) turns the rules from the earlier position on into elements
of the list, in the same order.`,
		Example: `  tenet rules move --user 4 1`,
		Args:    takes(2, "two positions"),
		RunE: func(c *cobra.Command, args []string) error {
			o.on(c)
			at, err := positions(args)
			if err != nil {
				return err
			}
			return MoveRule(c.Context(), o, s, at[0], at[1])
		},
	}
	o.dirFlag(c)
	s.flags(c)
	return c
}

func (o RulesOptions) changed(s Scope, what string, change func(settings.Editor, rules.Source) (settings.Done, error)) error {
	e, source, err := o.editor(s)
	if err != nil {
		return err
	}
	done, err := change(e, source)
	return o.tell(what, done, err)
}

func positions(args []string) (out []int, err error) {
	for _, a := range args {
		n, err := strconv.Atoi(a)
		if err != nil || n < 1 {
			return nil, Usage("%q is no position; 'tenet rules list' shows them, counted from 1 in each file", a)
		}
		out = append(out, n)
	}
	return out, nil
}
