package engine

import "testing"

// BenchmarkExhaust searches the largest model of its kind that CI would take: six
// places, 701,547 states and 5.9 million steps.
func BenchmarkExhaust(b *testing.B) {
	for b.Loop() {
		rep, err := Exhaust(slotMachine(6, []uint8{2, 1, 3}, false), slotBook)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(rep.States), "states")
		b.ReportMetric(float64(rep.Steps), "steps")
	}
}
