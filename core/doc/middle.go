package doc

// Middle is what a bound leaves of a long result: its first and its last lines. What a
// tool says of itself stands at both ends, so the middle goes (S8.8).
type Middle struct {
	// Head and Tail count the lines that stay at the start and at the end.
	Head, Tail int
	// Lines and Bytes count what is left out; both are 0 when everything stays.
	Lines, Bytes int
}

// CutMiddle decides which lines of a result stay within limits of bytes and of lines.
// sizes are the lines' bytes with their ends. The start may take half of each limit, the
// end what the start leaves; a line stays whole or goes whole.
func CutMiddle(sizes []int, maxBytes, maxLines int) Middle {
	total := 0
	for _, n := range sizes {
		total += n
	}
	m := Middle{Head: len(sizes)}
	if total <= maxBytes && len(sizes) <= maxLines {
		return m
	}
	kept := 0
	m.Head, kept = fitting(sizes, maxBytes/2, maxLines/2)
	rest := sizes[m.Head:]
	for m.Tail < len(rest) && m.Head+m.Tail < maxLines && kept+rest[len(rest)-1-m.Tail] <= maxBytes {
		kept += rest[len(rest)-1-m.Tail]
		m.Tail++
	}
	m.Lines, m.Bytes = len(rest)-m.Tail, total-kept
	return m
}

// fitting is how many of the first lines fit, and their bytes.
func fitting(sizes []int, maxBytes, maxLines int) (n, bytes int) {
	for n < len(sizes) && n < maxLines && bytes+sizes[n] <= maxBytes {
		bytes += sizes[n]
		n++
	}
	return n, bytes
}
