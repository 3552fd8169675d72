package tui

import (
	"fmt"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tenet/core/event"
	"tenet/tui/term"
)

// filled is an interface with a transcript of n items.
func filled(b *testing.B, n int) *model {
	m, _ := quiet(b, 120, 40)
	prev := event.NoSum
	for i := range n {
		var line []byte
		var body event.Body = event.Notice{Type: "tenet.x", Text: fmt.Sprintf("row %d", i)}
		switch i % 4 {
		case 0:
			body = event.Prompt{Text: fmt.Sprintf("prompt %d", i)}
		case 1:
			body = event.Reply{Text: fmt.Sprintf("answer **%d** with `code` and words that go on for a while so that the line breaks", i)}
		case 2:
			body = event.Ending{How: "answered", Rounds: 1}
		}
		line, prev = event.Encode(nil, prev, uint64(i+1), start0, body)
		head, _ := event.Cut(line[:len(line)-1])
		m.record(head.Record())
	}
	m.place()
	_ = m.View()
	return m
}

// A whole frame, with nothing changed and after one key: what it costs hangs on the screen
// and not on the length of the transcript.
func BenchmarkFrame(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		m := filled(b, n)
		b.Run(fmt.Sprintf("still/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = m.View()
			}
		})
		b.Run(fmt.Sprintf("key/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("a")}
				if i++; i%2 == 0 {
					k = tea.KeyMsg{Type: tea.KeyBackspace}
				}
				m.Update(k)
				_ = m.View()
			}
		})
		b.Run(fmt.Sprintf("delta/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			m.transcript.Live(event.Live{Kind: event.LiveDelta, Text: "begin "})
			for b.Loop() {
				m.transcript.Live(event.Live{Kind: event.LiveDelta, Text: "word "})
				_ = m.View()
			}
		})
		b.Run(fmt.Sprintf("scroll/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m.wheel(term.Wheel{Steps: -1})
				_ = m.View()
			}
		})
	}
}

// BenchmarkPaste is a paste of 1 MiB to the frame that shows its chip.
func BenchmarkPaste(b *testing.B) {
	m, now := quiet(b, 120, 40)
	text := string(make([]byte, 0, 1<<20))
	for len(text) < 1<<20 {
		text += "a line of a paste that is long enough to count\n" + text
	}
	text = text[:1<<20]
	for b.Loop() {
		*now = now.Add(time.Second)
		m.composer.Set("")
		m.Update(term.Paste{Text: text})
		_ = m.View()
	}
}
