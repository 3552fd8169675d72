package laws

import (
	"slices"
	"strings"

	"tenet/core/doc"
	"tenet/laws/law"
	"tenet/models/doclines"
)

type linesLaw = law.Law[struct{}, doclines.In, doclines.Out]

// DocLines: the line model, which reads, searches and edits share (S8.6).
var DocLines = struct {
	// LoadPersistRoundtrip: a file that is taken apart into its lines and written again without an edit has the same bytes.
	LoadPersistRoundtrip linesLaw `law:"load_persist_roundtrip" rule:"S8.6"`
	// EditKeepsUntouchedBytes: an edit keeps every byte outside the lines it names, but for the ending at the end of the file, which is there exactly when it was.
	EditKeepsUntouchedBytes linesLaw `law:"edit_keeps_untouched_bytes" rule:"S8.6"`
	// EditWritesNewLines: an edit keeps the lines before, then exactly the new lines, then the lines after.
	EditWritesNewLines linesLaw `law:"edit_writes_new_lines" rule:"S8.6"`
	// GrepLineIsReadLine: grep and read show the same text at the same line number.
	GrepLineIsReadLine linesLaw `law:"grep_line_is_read_line" rule:"S8.6"`
	// PersistWeavesCarry: each written line but the last is followed by its own ending, else by the ending written before it, at the top by the file's first.
	PersistWeavesCarry linesLaw `law:"persist_weaves_carry" rule:"S8.6"`
	// PersistPlanRefines: writing whole runs of lines gives the bytes that writing each line by itself gives.
	PersistPlanRefines linesLaw `law:"persist_plan_refines" rule:"S8.6"`
	// CarryIsFirst: a new first line takes the ending that the file's first line has, or LF where that has none.
	CarryIsFirst linesLaw `law:"lines_carry_is_first" rule:"S8.6"`
	// WriteKeeps: a write of a whole file keeps its byte order mark and its first ending, and says so exactly when an ending of the content was another.
	WriteKeeps linesLaw `law:"lines_write_keeps" rule:"S8.6"`
}{
	LoadPersistRoundtrip: linesLaw{Func: func(in doclines.In, out doclines.Out) law.Verdict {
		_, lines := doclines.Split(in.File)
		if in.Kind != doclines.Weave || !slices.Equal(doclines.Written(in.File, in.Pieces), lines) {
			return law.Idle
		}
		return law.Check(out.Bytes == in.File, "%q without an edit is written as %q", in.File, out.Bytes)
	}},
	EditKeepsUntouchedBytes: linesLaw{Func: func(in doclines.In, out doclines.Out) law.Verdict {
		if in.Kind != doclines.Weave || !keeps(in.Pieces) {
			return law.Idle
		}
		return law.Check(keptBytes(in, out.Bytes), "%q with %+v is written as %q", in.File, in.Pieces, out.Bytes)
	}},
	EditWritesNewLines: linesLaw{Func: func(in doclines.In, out doclines.Out) law.Verdict {
		written := doclines.Written(in.File, in.Pieces)
		if in.Kind != doclines.Weave || len(written) == 0 || unwritable(in.File, written) {
			return law.Idle
		}
		_, lines := doclines.Split(out.Bytes)
		same := slices.EqualFunc(lines, written, func(a, b doclines.Line) bool { return a.Text == b.Text })
		return law.Check(same, "%q with %+v has the lines %+v", in.File, in.Pieces, lines)
	}},
	GrepLineIsReadLine: linesLaw{Func: func(in doclines.In, out doclines.Out) law.Verdict {
		if in.Kind != doclines.Look || len(out.Read) == 0 {
			return law.Idle
		}
		return law.Check(slices.Equal(out.Read, out.Grep), "of %q a read shows %+v, a search %+v", in.File, out.Read, out.Grep)
	}},
	PersistWeavesCarry: linesLaw{Func: func(in doclines.In, out doclines.Out) law.Verdict {
		written := doclines.Written(in.File, in.Pieces)
		if in.Kind != doclines.Weave || len(written) == 0 {
			return law.Idle
		}
		why := carried(in.File, written, out.Bytes)
		return law.Check(why == "", "%q with %+v is written as %q: %s", in.File, in.Pieces, out.Bytes, why)
	}},
	PersistPlanRefines: linesLaw{Func: func(in doclines.In, out doclines.Out) law.Verdict {
		if in.Kind != doclines.Weave {
			return law.Idle
		}
		want := doclines.Persist(in.File, doclines.Written(in.File, in.Pieces))
		return law.Check(out.Bytes == want && out.Singles == want, "%q with %+v is written as %q, line by line as %q; the rule gives %q", in.File, in.Pieces, out.Bytes, out.Singles, want)
	}},
	CarryIsFirst: linesLaw{Func: func(in doclines.In, out doclines.Out) law.Verdict {
		if in.Kind != doclines.Weave || len(in.Pieces) == 0 {
			return law.Idle
		}
		return law.Check(out.Carry.Bytes() == doclines.First(in.File), "%q begins a new line with %v", in.File, out.Carry)
	}},
	WriteKeeps: linesLaw{Func: func(in doclines.In, out doclines.Out) law.Verdict {
		if in.Kind != doclines.Write {
			return law.Idle
		}
		want, warned := kept(in.File, in.Content)
		return law.Check(out.Bytes == want && out.Warned == warned, "%q written over %q gives %q, told: %v", in.Content, in.File, out.Bytes, out.Warned)
	}},
}

