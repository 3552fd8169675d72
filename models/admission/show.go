package admission

import (
	"fmt"
	"strings"

	core "tenet/core/admission"
)

// String is the operation as a run shows it: "admit 2 background".
func (o Op) String() string {
	switch o.Kind {
	case Admit:
		return fmt.Sprintf("%v %d %v", o.Kind, o.Place, o.Class)
	case Poll, End, EndAgain:
		return fmt.Sprintf("%v %d", o.Kind, o.Place)
	case Limit:
		return fmt.Sprintf("limit %d, queue %d", o.To.Slots, o.To.Queue)
	}
	return "?"
}

// String is the answer as a run shows it.
func (o Out) String() string {
	switch {
	case o.Refused:
		return "refused"
	case o.Changed:
		return "ended by this"
	}
	return o.Status.String()
}

// String is the provider as a run shows it, its live tickets under their names:
// "limit 2, queue 2: 0 background held #1, 3 interactive queued #0 owed 2".
func (s State) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "limit %d, queue %d", s.Limits.Slots, s.Limits.Queue)
	sep := ": "
	for p, t := range s.T {
		if t.Status == core.Ended {
			continue
		}
		fmt.Fprintf(&b, "%s%d %v %v #%d", sep, p, t.Class, t.Status, t.Age)
		if t.Owed > 0 {
			fmt.Fprintf(&b, " owed %d", t.Owed)
		}
		sep = ", "
	}
	return b.String()
}
