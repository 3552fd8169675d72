package shell

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"
)

// grep is one planned search. Its order in a tree is that of the directories, as the
// real tool's is.
type grep struct {
	m       *matcher
	names   []string
	deep    bool
	invert  bool
	count   bool
	list    bool
	quiet   bool
	silent  bool
	only    bool
	number  bool
	prefix  int // 1 always, -1 never, 0 when there is more than one file
	max     int64
	utf8    bool
	matched bool
	failed  bool
}

func planGrep(p *plan) act {
	set, rest, ok := p.options("nivclhHrEFwxqso", "em")
	if !ok || has(set, 'E') && has(set, 'F') || has(set, 'h') && has(set, 'H') {
		return nil
	}
	pattern, given := set['e']
	if !given {
		if len(rest) == 0 {
			return nil
		}
		pattern, rest = rest[0], rest[1:]
	}
	g := &grep{names: rest, deep: has(set, 'r'), invert: has(set, 'v'), count: has(set, 'c'), list: has(set, 'l'),
		quiet: has(set, 'q'), silent: has(set, 's'), only: has(set, 'o'), number: has(set, 'n'), max: -1, utf8: p.utf8}
	g.m = newMatcher(pattern, set, p.utf8)
	if g.m == nil || !g.limits(set) || !g.operands(p) {
		return nil
	}
	return g.run
}

// limits reads -m and the name options; it refuses what would combine oddly.
func (g *grep) limits(set map[byte]string) bool {
	if v, ok := set['m']; ok {
		n, err := strconv.ParseInt(v, 10, 63)
		if err != nil || n < 1 || v[0] == '+' {
			return false
		}
		g.max = n
	}
	if has(set, 'H') {
		g.prefix = 1
	} else if has(set, 'h') {
		g.prefix = -1
	}
	modes := 0
	for _, on := range []bool{g.count, g.list, g.quiet, g.only} {
		if on {
			modes++
		}
	}
	return modes <= 1 && !(g.only && g.invert) && !(g.max > 0 && modes > 0)
}

func (g *grep) operands(p *plan) bool {
	if !p.readable(g.names) {
		return false
	}
	for _, n := range g.names {
		if fi, err := os.Stat(p.abs(n)); n != "-" && err == nil && fi.IsDir() && !g.deep {
			return false
		}
	}
	return true
}

func (g *grep) run(d *desk) int {
	names := g.names
	switch {
	case len(names) == 0 && g.deep:
		g.tree(d, ".", "")
	case len(names) == 0:
		g.operand(d, "-")
	}
	if len(names) > 1 && g.prefix == 0 {
		g.prefix = 1
	}
	for _, n := range names {
		if g.stopped(d) {
			break
		}
		g.operand(d, n)
	}
	return d.end(g.status(d))
}

func (g *grep) status(d *desk) int {
	switch {
	case d.ctx.Err() != nil:
		return interrupted
	case g.matched && g.quiet:
		return 0
	case g.failed:
		return 2
	case g.matched:
		return 0
	}
	return 1
}

func (g *grep) stopped(d *desk) bool {
	return d.status != 0 || d.ctx.Err() != nil || g.quiet && g.matched
}

func (g *grep) operand(d *desk, name string) {
	if fi, err := os.Stat(absIn(d.dir, name)); name != "-" && err == nil && fi.IsDir() {
		g.tree(d, name, strings.TrimRight(name, "/")+"/")
		return
	}
	in, err := d.open(name)
	if err != nil {
		g.error(d, name, err)
		return
	}
	defer in.close()
	if name == "-" {
		name = "(standard input)"
	}
	g.search(d, in, name, g.prefix > 0)
}

func (g *grep) error(d *desk, name string, err error) {
	g.failed = true
	if !g.silent {
		d.complain("%s: %s", name, unixText(err))
	}
}

// tree searches below a directory; links in it are not followed.
func (g *grep) tree(d *desk, dir, shown string) {
	f, err := os.Open(absIn(d.dir, dir))
	if err != nil {
		g.error(d, dir, err)
		return
	}
	entries, err := f.ReadDir(-1)
	f.Close()
	if err != nil {
		g.error(d, dir, err)
	}
	for _, e := range entries {
		name := shown + e.Name()
		switch {
		case g.stopped(d):
			return
		case e.IsDir():
			g.tree(d, name, name+"/")
		case e.Type().IsRegular():
			g.treeFile(d, name)
		}
	}
}

