package laws

import (
	"tenet/laws/law"
	"tenet/models/log"
)

type snapshotLaw = law.Law[log.Story, log.Event, log.Restored]

// LogSnapshot: what a session that is opened again takes on trust (DESIGN, "The flow").
var LogSnapshot = struct {
	// SnapshotIsTheFold: a state that was kept at any record and read back, with the later records folded onto it, is the fold of all of them; one that is damaged, or of another log, is not used.
	SnapshotIsTheFold snapshotLaw `law:"log_snapshot_is_the_fold" rule:"DESIGN flow"`
}{
	SnapshotIsTheFold: snapshotLaw{Step: func(_ log.Story, _ log.Event, r log.Restored, _ log.Story) law.Verdict {
		return law.Check(r.Same, "the state kept at record %d of %d does not fold on to what the whole log folds to (%v)", r.Place, r.All, r.Err)
	}},
}

// LogSnapshotBook is the laws of kept states.
var LogSnapshotBook = law.Book[log.Story, log.Event, log.Restored]("log", &LogSnapshot)
