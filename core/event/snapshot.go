package event

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"unicode/utf8"
)

// A snapshot is a state as bytes, so that a long session opens without its records
// being read again. It is never the truth: it says what the records before it fold
// to, and whoever holds the log can do without it (law log_snapshot_is_the_fold).
//
// The messages, which are nearly all of a long session, come first in a form of their
// own, without the ones before from, which an earlier snapshot holds; the rest of the
// state follows as JSON. Text that is no UTF-8 is stored as a record stores it.

// Snapshot appends the snapshot of a state to dst, without its first from messages.
func (s State) Snapshot(dst []byte, from int) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s.Messages)-from))
	for _, m := range s.Messages[from:] {
		dst = m.append(dst)
	}
	s.Messages = nil
	return append(dst, plain(keptState{visible(s), s.held})...)
}

// errSnapshot is a snapshot that ends early or says what no state is.
var errSnapshot = errors.New("a snapshot of a session's state is damaged")

// Restore is the state of a snapshot. before are the messages that it does not hold;
// they are used up, as append does its first argument. The texts of the state are
// parts of the snapshot itself.
func Restore(snapshot string, before []Message) (State, error) {
	messages, rest, err := RestoreMessages(snapshot, before)
	if err != nil {
		return State{}, err
	}
	var k keptState
	if err := json.Unmarshal([]byte(rest), &k); err != nil {
		return State{}, fmt.Errorf("%w: %w", errSnapshot, err)
	}
	s := State(k.visible)
	s.held = k.Held
	if len(messages) > 0 {
		s.Messages = messages
	}
	return s, nil
}

// RestoreMessages adds the messages of a snapshot to before, and leaves the rest of the
// state alone.
func RestoreMessages(snapshot string, before []Message) (messages []Message, rest string, err error) {
	r := reader{rest: snapshot}
	n := r.count(minMessage)
	messages = slices.Grow(before, n)
	for range n {
		messages = append(messages, r.message())
	}
	if r.bad {
		return nil, "", errSnapshot
	}
	return messages, r.rest, nil
}

// What the first byte of a message says of it.
const (
	isError = 1 << iota
	isHarness
	hasCall   // the call that it answers
	hasThinks // thinking and thoughts
	hasMore   // members that only few messages have, as JSON
)

// minMessage is the fewest bytes of a message: flags, role, record, text and calls.
const minMessage = 5

// parted is a message and what only few have of it.
func (m Message) parted() (more Message, flags byte) {
	more = m
	more.Role, more.Text, more.Calls, more.Call, more.Error, more.Seq, more.Harness = "", "", nil, ToolCall{}, false, 0, false
	more.Thinking, more.Thoughts = "", nil
	for flag, set := range map[byte]bool{
		isError: m.Error, isHarness: m.Harness, hasCall: m.Call != ToolCall{},
		hasThinks: m.Thinking != "" || len(m.Thoughts) > 0, hasMore: !reflect.ValueOf(more).IsZero(),
	} {
		if set {
			flags |= flag
		}
	}
	return more, flags
}

func (m Message) append(dst []byte) []byte {
	more, flags := m.parted()
	dst = appendText(append(dst, flags), string(m.Role))
	dst = binary.AppendUvarint(dst, m.Seq)
	dst = appendText(dst, m.Text)
	dst = binary.AppendUvarint(dst, uint64(len(m.Calls)))
	for _, c := range m.Calls {
		dst = appendCall(dst, c)
	}
	if flags&hasCall != 0 {
		dst = appendCall(dst, m.Call)
	}
	if flags&hasThinks != 0 {
		dst = m.appendThinks(dst)
	}
	if flags&hasMore != 0 {
		dst = appendText(dst, string(plain(more)))
	}
	return dst
}

func (m Message) appendThinks(dst []byte) []byte {
	dst = appendText(dst, m.Thinking)
	dst = binary.AppendUvarint(dst, uint64(len(m.Thoughts)))
	for _, t := range m.Thoughts {
		three := struct {
			Wire, Model string
			Raw         json.RawMessage
		}(t)
		dst = appendText(appendText(dst, three.Wire), three.Model)
		dst = appendText(dst, string(plain(three.Raw)))
	}
	return dst
}

// appendCall: a call is four texts; with a fifth member this does not build.
func appendCall(dst []byte, c ToolCall) []byte {
	four := struct{ ID, Provider, Tool, Args string }(c)
	for _, s := range [...]string{four.ID, four.Provider, four.Tool, four.Args} {
		dst = appendText(dst, s)
	}
	return dst
}

