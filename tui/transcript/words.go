package transcript

import (
	"fmt"
	"strconv"
	"strings"

	"tenet/core/call"
	"tenet/tui/text"
)

// oneLine is text that decides something, a command or a path, in one line: what a
// terminal would obey or hide is shown as an escape, not left out.
func oneLine(s string) string {
	return text.Clean(call.OneLine(strings.TrimSpace(s), maxRow))
}

// shown is the same with its lines.
func shown(s string) string { return text.Clean(call.Visible(s)) }

// join is the parts that are not empty.
func join(sep string, parts ...string) string {
	out := parts[:0:0]
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, sep)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return amount(n) + " " + many
}

// amount is a number in a few signs.
func amount(n int) string {
	switch {
	case n < 10_000:
		return strconv.Itoa(n)
	case n < 1_000_000:
		return trimZero(float64(n)/1e3) + "k"
	}
	return trimZero(float64(n)/1e6) + "M"
}

// bytes is a size in a few signs.
func bytes(n int) string {
	switch {
	case n < 1<<10:
		return plural(n, "byte", "bytes")
	case n < 1<<20:
		return trimZero(float64(n)/(1<<10)) + " KiB"
	}
	return trimZero(float64(n)/(1<<20)) + " MiB"
}

func trimZero(f float64) string { return strings.TrimSuffix(strconv.FormatFloat(f, 'f', 1, 64), ".0") }

func two(a int, unit string, b int, sub string) string {
	return fmt.Sprintf("%d%s%02d%s", a, unit, b, sub)
}

// gone is the row that counts what a clipped text does not keep.
func gone(c clipped) string {
	return fmt.Sprintf("… %s (%s) are not kept here; the log has them …", plural(c.lines, "line", "lines"), bytes(c.bytes))
}
