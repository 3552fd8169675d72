package session

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tenet/adapters/approvals"
	"tenet/core/event"
	"tenet/core/turn"
)

// Inquirer puts a question of the model to a person.
type Inquirer interface {
	// Inquire returns the answer and who gave it. ok is false when nobody answers: nobody
	// can, the person would not, or ctx ended. No passage of time is ever an answer.
	Inquire(ctx context.Context, q event.Inquiry) (text, by string, ok bool)
}

// Hook is a command that finish must pass before it ends the turn.
type Hook struct {
	// Name is how records and the model are told of it: the command as the user wrote it.
	Name string
	// Run runs it as the user's own act, and returns its bounded output. The error says how
	// it failed; nil is a pass.
	Run func(ctx context.Context) (output string, err error)
}

// Turn is the running turn as a tool that acts on it sees it.
type Turn struct {
	d    *driver
	call event.ToolCall
	rec  phaseRecorder
	// Gate judges what the tool does besides.
	Gate *approvals.Gate
}

// unanswered is what the model reads when nobody answers; it says what to do instead.
const unanswered = "Nobody can answer now. Do not wait and do not ask again: take the most careful choice that the task allows, say in your answer what you assumed, or finish and name the question that is open."

// Ask puts a question to a person and blocks until it has an answer. Until then new
// messages are refused (law open_question_blocks_messages). Without anybody who could
// answer it ends at once, with a refusal that says what to do instead.
func (t *Turn) Ask(ctx context.Context, text string, options []string) (Output, error) {
	q := event.Inquiry{ID: t.call.ID + ":ask", Call: t.call.ID, Text: text, Options: options}
	if err := t.rec.Record(q); err != nil {
		return Output{}, err
	}
	a := event.Answer{ID: q.ID, By: "nobody", Unanswered: true}
	if t.d.o.Inquirer != nil {
		if said, by, ok := t.d.o.Inquirer.Inquire(ctx, q); ok {
			a = event.Answer{ID: q.ID, Text: said, By: by}
		}
	}
	if err := t.rec.Record(a); err != nil {
		return Output{}, err
	}
	if a.Unanswered {
		return Output{Text: unanswered, Failed: true}, nil
	}
	return Output{Text: a.Text}, nil
}

// Finish ends the turn with the text as its answer, when every stop hook passes, in their
// order. One that fails gives its output back to the model, and the turn goes on (law
// finish_passes_stop_hooks).
func (t *Turn) Finish(ctx context.Context, text string) (Output, error) {
	hooks := t.d.o.Hooks
	o := t.rec.move(turn.OnFinish, len(hooks))
	for i := 0; o == turn.DoHook; i++ {
		said, err := hooks[i].Run(ctx)
		if ctx.Err() != nil {
			return Output{}, context.Cause(ctx)
		}
		if err != nil {
			t.rec.move(turn.OnFail, 0)
			return Output{}, hookFailed(hooks[i].Name, said, err)
		}
		o = t.rec.move(turn.OnPass, 0)
	}
	if o != turn.DoNote {
		return Output{}, errors.New("the turn is already over")
	}
	return Output{Text: text, Ends: true}, nil
}

func hookFailed(name, said string, err error) error {
	text := fmt.Sprintf("The turn is not finished: the stop hook %q failed (%v). Set right what it says, then call finish again.", name, err)
	if said = strings.TrimSpace(said); said != "" {
		text += "\nIts output:\n" + said
	}
	return errors.New(text)
}
