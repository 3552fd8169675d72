package scan

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// automaton runs an expression over lines as a deterministic machine whose states are
// made when they are first reached. It answers whether a line matches, not where. It
// reads characters byte by byte and is exact on all text; at bytes that are no UTF-8 it
// gives the line up.
type automaton struct {
	prog *syntax.Prog
	// class is the column of each byte, width the columns of a row. Bytes of one class
	// are told apart by no part of the expression.
	class [256]uint8
	width uint32
	// table has a row for each state: the row to go to, or one of the marks below.
	table  []uint32
	states []state
	index  map[string]uint32
	// words and begins tell that the expression looks at word boundaries, or at where
	// a line begins.
	words, begins bool
	// start is what waits at each place of a line, for a match to begin there; empty
	// when one can only begin where the line does.
	start []uint32
	// first has the bytes with which a match may begin; skips tells that the bytes
	// between are worth skipping.
	first [256]bool
	skips bool
	// line, plain and word are the rows for the start of a line and for a place after
	// it, behind a byte that is none of a word, and one that is.
	line, plain, word uint32
	// spent counts the times the table was full, read the bytes since.
	spent, read int

	mark  []uint32 // of each instruction: the walk that met it last
	walk  uint32
	stack []uint32
	key   []byte
}

// state is what a place in a line is to the rest of it.
type state struct {
	// wait are the instructions that wait for the next character, in order.
	wait []uint32
	// begin is true where the line begins, word behind a byte of a word.
	begin, word bool
	// part is the bytes of a character that is not whole yet, or \r that may belong to
	// the line's ending.
	part [utf8.UTFMax]byte
	n    uint8
}

// The marks in the table: all others are rows.
const (
	special uint32 = 1 << 31
	unknown        = special | 1<<30 // not made yet
	matched        = special | 1<<29 // the line matches
	givenUp        = special | 1<<28 // the bytes are no UTF-8
	idle           = special         // with a row: a place where nothing has begun
)

// The bounds of an automaton.
const (
	maxInst   = 1000
	maxRows   = 1 << 18 // cells of the table: 1 MiB
	maxSpent  = 8       // how often the table may be full of what little text needs
	spentText = 1 << 16
)

// newAutomaton is nil for an expression that is too large.
func newAutomaton(re *syntax.Regexp) *automaton {
	prog, err := syntax.Compile(re)
	if err != nil || len(prog.Inst) > maxInst {
		return nil
	}
	a := &automaton{prog: prog, mark: make([]uint32, len(prog.Inst))}
	for _, i := range prog.Inst {
		if i.Op == syntax.InstEmptyWidth {
			e := syntax.EmptyOp(i.Arg)
			a.words = a.words || e&(syntax.EmptyWordBoundary|syntax.EmptyNoWordBoundary) != 0
			a.begins = a.begins || e&(syntax.EmptyBeginLine|syntax.EmptyBeginText) != 0
		}
	}
	a.classes()
	a.firsts()
	a.reset()
	return a
}

// classes gives ASCII bytes that every instruction takes alike one column; others have
// their own, for they are parts of characters.
func (a *automaton) classes() {
	known := map[string]uint8{}
	for b := range a.class {
		sig := []byte{}
		if b >= utf8.RuneSelf || b == '\n' || b == '\r' {
			sig = append(sig, byte(b), 1, 2)
		} else {
			sig = a.signature(rune(b))
		}
		c, ok := known[string(sig)]
		if !ok {
			c = uint8(len(known))
			known[string(sig)] = c
		}
		a.class[b] = c
	}
	a.width = uint32(len(known))
}

func (a *automaton) signature(r rune) []byte {
	sig := []byte{0}
	if a.words && syntax.IsWordChar(r) {
		sig[0] = 1
	}
	for i := range a.prog.Inst {
		if takesRune(a.prog.Inst[i].Op) {
			bit := byte(0)
			if a.prog.Inst[i].MatchRune(r) {
				bit = 1
			}
			sig = append(sig, bit)
		}
	}
	return sig
}

func takesRune(op syntax.InstOp) bool {
	switch op {
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return true
	case syntax.InstAlt, syntax.InstAltMatch, syntax.InstCapture, syntax.InstEmptyWidth, syntax.InstMatch, syntax.InstFail, syntax.InstNop:
	}
	return false
}

// everywhere is what may be true at a place behind the start of a line.
const everywhere = syntax.EmptyEndLine | syntax.EmptyEndText | syntax.EmptyWordBoundary | syntax.EmptyNoWordBoundary

// firsts finds the bytes with which a match may begin behind the start of a line.
func (a *automaton) firsts() {
	a.walk++
	a.start = a.follow(nil, uint32(a.prog.Start))
	slices.Sort(a.start)
	at, match := a.open(a.start, everywhere)
	if len(at) == 0 && !match {
		a.start = nil
	}
	a.first['\n'] = a.begins
	sum := 0.0
	for b := range a.first {
		for _, pc := range at {
			a.first[b] = a.first[b] || a.prog.Inst[pc].MatchRune(rune(b)) && b < utf8.RuneSelf || b >= utf8.RuneSelf && beyondASCII(&a.prog.Inst[pc])
		}
		if a.first[b] {
			sum += share[b]
		}
	}
	a.skips = !match && sum < 0.25
}

