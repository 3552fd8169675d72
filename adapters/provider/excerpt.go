package provider

import "fmt"

// MaxBody is how many bytes of a failed reply are kept for the log: three quarters
// from its start, the rest from its end, where the failure usually stands.
const MaxBody = 64 << 10

const (
	headBytes = MaxBody / 4 * 3
	tailBytes = MaxBody - headBytes
)

// cutMark begins the line that stands for what an excerpt left out.
const cutMark = "\n["

// excerpt keeps the start and the end of a stream in bounded memory.
type excerpt struct {
	head, tail []byte
	total      int64
}

func (e *excerpt) add(b []byte) {
	e.total += int64(len(b))
	if room := headBytes - len(e.head); room > 0 {
		n := min(room, len(b))
		e.head = append(e.head, b[:n]...)
		b = b[n:]
	}
	e.tail = append(e.tail, b...)
	// Trimmed at twice the bound, so that a stream of small pieces moves each byte once.
	if len(e.tail) > 2*tailBytes {
		e.tail = append(e.tail[:0], e.tail[len(e.tail)-tailBytes:]...)
	}
}

func (e *excerpt) String() string {
	tail := e.tail[max(0, len(e.tail)-tailBytes):]
	if left := e.total - int64(len(e.head)) - int64(len(tail)); left > 0 {
		return fmt.Sprintf("%s%s%d bytes left out]\n%s", e.head, cutMark, left, tail)
	}
	return string(e.head) + string(tail)
}
