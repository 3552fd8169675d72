package composer

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
)

// A paste of 1 MiB is in the line, and drawn, at once: it is a chip.
func BenchmarkPasteOfOneMiB(b *testing.B) {
	s := strings.Repeat("0123456789abcde\n", 1<<16)
	b.ReportAllocs()
	defer spent(b)()
	for b.Loop() {
		c := fresh(Options{})
		c.Paste(s)
		c.View()
	}
}

// spent reports the processor's time of an op beside the clock's, which other programs
// stretch. It is called when the loop is over.
func spent(b *testing.B) func() {
	used := func() int64 {
		var u syscall.Rusage
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
		return u.Utime.Nano() + u.Stime.Nano()
	}
	from := used()
	return func() { b.ReportMetric(float64(used()-from)/float64(b.N), "cpu-ns/op") }
}

// echo is a key and the frame with it, at 120 cells.
func echo(b *testing.B, c *Composer) {
	c.SetSize(120, 24)
	c.View()
	b.ReportAllocs()
	defer spent(b)()
	for b.Loop() {
		press(c, "a")
		c.View()
		press(c, "backspace")
		c.View()
	}
}

// The time from a key to its echo does not grow with the text: each op is two keys and two
// frames.
func BenchmarkKeyToEcho(b *testing.B) {
	b.Run("empty", func(b *testing.B) { echo(b, fresh(Options{})) })
	b.Run("1MiBPasted", func(b *testing.B) {
		c := fresh(Options{})
		c.Paste(strings.Repeat("0123456789abcde\n", 1<<16))
		echo(b, c)
	})
	b.Run("10kLinesTyped", func(b *testing.B) { echo(b, typedLines(10_000)) })
	b.Run("32KiBLine", func(b *testing.B) {
		c := fresh(Options{})
		c.Set(strings.Repeat("a word ", lineBytes/7))
		press(c, "home")
		echo(b, c)
	})
	b.Run("32KiBLineOfWide", func(b *testing.B) {
		c := fresh(Options{})
		c.Set(strings.Repeat("日本語", lineBytes/9))
		press(c, "home")
		echo(b, c)
	})
}

// typedLines is a text of many lines with the cursor in the middle.
func typedLines(n int) *Composer {
	c := fresh(Options{})
	var s strings.Builder
	for i := range n {
		fmt.Fprintf(&s, "line %d, which somebody typed with patience\n", i)
	}
	c.b.replace(pos{}, pos{}, s.String())
	c.b.moveTo(pos{n / 2, 4})
	return c
}

// A resize costs what is seen.
func BenchmarkResizeTenThousandLines(b *testing.B) {
	c := typedLines(10_000)
	b.ReportAllocs()
	defer spent(b)()
	for b.Loop() {
		c.SetSize(80, 24)
		c.View()
		c.SetSize(120, 24)
		c.View()
	}
}
