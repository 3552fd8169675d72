package text

import "strings"

// More is what Cut puts in the place of what it cuts off.
const More = "…"

// Cut is the first line of s in at most w cells, with … at its end when something was
// cut off. Styles that are on at the cut are ended. With w below 1 it is empty.
func Cut(s string, w int) string {
	if w < 1 {
		return ""
	}
	line, _, more := strings.Cut(s, "\n")
	end, cells, pen, endPen := 0, 0, "", ""
	for i := 0; i < len(line); {
		n, c := next(line[i:])
		if line[i] == 0x1b {
			pen = turn(pen, line[i:i+n])
		}
		if cells += c; cells > w {
			more = true
			break
		}
		i += n
		if cells < w {
			end, endPen = i, pen
		}
	}
	if !more {
		return line
	}
	if endPen != "" {
		return line[:end] + More + styleOff
	}
	return line[:end] + More
}

// CutFront is the end of a plain line in at most w cells, with … before it when
// something was cut off: of a long path the name is worth more than the root.
func CutFront(s string, w int) string {
	have := Width(s)
	if have <= w {
		return s
	}
	if w < 1 {
		return ""
	}
	for have > w-1 {
		n, c := next(s)
		s, have = s[n:], have-c
	}
	return More + s
}

// Pad is the first line of s in exactly w cells.
func Pad(s string, w int) string {
	s = Cut(s, w)
	if n := w - Width(s); n > 0 {
		return s + strings.Repeat(" ", n)
	}
	return s
}

// Block is exactly h lines of exactly w cells: the first ones of s, and blank ones. It
// has no line end after the last. With h below 1 it is empty.
func Block(s string, w, h int) string {
	if h < 1 {
		return ""
	}
	var b strings.Builder
	b.Grow(h * (max(w, 0) + 1))
	rest, more := s, true
	for i := range h {
		line := ""
		if more {
			line, rest, more = strings.Cut(rest, "\n")
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(Pad(line, w))
	}
	return b.String()
}
