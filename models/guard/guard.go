// Package guard is one session with one file, calls of every kind of tool, and other
// programs that change the file meanwhile. What the guard decides is core's; the
// adversary chooses the policy, the order of events, what each call carries and how it
// ends.
package guard

import (
	"iter"
	"slices"

	"tenet/core/call"
	"tenet/core/gate"
	"tenet/core/guard"
)

// Versions is how many different contents the file can have, Calls how many calls a
// session makes.
const (
	Versions = 2
	Calls    = 4
)

// Policy is what the session was given.
type Policy uint8

// The policies.
const (
	NoPolicy   Policy = iota // not loaded yet
	Fits                     // every tool that it names is registered
	AllOff                   // so, and every rule that may be off is off
	Misnamed                 // it names a tool that nobody registered
	Unreadable               // the list of tools cannot be read
)

// Denies reports whether the policy must deny every call.
func (p Policy) Denies() bool { return p == Misnamed || p == Unreadable }

// Tool is who is called.
type Tool uint8

// The tools.
const (
	Read     Tool = iota // shows the file whole
	Peek                 // shows a part of it
	Write                // replaces it whole
	Edit                 // changes a part of it
	Shell                // runs commands that do not touch the file
	Stranger             // a tool that is not of the roster
	numTools
)

var toolNames = [numTools]string{"read", "read", "write", "search_replace", "bash", "indexer"}

// Marks are what a call carries that a rule has something against, one bit a rule, in
// the order of the rules. The file's own knowledge is no mark: it is in the state.
type Marks uint16

// The marks.
const (
	Failed     Marks = 1 << iota // its planning failed
	Destroys                     // git reset --hard
	Talks                        // curl
	Unknown                      // a program that is named only when it runs
	Dumps                        // printenv
	Secret                       // names a secret; only a stranger is denied for it
	Elsewhere                    // writes outside of the write roots
	Locked                       // writes what a fragment protects
	Plants                       // writes what runs later
	Credential                   // writes a file that is named like a credential
	End                          // one past the last
)

// Rule is the name of the rule that is about a mark.
func (m Marks) Rule() string {
	return map[Marks]string{
		Failed: guard.AnalyzerFailure, Destroys: guard.Destructive, Talks: guard.Network, Unknown: guard.NetworkCannotVouch,
		Dumps: guard.EnvironmentDump, Secret: guard.SecretReader, Elsewhere: guard.WriteRoots, Locked: guard.ProtectedFragment,
		Plants: guard.Persistence, Credential: guard.CredentialName,
	}[m]
}

// State is the session as its log and its disk show it.
type State struct {
	Policy Policy
	// Started is whether the session's start was told.
	Started bool
	// Disk is the version of the file, 0 when there is none.
	Disk uint8
	// Whole and Part have the bit of each version that the session saw whole, or only
	// a part of.
	Whole, Part uint8
	// Made counts the calls, Verdicts their verdict records, Refusals the records of a
	// refusal that name a rule, Errors the results that stand as errors in the
	// transcript.
	Made, Verdicts, Refusals, Errors uint8
}

// Knows is what the session knows of the file as it is now.
func (s State) Knows() call.Knowledge { return s.knowledge().Of(s.Disk != 0, uint64(s.Disk)) }

// Kind is what happens.
type Kind uint8

// The kinds.
const (
	Load  Kind = iota // the policy is loaded
	Start             // the session's start is told
	Other             // another program writes the version, or removes the file with 0
	Call              // a tool is called
)

// Op is one event.
type Op struct {
	Kind   Kind
	Policy Policy
	// Version is what is written.
	Version uint8
	Tool    Tool
	Marks   Marks
	// Among is true for a call whose marks stand in the middle one of three steps.
	Among bool
	// Timed is true when the call names its own timeout.
	Timed bool
	// Fails is true when the tool, once allowed, fails.
	Fails bool
}

// Timeout is the timeout that a call's input has.
type Timeout uint8

// The timeouts.
const (
	NoTimeout Timeout = iota
	OwnTimeout
	DefaultTimeout
)

// Out is how a call ended.
type Out struct {
	// Denied is true when it was refused; Rule and Stage are what its record has for it.
	Denied      bool
	Rule, Stage string
	// SaysChanged is true when the refusal says that the file CHANGED.
	SaysChanged bool
	// Error is true when its result is an error.
	Error bool
	// Timeout is what its input has after the verdict.
	Timeout Timeout
}

// Step is what must happen.
func Step(s State, op Op) (State, Out) {
	switch op.Kind {
	case Load:
		s.Policy = op.Policy
	case Start:
		s.Started = true
	case Other:
		s.Disk = op.Version
	case Call:
		return s.call(op)
	}
	return s, Out{}
}

