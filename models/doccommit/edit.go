package doccommit

import (
	"iter"

	"tenet/core/doc"
)

// The second machine: an edit of up to three files under way, action by action, with
// another program that may write any of the files between any two of them, a disk that
// fails at any of them and a process that dies at any of them.

// Files is how many names the directory of an edit has.
const Files = 3

// EditContents is how many contents a file can have; Torn is what an unfilled temporary
// file would show under a file's name.
const (
	EditContents = 2
	Torn         = EditContents + 1
)

// Meddling bounds what the other program does while one edit is under way.
const Meddling = 2

// goodLuck is how often LiveEditOps lists what goes well, badLuck how often a failure.
const goodLuck, badLuck = 40, 4

// Part is what an edit does to one file.
type Part struct {
	Name   uint8
	Change doc.Change
	// Edits is true when the bytes become others: for a move, not only the name.
	Edits bool
	// To is the name that a move gives it.
	To uint8
}

// Target is the name under which the part's bytes will be.
func (p Part) Target() uint8 {
	if p.Change == doc.Moves {
		return p.To
	}
	return p.Name
}

// Plans are the edits; a plan is named by its place here.
var Plans = [][]Part{
	{}, // no edit
	{{Name: 0, Change: doc.Overwrites, Edits: true}, {Name: 1, Change: doc.Overwrites, Edits: true}},
	{{Name: 0, Change: doc.Overwrites, Edits: true}, {Name: 1, Change: doc.Moves, To: 2, Edits: true}},
	{{Name: 0, Change: doc.Moves, To: 2}, {Name: 1, Change: doc.Overwrites, Edits: true}},
	{{Name: 0, Change: doc.Removes}, {Name: 1, Change: doc.Overwrites, Edits: true}},
	{{Name: 0, Change: doc.Overwrites, Edits: true}, {Name: 1, Change: doc.Removes}},
	{{Name: 0, Change: doc.Overwrites, Edits: true}, {Name: 1, Change: doc.Overwrites, Edits: true}, {Name: 2, Change: doc.Overwrites, Edits: true}},
	{{Name: 0, Change: doc.Moves, To: 2, Edits: true}},
	{{Name: 2, Change: doc.Creates, Edits: true}},
}

// Written is how far the bytes of a part are: in a temporary file, and then under its
// name.
type Written uint8

// The states of a part's bytes.
const (
	Nowhere Written = iota
	Empty           // a temporary file without the bytes
	Filled          // with the bytes
	Synced          // with the bytes durable
	Visible         // under the name, with bytes that a power loss may lose
	Placed          // under the name with durable bytes; the name itself may be lost
	OnDisk          // name and bytes survive a power loss
)

// EditState is the directory and the edit under way.
type EditState struct {
	// Disk is the content of each name; 0 when there is none.
	Disk [Files]uint8
	// Left is true for each name that has a dead writer's temporary file.
	Left [Files]bool
	Call Call
}

// Call is an edit under way; the zero value is none.
type Call struct {
	// Plan is the place in Plans.
	Plan uint8
	// Base is the content of each name that the edit was computed from.
	Base [Files]uint8
	// Checked is true once the files were checked, Stood for each part that then stood
	// against the edit, Conflict when one did.
	Checked, Conflict bool
	Stood             [Files]bool
	// Touched is true for each name that others changed after the check.
	Touched [Files]bool
	// Meddled counts what others did.
	Meddled uint8
	// Faults is true when the disk failed an action.
	Faults bool
	// Parts is how far each part's bytes are.
	Parts  [Files]Written
	Commit doc.Commit
}

// EditKind is what happens.
type EditKind uint8

// The kinds.
const (
	Begin  EditKind = iota // the session computes an edit from what it sees
	Act                    // the edit's next action goes well, if it can
	Fault                  // the edit's next action fails
	Answer                 // the edit is over, and the session replies
	Kill                   // the process dies before that action
	Meddle                 // another program writes a content, or removes the file with 0
)

