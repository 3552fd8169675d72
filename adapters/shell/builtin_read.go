package shell

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"unicode"
	"unicode/utf8"
)

const chunk = 64 << 10

func planCat(p *plan) act {
	set, names, ok := p.options("nu", "")
	if len(names) == 0 {
		names = []string{"-"}
	}
	if !ok || !p.readable(names) {
		return nil
	}
	_, number := set['n']
	return func(d *desk) int {
		c := cat{d: d, number: number, atStart: true}
		status := 0
		for _, n := range names {
			if !c.file(n) {
				status = 1
			}
			if d.status != 0 {
				break
			}
		}
		return d.end(status)
	}
}

type cat struct {
	d       *desk
	number  bool
	line    int
	atStart bool
}

func (c *cat) file(name string) bool {
	in, err := c.d.open(name)
	if err != nil {
		c.d.complain("%s: %s", named(name), unixText(err))
		return false
	}
	defer in.close()
	if c.writesItself(in) {
		c.d.complain("%s: input file is output file", named(name))
		return false
	}
	if c.number {
		err = c.lines(in)
	} else {
		c.d.wrote(c.d.out.Flush())
		_, err = io.CopyBuffer(writerOnly{c.d}, in, make([]byte, chunk))
	}
	if err != nil && c.d.status == 0 && c.d.ctx.Err() == nil {
		c.d.complain("%s: %s", named(name), unixText(err))
		return false
	}
	return true
}

// writerOnly hands chunks straight on: they are large enough.
type writerOnly struct{ d *desk }

// Write writes one chunk past the buffer.
func (w writerOnly) Write(p []byte) (int, error) {
	n, err := w.d.dest.Write(p)
	if !w.d.wrote(err) {
		return n, errStopped
	}
	return n, nil
}

var errStopped = fmt.Errorf("the reader is gone")

// writesItself: cat f >> f would never end.
func (c *cat) writesItself(in *input) bool {
	out, ok := c.d.dest.(*os.File)
	if !ok || in.file == nil && c.d.in == nil {
		return false
	}
	a, err := in.stat()
	b, err2 := out.Stat()
	return err == nil && err2 == nil && b.Mode().IsRegular() && os.SameFile(a, b) && a.Size() > 0
}

