package doc

import (
	"fmt"
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
	if len(s.names[class]) < maxExamples {
		s.names[class] = append(s.names[class], name)
	}
}

// Merge adds another count to this one.
func (s *Skips) Merge(o Skips) {
	for c := range NumSkips {
		s.count[c] += o.count[c]
		room := maxExamples - len(s.names[c])
		s.names[c] = append(s.names[c], o.names[c][:min(max(room, 0), len(o.names[c]))]...)
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
		if c.named() {
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

// named reports whether the class tells names: those where a match may be missed.
func (c Skip) named() bool {
	switch c {
	case BinaryFile, OversizeFile, SecretFile, Unreadable, LongLine:
		return true
	case Ignored, Symlink, Special, GitDir, TempFile, NumSkips:
		return false
	}
	return false
}
