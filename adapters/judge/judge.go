// Package judge asks the gate about calls that never run: for tenet why, for the rules
// that a person tries, and for other agents that plug tenet in as their guard. It plans
// a call with the very tools that would run it and stops where the gate has spoken.
package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"tenet/adapters/docs"
	"tenet/adapters/pathpolicy"
	"tenet/adapters/shell"
	"tenet/core/call"
	"tenet/core/doc/patch"
	"tenet/core/gate"
	core "tenet/core/pathpolicy"
	"tenet/core/surface"
)

// Options say whose calls are judged.
type Options struct {
	// Root is the workspace: an absolute real path.
	Root string
	// TenetHome is tenet's own directory, Settings the settings files in force: both are
	// protected.
	TenetHome string
	Settings  []string
	// Env is the environment that commands would get.
	Env []string
	// Policy is what calls are judged by.
	Policy *gate.Policy
}

// Judge judges calls. It may be used by several goroutines.
type Judge struct {
	o     Options
	paths *pathpolicy.Judge
	docs  *docs.Docs
	tools map[string]surface.Tool

	mu     sync.Mutex
	shells map[string]*shell.Shell
}

// New makes a judge for a workspace.
func New(o Options) *Judge {
	j := &Judge{o: o, tools: map[string]surface.Tool{}, shells: map[string]*shell.Shell{}}
	j.paths = pathpolicy.New(pathpolicy.Options{Root: o.Root, TenetHome: o.TenetHome, Env: o.Env, Settings: o.Settings})
	j.docs = docs.New(docs.Options{Root: o.Root, Judge: j.paths})
	for _, t := range docs.Tools() {
		j.tools[t.Name] = surface.Build(t)
	}
	return j
}

// Call is a call to be judged.
type Call struct {
	// Tool is the tool's name: bash, run, one of the document tools, fetch, or any other.
	Tool string
	// Args are its arguments as one JSON object.
	Args json.RawMessage
	// Dir is the directory that its relative paths start from; empty is the workspace.
	Dir string
}

// Judge is the gate's ruling on a call. A call that cannot be planned, because its text
// or its arguments cannot be read or its path leads out of the workspace by a link, is
// denied by the guard, and so is one on which the planner fails (law
// analyzer_failure_denies).
func (j *Judge) Judge(ctx context.Context, c Call) (r gate.Ruling) {
	defer func() {
		if p := recover(); p != nil {
			r = j.failed(c, fmt.Sprint(p))
		}
	}()
	steps, err := j.plan(ctx, c)
	if err != nil {
		return j.failed(c, err.Error())
	}
	return j.o.Policy.Judge(c.Tool, steps)
}

// failed is the ruling on a call that could not be planned: it may do anything.
func (j *Judge) failed(c Call, why string) gate.Ruling {
	s := call.Step{N: 1, Text: call.OneLine(c.Tool+" "+string(c.Args), 2000), Effects: call.All, Class: call.Obfuscated, Failed: why}
	return j.o.Policy.Judge(c.Tool, []call.Step{s})
}

// Access judges the reach for one path, for those whose own tool does it.
func (j *Judge) Access(dir, path string, kind core.Access) (core.Target, call.Effects) {
	return j.paths.Access(dir, path, kind)
}

// Changed says that the file system may have changed since the last call.
func (j *Judge) Changed() { j.paths.Changed() }

// plan is the steps of a call, as Judge judges them.
func (j *Judge) plan(ctx context.Context, c Call) ([]call.Step, error) {
	dir := c.Dir
	if dir == "" {
		dir = j.o.Root
	}
	switch {
	case c.Tool == "bash":
		return j.bash(dir, c.Args)
	case c.Tool == "run":
		return j.argv(dir, c.Args)
	case c.Tool == "fetch":
		return j.fetch(c.Args)
	case j.tools[c.Tool].Name != "":
		return j.document(ctx, dir, c)
	default:
		return j.unknown(dir, c)
	}
}

// stop is the gate of a call that is only judged: it takes the plan and lets nothing
// run.
type stop struct{ steps []call.Step }

// Permit keeps the plan and refuses.
func (s *stop) Permit(_ context.Context, plan func() []call.Step) gate.Outcome {
	s.steps = plan()
	return gate.Outcome{Refusal: "only judged"}
}

// Confirm refuses: no turn ever comes.
func (s *stop) Confirm(call.Step, string) gate.Outcome { return gate.Outcome{} }

// Skip does nothing.
func (s *stop) Skip() {}

// Start refuses.
func (s *stop) Start(context.Context) error { return fmt.Errorf("this call is only judged") }

func (j *Judge) bash(dir string, args json.RawMessage) ([]call.Step, error) {
	var a struct {
		Command string `json:"command"`
	}
	if err := json.Unmarshal(args, &a); err != nil {
		return nil, fmt.Errorf("bash takes {\"command\": \"...\"}: %w", err)
	}
	return j.shell(dir).Plan(a.Command)
}