// EditOp is one operation.
type EditOp struct {
	Kind    EditKind
	Plan    uint8
	Name    uint8
	Content uint8
}

// EditOut is the reply of an edit, the answer to Answer.
type EditOut struct {
	// Refused is true when nothing was changed: the call is an error.
	Refused bool
	// Applied, Warned and Blamed are told of each part: it landed, with a warning, or
	// it is the one whose failure, or whose conflict, stopped the call.
	Applied, Warned, Blamed [Files]bool
}

// NewContent is what an edit makes of a content.
func NewContent(old uint8) uint8 { return old%EditContents + 1 }

func (c Call) parts() []Part { return Plans[c.Plan] }

// Wanted is the content that a part gives its target.
func (c Call) Wanted(part int) uint8 {
	switch p := Plans[c.Plan][part]; {
	case p.Change == doc.Removes:
		return 0
	case p.Edits:
		return NewContent(c.Base[p.Name])
	default:
		return c.Base[p.Name]
	}
}

// EditStep is what must happen.
func EditStep(s EditState, op EditOp) (EditState, EditOut) {
	switch op.Kind {
	case Begin:
		s.Call = Call{Plan: op.Plan}
		var changes []doc.Change
		for _, p := range Plans[op.Plan] {
			s.Call.Base[p.Name] = s.Disk[p.Name]
			changes = append(changes, p.Change)
		}
		s.Call.Commit = doc.NewCommit(changes...)
	case Meddle:
		s.Disk[op.Name] = op.Content
		if s.Call.Plan != 0 {
			s.Call.Meddled++
			s.Call.Touched[op.Name] = true
		}
	case Kill:
		for i, p := range s.Call.parts() {
			s.Left[p.Target()] = s.Left[p.Target()] || s.Call.Parts[i] > Nowhere && s.Call.Parts[i] < Visible
		}
		s.Call = Call{}
	case Act, Fault:
		return s.act(op.Kind == Act), EditOut{}
	case Answer:
		out := s.Call.reply()
		s.Call = Call{}
		return s, out
	}
	return s, EditOut{}
}

// act does the next action of the edit, or makes it fail.
func (s EditState) act(ok bool) EditState {
	part, a, _ := s.Call.Commit.Next()
	if a == doc.CheckFiles {
		return s.check()
	}
	s.Call.Faults = s.Call.Faults || !ok
	if ok = ok && s.can(part, a); ok {
		s = s.does(part, a)
	} else if a == doc.DropTemp { // it stays, for the next write of its target to sweep
		s.Left[s.Call.parts()[part].Target()] = true
	}
	s.Call.Commit = s.Call.Commit.Did(ok)
	return s
}

func (s EditState) check() EditState {
	found := s.standings()
	s.Call.Checked = true
	for i, f := range found {
		s.Call.Stood[i] = !f.Same || !f.Free
		s.Call.Conflict = s.Call.Conflict || s.Call.Stood[i]
	}
	s.Call.Touched = [Files]bool{}
	s.Call.Commit = s.Call.Commit.Check(found)
	return s
}

// standings is what the check finds.
func (s EditState) standings() (out []doc.Standing) {
	for _, p := range s.Call.parts() {
		out = append(out, doc.Standing{
			Same: s.Disk[p.Name] == s.Call.Base[p.Name],
			Free: p.Change != doc.Moves || s.Disk[p.To] == 0,
		})
	}
	return out
}

// can is what the disk allows: a file that is not the one that was checked is neither
// replaced nor removed, and no name is given twice.
func (s EditState) can(part int, a doc.Action) bool {
	p := s.Call.parts()[part]
	switch a {
	case doc.SwapIn, doc.DropOld:
		return !s.Call.Touched[p.Name]
	case doc.LinkNew:
		return s.Disk[p.Target()] == 0
	case doc.SweepTemps, doc.CreateTemp, doc.FillTemp, doc.KeepAttributes, doc.SyncTemp, doc.DropTemp, doc.SyncDir, doc.SyncOldDir, doc.CheckFiles, doc.NumActions:
	}
	return true
}

