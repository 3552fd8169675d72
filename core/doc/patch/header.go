package patch

import (
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

const shape = "A patch is\n[path#TAG]\nPUT 3.=5:\n+new line\nwhere [path#TAG] is the header that read or grep printed above the file's lines"

var (
	tagShape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9A-Fa-f]{4}$`) })
	// noise is what a model that knows apply_patch writes around a path.
	noise = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(\*\*\*\s*|#+\s+)?((add|update|delete|move|edit)?\s*file:\s*)?`)
	})
	headless = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\S.*#[0-9A-Fa-f]{4}$`) })
	// directive is a line of apply_patch that names a file.
	directive = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^\*\*\*\s*(add file|update file|delete file|move to|move file|rename to)\s*:\s*(.*)$`)
	})
)

// headerRow is a header line that was read.
type headerRow struct {
	path, tag string
	warnings  []string
}

// isHeader reports whether a row is a header with a tag.
func isHeader(row string) bool {
	inner, ok := brackets(row)
	if !ok {
		return false
	}
	name, tag, ok := splitTag(unwrapAll(inner))
	return ok && tagShape().MatchString(tag) && strings.TrimSpace(name) != ""
}

// brackets is what stands between the brackets of a row that is nothing else, or behind
// the noise of apply_patch when it ends in a tag.
func brackets(row string) (inner string, ok bool) {
	row = strings.TrimSpace(row)
	named := directive().MatchString(row)
	if row == "" || !strings.ContainsRune("[*#", rune(row[0])) {
		return "", false
	}
	if row[0] != '[' {
		row = noise().ReplaceAllString(row, "")
		if _, tag, ok := splitTag(row); ok && named && tagShape().MatchString(tag) {
			return row, true
		}
	}
	if len(row) < 2 || row[0] != '[' || row[len(row)-1] != ']' {
		return "", false
	}
	return row[1 : len(row)-1], true
}

// unwrapAll drops quotes around path and tag together.
func unwrapAll(inner string) string {
	if s, ok := unquote(strings.TrimSpace(inner)); ok && strings.Contains(s, "#") {
		return s
	}
	return inner
}

// splitTag parts a path from the tag at its end.
func splitTag(s string) (name, tag string, ok bool) {
	i := strings.LastIndexByte(s, '#')
	if i < 0 {
		return s, "", false
	}
	return s[:i], strings.TrimSpace(s[i+1:]), true
}

// readHeader reads a row of which isHeader holds.
func (p *parser) readHeader(row string) headerRow {
	inner, _ := brackets(row)
	var h headerRow
	if !strings.HasPrefix(strings.TrimSpace(row), "[") {
		h.warn("the header is the line [path#TAG] alone: what stands before it was ignored")
	}
	whole := unwrapAll(inner)
	if whole != inner {
		h.warn("the quotes around the header's path were ignored")
	}
	name, tag, _ := splitTag(whole)
	if h.tag = strings.ToUpper(tag); h.tag != tag {
		h.warn("the tag was read as " + h.tag)
	}
	h.readPath(name)
	h.path = p.relative(h.path, &h.warnings)
	return h
}

func (h *headerRow) warn(text string) { h.warnings = append(h.warnings, text) }

// readPath takes quotes and noise from a path.
func (h *headerRow) readPath(name string) {
	name = strings.TrimSpace(name)
	if s, ok := unquote(name); ok {
		if !needsQuotes(s) {
			h.warn("the quotes around the header's path were ignored")
		}
		h.path = path.Clean(s)
		return
	}
	rest := noise().ReplaceAllString(name, "")
	if rest != name && rest != "" {
		h.warn("the words before the header's path were ignored")
		h.readPath(rest)
		return
	}
	h.path = path.Clean(name)
}

// needsQuotes reports whether a path would not be read back from a header as it is.
func needsQuotes(name string) bool {
	if name == "" || strings.TrimSpace(name) != name || !plain(name) {
		return true
	}
	if _, ok := unquote(name); ok {
		return true
	}
	return noise().FindString(name) != ""
}

// plain reports whether a path has no characters that end or blur a line.
func plain(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// InHeader is a path as a header holds it, so that it is read back as the same path: in
// the quotes of Go where it could be taken for something else.
func InHeader(name string) string {
	if needsQuotes(name) {
		return strconv.Quote(name)
	}
	return name
}

// quoteDest quotes a destination that has blanks.
func quoteDest(name string) string {
	if needsQuotes(name) || isHeader(name) || strings.ContainsFunc(name, isBlank) || strings.ContainsAny(name, "\"'`") {
		return strconv.Quote(name)
	}
	return name
}

func isBlank(r rune) bool { return strings.TrimSpace(string(r)) == "" }

// unquote takes the quotes from around a text: those of Go with their escapes, or a pair
// of any others.
func unquote(s string) (string, bool) {
	if len(s) < 2 || s[0] != s[len(s)-1] || !strings.ContainsRune("\"'`", rune(s[0])) {
		return s, false
	}
	if s[0] == '"' {
		if t, err := strconv.Unquote(s); err == nil {
			return t, true
		}
	}
	return s[1 : len(s)-1], true
}

// relative makes an absolute path below the working directory relative to it.
func (p *parser) relative(name string, warnings *[]string) string {
	if p.cwd == "" || !path.IsAbs(name) {
		return name
	}
	below, ok := strings.CutPrefix(name, strings.TrimSuffix(p.cwd, "/")+"/")
	if !ok || below == "" {
		return name
	}
	*warnings = append(*warnings, name+" was taken as "+below)
	return below
}

// brokenHeader says what is wrong with a row in brackets that is no header.
func brokenHeader(row string, line int) *Fault {
	inner := strings.TrimSpace(row)
	if i := strings.LastIndexByte(inner, ']'); i >= 0 && isHeader(inner[:i+1]) {
		return fault(UnknownRow, line, "a header stands alone on its line, and here is "+quoted(inner[i+1:])+" behind it", "Write "+quoted(inner[:i+1])+" and the rest on rows of their own.")
	}
	inner, _ = brackets(row)
	name, tag, ok := splitTag(inner)
	if strings.TrimSpace(name) == "" {
		return fault(Headerless, line, quoted(row)+" names no file", shape+".")
	}
	if !ok {
		return fault(NoTag, line, "the header ["+inner+"] has no tag", "Write `["+inner+"#TAG]` with the tag that read or grep printed in the file's header; read the file first when you have none. A new file is made with write.")
	}
	return fault(BadTag, line, quoted("#"+tag)+" is no tag: a tag is four hex digits", "Copy the header that read or grep printed for "+name+", as in `["+name+"#1A2B]`. A new file is made with write.")
}

// wrongDirective refuses a line of apply_patch and shows it in this language.
func wrongDirective(m []string, line int) *Fault {
	name := strings.TrimSpace(m[2])
	what := quoted(m[0]) + " is a line of apply_patch, which is not spoken here"
	switch strings.ToLower(m[1]) {
	case "add file":
		return fault(Directive, line, what, "Make a new file with the tool write, path "+quoted(name)+"; a patch changes files that exist.")
	case "delete file":
		return fault(Directive, line, what, "Write\n["+name+"#TAG]\nREM\nwith the tag that read or grep printed for it.")
	case "update file":
		return fault(Directive, line, what, "Write\n["+name+"#TAG]\nPUT 3.=5:\n+new line\nwith the tag and the line numbers that read or grep printed for it.")
	default:
		return fault(Directive, line, what, "Write `MV "+quoteDest(name)+"` as the last row of the file's section.")
	}
}
