package blocks

import (
	"bytes"
	"strings"
	"sync"

	"tenet/core/doc"
)

// markup is HTML, XML or a component of Vue or Svelte: elements, and the scripts and
// styles in them.
type markup struct {
	*tree
	// inner are the lines between the tags of a script or style, and their language.
	inner []*inner
}

type inner struct {
	from, to int
	lang     string
	// read gives its grammar, once.
	read func() (grammar, error)
}

// dialect is what elements of a kind of markup may do.
type dialect struct {
	// strict: each element is closed (XML).
	strict bool
	script string
}

func readHTML(t *text) (grammar, error) { return dialect{script: "JavaScript"}.read(t) }
func readXML(t *text) (grammar, error)  { return dialect{strict: true}.read(t) }
func readVue(t *text) (grammar, error)  { return dialect{script: "TypeScript"}.read(t) }

const (
	voids   = " area base br col embed hr img input link meta param source track wbr "
	openEnd = " li p td th tr dt dd option optgroup thead tbody tfoot colgroup html head body rb rt rp "
	rawText = " script style textarea title "
)

func among(list, name string) bool {
	return strings.Contains(list, " "+strings.ToLower(name)+" ")
}

// tagger reads markup; open are the elements whose end is to come.
type tagger struct {
	dialect
	m    *markup
	src  []byte
	at   int
	open []element
}

type element struct {
	name string
	at   int
}

func (d dialect) read(t *text) (grammar, error) {
	m := &markup{tree: newTree(t)}
	m.shut = func(line int) bool { return bytes.HasPrefix(t.trimmed(line), []byte("</")) }
	g := &tagger{dialect: d, m: m, src: t.src}
	for {
		n := bytes.IndexByte(g.src[g.at:], '<')
		if n < 0 {
			return m, g.end()
		}
		g.at += n
		if err := g.angle(); err != nil {
			return nil, err
		}
	}
}

func (g *tagger) end() error {
	for _, e := range g.open {
		if g.strict || !among(openEnd, e.name) {
			return g.failure(e.at, "<%s> is never closed", e.name)
		}
	}
	return nil
}

func (g *tagger) failure(at int, format string, args ...any) error {
	return failure(g.m.t.lineAt(at), format, args...)
}

// angle reads what begins with <.
func (g *tagger) angle() error {
	rest := g.src[g.at:]
	for _, p := range [][2]string{{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", ">"}, {"<!", ">"}} {
		if bytes.HasPrefix(rest, []byte(p[0])) {
			return g.past(p[0], p[1])
		}
	}
	switch {
	case len(rest) > 2 && rest[1] == '/' && isWord(rest[2]):
		return g.close()
	case len(rest) > 1 && isWord(rest[1]):
		return g.begin()
	}
	g.at++
	return nil
}

func (g *tagger) past(begin, end string) error {
	n := bytes.Index(g.src[g.at+len(begin):], []byte(end))
	if n < 0 {
		return g.failure(g.at, "%s is never closed", begin)
	}
	g.at += len(begin) + n + len(end)
	return nil
}

func (g *tagger) name(at int) string {
	end := at
	for end < len(g.src) && (isWord(g.src[end]) || strings.IndexByte("-:.", g.src[end]) >= 0) {
		end++
	}
	return string(g.src[at:end])
}

// tagEnd is behind the > of a tag, whose attributes may hold > in quotes or braces.
func (g *tagger) tagEnd(at int) (int, bool) {
	for at < len(g.src) {
		switch c := g.src[at]; c {
		case '>':
			return at + 1, true
		case '"', '\'':
			n := bytes.IndexByte(g.src[at+1:], c)
			if n < 0 {
				return 0, false
			}
			at += n + 2
		default:
			at++
		}
	}
	return 0, false
}

func (g *tagger) begin() error {
	from, name := g.at, g.name(g.at+1)
	end, ok := g.tagEnd(from + 1 + len(name))
	if !ok {
		return g.failure(from, "the tag <%s is never closed", name)
	}
	g.at = end
	switch {
	case g.src[end-2] == '/' || !g.strict && among(voids, name):
		g.m.add(from, end)
	case !g.strict && among(rawText, name):
		return g.raw(from, name)
	default:
		g.open = append(g.open, element{name: name, at: from})
	}
	return nil
}

// raw passes over the text of a script or style, which holds no tags.
func (g *tagger) raw(from int, name string) error {
	body := g.at
	for {
		n := bytes.Index(g.src[g.at:], []byte("</"))
		if n < 0 {
			return g.failure(from, "<%s> is never closed", name)
		}
		g.at += n + 2
		if strings.EqualFold(g.name(g.at), name) {
			break
		}
	}
	end, ok := g.tagEnd(g.at)
	if !ok {
		return g.failure(g.at, "the tag </%s is never closed", name)
	}
	g.m.inside(body, g.at, g.inner(name))
	g.m.add(from, end)
	g.at = end
	return nil
}

func (g *tagger) inner(name string) string {
	switch strings.ToLower(name) {
	case "script":
		return g.script
	case "style":
		return "SCSS"
	}
	return ""
}

// inside notes the lines strictly between two tags.
func (m *markup) inside(body, close int, lang string) {
	from, to := m.t.lineAt(body)+1, m.t.lineAt(close)-1
	if lang != "" && from <= to {
		in := &inner{from: from, to: to, lang: lang}
		in.read = sync.OnceValues(func() (grammar, error) { return m.embedded(in) })
		m.inner = append(m.inner, in)
	}
}

// close ends the innermost element of a name; those inside it must be ones whose end
// may be left out, and where those end is not told.
func (g *tagger) close() error {
	name := g.name(g.at + 2)
	end, ok := g.tagEnd(g.at + 2 + len(name))
	if !ok {
		return g.failure(g.at, "the tag </%s is never closed", name)
	}
	for n := len(g.open) - 1; n >= 0; n-- {
		e := g.open[n]
		g.open = g.open[:n]
		if e.name == name || !g.strict && strings.EqualFold(e.name, name) {
			g.m.add(e.at, end)
			g.at = end
			return nil
		}
		if g.strict || !among(openEnd, e.name) {
			return g.failure(g.at, "</%s> does not close <%s> of line %d", name, e.name, g.m.t.lineAt(e.at))
		}
	}
	return g.failure(g.at, "</%s> closes nothing", name)
}

func (m *markup) block(line int) (doc.Span, error) {
	for _, in := range m.inner {
		if line >= in.from && line <= in.to {
			return in.block(line)
		}
	}
	return m.tree.block(line)
}

// embedded reads a script or style as a text of its own.
func (m *markup) embedded(in *inner) (grammar, error) {
	end := len(m.t.src)
	if in.to < m.t.count() {
		end = int(m.t.starts[in.to])
	}
	sub, err := newText(m.t.path, m.t.src[m.t.starts[in.from-1]:end])
	if err != nil {
		return nil, err
	}
	return syntaxes()[in.lang].read(sub)
}

func (in *inner) block(line int) (doc.Span, error) {
	g, err := in.read()
	if err != nil {
		return doc.Span{}, refuse("the %s that begins on line %d does not parse: %v, counted from there", in.lang, in.from, err)
	}
	s, err := g.block(line - in.from + 1)
	if err != nil {
		return s, refuse("in the %s that begins on line %d, %v, counted from there", in.lang, in.from, err)
	}
	return span(int(s.From)+in.from-1, int(s.To)+in.from-1), nil
}
