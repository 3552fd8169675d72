package composer

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"tenet/tui/text"
)

// A chip stands for a text that would make the line slow and unreadable: a large paste, an
// image. In the text it is one character from the end of a private plane, which the editor
// treats as any other; what it holds lies beside the text.

const (
	firstChip = 0x10F000
	lastChip  = 0x10FFFD
	chipLen   = 4    // bytes of its character
	chipLead  = 0xF4 // the first of them
)

// The bounds of what is written.
const (
	chipBytes = 2 << 10  // a paste above it is a chip
	chipLines = 10       // and so is one of more lines
	lineBytes = 32 << 10 // no line gets longer by a paste or a text that is set
	maxTyped  = 1 << 20  // the text without its chips
	maxHeld   = 16 << 20 // what the chips hold together
)

// chip is what one stands for.
type chip struct {
	number int
	text   string
	// image is the path of an image; its text is how the message names it.
	image string
	// odd is true for a character that a person pasted and that looks like a chip's own.
	odd bool
	// label is how it is drawn, in width cells.
	label string
	width int
}

// chipAt is true when a text begins with the character of a chip.
func chipAt(s string) bool {
	return len(s) >= chipLen && s[0] == chipLead && s[1] == 0x8F && s[2]&0xC0 == 0x80
}

// name is a chip as it is drawn.
func (c chip) name() string {
	switch {
	case c.odd:
		r, _ := utf8.DecodeRuneInString(c.text)
		return fmt.Sprintf("[%U]", r)
	case c.image != "":
		return fmt.Sprintf("[image %s #%d]", text.Line(filepath.Base(c.image)), c.number)
	case len(c.text) < chipBytes:
		return fmt.Sprintf("[pasted %d lines #%d]", lines(c.text), c.number)
	}
	return fmt.Sprintf("[pasted %s #%d]", size(len(c.text)), c.number)
}

// size is a number of bytes as people read it.
func size(n int) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return scaled(n, 1<<10) + " KiB"
	}
	return scaled(n, 1<<20) + " MiB"
}

func scaled(n, unit int) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/float64(unit)), ".0")
}

// add makes a chip and is its character. It is empty when there is no room for it.
func (b *buffer) add(c chip) string {
	if b.held+len(c.text) > maxHeld {
		b.sweep()
	}
	if b.held+len(c.text) > maxHeld || len(b.chips) > lastChip-firstChip {
		return ""
	}
	if !c.odd {
		b.number++
		c.number = b.number
	}
	c.label = c.name()
	c.width = text.Width(c.label)
	if c.image != "" { // its text says its number
		c.text = strings.TrimSuffix(c.label, "]") + ": " + text.Line(c.image) + "]"
	}
	b.held += len(c.text)
	b.chips = append(b.chips, c)
	return string(rune(firstChip + len(b.chips) - 1))
}

// sweep lets go of what chips hold that are in the text no more, and of what could be
// undone, which may hold them.
func (b *buffer) sweep() {
	used := b.text()
	for i := range b.chips {
		if !strings.ContainsRune(used, rune(firstChip+i)) {
			b.held -= len(b.chips[i].text)
			b.chips[i] = chip{label: "[gone]", width: len("[gone]")}
		}
	}
	b.undo = history{}
}

// chipOf is the chip whose character a text begins with.
func (b *buffer) chipOf(s string) (chip, bool) {
	if !chipAt(s) {
		return chip{}, false
	}
	r, _ := utf8.DecodeRuneInString(s)
	if i := int(r) - firstChip; i >= 0 && i < len(b.chips) {
		return b.chips[i], true
	}
	return chip{}, false
}

// expand is a text with what its chips hold in their places.
func (b *buffer) expand(s string) string {
	at := strings.IndexByte(s, chipLead)
	if at < 0 {
		return s
	}
	var out strings.Builder
	out.Grow(len(s) + b.held)
	for ; at >= 0; at = strings.IndexByte(s, chipLead) {
		out.WriteString(s[:at])
		if c, ok := b.chipOf(s[at:]); ok {
			out.WriteString(c.text)
			s = s[at+chipLen:]
			continue
		}
		out.WriteByte(chipLead)
		s = s[at+1:]
	}
	out.WriteString(s)
	return out.String()
}

// images are the paths of the images in a text, in its order.
func (b *buffer) images(s string) (out []string) {
	for at := strings.IndexByte(s, chipLead); at >= 0; at = strings.IndexByte(s, chipLead) {
		if c, ok := b.chipOf(s[at:]); ok && c.image != "" {
			out = append(out, c.image)
		}
		s = s[at+1:]
	}
	return out
}

// plain is a text as lines that can be edited: CRLF and CR are line ends, bytes that are no
// UTF-8 and NUL are U+FFFD.
func plain(s string) string {
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "\uFFFD")
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// foreign makes chips of the characters in a text that look like a chip's own.
func (b *buffer) foreign(s string) string {
	at := strings.IndexByte(s, chipLead)
	if at < 0 {
		return s
	}
	var out strings.Builder
	for ; at >= 0; at = strings.IndexByte(s, chipLead) {
		out.WriteString(s[:at])
		if s = s[at:]; chipAt(s) {
			out.WriteString(cmp.Or(b.add(chip{text: s[:chipLen], odd: true}), "\uFFFD"))
			s = s[chipLen:]
			continue
		}
		out.WriteByte(chipLead)
		s = s[1:]
	}
	out.WriteString(s)
	return out.String()
}

// fold is a text that is put in as a whole beside size bytes that stay: itself, or chips
// where it is too long to edit. ok is false, and nothing is taken, when there is no room.
func (b *buffer) fold(s string, size int) (folded string, ok bool) {
	if size+len(s) > maxTyped {
		c := b.add(chip{text: s})
		return c, c != ""
	}
	if len(s) <= lineBytes {
		return b.foreign(s), true
	}
	var out strings.Builder
	for line := range strings.Lines(s) {
		body, end := strings.CutSuffix(line, "\n")
		if len(body) <= lineBytes {
			out.WriteString(b.foreign(body))
		} else if c := b.add(chip{text: body}); c != "" {
			out.WriteString(c)
		} else {
			return "", false
		}
		if end {
			out.WriteByte('\n')
		}
	}
	return out.String(), true
}

// refold is a text that was written elsewhere from this one, as an editor gives it back:
// what a chip holds is that chip again, where it still stands there. An image would be
// nothing but its name otherwise.
func (b *buffer) refold(s string) (folded string, ok bool) {
	var out strings.Builder
	for at, r := range b.text() {
		c, isChip := b.chipOf(string(r))
		if !isChip || c.odd {
			continue
		}
		head, tail, there := strings.Cut(s, c.text)
		if !there {
			continue
		}
		folded, ok := b.fold(head, out.Len())
		if !ok {
			return "", false
		}
		out.WriteString(folded)
		out.WriteString(b.text()[at : at+chipLen])
		s = tail
	}
	folded, ok = b.fold(s, out.Len())
	return out.String() + folded, ok
}
