package shell

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
)

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

// maxTail bounds what tail holds of a line that comes through a pipe.
const maxTail = 64 << 20

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
	buf := make([]byte, chunk)
	if ok, err := e.seek(in); ok || err != nil {
		if err == nil {
			_, err = io.CopyBuffer(putter{d}, onlyReader{in}, buf)
		}
		if err == errStopped {
			return nil
		}
		return err
	}
	var held []byte
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

// seek moves a regular file to where its window begins; ok is false for anything
// else. The window is then copied as it is, however long a line of it may be.
func (e *ends) seek(in *input) (ok bool, err error) {
	fi, err := in.stat()
	if in.file == nil || err != nil || !fi.Mode().IsRegular() {
		return false, nil
	}
	at := max(0, fi.Size()-e.n)
	if !e.bytes {
		at, err = e.lineStart(in.file, fi.Size())
	}
	if err == nil {
		_, err = in.file.Seek(at, io.SeekStart)
	}
	return true, err
}

// lineStart is where the last n lines begin; it walks back chunk by chunk. A line feed
// at the very end ends the last line and begins none.
func (e *ends) lineStart(f io.ReaderAt, size int64) (int64, error) {
	buf, left := make([]byte, chunk), e.n
	for at := size; at > 0; {
		from := max(0, at-chunk)
		n, err := f.ReadAt(buf[:at-from], from)
		if err != nil && err != io.EOF {
			return 0, err
		}
		for i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0; i = bytes.LastIndexByte(buf[:i], '\n') {
			if from+int64(i) == size-1 {
				continue
			}
			if left--; left == 0 {
				return from + int64(i) + 1, nil
			}
		}
		at = from
	}
	return 0, nil
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
