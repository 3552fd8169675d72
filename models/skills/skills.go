// Package skills closes core/skills with a disk that holds anything: files that cannot be
// read, front matter that is none, names that are taken, one file under many paths, a path
// that is found twice and is another thing the second time (H7.3).
package skills

import (
	"fmt"
	"iter"
	"strings"

	"tenet/core/skills"
)

// Paths is how many paths a state tells apart, Searched how many the search uses.
const (
	Paths    = 24
	Searched = 3
)

// Fate is what became of one path.
type Fate struct {
	// Loaded is true when it is a skill or template of the session; Name is its name, from
	// 1, and Real where it lies, from 1, 0 when that is not known.
	Loaded     bool
	Kind       skills.Kind
	Name, Real uint8
	// Told is a bit for each level of a diagnostic with its path and a text.
	Told uint8
}

// Failed is true when people are told that the path is not loaded, and why.
func (f Fate) Failed() bool { return f.Told&^Told(skills.Warning) != 0 }

// State is what was made of the paths.
type State struct {
	Fates [Paths]Fate
	// Found has a bit for each path that was found, Faulty for each where what was found
	// first could not be loaded, whatever else there was.
	Found, Faulty uint32
}

// What is what lies at a path.
type What uint8

// What may lie there. Sound can be loaded if nothing came before it.
const (
	Sound       What = iota
	Renamed          // it calls itself otherwise than its folder is called
	Unreadable       // it cannot be read, or its front matter is none
	Nameless         // its name is none
	Undescribed      // it says nothing of itself
	Wordy            // its description is too long
	Lost             // a folder, a link or an ignore file that cannot be looked at
	Odd              // nothing is wrong with it, and it is neither skill nor template
)

var whats = [...]string{"sound", "renamed", "unreadable", "nameless", "undescribed", "wordy", "lost", "odd"}

// String names it.
func (w What) String() string { return whats[w] }

// Find is what is found next.
type Find struct {
	Path uint8
	Kind skills.Kind
	What What
	// Name is its name, from 1; Real where it lies, from 1, 0 when that is not known.
	Name, Real uint8
}

// Faulty is true when it cannot be loaded, whatever else there is. A template without a
// description is described by its first line.
func (f Find) Faulty() bool {
	switch f.What {
	case Sound, Renamed:
		return false
	case Undescribed:
		return f.Kind == skills.Skill
	case Unreadable, Nameless, Wordy, Lost, Odd:
	}
	return true
}

// Finds is everything that may be found next, at each of the searched paths.
func Finds(State) iter.Seq[Find] {
	return func(yield func(Find) bool) {
		for p := range uint8(Searched) {
			for _, f := range at(p) {
				if !yield(f) {
					return
				}
			}
		}
	}
}

// at is everything that may lie at a path: its own real file, the first path's, or one
// that nobody knows.
func at(p uint8) []Find {
	out := []Find{
		{Path: p, Kind: skills.Entry, What: Lost}, {Path: p, Kind: skills.Entry, What: Odd},
		{Path: p, Kind: skills.Skill, What: Renamed, Name: 1, Real: p + 1},
	}
	for _, k := range []skills.Kind{skills.Skill, skills.Template} {
		for name := uint8(1); name <= 2; name++ {
			out = append(out, Find{p, k, Sound, name, p + 1}, Find{p, k, Sound, name, 0}, Find{p, k, Sound, name, 1})
		}
		for w := Unreadable; w <= Wordy; w++ {
			out = append(out, Find{p, k, w, 1, p + 1})
		}
	}
	return out
}

// Candidate is what is found as core is told of it.
func (f Find) Candidate() skills.Candidate {
	c := skills.Candidate{Kind: f.Kind, Path: path(f.Path), Real: realOf(f.Real), Fallback: name(f.Name), First: "a first line"}
	c.Front.Description = "when it is of use"
	switch f.What {
	case Renamed:
		c.Fallback, c.Front.Name = "folder", name(f.Name)
	case Unreadable, Lost:
		c.Fault = "it cannot be read"
	case Nameless:
		c.Fallback = "No Name"
	case Undescribed:
		c.Front.Description = " \n"
	case Wordy:
		c.Front.Description = strings.Repeat("x", skills.MaxDescription+1)
	case Sound, Odd:
	}
	return c
}

func path(p uint8) string { return fmt.Sprintf("/p%d", p) }

func realOf(r uint8) string {
	if r == 0 {
		return ""
	}
	return fmt.Sprintf("/real%d", r)
}

func name(n uint8) string { return fmt.Sprintf("name%d", n) }

// Step finds something.
func Step(s State, f Find) (State, struct{}) {
	if seen := uint32(1) << f.Path; s.Found&seen == 0 {
		s.Found |= seen
		if f.Faulty() {
			s.Faulty |= seen
		}
	}
	set := s.set().Add(f.Candidate())
	s.Fates = fates(set)
	return s, struct{}{}
}

// set is the set that a state stands for.
func (s State) set() (out skills.Set) {
	for p, f := range s.Fates {
		if f.Loaded {
			out.Loaded = append(out.Loaded, skills.Loaded{Kind: f.Kind, Name: name(f.Name), Path: path(uint8(p)), Real: realOf(f.Real)})
		}
		for l := skills.Failed; l <= skills.Warning; l++ {
			if f.Told&Told(l) != 0 {
				out.Diagnostics = append(out.Diagnostics, skills.Diagnostic{Level: l, Path: path(uint8(p)), Text: "told"})
			}
		}
	}
	return out
}

// fates is the state of a set, for the paths and names of this model.
func fates(set skills.Set) (out [Paths]Fate) {
	for _, l := range set.Loaded {
		p, f := number(l.Path, "/p%d"), &out[Paths-1]
		if p < Paths {
			f = &out[p]
		}
		*f = Fate{Loaded: true, Kind: l.Kind, Name: number(l.Name, "name%d"), Real: number(l.Real, "/real%d"), Told: f.Told}
	}
	for _, d := range set.Diagnostics {
		if p := number(d.Path, "/p%d"); p < Paths && d.Text != "" {
			out[p].Told |= Told(d.Level)
		}
	}
	return out
}

// number reads the number in a name of this model; 0 for an empty one, 255 for none.
func number(s, form string) uint8 {
	var n uint8
	if s == "" {
		return 0
	}
	if _, err := fmt.Sscanf(s, form, &n); err != nil {
		return 255
	}
	return n
}

// Told is a bit for a level, for those who bring production's own fates.
func Told(l skills.Level) uint8 { return 1 << l }
