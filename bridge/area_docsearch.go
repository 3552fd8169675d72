package bridge

import (
	"fmt"

	"tenet/adapters/docs"
	"tenet/bridge/engine"
	"tenet/core/doc"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/docsearch"
)

var docSearchMachine = engine.Machine[struct{}, docsearch.In, docsearch.Out]{Step: docsearch.Step, Ops: docsearch.Ops}

func docSearchArea() Area {
	return Area{
		Name:       "docsearch",
		Relation:   Same,
		Bound:      "every set of facts of a file; three files of six kinds in every order under 216 limits, with all their continuations",
		Laws:       law.Infos(laws.DocSearchBook),
		Production: []any{doc.ScopeOf, doc.GrepScope.Share, doc.GrepScope.Continue, doc.GrepScope.Hits, doc.Fit, doc.FileFacts.Fate, (*docs.Docs).Run},
		Exhaust: func(names ...string) (engine.Report, error) {
			return engine.Exhaust(docSearchMachine, Pick(laws.DocSearchBook, names))
		},
		Quick: docSearchQuick,
	}
}

// docSearchQuick searches real trees with the real tool and judges every page by the
// laws, beside a reference that lists everything.
func docSearchQuick() error {
	n := engine.Premises{}
	for seed := range uint64(10) {
		if err := searchTree(engine.NewRandom(seed, 1), n); err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	return nil
}
