package shell

import (
	"bufio"
	"fmt"
	"io"
	"os"
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
