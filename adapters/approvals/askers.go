package approvals

import (
	"context"

	"tenet/core/call"
	"tenet/core/gate"
)

// Nobody answers when no client is attached: each question is unanswered at once.
type Nobody struct{}

// Ask ends the question without an answer.
func (Nobody) Ask(context.Context, Question) Reply {
	return Reply{Answer: gate.Unanswered, By: "nobody"}
}

// Guarded is what no standing answer may cover: a flag typed in advance cannot have
// seen the call, so it never opens a secret and never changes what decides over
// tenet, git or a program's name (as the gateway rule of G5).
const Guarded = call.Effects(1<<call.Protected | 1<<call.Secret)

// Standing answers every question the same way, as --yes and --no do. A yes never
// covers a guarded call.
type Standing struct {
	Yes bool
	// Flag is the spelling that made it, for the record.
	Flag string
}

// Ask answers at once.
func (s Standing) Ask(_ context.Context, q Question) Reply {
	switch {
	case !s.Yes:
		return Reply{Answer: gate.Denied, By: s.Flag}
	case q.Guarded() != 0:
		return Reply{Answer: gate.GatewayRefused, By: s.Flag, Reason: "a standing yes never covers " + q.Guarded().String()}
	default:
		return Reply{Answer: gate.AllowOnce, By: s.Flag}
	}
}

// Shielded refuses guarded calls by itself and hands every other question on. The
// demo uses it, so that a newcomer is asked once, about something harmless.
type Shielded struct{ Next Asker }

// Ask refuses or hands on.
func (s Shielded) Ask(ctx context.Context, q Question) Reply {
	if guarded := q.Guarded(); guarded != 0 {
		return Reply{Answer: gate.GatewayRefused, By: "standing rule", Reason: "the demo never opens " + guarded.String()}
	}
	return s.Next.Ask(ctx, q)
}
