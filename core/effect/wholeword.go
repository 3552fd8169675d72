package effect

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"tenet/core/call"
	"tenet/core/script"
)

// maxFields bounds the words that one word's braces may make.
const maxFields = 256

// fields is what a word becomes, as far as it is known before the script runs.
// Everything in it is visited: substitutions run commands.
func (w *walker) fields(sw *syntax.Word) []word {
	if sw == nil {
		return nil
	}
	if len(sw.Parts) == 1 {
		if lit, ok := sw.Parts[0].(*syntax.Lit); ok && !strings.ContainsAny(lit.Value, "\\*?[]{}~") {
			return []word{{text: lit.Value}}
		}
	}
	split := *sw
	split.Parts = append([]syntax.WordPart(nil), sw.Parts...)
	syntax.SplitBraces(&split)
	var out []word
	for _, parts := range alternatives(split.Parts) {
		b := builder{}
		w.tilde(&b, parts)
		for i, p := range parts {
			w.piece(&b, p, false, i == 0)
		}
		out = append(out, b.done()...)
	}
	return out
}

// document is the text of a here-document: nothing in it splits or matches names.
func (w *walker) document(sw *syntax.Word) []word {
	b := builder{}
	for _, p := range sw.Parts {
		w.piece(&b, p, true, false)
	}
	b.quoted = true
	return b.done()
}

// alternatives is the words that brace expressions make, in order.
func alternatives(parts []syntax.WordPart) [][]syntax.WordPart {
	for i, p := range parts {
		br, ok := p.(*syntax.BraceExp)
		if !ok {
			continue
		}
		var out [][]syntax.WordPart
		for _, e := range elements(br) {
			joined := append(append(append([]syntax.WordPart(nil), parts[:i]...), e...), parts[i+1:]...)
			out = append(out, alternatives(joined)...)
			if len(out) > maxFields {
				return append(out[:maxFields], []syntax.WordPart{&syntax.CmdSubst{}})
			}
		}
		return out
	}
	return [][]syntax.WordPart{parts}
}

// elements is the choices of one brace expression; a sequence is one to count.
func elements(br *syntax.BraceExp) [][]syntax.WordPart {
	var out [][]syntax.WordPart
	if !br.Sequence {
		for _, e := range br.Elems {
			out = append(out, e.Parts)
		}
		return out
	}
	from, errA := strconv.Atoi(br.Elems[0].Lit())
	to, errB := strconv.Atoi(br.Elems[1].Lit())
	if errA != nil || errB != nil || len(br.Elems) > 2 || max(from, to)-min(from, to) > maxFields {
		return [][]syntax.WordPart{{&syntax.ExtGlob{Pattern: &syntax.Lit{Value: "*"}}}}
	}
	for n := min(from, to); n <= max(from, to); n++ {
		out = append(out, []syntax.WordPart{&syntax.Lit{Value: strconv.Itoa(n)}})
	}
	return out
}

// builder gathers the fields of one word.
type builder struct {
	fields []word
	// text is the field so far; glob is the same with every sign that stands for
	// itself escaped. full is the whole once a part of it is not known.
	text, glob, full strings.Builder
	sure             certainty
	// shadow is true once full is kept: a part of the field is shown as unknown.
	shadow bool
	// signs is true when a sign that may match names was added unquoted.
	signs bool
	// quoted is true when the field exists even while it is empty.
	quoted bool
}

