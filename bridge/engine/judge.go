package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tenet/laws/law"
)

// Premises is how often each law's premise held, by the law's catalogue name.
type Premises map[string]int

// Add counts another run's premises in.
func (n Premises) Add(more Premises) {
	for id, k := range more {
		n[id] += k
	}
}

// Unapplied lists the laws whose premise never held: about them a run says nothing,
// which is a failure of the run and not a success of the law.
func Unapplied[S, O, R any](book []law.Law[S, O, R], n Premises) []string {
	var out []string
	for _, l := range book {
		if n[l.ID] == 0 {
			out = append(out, l.ID)
		}
	}
	return out
}

// judgement is a law that broke on an observation.
type judgement struct {
	law string
	err error
}

// panel is a book sorted by what each law looks at, with a plain counter for each:
// a search asks millions of times, and a map look-up for each would be most of it.
type panel[S, O, R any] struct {
	book                      []law.Law[S, O, R]
	states, steps, pairs, all []int // positions in book
	held                      []int // premises, by position in book
}

func newPanel[S, O, R any](book []law.Law[S, O, R]) *panel[S, O, R] {
	p := &panel[S, O, R]{book: book, held: make([]int, len(book))}
	for i, l := range book {
		switch {
		case l.State != nil:
			p.states = append(p.states, i)
		case l.Step != nil, l.Rank != nil, l.Func != nil:
			p.steps = append(p.steps, i)
		case l.Pair != nil:
			p.pairs = append(p.pairs, i)
		case l.Trace != nil:
			p.all = append(p.all, i)
		}
	}
	return p
}

// state judges the state laws.
func (p *panel[S, O, R]) state(s S) *judgement {
	for _, i := range p.states {
		if j := p.count(i, p.book[i].State(s)); j != nil {
			return j
		}
	}
	return nil
}

// step judges every law of one step: the step laws, the ranks and the laws of a
// function.
func (p *panel[S, O, R]) step(b S, op O, out R, a S) *judgement {
	for _, i := range p.steps {
		if j := p.count(i, p.ask(i, b, op, out, a)); j != nil {
			return j
		}
	}
	return nil
}

func (p *panel[S, O, R]) ask(i int, b S, op O, out R, a S) law.Verdict {
	switch l := &p.book[i]; {
	case l.Step != nil:
		return l.Step(b, op, out, a)
	case l.Rank != nil:
		return l.Rank(b, op, out, a)
	default:
		return l.Func(op, out)
	}
}

// pair judges the metamorphic laws on two answers.
func (p *panel[S, O, R]) pair(in1 O, out1 R, in2 O, out2 R) *judgement {
	for _, i := range p.pairs {
		if j := p.count(i, p.book[i].Pair(in1, out1, in2, out2)); j != nil {
			return j
		}
	}
	return nil
}

// trace judges the laws of whole histories on the history so far.
func (p *panel[S, O, R]) trace(init S, run []law.Did[S, O, R]) *judgement {
	for _, i := range p.all {
		if j := p.count(i, p.book[i].Trace(init, run)); j != nil {
			return j
		}
	}
	return nil
}

func (p *panel[S, O, R]) count(i int, v law.Verdict) *judgement {
	if v.Applies {
		p.held[i]++
	}
	if v.Err != nil {
		return &judgement{law: p.book[i].ID, err: v.Err}
	}
	return nil
}

// premises is what was counted, also as a zero for each law that never applied.
func (p *panel[S, O, R]) premises() Premises {
	n := Premises{}
	for i, l := range p.book {
		n[l.ID] += p.held[i]
	}
	return n
}

// String lists the premises by name, for a log line.
func (n Premises) String() string {
	var b strings.Builder
	for i, id := range slices.Sorted(maps.Keys(n)) {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%s=%d", id, n[id])
	}
	return b.String()
}
