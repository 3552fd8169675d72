package bridge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tenet/adapters/docs"
	"tenet/adapters/pathpolicy"
	"tenet/bridge/engine"
	"tenet/core/doc"
	"tenet/core/event"
	"tenet/core/surface"
	core "tenet/core/undo"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/undo"
)

var undoMachine = engine.Machine[undo.State, undo.Op, undo.Out]{Step: undo.State.Step, Ops: undo.Ops}

func undoArea() Area {
	return Area{
		Name:     "undo",
		Relation: Same,
		Bound:    fmt.Sprintf("%d changes of %d paths with %d contents, by the session and by others, taken back in any order", undo.Length, undo.Paths, undo.Contents),
		Laws:     law.Infos(laws.UndoBook),
		Production: []any{
			core.History.Last, core.History.Undone, core.History.May, core.Change.Left, core.Change.Back, (*docs.Docs).Undo, (*docs.Docs).Run, docs.Kept,
		},
		Exhaust: func(names ...string) (engine.Report, error) {
			return engine.Exhaust(undoMachine, Pick(laws.UndoBook, names))
		},
		Quick: undoQuick,
	}
}

// undoQuick drives real files, the tools that change them and undo beside the model.
func undoQuick() error {
	n := engine.Premises{}
	for seed := range uint64(25) {
		if err := driveUndo(engine.NewRandom(seed, 14), n); err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	if idle := engine.Unapplied(laws.UndoBook, n); idle != nil {
		return fmt.Errorf("laws that said nothing: %v", idle)
	}
	return nil
}

func driveUndo(src engine.Source, n engine.Premises) error {
	root, err := tempDir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	return engine.Drive(src, undoMachine, newUndoDir(root), laws.UndoBook, n)
}

// undoDir is a directory with two files, the tools of one session, and what the session's
// log tells of their changes.
type undoDir struct {
	openGate
	root, kept string
	tools      *docs.Docs
	log        []event.Change
}

func newUndoDir(root string) *undoDir {
	d := &undoDir{root: filepath.Join(root, "w"), kept: filepath.Join(root, "kept")}
	must(os.Mkdir(d.root, 0o755))
	judge := pathpolicy.New(pathpolicy.Options{Root: d.root, TenetHome: root + "/home", Env: []string{"HOME=" + root + "/home"}})
	d.tools = docs.New(docs.Options{Root: d.root, Judge: judge, Kept: d.kept})
	return d
}

// undoTexts are the contents: none, one that a record keeps itself, and one that is kept in
// a file of its own.
var undoTexts = [undo.Contents]string{"", "short\n", strings.Repeat("a line of a longer text\n", event.KeptInline/24+1)}

// Changed takes what a call changed into the log.
func (d *undoDir) Changed(c event.Change) error {
	d.log = append(d.log, c)
	return nil
}

func (d *undoDir) path(p uint8) string { return filepath.Join(d.root, undo.PathOf(p)) }

// Do performs one operation.
func (d *undoDir) Do(op undo.Op) undo.Out {
	name := undo.PathOf(op.Path)
	switch op.Kind {
	case undo.Write:
		d.see(op.Path)
		d.run("write", map[string]string{"path": name, "content": undoTexts[op.Content]})
	case undo.Remove:
		d.run("edit", map[string]string{"patch": fmt.Sprintf("[%s#%s]\nREM", name, d.see(op.Path))})
	case undo.Move:
		d.run("edit", map[string]string{"patch": fmt.Sprintf("[%s#%s]\nMV %s", name, d.see(op.Path), undo.PathOf(1-op.Path))})
	case undo.Other:
		must(os.RemoveAll(d.path(op.Path)))
		if op.Content > 0 {
			must(os.WriteFile(d.path(op.Path), []byte(undoTexts[op.Content]), 0o644))
		}
	case undo.Undo:
		return d.back(core.History.Last, op.Path)
	case undo.Redo:
		return d.back(core.History.Undone, op.Path)
	}
	return undo.Out{}
}

// see reads a file whole, as a session must before it changes it, and gives its tag.
func (d *undoDir) see(p uint8) string {
	b, err := os.ReadFile(d.path(p))
	if err == nil {
		d.run("read", map[string]string{"path": undo.PathOf(p)})
	}
	return doc.Tag(doc.Digest(b))
}

func (d *undoDir) run(tool string, args map[string]string) {
	b, err := json.Marshal(args)
	must(err)
	for _, t := range docs.Tools() {
		if t.Name == tool {
			parsed, err := surface.Parse(surface.Build(t), string(b))
			must(err)
			_, _ = d.tools.Run(context.Background(), d, tool, parsed) // a call that does nothing shows in the view
		}
	}
}

func (d *undoDir) back(which func(core.History, string) (core.Change, bool), p uint8) undo.Out {
	var h core.History
	for i, c := range d.log {
		one := core.Change{Seq: uint64(i + 1), Undoes: c.Undoes}
		for _, s := range c.Sides {
			one.Sides = append(one.Sides, core.Side{Path: s.Path, Before: core.Mark(s.Before.Sum), After: core.Mark(s.After.Sum)})
		}
		h = append(h, one)
	}
	c, ok := which(h, d.path(p))
	if !ok {
		return undo.Out{Nothing: true}
	}
	if r, _ := h.May(c, d.mark); r != core.Allowed {
		return undo.Out{Refused: true}
	}
	if _, _, err := d.tools.Undo(context.Background(), d, d.log[c.Seq-1], c.Seq, d.kept); err != nil {
		return undo.Out{Refused: true}
	}
	return undo.Out{Took: uint8(c.Seq)}
}

// mark says what the session left, whatever lies there: what really does is for production to
// look at, under its locks.
func (d *undoDir) mark(path string) (m core.Mark) {
	for _, c := range d.log {
		for _, s := range c.Sides {
			if s.Path == path {
				m = core.Mark(s.After.Sum)
			}
		}
	}
	return m
}

// View is what lies on the disk, and what the log tells. A path that a change does not touch
// has in the model what it had: production's log does not speak of it.
func (d *undoDir) View() undo.State {
	var s undo.State
	for p := range uint8(undo.Paths) {
		b, err := os.ReadFile(d.path(p))
		if err == nil {
			s.Disk[p] = undoContent(sumHex(b))
		}
	}
	for i, c := range d.log {
		e := undo.Entry{Undoes: uint8(c.Undoes)}
		for _, side := range c.Sides {
			p := uint8(0)
			if side.Path == d.path(1) {
				p = 1
			}
			e.Touches |= 1 << p
			e.Before[p], e.After[p] = undoContent(side.Before.Sum), undoContent(side.After.Sum)
		}
		s.Log[i] = e
		s.N++
	}
	return s
}

// undoContent is the content of a digest; one that nobody wrote is none of the model's.
func undoContent(sum string) uint8 {
	if sum == "" {
		return 0
	}
	for c := range undoTexts {
		if c > 0 && sumHex([]byte(undoTexts[c])) == sum {
			return uint8(c)
		}
	}
	return 255
}

func sumHex(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}
