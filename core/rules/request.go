package rules

import (
	"slices"
	"strings"

	"tenet/core/call"
)

// Place is where the requests are made.
type Place struct {
	// Root is the workspace root, absolute and real. A command that runs elsewhere is
	// allowed only by a rule that spells it: the same words do other things there.
	Root string
	// Home is the user's home directory, absolute and real.
	Home string
}

// request is a request with what it is made for.
type request struct {
	call.Request
	// command is the index of the command that makes it, forStep for the step itself, and
	// forPlace for a place that the step names.
	command int
	// needs is what a place must be allowed for, before an allow of places covers it.
	needs call.Effects
}

// What a request is made for when it is no single command.
const (
	forStep  = -1
	forPlace = -2
)

// runs is what allowing a command's execution covers. What leaves the workspace needs
// an allow of its own.
var runs = call.Of(call.Read, call.Write, call.Exec)

// Requests is everything that a step of a tool asks for, in the order it is shown. A
// step of a shell tool asks per command; a document access asks per place; a tool that
// nobody knows asks by its name.
func Requests(place Place, tool string, s call.Step) []call.Request {
	reqs := requests(place, tool, s)
	out := make([]call.Request, len(reqs))
	for i, r := range reqs {
		out[i] = r.Request
	}
	return out
}

func requests(place Place, tool string, s call.Step) []request {
	var out []request
	for i, c := range s.Commands {
		out = append(out, ofCommand(place, s, i, c)...)
	}
	if wholeText(place, tool, s) {
		out = append(out, ofText(place, tool, s))
	}
	if s.Background && len(s.Commands) == 0 {
		out = append(out, request{Request: call.Request{
			Capability: call.ProcessBackground, Subject: stdin + s.Text, Display: "Type " + call.OneLine(s.Text, maxDisplay),
			Covers: runs,
		}, command: forStep})
	}
	for _, p := range s.Paths {
		out = append(out, ofPath(place, p))
	}
	if tool == Fetch {
		out = append(out, request{Request: call.Request{
			Capability: call.NetworkAccess, Subject: strings.TrimPrefix(s.Text, Fetch+" "), Display: "Fetch " + call.OneLine(strings.TrimPrefix(s.Text, Fetch+" "), maxDisplay),
			Covers: call.Of(call.Read, call.Net), Patterns: exactly(strings.TrimPrefix(s.Text, Fetch+" ")),
		}, command: forStep})
	} else if late(tool) {
		out = append(out, request{Request: call.Request{
			Capability: call.MCPCall, Subject: tool, Display: "Call " + call.OneLine(tool, maxDisplay),
			Covers: call.Of(call.Exec, call.Net), Patterns: exactly(tool),
		}, command: forStep})
	}
	return compact(out)
}

// Fetch is the tool of other agents that reads a URL; its step is "fetch URL".
const Fetch = "fetch"

// roster are the tools that a session opens with: what they ask for follows from their
// commands and places. A tool that is not here joined late, and asks by its name.
var roster = strings.Fields("read write edit search_replace grep glob list_dir bash run ipython job ask finish use_skill dyn")

func late(tool string) bool { return !slices.Contains(roster, tool) }

// runners are the tools of the roster whose steps are code.
var runners = strings.Fields("bash run ipython")

// wholeText reports whether the step as a whole may be asked for by its text: when no
// pattern over a command can say what it does.
func wholeText(place Place, tool string, s call.Step) bool {
	if len(s.Commands) == 0 {
		return s.Effects.Has(call.Exec) && slices.Contains(runners, tool)
	}
	if s.Class == call.Obfuscated {
		return true
	}
	return s.Class == call.Simple && slices.ContainsFunc(s.Commands, func(c call.Command) bool { return !plain(place, c) })
}

// ofText is the request for a step by the whole of its text: only a rule that spells
// it allows it, with the directory when that is not one of the workspace.
func ofText(place Place, tool string, s call.Step) request {
	text, verb := s.Text, "Run "
	if s.Dir != "" && !within(s.Dir, place.Root) {
		text = "cd " + s.Dir + " && " + text
	}
	if tool == "ipython" {
		verb = "Run the cell "
	}
	return request{Request: call.Request{
		Capability: call.ProcessExecute, Subject: text, Display: verb + call.OneLine(text, maxDisplay),
		Covers: runs, ExactOnly: true,
	}, command: forStep}
}

