package laws

import (
	"tenet/laws/law"
	"tenet/models/undo"
)

type undoLaw = law.Law[undo.State, undo.Op, undo.Out]

// Undo: a session's changes of files are taken back from its log (seed 4 §6).
var Undo = struct {
	// RestoresExactly: an undo takes back the newest change of the path that stands, unless a path of that change was changed later, and each path of it has what stood there before.
	RestoresExactly undoLaw `law:"undo_restores_exactly" rule:"6"`
	// NeverOverwritesOthersWork: what an undo or a redo replaces is what the session itself left there last; one that is refused changes nothing.
	NeverOverwritesOthersWork undoLaw `law:"undo_never_overwrites_others_work" rule:"6"`
	// IsItselfUndoable: while nothing touched what an undo left, a redo of its path gives back what it replaced.
	IsItselfUndoable undoLaw `law:"undo_is_itself_undoable" rule:"6"`
	// OfEachPathIsAlone: an undo of a path takes back a change of that path, and changes no path that this change did not.
	OfEachPathIsAlone undoLaw `law:"undo_of_each_path_is_alone" rule:"6"`
}{
	RestoresExactly: undoLaw{Step: func(b undo.State, op undo.Op, out undo.Out, a undo.State) law.Verdict {
		if op.Kind != undo.Undo {
			return law.Idle
		}
		want := newest(b, op.Path)
		switch {
		case want == 0:
			return law.Check(out.Took == 0, "entry %d was taken back and no change of path %d stands in %+v", out.Took, op.Path, b)
		case !top(b, want):
			return law.Check(out.Took == 0, "entry %d was taken back and a path of it was changed later: %+v", out.Took, b)
		case out.Took == 0 && as(b, b.Log[want-1].After, want) && leftAll(b, want):
			return law.Broken("entry %d of %+v stands as it was left and was not taken back", want, b)
		case out.Took == 0:
			return law.Idle
		}
		return law.Check(out.Took == want && as(a, b.Log[want-1].Before, want), "entry %d is the newest of path %d, %d was taken back: %+v became %+v", want, op.Path, out.Took, b, a)
	}},
	NeverOverwritesOthersWork: undoLaw{Step: func(b undo.State, op undo.Op, out undo.Out, a undo.State) law.Verdict {
		if op.Kind != undo.Undo && op.Kind != undo.Redo {
			return law.Idle
		}
		if out.Took == 0 {
			return law.Check(a == b, "nothing was taken back and %+v became %+v", b, a)
		}
		for p := range uint8(undo.Paths) {
			if b.Disk[p] != a.Disk[p] && !left(b, p) {
				return law.Broken("%v of path %d replaced what the session did not leave at %d: %+v became %+v", op.Kind, op.Path, p, b, a)
			}
		}
		return law.Holds
	}},
	IsItselfUndoable: undoLaw{Step: func(b undo.State, op undo.Op, out undo.Out, a undo.State) law.Verdict {
		if op.Kind != undo.Redo || b.N == 0 {
			return law.Idle
		}
		last := b.Log[b.N-1]
		if last.Undoes == 0 || b.Log[last.Undoes-1].Undoes != 0 || !last.Has(op.Path) || !as(b, last.After, b.N) {
			return law.Idle
		}
		return law.Check(out.Took == b.N && as(a, last.Before, b.N), "after the undo %+v a redo took back %d: %+v became %+v", last, out.Took, b, a)
	}},
	OfEachPathIsAlone: undoLaw{Step: func(b undo.State, op undo.Op, out undo.Out, a undo.State) law.Verdict {
		if out.Took == 0 {
			return law.Idle
		}
		took := b.Log[out.Took-1]
		if !took.Has(op.Path) {
			return law.Broken("%v of path %d took back entry %d, which is not of it: %+v", op.Kind, op.Path, out.Took, b)
		}
		for p := range uint8(undo.Paths) {
			if !took.Has(p) && a.Disk[p] != b.Disk[p] {
				return law.Broken("%v of path %d changed path %d: %+v became %+v", op.Kind, op.Path, p, b, a)
			}
		}
		return law.Holds
	}},
}

// newest is the entry of a path that stands and is no undo, the newest first, counted from
// 1: each change goes on a pile, an undo takes the top off, and a redo puts it back.
func newest(s undo.State, path uint8) uint8 {
	var gone [undo.Length + 1]bool
	for _, e := range s.Log[:s.N] {
		if e.Undoes == 0 {
			continue
		}
		gone[e.Undoes] = true
		if of := s.Log[e.Undoes-1].Undoes; of != 0 { // a redo: what was undone stands again
			gone[of] = false
		}
	}
	for i := s.N; i > 0; i-- {
		if e := s.Log[i-1]; e.Undoes == 0 && !gone[i] && e.Has(path) {
			return i
		}
	}
	return 0
}

// top reports whether no later change of a path of the entry stands.
func top(s undo.State, entry uint8) bool {
	for p := range uint8(undo.Paths) {
		if s.Log[entry-1].Has(p) && newest(s, p) != entry {
			return false
		}
	}
	return true
}

// as reports whether the paths of an entry have these contents.
func as(s undo.State, want [undo.Paths]uint8, entry uint8) bool {
	for p := range uint8(undo.Paths) {
		if s.Log[entry-1].Has(p) && s.Disk[p] != want[p] {
			return false
		}
	}
	return true
}

// left reports whether a path has what the session's last entry of it left there.
func left(s undo.State, path uint8) bool {
	for i := s.N; i > 0; i-- {
		if e := s.Log[i-1]; e.Has(path) {
			return e.After[path] == s.Disk[path]
		}
	}
	return false
}

// leftAll reports whether each path of an entry has what the session left there last.
func leftAll(s undo.State, entry uint8) bool {
	for p := range uint8(undo.Paths) {
		if s.Log[entry-1].Has(p) && !left(s, p) {
			return false
		}
	}
	return true
}

// UndoBook is the laws of undo.
var UndoBook = law.Book[undo.State, undo.Op, undo.Out]("undo", &Undo)
