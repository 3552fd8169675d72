package effect

import (
	"fmt"
	"strings"
	"sync"

	"tenet/core/call"
)

// reads, writes and net are the effects that rows have by name.
var (
	reads  = call.Of(call.Read)
	writes = call.Of(call.Write)
	net    = call.Of(call.Net)
	both   = call.Of(call.Read, call.Write)
)

// row is what the table says of one command.
type row struct {
	// names are the command's names, separated by spaces.
	names string
	// does is what it does whatever its words are.
	does call.Effects
	// opts are the options it is vouched for; see parseOptions. One of free, opaque
	// and a spec is meant by every row.
	opts string
	// free is true for a command without options of its own: a word that begins
	// with a dash is an operand like any other.
	free bool
	// text is true when its operands never name files.
	text bool
	// entry is true when it removes, replaces or marks the named entry itself and
	// not what can be written through it: for it /dev/null is no sink.
	entry bool
	// relinks is true when it changes where names lead (Finding.Relinks).
	relinks bool
	// cwd tells whether it reads its working directory when no operand names a path.
	cwd func(*args) bool
	// more judges what options and a class cannot say. It may take operands away
	// that are no paths, and returns what it adds.
	more func(*scene, *args) call.Effects
	// run judges the whole command instead of everything above.
	run func(s *scene, argv []word)

	parsed options
}

// table finds a command's row by name. It is built when the first command is judged:
// a start that judges none does not pay for it.
var table func() map[string]*row

func init() {
	table = sync.OnceValue(func() map[string]*row { return buildTable(readRows, writeRows, specialRows()) })
}

func buildTable(lists ...[]row) map[string]*row {
	t := map[string]*row{}
	for _, rows := range lists {
		for i := range rows {
			r := &rows[i]
			r.parsed = parseOptions(r.opts)
			for name := range strings.FieldsSeq(r.names) {
				if t[name] != nil {
					panic(fmt.Sprintf("effect table: %s has two rows", name))
				}
				t[name] = r
			}
		}
	}
	return t
}

// judge adds everything the command may do by this row.
func (r *row) judge(s *scene, argv []word) {
	s.relinks = s.relinks || r.relinks
	if r.run != nil {
		r.run(s, argv)
		return
	}
	a := r.take(argv[1:])
	if a.strange {
		s.exec("%s has an option that the effect table does not know", argv[0].text)
	}
	if a.adds.Has(call.Exec) {
		s.note("%s has an option that runs a program", argv[0].text)
	}
	does := r.does.With(a.adds)
	if r.more != nil {
		does = does.With(r.more(s, &a))
	}
	s.add(does)
	if r.cwd != nil && r.cwd(&a) && len(a.operands) == 0 {
		s.cwd()
	}
	r.paths(s, &a, does.Has(call.Write))
}

func (r *row) take(words []word) args {
	if r.free {
		return args{operands: words}
	}
	return r.parsed.parse(words)
}

// paths judges every word that may be a path. For a command that writes every such
// word counts by its class, whichever of them is written (S7.8, G2).
func (r *row) paths(s *scene, a *args, write bool) {
	judge := s.names
	switch {
	case write && r.entry:
		judge = s.replaces
	case write:
		judge = s.writes
	}
	mute := s.mute
	quiet := mute || r.free && !write
	for _, g := range a.opts {
		if g.has && !g.text {
			s.asRead = !g.adds.Has(call.Write)
			s.mute = quiet || s.asRead && !pathlike(g.value.text)
			judge(g.value)
		}
	}
	s.mute = quiet
	if !r.text {
		for i, w := range a.operands {
			s.asRead = a.onlyReads(r, i)
			judge(w)
		}
	}
	s.mute, s.asRead = mute, false
}

// onlyReads reports whether an operand of a command that writes is only read: a source,
// or any where the writing is an option's.
func (a *args) onlyReads(r *row, i int) bool {
	if a.source != nil {
		return a.source(i)
	}
	return !r.does.Has(call.Write)
}

// always is the cwd of a command that reads its directory whenever it names no path.
func always(*args) bool { return true }
