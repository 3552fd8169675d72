package agenthook

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// errTruncated is the reason to block a call that its agent has cut.
var errTruncated = errors.New("the agent cut the call's arguments; what was cut off cannot be judged")

// Calls turns a request into what the gate is asked about. None means that the tool
// touches nothing. home is the user's home directory, for a leading ~; empty when it
// is not known. An error is the reason to block: an argument that the tool cannot do
// without is missing, or has another type, or there are more calls than MaxCalls.
func (r Request) Calls(home string) ([]Call, error) {
	if r.Truncated {
		return nil, errTruncated
	}
	in := &reading{req: r, home: home}
	in.read()
	if in.err == nil && len(in.calls) > MaxCalls {
		in.err = fmt.Errorf("one call touches more than %d things; let it do less at once", MaxCalls)
	}
	if in.err != nil {
		return nil, in.err
	}
	return in.calls, nil
}

// reading collects the calls of one request; the first error is kept.
type reading struct {
	req   Request
	home  string
	calls []Call
	err   error
}

func (in *reading) read() {
	name := in.req.Tool
	s, known := shapes[name]
	do, isSpecial := special[name]
	switch {
	case isSpecial:
		do(in)
	case known && s.kind == Shell:
		in.shell()
	case known:
		in.shaped(s)
	case slices.Contains(free[in.req.Agent], name) && in.harmless():
	default:
		in.foreign()
	}
}

// harmless reports whether no argument looks like something that a free tool could
// touch: the name alone could be another tool's.
func (in *reading) harmless() bool {
	for key := range in.req.Args {
		if isPathKey(key) || isCommandKey(key) {
			return false
		}
	}
	return true
}

func (in *reading) fail(format string, a ...any) {
	if in.err == nil {
		in.err = fmt.Errorf(in.req.Tool+": "+format, a...)
	}
}

func (in *reading) add(k Kind, dir string, args map[string]any) {
	in.calls = append(in.calls, Call{Kind: k, Tool: k.String(), Dir: dir, Args: args})
}

// shell reads a command: a text, or an argument vector that becomes one.
func (in *reading) shell() {
	dir, script := in.dir(), in.command()
	if env, ok := in.req.Args["env"].(map[string]any); ok && len(env) > 0 {
		in.fail("it sets environment variables beside the command; write them into the command, so that they can be judged")
	}
	args := map[string]any{"command": script}
	for _, key := range []string{"run_in_background", "is_background", "background"} {
		if in.req.Args[key] == true {
			args["background"] = true
		}
	}
	in.add(Shell, dir, args)
	in.patchIn(script, dir)
}

func (in *reading) command() string {
	for _, key := range shellKeys {
		switch v := in.req.Args[key].(type) {
		case string:
			if strings.TrimSpace(v) == "" {
				in.fail("the command is empty")
			}
			return v
		case []any:
			return in.vector(v)
		}
	}
	in.fail("the command is missing, or neither a text nor a list of words")
	return ""
}

// vector turns an argument vector into the script that does the same: a shell's -c is
// the script itself, anything else is its words in quotes.
func (in *reading) vector(v []any) string {
	words, ok := texts(v)
	if !ok || len(words) == 0 {
		in.fail("the command is a list that is empty or holds something else than texts")
		return ""
	}
	if len(words) == 3 && isShell(words[0]) && (words[1] == "-c" || words[1] == "-lc") {
		return words[2]
	}
	for i, w := range words {
		words[i] = quoted(w)
	}
	return strings.Join(words, " ")
}

func isShell(word string) bool {
	switch filepath.Base(word) {
	case "bash", "sh", "zsh", "dash":
		return true
	}
	return false
}

// quoted is a word in single quotes.
func quoted(w string) string { return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'" }

// dir is the directory that a command starts in: the agent's own, or the one that the
// call names.
func (in *reading) dir() string {
	for _, key := range []string{"workdir", "working_directory", "working_dir", "cwd", "dir_path", "directory"} {
		v, there := in.req.Args[key]
		s, ok := v.(string)
		switch {
		case !there || v == nil || s == "" && ok:
			continue
		case !ok || strings.ContainsRune(s, 0):
			in.fail("the directory %s is no text", key)
		case filepath.IsAbs(s):
			return filepath.Clean(s)
		default:
			return filepath.Join(in.req.Cwd, s)
		}
	}
	return in.req.Cwd
}

// shaped reads a tool that is known by its shape.
func (in *reading) shaped(s shape) {
	targets := in.texts(s.keys)
	if len(targets) == 0 && s.optional {
		targets = []string{"."}
	}
	if len(targets) == 0 {
		in.fail("it names none of %s", strings.Join(s.keys, ", "))
	}
	for _, t := range targets {
		in.target(s, t)
	}
	if s.globs != nil {
		in.globs(s, targets)
	}
}

func (in *reading) target(s shape, t string) {
	switch s.kind {
	case Fetch:
		for _, url := range addresses(t) {
			in.add(Fetch, in.req.Cwd, map[string]any{"url": url})
		}
	case Write:
		content, ok := in.req.Args[s.content].(string)
		if !ok && in.req.Args[s.content] != nil {
			in.fail("the content is no text")
		}
		in.path(Write, t, map[string]any{"content": content})
	case Read, List, Search, Edit:
		in.path(s.kind, t, nil)
	case Shell, Foreign:
		in.fail("it has no path")
	}
}

// path adds a call for each place that the path may mean.
func (in *reading) path(k Kind, path string, more map[string]any) {
	if strings.TrimSpace(path) == "" || strings.ContainsRune(path, 0) {
		in.fail("a path is empty or holds a NUL")
		return
	}
	for _, p := range meanings(path, in.home) {
		args := map[string]any{"path": p}
		for key, v := range more {
			args[key] = v
		}
		in.add(k, in.req.Cwd, args)
	}
}

// globs judges what a pattern of names picks out: the directory that it starts from
// and the pattern as if it were a name, for a name such as *.pem says what it wants.
func (in *reading) globs(s shape, dirs []string) {
	for _, g := range in.texts(s.globs) {
		for _, d := range dirs {
			p := g
			if !filepath.IsAbs(g) && !strings.HasPrefix(g, "~") {
				p = d + "/" + g
			}
			in.path(Read, p, nil)
			if fixed := fixedDir(p); fixed != d {
				in.path(List, fixed, nil)
			}
		}
	}
}

// fixedDir is the directory in front of the first part of a pattern that may stand for
// other names.
func fixedDir(pattern string) string {
	i := strings.IndexAny(pattern, "*?[{")
	if i < 0 {
		return filepath.Dir(pattern)
	}
	return filepath.Clean(pattern[:strings.LastIndexByte(pattern[:i], '/')+1])
}

// texts are the strings of the named arguments, those in lists among them.
func (in *reading) texts(keys []string) []string {
	var out []string
	for _, key := range keys {
		switch v := in.req.Args[key].(type) {
		case nil:
		case string:
			if v != "" {
				out = append(out, v)
			}
		case []any:
			words, ok := texts(v)
			if !ok {
				in.fail("%s holds something else than texts", key)
			}
			out = append(out, words...)
		default:
			in.fail("%s is no text", key)
		}
	}
	return out
}

func texts(v []any) (out []string, ok bool) {
	for _, e := range v {
		s, ok := e.(string)
		if !ok || strings.ContainsRune(s, 0) {
			return nil, false
		}
		out = append(out, s)
	}
	return out, true
}
