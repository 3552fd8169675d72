package bridge

import (
	"errors"
	"fmt"

	"tenet/adapters/jobs"
	"tenet/adapters/shell"
	"tenet/bridge/engine"
	core "tenet/core/jobs"
	"tenet/core/output"
	"tenet/laws"
	"tenet/laws/law"
	model "tenet/models/jobs"
)

// The three machines of jobs: the life of calls with the processes of a machine, a
// pipeline, and an output. The first and the last are core closed with their adversary.
var (
	jobsMachine   = engine.Machine[model.State, model.Op, model.Out]{Step: model.Step, Ops: model.Ops}
	pipeMachine   = engine.Machine[model.PipeState, model.PipeOp, model.Fate]{Step: model.PipeStep, Ops: model.PipeOps}
	outputMachine = engine.Machine[struct{}, model.Written, model.Bounded]{Step: model.OutputStep, Ops: model.OutputOps}
)

func jobsArea() Area {
	return Area{
		Name:     "jobs",
		Relation: Same,
		Bound: fmt.Sprintf("%d calls with a budget of %d ticks, %d may run on; %d numbers for process groups, each given %d times, groups that lose their first process; stops, cancels, waits, crashes, reboots and restarts that see environments or not; a pipeline of %d stages; every output of up to %d signs cut at every byte within %d limits",
			model.Calls, model.Budget, model.Live, model.Pids, model.Starts, model.Stages, model.Signs, len(model.OutputLimits)),
		Laws:       append(append(law.Infos(laws.JobsBook), law.Infos(laws.JobsOutputBook)...), law.Infos(laws.JobsPipeBook)...),
		Production: []any{core.Begin, core.Job.Pass, core.Job.Stop, core.Job.End, core.Job.Found, core.Sight.Ours, core.Limits.Blocks, core.Limits.TooMany, core.Limits.Forget, output.New, (*output.Bound).Write, (*jobs.Table).Run, (*jobs.Table).Recover, (*jobs.Table).Close, (*shell.Shell).Start, (*shell.Running).Groups},
		Exhaust:    jobsExhaust,
		Quick:      jobsQuick,
	}
}

// jobsExhaust searches the machines whose laws are asked for.
func jobsExhaust(names ...string) (engine.Report, error) {
	sum := engine.Report{Premises: engine.Premises{}}
	err := errors.Join(
		searched(&sum, jobsMachine, Pick(laws.JobsBook, names)),
		searched(&sum, pipeMachine, Pick(laws.JobsPipeBook, names)),
		searched(&sum, outputMachine, Pick(laws.JobsOutputBook, names)),
	)
	return sum, err
}

// jobsQuick drives the table of jobs beside the model, with scripts and a machine that do
// what the history says, and then real processes where only they can tell.
func jobsQuick() error {
	n := engine.Premises{}
	err := engine.Many(2500, 50, 1, func(src engine.Source) error { return driveJobs(src, n) })
	if err != nil {
		return err
	}
	if idle := engine.Unapplied(laws.JobsBook, n); idle != nil {
		return fmt.Errorf("laws that said nothing: %v", idle)
	}
	return realJobs()
}

// driveJobs runs one history on the model and on production.
func driveJobs(src engine.Source, n engine.Premises) error {
	d := newJobsDesk()
	defer d.close()
	return engine.Drive(src, jobsMachine, d, laws.JobsBook, n)
}
