package docs

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tenet/core/doc"
	"tenet/core/doc/snapshot"
	"tenet/core/guard"
	"tenet/core/surface"
)

// errSame: the file already is what the call wants it to be.
var errSame = errors.New("the file already has this content")

// replace changes an exact text of one file and keeps every other byte (seed 5).
func (d *Docs) replace(ctx context.Context, g Gate, args surface.Args) (reply, error) {
	path := args.Str("path", "")
	e := doc.Edit{Old: args.Str("old", ""), New: args.Str("new", ""), All: args.Bool("all"), Limit: SnapshotBytes}
	if n := max(len(e.Old), len(e.New)); n > WriteBytes {
		return reply{}, fmt.Errorf("%s was not changed: one replacement takes texts of up to %d bytes, this has %d; make several smaller ones", shown(path), WriteBytes, n)
	}
	p, err := d.writePlace(path)
	if err != nil {
		return reply{}, err
	}
	r := replacing{d: d, p: p, edit: e}
	p.deed = guard.EditedIt
	p.reads, p.preview = true, r.preview
	if err := d.permit(ctx, g, &p); err != nil {
		return reply{}, err
	}
	r.p = p
	done, err := d.change(ctx, p, r.next)
	if err != nil {
		return reply{}, err
	}
	return r.reply(done), nil
}

// replacing is one replacement under way.
type replacing struct {
	d    *Docs
	p    place
	edit doc.Edit
	// before is the file that was changed, did what the change made of it.
	before []byte
	did    doc.Replacement
}

// preview is what the replacement would make of the file. It keeps nothing and shows
// nothing: whether the file may be read at all is not decided yet.
func (r *replacing) preview(cur current) ([]byte, error) {
	if err := r.refuses(cur); err != nil {
		return nil, err
	}
	if did := doc.Replace(cur.bytes, r.edit); did.Outcome == doc.Replaced {
		return did.Bytes, nil
	}
	return nil, errSame
}

func (r *replacing) next(cur current) ([]byte, error) {
	if err := r.refuses(cur); err != nil {
		return nil, err
	}
	r.before, r.did = cur.bytes, doc.Replace(cur.bytes, r.edit)
	if r.did.Outcome == doc.Replaced {
		return r.did.Bytes, nil
	}
	return nil, r.fault(cur.bytes)
}

// refuses says why a file is not changed, whatever the texts.
func (r *replacing) refuses(cur current) error {
	name := r.d.rel(r.p.real)
	switch {
	case !cur.exists:
		return fmt.Errorf("%s does not exist; create it with write, or look for it with glob", name)
	case !r.d.seen.of(r.p.real).MayEdit(true, cur.version()):
		return fmt.Errorf("%s was CHANGED by something else since this session saw it, so it was not changed here. Read it again, then make the change with those changes taken in", name)
	case cur.large:
		return fmt.Errorf("%s has %d bytes, more than the %d that search_replace takes; change it with bash, for instance with sed", name, cur.st.Size, SnapshotBytes)
	}
	if c := doc.Sniff(cur.bytes, false); c.Encoding != doc.UTF8 {
		return fmt.Errorf("%s %s, so it was not changed: the new text would have another encoding. Convert it first, or change it with bash", name, c.Fault())
	}
	return nil
}

// fault says why nothing was replaced. What is close is shown, and never changed.
func (r *replacing) fault(file []byte) error {
	name := r.d.rel(r.p.real)
	switch r.did.Outcome {
	case doc.Empty:
		return fmt.Errorf("%s was not changed: old is empty, which occurs everywhere; give the text to replace", name)
	case doc.Unchanged:
		return fmt.Errorf("%s was not changed: with this new text it would stay the same; check whether the change is already there", name)
	case doc.TooLarge:
		return fmt.Errorf("%s was not changed: it would have more than %d bytes; use bash", name, SnapshotBytes)
	case doc.Ambiguous:
		return r.several(file)
	case doc.NoMatch:
		return r.nearest(file)
	case doc.Replaced:
	}
	return fmt.Errorf("%s was not changed", name)
}

