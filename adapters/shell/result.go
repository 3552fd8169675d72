package shell

import (
	"fmt"
	"strings"

	"tenet/core/call"
	"tenet/core/gate"
	"tenet/core/output"
)

// EndKind is how a script ended.
type EndKind uint8

// The ends.
const (
	Finished  EndKind = iota // its last step ran
	Exited                   // exit ran
	Refused                  // a step may not run; nothing after it did
	Cancelled                // the call was cancelled and its processes ended
	Failed                   // it could not run, or not go on
)

var endNames = [...]string{"finished", "exited", "refused", "cancelled", "failed"}

// String names the end as records spell it.
func (k EndKind) String() string { return endNames[k] }

// End is how a script ended, with what belongs to it.
type End struct {
	Kind EndKind
	// Step is the number of the step that was refused when its turn came, 0 when the call
	// was refused whole and nothing of it ran. Verdict is the gate's, Answer how the
	// question ended, and Refusal the gate's text; only when Kind is Refused.
	Step    int
	Verdict gate.Verdict
	Answer  gate.Answer
	Refusal string
	// Err is why, when Kind is Failed or Cancelled.
	Err error
}

// StepResult is one step that ran.
type StepResult struct {
	// N is the step's number in the order they were judged, from 1.
	N int
	// Text is what ran, as a person was shown it.
	Text string
	// Status is the exit status: 127 not found, 126 not runnable, 128+n ended by
	// signal n, 141 stopped because nobody reads on.
	Status int
	// Effects is what the step may have done.
	Effects call.Effects
}

// Bounded is the account of a call's output.
type Bounded struct {
	output.Count
	// Cut is true when a single line was too long and a part of it was kept.
	Cut bool
	// Artifact is the file with the whole output, empty when all of it was kept or no
	// such file is kept.
	Artifact string
	// Lost is the bytes that Artifact does not hold either.
	Lost int64
	// Err is why they were lost, nil when only the file's own bound was passed.
	Err error
	// Held is true when a process in the background still held the output at the end:
	// what it writes later is not seen.
	Held bool
}

// Result is what came of one script.
type Result struct {
	// Steps are the steps that ran, in order.
	Steps []StepResult
	// Output is stdout and stderr of all steps in the order written, within the limits.
	Output string
	// Bounded accounts for what Output does not hold.
	Bounded Bounded
	// Errors and ErrorsBounded are the same for standard error where it is kept apart
	// (Call.Argv); else they are empty.
	Errors        string
	ErrorsBounded Bounded
	// Status is the exit status of the last step that ran.
	Status int
	// End says how the script ended.
	End End
	// Background are the process groups that steps left running.
	Background []int
	// Survivors are the processes that a cancel did not end.
	Survivors []Survivor
}

func (r *run) result(end End) Result {
	res := Result{Steps: r.steps, Status: r.status, End: end, Survivors: r.survivors}
	for _, l := range r.background {
		res.Background = append(res.Background, l.id)
	}
	if end.Kind == Cancelled {
		res.Status = 130
	}
	res.Output, res.Bounded = r.sink.close()
	if r.errors != nil {
		res.Errors, res.ErrorsBounded = r.errors.close()
	}
	return res
}

// Dropped is the bytes of output that the result does not hold.
func (r Result) Dropped() int64 { return r.Bounded.Dropped + r.ErrorsBounded.Dropped }

// Text is the result as the model reads it: the output, what is missing from it, the
// steps that failed, and how the script ended.
func (r Result) Text() string {
	if text := r.SoFarText(); text != "" {
		return text
	}
	return "[no output]\n"
}

// SoFarText is Text without a word for no output: what there is of a call that goes on.
func (r Result) SoFarText() string {
	var b strings.Builder
	b.WriteString(endLine(r.Output))
	if r.Errors != "" {
		b.WriteString("[stderr]\n" + endLine(r.Errors))
	}
	for _, n := range r.notes() {
		fmt.Fprintf(&b, "[%s]\n", n)
	}
	return b.String()
}

// endLine is a text with the end of its last line.
func endLine(s string) string {
	if s != "" && !strings.HasSuffix(s, "\n") {
		return s + "\n"
	}
	return s
}

func (r Result) notes() []string {
	var out []string
	if n := r.Bounded.note(); n != "" {
		out = append(out, n)
	}
	if n := r.ErrorsBounded.note(); n != "" {
		out = append(out, "stderr: "+n)
	}
	if len(r.Background) > 0 {
		out = append(out, fmt.Sprintf("process groups %s still run in the background, until the session ends; what they print from now on is not seen", join(r.Background)))
	}
	for _, s := range r.Steps {
		if s.Status != 0 && len(r.Steps) > 1 {
			out = append(out, fmt.Sprintf("step %d (%s): exit status %d", s.N, brief(s.Text), s.Status))
		}
	}
	for _, s := range r.Survivors {
		out = append(out, fmt.Sprintf("process %d (%s) left its group and still runs", s.PID, s.Name))
	}
	return append(out, r.ending()...)
}

func (r Result) ending() []string {
	switch r.End.Kind {
	case Finished:
		if r.Status == 0 {
			return nil
		}
		return []string{fmt.Sprintf("exit status %d", r.Status)}
	case Exited:
		return []string{fmt.Sprintf("exited with status %d", r.Status)}
	case Refused:
		if r.End.Step == 0 {
			return []string{"refused: nothing of it ran", r.End.Refusal}
		}
		return []string{fmt.Sprintf("refused at step %d: %d steps ran before it; it and all after it did not", r.End.Step, len(r.Steps)), r.End.Refusal}
	case Cancelled:
		return []string{fmt.Sprintf("cancelled after %d steps: %v", len(r.Steps), r.End.Err)}
	case Failed:
		return []string{fmt.Sprintf("failed after %d steps: %v", len(r.Steps), r.End.Err)}
	}
	return nil
}

func (b Bounded) note() string {
	if b.Dropped == 0 {
		return ""
	}
	text := fmt.Sprintf("output bounded: %d bytes in %d lines are above, %d bytes in %d lines are not", b.Kept, b.KeptLines, b.Dropped, b.DroppedLines)
	if b.Cut {
		text = fmt.Sprintf("output bounded: %d bytes of one long line are above, %d bytes in %d other lines are not", b.Kept, b.Dropped, b.DroppedLines)
	}
	if b.Artifact != "" {
		text += "; the whole output is in " + b.Artifact
	}
	if b.Lost > 0 {
		text += fmt.Sprintf(", without its last %d bytes", b.Lost)
	}
	if b.Err != nil {
		text += fmt.Sprintf(" (%v)", b.Err)
	}
	return text
}

// brief is a step's text as a note names it.
func brief(text string) string {
	line, _, more := strings.Cut(text, "\n")
	if len(line) > 80 {
		line, more = strings.ToValidUTF8(line[:80], ""), true
	}
	if more {
		line += "…"
	}
	return line
}

func join(pids []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(pids), " ", ", "), "[]")
}
