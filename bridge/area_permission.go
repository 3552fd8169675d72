package bridge

import (
	"fmt"

	"tenet/adapters/approvals"
	"tenet/adapters/settings"
	"tenet/bridge/engine"
	"tenet/core/floor"
	"tenet/core/rules"
	core "tenet/core/settings"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/permission"
)

// The machines of the area are functions: rules over steps, patterns offered, files
// read, and the floor under spellings.
var (
	permissionMachine = engine.Machine[permission.None, permission.Op, permission.Out]{Step: permission.None.Step, Ops: permission.Ops}
	offerMachine      = engine.Machine[permission.None, permission.Offer, permission.Offered]{Step: permission.None.StepOffer, Ops: permission.Offers}
	spellingMachine   = engine.Machine[permission.None, permission.Spelled, string]{Step: permission.None.StepSpelled, Ops: permission.Spellings}
	formMachine       = engine.Machine[permission.None, permission.File, permission.Read]{Step: permission.None.StepFile, Ops: permission.Files}
)

func permissionArea() Area {
	var of []law.Info
	for _, p := range permissionParts {
		of = append(of, p.laws...)
	}
	return Area{
		Name:     "permission",
		Relation: Same,
		Bound: fmt.Sprintf("%d steps under every rule and every two rules of every layer, and under longer settings; every command with each ending in each class, place and wrapping; every file of 4 members; every catastrophe in every spelling; grants under every kill beside programs that write the same file; questions and clients that come and go",
			len(permission.Steps)),
		Laws: of,
		Production: []any{
			rules.Match, rules.Decide, rules.Combine, rules.Requests, rules.Step, rules.Suggest, rules.Normalize, rules.Shape, rules.Denied, rules.Default,
			rules.Layers.All, rules.Decision.Covers, floor.Check,
			(*approvals.Broker).Ask, (*approvals.Broker).Restore, (*approvals.Broker).Granted,
			core.Granting, core.Grantable, core.Trusted.Trusts, settings.Load, settings.Editor.Always,
		},
		Exhaust: permissionExhaust,
		Quick:   permissionQuick,
	}
}

// permissionQuick drives grants on a disk and questions before clients, each beside its
// model.
func permissionQuick() error {
	return inOrder(grantsQuick, askingQuick, approvalsMoments, turnHistories)
}

// permissionPart is one machine of the area with the laws about it.
type permissionPart struct {
	laws    []law.Info
	exhaust func(names []string) (engine.Report, error)
}

func part[S comparable, O, R any](m engine.Machine[S, O, R], book []law.Law[S, O, R]) permissionPart {
	return permissionPart{laws: law.Infos(book), exhaust: func(names []string) (engine.Report, error) {
		picked := Pick(book, names)
		if len(picked) == 0 {
			return engine.Report{Premises: engine.Premises{}}, nil
		}
		return engine.Exhaust(m, picked)
	}}
}

// permissionParts are the machines of the area, in the order of the tables.
var permissionParts = []permissionPart{
	part(permissionMachine, laws.PermissionBook),
	part(offerMachine, laws.PermissionOfferBook),
	part(formMachine, laws.PermissionFormBook),
	part(spellingMachine, laws.PermissionSpellingBook),
	part(grantMachine, laws.GrantsBook),
	part(askingMachine, laws.AskingBook),
	part(turnMachine, laws.BypassBook),
}

// permissionExhaust searches the machines that the named laws speak of; the counts are
// of all together.
func permissionExhaust(names ...string) (engine.Report, error) {
	rep := engine.Report{Premises: engine.Premises{}}
	for _, p := range permissionParts {
		r, err := p.exhaust(names)
		if rep = joined(rep, r); err != nil {
			return rep, err
		}
	}
	return rep, nil
}
