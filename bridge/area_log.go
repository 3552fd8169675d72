package bridge

import (
	"errors"
	"fmt"

	"tenet/adapters/store"
	"tenet/bridge/engine"
	"tenet/core/event"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/log"
)

// The five machines of the log: a disk, a chain, a session's calls, an audit, a state
// that was kept.
var (
	snapshotMachine = engine.Machine[log.Story, log.Event, log.Restored]{Step: log.SnapshotStep, Ops: log.KeptStories}
	diskMachine     = engine.Machine[log.State, log.Op, log.Out]{Step: log.Step, Ops: log.Ops}
	chainMachine    = engine.Machine[struct{}, log.Edit, log.Found]{Step: log.EditStep, Ops: log.Edits}
	callsMachine    = engine.Machine[log.History, log.Event, struct{}]{Step: log.CallsStep, Ops: log.History.Calls}
	auditMachine    = engine.Machine[log.Story, log.Event, int]{Step: log.AuditStep, Ops: log.Stories}
)

func logArea() Area {
	return Area{
		Name:     "log",
		Relation: Abstraction,
		Bound:    fmt.Sprintf("%d commits of two records under every fault, kill and power loss; every edit of a log of 6 records; %d events of two calls; %d records in any order", log.Commits, log.Length, log.Audited),
		Laws:     logLaws(),
		Production: []any{
			event.Encode, (*event.Chain).Follow, event.Judge, event.Stands, event.State.With, event.Resume, event.State.Snapshot, event.Restore,
			store.Create, store.Options.Open, store.Options.Read, (*store.Log).Commit, (*store.Log).Close,
			store.Options.Load, store.Options.State, (*store.Log).Checkpoint,
		},
		Exhaust: logExhaust,
		Quick:   logQuick,
	}
}

func logLaws() []law.Info {
	out := law.Infos(laws.LogDiskBook)
	out = append(out, law.Infos(laws.LogChainBook)...)
	out = append(out, law.Infos(laws.LogCallsBook)...)
	out = append(out, law.Infos(laws.LogAuditBook)...)
	return append(out, law.Infos(laws.LogSnapshotBook)...)
}

// logExhaust searches the machines whose laws are asked for and adds up what they
// saw.
func logExhaust(names ...string) (engine.Report, error) {
	sum := engine.Report{Premises: engine.Premises{}}
	err := errors.Join(
		searched(&sum, diskMachine, Pick(laws.LogDiskBook, names)),
		searched(&sum, chainMachine, Pick(laws.LogChainBook, names)),
		searched(&sum, callsMachine, Pick(laws.LogCallsBook, names)),
		searched(&sum, auditMachine, Pick(laws.LogAuditBook, names)),
		searched(&sum, snapshotMachine, Pick(laws.LogSnapshotBook, names)),
	)
	return sum, err
}

func searched[S comparable, O, R any](sum *engine.Report, m engine.Machine[S, O, R], book []law.Law[S, O, R]) error {
	if len(book) == 0 {
		return nil
	}
	r, err := engine.Exhaust(m, book)
	sum.States, sum.Steps, sum.Depth = sum.States+r.States, sum.Steps+r.Steps, max(sum.Depth, r.Depth)
	for id, n := range r.Premises {
		sum.Premises[id] += n
	}
	return err
}
