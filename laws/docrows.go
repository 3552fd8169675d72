package laws

import (
	"slices"

	"tenet/core/doc"
	"tenet/laws/law"
	"tenet/models/docrows"
)

type rowsLaw = law.Law[struct{}, docrows.In, docrows.Out]

// DocRows: what a read shows (S8.6, S8.10).
var DocRows = struct {
	// LinesAreReadRows: the rows of a read are lines of the file under their numbers, in order and each with its whole text; a read of all shows every line.
	LinesAreReadRows rowsLaw `law:"rows_lines_are_read_rows" rule:"S8.6"`
	// RawLinesArePieces: a raw read counts and shows the pieces between the line ends of the text, the empty one behind the last \n too.
	RawLinesArePieces rowsLaw `law:"rows_raw_lines_are_pieces" rule:"S8.6"`
	// GateRefuses: a read that is not raw refuses a file that is not UTF-8, then one that holds a NUL, and no other; a raw read refuses none.
	GateRefuses rowsLaw `law:"rows_gate_refuses" rule:"S8.10"`
	// ViewShows: a read shows the lines asked for with their context and gap markers up to its bound, names what is left, tells what the rows do not, and has the tag of the very bytes.
	ViewShows rowsLaw `law:"rows_view_shows" rule:"S8.6 S8.10"`
	// GapMarksEveryJump: the first span has no gap marker; a later one has one exactly when it does not start right after the span before, in a raw read always.
	GapMarksEveryJump rowsLaw `law:"rows_gap_marks_every_jump" rule:"S8.6"`
}{
	LinesAreReadRows: rowsLaw{Func: func(in docrows.In, out docrows.Out) law.Verdict {
		if shows, _ := docrows.Text(in.File); in.Raw || !shows {
			return law.Idle
		}
		lines := docrows.Lines(in.File, false)
		for i, r := range out.Rows {
			if r.Line < 1 || r.Line > int64(len(lines)) || r.Text != lines[r.Line-1] || i > 0 && r.Line <= out.Rows[i-1].Line {
				return law.Broken("%q read %v shows %+v", in.File, in.Spans, out.Rows)
			}
		}
		all := len(in.Spans) > 0 || in.MaxRows > 0 || len(out.Rows) == len(lines)
		return law.Check(all && out.Lines == int64(len(lines)), "%q has %d lines, %d are counted, %+v shown", in.File, len(lines), out.Lines, out.Rows)
	}},
	RawLinesArePieces: rowsLaw{Func: func(in docrows.In, out docrows.Out) law.Verdict {
		if !in.Raw {
			return law.Idle
		}
		pieces := docrows.Lines(in.File, true)
		for _, r := range out.Rows {
			if r.Line < 1 || r.Line > int64(len(pieces)) || r.Text != pieces[r.Line-1] {
				return law.Broken("%q read %v raw shows %+v", in.File, in.Spans, out.Rows)
			}
		}
		all := len(in.Spans) > 0 || in.MaxRows > 0 || len(out.Rows) == len(pieces)
		return law.Check(all && out.Lines == int64(len(pieces)), "%q has %d pieces, %d are counted, %+v shown", in.File, len(pieces), out.Lines, out.Rows)
	}},
	GateRefuses: rowsLaw{Func: func(in docrows.In, out docrows.Out) law.Verdict {
		shows, utf8 := docrows.Text(in.File)
		switch {
		case in.Raw || shows:
			return law.Check(out.Refused == doc.UTF8, "%q, raw %v, is refused as %v", in.File, in.Raw, out.Refused)
		case utf8:
			return law.Check(out.Refused == doc.Binary && out.Rows == nil, "%q holds a NUL and is refused as %v", in.File, out.Refused)
		}
		return law.Check(out.Refused != doc.UTF8 && out.Refused != doc.Binary && out.Rows == nil, "%q is not UTF-8 and is refused as %v", in.File, out.Refused)
	}},
	ViewShows: rowsLaw{Func: func(in docrows.In, out docrows.Out) law.Verdict {
		if shows, _ := docrows.Text(in.File); !in.Raw && !shows {
			return law.Idle
		}
		rows, rest, follows := docrows.View(in)
		notices := docrows.Notices(in, rest, follows)
		tag := docrows.Tag(in.File)
		ok := slices.Equal(out.Rows, rows) && slices.Equal(out.Rest, rest) && slices.Equal(out.Notices, notices) && (out.Tag == tag || in.Raw && out.Tag == "")
		return law.Check(ok, "%+v shows %+v, left %v, tells %v, tag %s; the rule gives %+v, %v, %v, %s", in, out.Rows, out.Rest, out.Notices, out.Tag, rows, rest, notices, tag)
	}},
	GapMarksEveryJump: rowsLaw{Func: func(in docrows.In, out docrows.Out) law.Verdict {
		spans := docrows.Joined(in.Spans)
		if len(spans) < 2 || len(out.Rows) == 0 {
			return law.Idle
		}
		for _, r := range out.Rows {
			i := slices.IndexFunc(spans, func(s doc.Span) bool { return s.From == r.Line })
			if jumps := i > 0 && (in.Raw || spans[i-1].To+1 != r.Line); r.Gap != jumps {
				return law.Broken("%+v shows %+v", in, out.Rows)
			}
		}
		return law.Holds
	}},
}

// DocRowsBook lists the laws of rows.
var DocRowsBook = law.Book[struct{}, docrows.In, docrows.Out]("docrows", &DocRows)
