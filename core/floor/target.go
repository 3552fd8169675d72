package floor

import (
	"path"
	"strings"

	"tenet/core/call"
)

// targets reports whether a word may stand for / or the home, for a directory that
// holds the home, or for everything in one of them. An unknown part is read as
// nothing: "$UNSET/"* is /* when the variable is not set.
func targets(place Place, dir string, w call.Word) bool {
	if w.Real != "" && !w.Pattern && precious(place, w.Real) {
		return true
	}
	text := strings.ReplaceAll(w.Text, call.Hole, "")
	if text == "" {
		return false
	}
	p, ok := absolute(dir, text)
	if !ok {
		return false
	}
	if w.Pattern {
		return sweeps(place, p)
	}
	return precious(place, p)
}

// absolute is the path that a word names, cleaned; ok is false in a directory that is
// not known. The kernel's own names for / and for the directory are read as those.
func absolute(dir, text string) (string, bool) {
	if !strings.HasPrefix(text, "/") {
		if dir == "" {
			return "", false
		}
		text = dir + "/" + text
	}
	p := path.Clean(text)
	parts := strings.SplitN(p, "/", 5)
	if len(parts) < 4 || parts[1] != "proc" {
		return p, true
	}
	below := "/" + strings.Join(parts[4:], "/")
	switch parts[3] {
	case "root":
		return path.Clean(below), true
	case "cwd":
		return path.Clean(dir + below), dir != ""
	}
	return p, true
}

// precious reports whether a path is /, the home, or a directory that holds the home.
func precious(place Place, p string) bool {
	p = path.Clean(p)
	return p == "/" || place.Home != "" && within(path.Clean(place.Home), p)
}

// sweeps reports whether a pattern may stand for a precious path, or for all that
// stands in one: every part of it below that path takes any name.
func sweeps(place Place, pattern string) bool {
	parts := strings.Split(strings.Trim(pattern, "/"), "/")
	fixed := 0
	for fixed < len(parts) && !everything(parts[fixed]) {
		fixed++
	}
	if fixed == 0 {
		return true
	}
	home := strings.Split(strings.Trim(path.Clean(place.Home), "/"), "/")
	if place.Home == "" || fixed > len(home) {
		return false
	}
	for i, part := range parts[:fixed] {
		if !glob(part, home[i]) {
			return false
		}
	}
	for _, part := range parts[fixed:] {
		if !everything(part) {
			return false
		}
	}
	return true
}

// everything reports whether a part of a pattern takes nearly any name: a * with
// nothing about it but dots and signs for one character, as in *, .* and .[!.]*.
func everything(part string) bool {
	plain := false
	star := false
	for i := 0; i < len(part); i++ {
		switch part[i] {
		case '*':
			star = true
		case '.', '?':
		case '[':
			end := bracket(part[i:])
			plain = plain || end == 1
			i += end - 1
		default:
			plain = true
		}
	}
	return star && !plain
}

// bracket is the length of the bracket expression that a text begins with; 1 when the
// bracket is only itself.
func bracket(text string) int {
	from := 1
	for from < len(text) && strings.IndexByte("!^]", text[from]) >= 0 {
		from++
	}
	if i := strings.IndexByte(text[min(from, len(text)):], ']'); i >= 0 {
		return from + i + 1
	}
	return 1
}

// glob reports whether a part of a pattern may take a name. A bracket expression is
// read as any one character. It goes back to the last * only, so it ends after at most
// the product of both lengths.
func glob(part, name string) bool {
	p, n, star, mark := 0, 0, -1, 0
	for n < len(name) {
		switch size, any := sign(part, p, name[n]); {
		case p < len(part) && part[p] == '*':
			star, mark = p, n
			p++
		case any:
			p += size
			n++
		case star >= 0:
			mark++
			p, n = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(part[p:], "*") == ""
}

// sign reports whether the sign of a pattern at p takes a character, and its length.
func sign(part string, p int, char byte) (size int, takes bool) {
	switch {
	case p >= len(part):
		return 0, false
	case part[p] == '?':
		return 1, true
	case part[p] == '[' && bracket(part[p:]) > 1:
		return bracket(part[p:]), true
	}
	return 1, part[p] == char
}

func within(p, dir string) bool {
	rest, ok := strings.CutPrefix(p, strings.TrimSuffix(dir, "/"))
	return ok && (rest == "" || rest[0] == '/')
}
