package bridge

import (
	"iter"
	"slices"
	"testing"

	"tenet/bridge/engine"
	"tenet/bridge/engine/trial"
	core "tenet/core/admission"
	"tenet/laws"
	"tenet/models/admission"
)

// Production beside the model on every history of five operations, up to the names
// of the requests: a new one takes the first free name.
func TestAdmissionShortHistories(t *testing.T) {
	defer report.Time("admission")()
	m := admissionMachine
	m.Ops = firstNames
	o := &engine.Odometer{Depth: 5}
	n, histories := engine.Premises{}, 0
	for more := true; more; more = o.Next() {
		histories++
		if err := engine.Drive(o, m, newAdmitted(), laws.AdmissionBook, n); err != nil {
			t.Fatalf("history %d: %v", histories, err)
		}
	}
	if idle := engine.Unapplied(laws.AdmissionBook, n); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	report.Histories("admission", histories)
	t.Logf("%d histories, premises %v", histories, n)
}

// firstNames is the model's operations on live tickets and on the first free name.
func firstNames(s admission.State) iter.Seq[admission.Op] {
	free := slices.IndexFunc(s.T[:], func(t admission.Ticket) bool { return t.Status == core.Ended })
	return func(yield func(admission.Op) bool) {
		for op := range admission.Ops(s) {
			named := op.Kind == admission.Limit || int(op.Place) == free || s.T[op.Place].Status != core.Ended
			if named && !yield(op) {
				return
			}
		}
	}
}

// Long histories: some that shrink when they fail, and more from a seed.
func TestAdmissionLongHistories(t *testing.T) {
	defer report.Time("admission")()
	n := engine.Premises{}
	run := func(src engine.Source) error {
		return engine.Drive(src, admissionMachine, newAdmitted(), laws.AdmissionBook, n)
	}
	histories := trial.Check(t, 150, run)
	for seed := range uint64(1000) {
		if err := run(engine.NewRandom(seed+1_000_000, 120)); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		histories++
	}
	if idle := engine.Unapplied(laws.AdmissionBook, n); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	report.Histories("admission", histories)
	t.Logf("%d histories, premises %v", histories, n)
}

// The fuzzer's bytes are the choices; the seeds reach a preemption, a grant that is
// taken back, and a limit that drains.
func FuzzAdmission(f *testing.F) {
	f.Add([]byte{4, 9, 3, 12, 1, 20, 7, 2, 2, 0, 5, 8})
	f.Add([]byte{4, 7, 9, 21, 2, 5, 3, 17, 0, 11, 30, 2, 6})
	f.Fuzz(func(t *testing.T, choices []byte) {
		src := &engine.Bytes{B: choices[:min(len(choices), 200)]}
		if err := engine.Drive(src, admissionMachine, newAdmitted(), laws.AdmissionBook, engine.Premises{}); err != nil {
			t.Fatal(err)
		}
	})
}
