package effect

import "tenet/core/pathpolicy"

// Place is the plain Look: a policy, what the links say, and a working directory.
type Place struct {
	Policy *pathpolicy.Policy
	Links  pathpolicy.Links
	// Cwd is the absolute working directory.
	Cwd string
	// Env are the variables the script starts with, HOME among them.
	Env map[string]string
	// Homes are the home directories of other users by name.
	Homes func(user string) (dir string, ok bool)
}

// Word judges a path written in the working directory.
func (p Place) Word(word string) pathpolicy.Target { return p.Policy.Judge(p.Links, p.Cwd, word) }

// Dir judges the working directory.
func (p Place) Dir() pathpolicy.Target { return p.Policy.Judge(p.Links, p.Cwd, "") }

// Pattern judges what a pattern may stand for.
func (p Place) Pattern(word string) pathpolicy.Target {
	return p.Policy.Pattern(p.Links, p.Cwd, word)
}

// Tree judges the directory alone: links do not say what stands beside them.
func (p Place) Tree(word string) pathpolicy.Target { return p.Word(word) }

// Exists looks at the place that the word leads to.
func (p Place) Exists(word string) bool {
	r := pathpolicy.Resolve(p.Links, p.Cwd, word)
	_, kind := p.Links.Read(r.Path)
	return !r.Looped && kind != pathpolicy.Missing
}

// Var looks a variable up.
func (p Place) Var(name string) (value string, set bool) {
	value, set = p.Env[name]
	return value, set
}

// Home is HOME for "", else what Homes says.
func (p Place) Home(user string) (dir string, ok bool) {
	if user == "" {
		return p.Var("HOME")
	}
	if p.Homes == nil {
		return "", false
	}
	return p.Homes(user)
}
