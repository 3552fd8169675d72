package term

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

var noon = time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)

// name is a message as these tests write it.
func name(m tea.Msg) string {
	switch m := m.(type) {
	case tea.KeyMsg:
		return m.String()
	case Wheel:
		return fmt.Sprintf("wheel%+d,%d", m.Steps, m.Sideways)
	case tea.MouseMsg:
		return fmt.Sprintf("%s@%d,%d", tea.MouseEvent(m).String(), m.X, m.Y)
	case Paste:
		return fmt.Sprintf("paste(%s)", m.Text)
	case tea.FocusMsg:
		return "focus"
	case tea.BlurMsg:
		return "blur"
	}
	return fmt.Sprintf("%T", m)
}

func names(ms []tea.Msg) string {
	var out []string
	for _, m := range ms {
		out = append(out, name(m))
	}
	return strings.Join(out, " ")
}

// all decodes pieces that come one after the other, each gap apart, and then lets all
// time pass.
func all(d *decoder, gap time.Duration, pieces ...string) string {
	now := noon
	var out []string
	add := func(ms []tea.Msg) {
		if len(ms) > 0 {
			out = append(out, names(ms))
		}
	}
	for _, p := range pieces {
		end := now.Add(gap)
		for at, ok := d.deadline(); ok && at.Before(end); at, ok = d.deadline() {
			add(d.expire(at))
		}
		now = end
		add(d.feed([]byte(p), now))
	}
	for at, ok := d.deadline(); ok; at, ok = d.deadline() {
		add(d.expire(at))
	}
	return strings.Join(out, " ")
}

// TestKeys: what terminals send for a key, and which key it is.
func TestKeys(t *testing.T) {
	for _, c := range []struct{ sent, want string }{
		{"a", "a"}, {"é", "é"}, {"日本", "日 本"}, {"👍", "👍"}, {" ", " "},
		{"\r", "enter"}, {"\n", "ctrl+j"}, {"\t", "tab"}, {"\x03", "ctrl+c"}, {"\x7f", "backspace"}, {"\x08", "ctrl+h"}, {"\x00", "ctrl+@"},
		{"\x1b", "esc"}, {"\x1b\x1b", "esc esc"}, {"\x1ba", "alt+a"}, {"\x1b\r", "alt+enter"}, {"\x1b\x7f", "alt+backspace"}, {"\x1bé", "alt+é"}, {"\x1b ", "alt+ "},
		{"\x1b[", "alt+["}, {"\x1bO", "alt+O"}, {"\x1b]", "alt+]"}, {"\x1bP", "alt+P"},
		{"\x1b[A", "up"}, {"\x1bOA", "up"}, {"\x1b[1;2A", "shift+up"}, {"\x1b[1;5C", "ctrl+right"}, {"\x1b[1;6D", "ctrl+shift+left"}, {"\x1b[1;3B", "alt+down"},
		{"\x1b\x1b[A", "alt+up"}, {"\x1b[a", "shift+up"}, {"\x1bOa", "ctrl+up"}, {"\x1bO5A", "ctrl+up"},
		{"\x1b[H", "home"}, {"\x1b[1~", "home"}, {"\x1b[7~", "home"}, {"\x1b[7$", "shift+home"}, {"\x1b[8^", "ctrl+end"}, {"\x1b[4~", "end"}, {"\x1b[1;5F", "ctrl+end"},
		{"\x1b[5~", "pgup"}, {"\x1b[6;5~", "ctrl+pgdown"}, {"\x1b[2~", "insert"}, {"\x1b[3~", "delete"}, {"\x1b[3;5~", "alt+delete"},
		{"\x1bOP", "f1"}, {"\x1b[11~", "f1"}, {"\x1b[[A", "f1"}, {"\x1b[15~", "f5"}, {"\x1b[24~", "f12"}, {"\x1b[1;2P", "f13"}, {"\x1b[34~", "f20"},
		{"\x1b[Z", "shift+tab"}, {"\x1b[I", "focus"}, {"\x1b[O", "blur"}, {"\x1bOM", "enter"}, {"\x1bOp", "0"}, {"\x1bOk", "+"},
		{"\x1b[13;2u", "ctrl+j"}, {"\x1b[27;2;13~", "ctrl+j"}, {"\x1b[13;5u", "ctrl+j"}, {"\x1b[27;5;13~", "ctrl+j"}, {"\x1b[13;3u", "alt+enter"}, {"\x1b[27;3;13~", "alt+enter"}, {"\x1b[13u", "enter"},
		{"\x1b[27u", "esc"}, {"\x1b[99;5u", "ctrl+c"}, {"\x1b[1089::99;5u", "ctrl+c"}, {"\x1b[97;3u", "alt+a"}, {"\x1b[97:65;4u", "alt+A"}, {"\x1b[127;5u", "alt+backspace"}, {"\x1b[9;2u", "shift+tab"}, {"\x1b[32;5u", "ctrl+@"},
		{"\x1b[57414u", "enter"}, {"\x1b[57399u", "0"}, {"\x1b[57417u", "left"}, {"\x1b[97;65u", "a"}, {"\x1b[13;1:1u", "enter"},
		{"ab\x1b[Ac", "a b up c"}, {"x\x1b", "x esc"},
	} {
		var d decoder
		if got := all(&d, 0, c.sent); got != c.want {
			t.Errorf("%q is %q, want %q", c.sent, got, c.want)
		}
		if d.tally.swallowed > 0 {
			t.Errorf("%q: %d bytes swallowed", c.sent, d.tally.swallowed)
		}
	}
}

