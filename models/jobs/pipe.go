package jobs

import "iter"

// Stages is how many stages the pipeline of the model has; pipe i joins stage i to the
// next.
const Stages = 3

// Fate is where a stage stands.
type Fate uint8

// The fates.
const (
	Ahead  Fate = iota // not started yet
	Runs               // it runs
	Left               // it stopped by itself
	ByPipe             // it stopped because nobody reads on: status 141
)

// PipeState is a pipeline on its way. A pipe is open to read for as long as anybody
// holds that end: the stage that reads, tenet itself while it starts stages, and a
// process that the reading stage left behind.
type PipeState struct {
	Stage [Stages]Fate
	// OursRead and OursWrite are the ends of each pipe that tenet holds.
	OursRead, OursWrite [Stages - 1]bool
	// Heir is true while a process left behind holds the read end of the pipe.
	Heir [Stages - 1]bool
	// Full is true when the pipe takes no more.
	Full [Stages - 1]bool
}

// PipeKind is what happens to a stage.
type PipeKind uint8

// The kinds.
const (
	Launch   PipeKind = iota // tenet starts the stage
	Writes                   // the stage writes to its pipe
	Reads                    // the stage reads from the pipe before it
	Leaves                   // the stage stops by itself
	Bequeath                 // the stage stops, and leaves a process with its input behind
	HeirEnds                 // that process ends
)

// PipeOp is one operation on a stage.
type PipeOp struct {
	Kind  PipeKind
	Stage uint8
}

// PipeStep is what must happen. The answer is how the stage stands afterwards.
func PipeStep(s PipeState, op PipeOp) (PipeState, Fate) {
	i := op.Stage
	switch op.Kind {
	case Launch:
		s.launch(i)
	case Writes:
		switch {
		case !s.read(i):
			s.stop(i, ByPipe)
		default:
			s.Full[i] = true // or it waits for room
		}
	case Reads:
		switch {
		case s.Full[i-1]:
			s.Full[i-1] = false
		case !s.written(i - 1):
			s.stop(i, Left)
		}
	case Leaves:
		s.stop(i, Left)
	case Bequeath:
		s.stop(i, Left)
		s.Heir[i-1] = true
	case HeirEnds:
		s.Heir[i-1] = false
	}
	return s, s.Stage[i]
}

// launch starts a stage with its ends, and closes tenet's copies at once: while one of
// them is open, the other side never sees the end.
func (s *PipeState) launch(i uint8) {
	if i < Stages-1 {
		s.OursRead[i], s.OursWrite[i] = true, true
	}
	s.Stage[i] = Runs
	if i < Stages-1 {
		s.OursWrite[i] = false
	}
	if i > 0 {
		s.OursRead[i-1] = false
	}
}

func (s *PipeState) stop(i uint8, f Fate) { s.Stage[i] = f }

// read reports whether anybody may still read the pipe after a stage.
func (s *PipeState) read(i uint8) bool {
	return s.OursRead[i] || s.Stage[i+1] == Runs || s.Heir[i]
}

// written reports whether anybody may still write it.
func (s *PipeState) written(i uint8) bool { return s.OursWrite[i] || s.Stage[i] == Runs }

// PipeOps lists what may happen next.
func PipeOps(s PipeState) iter.Seq[PipeOp] {
	return func(yield func(PipeOp) bool) {
		for i := range uint8(Stages) {
			if i > 0 && s.Heir[i-1] && !yield(PipeOp{Kind: HeirEnds, Stage: i}) {
				return
			}
			if s.Stage[i] == Ahead {
				yield(PipeOp{Kind: Launch, Stage: i})
				return
			}
			if s.Stage[i] == Runs && !s.may(i, yield) {
				return
			}
		}
	}
}

// may is what a running stage may do.
func (s PipeState) may(i uint8, yield func(PipeOp) bool) bool {
	if i < Stages-1 && !yield(PipeOp{Kind: Writes, Stage: i}) {
		return false
	}
	if i > 0 && (!yield(PipeOp{Kind: Reads, Stage: i}) || !yield(PipeOp{Kind: Bequeath, Stage: i})) {
		return false
	}
	return yield(PipeOp{Kind: Leaves, Stage: i})
}