// does is what an action does to the disk.
func (s EditState) does(part int, a doc.Action) EditState {
	p, w := s.Call.parts()[part], &s.Call.Parts[part]
	switch a {
	case doc.SweepTemps:
		s.Left[p.Target()] = false
	case doc.CreateTemp:
		*w = Empty
	case doc.FillTemp:
		*w = Filled
	case doc.SyncTemp:
		if *w == Filled {
			*w = Synced
		}
	case doc.SwapIn, doc.LinkNew:
		s.Disk[p.Target()] = s.Call.Wanted(part)
		if *w < Filled {
			s.Disk[p.Target()] = Torn
		}
		*w = map[bool]Written{true: Placed, false: Visible}[*w == Synced]
	case doc.DropTemp:
		if *w < Visible {
			*w = Nowhere
		}
	case doc.DropOld:
		s.Disk[p.Name] = 0
		if p.Change == doc.Removes {
			*w = Placed
		}
	case doc.SyncDir:
		if *w == Placed {
			*w = OnDisk
		}
	case doc.KeepAttributes, doc.SyncOldDir, doc.CheckFiles, doc.NumActions:
	}
	return s
}

// reply is what the session tells at the end.
func (c Call) reply() EditOut {
	out := EditOut{Refused: c.Commit.Refused()}
	if file, why := c.Commit.Conflict(); why != doc.NoConflict {
		out.Refused, out.Blamed[file] = true, true
	}
	for i := range c.parts() {
		fate := c.Commit.Fate(i)
		out.Applied[i] = fate.Landed()
		out.Warned[i] = fate.Landed() && fate != doc.Landed
		out.Blamed[i] = out.Blamed[i] || fate == doc.Failed
	}
	return out
}

// EditOps lists what may happen next.
func EditOps(s EditState) iter.Seq[EditOp] { return editOps(s, true) }

// LiveEditOps is EditOps without deaths, and with actions that mostly go well: a history
// drawn from it gets somewhere.
func LiveEditOps(s EditState) iter.Seq[EditOp] { return editOps(s, false) }

func editOps(s EditState, deaths bool) iter.Seq[EditOp] {
	return func(yield func(EditOp) bool) {
		for _, op := range s.calls(deaths) {
			often := 1
			switch {
			case deaths:
			case op.Kind == Fault:
				often = badLuck
			default:
				often = goodLuck
			}
			for range often {
				if !yield(op) {
					return
				}
			}
		}
		if s.Call.Meddled == Meddling {
			return
		}
		for n := range uint8(Files) {
			for c := range uint8(EditContents + 1) {
				if c != s.Disk[n] && !yield(EditOp{Kind: Meddle, Name: n, Content: c}) {
					return
				}
			}
		}
	}
}

// calls lists what the edit under way may do, or the edits that may begin.
func (s EditState) calls(deaths bool) (out []EditOp) {
	if s.Call.Plan == 0 {
		for i, parts := range Plans {
			if i > 0 && s.fits(parts) {
				out = append(out, EditOp{Kind: Begin, Plan: uint8(i)})
			}
		}
		return out
	}
	switch _, a, more := s.Call.Commit.Next(); {
	case !more:
		out = append(out, EditOp{Kind: Answer})
	case a == doc.CheckFiles || a == doc.SweepTemps: // no fault of the disk stops these
		out = append(out, EditOp{Kind: Act})
	default:
		out = append(out, EditOp{Kind: Act}, EditOp{Kind: Fault})
	}
	if deaths {
		out = append(out, EditOp{Kind: Kill})
	}
	return out
}

// fits reports whether an edit can be computed from what is there.
func (s EditState) fits(parts []Part) bool {
	for _, p := range parts {
		if (s.Disk[p.Name] == 0) != (p.Change == doc.Creates) {
			return false
		}
	}
	return true
}