// maxDisplay bounds the line for a person, in characters.
const maxDisplay = 200

// ofCommand is what one command of a step asks for.
func ofCommand(place Place, s call.Step, i int, c call.Command) []request {
	var out []request
	ask := func(capability call.Capability, verb string, covers call.Effects) {
		out = append(out, inWords(place, s, i, c, capability, verb, covers)...)
	}
	ask(call.ProcessExecute, "Run ", runs)
	effects := c.Effects
	if effects == 0 {
		effects = s.Effects
	}
	if effects.Has(call.Net) {
		ask(call.NetworkAccess, "Use the network: ", call.Of(call.Net))
	}
	if modifiesGit(c) {
		ask(call.GitModify, "Change the repository: ", runs)
	}
	if s.Background {
		ask(call.ProcessBackground, "Start in the background: ", runs)
	}
	return out
}

// inWords is one request of a command, in each spelling that rules may speak of it by.
// Only a spelling that says all that the command does is covered by an allow.
func inWords(place Place, s call.Step, i int, c call.Command, capability call.Capability, verb string, covers call.Effects) []request {
	clear := s.Class != call.Obfuscated && plain(place, c)
	var out []request
	for n, spelled := range spellings(place, c) {
		r := call.Request{
			Capability: capability, Subject: spelled.Text(), ExactOnly: !clear || !spelled.says,
			Display: verb + call.OneLine(spelled.Text(), maxDisplay),
		}
		if clear && spelled.says {
			r.Covers = covers
			if s.Class == call.Simple {
				r.Patterns = Suggest(place, spelled.Command)
			}
		}
		if n == 0 {
			r.Notes = notes(place, c)
		}
		if capability == call.ProcessBackground && strings.HasPrefix(r.Subject, stdin) {
			r.Covers, r.Patterns, r.ExactOnly = 0, nil, true // a program of that name is no input
		}
		out = append(out, request{Request: r, command: i})
	}
	return out
}

// stdin begins the subject of input for a process that runs in the background already.
const stdin = "stdin:"

// compact drops what was asked before.
func compact(in []request) []request {
	out := in[:0]
	for _, r := range in {
		same := func(o request) bool {
			return o.command == r.command && o.Capability == r.Capability && o.Subject == r.Subject
		}
		if !slices.ContainsFunc(out, same) {
			out = append(out, r)
		}
	}
	return out
}

// ofPath is the request for one place. A place that is known only when it runs may be
// any, and no rule allows it.
func ofPath(place Place, p call.Path) request {
	r := call.Request{Capability: call.FileRead, Subject: p.Real, Covers: call.Of(call.Read)}
	verb := "Read "
	if p.Use == call.Writes {
		verb = "Write "
		r.Capability, r.Covers = call.FileWriteProject, call.Of(call.Write)
		if !within(p.Real, place.Root) {
			r.Capability, r.Covers = call.FileWriteOutside, call.Of(call.Write, call.Outside)
		}
		if p.Class == "protected" {
			r.Covers = r.Covers.With(call.Of(call.Protected))
			r.Notes = append(r.Notes, "it is protected: it decides over tenet, git or what a program's name runs")
		}
	}
	needs := r.Covers
	switch {
	case p.Real == "":
		r.Display, r.Covers, r.ExactOnly = verb+"a place that is known only when it runs", 0, true
		return request{Request: r, command: forPlace, needs: needs.With(call.Of(call.Protected))}
	case p.Class == "secret":
		r.Notes = append(r.Notes, "it is a secret")
	default:
		r.Patterns = exactly(p.Real)
	}
	r.Display = verb + call.OneLine(p.Real, maxDisplay)
	return request{Request: r, command: forPlace, needs: needs}
}

// exactly is the pattern that is a subject itself; none when it would stand for more.
func exactly(subject string) []string {
	if subject == "" || strings.Contains(subject, "*") {
		return nil
	}
	return []string{subject}
}

func within(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, strings.TrimSuffix(dir, "/"))
	return ok && (rest == "" || rest[0] == '/')
}