// DocLinesBook lists the laws of lines.
var DocLinesBook = law.Book[struct{}, doclines.In, doclines.Out]("doclines", &DocLines)

func keeps(pieces []doc.Piece) bool {
	return slices.ContainsFunc(pieces, func(p doc.Piece) bool { return p.Keep.From > 0 })
}

// keptBytes goes through the new file and meets every kept line with its ending, and
// every new one with some ending. Only the last line may be without.
func keptBytes(in doclines.In, out string) bool {
	mark, _ := doclines.Split(in.File)
	written := doclines.Written(in.File, in.Pieces)
	rest, ok := strings.CutPrefix(out, mark)
	for i, l := range written {
		if rest, ok = strings.CutPrefix(rest, l.Text); !ok {
			return false
		}
		last := i == len(written)-1
		after, own := strings.CutPrefix(rest, l.Ending)
		if l.Ending == "" {
			after, own = cutEnding(rest)
		}
		if !own && !last {
			return false
		}
		if own {
			rest = after
		}
	}
	end := len(written) > 0 && doclines.Ended(in.File, written[len(written)-1].Text)
	return ok && rest == "" && (len(written) == 0 || strings.HasSuffix(out, "\n") == end)
}

func cutEnding(s string) (rest string, ok bool) {
	if rest, ok = strings.CutPrefix(s, "\r\n"); ok {
		return rest, true
	}
	return strings.CutPrefix(s, "\n")
}

// unwritable reports whether lines cannot stand in a file as they are: a \r at the end of
// a text becomes a part of a \n behind it, and a mark at the start becomes the file's.
func unwritable(file string, written []doclines.Line) bool {
	mark, _ := doclines.Split(file)
	return mark == "" && strings.HasPrefix(written[0].Text, doc.BOM) ||
		slices.ContainsFunc(written, func(l doclines.Line) bool { return strings.HasSuffix(l.Text, "\r") && l.Ending == "" })
}

// carried says which line has the wrong ending behind it; "" when none has.
func carried(file string, written []doclines.Line, out string) string {
	mark, _ := doclines.Split(file)
	rest, before := strings.TrimPrefix(out, mark), doclines.First(file)
	for i, l := range written {
		if l.Ending != "" {
			before = l.Ending
		}
		end := before
		if i == len(written)-1 && !doclines.Ended(file, l.Text) {
			end = ""
		}
		after, ok := strings.CutPrefix(rest, l.Text+end)
		if !ok {
			return "no " + l.Text + end + " before " + rest
		}
		rest = after
	}
	return rest
}

// kept is what a content becomes over an old file, and whether its endings were changed.
// A line whose text ends in \r keeps CRLF: with \n alone it would lose that \r.
func kept(old, content string) (out string, changed bool) {
	mark, oldLines := doclines.Split(old)
	newMark, lines := doclines.Split(content)
	out = max(mark, newMark)
	for _, l := range lines {
		end := l.Ending
		if end != "" && oldLines != nil && oldLines[0].Ending != "" && !strings.HasSuffix(l.Text, "\r") {
			end = oldLines[0].Ending
		}
		changed = changed || end != l.Ending
		out += l.Text + end
	}
	return out, changed
}
