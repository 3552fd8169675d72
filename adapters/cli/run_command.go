package cli

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"tenet/core/call"
	"tenet/core/rules"
)

const runLong = `Run one turn: the model works with the tools until it answers, fails or is stopped.
The transcript goes to standard error, the answer to standard output.

The prompt is the argument; "-" in its place, or no argument with something piped
in, reads it from standard input, and "-" after it appends what is piped in.

The model is one of 'tenet models', a live endpoint (OPENAI_BASE_URL,
OPENAI_API_KEY, --model) or a rehearsal (--script FILE). A call whose effects the
profile does not allow in advance is asked about on the terminal; without a
terminal it is refused, and the run goes on.

--continue goes on with the newest session of this directory, --resume with the one
that is named. Without a prompt, also without one piped in, they go on with a turn that was
interrupted.

Exit codes: 0 answered, 1 the run failed, 2 usage or configuration, 124 stopped by
--timeout, 130 interrupted, 141 nobody reads the output, 143 stopped by SIGTERM.`

const runExamples = `  tenet run "Why does go vet fail? Fix it."
  git diff | tenet run "Review this." -
  tenet run --json --allow 'go test *' --timeout 10m "Run the tests and mend what fails."
  tenet run --continue "Now the same for the other package."
  tenet run --script fix.rehearsal --no "Make the tests pass."`

// RunCommand is tenet run.
func RunCommand(version string) *cobra.Command {
	var o Options
	c := &cobra.Command{
		Use:     "run [flags] [PROMPT] [-]",
		Short:   "Let a model work on one prompt in a directory",
		Long:    runLong,
		Example: runExamples,
		RunE: func(c *cobra.Command, args []string) error {
			o.Version, o.In, o.Out, o.Err = version, os.Stdin, c.OutOrStdout(), c.ErrOrStderr()
			return o.run(c.Context(), args)
		},
	}
	o.flags(c)
	return c
}

func (o *Options) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.Dir, "dir", ".", "the workspace")
	f.StringVar(&o.Script, "script", "", "play this rehearsal instead of a live model")
	f.StringVar(&o.Model, "model", "", "the model, as 'tenet models' names it (default: the setting model)")
	f.StringVar(&o.Profile, "profile", "", "what runs unasked: "+strings.Join(rules.Profiles(), ", ")+" (default: what the settings say, else balanced)")
	f.StringSliceVar(&o.Auto, "auto", nil, "effects that run unasked, in place of the profile's: "+strings.Join(call.Grantable.Names(), ","))
	f.StringArrayVar(&o.Allow, "allow", nil, "a rule that allows for this run: a command pattern, or a capability and a pattern; may be repeated")
	f.IntVar(&o.MaxRounds, "max-rounds", 0, "the most tool rounds of the turn (0: what the settings say, else 250)")
	f.DurationVar(&o.Timeout, "timeout", 0, "stop the run after this time, such as 90s or 10m (0: never)")
	f.BoolVarP(&o.Continue, "continue", "c", false, "go on with the newest session of this directory")
	f.StringVar(&o.Resume, "resume", "", "go on with this session ('tenet sessions' names them)")
	f.StringVar(&o.OutputSchema, "output-schema", "", "a file with the JSON schema that the answer must fit")
	f.BoolVar(&o.JSON, "json", false, "print the session's events, one JSON object a line (docs/events.md)")
	Answers(c, o)
	Offer(c, "profile", rules.Profiles())
	Offer(c, "auto", call.Grantable.Names())
	if err := c.RegisterFlagCompletionFunc("model", CompleteModels); err != nil {
		panic(err) // the flag is declared a few lines above
	}
}

// run reads the prompt and runs, both within the time limit.
func (o Options) run(ctx context.Context, args []string) error {
	if o.Timeout > 0 {
		var stop func()
		ctx, stop = context.WithTimeoutCause(ctx, o.Timeout, ErrTimeout)
		defer stop()
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	gone := func() { stop(ErrReader) }
	o.Out, o.Err = &outlet{o.Out, gone}, &outlet{o.Err, gone}
	var err error
	if len(args) == 0 && o.resumes() && !pipedIn(o.In) { // nothing new to say: the turn that was left open goes on
		return Run(ctx, o)
	}
	if o.Prompt, err = PromptFrom(ctx, args, o.In); err != nil {
		return err
	}
	return Run(ctx, o)
}

// Answers adds the two standing answers.
func Answers(c *cobra.Command, o *Options) {
	c.Flags().BoolVar(&o.Yes, "yes", false, "answer yes to every question; never covers a secret or protected step")
	c.Flags().BoolVar(&o.No, "no", false, "answer no to every question")
}
