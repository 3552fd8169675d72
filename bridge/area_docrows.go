package bridge

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"tenet/adapters/docs"
	"tenet/bridge/engine"
	"tenet/core/doc"
	"tenet/core/surface"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/docrows"
)

var docRowsMachine = engine.Machine[struct{}, docrows.In, docrows.Out]{Step: docrows.Step, Ops: docrows.Ops}

func docRowsArea() Area {
	return Area{
		Name:       "docrows",
		Relation:   Reference,
		Bound:      "every text of up to 4 of a byte that is no text, \\r, \\n, a letter, a byte order mark, é and NUL; every text of up to 6 of a letter and \\n with every selection of up to 3 of 9 ranges, bounded or not, raw or not",
		Laws:       law.Infos(laws.DocRowsBook),
		Production: []any{doc.Show, doc.View.Notices, doc.Sniff, doc.Merge, doc.Gap, doc.Tag, (*docs.Docs).Run},
		Exhaust: func(names ...string) (engine.Report, error) {
			return engine.Exhaust(docRowsMachine, Pick(laws.DocRowsBook, names))
		},
		Quick: docRowsQuick,
	}
}

// docRowsQuick reads random files with the real tool, by random selectors.
func docRowsQuick() error {
	n := engine.Premises{}
	for seed := range uint64(40) {
		err := withDocs(func(d *docDir) error { return driveRows(d, rand.New(rand.NewPCG(seed, 2)), n) })
		if err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	if idle := engine.Unapplied(laws.DocRowsBook, n); idle != nil {
		return fmt.Errorf("laws that said nothing: %v", idle)
	}
	return nil
}

// driveRows makes one file and reads it in several ways.
func driveRows(d *docDir, r *rand.Rand, n engine.Premises) error {
	in := docrows.In{File: randomFile(r)}
	if err := os.WriteFile(d.file(), []byte(in.File), 0o644); err != nil {
		return err
	}
	for range 8 {
		in.Raw, in.Spans = r.IntN(3) == 0, randomSpans(r)
		if in.Raw && !bareIsText(in) {
			continue // the bare text cannot be told from a gap or a notice
		}
		if err := judgeRows(in, d.rows(in), n); err != nil {
			return err
		}
	}
	return nil
}

// bareIsText reports whether what a raw read shows can be read back from its reply.
func bareIsText(in docrows.In) bool {
	for _, piece := range docrows.Lines(in.File, true) {
		if strings.HasPrefix(piece, "[") || piece == gapText {
			return false
		}
	}
	_, rest, follows := docrows.View(in)
	return len(docrows.Notices(in, rest, follows)) == 0
}

const gapText = "..."

func randomSpans(r *rand.Rand) (spans []doc.Span) {
	for range r.IntN(4) {
		s := doc.Span{From: 1 + r.Int64N(9)}
		if r.IntN(4) > 0 {
			s.To = s.From + r.Int64N(5)
		}
		spans = append(spans, s)
	}
	return spans
}

func judgeRows(in docrows.In, out docrows.Out, n engine.Premises) error {
	for _, l := range laws.DocRowsBook {
		v := l.Func(in, out)
		if v.Err != nil {
			return fmt.Errorf("law %s: %w", l.ID, v.Err)
		}
		if v.Applies {
			n[l.ID]++
		}
	}
	return nil
}

// rows reads the file with the tool and takes the reply apart.
func (d *docDir) rows(in docrows.In) docrows.Out {
	var ranges []string
	for _, s := range in.Spans {
		ranges = append(ranges, s.String())
	}
	path := docNames[0]
	if len(ranges) > 0 {
		path += ":" + strings.Join(ranges, ",")
	}
	if in.Raw {
		path += ":raw"
	}
	reply, err := d.call("read", surface.Args{"path": path})
	switch {
	case err != nil:
		return refusedAs(in, err.Error())
	case in.Raw:
		return bareOut(in, reply)
	}
	return headedOut(reply)
}

var pastShape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`has ([0-9]+) lines?, so there is no line`) })

// refusedAs reads an error: a refusal for the encoding, or that no line asked for is
// there, which tells nothing else.
func refusedAs(in docrows.In, text string) docrows.Out {
	if m := pastShape().FindStringSubmatch(text); m != nil {
		return docrows.Out{Lines: number(m[1]), Tag: docrows.Tag(in.File), Notices: docrows.Notices(in, nil, false)}
	}
	for e := doc.Binary; e <= doc.EightBit; e++ {
		if strings.Contains(text, e.String()) {
			return docrows.Out{Refused: e}
		}
	}
	panic("the error of a read is of no kind: " + text)
}

func number(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}

// bareOut reads a bare text. It does not tell how many pieces there are.
func bareOut(in docrows.In, reply string) docrows.Out {
	out := docrows.Out{Lines: int64(len(docrows.Lines(in.File, true)))}
	spans, at, gap := docrows.Joined(in.Spans), 0, false
	if len(spans) == 0 {
		spans = []doc.Span{{From: 1}}
	}
	if emptyShape().MatchString(reply) {
		reply = ""
	}
	line := spans[0].From
	for _, piece := range strings.Split(reply, "\n") {
		if piece == gapText {
			at, gap = at+1, true
			line = spans[at].From
			continue
		}
		out.Rows = append(out.Rows, doc.Row{Line: line, Text: piece, Whole: true, Gap: gap})
		line, gap = line+1, false
	}
	return out
}

var (
	emptyShape  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\[line [0-9]+ is empty\]$`) })
	headShape   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\[f#([0-9A-F]{4})\]\n`) })
	readShape   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^( ?)([0-9]+):((?s:.*))\n$`) })
	lengthShape = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\[.*(?:the file has ([0-9]+) lines?|the file ends with line ([0-9]+))`)
	})
)

// headedOut reads rows under a header.
func headedOut(reply string) docrows.Out {
	head := headShape().FindStringSubmatch(reply)
	if head == nil {
		panic("a read has no header: " + reply)
	}
	out, gap := docrows.Out{Tag: head[1]}, false
	for row := range strings.Lines(reply[len(head[0]):]) {
		m := readShape().FindStringSubmatch(row)
		switch {
		case row == gapText+"\n":
			gap = true
		case m != nil:
			out.Lines = number(m[2])
			out.Rows = append(out.Rows, doc.Row{Line: out.Lines, Text: m[3], Whole: true, Context: m[1] != "", Gap: gap})
			gap = false
		default:
			out.Notices = noticesIn(row)
			if m := lengthShape().FindStringSubmatch(row); m != nil {
				out.Lines = number(m[1] + m[2])
			}
		}
	}
	return out
}

// noticeTexts are the words that each notice is known by.
var noticeTexts = []struct {
	notice doc.Notice
	text   string
}{
	{doc.NoticeEmpty, "is an empty file"}, {doc.NoticeCut, "is too long to show"}, {doc.NoticeRest, "the page ends with line"},
	{doc.NoticeFollows, "the file has "}, {doc.NoticePast, "the file ends with line"}, {doc.NoticeEndings, "in CRLF"},
	{doc.NoticeGarbled, "is not UTF-8 text"}, {doc.NoticeLarge, "is over 4 MiB"},
}

func noticesIn(row string) (out []doc.Notice) {
	for _, n := range noticeTexts {
		if strings.Contains(row, n.text) {
			out = append(out, n.notice)
		}
	}
	return out
}
