package bridge

import (
	"fmt"

	"tenet/adapters/approvals"
	"tenet/adapters/docs"
	"tenet/adapters/session"
	"tenet/bridge/engine"
	"tenet/core/call"
	"tenet/core/doc"
	"tenet/core/gate"
	core "tenet/core/pathpolicy"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/pathpolicy"
	"tenet/models/turn"
)

// The machines of the area: core's gate in a session, the paths that calls name in a
// world of links, and the diffs of cards.
var (
	turnMachine  = engine.Machine[turn.State, turn.Op, turn.Out]{Step: turn.State.Step, Ops: turn.Ops}
	reachMachine = engine.Machine[pathpolicy.World, turn.Named, turn.Reached]{Step: turn.StepReach, Ops: turn.Reaches}
	cardMachine  = engine.Machine[struct{}, turn.Drawn, turn.Card]{Step: turn.StepDiff, Ops: turn.Diffs}
)

// turnParts are the machines of the area, in the order of the tables.
var turnParts = []permissionPart{
	part(turnMachine, laws.TurnBook),
	part(reachMachine, laws.TurnReachBook),
	part(cardMachine, laws.TurnDiffBook),
	part(queueMachine, laws.QueueBook),
}

func turnArea() Area {
	var of []law.Info
	for _, p := range turnParts {
		of = append(of, p.laws...)
	}
	return Area{
		Name:     "turn",
		Relation: Same,
		Bound: fmt.Sprintf("a session with %d subjects in two versions each, two allows in force, one change before and one after each answer, every answer, ends and restarts; %d paths in a world of %d links; diffs around both bounds with what could hide in them; %d messages to a session, %d of them waiting, with questions, calls, stop hooks and cancels in any order",
			turn.Subjects, len(turn.Paths), len(pathpolicy.Slots), turn.Messages, turn.Room),
		Laws: of,
		Production: append([]any{
			(*gate.Policy).Judge, (*gate.Policy).Offers, (*gate.Policy).With, (*gate.Policy).Covers, gate.Offer.Grants, gate.SessionRules, gate.Script.Spend, call.Digest,
			core.Reaches, doc.CardDiff, doc.Diff,
			(*approvals.Gate).Permit, (*approvals.Gate).Confirm, (*approvals.Gate).Start, (*approvals.Policies).Grant, (*docs.Docs).Run, (*session.Session).Prompt,
		}, queueProduction...),
		Exhaust: turnExhaust,
		Quick:   turnQuick,
	}
}

// turnExhaust searches the machines that the named laws speak of; the counts are of all
// together.
func turnExhaust(names ...string) (engine.Report, error) {
	rep := engine.Report{Premises: engine.Premises{}}
	for _, p := range turnParts {
		r, err := p.exhaust(names)
		if rep = joined(rep, r); err != nil {
			return rep, err
		}
	}
	return rep, nil
}

// turnQuick drives real gates and document tools on a disk beside the model, takes paths
// through real links, and compares what cards show and logs keep.
func turnQuick() error {
	return inOrder(queueQuick, turnHistories, lastMoment, reachHistories, cardsQuick)
}

// turnHistories drives sessions in which everything may change at any time.
func turnHistories() error { return engine.Many(150, 24, 1, turnHistory) }

func turnHistory(src engine.Source) error { return turnDrive(src, engine.Premises{}) }
