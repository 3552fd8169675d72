package docs

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tenet/core/doc"
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
	p.reads, p.preview = true, func(cur current) ([]byte, error) { return (&replacing{d: d, p: p, edit: e}).next(cur) }
	if err := d.permit(ctx, g, &p); err != nil {
		return reply{}, err
	}
	r.p = p
	done, err := d.change(ctx, p, r.next)
	if err != nil {
		return reply{}, err
	}
	return plain(r.reply(done)), nil
}

// replacing is one replacement under way.
type replacing struct {
	d    *Docs
	p    place
	edit doc.Edit
	did  doc.Replacement
}

func (r *replacing) next(cur current) ([]byte, error) {
	name := r.d.rel(r.p.real)
	switch {
	case !cur.exists:
		return nil, fmt.Errorf("%s does not exist; create it with write, or look for it with glob", name)
	case !r.d.seen.of(r.p.real).MayEdit(true, cur.version()):
		return nil, fmt.Errorf("%s was CHANGED by something else since this session saw it, so it was not changed here. Read it again, then make the change with those changes taken in", name)
	case cur.large:
		return nil, fmt.Errorf("%s has %d bytes, more than the %d that search_replace takes; change it with bash, for instance with sed", name, cur.st.Size, SnapshotBytes)
	}
	if c := doc.Sniff(cur.bytes, false); c.Encoding != doc.UTF8 {
		return nil, fmt.Errorf("%s %s, so it was not changed: the new text would have another encoding. Convert it first, or change it with bash", name, c.Fault())
	}
	r.did = doc.Replace(cur.bytes, r.edit)
	if r.did.Outcome == doc.Replaced {
		return r.did.Bytes, nil
	}
	return nil, r.fault(cur.bytes)
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
		return fmt.Errorf("%s was not changed: old occurs more than once, at lines %s; make old longer until it occurs once, or set all", name, numbers(r.did))
	case doc.NoMatch:
		return fmt.Errorf("%s was not changed: old does not occur in it.%s", name, nearest(file, r.edit.Old))
	case doc.Replaced:
	}
	return fmt.Errorf("%s was not changed", name)
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

func nearest(file []byte, old string) string {
	n := doc.Nearest(file, old)
	if n.Lines.From == 0 {
		return " Nothing like it is there either; read the file and copy the text from it"
	}
	text := " The closest place"
	if n.Blank {
		text += " differs only in white space"
	}
	text += fmt.Sprintf(", lines %d to %d:\n%s", n.Lines.From, n.Lines.To, rows(file, []doc.Span{n.Lines}, 0, nearRows))
	if n.Differs != 0 {
		text += fmt.Sprintf("Line %d is %q there and %q in old. ", n.Differs, doc.Excerpt([]byte(n.Have), 0, 0), doc.Excerpt([]byte(n.Want), 0, 0))
	}
	return text + "Copy the text exactly as it stands in the file"
}

func (r *replacing) reply(done landed) string {
	places := make([]string, 0, len(r.did.Changed))
	for _, s := range r.did.Changed[:min(len(r.did.Changed), doc.MaxNamed)] {
		places = append(places, span(s))
	}
	more := ""
	if n := len(r.did.Changed) - len(places); n > 0 {
		more = fmt.Sprintf(" and %d more places", n)
	}
	text := fmt.Sprintf("changed %s, %s%s:\n%s", r.d.rel(r.p.real), strings.Join(places, ", "), more, rows(r.did.Bytes, r.did.Changed, margin, resultRows))
	return withWarnings(strings.TrimSuffix(text, "\n"), done.warnings)
}

func span(s doc.Span) string {
	if s.From >= s.To {
		return fmt.Sprintf("line %d", s.From)
	}
	return fmt.Sprintf("lines %d-%d", s.From, s.To)
}

// rows shows the lines of spans in order, with a margin around each and "..." between
// those that do not touch, up to limit rows.
func rows(file []byte, spans []doc.Span, margin int64, limit int) string {
	var b strings.Builder
	last, shownRows, i := int64(0), 0, 0
	for n, l := range doc.Lines(file) {
		line := int64(n)
		for i < len(spans) && line > max(spans[i].From, spans[i].To)+margin {
			i++
		}
		if i == len(spans) {
			break
		}
		if line < spans[i].From-margin {
			continue
		}
		if shownRows == limit {
			b.WriteString("...\n")
			break
		}
		if last != 0 && last != line-1 {
			b.WriteString("...\n")
		}
		fmt.Fprintf(&b, "%d:%s\n", line, doc.Excerpt(l.Text, 0, 0))
		last = line
		shownRows++
	}
	return b.String()
}
