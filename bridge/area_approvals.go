package bridge

import (
	"errors"
	"fmt"

	production "tenet/adapters/approvals"
	"tenet/bridge/engine"
	core "tenet/core/approvals"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/approvals"
)

// The two machines: one question that goes up a chain, and questions and clients that
// come and go.
var (
	routeMachine  = engine.Machine[struct{}, approvals.Asked, approvals.Fared]{Step: approvals.RouteStep, Ops: approvals.Routes}
	askingMachine = engine.Machine[approvals.State, approvals.Op, approvals.Out]{Init: approvals.Start, Step: approvals.State.Step, Ops: approvals.Ops}
)

func approvalsArea() Area {
	return Area{
		Name:     "approvals",
		Relation: Reference,
		Bound: fmt.Sprintf("every chain of up to %d sessions with every seat, step and auto set; %d clients and %d questions of a chain of %d sessions in any order",
			approvals.Longest, approvals.Clients, approvals.Questions, approvals.Sessions),
		Laws: append(law.Infos(laws.ApprovalsBook), law.Infos(laws.SettledBook)...),
		Production: []any{
			core.Next, core.ByGateway, core.Auto, core.Unasked, core.Session.Ask, core.Session.Answer, core.Session.Returned,
			(*production.Broker).Attach, (*production.Broker).Relay, (*production.Client).Answer, (*production.Client).Detach, (*production.Client).Pending,
		},
		Exhaust: func(names ...string) (engine.Report, error) {
			sum := engine.Report{Premises: engine.Premises{}}
			err := errors.Join(
				searched(&sum, routeMachine, Pick(laws.ApprovalsBook, names)),
				searched(&sum, askingMachine, Pick(laws.SettledBook, names)),
			)
			return sum, err
		},
		Quick: approvalsQuick,
	}
}

// approvalsQuick sends every question up every chain of real brokers, then drives
// questions and clients beside the model: every history of three events, and seeded
// longer ones.
func approvalsQuick() error {
	if err := everyRoute(); err != nil {
		return err
	}
	return inOrder(askingQuick, approvalsMoments)
}

// askingQuick judges the laws of both books on production.
func askingQuick() error {
	run := func(src engine.Source) error {
		return engine.Drive(src, askingMachine, newDesk(), askingBooks(), engine.Premises{})
	}
	if _, err := engine.Every(3, run); err != nil {
		return err
	}
	return engine.Many(1500, 40, 1, run)
}

func askingBooks() []law.Law[approvals.State, approvals.Op, approvals.Out] {
	return append(append([]law.Law[approvals.State, approvals.Op, approvals.Out]{}, laws.SettledBook...), laws.AskingBook...)
}
