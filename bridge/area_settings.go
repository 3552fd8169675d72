package bridge

import (
	"errors"
	"fmt"

	"tenet/bridge/engine"
	"tenet/bridge/engine/crash"
	"tenet/laws"
	"tenet/models/settings"
)

// grantMachine is the machine of standing grants, under every kill. Its laws belong to
// the area permission.
var grantMachine = engine.Machine[settings.State, settings.Op, settings.Out]{Step: settings.Step, Ops: settings.Ops}

// grantsExhaust searches the machine of grants with the laws that have one of the
// names.
func grantsExhaust(sum *engine.Report, names []string) error {
	return searched(sum, grantMachine, Pick(laws.GrantsBook, names))
}

// grantsQuick drives the editor of settings beside the machine through every history
// of two events and seeded longer ones, and through every crash of a grant's writes on
// a disk that separates visible from durable.
func grantsQuick() error {
	if err := grantsShort(2); err != nil {
		return err
	}
	for seed := range uint64(60) {
		src := engine.NewRandom(seed, 20)
		if err := engine.Drive(src, grantMachine, newGrantSystem(), laws.GrantsBook, engine.Premises{}); err != nil {
			return fmt.Errorf("history of seed %d: %w", seed, err)
		}
	}
	var errs []error
	for _, loss := range []crash.Loss{crash.Kill, crash.PowerLoss} {
		for _, from := range []settings.Content{0, settings.Of(settings.Theirs)} {
			_, err := grantCrashes(loss, from)
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// grantsShort drives every history of so many events.
func grantsShort(depth int) error {
	for o := (&engine.Odometer{Depth: depth}); ; {
		if err := engine.Drive(o, grantMachine, newGrantSystem(), laws.GrantsBook, engine.Premises{}); err != nil {
			return fmt.Errorf("history %v: %w", o.Choices(), err)
		}
		if !o.Next() {
			return o.Err()
		}
	}
}
