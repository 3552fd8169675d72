package tui

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"tenet/adapters/cli"
	"tenet/core/call"
	"tenet/core/rules"
	"tenet/core/settings"
)

// Lead makes the interface what a command does when it is given nothing else; sentence gives
// the sentence of a law, for explanations, and may be nil. Without a terminal, and without --plain, it prints its help instead: nothing waits for nobody.
func Lead(c *cobra.Command, version string, sentence func(law string) string) {
	var o Options
	f := c.Flags()
	f.StringVar(&o.Host.Dir, "dir", ".", "the workspace")
	f.StringVar(&o.Host.Script, "script", "", "play this rehearsal instead of a live model")
	f.StringVar(&o.Host.Model, "model", "", "the model, as 'tenet models' names it (default: the setting model)")
	f.StringVar(&o.Host.Profile, "profile", "", "what runs unasked: "+strings.Join(rules.Profiles(), ", ")+" (default: what the settings say, else balanced)")
	f.StringSliceVar(&o.Host.Auto, "auto", nil, "effects that run unasked, in place of the profile's: "+strings.Join(call.Grantable.Names(), ","))
	f.BoolVarP(&o.Host.Continue, "continue", "c", false, "go on with the newest session of this directory")
	f.StringVar(&o.Host.Resume, "resume", "", "go on with this session ('tenet sessions' names them)")
	f.StringVar(&o.Host.Prompt, "prompt", "", "send this as soon as the session is open")
	f.StringVar(&o.Theme, "theme", "", "the colours: "+strings.Join(settings.Themes(), ", "))
	f.BoolVar(&o.Plain, "plain", false, "lines in place of a screen, for screen readers and slow lines")
	cli.Offer(c, "profile", rules.Profiles())
	cli.Offer(c, "auto", call.Grantable.Names())
	cli.Offer(c, "theme", settings.Themes())
	if err := c.RegisterFlagCompletionFunc("model", cli.CompleteModels); err != nil {
		panic(err) // the flag is declared a few lines above
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		if !c.Flags().Changed("auto") {
			o.Host.Auto = nil
		}
		if !o.Plain && (!cli.IsTerminal(os.Stdin) || !cli.IsTerminal(os.Stdout)) {
			return c.Help()
		}
		o.Host.Version, o.In, o.Out, o.Err = version, os.Stdin, os.Stdout, c.ErrOrStderr()
		return Run(c.Context(), o)
	}
}
