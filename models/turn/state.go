package turn

import (
	"fmt"
	"iter"
	"math/bits"
	"sync"

	"tenet/core/call"
	"tenet/core/gate"
	"tenet/core/rules"
)

// Set is a set of subjects, one bit each.
type Set uint16

// Has reports whether the subject is in the set.
func (t Set) Has(s Subject) bool { return t&(1<<s) != 0 }

// With is the set and the subject.
func (t Set) With(s Subject) Set { return t | 1<<s }

// Call is the latest call; the zero value is none.
type Call struct {
	Made bool
	// Elsewhere is true for a call of another session of the same project.
	Elsewhere bool
	Subject   Subject
	// Shown is the version that was judged, and shown where the call was asked about; Now
	// is the one that stands.
	Shown, Now Version
	Script     gate.Script
	// Verdict and Answer are what is recorded of the call.
	Verdict gate.Verdict
	Answer  gate.Answer
}

// State is a session: what its person allowed and its latest call.
type State struct {
	// Granted are the subjects that the person allowed for this session, Standing those
	// for which a pattern was written into the project's file.
	Granted, Standing Set
	// Loaded is true when the session's rules were read from its log and the project's
	// file, false when they grew by answers alone.
	Loaded bool
	Call   Call
}

// Kind is what happens.
type Kind uint8

// The kinds.
const (
	Make     Kind = iota // the model calls a tool
	Change               // another program changes what the open call is about
	Neighbor             // another program changes what some other call would be about
	Answer               // the person answers
	Go                   // the tool goes on, told to or not, with the call's own step or another
	Forget               // the call that ended is over, and the next one may come
	Renew                // the session ends, and another one begins
	Resume               // the process ends, and the session is taken up again
)

var kindNames = [...]string{"make", "change", "change another", "answer", "go", "forget", "renew", "resume"}

// Op is one event.
type Op struct {
	Kind Kind
	// Subject is what is called, or the step that the tool goes on with.
	Subject   Subject
	Version   Version
	Elsewhere bool
	Answer    gate.Answer
}

// String is the event as a run shows it.
func (o Op) String() string {
	switch o.Kind {
	case Make, Go:
		return fmt.Sprintf("%s %v (version %d, elsewhere %v)", kindNames[o.Kind], o.Subject, o.Version, o.Elsewhere)
	case Answer:
		return "answer " + o.Answer.String()
	case Change, Neighbor, Forget, Renew, Resume:
	}
	return kindNames[o.Kind]
}

// Out is what an event led to.
type Out struct {
	// Asked is true when a question was put, Fresh when it shows another digest than the
	// one before it.
	Asked, Fresh bool
	// Ran is true when the step of the event ran.
	Ran bool
}

// Step is what must happen.
func (s State) Step(op Op) (State, Out) {
	switch op.Kind {
	case Make:
		s.Call = Call{Made: true, Subject: op.Subject, Elsewhere: op.Elsewhere, Now: op.Version}
		return s.judge()
	case Change:
		s.Call.Now ^= 1
	case Answer:
		return s.answer(op.Answer)
	case Go:
		return s.run(op)
	case Renew:
		return State{Standing: s.Standing, Loaded: true}, Out{}
	case Resume:
		s.Loaded, s.Call = true, Call{}
	case Forget:
		s.Call = Call{}
	case Neighbor:
	}
	return s, Out{}
}

// policy is what the session of the call is judged by.
func (s State) policy() *gate.Policy {
	standing := offered(s.Standing, gate.AllowAlways)
	granted := offered(s.Granted, gate.AllowSession)
	switch {
	case s.Call.Elsewhere:
		return Base(Here, rulesOf(standing))
	case s.Loaded:
		p := Base(Here, rulesOf(standing))
		for _, o := range granted {
			p = p.With(gate.SessionRules(o.Grants()))
		}
		return p
	}
	return Base(Here, nil).With(rulesOf(standing)).With(rulesOf(granted))
}

// offered is the first offer of a kind for each subject of a set.
func offered(set Set, kind gate.Answer) (out []gate.Offer) {
	all := offers()
	for s := range Subject(Subjects) {
		if set.Has(s) {
			o, _ := first(all[s], kind)
			out = append(out, o)
		}
	}
	return out
}

// offers is what the question about each subject offers before anything was allowed.
var offers = sync.OnceValue(func() (out [Subjects][]gate.Offer) {
	p := Base(Here, nil)
	for s := range Subject(Subjects) {
		out[s] = p.Offers(p.Judge(s.Tool(), []call.Step{s.Step(Here, 0)}))
	}
	return out
})

func first(from []gate.Offer, kind gate.Answer) (gate.Offer, bool) {
	for _, o := range from {
		if o.Answer == kind {
			return o, true
		}
	}
	return gate.Offer{}, false
}

func rulesOf(offers []gate.Offer) (out []rules.Rule) {
	for _, o := range offers {
		out = append(out, o.Rules...)
	}
	return out
}

