package composer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"tenet/core/call"
	"tenet/tui/text"
)

// A cluster is what a person takes for one character: a letter with its marks, an emoji of
// several, or a chip. The cursor stands between clusters, never in one.

// maxJoined bounds a cluster, in bytes: letters can be made to join without an end, and
// looking for that end again at each of them would be quadratic.
const maxJoined = 64

// nextCluster is the length of the cluster that s begins with, in bytes. s is not empty.
func nextCluster(s string) int {
	if s[0] < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return 1
	}
	if chipAt(s) {
		return chipLen
	}
	near := s
	if len(near) > maxJoined {
		near = near[:maxJoined]
		for !utf8.RuneStart(s[len(near)]) {
			near = near[:len(near)-1]
		}
	}
	cluster, _ := ansi.FirstGraphemeCluster(near, ansi.GraphemeWidth)
	// Some letters join with whatever comes; a chip is never part of a letter.
	for at := 1; at < len(cluster); at++ {
		if cluster[at] == chipLead && chipAt(cluster[at:]) {
			return at
		}
	}
	return max(1, len(cluster))
}

// safe is a place at or before at where a cluster surely begins: clusters can be counted
// from there on.
func safe(s string, at int) int {
	for ; at > 0; at-- {
		if at < len(s) && s[at] < utf8.RuneSelf && s[at-1] < utf8.RuneSelf {
			return at
		}
	}
	return 0
}

// before is where the cluster begins that ends at at, or that at stands in.
func before(s string, at int) int {
	from := safe(s, at-1)
	for from < at {
		n := nextCluster(s[from:])
		if from+n >= at {
			return from
		}
		from += n
	}
	return from
}

// snap is at, or the end of the cluster that it stands in.
func snap(s string, at int) int {
	if at <= 0 || at >= len(s) {
		return max(0, min(at, len(s)))
	}
	from := before(s, at)
	return from + nextCluster(s[from:])
}

// tabShown is how a tab is drawn: its width must not depend on where it stands, so that a
// line can be drawn from any of its rows on.
const tabShown = "    "

// shown is a cluster as it is drawn: what a terminal obeys or hides is written out, since
// it is sent as it is.
func shown(cluster string) string {
	if len(cluster) == 1 {
		switch c := cluster[0]; {
		case c == '\t':
			return tabShown
		case c >= ' ' && c < 0x7f:
			return cluster
		}
		return call.Visible(cluster)
	}
	clean := text.Clean(cluster)
	if clean == "" || strings.TrimSpace(clean) == "" && clean != "\u3000" {
		return call.Visible(cluster)
	}
	return clean
}

// cells is how wide a cluster is drawn.
func cells(cluster string) int {
	if len(cluster) == 1 && cluster[0] >= ' ' && cluster[0] < 0x7f {
		return 1
	}
	return text.Width(shown(cluster))
}

// blank is true for a cluster that parts words.
func blank(cluster string) bool {
	r, _ := utf8.DecodeRuneInString(cluster)
	return unicode.IsSpace(r)
}

// The classes of clusters that make words.
const (
	classBlank = iota
	classWord
	classSign
	classChip
)

// class says which words a cluster can be part of.
func class(cluster string) int {
	r, _ := utf8.DecodeRuneInString(cluster)
	switch {
	case chipAt(cluster):
		return classChip
	case unicode.IsSpace(r):
		return classBlank
	case r == '_' || unicode.In(r, unicode.L, unicode.N, unicode.M):
		return classWord
	}
	return classSign
}
