package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tenet/adapters/hooks"
	"tenet/adapters/session"
	"tenet/core/call"
	"tenet/core/surface"
)

// The tools that act on the turn itself (seed 5). They have no effect on the machine; the
// gate judges them as steps without one, so that each has its verdict in the log.
var (
	askTool = surface.Tool{
		Name: "ask",
		Description: "Ask the user one question and wait for the answer. Use it only when the answer changes what you do and you cannot find it out yourself; " +
			"what may run is asked by tenet, never by you. When nobody can answer, it says so at once.",
		Params: []surface.Param{
			{Name: "question", Type: surface.String, Description: "The question, with all that is needed to answer it.", Required: true},
			{Name: "options", Type: surface.Strings, Description: "Answers to choose from; another answer may be given as well."},
		},
	}
	finishTool = surface.Tool{
		Name: "finish",
		Description: "End the turn with its result. The user's stop hooks (their tests, for example) run first; when one fails, you get its output and go on. " +
			"Call it alone, as the last call of a reply.",
		Params: []surface.Param{
			{Name: "result", Type: surface.String, Description: "What the user reads: what you did, how you know that it works, what is open.", Required: true},
		},
	}
)

// turnTools are ask and finish.
func turnTools() []session.Tool {
	return []session.Tool{
		{Tool: askTool, Turn: func(ctx context.Context, t *session.Turn, args surface.Args) (session.Output, error) {
			q, options := strings.TrimSpace(args.Str("question", "")), args.List("options")
			if q == "" {
				return session.Output{}, errors.New("ask was not run: question is empty; say what you want to know")
			}
			if err := judged(ctx, t, "ask the user: "+call.OneLine(q, 300)); err != nil {
				return session.Output{}, err
			}
			return t.Ask(ctx, q, options)
		}},
		{Tool: finishTool, Turn: func(ctx context.Context, t *session.Turn, args surface.Args) (session.Output, error) {
			result := strings.TrimSpace(args.Str("result", ""))
			if result == "" {
				return session.Output{}, errors.New("finish was not run: result is empty; say what came of the task")
			}
			if err := judged(ctx, t, "finish the turn"); err != nil {
				return session.Output{}, err
			}
			return t.Finish(ctx, result)
		}},
	}
}

// judged records the gate's verdict on a call without effects. A policy that denies every
// call, because it names a tool that is not there, denies these too.
func judged(ctx context.Context, t *session.Turn, says string) error {
	if o := t.Gate.Permit(ctx, func() []call.Step { return []call.Step{{N: 1, Text: says}} }); !o.Runs {
		return errors.New(o.Refusal)
	}
	return nil
}

// stopHooks are the commands of the user's own settings that finish must pass.
func stopHooks(commands []string, in hooks.Runner) []session.Hook {
	out := make([]session.Hook, len(commands))
	for i, c := range commands {
		out[i] = session.Hook{Name: call.OneLine(c, 200), Run: func(ctx context.Context) (string, error) {
			said, err := in.Run(ctx, c)
			if err != nil {
				err = fmt.Errorf("stop hook %d of %d: %w", i+1, len(commands), err)
			}
			return said, err
		}}
	}
	return out
}
