package wait

import (
	"math"
	"testing"
	"time"
)

// The laws speak about every history within a bound; these are the ends of the
// ranges, which no bound reaches.
func TestLookAtTheEndsOfTheRanges(t *testing.T) {
	for name, c := range map[string]struct {
		deadline, passed time.Duration
		want             End
	}{
		"the longest deadline, nothing passed":    {math.MaxInt64, 0, Waiting},
		"the longest deadline, all of it passed":  {math.MaxInt64, math.MaxInt64, Deadline},
		"the most passed deadline":                {math.MinInt64, 0, Deadline},
		"a clock that went back":                  {1, math.MinInt64, Waiting},
		"a passed deadline and a clock that went": {math.MinInt64, math.MinInt64, Deadline},
	} {
		if got := Begin(c.deadline).Look(Seen{Passed: c.passed}).End; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestEndNames(t *testing.T) {
	for end, want := range map[End]string{Waiting: "waiting", Event: "event", Cancelled: "cancelled", Deadline: "deadline"} {
		if end.String() != want {
			t.Errorf("%d is %q, want %q", end, end, want)
		}
	}
}
