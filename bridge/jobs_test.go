package bridge

import (
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"tenet/bridge/engine"
	"tenet/bridge/engine/trial"
	"tenet/core/output"
	"tenet/laws"
	"tenet/models/jobs"
)

// The check that the shipped binary and the mutants run. No goroutine and no process of
// it stays.
func TestJobsQuick(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	defer report.Time("jobs")()
	if err := jobsQuick(); err != nil {
		t.Fatal(err)
	}
}

// Every history of four operations, on the model and on the table of jobs.
func TestJobsShortHistories(t *testing.T) {
	defer report.Time("jobs")()
	n, err := engine.Every(4, func(src engine.Source) error { return driveJobs(src, engine.Premises{}) })
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d histories", n)
}

// Long histories, which shrink when they fail.
func TestJobsRapid(t *testing.T) {
	defer report.Time("jobs")()
	trial.Check(t, 120, func(src engine.Source) error { return driveJobs(src, engine.Premises{}) })
}

// Outputs and limits beyond those of the search.
func TestJobsOutputRapid(t *testing.T) {
	defer report.Time("jobs")()
	sign := rapid.SampledFrom([]string{"a", "bc", "\n", "\r\n", "\x01", "\x1b[1m", "\xc3", "\xa4", "\u20ac", "\xf0\x9f", "\x98\x80", "\ufeff", "\ufffa", "\xff"})
	rapid.Check(t, func(rt *rapid.T) {
		w := jobs.Written{Limits: output.Limits{Bytes: rapid.IntRange(1, 40).Draw(rt, "bytes"), Lines: rapid.IntRange(1, 9).Draw(rt, "lines"), Direction: output.Direction(rapid.IntRange(0, 1).Draw(rt, "end"))}}
		for i, signs := 0, rapid.SliceOfN(sign, 0, 60).Draw(rt, "signs"); i < len(signs); i++ {
			if i%2 == 0 {
				w.First += signs[i]
			} else {
				w.Second += signs[i]
			}
		}
		_, out := jobs.OutputStep(struct{}{}, w)
		if v := laws.JobsOutput.OutputConserved.Func(w, out); v.Err != nil {
			rt.Fatal(v.Err)
		}
	})
}

// Real processes: pipes, outputs, kills and restarts.
func TestJobsReal(t *testing.T) {
	defer report.Time("jobs")()
	if err := realJobs(); err != nil {
		t.Fatal(err)
	}
}

// FuzzJobs takes its history from bytes.
func FuzzJobs(f *testing.F) {
	f.Add([]byte("\x03\x04\x00\x00\x06\x01\x02\x02\x05"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := driveJobs(&engine.Bytes{B: b[:min(len(b), 200)]}, engine.Premises{}); err != nil {
			t.Fatal(err)
		}
	})
}