// TestSwallowed: what means nothing becomes no key, and is counted.
func TestSwallowed(t *testing.T) {
	for _, c := range []struct{ sent, want string }{
		{"\x1b]11;rgb:0000/0000/0000\x1b\\", ""}, {"\x1b]52;c;YQ==\x07", ""}, {"\x1bP>|XTerm(388)\x1b\\a", "a"}, {"\x1b_Gi=1;OK\x1b\\", ""},
		{"\x1b[?62;22c", ""}, {"\x1b[24;80R", ""}, {"\x1b[?2026;2$y", ""}, {"\x1b[201~", ""}, {"\x1b[99~", ""},
		{"\x1b[99;6u", ""}, {"\x1b[99;9u", ""}, {"\x1b[13;1:3u", ""}, {"\x1b[57441u", ""}, {"\x1b[9999999999999u", ""},
		{"\x1b[<65;143", ""}, {"\x1b[<65;1\x03", "ctrl+c"}, {"\x1b[1;\x1b[A", "up"}, {"\x1b]never ends\x03", "ctrl+c"}, {"\x1b]never ends\r", "enter"},
		{"\xff", ""}, {"\xe6\x97", ""}, {"\xe6a", "a"}, {"\u0085", ""},
		{"\x1b[" + strings.Repeat("1", 100) + "A", ""}, {"\x1b[" + strings.Repeat("1", 9000) + "\x1b[A", "up"},
		{"\x1b]" + strings.Repeat("x", 9000) + "\x07a", "a"}, {"\x1bP" + strings.Repeat("x", 9000) + "\x1b\\a", "a"}, {"\x1b]" + strings.Repeat("x", 9000) + "\x03", "ctrl+c"},
	} {
		var d decoder
		if got := all(&d, 0, c.sent); got != c.want {
			t.Errorf("%q is %q, want %q", c.sent, got, c.want)
		}
		if d.tally.swallowed == 0 || d.tally.sequences == 0 {
			t.Errorf("%q: nothing was counted", c.sent)
		}
	}
}

// TestSplit: a slow line splits events anywhere; they stay whole (tui-004). A key of a
// person does not wait for what never comes.
func TestSplit(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		gap    time.Duration
		pieces []string
		want   string
	}{
		{30 * ms, []string{"\x1b", "[A"}, "up"},
		{30 * ms, []string{"\x1b", "[", "A"}, "up"},
		{400 * ms, []string{"\x1b[", "A"}, "up"},
		{400 * ms, []string{"\x1b[1;", "5C"}, "ctrl+right"},
		{400 * ms, []string{"\x1b[<65;14", "3;29M"}, "wheel+1,0"},
		{100 * ms, []string{"\x1b", "a"}, "esc a"},
		{100 * ms, []string{"\x1b", "\x1b"}, "esc esc"},
		{30 * ms, []string{"\xe6\x97", "\xa5\xe6", "\x9c\xac"}, "日 本"},
		{30 * ms, []string{"\x1b[20", "0~a", "b\x1b[2", "01~c"}, "paste(ab) c"},
		{30 * ms, []string{"\x1b]11;rgb:00", "00/0\x1b", "\\a"}, "a"},
	} {
		var d decoder
		if got := all(&d, c.gap, c.pieces...); got != c.want {
			t.Errorf("%q %v apart is %q, want %q", c.pieces, c.gap, got, c.want)
		}
	}
}

// TestSplitAnywhere: however the bytes are split, the events are the same.
func TestSplitAnywhere(t *testing.T) {
	const sent = "a日\x1b[A\x1bOP\x1b[13;2u\x1b[200~x\r\ny\x1b[201~\x1b[I\x1b]0;t\x07é\x1bb\x1b[5~q"
	const want = "a 日 up f1 ctrl+j paste(x\ny) focus é alt+b pgup q"
	for i := range len(sent) {
		for j := i; j <= len(sent); j++ {
			var d decoder
			if got := all(&d, time.Millisecond, sent[:i], sent[i:j], sent[j:]); got != want {
				t.Fatalf("split at %d and %d: %q, want %q", i, j, got, want)
			}
		}
	}
}