// argv plans a program without a shell: the words are what they are.
func (j *Judge) argv(dir string, args json.RawMessage) ([]call.Step, error) {
	var a struct {
		Argv []string `json:"argv"`
	}
	if err := json.Unmarshal(args, &a); err != nil {
		return nil, fmt.Errorf("run takes {\"argv\": [\"program\", \"argument\"]}: %w", err)
	}
	return j.shell(dir).PlanArgv(a.Argv)
}

// maxShells bounds the shells that are kept, one a directory; a full memory is emptied.
const maxShells = 64

func (j *Judge) shell(dir string) *shell.Shell {
	j.mu.Lock()
	defer j.mu.Unlock()
	if s := j.shells[dir]; s != nil {
		return s
	}
	if len(j.shells) >= maxShells {
		clear(j.shells)
	}
	s := shell.New(shell.Config{Dir: dir, Env: j.o.Env, Session: "judge", Judge: j.paths})
	j.shells[dir] = s
	return s
}

func (j *Judge) document(ctx context.Context, dir string, c Call) ([]call.Step, error) {
	args, err := surface.Parse(j.tools[c.Tool], string(c.Args))
	if err != nil {
		return nil, err
	}
	if err := j.from(dir, c.Tool, args); err != nil {
		return nil, err
	}
	var s stop
	if _, err := j.docs.Run(ctx, &s, c.Tool, args); s.steps == nil {
		return nil, err
	}
	for i := range s.steps {
		s.steps[i].Knowledge = call.NotAsked // what a session knows belongs to that session
	}
	return s.steps, nil
}

// from makes the relative paths of a call start from a directory.
func (j *Judge) from(dir, tool string, args surface.Args) error {
	if dir == j.o.Root {
		return nil
	}
	at := func(path string) string {
		if path == "" || filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(dir, path)
	}
	if tool != "edit" {
		if p := args.Str("path", ""); p != "" {
			args["path"] = at(p)
		}
		return nil
	}
	p, err := patch.Parse(args.Str("patch", ""), dir)
	for i := range p.Sections {
		s := &p.Sections[i]
		s.Path, s.Dest = at(s.Path), at(s.Dest)
	}
	args["patch"] = p.String()
	return err
}

func (j *Judge) fetch(args json.RawMessage) ([]call.Step, error) {
	var a struct {
		URL string `json:"url"`
	}
	if err := json.Unmarshal(args, &a); err != nil || a.URL == "" {
		return nil, fmt.Errorf("fetch takes {\"url\": \"...\"}, got %s", call.OneLine(string(args), 200))
	}
	return []call.Step{{N: 1, Text: "fetch " + call.OneLine(a.URL, 2000), Effects: call.Of(call.Read, call.Net)}}, nil
}

// unknown plans a call of a tool that nobody knows: whatever it does, it may run code
// and reach the network, and every string in its arguments that may be a path is one
// that it reads (law reader_of_secret_denied).
func (j *Judge) unknown(dir string, c Call) ([]call.Step, error) {
	var v any
	if len(c.Args) > 0 {
		if err := json.Unmarshal(c.Args, &v); err != nil {
			return nil, fmt.Errorf("the arguments of %s are not JSON: %w", call.OneLine(c.Tool, 100), err)
		}
	}
	s := call.Step{N: 1, Text: call.OneLine(c.Tool, 200) + " " + call.OneLine(string(c.Args), 2000), Effects: call.Of(call.Exec, call.Net)}
	found := j.expand(paths(v, nil))
	if len(found) >= maxPaths {
		s.Effects, s.Failed = call.All, "it names more paths than one call can be judged for"
		return []call.Step{s}, nil
	}
	for _, p := range found {
		t, effects := j.paths.Access(dir, p, core.Reading)
		if t.Secret() {
			effects = effects.With(call.Of(call.Secret))
		}
		s.Effects = s.Effects.With(effects)
		s.Paths = append(s.Paths, call.Path{Real: t.Real.Path, Written: p, Use: call.Reads, Class: t.Class.String(), Holds: t.Holds})
	}
	return []call.Step{s}, nil
}

// maxPaths bounds how many strings of one call are judged as paths.
const maxPaths = 1000

// paths are the strings in a value that may be paths.
func paths(v any, out []string) []string {
	switch v := v.(type) {
	case string:
		if p := strings.TrimPrefix(v, "file://"); p != "" && len(p) <= core.MaxPath && !strings.ContainsAny(p, "\n\x00") && len(out) < maxPaths {
			out = append(out, p)
		}
	case []any:
		for _, x := range v {
			out = paths(x, out)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			out = paths(v[name], out)
		}
	}
	return out
}

// expand adds what a tool may make of a leading ~.
func (j *Judge) expand(found []string) []string {
	home := variable(j.o.Env, "HOME")
	for _, p := range found {
		if rest, ok := strings.CutPrefix(p, "~/"); ok && home != "" {
			found = append(found, filepath.Join(home, rest))
		}
	}
	return found
}
