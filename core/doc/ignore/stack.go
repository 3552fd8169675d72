package ignore

import "strings"

// Verdict is what ignore files say about one entry.
type Verdict uint8

// The verdicts.
const (
	Silent  Verdict = iota // no rule matches
	Ignored                // left out; of a directory, with everything below it
	Kept                   // a negated rule takes it in
)

// Judge says what this file says about an entry below its directory: the last rule
// that matches decides. path is the entry's path below the top of the rules.
func (f File) Judge(path string, dir bool) Verdict {
	return f.judge(path, strings.LastIndexByte(path, '/')+1, dir)
}

// judge is Judge for an entry whose name starts at a known place of its path.
func (f File) judge(path string, nameAt int, dir bool) Verdict {
	rel, ok := strings.CutPrefix(path, f.Dir)
	if !ok {
		return Silent
	}
	name := path[nameAt:]
	for i := len(f.rules) - 1; i >= 0; i-- {
		r := &f.rules[i]
		if r.dirOnly && !dir {
			continue
		}
		subject := rel
		if r.base {
			subject = name
		}
		if !r.matches(subject) {
			continue
		}
		if r.negated {
			return Kept
		}
		return Ignored
	}
	return Silent
}

// Files are files of one kind that stand over a directory, the farthest first; a
// nearer one wins over a farther one.
type Files []File

// With adds the nearest file; the receiver stays as it is.
func (fs Files) With(f File) Files {
	if f.Empty() {
		return fs
	}
	return append(fs[:len(fs):len(fs)], f)
}

// Judge is what the nearest file that has a rule for the entry says.
func (fs Files) Judge(path string, dir bool) Verdict {
	return fs.judge(path, strings.LastIndexByte(path, '/')+1, dir)
}

func (fs Files) judge(path string, nameAt int, dir bool) Verdict {
	for i := len(fs) - 1; i >= 0; i-- {
		if v := fs[i].judge(path, nameAt, dir); v != Silent {
			return v
		}
	}
	return Silent
}

// Rules are all the rules that stand over a directory. They rank as git and rg rank
// them: a .ignore file of any directory over every .gitignore, those over the
// repository's info/exclude, and that over the user's excludes. The zero value
// ignores nothing. A value never changes: what adds rules gives another one.
type Rules struct {
	plain, git    Files
	exclude, user File
}

// WithUser sets the user's excludes, git's core.excludesFile.
func (r Rules) WithUser(f File) Rules {
	r.user = f
	return r
}

// Repository enters the directory at the top of a repository, which exclude, its
// info/exclude, lies in: no git rule from above holds there, as git itself sees no
// repository around another. The user's excludes hold anew from this directory.
func (r Rules) Repository(exclude File) Rules {
	r.git, r.exclude, r.user.Dir = nil, exclude, exclude.Dir
	return r
}

// WithGit adds the nearest .gitignore.
func (r Rules) WithGit(f File) Rules {
	r.git = r.git.With(f)
	return r
}

// WithPlain adds the nearest .ignore file.
func (r Rules) WithPlain(f File) Rules {
	r.plain = r.plain.With(f)
	return r
}

// Empty reports whether nothing is ignored.
func (r Rules) Empty() bool {
	return len(r.plain) == 0 && len(r.git) == 0 && r.exclude.Empty() && r.user.Empty()
}

// Ignores reports whether an entry is left out; its name starts at nameAt of its path
// below the top of the rules. A walk must not enter a directory that is: nothing
// below can be taken in again.
func (r *Rules) Ignores(path string, nameAt int, dir bool) bool {
	v := r.plain.judge(path, nameAt, dir)
	if v == Silent {
		v = r.git.judge(path, nameAt, dir)
	}
	if v == Silent {
		v = r.exclude.judge(path, nameAt, dir)
	}
	if v == Silent {
		v = r.user.judge(path, nameAt, dir)
	}
	return v == Ignored
}
