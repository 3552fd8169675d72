package shell

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"

	"tenet/core/call"
	"tenet/core/script"
)

// run is one script while it runs.
type run struct {
	sh     *Shell
	gate   Gate
	script script.Script
	call   Call
	vars   *vars
	dir    string
	status int
	exited bool
	// looked counts the names that patterns looked at.
	looked int
	// planning is true when nothing is going to run: no program is looked for.
	planning bool
	// wide is true where a character may have several bytes.
	wide bool
	sink *sink
	// errors is the sink of standard error where the two are apart, else nil.
	errors *sink
	tap    *tap
	groups *groups
	steps  []StepResult
	// judged counts the steps the gate was asked about.
	judged int
	// survivors are the processes that a cancel could not end.
	survivors []Survivor
	// background are the groups that steps left running.
	background []leftGroup
	// null is /dev/null, opened for the first process without another input.
	null     *os.File
	nullErr  error
	nullOnce sync.Once
}

func newRun(s *Shell, g Gate, sc script.Script, c Call) *run {
	r := &run{sh: s, gate: g, script: sc, call: c, dir: s.dir, sink: newSink(s.limits), groups: newGroups(s.mark, c.Name)}
	if c.Argv != nil {
		r.sink, r.errors = newSink(s.limits.apart()), newSink(s.limits.apart())
	}
	r.tap = newTap(c.Heard, r.sink, r.errors)
	r.vars = newVars(s.env, s.dir, r.groups.mark)
	r.wide = r.utf8()
	return r
}

// utf8 reports whether the environment's characters are UTF-8.
func (r *run) utf8() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := r.vars.value(name); v != "" {
			return strings.Contains(strings.ReplaceAll(strings.ToUpper(v), "-", ""), "UTF8")
		}
	}
	return false
}

func (r *run) close() {
	r.tap.close()
	if r.null != nil {
		r.null.Close()
	}
}

// all runs the pipelines in order and says how the script ended.
func (r *run) all(ctx context.Context) End {
	if r.call.Argv != nil {
		return r.gated(ctx, []stage{r.program()})
	}
	if r.script.Whole {
		st := r.whole()
		if st.missing != nil {
			return End{Kind: Failed, Err: fmt.Errorf("the script has %s, which needs bash, and there is no bash on PATH; nothing ran. "+
				"Install bash, or write the script as simple commands joined by ; && || and |: %w", r.script.Why, exec.ErrNotFound)}
		}
		return r.gated(ctx, []stage{st})
	}
	for _, p := range r.script.Pipelines {
		if !p.Join.Runs(r.status) {
			r.skip(len(p.Stages))
			continue
		}
		if end := r.gated(ctx, r.stages(p)); end.Kind != Finished {
			return end
		}
	}
	return End{Kind: Finished}
}

// skip passes over the stages of a pipeline that the script leaves out.
func (r *run) skip(stages int) {
	for range stages {
		r.judged++
		r.gate.Skip()
	}
}

// gated confirms each stage and runs them all, or none.
func (r *run) gated(ctx context.Context, stages []stage) End {
	for i := range stages {
		out := r.gate.Confirm(stages[i].step, stages[i].text())
		if !out.Runs {
			return End{Kind: Refused, Step: stages[i].step.N, Verdict: out.Verdict, Answer: out.Answer, Refusal: out.Refusal}
		}
	}
	if ctx.Err() != nil {
		return End{Kind: Cancelled, Err: context.Cause(ctx)}
	}
	if err := r.gate.Start(ctx); err != nil {
		return End{Kind: Failed, Err: fmt.Errorf("step %d did not start: %w", stages[0].step.N, err)}
	}
	if err := r.perform(ctx, stages); err != nil {
		return End{Kind: Failed, Err: err}
	}
	if r.exited {
		return End{Kind: Exited}
	}
	return End{Kind: Finished}
}

// perform runs a permitted pipeline and takes its statuses.
func (r *run) perform(ctx context.Context, stages []stage) error {
	var err error
	if r.errors != nil {
		err = r.apart(ctx, &stages[0])
	} else if len(stages) == 1 && (stages[0].act != nil || len(stages[0].argv) == 0) {
		stages[0].status = r.inline(ctx, &stages[0])
	} else {
		err = r.concurrent(ctx, stages)
	}
	changed := false
	for i := range stages {
		st := &stages[i]
		changed = changed || !st.step.Effects.Within(call.Of(call.Read))
		r.steps = append(r.steps, StepResult{N: st.step.N, Text: st.step.Text, Status: st.status, Effects: st.step.Effects})
	}
	if changed {
		r.sh.judge.Changed()
	}
	r.status = stages[len(stages)-1].status
	return err
}
