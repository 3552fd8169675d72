// Package sse reads a stream of server-sent events as the standard says: LF, CRLF
// and a lone CR end a line, one leading byte order mark is skipped, several data
// lines join with LF. It is a pure push parser: bytes in, events out, the same
// events however the bytes were cut into reads.
package sse

import (
	"bytes"
	"errors"
)

// MaxEvent is the most bytes that one line or the data of one event may have, in
// bytes. A server that never ends its line must not fill the memory.
const MaxEvent = 8 << 20

// ErrTooLarge is returned for an event over MaxEvent.
var ErrTooLarge = errors.New("one event of the stream is larger than 8 MiB")

// Event is one event of a stream.
type Event struct {
	// Name is the event field, empty when the stream gave none.
	Name string
	// Data is the data lines joined with LF. It is valid until the handler returns.
	Data []byte
	// Open is true when the stream ended before the blank line that ends an event.
	// Servers forget that line, so the event is taken; but its data may be cut.
	Open bool
}

// Parser turns bytes into events. The zero value is ready for the first byte.
type Parser struct {
	// Comments counts comment lines: a server's sign of life without content.
	Comments int
	// Ignored counts lines whose field the standard does not know.
	Ignored int
	// Events counts the events handed out.
	Events int

	line    []byte // the start of a line whose end has not come
	skipLF  bool   // the last byte was a CR, so that a LF belongs to it
	started bool   // the first line is behind, and with it the place of a BOM
	name    string
	data    []byte
	has     bool // a data line came; without one an event is not handed out
}

// Feed takes the next bytes and calls on for each event that they complete. The
// error is ErrTooLarge or on's own; after an error the parser is not used again.
func (p *Parser) Feed(b []byte, on func(Event) error) error {
	for len(b) > 0 {
		if p.skipLF {
			p.skipLF = false
			if b[0] == '\n' {
				b = b[1:]
				continue
			}
		}
		n := lineEnd(b)
		if n < 0 {
			return p.hold(b)
		}
		p.skipLF = b[n] == '\r'
		if err := p.end(b[:n], on); err != nil {
			return err
		}
		b = b[n+1:]
	}
	return nil
}

// Close says that no byte follows. An event without its blank line is handed out
// as Open: servers that forget the line are common, and what stands is whole or
// cut, which only the reader of the data can tell.
func (p *Parser) Close(on func(Event) error) error {
	if len(p.line) > 0 {
		if err := p.end(nil, on); err != nil {
			return err
		}
	}
	return p.emit(on, true)
}

// lineEnd is the place of the first CR or LF, -1 without one.
func lineEnd(b []byte) int {
	lf := bytes.IndexByte(b, '\n')
	head := b
	if lf >= 0 {
		head = b[:lf]
	}
	if cr := bytes.IndexByte(head, '\r'); cr >= 0 {
		return cr
	}
	return lf
}

func (p *Parser) hold(b []byte) error {
	if len(p.line)+len(b) > MaxEvent {
		return ErrTooLarge
	}
	p.line = append(p.line, b...)
	return nil
}

// end takes a line whose last part is tail. A line that came in one piece is read
// where it stands.
func (p *Parser) end(tail []byte, on func(Event) error) error {
	line := tail
	if len(p.line) > 0 {
		if err := p.hold(tail); err != nil {
			return err
		}
		line = p.line
		p.line = p.line[:0]
	}
	if len(line) > MaxEvent {
		return ErrTooLarge
	}
	if !p.started {
		p.started = true
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	return p.take(line, on)
}

func (p *Parser) take(line []byte, on func(Event) error) error {
	if len(line) == 0 {
		return p.emit(on, false)
	}
	field, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(field) {
	case "":
		p.Comments++
	case "data":
		return p.add(value)
	case "event":
		p.name = string(value)
	case "id", "retry": // for browsers that reconnect; a reply is never resumed
	default:
		p.Ignored++
	}
	return nil
}

func (p *Parser) add(value []byte) error {
	if len(p.data)+len(value)+1 > MaxEvent {
		return ErrTooLarge
	}
	if p.has {
		p.data = append(p.data, '\n')
	}
	p.has = true
	p.data = append(p.data, value...)
	return nil
}

func (p *Parser) emit(on func(Event) error, open bool) error {
	e := Event{Name: p.name, Data: p.data, Open: open}
	ok := p.has
	p.name, p.data, p.has = "", p.data[:0], false
	if !ok {
		return nil
	}
	p.Events++
	return on(e)
}
