package rehearsal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tenet/adapters/provider"
)

// parser reads one script; offsets are into text.
type parser struct {
	script string
	text   []byte
}

func (p *parser) errorAt(offset int, format string, a ...any) *Error {
	line := 1 + bytes.Count(p.text[:min(max(offset, 0), len(p.text))], []byte("\n"))
	return &Error{Script: p.script, Line: line, Message: fmt.Sprintf(format, a...)}
}

// comments blanks every // comment in place, so that each byte keeps its line. A //
// inside a string is text.
func (p *parser) comments() error {
	quoted := false
	for i := 0; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted && c == '\n':
			return p.errorAt(i, `a string ends on the line it began; write \n for a line break`)
		case !quoted && c == '/' && bytes.HasPrefix(p.text[i:], []byte("//")):
			for ; i < len(p.text) && p.text[i] != '\n'; i++ {
				p.text[i] = ' '
			}
		}
	}
	return nil
}

// replies reads the objects one after the other.
func (p *parser) replies() ([]reply, error) {
	var out []reply
	for at := 0; ; {
		at += len(p.text[at:]) - len(bytes.TrimLeft(p.text[at:], " \t\r\n"))
		if at == len(p.text) {
			break
		}
		if p.text[at] != '{' {
			return nil, p.errorAt(at, "a reply begins with {, not with %q; write the objects one after the other, without a list or commas around them", p.text[at])
		}
		fields, n, err := p.object(at, "a reply", replyFields)
		if err != nil {
			return nil, err
		}
		r, err := p.reply(at, fields)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
		at += n
	}
	if len(out) == 0 {
		return nil, p.errorAt(len(p.text), `the rehearsal has no reply; write at least {"text": "Hello."}`)
	}
	return out, nil
}

// field is one member of an object and where its value ends.
type field struct {
	raw json.RawMessage
	end int
}

// object reads the object at an offset with only the members that are known; n is
// its length in bytes.
func (p *parser) object(at int, what string, known []string) (fields map[string]field, n int, err error) {
	var whole json.RawMessage
	d := json.NewDecoder(bytes.NewReader(p.text[at:]))
	if err := d.Decode(&whole); err != nil {
		return nil, 0, p.syntax(at, err)
	}
	n = int(d.InputOffset())
	fields = map[string]field{}
	d = json.NewDecoder(bytes.NewReader(whole))
	_, _ = d.Token() // the {; whole was read once, so that no read of it fails
	for d.More() {
		key, _ := d.Token()
		name, _ := key.(string)
		if !slices.Contains(known, name) {
			return nil, 0, p.errorAt(at+int(d.InputOffset()), "%s has no %q; it has %s", what, name, strings.Join(known, ", "))
		}
		if _, twice := fields[name]; twice {
			return nil, 0, p.errorAt(at+int(d.InputOffset()), "%s has %q twice", what, name)
		}
		var raw json.RawMessage
		_ = d.Decode(&raw)
		fields[name] = field{raw, at + int(d.InputOffset())}
	}
	return fields, n, nil
}

func (p *parser) syntax(at int, err error) error {
	var s *json.SyntaxError
	if errors.As(err, &s) {
		return p.errorAt(at+int(s.Offset)-1, "this is no JSON: %v", err)
	}
	return p.errorAt(len(p.text), "the file ends in the middle of the reply that began on line %d; close its brackets and quotes", p.errorAt(at, "").Line)
}

var (
	replyFields = []string{"text", "thinking", "calls", "stop", "input_tokens", "output_tokens", "cached_tokens", "thoughts", "expect", "pieces", "wait_ms", "fail", "message", "status", "retry_after_ms"}
	callFields  = []string{"tool", "args", "id"}
	failFields  = []string{"message", "status", "retry_after_ms"}
	stops       = []string{provider.StopEnd, provider.StopLength, provider.StopTools}
)

const (
	maxWaitMS  = 10 * 60 * 1000
	maxNumber  = 1 << 40
	maxRetryMS = 24 * 60 * 60 * 1000
)

func (p *parser) reply(at int, f map[string]field) (reply, error) {
	g := &getter{p: p, fields: f, at: at}
	r := reply{line: p.errorAt(at, "").Line}
	r.reply.Text = g.text("text")
	r.reply.Thinking = g.text("thinking")
	r.reply.Input = g.number("input_tokens", maxNumber)
	r.reply.Output = g.number("output_tokens", maxNumber)
	r.reply.Cached = g.number("cached_tokens", maxNumber)
	r.reply.Thoughts = g.thoughts()
	r.pieces = g.number("pieces", maxNumber)
	r.wait = time.Duration(g.number("wait_ms", maxWaitMS)) * time.Millisecond
	r.expect = g.expect()
	r.reply.Calls = g.calls()
	r.reply.Stop = g.stop(len(r.reply.Calls) > 0)
	r.fail = g.failure()
	g.says(r)
	return r, g.err
}
