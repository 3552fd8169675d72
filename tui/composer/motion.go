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

// ring holds what was cut, the last at the end.
type ring struct {
	cut []string
	// at is which one was put in last; span from where to where it stands.
	at       int
	from, to pos
	// growing is true while cuts join: nothing else happened between them.
	growing, yanked bool
}

const maxCuts = 16

// kill cuts what stands between two places.
func (b *buffer) kill(r *ring, from, to pos, forward bool) {
	s := b.edit(from, to, "", editOther)
	if s == "" {
		return
	}
	switch n := len(r.cut); {
	case r.growing && n > 0 && forward:
		r.cut[n-1] += s
	case r.growing && n > 0:
		r.cut[n-1] = s + r.cut[n-1]
	default:
		r.cut = append(r.cut, s)
		r.cut = r.cut[max(0, len(r.cut)-maxCuts):]
	}
}

// yank puts in what was cut last.
func (b *buffer) yank(r *ring) bool {
	if len(r.cut) == 0 {
		return false
	}
	r.at = len(r.cut) - 1
	r.from = b.cur
	b.insert(r.cut[r.at], editOther)
	r.to = after(r.from, r.cut[r.at])
	return true
}

// yankPop puts what was cut before in the place of what was just put in.
func (b *buffer) yankPop(r *ring) bool {
	if !r.yanked || len(r.cut) == 0 {
		return false
	}
	r.at = (r.at + len(r.cut) - 1) % len(r.cut)
	b.edit(r.from, r.to, r.cut[r.at], editOther)
	r.to = after(r.from, r.cut[r.at])
	return true
}
