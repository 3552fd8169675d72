package event

import (
	"encoding/json"
	"strings"
)

// Person is who made a call that no reply of the model made.
const Person = "person"

// own folds a call that a person made themselves: it is made and taken up in one, and the
// gate, the log and a restart treat it as any other.
func (s *State) own(b Call) {
	if s.find(b.Call) >= 0 || s.jobOf(b.Call) >= 0 {
		s.disorder(MadeTwice, b.Call)
		return
	}
	c := s.add(ToolCall{ID: b.Call, Tool: b.Tool, Args: b.Args})
	c.Taken, c.By = true, b.By
}

// give puts the result of a call into the context. No provider takes a result without the
// model's call: what a person ran is told in a row beside their words, with the next request.
func (s *State) give(c OpenCall, b Result) {
	if c.By != "" {
		s.aside(Message{Seq: s.Seq, Role: User, Harness: true, Text: OwnRow(c.ToolCall, b.Text)})
		return
	}
	s.say(Message{Role: Tool, Text: b.Text, Call: c.ToolCall, Error: b.Error})
}

// OwnRow is what the model reads of a call that the person made.
func OwnRow(c ToolCall, result string) string {
	var args struct {
		Command string `json:"command"`
	}
	what := c.Tool + " " + c.Args
	if json.Unmarshal([]byte(c.Args), &args) == nil && args.Command != "" {
		what = "$ " + args.Command
	}
	return strings.TrimRight("[the user ran this themselves]\n"+what+"\n"+result, "\n")
}
