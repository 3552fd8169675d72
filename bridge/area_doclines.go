package bridge

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"tenet/adapters/docs"
	"tenet/bridge/engine"
	"tenet/core/doc"
	"tenet/core/surface"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/doclines"
)

var docLinesMachine = engine.Machine[struct{}, doclines.In, doclines.Out]{Step: doclines.Step, Ops: doclines.Ops}

func docLinesArea() Area {
	return Area{
		Name:       "doclines",
		Relation:   Reference,
		Bound:      "every text of up to 5 of \\r, \\n, a letter, a byte order mark, é and NUL: each run of its lines replaced by each of 4 texts, its lines in other orders; every content of up to 3 over every text of up to 3",
		Laws:       law.Infos(laws.DocLinesBook),
		Production: []any{doc.Weave, doc.Carry, doc.Rewrite, doc.Lines, doc.Show, (*docs.Docs).Run},
		Exhaust: func(names ...string) (engine.Report, error) {
			return engine.Exhaust(docLinesMachine, Pick(laws.DocLinesBook, names))
		},
		Quick: docLinesQuick,
	}
}

// docLinesQuick writes random files with the real tools, reads them and searches them.
func docLinesQuick() error {
	n := engine.Premises{}
	for seed := range uint64(60) {
		err := withDocs(func(d *docDir) error { return driveLines(d, rand.New(rand.NewPCG(seed, 1)), n) })
		if err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	for _, l := range []law.Info{laws.DocLines.GrepLineIsReadLine.Info, laws.DocLines.WriteKeeps.Info} {
		if n[l.ID] == 0 {
			return fmt.Errorf("law %s said nothing about the tools", l.ID)
		}
	}
	return nil
}

// withDocs gives the document tools on a fresh directory.
func withDocs(do func(*docDir) error) error {
	root, err := tempDir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	d := newDocDir(root)
	defer d.close()
	return do(d)
}

// lineParts are what random files are made of.
var lineParts = []string{"\r", "\n", "\n", "\r\n", "a", "b c", doc.BOM, "é", "\x00", "€", "𝄞", "\t", "\xff", "...", "1:x", "[f#0000]"}

// randomFile is a file of a few parts; half of them hold text only.
func randomFile(r *rand.Rand) string {
	parts := lineParts
	if r.IntN(2) == 0 {
		parts = []string{"\r", "\n", "\r\n", "a", doc.BOM, "é", "2:", " "}
	}
	var b strings.Builder
	for range r.IntN(30) {
		b.WriteString(parts[r.IntN(len(parts))])
	}
	return b.String()
}

// driveLines makes one file of one content, looks at it, and writes another over it.
func driveLines(d *docDir, r *rand.Rand, n engine.Premises) error {
	old, content := randomFile(r), strings.ToValidUTF8(randomFile(r), "?")
	if err := os.WriteFile(d.file(), []byte(old), 0o644); err != nil {
		return err
	}
	look := doclines.In{Kind: doclines.Look, File: old}
	if err := judgeLines(look, d.lookAt(old), n); err != nil {
		return err
	}
	out, err := d.writeOver(content)
	if err != nil {
		return fmt.Errorf("%q over %q: %w", content, old, err)
	}
	return judgeLines(doclines.In{Kind: doclines.Write, File: old, Content: content}, out, n)
}

func judgeLines(in doclines.In, out doclines.Out, n engine.Premises) error {
	for _, l := range laws.DocLinesBook {
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

// lookAt reads the file and searches it for every line.
func (d *docDir) lookAt(file string) doclines.Out {
	if !utf8.ValidString(file) || strings.Contains(file, "\x00") {
		return doclines.Out{} // neither shows its lines
	}
	read, _ := d.call("read", surface.Args{"path": docNames[0]})
	grep, _ := d.call("grep", surface.Args{"path": docNames[0], "pattern": "^"})
	return doclines.Out{Read: foundIn(read), Grep: foundIn(grep)}
}

func (d *docDir) call(tool string, args surface.Args) (string, error) {
	return d.tools.Run(context.Background(), openGate{}, tool, args)
}

// rowShape is a row of a read, or of a search with the mark of a match.
var rowShape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:f:|\*)?([0-9]+):((?s:.*))\n$`) })

// foundIn is the rows of a reply: what follows its header.
func foundIn(reply string) (out []doclines.Found) {
	for row := range strings.Lines(reply) {
		if m := rowShape().FindStringSubmatch(row); m != nil {
			n, _ := strconv.ParseInt(m[1], 10, 64)
			out = append(out, doclines.Found{Line: n, Text: m[2]})
		}
	}
	return out
}

// writeOver writes a content over the file, which the session reads whole before.
func (d *docDir) writeOver(content string) (doclines.Out, error) {
	if _, err := d.call("read", surface.Args{"path": docNames[0] + ":raw"}); err != nil {
		return doclines.Out{}, err
	}
	reply, err := d.call("write", surface.Args{"path": docNames[0], "content": content})
	if err != nil {
		return doclines.Out{}, err
	}
	b, err := os.ReadFile(d.file())
	return doclines.Out{Bytes: string(b), Warned: strings.Contains(reply, "other line endings")}, err
}
