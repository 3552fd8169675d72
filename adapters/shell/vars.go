package shell

import (
	"sort"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
)

// variable is one shell variable; it may be exported before it has a value.
type variable struct {
	value         string
	set, exported bool
}

// vars are a script's variables. They last for one script.
type vars struct {
	m map[string]variable
	// over is the assignments in front of the command being expanded: a later one of
	// them sees the earlier ones, and so does a builtin.
	over []assign
}

type assign struct{ name, value string }

func newVars(env []string, dir, mark string) *vars {
	v := &vars{m: make(map[string]variable, len(env)+3)}
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		v.m[name] = variable{value: value, set: true, exported: true}
	}
	// tenet's own: of another directory and another command.
	delete(v.m, "OLDPWD")
	delete(v.m, "_")
	v.export("PWD", dir)
	v.export("TENET_CALL", mark)
	return v
}

func (v *vars) get(name string) (variable, bool) {
	for i := len(v.over) - 1; i >= 0; i-- {
		if v.over[i].name == name {
			return variable{value: v.over[i].value, set: true, exported: true}, true
		}
	}
	x, ok := v.m[name]
	return x, ok && x.set
}

func (v *vars) value(name string) string {
	x, _ := v.get(name)
	return x.value
}

func (v *vars) assign(name, value string) {
	x := v.m[name]
	x.value, x.set = value, true
	v.m[name] = x
}

func (v *vars) export(name, value string) {
	v.m[name] = variable{value: value, set: true, exported: true}
}

// mark exports a name without touching its value.
func (v *vars) mark(name string) {
	x := v.m[name]
	x.exported = true
	v.m[name] = x
}

// environ is the environment of a process with assignments of its own.
func (v *vars) environ(own []assign) []string {
	out := make([]string, 0, len(v.m)+len(own))
	for name, x := range v.m {
		if x.set && x.exported && !assigned(own, name) {
			out = append(out, name+"="+x.value)
		}
	}
	for i, a := range own {
		if !assigned(own[i+1:], a.name) {
			out = append(out, a.name+"="+a.value)
		}
	}
	sort.Strings(out)
	return out
}

func assigned(own []assign, name string) bool {
	for _, a := range own {
		if a.name == name {
			return true
		}
	}
	return false
}

// environ for the expansion: the last status is a parameter too, and words split at
// the usual three whatever IFS tenet was started with, as in bash.
type parameters struct {
	v      *vars
	status int
}

// Get looks one parameter up.
func (p *parameters) Get(name string) expand.Variable {
	switch name {
	case "?":
		return expand.Variable{Set: true, Kind: expand.String, Str: strconv.Itoa(p.status)}
	case "IFS":
		return expand.Variable{Set: true, Kind: expand.String, Str: " \t\n"}
	}
	x, ok := p.v.get(name)
	if !ok {
		return expand.Variable{}
	}
	return expand.Variable{Set: true, Exported: x.exported, Kind: expand.String, Str: x.value}
}

// Each lists the variables.
func (p *parameters) Each(f func(string, expand.Variable) bool) {
	for name := range p.v.m {
		if !f(name, p.Get(name)) {
			return
		}
	}
}
