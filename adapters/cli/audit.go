package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"tenet/adapters/judge"
	"tenet/adapters/store"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/gate"
)

// AuditOptions is a question about a session that was recorded.
type AuditOptions struct {
	// Session is the session's id or the log's file; empty is the newest.
	Session string
	// Rules is a settings file to judge by; empty is what is in force now. Profile is the
	// default layer in place of the settings' own.
	Rules, Profile string
	JSON           bool
	Out, Err       io.Writer
}

// audited is one call of the session whose verdict would change.
type audited struct {
	Call string `json:"call"`
	Tool string `json:"tool"`
	Text string `json:"text"`
	// Was is the recorded verdict with its rule, Now the other one.
	Was    string       `json:"was"`
	ByRule string       `json:"was_rule"`
	Answer string       `json:"answer,omitempty"`
	Now    event.Ruling `json:"now"`
}

// Audit judges the calls of a recorded session again and prints each whose verdict
// would change. Nothing runs. The paths are judged as they lead now: what a link was
// then is not known. The error carries the strictest changed verdict.
func Audit(ctx context.Context, o AuditOptions) error {
	path, err := logOf(o.Session)
	if err != nil {
		return err
	}
	records, report, err := store.Read(path)
	if err != nil {
		return err
	}
	if err := unsound(report); err != nil {
		return fmt.Errorf("%w; an audit of it would prove nothing", err)
	}
	s, err := event.Fold(records)
	if err != nil {
		return err
	}
	j, err := judgeOf(s.Opening.Workspace, o.Profile, o.Rules, o.Err)
	if err != nil {
		return err
	}
	judged, changed, worst := 0, []audited{}, gate.Allow
	for _, c := range recorded(records) {
		judged++
		if a, v, differs := j.again(ctx, c); differs {
			changed, worst = append(changed, a), max(worst, v)
		}
	}
	if err := o.print(s, judged, changed); err != nil {
		return err
	}
	return verdict(worst)
}

// judgedCall is a call with the verdict that the log has of it.
type judgedCall struct {
	event.Call
	verdict event.Judgement
}

// recorded are the calls of a log that have a verdict, in order.
func recorded(records []event.Record) []judgedCall {
	calls := map[string]event.Call{}
	var out []judgedCall
	for _, r := range records {
		b, err := event.Decode(r)
		if err != nil {
			continue // Fold has read every record already
		}
		switch b := b.(type) {
		case event.Call:
			calls[b.Call] = b
		case event.Judgement:
			out = append(out, judgedCall{Call: calls[b.Call], verdict: b})
		default:
		}
	}
	return out
}

// again judges one call as it would be judged now.
func (j *judges) again(ctx context.Context, c judgedCall) (a audited, v gate.Verdict, differs bool) {
	a = audited{Call: c.Call.Call, Tool: c.Tool, Text: stepTexts(c.verdict), Was: c.verdict.Verdict, ByRule: c.verdict.Rule.Name, Answer: c.verdict.Answer}
	r := j.judge.Judge(ctx, judge.Call{Tool: c.Tool, Args: json.RawMessage(c.Args)})
	now := r.Record()
	a.Now = now
	return a, r.Verdict, now.Verdict != c.verdict.Verdict
}

func (o AuditOptions) print(s event.State, judged int, changed []audited) error {
	if o.JSON {
		for _, a := range changed {
			if err := writeLine(o.Out, a); err != nil {
				return err
			}
		}
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "session %s in %s: %d judged calls, %d verdicts would change\n", s.Opening.Session, call.OneLine(s.Opening.Workspace, 400), judged, len(changed))
	for _, a := range changed {
		fmt.Fprintf(&b, "\n%s  %s %s\n", a.Call, call.OneLine(a.Tool, 60), call.OneLine(a.Text, 400))
		fmt.Fprintf(&b, "  was  %s by %s", a.Was, a.ByRule)
		if a.Answer != "" {
			fmt.Fprintf(&b, ", answered %s", a.Answer)
		}
		fmt.Fprintf(&b, "\n  now  %s by %s (%s): %s\n", a.Now.Verdict, a.Now.Rule.Name, a.Now.Rule.Source, call.OneLine(a.Now.Why, 500))
	}
	_, err := io.WriteString(o.Out, b.String())
	return err
}