func (c *cat) lines(in io.Reader) error {
	r := bufio.NewReaderSize(in, chunk)
	for {
		part, err := r.ReadSlice('\n')
		if len(part) > 0 {
			if c.atStart {
				c.line++
				c.d.puts(fmt.Sprintf("%6d\t", c.line))
			}
			c.atStart = part[len(part)-1] == '\n'
			if !c.d.put(part) {
				return nil
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil && err != bufio.ErrBufferFull {
			return err
		}
	}
}

// ends is what head and tail have in common.
type ends struct {
	n       int64
	bytes   bool
	fromTop bool // tail -n +N
	names   []string
	headers bool
}

func planHead(p *plan) act {
	e, ok := p.ends(false)
	if !ok {
		return nil
	}
	return func(d *desk) int { return e.each(d, e.head) }
}

func planTail(p *plan) act {
	e, ok := p.ends(true)
	// A window in memory only for what fits there.
	if !ok || !e.fromTop && (e.bytes && e.n > 16<<20 || e.n > 16<<20) {
		return nil
	}
	return func(d *desk) int { return e.each(d, e.tail) }
}

func (p *plan) ends(tail bool) (*ends, bool) {
	q := *p
	if len(q.args) > 0 && len(q.args[0]) > 1 && q.args[0][0] == '-' && q.args[0][1] >= '0' && q.args[0][1] <= '9' {
		if tail && len(q.args) > 2 {
			return nil, false // the old form takes one file
		}
		q.args = append([]string{"-n", q.args[0][1:]}, q.args[1:]...)
	}
	set, names, ok := q.options("qv", "nc")
	if !ok {
		return nil, false
	}
	e := &ends{n: 10, names: names}
	for _, c := range []byte("nc") {
		if v, has := set[c]; has && !e.count(v, c == 'c', tail) {
			return nil, false
		}
	}
	_, quiet := set['q']
	_, verbose := set['v']
	_, lines := set['n']
	_, count := set['c']
	if len(names) == 0 {
		e.names = []string{"-"}
	}
	e.headers = (len(names) > 1 || verbose) && !quiet
	return e, !(quiet && verbose || lines && count) && p.readable(e.names)
}

func (e *ends) count(v string, bytes, tail bool) bool {
	if tail && len(v) > 1 && v[0] == '+' {
		e.fromTop, v = true, v[1:]
	}
	for i := range len(v) {
		if v[i] < '0' || v[i] > '9' {
			return false
		}
	}
	n, err := strconv.ParseInt(v, 10, 63)
	e.n, e.bytes = n, bytes
	return err == nil
}

func (e *ends) each(d *desk, do func(*desk, *input) error) int {
	status, first := 0, true
	for _, n := range e.names {
		in, err := d.open(n)
		if err != nil {
			status = d.complain("cannot open %s for reading: %s", quoted(n), unixText(err))
			continue
		}
		if e.headers {
			e.header(d, n, first)
		}
		first = false
		err = do(d, in)
		in.close()
		if d.status != 0 || d.ctx.Err() != nil {
			break
		}
		if err != nil {
			status = d.complain("error reading %s: %s", quoted(n), unixText(err))
		}
	}
	return d.end(status)
}

func (e *ends) header(d *desk, name string, first bool) {
	if name == "-" {
		name = "standard input"
	}
	if !first {
		d.puts("\n")
	}
	d.puts("==> " + name + " <==\n")
}

func (e *ends) head(d *desk, in *input) error {
	if e.bytes {
		_, err := io.CopyBuffer(putter{d}, io.LimitReader(in, e.n), make([]byte, chunk))
		return err
	}
	if e.n == 0 {
		return nil
	}
	r := bufio.NewReaderSize(in, chunk)
	for left := e.n; left > 0; {
		part, err := r.ReadSlice('\n')
		if !d.put(part) || err == io.EOF {
			return nil
		}
		switch err {
		case nil:
			left--
		case bufio.ErrBufferFull:
		default:
			return err
		}
	}
	return nil
}

// putter writes through the desk's buffer.
type putter struct{ d *desk }

// Write buffers p.
func (w putter) Write(p []byte) (int, error) {
	if !w.d.put(p) {
		return 0, errStopped
	}
	return len(p), nil
}

// maxTail bounds what tail holds of an endless line.
const maxTail = 256 << 20

func (e *ends) tail(d *desk, in *input) error {
	if e.fromTop {
		return e.from(d, in)
	}
	if _, err := in.Read(nil); err != nil && err != io.EOF {
		return err
	}
	if e.n == 0 {
		return nil
	}
	if err := e.seek(in); err != nil {
		return err
	}
	var held []byte
	buf := make([]byte, chunk)
	for {
		n, err := in.Read(buf)
		held = append(held, buf[:n]...)
		if len(held) > maxTail {
			d.complain("memory exhausted")
			return nil
		}
		if len(held) > 1<<20 && n > 0 && cap(held)-len(held) < chunk {
			held = append([]byte(nil), held[e.start(held):]...)
		}
		if err == io.EOF {
			d.put(held[e.start(held):])
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// start is where the last n bytes or lines begin.
func (e *ends) start(p []byte) int {
	if e.bytes {
		return max(0, len(p)-int(e.n))
	}
	at := len(p)
	if at > 0 && p[at-1] == '\n' {
		at--
	}
	for range e.n {
		if at = bytes.LastIndexByte(p[:at], '\n'); at < 0 {
			return 0
		}
	}
	return at + 1
}

// seek skips what cannot be in the window of a regular file: it walks back chunk by
// chunk until enough lines stand after the place.
func (e *ends) seek(in *input) error {
	fi, err := in.stat()
	if in.file == nil || err != nil || !fi.Mode().IsRegular() {
		return nil
	}
	at, lines, buf := fi.Size(), int64(0), make([]byte, chunk)
	for at > 0 {
		from := max(0, at-chunk)
		n, err := in.file.ReadAt(buf[:at-from], from)
		if err != nil && err != io.EOF {
			return err
		}
		at = from
		lines += int64(bytes.Count(buf[:n], []byte{'\n'}))
		if e.bytes && fi.Size()-at >= e.n || !e.bytes && lines > e.n {
			break
		}
	}
	_, err = in.file.Seek(at, io.SeekStart)
	return err
}

// from copies from the nth line or byte on.
func (e *ends) from(d *desk, in *input) error {
	r := bufio.NewReaderSize(in, chunk)
	for left := e.n - 1; left > 0; {
		if e.bytes {
			n, err := r.Discard(int(min(left, chunk)))
			left -= int64(n)
			if err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			continue
		}
		_, err := r.ReadSlice('\n')
		switch err {
		case nil:
			left--
		case bufio.ErrBufferFull:
		case io.EOF:
			return nil
		default:
			return err
		}
	}
	_, err := io.CopyBuffer(putter{d}, onlyReader{r}, make([]byte, chunk))
	if err == errStopped {
		return nil
	}
	return err
}

type onlyReader struct{ io.Reader }

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