// call: whoever is asked says yes, so that what is denied here is denied by no person.
func (s State) call(op Op) (State, Out) {
	r := s.policy().Judge(toolNames[op.Tool], s.steps(op))
	out := Out{Denied: r.Verdict == gate.Deny}
	if out.Denied {
		record := r.Record()
		out.Rule, out.Stage, out.SaysChanged = record.Rule.Name, record.Stage, says(record.Why, "CHANGED")
		s.Refusals++
	}
	s.Made++
	s.Verdicts++
	out.Timeout = s.timeout(op, !out.Denied)
	out.Error = out.Denied || s.fails(op)
	if out.Error {
		s.Errors++
	}
	return s.ended(op, !out.Error), out
}

// fails: the tool itself fails, or finds no file.
func (s State) fails(op Op) bool {
	touches := op.Tool == Read || op.Tool == Peek || op.Tool == Edit
	return op.Fails || touches && s.Disk == 0
}

// ended is what a call leaves; ok is false for one that was refused or failed, which
// leaves everything as it was.
func (s State) ended(op Op, ok bool) State {
	r := guard.Result{OK: ok, Version: uint64(s.Disk), Before: uint64(s.Disk)}
	switch op.Tool {
	case Read:
		r.Deed = guard.ReadWhole
	case Peek:
		r.Deed = guard.ReadPart
	case Write:
		r.Deed, r.Version = guard.WroteAll, uint64(op.Version)
	case Edit:
		r.Deed, r.Version = guard.EditedIt, uint64(op.Version)
	case Shell, Stranger, numTools:
		return s
	}
	if ok {
		s.Disk = uint8(r.Version)
	}
	return s.saw(s.knowledge().After(r))
}

// knowledge is core's knowledge of the versions that were seen.
func (s State) knowledge() guard.Knowledge {
	var k guard.Knowledge
	for v := uint8(1); v <= Versions; v++ {
		if s.Part&(1<<v) != 0 {
			k = k.After(guard.Result{OK: true, Deed: guard.ReadPart, Version: uint64(v)})
		}
		if s.Whole&(1<<v) != 0 {
			k = k.After(guard.Result{OK: true, Deed: guard.ReadWhole, Version: uint64(v)})
		}
	}
	return k
}

func (s State) saw(k guard.Knowledge) State {
	s.Whole, s.Part = 0, 0
	for v := uint8(1); v <= Versions; v++ {
		switch k.Of(true, uint64(v)) {
		case call.Known:
			s.Whole |= 1 << v
		case call.Partial:
			s.Part |= 1 << v
		case call.NotAsked, call.New, call.Unknown, call.Stale:
		}
	}
	return s
}

// timeout is what the call's input has for a time after the verdict.
func (s State) timeout(op Op, allowed bool) Timeout {
	if op.Tool != Shell {
		return NoTimeout
	}
	args := map[string]any{"script": "true"}
	if op.Timed {
		args[guard.TimeoutKey] = int64(5)
	}
	switch guard.Patch(allowed, args)[guard.TimeoutKey] {
	case nil:
		return NoTimeout
	case int64(guard.DefaultTimeout):
		return DefaultTimeout
	}
	return OwnTimeout
}

// Ops lists what may happen next: the policy first, then everything in any order.
func Ops(s State) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		for _, op := range next(s) {
			if !yield(op) {
				return
			}
		}
	}
}

func next(s State) (out []Op) {
	if s.Policy == NoPolicy {
		for p := Fits; p <= Unreadable; p++ {
			out = append(out, Op{Kind: Load, Policy: p})
		}
		return out
	}
	if !s.Started {
		out = append(out, Op{Kind: Start})
	}
	for v := range uint8(Versions + 1) {
		if v != s.Disk {
			out = append(out, Op{Kind: Other, Version: v})
		}
	}
	if s.Made == Calls {
		return out
	}
	return slices.Concat(out, fileCalls(s), marked)
}

// fileCalls are the calls on the file, without and with what a rule is against.
func fileCalls(s State) (out []Op) {
	for _, m := range []Marks{0, Failed, Locked} {
		out = append(out, Op{Kind: Call, Tool: Read, Marks: m}, Op{Kind: Call, Tool: Peek, Marks: m}, Op{Kind: Call, Tool: Read, Marks: m, Fails: true})
		for v := uint8(1); v <= Versions; v++ {
			out = append(out, Op{Kind: Call, Tool: Write, Version: v, Marks: m})
			if v != s.Disk {
				out = append(out, Op{Kind: Call, Tool: Edit, Version: v, Marks: m})
			}
		}
		out = append(out, Op{Kind: Call, Tool: Edit, Version: 1, Marks: m, Fails: true})
	}
	return out
}

// marked are the calls of the shell and of a stranger with no mark, with each, with
// each two, and with all.
var marked = func() (out []Op) {
	for a := Failed; a < End; a <<= 1 {
		for b := a; b < End; b <<= 1 {
			out = append(out, withMarks(a|b)...)
		}
	}
	return append(out, append(withMarks(0), withMarks(End-1)...)...)
}()

func withMarks(m Marks) []Op {
	return []Op{
		{Kind: Call, Tool: Shell, Marks: m},
		{Kind: Call, Tool: Shell, Marks: m, Among: true, Timed: true},
		{Kind: Call, Tool: Stranger, Marks: m},
	}
}
