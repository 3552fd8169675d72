package bridge

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/sys/unix"

	"tenet/adapters/docs"
	"tenet/adapters/pathpolicy"
	"tenet/bridge/engine"
	"tenet/core/doc"
	"tenet/core/surface"
	"tenet/laws"
	"tenet/models/doccommit"
)

// docEditLive is the machine of edits as production can be driven beside it: a process
// that dies is another test's.
var docEditLive = engine.Machine[doccommit.EditState, doccommit.EditOp, doccommit.EditOut]{Step: doccommit.EditStep, Ops: doccommit.LiveEditOps}

// docEditQuick drives the edit and the write tool on a real directory, action by action:
// each stops before every action until the machine says what becomes of it, so that the
// disk fails and another program writes at every point.
func docEditQuick() error {
	n := engine.Premises{}
	for seed := range uint64(32) {
		if err := driveEdits(engine.NewRandom(seed, 80), n); err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	if idle := engine.Unapplied(laws.DocEditBook, n); idle != nil {
		return fmt.Errorf("laws that said nothing: %v", idle)
	}
	return nil
}

func driveEdits(src engine.Source, n engine.Premises) error {
	top, err := tempDir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(top)
	d := newEditDir(top)
	defer d.finish()
	return engine.Drive(src, docEditLive, d, laws.DocEditBook, n)
}

// editNames are the model's names.
var editNames = [doccommit.Files]string{"alpha", "beta", "gamma"}

// editDir is a directory with the document tools of one session, and one call of them
// that is stopped before an action.
type editDir struct {
	root, graves string
	tools        *docs.Docs
	// before takes the action that the call is stopped at, fate tells what becomes of it,
	// ended takes the answer.
	before chan doc.Action
	fate   chan error
	ended  chan editAnswer

	running bool
	at      doc.Action
	answer  editAnswer
	// model goes along for what no disk shows: how far a temporary file is, what the edit
	// was computed from. What a disk shows, View takes from the disk.
	model  doccommit.EditState
	buried int
}

type editAnswer struct {
	text string
	err  error
}

func newEditDir(top string) *editDir {
	d := &editDir{
		root: filepath.Join(top, "w"), graves: filepath.Join(top, "graves"),
		before: make(chan doc.Action), fate: make(chan error), ended: make(chan editAnswer),
	}
	must(os.Mkdir(d.root, 0o755))
	must(os.Mkdir(d.graves, 0o755))
	judge := pathpolicy.New(pathpolicy.Options{Root: d.root, TenetHome: top + "/home", Env: []string{"HOME=" + top + "/home"}})
	d.tools = docs.New(docs.Options{Root: d.root, Judge: judge, Before: d.stop})
	return d
}

// stop is what a call of the tools waits in.
func (d *editDir) stop(a doc.Action) error {
	d.before <- a
	return <-d.fate
}

// finish lets a call that is under way go to its end.
func (d *editDir) finish() {
	for d.running {
		d.fate <- nil
		d.wait()
	}
}

func (d *editDir) wait() {
	select {
	case d.at = <-d.before:
		d.running = true
	case d.answer = <-d.ended:
		d.running = false
	}
}

func (d *editDir) path(name uint8) string { return filepath.Join(d.root, editNames[name]) }

// editContent makes contents of different sizes, one line each.
func editContent(c uint8) string { return "content" + strings.Repeat(" of the file", int(c)) }

// Do performs one operation.
func (d *editDir) Do(op doccommit.EditOp) (out doccommit.EditOut) {
	switch op.Kind {
	case doccommit.Begin:
		d.begin(doccommit.Plans[op.Plan])
	case doccommit.Act:
		d.fate <- nil
		d.wait()
	case doccommit.Fault:
		d.fate <- unix.ENOSPC
		d.wait()
	case doccommit.Meddle:
		d.meddle(op.Name, op.Content)
	case doccommit.Answer:
		out = editOut(doccommit.Plans[d.model.Call.Plan], d.answer)
	case doccommit.Kill:
	}
	d.model, _ = doccommit.EditStep(d.model, op)
	return out
}

// begin starts a call: of write for a file that is made, of edit for everything else,
// with every file read before.
func (d *editDir) begin(parts []doccommit.Part) {
	tool, args := "edit", surface.Args{}
	var patch strings.Builder
	for _, p := range parts {
		if p.Change == doc.Creates {
			tool, args = "write", surface.Args{"path": editNames[p.Name], "content": editContent(doccommit.NewContent(0)) + "\n"}
			continue
		}
		_, err := d.tools.Run(context.Background(), openGate{}, "read", surface.Args{"path": editNames[p.Name]})
		must(err)
		patch.WriteString(d.section(p))
	}
	if tool == "edit" {
		args["patch"] = patch.String()
	}
	go func() {
		text, err := d.tools.Run(context.Background(), openGate{}, tool, args)
		d.ended <- editAnswer{text, err}
	}()
	d.wait()
}

func (d *editDir) section(p doccommit.Part) string {
	b, err := os.ReadFile(d.path(p.Name))
	must(err)
	text := fmt.Sprintf("[%s#%s]\n", editNames[p.Name], doc.Tag(doc.Digest(b)))
	if p.Edits {
		text += "PUT 1:\n+" + editContent(doccommit.NewContent(contentOf(b))) + "\n"
	}
	switch p.Change {
	case doc.Moves:
		text += "MV " + editNames[p.To] + "\n"
	case doc.Removes:
		text += "REM\n"
	case doc.Overwrites, doc.Creates:
	}
	return text
}

func contentOf(b []byte) uint8 {
	for c := range uint8(doccommit.EditContents + 1) {
		if string(b) == editContent(c)+"\n" {
			return c
		}
	}
	return doccommit.Torn
}

// meddle is another program that replaces or removes a file. The old file keeps a name
// elsewhere: a system that gave its number to the next one would hide the change.
func (d *editDir) meddle(name, content uint8) {
	d.buried++
	grave := filepath.Join(d.graves, fmt.Sprint(d.buried))
	if err := os.Link(d.path(name), grave); !os.IsNotExist(err) {
		must(err)
	}
	if content == 0 {
		must(os.Remove(d.path(name)))
		return
	}
	must(os.WriteFile(grave+"+", []byte(editContent(content)+"\n"), 0o644))
	must(os.Rename(grave+"+", d.path(name)))
}

// View is what lies in the directory, and the call that is under way.
func (d *editDir) View() doccommit.EditState {
	s := d.model
	for n := range editNames {
		s.Disk[n] = 0
		if b, err := os.ReadFile(d.path(uint8(n))); err == nil {
			s.Disk[n] = contentOf(b)
		}
		s.Left[n] = d.left(n)
	}
	if _, a, more := s.Call.Commit.Next(); s.Call.Plan != 0 && (more != d.running || more && a != d.at) {
		s.Call.Meddled = 255 // production is at another action than the model
	}
	for i, p := range doccommit.Plans[s.Call.Plan] {
		if s.Call.Parts[i] >= doccommit.Visible && !s.Call.Touched[p.Target()] && s.Disk[p.Target()] != s.Call.Wanted(i) {
			s.Call.Parts[i] = doccommit.Nowhere
		}
	}
	return s
}

// left reports whether a temporary file of a name lies there that nobody locks.
func (d *editDir) left(name int) bool {
	entries, err := os.ReadDir(d.root)
	must(err)
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		if !strings.HasPrefix(e.Name(), doc.TempOf(xxhash.Sum64String(editNames[name]))) {
			return false
		}
		f, err := os.Open(filepath.Join(d.root, e.Name()))
		must(err)
		defer f.Close()
		return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil
	})
}

