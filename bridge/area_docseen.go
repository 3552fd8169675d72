package bridge

import (
	"errors"
	"fmt"

	"tenet/adapters/docs"
	"tenet/bridge/engine"
	"tenet/core/doc/snapshot"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/docseen"
)

// The machines of the area: a file between a session, an output bound and others, and
// what a rejection shows of files around its bounds.
var (
	docSeenMachine   = engine.Machine[docseen.State, docseen.Op, docseen.Out]{Init: docseen.Start, Step: docseen.Step, Ops: docseen.Ops}
	docRevealMachine = engine.Machine[struct{}, docseen.Edge, docseen.Revealed]{Step: docseen.StepReveal, Ops: docseen.Edges}
)

func docSeenArea() Area {
	return Area{
		Name:     "docseen",
		Relation: Same,
		Bound:    fmt.Sprintf("a file of up to %d short and long lines: every part of it shown, every edit of any of its lines and one past the end, retries, every change by others; 0 to 42 anchors on lines around 512 characters", docseen.Lines),
		Laws:     append(law.Infos(laws.DocSeenBook), law.Infos(laws.DocRevealBook)...),
		Production: []any{
			(*snapshot.Store).Judge, (*snapshot.Store).MarkSeen, (*snapshot.Store).Landed, snapshot.Guard, snapshot.Drift, snapshot.Edited, snapshot.Verdict.Explain,
			(*docs.Docs).Run,
		},
		Exhaust: func(names ...string) (engine.Report, error) {
			sum := engine.Report{Premises: engine.Premises{}}
			err := errors.Join(
				searched(&sum, docSeenMachine, Pick(laws.DocSeenBook, names)),
				searched(&sum, docRevealMachine, Pick(laws.DocRevealBook, names)),
			)
			return sum, err
		},
		Quick: docSeenQuick,
	}
}