// appendText stores a text as JSON would: a byte that is no UTF-8 becomes U+FFFD, so
// that a state that was folded from memory is kept as the log has it.
func appendText(dst []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// plain is a value as JSON without HTML escaping, as bodies are stored.
func plain(v any) []byte {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Sprintf("event: a %T does not encode: %v", v, err))
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}

// reader takes a snapshot apart; bad is set once it does not hold what it must.
type reader struct {
	rest string
	bad  bool
}

func (r *reader) number() (n uint64) {
	for shift := 0; shift < 64 && len(r.rest) > 0; shift += 7 {
		b := r.rest[0]
		r.rest = r.rest[1:]
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	r.bad = true
	return 0
}

// count is a number of things of at least size bytes each: more than the rest can
// hold is damage, and would make room for what is not there.
func (r *reader) count(size int) int {
	n := r.number()
	if n > uint64(len(r.rest)/size) {
		r.bad = true
		return 0
	}
	return int(n)
}

func (r *reader) text() string {
	n := r.count(1)
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

func (r *reader) call() ToolCall {
	return ToolCall{ID: r.text(), Provider: r.text(), Tool: r.text(), Args: r.text()}
}

func (r *reader) message() (m Message) {
	if r.bad || len(r.rest) == 0 {
		r.bad = true
		return m
	}
	flags := r.rest[0]
	r.rest = r.rest[1:]
	m = Message{Error: flags&isError != 0, Harness: flags&isHarness != 0}
	m.Role, m.Seq, m.Text = role(r.text()), r.number(), r.text()
	if n := r.count(4); n > 0 {
		m.Calls = make([]ToolCall, n)
	}
	for i := range m.Calls {
		m.Calls[i] = r.call()
	}
	if flags&hasCall != 0 {
		m.Call = r.call()
	}
	if flags&hasThinks != 0 {
		m.Thinking, m.Thoughts = r.text(), r.thoughts()
	}
	if flags&hasMore != 0 {
		r.more(&m)
	}
	return m
}

func (r *reader) thoughts() (out []Thought) {
	for range r.count(3) {
		out = append(out, Thought{Wire: r.text(), Model: r.text(), Raw: json.RawMessage(r.text())})
	}
	return out
}

// more adds the members that only few messages have.
func (r *reader) more(m *Message) {
	more := Message{}
	r.bad = json.Unmarshal([]byte(r.text()), &more) != nil || r.bad
	more.Role, more.Text, more.Calls, more.Call, more.Error, more.Seq, more.Harness = m.Role, m.Text, m.Calls, m.Call, m.Error, m.Seq, m.Harness
	more.Thinking, more.Thoughts = m.Thinking, m.Thoughts
	*m = more
}

// role gives the constant, so that a state does not keep a snapshot for it.
func role(s string) Role {
	for _, r := range [...]Role{User, Assistant, Tool} {
		if string(r) == s {
			return r
		}
	}
	return Role(s)
}

// keptState is a state with what only the fold sees of it.
type keptState struct {
	visible
	Held []Message
}

// visible is the exported part of a state.
type visible State

// keptCall is an open call with what only the fold sees of it.
type keptCall struct {
	ToolCall
	Taken, Started, Judged bool
	Allowed                []int
	Interrupted            bool
	By                     string
}

// MarshalJSON keeps also what only the fold sees, for snapshots.
func (c OpenCall) MarshalJSON() ([]byte, error) {
	return plain(keptCall{c.ToolCall, c.Taken, c.Started, c.Judged, c.allowed, c.interrupted, c.By}), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (c *OpenCall) UnmarshalJSON(b []byte) error {
	var k keptCall
	if err := json.Unmarshal(b, &k); err != nil {
		return err
	}
	*c = OpenCall{k.ToolCall, k.Taken, k.Started, k.By, verdict{k.Judged, k.Allowed}, k.Interrupted}
	return nil
}

// keptJob is an open job with what only the fold sees of it.
type keptJob struct {
	Detachment
	Judged      bool
	Allowed     []int
	Interrupted bool
}

// MarshalJSON keeps also what only the fold sees, for snapshots.
func (j OpenJob) MarshalJSON() ([]byte, error) {
	return plain(keptJob{j.Detachment, j.Judged, j.allowed, j.interrupted}), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (j *OpenJob) UnmarshalJSON(b []byte) error {
	var k keptJob
	if err := json.Unmarshal(b, &k); err != nil {
		return err
	}
	*j = OpenJob{k.Detachment, verdict{k.Judged, k.Allowed}, k.Interrupted}
	return nil
}
