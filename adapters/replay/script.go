package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"tenet/adapters/provider"
	"tenet/core/event"
)

// scripted is one reply of a rehearsal, in the order its members are read best.
type scripted struct {
	Text     *string           `json:"text,omitempty"`
	Thinking string            `json:"thinking,omitempty"`
	Thoughts []event.Thought   `json:"thoughts,omitempty"`
	Calls    []json.RawMessage `json:"calls,omitempty"`
	Stop     string            `json:"stop,omitempty"`
	Input    int               `json:"input_tokens,omitempty"`
	Output   int               `json:"output_tokens,omitempty"`
	Cached   int               `json:"cached_tokens,omitempty"`

	Fail    string `json:"fail,omitempty"`
	Message string `json:"message,omitempty"`
	Status  int    `json:"status,omitempty"`
	RetryMS int64  `json:"retry_after_ms,omitempty"`
}

type scriptedCall struct {
	Tool string          `json:"tool"`
	Args json.RawMessage `json:"args"`
	ID   string          `json:"id,omitempty"`
}

// Script is the session's model as a rehearsal (docs/rehearsal.md), with the prompts as
// comments; turn is the turn to write, counted from 1, 0 for all of them.
func Script(session string, records []event.Record, turn int) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// The replies of session %s, as they were recorded.\n// What it read and what its commands printed is not here; check it for secrets all the same.\n", comment(session))
	now, replies := 0, 0
	for _, r := range records {
		body, err := event.Decode(r)
		if err != nil {
			return nil, err
		}
		if p, ok := body.(event.Prompt); ok && !p.Steer {
			if now++; turn == 0 || now == turn {
				fmt.Fprintf(&b, "\n// Turn %d: %s\n", now, comment(p.Text))
			}
		}
		if now == 0 || turn != 0 && now != turn {
			continue
		}
		line, err := reply(body)
		if err != nil {
			return nil, fmt.Errorf("record %d: %w", r.Seq, err)
		}
		if line != nil {
			replies++
			b.Write(append(line, '\n'))
		}
	}
	if replies == 0 {
		return nil, fmt.Errorf("the session has no reply in turn %d; it has %d turns", turn, now)
	}
	return b.Bytes(), nil
}

// comment is a text on the rest of a line.
func comment(text string) string { return oneLine(text) }

// reply is a reply or a failure as a rehearsal spells it, nil for another record.
func reply(b event.Body) ([]byte, error) {
	switch b := b.(type) {
	case event.Reply:
		return spoken(b)
	case event.Failure:
		return encoded(scriptedFailure(b))
	}
	return nil, nil
}

func spoken(r event.Reply) ([]byte, error) {
	s := scripted{Thinking: r.Thinking, Thoughts: r.Thoughts, Input: r.Input, Output: r.Output, Cached: r.Cached}
	if r.Text != "" || r.Thinking == "" && len(r.Calls) == 0 {
		s.Text = &r.Text
	}
	for _, c := range r.Calls {
		raw, err := encoded(scriptedCall{Tool: c.Tool, Args: arguments(c.Args), ID: c.Provider})
		if err != nil {
			return nil, err
		}
		s.Calls = append(s.Calls, raw)
	}
	if usual := map[bool]string{true: provider.StopTools, false: provider.StopEnd}[len(r.Calls) > 0]; r.Stop != usual {
		s.Stop = r.Stop
	}
	return encoded(s)
}

// arguments are an object where the text is one just as it would be sent, and the exact
// text otherwise.
func arguments(args string) json.RawMessage {
	var compact bytes.Buffer
	if strings.HasPrefix(args, "{") && json.Compact(&compact, []byte(args)) == nil && compact.String() == args {
		return json.RawMessage(args)
	}
	text, err := encoded(args)
	if err != nil {
		panic(err) // a text always encodes
	}
	return text
}

// scriptedFailure: a failure of the provider is one; a reply that was not taken is that
// reply, as far as the log has it.
func scriptedFailure(f event.Failure) scripted {
	for _, c := range provider.Classes() {
		if string(c) == f.Class && c != provider.Exhausted {
			e := fault(f)
			return scripted{Fail: f.Class, Message: e.Message, Status: f.Status, RetryMS: e.RetryAfter.Milliseconds()}
		}
	}
	s := scripted{Thinking: f.Thinking, Text: &f.Text}
	if f.Class == "length" {
		s.Stop = provider.StopLength
	}
	return s
}

func encoded(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