func (g *grep) treeFile(d *desk, name string) {
	in, err := d.open(name)
	if err != nil {
		g.error(d, name, err)
		return
	}
	defer in.close()
	g.search(d, in, name, g.prefix >= 0)
}

// search is one file. A file with a NUL, or with bytes that are no characters, is
// binary: that it matches is said, its lines are not shown.
func (g *grep) search(d *desk, in *input, name string, prefix bool) {
	if g.writesItself(d, in) {
		g.failed = true
		d.complain("%s: input file is also the output", name)
		return
	}
	r := bufio.NewReaderSize(in, 96<<10)
	_, _ = r.Peek(1)
	start, _ := r.Peek(r.Buffered())
	s := &searched{g: g, d: d, binary: g.isBinary(start, r.Buffered() < 96<<10)}
	if prefix {
		s.prefix = name + ":"
	}
	err := s.lines(r)
	switch {
	case g.count:
		d.puts(s.prefix + strconv.FormatInt(s.hits, 10) + "\n")
	case g.list && s.hits > 0:
		d.puts(name + "\n")
	case s.binary && s.hits > 0 && !g.quiet:
		d.puts("grep: " + name + ": binary file matches\n")
	}
	g.matched = g.matched || s.hits > 0
	if err != nil && d.ctx.Err() == nil {
		g.error(d, name, err)
	}
}

func (g *grep) writesItself(d *desk, in *input) bool {
	out, ok := d.dest.(*os.File)
	if !ok || g.quiet || g.list || in.file == nil {
		return false
	}
	a, err := in.stat()
	b, err2 := out.Stat()
	return err == nil && err2 == nil && b.Mode().IsRegular() && os.SameFile(a, b)
}

// isBinary looks at the start of a file. whole says that p does not end in the middle
// of a character for want of room.
func (g *grep) isBinary(p []byte, whole bool) bool {
	if bytes.IndexByte(p, 0) >= 0 {
		return true
	}
	if !g.utf8 {
		return false
	}
	if !whole {
		for i := 0; i < utf8.UTFMax-1 && len(p) > 0 && !utf8.RuneStart(p[len(p)-1]); i++ {
			p = p[:len(p)-1]
		}
		p = p[:max(0, len(p)-1)]
	}
	return !utf8.Valid(p)
}

// searched is one file being searched.
type searched struct {
	g      *grep
	d      *desk
	prefix string
	binary bool
	hits   int64
}

// maxLine bounds one line in memory.
const maxLine = 64 << 20

func (s *searched) lines(r *bufio.Reader) error {
	var long []byte
	for n := int64(1); ; {
		part, err := r.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			if long = append(long, part...); len(long) > maxLine {
				return errLongLine
			}
			continue
		}
		if err != nil && err != io.EOF {
			return err
		}
		line := part
		if long != nil {
			line = append(long, part...)
			long = nil
		}
		if len(line) == 0 || !s.line(bytes.TrimSuffix(line, []byte{'\n'}), n) || err == io.EOF {
			return nil
		}
		n++
	}
}

// line handles one line and reports whether the rest of the file matters.
func (s *searched) line(line []byte, n int64) bool {
	g := s.g
	if g.m.match(line) == g.invert {
		return s.d.status == 0
	}
	s.hits++
	s.binary = s.binary || !g.count && !g.list && !g.quiet && g.isBinary(line, true)
	switch {
	case g.quiet || g.list:
		return false
	case g.count:
		return true
	case s.binary:
		return false
	}
	head := s.prefix
	if g.number {
		head += strconv.FormatInt(n, 10) + ":"
	}
	if g.only {
		for _, part := range g.m.parts(line) {
			s.d.puts(head)
			s.d.put(part)
			s.d.puts("\n")
		}
	} else {
		s.d.puts(head)
		s.d.put(line)
		s.d.puts("\n")
	}
	return s.d.status == 0 && s.hits != g.max
}
