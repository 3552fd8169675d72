package event

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Body is the value of a record. The set is closed: one type for each Kind.
type Body interface{ kind() Kind }

func (Opening) kind() Kind    { return Opened }
func (Prompt) kind() Kind     { return Prompted }
func (Request) kind() Kind    { return Requested }
func (Reply) kind() Kind      { return Replied }
func (Failure) kind() Kind    { return Failed }
func (Call) kind() Kind       { return Called }
func (Judgement) kind() Kind  { return Judged }
func (Question) kind() Kind   { return Asked }
func (Dispatch) kind() Kind   { return Dispatched }
func (Result) kind() Kind     { return Resulted }
func (Ending) kind() Kind     { return Ended }
func (Repair) kind() Kind     { return Repaired }
func (Resumption) kind() Kind { return Resumed }
func (Submission) kind() Kind { return Submitted }
func (Withdrawal) kind() Kind { return Withdrawn }
func (Deferral) kind() Kind   { return Deferred }
func (Compaction) kind() Kind { return Compacted }
func (Detachment) kind() Kind { return Detached }
func (Spawn) kind() Kind      { return Spawned }
func (Settlement) kind() Kind { return Settled }
func (Inquiry) kind() Kind    { return Inquired }
func (Answer) kind() Kind     { return Answered }
func (Setting) kind() Kind    { return Set }
func (Notice) kind() Kind     { return Noticed }
func (Fork) kind() Kind       { return Forked }
func (Change) kind() Kind     { return Changed }

// Kinds lists every kind, in the order of the constants.
func Kinds() []Kind {
	return []Kind{
		Opened, Prompted, Requested, Replied, Failed, Called, Judged, Asked, Dispatched, Resulted, Ended, Repaired, Resumed,
		Submitted, Withdrawn, Deferred, Compacted, Detached, Spawned, Settled, Inquired, Answered, Set, Noticed, Forked,
		Changed,
	}
}

// KindOf is the kind of the record that b is the value of.
func KindOf(b Body) Kind { return b.kind() }

// Decode reads a record's body. A kind that this tenet does not know, a member it
// does not know, or a body that is no such value is an error that names the record:
// a reader that skipped one would show a session that did not happen.
func Decode(r Record) (Body, error) {
	switch r.Kind {
	case Opened:
		return into[Opening](r)
	case Prompted:
		return into[Prompt](r)
	case Requested:
		return into[Request](r)
	case Replied:
		return into[Reply](r)
	case Failed:
		return into[Failure](r)
	case Called:
		return into[Call](r)
	case Judged:
		return into[Judgement](r)
	case Asked:
		return into[Question](r)
	case Dispatched:
		return into[Dispatch](r)
	case Resulted:
		return into[Result](r)
	case Ended:
		return into[Ending](r)
	case Repaired:
		return into[Repair](r)
	case Resumed:
		return into[Resumption](r)
	case Submitted:
		return into[Submission](r)
	case Withdrawn:
		return into[Withdrawal](r)
	case Deferred:
		return into[Deferral](r)
	case Compacted:
		return into[Compaction](r)
	case Detached:
		return into[Detachment](r)
	case Spawned:
		return into[Spawn](r)
	case Settled:
		return into[Settlement](r)
	case Inquired:
		return into[Inquiry](r)
	case Answered:
		return into[Answer](r)
	case Set:
		return into[Setting](r)
	case Noticed:
		return into[Notice](r)
	case Forked:
		return into[Fork](r)
	case Changed:
		return into[Change](r)
	}
	return nil, fmt.Errorf("record %d is of the kind %q, which this tenet does not know: a newer tenet wrote it; read this session with that one", r.Seq, r.Kind)
}

func into[B Body](r Record) (Body, error) {
	var b B
	d := json.NewDecoder(bytes.NewReader(r.Body))
	d.DisallowUnknownFields()
	err := d.Decode(&b)
	if err == nil && d.InputOffset() != int64(len(r.Body)) {
		err = fmt.Errorf("%d bytes follow the value", int64(len(r.Body))-d.InputOffset())
	}
	if err != nil {
		return nil, fmt.Errorf("the body of record %d (%s) cannot be read: %w; a newer tenet may have written it", r.Seq, r.Kind, err)
	}
	return b, nil
}

// encodeBody is the body as a log holds it: one line, and no HTML escaping, so that
// a person finds what the model wrote with grep. Every body is made of strings,
// numbers and flags, which always encode; bytes that are no UTF-8 become U+FFFD.
func encodeBody(b Body) []byte {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(b); err != nil {
		panic(fmt.Sprintf("event: a body of kind %s does not encode: %v", b.kind(), err))
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}