// several shows the lines in which the matches begin.
func (r *replacing) several(file []byte) error {
	var out reply
	out.line(fmt.Sprintf("%s was not changed: old occurs more than once, at lines %s; make old longer until it occurs once, or set all", r.d.rel(r.p.real), numbers(r.did)))
	at := make([]doc.Span, len(r.did.At))
	for i, n := range r.did.At {
		at[i] = doc.Span{From: int64(n), To: int64(n)}
	}
	r.rows(&out, file, r.d.seen.record(r.p.real, file), rowsOf{spans: at, mark: "*", limit: doc.MaxNamed, more: gapRow})
	return &refused{out}
}

func numbers(r doc.Replacement) string {
	var out []string
	for _, n := range r.At {
		out = append(out, strconv.Itoa(n))
	}
	text := strings.Join(out, ", ")
	if r.More {
		text += " and more"
	}
	return text
}

// nearRows bounds the lines shown of a place that is close, resultRows those of the
// result.
const (
	nearRows   = 12
	resultRows = 24
	margin     = 2
)

// nearest shows the place that is closest to old, and how it differs.
func (r *replacing) nearest(file []byte) error {
	var out reply
	no := r.d.rel(r.p.real) + " was not changed: old does not occur in it."
	n := doc.Nearest(file, r.edit.Old)
	if n.Lines.From == 0 {
		return errors.New(no + " Nothing like it is there either; read the file and copy the text from it")
	}
	differs := ""
	if n.Blank {
		differs = " differs only in white space"
	}
	out.line(fmt.Sprintf("%s The closest place%s, lines %d to %d:", no, differs, n.Lines.From, n.Lines.To))
	r.rows(&out, file, r.d.seen.record(r.p.real, file), rowsOf{spans: []doc.Span{n.Lines}, limit: nearRows, more: gapRow})
	last := "Copy the text exactly as it stands in the file"
	if n.Differs != 0 {
		last = fmt.Sprintf("Line %d is %q there and %q in old. %s", n.Differs, doc.Excerpt([]byte(n.Have), 0, 0), doc.Excerpt([]byte(n.Want), 0, 0), last)
	}
	out.line(last)
	return &refused{out}
}

// reply shows what changed, with a margin. The lines that were seen before stay seen,
// and those that the new text is all of are.
func (r *replacing) reply(done landed) (out reply) {
	places := make([]string, 0, len(r.did.Changed))
	for _, s := range r.did.Changed[:min(len(r.did.Changed), doc.MaxNamed)] {
		places = append(places, span(s))
	}
	more := ""
	if n := len(r.did.Changed) - len(places); n > 0 {
		more = fmt.Sprintf(" and %d more places", n)
	}
	out.line(fmt.Sprintf("changed %s, %s%s:", r.d.rel(r.p.real), strings.Join(places, ", "), more))
	v := r.d.keep(r.p, r.did.Bytes, done)
	if v.Digest == digest(r.did.Bytes) {
		r.d.seen.carried(r.p.real, digest(r.before), v.Digest, r.did)
	}
	r.rows(&out, done.live, v, rowsOf{spans: r.did.Changed, margin: margin, beside: " ", limit: resultRows, more: gapRow})
	out.warn(done.warnings)
	return out
}

func span(s doc.Span) string {
	if s.From >= s.To {
		return fmt.Sprintf("line %d", s.From)
	}
	return fmt.Sprintf("lines %d-%d", s.From, s.To)
}

// rows shows lines of a version of the file under its header.
func (r *replacing) rows(out *reply, file []byte, v snapshot.Version, w rowsOf) {
	out.header(r.d.inHeader(r.p.real), v.Tag)
	out.around(r.p.real, v.Digest, file, w)
}