// beyondASCII reports whether an instruction may take a character that is not ASCII.
func beyondASCII(i *syntax.Inst) bool {
	if i.Op == syntax.InstRuneAny || i.Op == syntax.InstRuneAnyNotNL {
		return true
	}
	for k, r := range i.Rune {
		if r >= utf8.RuneSelf || len(i.Rune) == 1 && k == 0 && foldsBeyond(r) {
			return true
		}
	}
	return false
}

// foldsBeyond reports whether another case of r is not ASCII: k is also the Kelvin
// sign, s the long s.
func foldsBeyond(r rune) bool {
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		if f >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// reset forgets every state.
func (a *automaton) reset() {
	a.table, a.states, a.index = a.table[:0], a.states[:0], map[string]uint32{}
	a.line = a.row(state{wait: a.start0(), begin: true}) &^ special
	a.plain = a.row(state{wait: a.start}) &^ special
	a.word = a.row(state{wait: a.start, word: true}) &^ special
}

// start0 is what waits where a line begins.
func (a *automaton) start0() []uint32 {
	a.walk++
	wait := a.follow(nil, uint32(a.prog.Start))
	slices.Sort(wait)
	return wait
}

// row is the state's row, marked when it is idle.
func (a *automaton) row(s state) uint32 {
	s.begin, s.word = s.begin && a.begins, s.word && a.words
	k := a.key[:0]
	k = append(k, 0, s.n)
	if s.begin {
		k[0] |= 1
	}
	if s.word {
		k[0] |= 2
	}
	k = append(k, s.part[:s.n]...)
	for _, pc := range s.wait {
		k = binary.LittleEndian.AppendUint16(k, uint16(pc))
	}
	a.key = k
	if r, ok := a.index[string(k)]; ok {
		return r
	}
	r := uint32(len(a.states)) * a.width
	for range a.width {
		a.table = append(a.table, unknown)
	}
	a.states = append(a.states, s)
	if s.n == 0 && !s.begin && (len(s.wait) == 0 || a.skips && slices.Equal(s.wait, a.start)) {
		r |= idle
	}
	a.index[string(k)] = r
	return r
}

// follow adds what waits behind an instruction: those that take a character, look
// around, or tell a match.
func (a *automaton) follow(to []uint32, pc uint32) []uint32 {
	a.stack = append(a.stack[:0], pc)
	for len(a.stack) > 0 {
		pc := a.stack[len(a.stack)-1]
		a.stack = a.stack[:len(a.stack)-1]
		if a.mark[pc] == a.walk {
			continue
		}
		a.mark[pc] = a.walk
		switch i := &a.prog.Inst[pc]; i.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			a.stack = append(a.stack, i.Arg, i.Out)
		case syntax.InstCapture, syntax.InstNop:
			a.stack = append(a.stack, i.Out)
		case syntax.InstFail:
		case syntax.InstEmptyWidth, syntax.InstMatch, syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			to = append(to, pc)
		}
	}
	return to
}

// open goes through the looks around that hold: what then waits for a character, and
// whether a match is reached.
func (a *automaton) open(wait []uint32, holds syntax.EmptyOp) (takes []uint32, match bool) {
	a.walk++
	queue := slices.Clone(wait)
	for _, pc := range wait {
		a.mark[pc] = a.walk
	}
	for at := 0; at < len(queue); at++ {
		switch i := &a.prog.Inst[queue[at]]; i.Op {
		case syntax.InstMatch:
			return nil, true
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(i.Arg)&^holds == 0 {
				queue = a.follow(queue, i.Out)
			}
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			takes = append(takes, queue[at])
		case syntax.InstAlt, syntax.InstAltMatch, syntax.InstCapture, syntax.InstNop, syntax.InstFail:
		}
	}
	return takes, false
}

// looks is what holds between the place and what comes next: word is whether that is a
// character of a word.
func (s *state) looks(word bool) (e syntax.EmptyOp) {
	if s.begin {
		e |= syntax.EmptyBeginLine | syntax.EmptyBeginText
	}
	if s.word != word {
		return e | syntax.EmptyWordBoundary
	}
	return e | syntax.EmptyNoWordBoundary
}

// took is the state behind a character; match is true when the line matches.
func (a *automaton) took(s *state, r rune) (next state, match bool) {
	word := syntax.IsWordChar(r)
	takes, match := a.open(s.wait, s.looks(word))
	if match {
		return next, true
	}
	a.walk++
	for _, pc := range takes {
		if a.prog.Inst[pc].MatchRune(r) {
			next.wait = a.follow(next.wait, a.prog.Inst[pc].Out)
		}
	}
	for _, pc := range a.start {
		if a.mark[pc] != a.walk {
			a.mark[pc] = a.walk
			next.wait = append(next.wait, pc)
		}
	}
	slices.Sort(next.wait)
	next.word = word
	for _, pc := range next.wait {
		match = match || a.prog.Inst[pc].Op == syntax.InstMatch
	}
	return next, match
}

// ends reports whether a line that ends here matches.
func (a *automaton) ends(s *state) bool {
	_, match := a.open(s.wait, s.looks(false)|syntax.EmptyEndLine|syntax.EmptyEndText)
	return match
}