func (b *builder) literal(s string) {
	if b.shadow {
		b.full.WriteString(s)
	}
	if b.sure == unknown {
		return
	}
	b.text.WriteString(s)
	for i := range len(s) {
		if strings.IndexByte(`*?[]\`, s[i]) >= 0 {
			b.glob.WriteByte('\\')
		}
		b.glob.WriteByte(s[i])
	}
}

func (b *builder) wild(s string) {
	b.signs = b.signs || strings.ContainsAny(s, "*?[")
	if b.shadow {
		b.full.WriteString(s)
	}
	if b.sure == unknown {
		return
	}
	b.text.WriteString(s)
	b.glob.WriteString(s)
}

// standIn adds a part that is judged by a text of its kind, such as a number, and is
// known only when the script runs.
func (b *builder) standIn(text, shown string) {
	b.shadowed()
	b.full.WriteString(shown)
	shadow := b.shadow
	b.shadow = false
	b.literal(text)
	b.shadow = shadow
}

func (b *builder) shadowed() {
	if !b.shadow {
		b.full.WriteString(b.text.String())
	}
	b.shadow = true
}

// lost adds a part that is known only when the script runs.
func (b *builder) lost() { b.lostAs(call.Hole) }

// lostAs is lost for a part that is shown in some way.
func (b *builder) lostAs(shown string) {
	b.shadowed()
	b.full.WriteString(shown)
	b.sure, b.quoted = unknown, true
}

// next ends one field and begins another.
func (b *builder) next() {
	text, full, signs := b.text.String(), b.full.String(), b.signs
	switch {
	case b.sure == unknown:
	case b.signs && script.HasPattern(b.glob.String()):
		if !b.shadow {
			full = text
		}
		text, b.sure = b.glob.String(), pattern
	default:
		signs = false
	}
	if text != "" || b.quoted || b.sure != exact {
		b.fields = append(b.fields, word{text: text, sure: b.sure, full: full, signs: signs})
	}
	b.text.Reset()
	b.glob.Reset()
	b.full.Reset()
	b.sure, b.signs, b.quoted, b.shadow = exact, false, false, false
}

func (b *builder) done() []word {
	b.next()
	return b.fields
}

// splits adds a value that is not quoted: blanks in it end fields, signs match names.
func (b *builder) splits(text string) {
	for i, f := range strings.FieldsFunc(" "+text+" ", func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }) {
		if i > 0 || text[0] == ' ' || text[0] == '\t' || text[0] == '\n' {
			b.next()
		}
		b.wild(f)
	}
	if text != "" && strings.ContainsAny(text[len(text)-1:], " \t\n") {
		b.next()
	}
}

// piece adds one part of a word. Every kind stands here.
func (w *walker) piece(b *builder, p syntax.WordPart, quoted, first bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		w.lit(b, p.Value, quoted)
	case *syntax.SglQuoted:
		b.quoted = true
		if p.Dollar {
			b.literal(ansi(p.Value))
		} else {
			b.literal(p.Value)
		}
	case *syntax.DblQuoted:
		b.quoted = true
		for _, q := range p.Parts {
			w.piece(b, q, true, false)
		}
	case *syntax.ParamExp:
		w.param(b, p, quoted)
	case *syntax.CmdSubst:
		w.substitution(p.Stmts)
		b.lost()
	case *syntax.ArithmExp:
		w.arithm(p.X)
		b.standIn("0", call.Hole)
	case *syntax.ProcSubst:
		w.substitution(p.Stmts)
		b.standIn(inputFile, "/dev/fd/"+call.Hole)
	case *syntax.ExtGlob:
		b.wild("*")
	case *syntax.BraceExp:
		for _, e := range p.Elems {
			w.fields(e)
		}
		b.lost()
	default:
		w.strictest()
	}
}

// substitution walks commands whose output becomes a word, or a file.
func (w *walker) substitution(stmts []*syntax.Stmt) {
	w.obscure()
	around := w.site
	w.outs, w.input = nil, ""
	w.inSubshell(func() { w.stmts(stmts) })
	w.site = around
}

// inputFile is what a process substitution becomes.
const inputFile = "/dev/fd/63"

// lit adds literal text: a backslash keeps the next sign from meaning anything.
func (w *walker) lit(b *builder, text string, quoted bool) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '\\' || i+1 == len(text) {
			if quoted {
				b.literal(text[i : i+1])
			} else {
				b.wild(text[i : i+1])
			}
			continue
		}
		i++
		switch {
		case text[i] == '\n':
		case quoted && strings.IndexByte("$`\"\\", text[i]) < 0:
			b.literal(text[i-1 : i+1])
		default:
			b.literal(text[i : i+1])
			b.quoted = true
		}
	}
}

// tilde replaces a leading ~, ~user, ~+ or ~- that is not quoted by what it means.
func (w *walker) tilde(b *builder, parts []syntax.WordPart) {
	if len(parts) == 0 {
		return
	}
	lit, ok := parts[0].(*syntax.Lit)
	if !ok || !strings.HasPrefix(lit.Value, "~") {
		return
	}
	user, rest, slash := strings.Cut(lit.Value[1:], "/")
	if !slash && len(parts) > 1 || strings.ContainsAny(user, "\\*?[") {
		return
	}
	dir, known := w.tildeDir(user)
	switch {
	case known:
		b.literal(dir)
	case user == "+" || user == "-":
		b.lost()
	default:
		return // nobody is called so: bash leaves it
	}
	if slash {
		rest = "/" + rest
	}
	parts[0] = &syntax.Lit{Value: rest}
}

func (w *walker) tildeDir(user string) (string, bool) {
	switch user {
	case "":
		if v, ok := w.variable("HOME"); ok && v.known {
			return v.text, true
		}
		return w.look.Home("")
	case "+":
		v, _ := w.variable("PWD")
		return v.text, v.known
	case "-":
		v, ok := w.variable("OLDPWD")
		return v.text, ok && v.known
	}
	return w.look.Home(user)
}

// ansi decodes a $'…' text. It ends at the first NUL, as bash ends it.
func ansi(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		n, r := ansiEscape(s[i:])
		if r == "\x00" {
			return b.String()
		}
		b.WriteString(r)
		i += n - 1
	}
	return b.String()
}

// ansiEscape decodes what follows a backslash: how many bytes it takes, and the text.
func ansiEscape(s string) (n int, text string) {
	if i := strings.IndexByte(`abeEfnrtv\'"?`, s[0]); i >= 0 {
		return 1, string("\a\b\x1b\x1b\f\n\r\t\v\\'\"?"[i])
	}
	digits, base, at, unicode := 0, 16, 1, false
	switch s[0] {
	case 'x':
		digits = 2
	case 'u':
		digits, unicode = 4, true
	case 'U':
		digits, unicode = 8, true
	case 'c':
		if len(s) > 1 {
			return 2, string(rune(s[1] & 0x1f))
		}
		return 1, `\c`
	case '0', '1', '2', '3', '4', '5', '6', '7':
		digits, base, at = 3, 8, 0
	default:
		return 1, `\` + s[:1]
	}
	end := at
	for end < len(s) && end < at+digits && strings.IndexByte("0123456789abcdefABCDEF"[:map[int]int{8: 8, 16: 22}[base]], s[end]) >= 0 {
		end++
	}
	v, err := strconv.ParseUint(s[at:end], base, 32)
	if err != nil {
		return 1, `\` + s[:1]
	}
	if unicode {
		return end, string(rune(v))
	}
	return end, string([]byte{byte(v)})
}
