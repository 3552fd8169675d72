package shell

import (
	"os"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"tenet/core/script"
)

// fields expands words but for their patterns: parameters, tildes and splitting by
// package expand, patterns by ourselves (glob). expand's own patterns take hidden files where bash does not ([!a]* is
// .git too), and a pattern that names one file more may remove one more.
//
// Names are sorted by their bytes, as in the C locale, whatever the locale is: the
// same script names files in the same order on every machine.
func (r *run) fields(cfg *expand.Config, words ...*syntax.Word) ([]string, error) {
	var out []string
	for _, w := range words {
		fields, err := expand.Fields(cfg, r.marked(w))
		if err != nil {
			return nil, err
		}
		out = append(out, fields...)
	}
	return out, nil
}

// marked is the word with everything quoted in it marked as such, so that a pattern is
// told from the same characters in quotes when the quotes are gone.
func (r *run) marked(w *syntax.Word) *syntax.Word {
	if plainWord(w) {
		return w
	}
	out := &syntax.Word{}
	add := func(quoted string) {
		out.Parts = append(out.Parts, &syntax.SglQuoted{Value: script.Quoted(quoted)})
	}
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			lit := p.Value
			for at := strings.IndexByte(lit, '\\'); at >= 0 && at+1 < len(lit); at = strings.IndexByte(lit, '\\') {
				out.Parts = append(out.Parts, &syntax.Lit{Value: lit[:at]})
				add(lit[at+1 : at+2])
				lit = lit[at+2:]
			}
			out.Parts = append(out.Parts, &syntax.Lit{Value: lit})
		case *syntax.SglQuoted:
			add(ansiValue(p))
		case *syntax.DblQuoted:
			add(r.quoted(p))
		default:
			out.Parts = append(out.Parts, p)
		}
	}
	return out
}

// plainWord has nothing in it but characters that mean themselves.
func plainWord(w *syntax.Word) bool {
	if len(w.Parts) != 1 {
		return false
	}
	l, ok := w.Parts[0].(*syntax.Lit)
	return ok && !strings.Contains(l.Value, `\`)
}

func ansiValue(q *syntax.SglQuoted) string {
	if !q.Dollar {
		return q.Value
	}
	s, _, _ := expand.Format(nil, q.Value, nil) // it has no format to be wrong
	return s
}

// quoted is the value of "…": its parameters are neither split nor patterns.
func (r *run) quoted(q *syntax.DblQuoted) string {
	var b strings.Builder
	for _, p := range q.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			for i := 0; i < len(p.Value); i++ {
				if p.Value[i] == '\\' && i+1 < len(p.Value) && strings.IndexByte("\\$`\"", p.Value[i+1]) >= 0 {
					i++
				}
				b.WriteByte(p.Value[i])
			}
		case *syntax.ParamExp:
			b.WriteString((&parameters{r.vars, r.status}).Get(p.Param.Value).Str)
		}
	}
	return b.String()
}

// glob is the files that a field names when it is a pattern, and otherwise, or when it
// names none, the field itself.
func (r *run) glob(field string) []string {
	if !script.HasPattern(field) {
		return []string{script.Unquoted(field)}
	}
	found := []string{""}
	for part := range strings.SplitAfterSeq(field, "/") {
		name, slash := strings.CutSuffix(part, "/")
		found = r.step(found, name, slash)
	}
	if len(found) == 0 {
		return []string{script.Unquoted(field)}
	}
	slices.Sort(found)
	return found
}

// step goes one part further along every path found so far. With a slash after it,
// the part must be a directory.
func (r *run) step(found []string, part string, slash bool) []string {
	end := ""
	if slash {
		end = "/"
	}
	var out []string
	for _, at := range found {
		if !script.HasPattern(part) {
			if p := at + literal(part) + end; r.exists(p) {
				out = append(out, p)
			}
			continue
		}
		for _, n := range r.names(at) {
			if script.Match(part, n, r.wide) && (!slash || r.isDir(at+n)) {
				out = append(out, at+n+end)
			}
		}
	}
	return out
}

// literal is a part without a pattern: a backslash that came out of a parameter quotes
// there too.
func literal(part string) string {
	part = script.Unquoted(part)
	if !strings.Contains(part, `\`) {
		return part
	}
	var b strings.Builder
	for i := 0; i < len(part); i++ {
		if part[i] == '\\' && i+1 < len(part) {
			i++
		}
		b.WriteByte(part[i])
	}
	return b.String()
}

func (r *run) exists(p string) bool {
	if p == "" || p == "/" {
		return true
	}
	_, err := os.Lstat(r.abs(p))
	return err == nil
}

func (r *run) isDir(p string) bool {
	fi, err := os.Stat(r.abs(p))
	return err == nil && fi.IsDir()
}

// maxLooked bounds how many names the patterns of one call look at: /*/*/*/* would look
// at a whole disk before anything is judged. Past it a pattern stands for itself, and the
// step says so and does not run.
const maxLooked = 200_000

func (r *run) names(dir string) []string {
	if r.looked > maxLooked {
		return nil
	}
	names := r.list(dir)
	r.looked += len(names) + 1
	return names
}

func (r *run) list(dir string) []string {
	if dir == "" {
		dir = "."
	}
	f, err := os.Open(r.abs(dir))
	if err != nil {
		return nil // as in bash: what cannot be listed matches nothing
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return nil
	}
	return names
}
