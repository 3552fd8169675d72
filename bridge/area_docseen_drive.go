package bridge

import (
	"context"
	"fmt"
	"iter"
	"math/bits"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"tenet/adapters/docs"
	"tenet/adapters/pathpolicy"
	"tenet/bridge/engine"
	"tenet/core/surface"
	"tenet/laws"
	"tenet/models/docseen"
)

// docSeenDriven is the machine with those edits alone that the language of edits says
// of such a file in one section: nothing is taken out, and one line comes behind one.
var docSeenDriven = engine.Machine[docseen.State, docseen.Op, docseen.Out]{Init: docseen.Start, Step: docseen.Step, Ops: func(s docseen.State) iter.Seq[docseen.Op] {
	return func(yield func(docseen.Op) bool) {
		for op := range docseen.Ops(s) {
			e := op.Edit
			if e.Change == docseen.Away || e.Change == docseen.Behind && bits.OnesCount8(e.Anchors) > 1 {
				continue
			}
			if !yield(op) {
				return
			}
		}
	}
}}

// docSeenQuick drives read and edit on a real file beside the model, and cuts long
// answers.
func docSeenQuick() error {
	n := engine.Premises{}
	for seed := range uint64(30) {
		if err := driveSeen(engine.NewRandom(seed, 40), n); err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	if idle := engine.Unapplied(laws.DocSeenBook, n); idle != nil {
		return fmt.Errorf("laws that said nothing: %v", idle)
	}
	return docSeenCut()
}

func driveSeen(src engine.Source, n engine.Premises) error {
	root, err := tempDir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	return engine.Drive(src, docSeenDriven, newSeenDir(root), laws.DocSeenBook, n)
}

// seenDir is a directory with one file f and the tools of one session, which knows the
// file by a tag.
type seenDir struct {
	root  string
	tools *docs.Docs
	tag   string
	// made counts the texts, each of which is made once.
	made int
	// tried is the patch that was just rejected, want and open what the model calls it.
	tried string
	want  docseen.Edit
	open  uint8
}

func newSeenDir(root string) *seenDir {
	judge := pathpolicy.New(pathpolicy.Options{Root: root, TenetHome: root + ".home", Env: []string{"HOME=" + root + ".home"}})
	d := &seenDir{root: root, tools: docs.New(docs.Options{Root: root, Judge: judge})}
	var texts []string
	for i := range docseen.Start.Held.Len() {
		texts = append(texts, d.text(docseen.Start.Held[i]))
	}
	d.put(texts)
	d.show(0)
	return d
}

func (d *seenDir) file() string { return filepath.Join(d.root, "f") }

// text makes a new line.
func (d *seenDir) text(kind docseen.Line) string {
	d.made++
	t := fmt.Sprintf("t%0*d", docseen.ShortChars-1, d.made)
	if kind == docseen.Long {
		t += strings.Repeat("é", docseen.LongChars-docseen.ShortChars)
	}
	return t
}

var nobodys = strings.Repeat(".\n", docseen.Between)

// put makes the file, with a last line that never was.
func (d *seenDir) put(texts []string) {
	var b strings.Builder
	for _, t := range texts {
		b.WriteString(t + "\n" + nobodys)
	}
	must(os.WriteFile(d.file(), []byte(b.String()+d.text(docseen.Short)+"\n"), 0o644))
}

// Do performs one operation.
func (d *seenDir) Do(op docseen.Op) docseen.Out {
	switch op.Kind {
	case docseen.Show:
		d.show(op.Mask)
	case docseen.Apply:
		d.want = op.Edit
		return d.edit(d.patch(op.Edit))
	case docseen.Retry:
		return d.edit(d.tried)
	case docseen.Else:
		d.tried = ""
	case docseen.Other:
		d.other(op.Text)
	}
	return docseen.Out{}
}

// show reads the lines of the mask, and the last line, which gives the tag at least.
func (d *seenDir) show(mask uint8) {
	n := len(d.texts(d.disk()))
	for i := range n {
		if mask&(1<<i) != 0 {
			d.read(docseen.Number(i))
		}
	}
	d.read(docseen.Number(n))
	d.tried = ""
}

func (d *seenDir) read(line int64) {
	reply, err := d.tools.Run(context.Background(), openGate{}, "read", surface.Args{"path": "f", "line": line, "limit": int64(1)})
	must(err)
	d.tag = taggedAs().FindStringSubmatch(reply)[1]
}

// other is what another program makes of the file.
func (d *seenDir) other(t docseen.Text) {
	held := d.texts(d.held())
	var texts []string
	for i := range t.Len() {
		if l := t[i]; l <= docseen.Lines {
			texts = append(texts, held[l-1])
		} else if have := d.texts(d.disk()); i < len(have) && d.line(held, have[i]) == l {
			texts = append(texts, have[i])
		} else {
			texts = append(texts, d.text(l))
		}
	}
	d.put(texts)
}

// patch writes an edit in the language of edits.
func (d *seenDir) patch(e docseen.Edit) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[f#%s]\n", d.tag)
	for _, at := range e.Lines(docseen.Lines) {
		switch e.Change {
		case docseen.ToShort:
			fmt.Fprintf(&b, "PUT %d:\n+%s\n", at, d.text(docseen.Short))
		case docseen.ToLong:
			fmt.Fprintf(&b, "PUT %d:\n+%s\n", at, d.text(docseen.Long))
		case docseen.Behind:
			fmt.Fprintf(&b, "PUT >%d:\n%s+%s\n", at, strings.ReplaceAll(nobodys, ".", "+."), d.text(docseen.Short))
		case docseen.Away, docseen.Nothing:
		}
	}
	return b.String()
}

var (
	taggedAs = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[f#([0-9A-F]{4})\]`) })
	anchored = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`the edit anchors at ([0-9,-]+), which this session has not seen`)
	})
	revealed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\*([0-9]+):(.*)$`) })
)

// edit sends a patch and reads what became of it.
func (d *seenDir) edit(patch string) docseen.Out {
	reply, err := d.tools.Run(context.Background(), openGate{}, "edit", surface.Args{"patch": patch})
	d.tried = ""
	if err != nil {
		reply = err.Error()
	}
	tags := taggedAs().FindAllStringSubmatch(reply, -1)
	switch named := anchored().FindStringSubmatch(reply); {
	case err == nil:
		d.tag = tags[0][1]
		return docseen.Out{Outcome: docseen.Applied}
	case named != nil:
		d.tried = patch
		return d.rejected(reply, named[1])
	case strings.Contains(reply, "the edit is for #"):
		d.tag = tags[len(tags)-1][1]
		return docseen.Out{Outcome: docseen.Mismatched}
	}
	panic("an edit ends as none may: " + reply)
}

// rejected is a rejection in the model's terms.
func (d *seenDir) rejected(reply, named string) docseen.Out {
	o := docseen.Out{Outcome: docseen.Rejected, Whole: strings.Contains(reply, "count as seen now")}
	d.open = 0
	for i, part := range strings.Split(named, ",") {
		n, err := strconv.ParseInt(part, 10, 64)
		must(err)
		if i < len(o.Named) {
			o.Named[i] = docseen.Numbered(n)
		}
		d.open |= 1 << (min(o.Named[i], docseen.Lines+1) - 1)
	}
	held := strings.Split(d.held(), "\n")
	rows := revealed().FindAllStringSubmatch(reply, -1)
	o.Past = len(rows) > len(o.Shown)
	for i, row := range rows[:min(len(rows), len(o.Shown))] {
		n, err := strconv.ParseInt(row[1], 10, 64)
		must(err)
		text := strings.TrimSuffix(row[2], "…")
		o.Shown[i] = docseen.Row{Line: docseen.Numbered(n), Chars: uint16(utf8.RuneCountInString(text)), True: strings.HasPrefix(held[n-1], text)}
	}
	return o
}

func (d *seenDir) disk() string {
	b, err := os.ReadFile(d.file())
	must(err)
	return string(b)
}

// held is the text that the session's tag leads to.
func (d *seenDir) held() string {
	v, _, ok := d.tools.Snapshot("f", d.tag)
	if !ok {
		panic("the session forgot the tag " + d.tag)
	}
	return string(v.Text)
}

// texts are the lines of a file that anybody edits.
func (d *seenDir) texts(file string) []string {
	parts := strings.Split(file, "\n"+nobodys)
	return parts[:len(parts)-1]
}

// line is a text in the model's terms.
func (d *seenDir) line(held []string, text string) docseen.Line {
	for i, h := range held {
		if h == text {
			return docseen.Line(i + 1)
		}
	}
	if utf8.RuneCountInString(text) > docseen.ShortChars {
		return docseen.Long
	}
	return docseen.Short
}

// View is what the tools know and what lies on the disk.
func (d *seenDir) View() docseen.State {
	disk, held := d.disk(), d.held()
	s := docseen.State{Stale: disk != held}
	for i, t := range d.texts(held) {
		s.Held[i] = d.line(nil, t)
	}
	for i, t := range d.texts(disk) {
		s.Live[i] = d.line(d.texts(held), t)
	}
	_, seen, _ := d.tools.Snapshot("f", d.tag)
	s.Seen = docseen.Mask(seen, s.Held.Len())
	if d.tried != "" {
		s.Tried, s.Open = d.want, d.open
	}
	return s
}
