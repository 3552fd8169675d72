package term

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"pgregory.net/rapid"
)

// shown is what an emulator shows after the bytes.
func shown(e *vt.Emulator, b []byte) string {
	_, _ = e.Write(b)
	return strings.TrimRight(e.String(), "\n")
}

// TestPaintOnlyWhatChanged: a letter costs one line, no change costs nothing.
func TestPaintOnlyWhatChanged(t *testing.T) {
	var p painter
	e := vt.NewEmulator(10, 3)
	if got := shown(e, p.paint("one\ntwo\nthree", 10, 3, spot{})); got != "one\ntwo\nthree" {
		t.Fatalf("%q", got)
	}
	if b := p.paint("one\ntwo\nthree", 10, 3, spot{}); b != nil {
		t.Errorf("nothing changed, yet it wrote %q", b)
	}
	b := p.paint("one\ntwX\nthree", 10, 3, spot{})
	if strings.Contains(string(b), "one") || strings.Contains(string(b), "three") {
		t.Errorf("it wrote more than the line that changed: %q", b)
	}
	if got := shown(e, b); got != "one\ntwX\nthree" {
		t.Errorf("%q", got)
	}
	p.forget()
	if b := p.paint("one\ntwX\nthree", 10, 3, spot{}); !strings.Contains(string(b), "three") {
		t.Errorf("after forgetting it wrote %q", b)
	}
}

// TestPaintHostile: a line that is too long or that holds control bytes moves nothing.
func TestPaintHostile(t *testing.T) {
	var p painter
	e := vt.NewEmulator(5, 2)
	if got := shown(e, p.paint("abc\rdefgh\x07\b\nlast\nbeyond", 5, 2, spot{})); got != "abcde\nlast" {
		t.Errorf("%q", got)
	}
	if got := shown(e, p.paint("日本語", 5, 2, spot{})); got != "日本" {
		t.Errorf("%q", got)
	}
	if got := shown(e, p.paint("\x1b[31mred", 5, 2, spot{x: 9, y: 9, shown: true})); got != "red" {
		t.Errorf("%q", got)
	}
}

// TestPaintAnything: whatever frames follow each other, in whatever sizes, the screen
// shows the last one as if it were the first.
func TestPaintAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p painter
		e := vt.NewEmulator(8, 4)
		for range rapid.IntRange(1, 8).Draw(t, "frames") {
			w, h := rapid.IntRange(1, 12).Draw(t, "w"), rapid.IntRange(1, 6).Draw(t, "h")
			rows := rapid.SliceOfN(rapid.StringOfN(rapid.RuneFrom([]rune("ab 日\x1b\r")), 0, 14, -1), 0, 8).Draw(t, "rows")
			view := strings.ReplaceAll(strings.Join(rows, "\n"), "\x1b", "\x1b[1m")
			e.Resize(w, h)
			got := shown(e, p.paint(view, w, h, spot{x: 1, y: 1, shown: true}))
			var fresh painter
			if want := shown(vt.NewEmulator(w, h), fresh.paint(view, w, h, spot{})); got != want {
				t.Fatalf("the screen shows %q, a fresh one %q", got, want)
			}
		}
	})
}

// TestPace: a key is painted at once, a stream thirty times a second, and what is
// promised is promised once.
func TestPace(t *testing.T) {
	var p pace
	now := noon
	if paint, _ := p.change(now, false); !paint {
		t.Fatal("the first change waits")
	}
	p.painted(now)
	frames, promises := 0, 0
	for range 1000 {
		now = now.Add(time.Millisecond)
		if p.promised() && !now.Before(p.next) {
			p.painted(now)
			frames++
		}
		paint, wait := p.change(now, false)
		if paint {
			p.painted(now)
			frames++
		}
		if wait > 0 {
			promises++
		}
	}
	if frames < 28 || frames > 31 || promises > 31 {
		t.Errorf("a second of deltas made %d frames and %d promises", frames, promises)
	}
	p.painted(now)
	p.change(now.Add(time.Millisecond), false)
	if paint, wait := p.change(now.Add(2*time.Millisecond), true); paint || wait != 6*time.Millisecond {
		t.Errorf("a key right after a frame: %v %v", paint, wait)
	}
	if paint, _ := p.change(now.Add(10*time.Millisecond), true); !paint {
		t.Error("a key waits behind a stream")
	}
}

// BenchmarkPaint paints a frame of 120 by 40 in which one line differs from the last.
func BenchmarkPaint(b *testing.B) {
	line := "\x1b[38;5;63m" + strings.Repeat("word ", 23) + "\x1b[0m\n"
	views := [2]string{strings.Repeat(line, 39) + "a", strings.Repeat(line, 39) + "b"}
	var p painter
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p.paint(views[i%2], 120, 40, spot{x: 1, y: 39, shown: true})
	}
}

// BenchmarkDecodePaste decodes a paste of 1 MiB as the pty gives it.
func BenchmarkDecodePaste(b *testing.B) {
	text := []byte(pasteStart + strings.Repeat("0123456789abcde\r", 1<<16) + pasteEnd)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		var d decoder
		for rest := text; len(rest) > 0; rest = rest[min(4096, len(rest)):] {
			d.feed(rest[:min(4096, len(rest))], noon)
		}
	}
}
