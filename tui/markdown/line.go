package markdown

import "strings"

// fenceMark is the run of signs that begins a block of code, empty for another line.
func fenceMark(body string) string {
	if body == "" || body[0] != '`' && body[0] != '~' {
		return ""
	}
	rest := strings.TrimLeft(body, body[:1])
	n := len(body) - len(rest)
	if n < 3 || body[0] == '`' && strings.Contains(rest, "`") {
		return ""
	}
	return body[:n]
}

// heading reports whether a line is a heading by its signs.
func heading(body string) bool {
	rest := strings.TrimLeft(body, "#")
	n := len(body) - len(rest)
	return n >= 1 && n <= 6 && (rest == "" || rest[0] == ' ' || rest[0] == '\n')
}

// markerLen is the length of the marker of a list's item with its blank, 0 for another
// line. A marker without a text is none here: under a paragraph it underlines a heading.
func markerLen(body string) int {
	n := 0
	switch c := body[0]; {
	case c == '-' || c == '*' || c == '+':
		n = 1
	case c >= '0' && c <= '9':
		n = digits(body)
		if n > 9 || n == len(body) || body[n] != '.' && body[n] != ')' {
			return 0
		}
		n++
	default:
		return 0
	}
	if n >= len(body) || body[n] != ' ' || strings.TrimSpace(body[n:]) == "" || isRule(body) {
		return 0
	}
	return n + 1
}

func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

// interrupts reports whether an item may begin under a paragraph without a blank line: a
// number must be the first one, since a year at a line's start is none.
func interrupts(body string) bool {
	return digits(body) == 0 || body[:digits(body)] == "1"
}

// isRule reports three or more of one sign with blanks between.
func isRule(body string) bool {
	if body == "" || !strings.Contains("-*_", body[:1]) {
		return false
	}
	return strings.Trim(body, body[:1]+" ") == "" && strings.Count(body, body[:1]) >= 3
}

// isTable reports whether the one line above and this one begin a table.
func isTable(above, line string) bool {
	head := strings.TrimSuffix(above, "\n")
	if strings.Contains(head, "\n") || !strings.Contains(head, "|") && !strings.Contains(line, "|") {
		return false
	}
	aligns := delimiters(line)
	return len(aligns) > 0 && len(aligns) == len(cells(head)) && len(aligns) <= maxColumns
}

// align is where a column's cells stand.
type align uint8

const (
	left align = iota
	center
	right
)

// delimiters reads the row under a table's head; nil when it is none.
func delimiters(line string) []align {
	if strings.Trim(line, " -:|") != "" || !strings.Contains(line, "-") {
		return nil
	}
	var out []align
	for _, c := range cells(line) {
		bare := strings.TrimSuffix(strings.TrimPrefix(c, ":"), ":")
		if bare == "" || strings.Trim(bare, "-") != "" {
			return nil
		}
		a := left
		switch {
		case c[0] == ':' && c[len(c)-1] == ':' && len(c) > 1:
			a = center
		case c[len(c)-1] == ':':
			a = right
		}
		out = append(out, a)
	}
	return out
}

// cells are the cells of a row: what stands between bars that are neither escaped nor
// code.
func cells(line string) []string {
	line = strings.TrimSpace(line)
	line = strings.TrimPrefix(line, "|")
	if strings.HasSuffix(line, "|") && !strings.HasSuffix(line, `\|`) {
		line = line[:len(line)-1]
	}
	var out []string
	from, tick := 0, false
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '`':
			tick = !tick && strings.Contains(line[i+1:], "`")
		case '|':
			if !tick {
				out = append(out, strings.TrimSpace(line[from:i]))
				from = i + 1
			}
		}
	}
	return append(out, strings.TrimSpace(line[from:]))
}
