package laws

import (
	"tenet/core/doc"
	"tenet/laws/law"
	"tenet/models/doccommit"
)

type editsLaw = law.Law[doccommit.EditState, doccommit.EditOp, doccommit.EditOut]

// DocEdit: an edit of several files lands whole or tells exactly what landed (S8.1), and
// a move loses neither the file that it moves nor one that is in its way (S8.4).
var DocEdit = struct {
	// ReportsWhatLanded: the reply names a file as applied exactly when its change is on disk, without a warning only when it is durable, and is an error only when nothing landed.
	ReportsWhatLanded editsLaw `law:"edit_reports_what_landed" rule:"S8.1"`
	// AllOrNothingOnConflict: when one file changed since the edit was computed from it, no file lands and the reply names that file.
	AllOrNothingOnConflict editsLaw `law:"edit_all_or_nothing_on_conflict" rule:"S8.1"`
	// LandsEveryFile: when nobody else wrote and no action failed, every file has what the edit wants.
	LandsEveryFile editsLaw `law:"edit_lands_every_file" rule:"S8.1"`
	// MoveNeverOverwrites: a move onto a name that exists is refused, and what has that name is unchanged.
	MoveNeverOverwrites editsLaw `law:"move_never_overwrites" rule:"S8.4"`
	// MoveMoves: a move to a free name gives it the content, and takes the old name away only when the new one is durable.
	MoveMoves editsLaw `law:"move_moves" rule:"S8.4"`
}{
	ReportsWhatLanded:      editsLaw{Step: reportsWhatLanded},
	AllOrNothingOnConflict: editsLaw{Step: allOrNothing},
	LandsEveryFile:         editsLaw{Step: landsEveryFile},
	MoveNeverOverwrites:    editsLaw{Step: moveNeverOverwrites},
	MoveMoves:              editsLaw{Step: moveMoves},
}

// DocEditBook lists the laws of editing several documents.
var DocEditBook = law.Book[doccommit.EditState, doccommit.EditOp, doccommit.EditOut]("doccommit", &DocEdit)

func reportsWhatLanded(b doccommit.EditState, op doccommit.EditOp, out doccommit.EditOut, _ doccommit.EditState) law.Verdict {
	if op.Kind != doccommit.Answer {
		return law.Idle
	}
	failed, landed := false, false
	for i := range doccommit.Plans[b.Call.Plan] {
		w := b.Call.Parts[i]
		landed, failed = landed || w >= doccommit.Visible, failed || out.Blamed[i]
		switch {
		case out.Applied[i] != (w >= doccommit.Visible), out.Applied[i] && out.Blamed[i]:
			return law.Broken("part %d is at %d, the reply is %+v", i, w, out)
		case out.Applied[i] && w < doccommit.Placed, out.Applied[i] && !out.Warned[i] && w < doccommit.OnDisk:
			return law.Broken("part %d may be lost (%d), and the reply is %+v", i, w, out)
		}
	}
	return law.Check(out.Refused == (failed && !landed), "%+v ends with %+v", b, out)
}

func allOrNothing(b doccommit.EditState, op doccommit.EditOp, out doccommit.EditOut, a doccommit.EditState) law.Verdict {
	ours := op.Kind == doccommit.Act || op.Kind == doccommit.Fault || op.Kind == doccommit.Answer
	conflict := b.Call.Conflict || op.Kind == doccommit.Act && !b.Call.Checked && stale(b)
	if !ours || !conflict {
		return law.Idle
	}
	if a.Disk != b.Disk {
		return law.Broken("with a conflict %+v becomes %+v", b, a)
	}
	if op.Kind != doccommit.Answer {
		return law.Check(!b.Call.Conflict && a.Call.Conflict, "the edit goes on in spite of a conflict: %+v", b)
	}
	none := [doccommit.Files]bool{}
	return law.Check(out.Refused && out.Applied == none && stands(b.Call, out), "with a conflict %+v answers %+v", b, out)
}

// stale reports whether a file is not what the edit was computed from, or a name that a
// move wants exists.
func stale(s doccommit.EditState) bool {
	for _, p := range doccommit.Plans[s.Call.Plan] {
		if s.Disk[p.Name] != s.Call.Base[p.Name] || p.Change == doc.Moves && s.Disk[p.To] != 0 {
			return true
		}
	}
	return false
}

// stands reports whether exactly one file is named as the reason, and rightly can be.
func stands(c doccommit.Call, out doccommit.EditOut) bool {
	n := 0
	for i := range out.Blamed {
		if out.Blamed[i] && i < len(doccommit.Plans[c.Plan]) && c.Stood[i] {
			n++
		}
	}
	return n == 1
}

func landsEveryFile(b doccommit.EditState, op doccommit.EditOp, out doccommit.EditOut, a doccommit.EditState) law.Verdict {
	if op.Kind != doccommit.Answer || b.Call.Conflict || b.Call.Faults || b.Call.Meddled > 0 {
		return law.Idle
	}
	for i, p := range doccommit.Plans[b.Call.Plan] {
		if !out.Applied[i] || out.Warned[i] || a.Disk[p.Target()] != b.Call.Wanted(i) {
			return law.Broken("part %d: %+v answers %+v", i, b, out)
		}
	}
	return law.Check(!out.Refused, "%+v answers %+v", b, out)
}

func moveNeverOverwrites(b doccommit.EditState, op doccommit.EditOp, out doccommit.EditOut, a doccommit.EditState) law.Verdict {
	verdict := law.Idle
	for i, p := range doccommit.Plans[b.Call.Plan] {
		ours := op.Kind == doccommit.Act || op.Kind == doccommit.Fault || op.Kind == doccommit.Answer
		if !ours || p.Change != doc.Moves || b.Disk[p.To] == 0 || b.Call.Parts[i] >= doccommit.Visible {
			continue
		}
		verdict = law.Holds
		switch {
		case a.Disk[p.To] != b.Disk[p.To]:
			return law.Broken("the move onto a name that exists made %+v of %+v", a, b)
		case !b.Call.Checked && !a.Call.Conflict, out.Applied[i], op.Kind == doccommit.Answer && b.Call.Stood[i] && !out.Refused:
			return law.Broken("a move onto a name that exists: %+v answers %+v, %+v", b, out, a)
		}
	}
	return verdict
}

func moveMoves(b doccommit.EditState, op doccommit.EditOp, out doccommit.EditOut, a doccommit.EditState) law.Verdict {
	verdict := law.Idle
	for i, p := range doccommit.Plans[b.Call.Plan] {
		if p.Change != doc.Moves {
			continue
		}
		ends := op.Kind == doccommit.Answer && b.Call.Meddled == 0 && (out.Applied[i] && !out.Warned[i] || !b.Call.Faults && !b.Call.Conflict)
		takes := op.Kind == doccommit.Act && b.Disk[p.Name] != 0 && a.Disk[p.Name] == 0
		switch {
		case takes && b.Call.Parts[i] != doccommit.OnDisk:
			return law.Broken("the old name goes while the new one may be lost: %+v", b)
		case ends && (a.Disk[p.To] != b.Call.Wanted(i) || a.Disk[p.Name] != 0):
			return law.Broken("%+v answers %+v and leaves %+v", b, out, a)
		case ends || takes:
			verdict = law.Holds
		}
	}
	return verdict
}
