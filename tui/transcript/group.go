package transcript

import "strings"

// maxGroup is how many calls share a row.
const maxGroup = 60

// join puts a call that only looks into the row above, when that is of such calls.
func (t *Transcript) join(it *item) bool {
	last := len(t.list.items) - 1
	if last < 0 {
		return false
	}
	g := t.list.items[last]
	switch {
	case g.kind == grouped && len(g.subs) < maxGroup:
	case g.kind == called && looks(g.tool.name):
		g = t.group(last)
	default:
		return false
	}
	t.list.kept -= g.kept()
	g.subs = append(g.subs, it)
	it.group = g
	t.list.kept += g.kept()
	t.list.made++
	t.stale(g)
	return true
}

// group makes a group of the one call at i.
func (t *Transcript) group(i int) *item {
	first := t.list.items[i]
	g := &item{kind: grouped, subs: []*item{first}, open: first.open}
	t.list.kept += g.kept() - first.kept()
	t.list.drawn.drop(first)
	first.group, first.open = g, t.open
	t.list.items[i] = g
	return g
}

// state is where a group stands: running while one of its calls is.
func (it *item) state() state {
	if it.kind != grouped {
		return it.tool.state
	}
	for _, s := range it.subs {
		if st := s.tool.state; st == waiting || st == running || st == asking {
			return running
		}
	}
	return done
}

// plain reports whether a call of a group has nothing of its own to say while the group
// is folded. What was refused, asked about or went wrong is always seen.
func (c *tool) plain() bool {
	return c.state != refused && c.state != wrong && c.state != asking && c.state != interrupted && c.answer == ""
}

// fewNames is how many calls of a group are named in its row.
const fewNames = 3

// names is what the calls of a group are about, or how many there are of each sort.
func (it *item) names() string {
	if len(it.subs) > fewNames {
		return it.counts()
	}
	var parts []string
	for _, s := range it.subs {
		parts = append(parts, s.tool.verb+" "+s.tool.title)
	}
	return strings.Join(parts, ", ")
}

// counts is what a group did, in words.
func (it *item) counts() string {
	kinds := []struct{ name, one, many string }{
		{"read", "read 1 file", "read # files"}, {"grep", "searched once", "searched # times"}, {"glob", "looked for names once", "looked for names # times"}, {"list_dir", "listed 1 folder", "listed # folders"},
	}
	var parts []string
	for _, k := range kinds {
		n := 0
		for _, s := range it.subs {
			if s.tool.name == k.name {
				n++
			}
		}
		switch {
		case n == 1:
			parts = append(parts, k.one)
		case n > 1:
			parts = append(parts, strings.Replace(k.many, "#", amount(n), 1))
		}
	}
	s := strings.Join(parts, ", ")
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