// editOut reads a reply as a model would: which files it says landed, with which
// warnings, and which one it gives as the reason for the others.
func editOut(parts []doccommit.Part, a editAnswer) (out doccommit.EditOut) {
	if strings.Contains(a.text, "already has exactly this content") { // of a file that was to be made
		return doccommit.EditOut{Refused: true, Blamed: [doccommit.Files]bool{true}}
	}
	if out.Refused = a.err != nil; out.Refused {
		_, why, cut := strings.Cut(a.err.Error(), "because one could not be: ")
		if !cut {
			why = a.err.Error()
		}
		if i := editPart(parts, why); i >= 0 {
			out.Blamed[i] = true
		}
		return out
	}
	first, _, _ := strings.Cut(a.text, "\n")
	first, _, _ = strings.Cut(first, "; NOT applied to ")
	now, single := -1, !strings.HasPrefix(a.text, "Applied to ")
	for i, p := range parts {
		out.Applied[i] = single && !strings.Contains(a.text, "NOT applied") || strings.Contains(first, editNames[p.Name])
		if single {
			now = i
		}
	}
	for line := range strings.Lines(a.text) {
		why, not := strings.CutPrefix(line, "NOT applied: ")
		switch {
		case not && !strings.Contains(line, "was not tried"):
			if i := editPart(parts, why); i >= 0 {
				out.Blamed[i] = true
			}
		case strings.Contains(line, "durable"), strings.Contains(line, "both are there"):
			out.Warned[now] = true
		default:
			if i := editPart(parts, strings.TrimPrefix(strings.TrimPrefix(line, "removed "), "[")); i >= 0 {
				now = i
			}
		}
	}
	return out
}

// editPart is the part whose file a text begins with, -1 for none.
func editPart(parts []doccommit.Part, text string) int {
	return slices.IndexFunc(parts, func(p doccommit.Part) bool {
		return strings.HasPrefix(text, editNames[p.Name]) || strings.HasPrefix(text, editNames[p.Target()])
	})
}
