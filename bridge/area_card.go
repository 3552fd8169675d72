package bridge

import (
	"errors"

	"tenet/adapters/approvals"
	"tenet/bridge/engine"
	"tenet/core/call"
	core "tenet/core/card"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/card"
)

// The desk with everything that may happen to it, and the drawing of every question.
var (
	cardDeskMachine  = engine.Machine[card.State, card.Op, core.Act]{Init: card.Init, Step: card.Step, Ops: card.Ops}
	cardShownMachine = engine.Machine[struct{}, card.Shown, card.Drawn]{Step: card.Draw, Ops: card.Questions}
)

func cardArea() Area {
	return Area{
		Name:     "card",
		Relation: Same,
		Bound:    "3 questions of 5 on one desk: with every answer, with one, cut, changed and of the model, every key at every moment; every text of up to 3 of 18 pieces in every place of a card, on screens of 5, 9 and 80 cells",
		Laws:     append(law.Infos(laws.CardBook), law.Infos(laws.CardShownBook)...),
		Production: []any{
			core.Rows, core.Lines, core.Read, core.Desk.Ask, core.Desk.Gone, core.Desk.Reset, core.Desk.Press, core.Desk.Choices, call.Exact, call.ReadExact,
			approvals.Approval.Content, approvals.AnswerOf, (*approvals.Broker).Ask,
		},
		Exhaust: cardExhaust,
		Quick:   cardQuick,
	}
}

func cardExhaust(names ...string) (engine.Report, error) {
	sum := engine.Report{Premises: engine.Premises{}}
	err := errors.Join(
		searched(&sum, cardDeskMachine, Pick(laws.CardBook, names)),
		searched(&sum, cardShownMachine, Pick(laws.CardShownBook, names)),
	)
	return sum, err
}
