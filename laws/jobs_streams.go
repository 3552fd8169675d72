package laws

import (
	"tenet/laws/law"
	"tenet/models/jobs"
)

type (
	outputLaw = law.Law[struct{}, jobs.Written, jobs.Bounded]
	pipeLaw   = law.Law[jobs.PipeState, jobs.PipeOp, jobs.Fate]
)

// JobsOutput: no byte of an output is lost without a count (S2).
var JobsOutput = struct {
	// OutputConserved: bytes and lines kept plus those counted as dropped equal what was written, less the control characters and bytes that were replaced, which are counted too; whole lines of the asked end stay within the limit, and past it the file gets every byte.
	OutputConserved outputLaw `law:"output_conserved" rule:"S2"`
}{
	OutputConserved: outputLaw{Func: func(w jobs.Written, out jobs.Bounded) law.Verdict {
		text, stripped, replaced := jobs.Clean(w.Raw())
		kept, cut := jobs.Stays(w.Limits, text)
		c := out.Count
		switch {
		case int(c.Written) != len(w.Raw()) || int(c.Stripped) != stripped || int(c.Replaced) != replaced:
			return law.Broken("%q: %d bytes, %d stripped, %d replaced; counted %+v", w.Raw(), len(w.Raw()), stripped, replaced, c)
		case int(c.Kept) != len(out.Text) || int(c.Kept+c.Dropped) != len(text) || c.Written != c.Kept+c.Dropped+c.Stripped-2*c.Replaced:
			return law.Broken("%q: the text has %d bytes and %d stay; counted %+v", w.Raw(), len(text), len(out.Text), c)
		case int(c.KeptLines) != len(jobs.Lines(out.Text)) || int(c.KeptLines+c.DroppedLines) != len(jobs.Lines(text)):
			return law.Broken("%q: the text has %d lines and %d stay; counted %+v", w.Raw(), len(jobs.Lines(text)), len(jobs.Lines(out.Text)), c)
		case out.Text != kept || out.Cut != cut:
			return law.Broken("of %q %q stays within %+v (cut %v), want %q (cut %v)", text, out.Text, w.Limits, out.Cut, kept, cut)
		case out.Over != (kept != text) || out.Over && out.Spill != text || !out.Over && out.Spill != "":
			return law.Broken("of %q %q stays and the file gets %q", text, out.Text, out.Spill)
		}
		return law.Holds
	}},
}

// JobsOutputBook lists it.
var JobsOutputBook = law.Book[struct{}, jobs.Written, jobs.Bounded]("jobs", &JobsOutput)

// JobsPipe: a pipeline does not outlive its reader (S7.7).
var JobsPipe = struct {
	// PipeClosesUpstream: when a stage of a pipeline has stopped and left nobody with its input, the stage before it stops at its next write, with status 141.
	PipeClosesUpstream pipeLaw `law:"pipe_closes_upstream" rule:"S7.7"`
}{
	PipeClosesUpstream: pipeLaw{Step: func(b jobs.PipeState, op jobs.PipeOp, out jobs.Fate, a jobs.PipeState) law.Verdict {
		if op.Kind != jobs.Writes || b.Stage[op.Stage+1] <= jobs.Runs || b.Heir[op.Stage] {
			return law.Idle
		}
		return law.Check(out == jobs.ByPipe && a.Stage[op.Stage] == jobs.ByPipe, "stage %d writes to one that stopped and is %d", op.Stage, a.Stage[op.Stage])
	}},
}

// JobsPipeBook lists it.
var JobsPipeBook = law.Book[jobs.PipeState, jobs.PipeOp, jobs.Fate]("jobs", &JobsPipe)
