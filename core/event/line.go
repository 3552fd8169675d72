package event

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"
)

// A line of a log is one record, its members always in this order and nothing
// between them, so that the chain can be followed without a JSON decoder:
//
//	{"seq":N,"prev":"<64 hex>","at":"...","kind":"...","body":{...},"sum":"<64 hex>"}
//
// sum is the SHA-256 of the line's bytes before `,"sum":`. Since prev is among
// them, a sum vouches for every record before it.
const (
	openSeq  = `{"seq":`
	openPrev = `,"prev":"`
	openAt   = `","at":"`
	openKind = `","kind":"`
	openBody = `","body":`
	openSum  = `,"sum":"`
	closing  = `"}`
)

// stamp is RFC 3339 in UTC with nine digits of the second.
const stamp = "2006-01-02T15:04:05.000000000Z"

// Sum is a SHA-256 in lower-case hex, as records spell it.
type Sum [2 * sha256.Size]byte

// NoSum is what the first record has for Prev.
var NoSum = Sum(bytes.Repeat([]byte{'0'}, 2*sha256.Size))

// String is the hex text.
func (s Sum) String() string { return string(s[:]) }

func sumOf(b []byte) (s Sum) {
	raw := sha256.Sum256(b)
	hex.Encode(s[:], raw[:])
	return s
}

// Encode appends the line of a record, with its newline, to dst and returns the
// record's sum, which the next record carries as prev.
func Encode(dst []byte, prev Sum, seq uint64, at time.Time, b Body) ([]byte, Sum) {
	start := len(dst)
	dst = append(dst, openSeq...)
	dst = strconv.AppendUint(dst, seq, 10)
	dst = append(append(dst, openPrev...), prev[:]...)
	dst = append(dst, openAt...)
	dst = at.UTC().AppendFormat(dst, stamp)
	dst = append(append(dst, openKind...), b.kind()...)
	dst = append(append(dst, openBody...), encodeBody(b)...)
	sum := sumOf(dst[start:])
	dst = append(append(dst, openSum...), sum[:]...)
	return append(dst, closing+"\n"...), sum
}

// Head is a line cut at the places where its members stand. The slices point into
// the line.
type Head struct {
	Seq                        uint64
	Prev, At, Kind, Body, Sums []byte
	// covered is the bytes that the sum is taken over.
	covered []byte
}

// Cut finds the members of a line, given without its newline. It looks only at the
// places where they must stand and reads no body; ok is false when one is not there.
func Cut(line []byte) (h Head, ok bool) {
	n := len(line) - len(openSum) - len(h.sum()) - len(closing)
	if n < 0 {
		return h, false
	}
	rest := line
	h.covered = line[:n]
	h.Sums, ok = tail(line[n:])
	if !ok || !eat(&rest, openSeq) || !number(&rest, &h.Seq) || !eat(&rest, openPrev) || len(rest) < len(NoSum) {
		return h, false
	}
	h.Prev, rest = rest[:len(NoSum)], rest[len(NoSum):]
	ok = eat(&rest, openAt) && word(&rest, &h.At) && eat(&rest, openKind) && word(&rest, &h.Kind) && eat(&rest, openBody)
	if !ok {
		return h, false
	}
	at := len(line) - len(rest)
	if at >= n || line[at] != '{' || line[n-1] != '}' {
		return h, false
	}
	h.Body = line[at:n]
	return h, true
}

// sum is an empty sum, for its length.
func (Head) sum() (s Sum) { return s }

func tail(b []byte) ([]byte, bool) {
	from, to := len(openSum), len(openSum)+len(NoSum)
	return b[from:to], string(b[:from]) == openSum && string(b[to:]) == closing
}

func eat(b *[]byte, s string) bool {
	if len(*b) < len(s) || string((*b)[:len(s)]) != s {
		return false
	}
	*b = (*b)[len(s):]
	return true
}

// number reads a decimal without a sign and without a leading zero, so that a
// number has one spelling.
func number(b *[]byte, n *uint64) bool {
	i := 0
	for ; i < len(*b) && i < 19 && '0' <= (*b)[i] && (*b)[i] <= '9'; i++ {
		*n = *n*10 + uint64((*b)[i]-'0')
	}
	if i == 0 || (*b)[0] == '0' {
		return false
	}
	*b = (*b)[i:]
	return true
}

// word reads what a time or a kind is made of: up to 40 bytes of ASCII that need no
// escape.
func word(b *[]byte, w *[]byte) bool {
	for i, c := range (*b)[:min(len(*b), 41)] {
		if c == '"' {
			*w, *b = (*b)[:i], (*b)[i:]
			return i > 0
		}
		if c <= ' ' || c > '~' || c == '\\' {
			return false
		}
	}
	return false
}

// Record is the record that a head is cut from, with copies of its members.
func (h Head) Record() Record {
	return Record{Seq: h.Seq, Prev: string(h.Prev), At: string(h.At), Kind: Kind(h.Kind), Body: bytes.Clone(h.Body), Sum: string(h.Sums)}
}

// Len is the length of the whole line, its newline included.
func (h Head) Len() int { return len(h.covered) + len(openSum) + len(NoSum) + len(closing) + 1 }

// Vouched reports whether the sum is the one of the line's bytes.
func (h Head) Vouched() bool {
	sum := sumOf(h.covered)
	return string(h.Sums) == string(sum[:])
}
