package shell

import (
	"fmt"
	"path"
	"slices"

	"tenet/core/call"
	"tenet/core/effect"
	"tenet/core/script"
)

// Plan is the steps of a script as they would be judged if each of them ran, with
// nothing of it run. The error is about a text that no shell can read.
func (s *Shell) Plan(src string) ([]call.Step, error) {
	sc, err := s.parse(src)
	if err != nil {
		return nil, err
	}
	return s.plan(sc, Call{}), nil
}

// PlanArgv is Plan for a program without a shell (Call.Argv).
func (s *Shell) PlanArgv(argv []string) ([]call.Step, error) {
	if err := checkArgv(argv); err != nil {
		return nil, err
	}
	return s.plan(script.Script{}, Call{Argv: argv}), nil
}

// plan follows variables, export and cd as far as a script in the step grammar can move
// them; a cd is taken to succeed. What comes out otherwise when the script runs is
// judged again then (Gate.Confirm).
func (s *Shell) plan(sc script.Script, c Call) []call.Step {
	r := newRun(s, nil, sc, c)
	r.planning = true
	if c.Argv != nil {
		return []call.Step{r.program().step}
	}
	if sc.Whole {
		return []call.Step{r.whole().step}
	}
	var steps []call.Step
	for _, p := range sc.Pipelines {
		stages := r.stages(p)
		for i := range stages {
			steps = append(steps, stages[i].step)
		}
		if len(stages) == 1 {
			r.follow(&stages[0])
		}
	}
	return steps
}

// follow moves the state of the shell as a lone stage would.
func (r *run) follow(st *stage) {
	if len(st.argv) == 0 {
		for _, a := range st.assigns {
			r.vars.assign(a.name, a.value)
		}
		return
	}
	switch st.argv[0] {
	case "cd":
		if to, _, fault := r.destination(st.argv[1:], r.with(st.assigns, "HOME")); fault == "" && to != "" {
			r.enter(path.Clean(absIn(r.dir, to)))
		}
	case "export":
		r.export(st.argv[1:])
	}
}

// stages expands and judges every stage of a pipeline; nothing of it is open.
func (r *run) stages(p script.Pipeline) []stage {
	stages := make([]stage, len(p.Stages))
	commands := make([]effect.Command, len(p.Stages))
	for i, st := range p.Stages {
		r.expand(&stages[i], st)
		if !r.planning {
			r.resolve(&stages[i])
		}
		commands[i] = stages[i].command()
	}
	effect.Pipe(commands)
	for i := range stages {
		f := r.finding(&stages[i], commands[i])
		if f.Relinks && len(stages) > 1 {
			f.Effects = f.Effects.With(call.Of(call.Exec))
			f.Notes = append(f.Notes, relinks)
		}
		r.describe(&stages[i], f)
	}
	return stages
}

// relinks is why such a stage is exec: every stage was judged before any of them runs,
// so a link made by one would lead another to a place that nobody judged.
const relinks = "it changes where names lead while the other stages of its pipeline run; as a step of its own it would be judged by its own effects"

// finding is what the stage may do with the names that its patterns stand for now, and
// which commands it holds with the patterns as they are written: rm -rf /* is what it
// says, whatever stands in / at the moment.
func (r *run) finding(st *stage, c effect.Command) effect.Finding {
	f := r.sh.judge.Command(r.dir, c)
	if !slices.ContainsFunc(st.marked, script.HasPattern) {
		return f
	}
	c.Argv, c.Patterns = st.marked, make([]bool, len(st.marked))
	for i, m := range st.marked {
		if c.Patterns[i] = script.HasPattern(m); !c.Patterns[i] {
			c.Argv = slices.Clone(c.Argv)
			c.Argv[i] = script.Unquoted(m)
		}
	}
	written := r.sh.judge.Command(r.dir, c)
	f.Commands, f.Hazards, f.Class = written.Commands, written.Hazards, written.Class
	return f
}

// whole is the script as one step of bash.
func (r *run) whole() stage {
	st := stage{argv: []string{"bash", "-c", r.script.Text}, line: 1}
	if !r.planning {
		r.resolve(&st)
	}
	r.describe(&st, r.sh.judge.Whole(r.dir, r.script.File))
	st.step.Text = script.ShownScript(r.script.Text)
	st.shown = st.step.Text
	return st
}

// describe makes the step that the gate judges and a person is shown.
func (r *run) describe(st *stage, f effect.Finding) {
	r.judged++
	st.step = call.Step{
		N: r.judged, Text: st.written(), Effects: f.Effects, Notes: f.Notes,
		Class: f.Class, Commands: f.Commands, Hazards: f.Hazards, Paths: f.Paths,
	}
	st.step.Notes = slices.Concat(st.step.Notes, r.call.Notes)
	if r.dir != r.sh.dir {
		st.step.Dir = r.dir
	}
	if r.looked > maxLooked {
		st.step.Failed = fmt.Sprintf("its patterns look at more than %d names", maxLooked)
	}
	// The repository's own configuration must not make git run a program.
	st.env, st.argv = effect.HardenEnv(st.argv), r.sh.harden(st.argv)
}
