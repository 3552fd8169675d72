package composer

import "strings"

// left is the place a cluster to the left.
func (b *buffer) left(p pos) pos {
	switch {
	case p.at > 0:
		return pos{p.line, before(b.lines[p.line].s, p.at)}
	case p.line > 0:
		return pos{p.line - 1, len(b.lines[p.line-1].s)}
	}
	return p
}

// right is the place a cluster to the right.
func (b *buffer) right(p pos) pos {
	s := b.lines[p.line].s
	switch {
	case p.at < len(s):
		return pos{p.line, p.at + nextCluster(s[p.at:])}
	case p.line+1 < len(b.lines):
		return pos{p.line + 1, 0}
	}
	return p
}

// wordLeft is the start of the word before a place; signs that stand together are a word.
func (b *buffer) wordLeft(p pos) pos {
	return b.word(p, b.left, func(from, to pos) string { return b.slice(to, from) })
}

// wordRight is the end of the word behind a place.
func (b *buffer) wordRight(p pos) pos { return b.word(p, b.right, b.slice) }

// word goes over blanks, and then over one word. between is the cluster of one step.
func (b *buffer) word(p pos, step func(pos) pos, between func(from, to pos) string) pos {
	in := classBlank
	for {
		next := step(p)
		if next == p {
			return p
		}
		switch c := class(between(p, next)); {
		case in == classBlank:
			in = c
		case c != in || in == classChip:
			return p
		}
		p = next
	}
}

// blankLeft is the start of the run without blanks before a place, as Ctrl+W of a shell
// takes it.
func (b *buffer) blankLeft(p pos) pos {
	seen := false
	for {
		next := b.left(p)
		if next == p {
			return p
		}
		if class(b.slice(next, p)) != classBlank {
			seen = true
		} else if seen {
			return p
		}
		p = next
	}
}

func (b *buffer) lineStart(p pos) pos { return pos{p.line, 0} }

func (b *buffer) lineEnd(p pos) pos { return pos{p.line, len(b.lines[p.line].s)} }

// ahead is what stands before the cursor in its line.
func (b *buffer) ahead() string { return b.lines[b.cur.line].s[:b.cur.at] }

// escaped is true when a backslash stands before the cursor that nothing escapes itself.
func (b *buffer) escaped() bool {
	s := b.ahead()
	return (len(s)-len(strings.TrimRight(s, `\`)))%2 == 1
}
