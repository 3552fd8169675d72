package shell

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// tally is what wc counts.
type tally struct {
	lines, words, bytes int64
	inWord              bool
	rest                []byte
}

func planWc(p *plan) act {
	set, names, ok := p.options("lwc", "")
	if !ok || !p.readable(names) {
		return nil
	}
	for _, n := range names {
		if fi, err := os.Stat(p.abs(n)); n != "-" && err == nil && fi.IsDir() {
			return nil
		}
	}
	w := &wc{names: names, utf8: p.utf8}
	_, w.l = set['l']
	_, w.w = set['w']
	_, w.c = set['c']
	if len(set) == 0 {
		w.l, w.w, w.c = true, true, true
	}
	return w.run
}

type wc struct {
	names   []string
	l, w, c bool
	utf8    bool
}

func (w *wc) run(d *desk) int {
	names, status, total := w.names, 0, tally{}
	if len(names) == 0 {
		names = []string{"-"}
	}
	width := w.width(d, names)
	for _, n := range names {
		in, err := d.open(n)
		if err != nil {
			status = d.complain("%s: %s", named(n), unixText(err))
			continue
		}
		t := tally{}
		err = w.count(in, &t)
		in.close()
		if d.ctx.Err() != nil {
			return interrupted
		}
		if err != nil {
			status = d.complain("%s: %s", named(n), unixText(err))
		}
		if len(w.names) == 0 {
			n = ""
		}
		w.line(d, t, width, n)
		total.lines, total.words, total.bytes = total.lines+t.lines, total.words+t.words, total.bytes+t.bytes
	}
	if len(names) > 1 {
		w.line(d, total, width, "total")
	}
	return d.end(status)
}

// width is how wide the C tool prints numbers: as wide as the size of all files, and
// 7 when there is something without a size.
func (w *wc) width(d *desk, names []string) int {
	one := w.l != w.w != w.c && !(w.l && w.w && w.c)
	if len(names) == 1 && one {
		return 1
	}
	least, size := 1, int64(0)
	for _, n := range names {
		fi, err := d.statOperand(n)
		switch {
		case err != nil:
		case fi.Mode().IsRegular():
			size += fi.Size()
		default:
			least = 7
		}
	}
	return max(least, len(strconv.FormatInt(size, 10)))
}

func (d *desk) statOperand(name string) (os.FileInfo, error) {
	if name == "-" {
		return (&input{d: d}).stat()
	}
	return os.Stat(absIn(d.dir, name))
}

func (w *wc) line(d *desk, t tally, width int, name string) {
	sep := ""
	for _, x := range []struct {
		on bool
		n  int64
	}{{w.l, t.lines}, {w.w, t.words}, {w.c, t.bytes}} {
		if x.on {
			d.puts(fmt.Sprintf("%s%*d", sep, width, x.n))
			sep = " "
		}
	}
	if name != "" {
		d.puts(" " + name)
	}
	d.puts("\n")
}

func (w *wc) count(in *input, t *tally) error {
	buf := make([]byte, chunk)
	for {
		n, err := in.Read(buf)
		t.bytes += int64(n)
		t.lines += int64(bytes.Count(buf[:n], []byte{'\n'}))
		if w.w {
			t.count(buf[:n], w.utf8)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// count counts words: runs that hold at least one printable character, ended by white
// space.
func (t *tally) count(p []byte, utf bool) {
	if len(t.rest) > 0 {
		p = append(t.rest, p...)
		t.rest = nil
	}
	for len(p) > 0 {
		r, n := rune(p[0]), 1
		if r >= utf8.RuneSelf && utf {
			if !utf8.FullRune(p) {
				t.rest = append([]byte(nil), p...)
				return
			}
			r, n = utf8.DecodeRune(p)
		}
		p = p[n:]
		switch {
		case r == ' ' || r >= '\t' && r <= '\r' || r >= utf8.RuneSelf && utf && unicode.IsSpace(r):
			t.inWord = false
		case !t.inWord && (r > ' ' && r < 0x7f || r >= utf8.RuneSelf && utf && unicode.IsPrint(r)):
			t.inWord = true
			t.words++
		}
	}
}
