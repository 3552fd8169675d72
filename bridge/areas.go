// Package bridge shows that production obeys the laws: it ties each area's laws
// to its model and its adapter, for the tests and for the shipped binary.
package bridge

import (
	"tenet/bridge/engine"
	"tenet/laws/law"
)

// Relation is how an area's model stands to production (DESIGN, "Three relations").
type Relation string

// The relations.
const (
	Same        Relation = "same"        // core itself, closed with its adversary
	Reference   Relation = "reference"   // an independent algorithm, compared step by step
	Abstraction Relation = "abstraction" // a coarser machine that production maps into
)

// Area ties one area's laws to what they speak about.
type Area struct {
	// Name is the area's name in every room.
	Name string
	// Relation is how the model stands to production.
	Relation Relation
	// Bound says in words what the exhaustive search covers: "4 clients".
	Bound string
	// Laws are the area's laws in the order of the law file.
	Laws []law.Info
	// Production are the production symbols the laws speak about, as method
	// expressions or functions, so that a rename breaks the build.
	Production []any
	// Exhaust searches the model with the laws named, or with all without a name.
	Exhaust func(laws ...string) (engine.Report, error)
	// Quick drives production beside the model for a bounded number of seeded
	// histories: the check that adapter mutants must not survive. Nil when the area
	// has no adapter.
	Quick func() error
}

// Areas lists every area whose laws are checked, in the order of the tables.
func Areas() []Area {
	return []Area{
		admissionArea(),
		approvalsArea(),
		cardArea(),
		childenvArea(),
		docCommitArea(),
		docGlobArea(),
		docLinesArea(),
		docRowsArea(),
		docSearchArea(),
		docSeenArea(),
		docTagsArea(),
		effectArea(),
		fallbackArea(),
		guardArea(),
		jobsArea(),
		leaseArea(),
		logArea(),
		pathpolicyArea(),
		permissionArea(),
		promptsArea(),
		recoveryArea(),
		runArea(),
		runnersArea(),
		skillsArea(),
		surfaceArea(),
		turnArea(),
		undoArea(),
		waitArea(),
	}
}

// Pick returns the laws of a book that have one of the names; all of them when no
// name is given.
func Pick[S, O, R any](book []law.Law[S, O, R], names []string) []law.Law[S, O, R] {
	if len(names) == 0 {
		return book
	}
	var out []law.Law[S, O, R]
	for _, l := range book {
		for _, n := range names {
			if l.ID == n {
				out = append(out, l)
			}
		}
	}
	return out
}
