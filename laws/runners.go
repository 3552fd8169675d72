package laws

import (
	"tenet/core/call"
	"tenet/laws/law"
	"tenet/models/runners"
)

type runnerLaw = law.Law[struct{}, runners.In, runners.Out]

// Runners: every runner of code goes through the gate (G4).
var Runners = struct {
	// GateCoversEveryRunner: every registered tool that can execute code is gated.
	GateCoversEveryRunner runnerLaw `law:"gate_covers_every_runner" rule:"G4"`
	// IpythonGatedEachCall: ipython can execute code, and each of its calls is gated.
	IpythonGatedEachCall runnerLaw `law:"ipython_gated_each_call" rule:"G4"`
	// CellRunsOnlyWithinOrApproved: a gated call runs only if all that its code can do is in the auto set, or on a yes.
	CellRunsOnlyWithinOrApproved runnerLaw `law:"cell_runs_only_within_or_approved" rule:"G4"`
	// CellWithinRunsUnasked: a call whose code can do no more than the auto set holds runs unasked.
	CellWithinRunsUnasked runnerLaw `law:"cell_within_runs_unasked" rule:"G4"`
	// CellApprovedRuns: any other call runs on a yes.
	CellApprovedRuns runnerLaw `law:"cell_approved_runs" rule:"G4"`
	// CellNoYesStops: any other call does not run on a denial, on silence, or without a client.
	CellNoYesStops runnerLaw `law:"cell_no_yes_stops" rule:"G4"`
	// CellExecAsks: code that can start a program is never within an auto set without exec: it asks.
	CellExecAsks runnerLaw `law:"cell_exec_asks" rule:"G4"`
}{
	GateCoversEveryRunner: runnerLaw{Func: func(in runners.In, out runners.Out) law.Verdict {
		if !in.Entry || !out.Tool.Caps.Has(call.Exec) {
			return law.Idle
		}
		return law.Check(out.Tool.Gate != runners.None, "%s can do %v and nothing gates it", out.Tool.Name, out.Tool.Caps)
	}},
	IpythonGatedEachCall: runnerLaw{Func: func(in runners.In, out runners.Out) law.Verdict {
		if !in.Entry || out.Tool.Name != "ipython" {
			return law.Idle
		}
		return law.Check(out.Tool.Caps.Has(call.Exec) && out.Tool.Gate == runners.EachCall, "%+v", out.Tool)
	}},
	CellRunsOnlyWithinOrApproved: runnerLaw{Func: func(in runners.In, out runners.Out) law.Verdict {
		if in.Entry || !out.Runs {
			return law.Idle
		}
		return law.Check(within(in) || in.Answer == runners.Yes, "%+v runs", in)
	}},
	CellWithinRunsUnasked: runnerLaw{Func: func(in runners.In, out runners.Out) law.Verdict {
		if in.Entry || !within(in) {
			return law.Idle
		}
		return law.Check(out.Runs && !out.Asks, "%+v: %+v", in, out)
	}},
	CellApprovedRuns: runnerLaw{Func: func(in runners.In, out runners.Out) law.Verdict {
		if in.Entry || within(in) || in.Answer != runners.Yes {
			return law.Idle
		}
		return law.Check(out.Runs && out.Asks, "%+v: %+v", in, out)
	}},
	CellNoYesStops: runnerLaw{Func: func(in runners.In, out runners.Out) law.Verdict {
		if in.Entry || within(in) || in.Answer == runners.Yes {
			return law.Idle
		}
		return law.Check(!out.Runs, "%+v runs", in)
	}},
	CellExecAsks: runnerLaw{Func: func(in runners.In, out runners.Out) law.Verdict {
		if in.Entry || !in.Caps.Has(call.Exec) || in.Auto.Has(call.Exec) {
			return law.Idle
		}
		return law.Check(out.Asks, "%+v runs unasked", in)
	}},
}

// within is true when the auto set holds all that the code can do; a secret is never in
// it, whatever it says.
func within(in runners.In) bool {
	return in.Caps&^in.Auto == 0 && !in.Caps.Has(call.Secret)
}

// RunnersBook lists them.
var RunnersBook = law.Book[struct{}, runners.In, runners.Out]("runners", &Runners)