// judge takes the call as it is now.
func (s State) judge() (State, Out) {
	c := &s.Call
	before := c.Shown
	c.Shown = c.Now
	c.Verdict = s.policy().Judge(c.Subject.Tool(), c.plan(c.Now)).Verdict
	c.Script, _ = c.Script.Plan(c.Verdict)
	c.Script, _ = c.Script.Settle()
	asked := c.Script.Phase == gate.Asking
	return s, Out{Asked: asked, Fresh: asked && c.Script.Spent > 0 && c.digest(before) != c.digest(c.Shown)}
}

func (c Call) plan(v Version) []call.Step { return []call.Step{c.Subject.Step(Here, v)} }

func (c Call) digest(v Version) string { return call.Digest(c.Subject.Tool(), c.plan(v)) }

// answer closes the open question, or is spent on what changed meanwhile.
func (s State) answer(a gate.Answer) (State, Out) {
	c := &s.Call
	if a.Yes() && c.digest(c.Shown) != c.digest(c.Now) {
		c.Script, _ = c.Script.Spend()
		return s.judge()
	}
	p := s.policy()
	o, ok := first(p.Offers(p.Judge(c.Subject.Tool(), c.plan(c.Shown))), a)
	switch {
	case ok && o.Answer == gate.AllowSession:
		s.Granted = s.Granted.With(c.Subject)
	case ok && o.Answer == gate.AllowAlways:
		s.Standing = s.Standing.With(c.Subject)
	case a.Yes():
		a = gate.AllowOnce // what was not offered is a yes to this call alone
	}
	c.Answer = a
	c.Script, _ = c.Script.Answer(a)
	return s, Out{}
}

// run is the tool that goes on, with whatever step.
func (s State) run(op Op) (State, Out) {
	c := &s.Call
	if c.Script.Phase != gate.Ready {
		_, confirmed := c.Script.Confirm(true)
		_, started := c.Script.Start()
		return s, Out{Ran: confirmed || started}
	}
	judged := gate.StepRuling{Step: c.plan(c.Shown)[0]}
	judged.Verdict = c.Verdict
	covered, _ := s.policy().Covers(c.Subject.Tool(), judged, c.Script.Yes > 0, op.Subject.Step(Here, op.Version))
	c.Script, _ = c.Script.Confirm(covered)
	started, ok := c.Script.Start()
	if ok {
		c.Script, _ = started.Finish()
	}
	return s, Out{Ran: ok}
}

// most bounds how many allows are in force at a time: one shows what it covers, two
// what they cover together.
const most = 2

// Ops is everything that can happen.
func Ops(s State) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		each := func(ops []Op) bool {
			for _, op := range ops {
				if !yield(op) {
					return false
				}
			}
			return true
		}
		switch c := s.Call; c.Script.Phase {
		case gate.Asking:
			_ = each(s.changes()) && each(s.answers())
		case gate.Ready:
			_ = each(s.changes()) && each(c.steps())
		case gate.Refused, gate.Finished:
			_ = yield(Op{Kind: Go, Subject: c.Subject, Version: c.Now}) && yield(Op{Kind: Forget})
		case gate.Planning:
			_ = yield(Op{Kind: Go}) && each(calls)
		}
	}
}

// changes: what can change of the open call, once before and once after each yes.
func (s State) changes() []Op {
	c := s.Call
	if !c.Subject.Edits() && !c.Subject.Runs() || c.Shown != c.Now || c.Script.Phase == gate.Asking && c.Script.Spent > 0 {
		return []Op{{Kind: Neighbor}}
	}
	return []Op{{Kind: Neighbor}, {Kind: Change}}
}

// answers: in another session nobody allows anything that lasts.
func (s State) answers() []Op {
	out := []Op{{Kind: Answer, Answer: gate.Unanswered}, {Kind: Answer, Answer: gate.AllowOnce}, {Kind: Answer, Answer: gate.Denied}, {Kind: Answer, Answer: gate.GatewayRefused}}
	c := s.Call
	full := bits.OnesCount16(uint16(s.Granted))+bits.OnesCount16(uint16(s.Standing)) >= most
	if c.Elsewhere || full && !c.Subject.Secret(c.Shown) {
		return out
	}
	out = append(out, Op{Kind: Answer, Answer: gate.AllowSession})
	if c.Subject == EditA || c.Subject == Test || c.Subject.Secret(c.Shown) {
		out = append(out, Op{Kind: Answer, Answer: gate.AllowAlways})
	}
	return out
}

// steps: the tool goes on with its own step as it is now, or with another of its kind.
func (c Call) steps() []Op {
	out := []Op{{Kind: Go, Subject: c.Subject, Version: c.Now}}
	for s := range Subject(Subjects) {
		if s != c.Subject && s.Tool() == c.Subject.Tool() {
			out = append(out, Op{Kind: Go, Subject: s})
		}
	}
	return out
}

// calls: every subject in every version, in this session and in another, and the ends
// of the session.
var calls = func() []Op {
	out := []Op{{Kind: Renew}, {Kind: Resume}}
	for s := range Subject(Subjects) {
		for _, elsewhere := range []bool{false, true} {
			out = append(out, Op{Kind: Make, Subject: s, Elsewhere: elsewhere})
			if s.Edits() || s.Runs() {
				out = append(out, Op{Kind: Make, Subject: s, Elsewhere: elsewhere, Version: 1})
			}
		}
	}
	return out
}()
