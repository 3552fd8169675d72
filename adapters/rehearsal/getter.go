package rehearsal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"tenet/adapters/provider"
	"tenet/core/event"
)

// getter reads members and keeps the first mistake.
type getter struct {
	p      *parser
	fields map[string]field
	at     int
	err    error
}

func (g *getter) wrong(name, format string, a ...any) {
	if g.err == nil {
		at := g.at
		if f, ok := g.fields[name]; ok {
			at = f.end - len(f.raw)
		}
		g.err = g.p.errorAt(at, "%q "+format, append([]any{name}, a...)...)
	}
}

func (g *getter) text(name string) (s string) {
	if f, ok := g.fields[name]; ok && (json.Unmarshal(f.raw, &s) != nil || string(f.raw) == "null") {
		g.wrong(name, "is a text, not %.40s", f.raw)
	}
	return s
}

func (g *getter) number(name string, most int) (n int) {
	f, ok := g.fields[name]
	if ok && (json.Unmarshal(f.raw, &n) != nil || n < 0 || n > most || string(f.raw) == "null") {
		g.wrong(name, "is a whole number from 0 to %d, not %.40s", most, f.raw)
	}
	return n
}

func (g *getter) expect() []string {
	f, ok := g.fields["expect"]
	if !ok {
		return nil
	}
	var one string
	if f.raw[0] == '"' && json.Unmarshal(f.raw, &one) == nil {
		return []string{one}
	}
	var all []*string
	if json.Unmarshal(f.raw, &all) != nil || len(all) == 0 || slices.Contains(all, nil) {
		g.wrong("expect", "is a text or a list of texts, not %.40s", f.raw)
		return nil
	}
	var out []string
	for _, s := range all {
		out = append(out, *s)
	}
	return out
}

// thoughts reads opaque blocks, which go back to their own wire and model unchanged.
func (g *getter) thoughts() (out []event.Thought) {
	f, ok := g.fields["thoughts"]
	if !ok {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(f.raw))
	d.DisallowUnknownFields()
	if d.Decode(&out) != nil || len(out) == 0 {
		g.wrong("thoughts", `is a list like [{"wire": "anthropic", "model": "m", "raw": {}}], not %.40s`, f.raw)
		return nil
	}
	for _, t := range out {
		if t.Wire == "" || len(t.Raw) == 0 {
			g.wrong("thoughts", `has a block without "wire" or "raw"`)
		}
	}
	return out
}

func (g *getter) stop(calls bool) string {
	stop := g.text("stop")
	switch {
	case stop == "" && calls:
		return provider.StopTools
	case stop == "":
		return provider.StopEnd
	case !slices.Contains(stops, stop):
		g.wrong("stop", "is one of %s, not %q", strings.Join(stops, ", "), stop)
	}
	return stop
}

func (g *getter) calls() []event.ToolCall {
	f, ok := g.fields["calls"]
	if !ok {
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal(f.raw, &list) != nil || len(list) == 0 {
		g.wrong("calls", `is a list like [{"tool": "bash", "args": {"command": "ls"}}], not %.40s`, f.raw)
		return nil
	}
	var out []event.ToolCall
	at := f.end - len(f.raw)
	for _, raw := range list {
		at += bytes.Index(g.p.text[at:f.end], raw)
		out = append(out, g.call(at, raw))
		at += len(raw)
	}
	return out
}

// call reads one call. Arguments that are an object are sent as that object; a
// text is sent exactly, so that arguments that are cut or no JSON can be played.
func (g *getter) call(at int, raw json.RawMessage) event.ToolCall {
	if raw[0] != '{' {
		if g.err == nil {
			g.err = g.p.errorAt(at, `a call is an object like {"tool": "bash", "args": {"command": "ls"}}, not %.40s`, raw)
		}
		return event.ToolCall{}
	}
	fields, _, err := g.p.object(at, "a call", callFields)
	if err != nil {
		g.err = either(g.err, err)
		return event.ToolCall{}
	}
	in := &getter{p: g.p, fields: fields, at: at}
	c := event.ToolCall{Tool: in.text("tool"), Provider: in.text("id"), Args: in.args()}
	if c.Tool == "" {
		in.wrong("tool", "is missing: name the tool to call")
	}
	g.err = either(g.err, in.err)
	return c
}

func either(first, next error) error {
	if first != nil {
		return first
	}
	return next
}

func (g *getter) args() string {
	f, ok := g.fields["args"]
	if !ok {
		return "{}"
	}
	switch f.raw[0] {
	case '"':
		return g.text("args")
	case '{':
		var b bytes.Buffer
		_ = json.Compact(&b, f.raw) // the decoder has read it already
		return b.String()
	}
	g.wrong("args", "is an object, or a text that is sent as it is, not %.40s", f.raw)
	return ""
}

func (g *getter) failure() *provider.Error {
	class := provider.Class(g.text("fail"))
	if _, ok := g.fields["fail"]; !ok {
		for _, name := range failFields {
			if _, ok := g.fields[name]; ok {
				g.wrong(name, `belongs to a failure; add "fail" with a class, or leave it out`)
			}
		}
		return nil
	}
	if !slices.Contains(provider.Classes(), class) {
		g.wrong("fail", "is one of %s, not %q", classNames(), class)
		return nil
	}
	e := &provider.Error{Class: class, Message: g.text("message"), Status: g.number("status", 599)}
	e.RetryAfter = time.Duration(g.number("retry_after_ms", maxRetryMS)) * time.Millisecond
	if e.Message == "" {
		e.Message = fmt.Sprintf("the rehearsal plays a failure (%s)", class)
	}
	if len(g.fields["calls"].raw) > 0 {
		g.wrong("calls", "cannot stand beside a failure: calls of a failed reply never run")
	}
	return e
}

func classNames() string {
	var out []string
	for _, c := range provider.Classes() {
		out = append(out, string(c))
	}
	return strings.Join(out, ", ")
}

// says refuses a reply of nothing, which is more often a slip than meant.
func (g *getter) says(r reply) {
	for _, name := range []string{"text", "thinking", "calls", "fail"} {
		if _, ok := g.fields[name]; ok {
			return
		}
	}
	if g.err == nil {
		has := slices.Sorted(maps.Keys(g.fields))
		g.err = g.p.errorAt(g.at, `the reply says nothing (it has %d members%s); give it "text", "thinking", "calls" or "fail", or "text": "" for an empty reply`, len(has), listed(has))
	}
}

func listed(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ": " + strings.Join(names, ", ")
}