// TestPaste: an end of a line is LF (tui-018); a paste that never ends gives the
// keyboard back (tui-002); what is too much is counted.
func TestPaste(t *testing.T) {
	var d decoder
	if got := all(&d, 0, "\x1b[200~a\r\nb\rc\nd\r", "\ne\x1b[A\x1b[201~"); got != "paste(a\nb\nc\nd\ne\x1b[A)" {
		t.Errorf("%q", got)
	}
	d = decoder{}
	if got := all(&d, 600*time.Millisecond, "\x1b[200~abc\x1b[20", "q"); got != "paste(abc\x1b[20) q" {
		t.Errorf("without an end: %q", got)
	}
	d = decoder{}
	big := strings.Repeat("x", pasteMax+7)
	got := d.feed([]byte("\x1b[200~"+big+"\x1b[201~"), noon)
	if p, ok := got[0].(Paste); !ok || len(p.Text) != pasteMax || p.Cut != 7 {
		t.Errorf("a paste of %d bytes: %d messages", len(big), len(got))
	}
	d = decoder{}
	if got := all(&d, 0, "\x1b[200~\xff\xe6\x97\xa5\x1b[201~"); got != "paste(\uFFFD日)" {
		t.Errorf("bytes that are no text: %q", got)
	}
}

// TestWheelBurst: 400 reports in one burst are 400 steps, few messages and no key
// (tui-001).
func TestWheelBurst(t *testing.T) {
	var d decoder
	burst := strings.Repeat("\x1b[<65;143;29M", 400)
	messages, steps := 0, 0
	count := func(ms []tea.Msg) {
		for _, m := range ms {
			w, ok := m.(Wheel)
			if !ok {
				t.Fatalf("%T", m)
			}
			messages, steps = messages+1, steps+w.Steps
		}
	}
	for i := 0; i < len(burst); i += 256 {
		count(d.feed([]byte(burst[i:min(i+256, len(burst))]), noon))
	}
	at, ok := d.deadline()
	if !ok || at.Sub(noon) > mouseGap {
		t.Fatalf("the rest waits until %v", at.Sub(noon))
	}
	count(d.expire(at))
	if messages != 2 || steps != 400 {
		t.Errorf("%d messages with %d steps", messages, steps)
	}
}

// TestMouse: presses and releases keep their order with the wheel and the keys.
func TestMouse(t *testing.T) {
	for _, c := range []struct{ sent, want string }{
		{"\x1b[<0;1;1M\x1b[<0;1;1m", "left press@0,0 left release@0,0"},
		{"\x1b[<0;1;1M\x1b[<32;2;1M\x1b[<32;9;9M\x1b[<0;9;9m", "left press@0,0 left motion@8,8 left release@8,8"},
		{"\x1b[<64;3;4M\x1b[<64;3;4M\x1b[<65;3;4Mx", "wheel-1,0 wheel+0,0 x"},
		{"\x1b[<66;1;1M", "wheel+0,-1"}, {"\x1b[<18;5;6M", "ctrl+right press@4,5"}, {"\x1b[<128;1;1M", "backward press@0,0"},
		{"\x1b[M !!", "left press@0,0"}, {"\x1b[M`!!", "wheel-1,0"},
	} {
		var d decoder
		if got := all(&d, 0, c.sent); got != c.want {
			t.Errorf("%q is %q, want %q", c.sent, got, c.want)
		}
	}
}

// FuzzDecoder: whatever comes, in whatever pieces, nothing panics, every byte is
// accounted for, and nothing waits for ever.
func FuzzDecoder(f *testing.F) {
	for _, s := range []string{"", "\x1b[A", "\x1b[200~ab\x1b[201~", "\x1b]11;?\x07", "\x1b[<65;1;1M\x1b[<65;1;1M", "\x1b\x1b[13;2u", "日本\xff", "\x1b[M\x01", "\x1b[7$\x1b[[A"} {
		f.Add([]byte(s), uint8(3), uint8(20))
	}
	f.Fuzz(func(t *testing.T, b []byte, step, gap uint8) {
		var d decoder
		now, whole := noon, len(b)
		for len(b) > 0 {
			n := min(len(b), int(step)+1)
			now = now.Add(time.Duration(gap) * time.Millisecond)
			if at, ok := d.deadline(); ok && at.Before(now) {
				d.expire(now)
			}
			d.feed(b[:n], now)
			b = b[n:]
		}
		for range 4 {
			if at, ok := d.deadline(); ok {
				d.expire(at)
			}
		}
		if _, ok := d.deadline(); ok || len(d.pend) > 0 || d.paste != nil {
			t.Fatalf("%q still waits", d.pend)
		}
		y := d.tally
		if sum := y.keys + y.mouse + y.paste + y.focus + y.swallowed; sum != whole {
			t.Fatalf("%d bytes came, %d are accounted for: %+v", whole, sum, y)
		}
	})
}
