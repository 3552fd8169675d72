package doc

import (
	"fmt"
	"slices"
	"strings"

	"tenet/core/call"
)

// Skip is why a walk or a search passed something over. Each entry of a walk that is
// not searched is in exactly one class (law grep_accounts_every_file).
type Skip uint8

// The classes, in the order in which they are told.
const (
	BinaryFile   Skip = iota // holds a NUL byte
	OversizeFile             // larger than a walk reads
	SecretFile               // a secret that the search was not allowed
	Unreadable               // could not be opened or read
	Ignored                  // an ignore rule covers it: a file, or a directory with all below
	Symlink                  // a link, which a walk never follows
	Special                  // a pipe, socket or device
	GitDir                   // a .git directory or file
	TempFile                 // a temporary file of the writer
	LongLine                 // searched only in part: a line was longer than a search keeps
	Vanished                 // was there when its directory was read, and is gone, or another thing, now
	TooDeep                  // a directory deeper than a walk goes, with all below
	Excluded                 // the glob or the type of the call leaves it out
	AfterPage                // comes after a page that is full: a file, or a directory with all below
	NumSkips                 // the number of classes
)

// skipTexts say what each class is and what to do about it; %s is the count.
var skipTexts = [NumSkips]string{
	"%d binary, not searched",
	"%d too large, not searched (name the file as the path to search it)",
	"%d secret, not searched (name the file as the path to ask for it)",
	"%d unreadable",
	"%d ignored by an ignore rule, directories counted once (no_ignore takes them in)",
	"%d symbolic links, not followed",
	"%d special files (pipes, sockets, devices)",
	"%d .git, always left out",
	"%d temporary files of an unfinished write",
	"%d searched in part (a line over 4 MiB)",
	"%d gone or changed since their directory was read",
	"%d directories too deep, not entered (give one as the path)",
	"%d not of the glob or type",
	"%d after this page, directories counted once",
}

// maxExamples is how many names of a class are told.
const maxExamples = 3

// Skips counts what was passed over, by class, with a few names of each. The zero
// value counts nothing.
type Skips struct {
	count [NumSkips]int
	names [NumSkips][]string
}

// Add counts one entry.
func (s *Skips) Add(class Skip, name string) {
	s.count[class]++
	s.example(class, name)
}

// Tally counts one entry of a class that tells no names, or whose name nobody needs.
func (s *Skips) Tally(class Skip) { s.count[class]++ }

// Count is how many entries of a class were counted.
func (s *Skips) Count(class Skip) int { return s.count[class] }

// example keeps the first names in their order: what is told does not depend on the
// order of a walk.
func (s *Skips) example(class Skip, name string) {
	names := s.names[class]
	i, _ := slices.BinarySearch(names, name)
	if i == maxExamples {
		return
	}
	names = slices.Insert(names, i, name)
	s.names[class] = names[:min(len(names), maxExamples)]
}

// Merge adds another count to this one.
func (s *Skips) Merge(o Skips) {
	for c := range NumSkips {
		s.count[c] += o.count[c]
		for _, name := range o.names[c] {
			s.example(c, name)
		}
	}
}

// Notice is one line that tells every class that is not empty, or "" when all are
// (law grep_notes_every_gap). Classes whose members someone may miss name some.
func (s *Skips) Notice() string {
	var parts []string
	for c := range NumSkips {
		if s.count[c] == 0 {
			continue
		}
		text := fmt.Sprintf(skipTexts[c], s.count[c])
		if c.Named() && len(s.names[c]) > 0 {
			text += ": " + call.Visible(strings.Join(s.names[c], ", "))
			if s.count[c] > len(s.names[c]) {
				text += ", ..."
			}
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return ""
	}
	return "[skipped: " + strings.Join(parts, "; ") + "]"
}

// Named reports whether the class tells names: those where a match may be missed.
func (c Skip) Named() bool {
	switch c {
	case BinaryFile, OversizeFile, SecretFile, Unreadable, LongLine, TooDeep:
		return true
	case Ignored, Symlink, Special, GitDir, TempFile, Vanished, Excluded, AfterPage, NumSkips:
		return false
	}
	return false
}
