package docs

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"tenet/core/call"
	"tenet/core/doc"
	"tenet/core/doc/snapshot"
	"tenet/core/guard"
	"tenet/core/pathpolicy"
	"tenet/core/surface"
)

// write creates a file or replaces one whole (seed 5, S8.3).
func (d *Docs) write(ctx context.Context, g Gate, args surface.Args) (reply, error) {
	path, content := args.Str("path", ""), args.Str("content", "")
	if len(content) > WriteBytes {
		return reply{}, fmt.Errorf("%s was not written: the content has %d bytes, more than the %d one write takes; write a first part, then append the rest with bash", shown(path), len(content), WriteBytes)
	}
	p, err := d.writePlace(path)
	if err != nil {
		return reply{}, err
	}
	p.makesParents, p.deed = true, guard.WroteAll
	p.preview = func(cur current) ([]byte, error) {
		if !cur.exists {
			return []byte(content), nil
		}
		return doc.Rewrite(cur.bytes, content).Bytes, nil
	}
	if err := d.permit(ctx, g, &p); err != nil {
		return reply{}, err
	}
	w := writing{d: d, p: p, content: content}
	done, err := d.change(ctx, p, w.next)
	if err == errSame {
		return w.named(fmt.Sprintf("%s already has exactly this content; nothing was written", d.rel(p.real)), d.seen.record(p.real, w.kept.Bytes)), nil
	}
	if err != nil {
		return reply{}, err
	}
	return w.reply(done), nil
}

func (d *Docs) writePlace(path string) (place, error) {
	p, err := d.place(path, pathpolicy.Writing)
	if err == nil && (strings.HasSuffix(path, "/") || p.real == d.root) {
		err = fmt.Errorf("%s names a directory; give the path of a file", shown(path))
	}
	return p, err
}

// writing is one whole-file write under way.
type writing struct {
	d       *Docs
	p       place
	content string
	kept    doc.Rewritten
	// foreign says what the old bytes were when they were no UTF-8.
	foreign string
}

// next decides what the file gets. A version that this session never saw is never
// lost (law write_never_loses_unseen).
func (w *writing) next(cur current) ([]byte, error) {
	w.kept = doc.Rewritten{Bytes: []byte(w.content)}
	if !cur.exists {
		return w.kept.Bytes, nil
	}
	w.kept = doc.Rewrite(cur.bytes, w.content)
	if !cur.large && bytes.Equal(w.kept.Bytes, cur.bytes) {
		w.d.seen.saw(w.p.real, guard.WroteAll, digest(cur.bytes), 0)
		return nil, errSame
	}
	if seen := w.d.seen.of(w.p.real); !seen.MayWrite(true, cur.version()) {
		return nil, w.unseen(cur, seen)
	}
	if c := doc.Sniff(cur.bytes, cur.large); c.Encoding != doc.UTF8 {
		w.foreign = c.Fault()
	}
	return w.kept.Bytes, nil
}

// unseen refuses, and tells how to go on.
func (w *writing) unseen(cur current, seen guard.Knowledge) error {
	name := w.d.rel(w.p.real)
	c := doc.Sniff(cur.bytes, cur.large)
	switch {
	case c.Encoding != doc.UTF8:
		return fmt.Errorf("%s exists and %s, and this session has not seen all of it; nothing was written. To replace it, read it as %s:raw first", name, c.Fault(), name)
	case seen.Of(true, cur.version()) == call.Partial:
		return fmt.Errorf("%s exists and this session read only a part of it; nothing was written. Read the rest first, or change a part of it with search_replace", name)
	case seen.Of(true, cur.version()) == call.Stale:
		return fmt.Errorf("%s was changed by something else since this session saw it; nothing was written. Read it again, then write with those changes taken in", name)
	default:
		return fmt.Errorf("%s exists and this session has not read it; nothing was written. Read it first, or change a part of it with search_replace", name)
	}
}

func (w *writing) reply(done landed) reply {
	verb := "replaced"
	if done.created {
		verb = "created"
	}
	b := w.kept.Bytes
	text := fmt.Sprintf("%s %s: %s, %s", verb, w.d.rel(w.p.real), count(int64(doc.CountLines(b)), "line"), count(int64(len(b)), "byte"))
	if w.kept.AddedBOM {
		done.warnings = append(done.warnings, "the file's byte order mark was kept")
	}
	if w.kept.Converted {
		done.warnings = append(done.warnings, fmt.Sprintf("the content had other line endings; the file's (%s) were kept", w.kept.Kept))
	}
	if w.foreign != "" {
		done.warnings = append(done.warnings, "the old file "+strings.Replace(w.foreign, "is ", "was ", 1))
	}
	out := w.named(text, w.d.keep(w.p, w.kept.Bytes, done))
	out.warn(done.warnings)
	return out
}

// keep stores what stands in a file that a call wrote.
func (d *Docs) keep(p place, wrote []byte, done landed) snapshot.Version {
	if bytes.Equal(wrote, done.live) {
		return d.seen.wrote(p.real, wrote)
	}
	return d.seen.record(p.real, done.live)
}

// named says what became of the file and names its version. The model gave every line of
// the content, so it has seen them all; of bytes that another program put there, none.
func (w *writing) named(text string, v snapshot.Version) (out reply) {
	if v.Digest == digest(w.kept.Bytes) {
		w.d.seen.shown(w.p.real, v.Digest, doc.Span{From: 1, To: v.Lines})
	}
	out.line(text)
	out.header(w.d.inHeader(w.p.real), v.Tag)
	return out
}
