package pathpolicy

import (
	"os/user"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"

	"tenet/core/call"
	"tenet/core/effect"
	"tenet/core/pathpolicy"
)

// Options say whose policy a Judge keeps.
type Options struct {
	// Root is the workspace root, absolute.
	Root string
	// TenetHome is tenet's own directory: settings, credentials, logs.
	TenetHome string
	// Env is the environment that commands run with, each NAME=value: HOME, PATH and
	// the variables that name credential stores are read from it.
	Env []string
	// Settings are the settings files that the session loads and rereads.
	Settings []string
}

// maxRemembered bounds each of the memories; a full one is emptied.
const maxRemembered = 1 << 14

// Judge judges the commands and accesses of one session on the real file system. It
// remembers what it resolved until Changed is called, so that a decision about known
// paths asks the kernel nothing. Its methods may be called from several goroutines.
type Judge struct {
	mu     sync.Mutex
	policy pathpolicy.Policy
	env    map[string]string
	disk   *disk
	links  map[string]stood
	// spelled is under which name each entry stands, on a disk that folds.
	spelled map[string]string
	words   map[asked]pathpolicy.Target
	homes   map[string]string
}

// asked is one question that was answered before.
type asked struct {
	dir, word string
	kind      question
}

type question uint8

const (
	aWord question = iota
	aPattern
	aTree
	anAccess
)

// New makes the policy of a session and a judge of it.
func New(o Options) *Judge { return judgeOf(kernel{}, o) }

func judgeOf(s system, o Options) *Judge {
	j := &Judge{disk: &disk{system: s}, env: environment(o.Env), homes: map[string]string{}}
	if j.env["HOME"] == "" {
		if u, err := user.Current(); err == nil {
			j.env["HOME"] = u.HomeDir
		}
	}
	j.forget()
	j.policy = build(o, j.env, j.disk)
	return j
}

func environment(env []string) map[string]string {
	m := make(map[string]string, len(env))
	for _, kv := range env {
		if name, value, ok := strings.Cut(kv, "="); ok {
			m[name] = value
		}
	}
	return m
}

// Policy is the policy that the judge keeps, for those who show it.
func (j *Judge) Policy() pathpolicy.Policy { return j.policy }

// Calls is how often the judge has asked the kernel about a path. A decision about
// paths that are remembered adds none.
func (j *Judge) Calls() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.disk.calls
}

// Changed says that something may have changed the file system: all that was
// resolved is forgotten. It is called after each step with any effect but read, and
// at the start of each tool call.
func (j *Judge) Changed() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.forget()
}

func (j *Judge) forget() {
	j.links = make(map[string]stood)
	j.spelled = make(map[string]string)
	j.words = make(map[asked]pathpolicy.Target)
}

// Command judges one simple command that runs in dir.
func (j *Judge) Command(dir string, c effect.Command) effect.Finding {
	j.mu.Lock()
	defer j.mu.Unlock()
	return effect.Of(c, look{j, dir})
}

// Whole judges a script outside the step grammar that runs in dir.
func (j *Judge) Whole(dir string, f *syntax.File) effect.Finding {
	j.mu.Lock()
	defer j.mu.Unlock()
	return effect.Whole(f, look{j, dir})
}

// Access resolves a path of a document tool once and judges what the access may do.
// The access must happen on the path in the target (G1.6).
func (j *Judge) Access(dir, path string, kind pathpolicy.Access) (pathpolicy.Target, call.Effects) {
	j.mu.Lock()
	defer j.mu.Unlock()
	t := j.answer(asked{dir, path, anAccess}, func() pathpolicy.Target {
		return j.policy.Target(pathpolicy.Resolve(remembered{j, dir}, dir, path))
	})
	return t, t.Effects(kind)
}

// answer remembers one answer.
func (j *Judge) answer(q asked, judge func() pathpolicy.Target) pathpolicy.Target {
	if t, ok := j.words[q]; ok {
		return t
	}
	if len(j.words) >= maxRemembered || len(j.links) >= maxRemembered || len(j.spelled) >= maxRemembered {
		j.forget()
	}
	t := judge()
	j.words[q] = t
	return t
}

// look is the judge as core/effect asks it, for one directory. The lock is held.
type look struct {
	*Judge
	dir string
}

func (l look) place() effect.Place {
	return effect.Place{Policy: &l.policy, Links: remembered{l.Judge, l.dir}, Cwd: l.dir}
}

// Word judges a path written in the directory.
func (l look) Word(word string) pathpolicy.Target {
	return l.answer(asked{l.dir, word, aWord}, func() pathpolicy.Target { return l.place().Word(word) })
}

// Dir judges the directory itself.
func (l look) Dir() pathpolicy.Target { return l.Word("") }

// Pattern judges what a pattern may stand for.
func (l look) Pattern(word string) pathpolicy.Target {
	return l.answer(asked{l.dir, word, aPattern}, func() pathpolicy.Target { return l.matched(l.place().Pattern(word), word) })
}

// Tree judges a directory by the names and the links that stand in it.
func (l look) Tree(word string) pathpolicy.Target {
	return l.answer(asked{l.dir, word, aTree}, func() pathpolicy.Target { return l.held(l.place().Word(word)) })
}

// Exists reports whether something stands where the word leads.
func (l look) Exists(word string) bool {
	r := l.Word(word).Real
	_, kind := remembered{l.Judge, l.dir}.Read(r.Path)
	return !r.Looped && kind != pathpolicy.Missing
}

// Var is a variable of the environment.
func (l look) Var(name string) (value string, set bool) {
	value, set = l.env[name]
	return value, set
}

// Home is a user's home directory; a user that is not known has none.
func (l look) Home(name string) (dir string, ok bool) {
	if name == "" {
		return l.Var("HOME")
	}
	dir, ok = l.homes[name]
	if !ok {
		if u, err := user.Lookup(name); err == nil {
			dir = u.HomeDir
		}
		l.homes[name] = dir
	}
	return dir, dir != ""
}
