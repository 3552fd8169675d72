package bridge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/sys/unix"

	"tenet/adapters/docs"
	"tenet/adapters/pathpolicy"
	"tenet/bridge/engine"
	"tenet/core/call"
	"tenet/core/doc"
	"tenet/core/gate"
	"tenet/core/surface"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/doccommit"
)

// The two machines of a commit: one file and its temporary files, and an edit of several
// files action by action. Both are core closed with its adversary.
var (
	docCommitMachine = engine.Machine[doccommit.State, doccommit.Op, doccommit.Out]{Step: doccommit.Step, Ops: doccommit.Ops}
	docEditMachine   = engine.Machine[doccommit.EditState, doccommit.EditOp, doccommit.EditOut]{Step: doccommit.EditStep, Ops: doccommit.EditOps}
)

func docCommitArea() Area {
	return Area{
		Name:     "doccommit",
		Relation: Same,
		Bound: fmt.Sprintf("one file of %d contents, written by the session and by others in any order; temporary files of two names, held and left; %d edits of up to %d files of %d contents with moves, every action failing, dying or met by %d writes of others",
			doccommit.Contents, len(doccommit.Plans)-1, doccommit.Files, doccommit.EditContents, doccommit.Meddling),
		Laws:       append(law.Infos(laws.DocEditBook), law.Infos(laws.DocCommitBook)...),
		Production: []any{doc.Versions.MayWrite, doc.Versions.Saw, doc.Swept, doc.NewCommit, doc.Commit.Next, doc.Commit.Check, doc.Commit.Did, doc.Commit.Summary, (*docs.Docs).Run},
		Exhaust:    docCommitExhaust,
		Quick:      docCommitQuick,
	}
}

// docCommitExhaust searches the machines whose laws are asked for.
func docCommitExhaust(names ...string) (engine.Report, error) {
	sum := engine.Report{Premises: engine.Premises{}}
	err := errors.Join(
		searched(&sum, docCommitMachine, Pick(laws.DocCommitBook, names)),
		searched(&sum, docEditMachine, Pick(laws.DocEditBook, names)),
	)
	return sum, err
}

// docCommitQuick drives the document tools on a real directory beside the model.
func docCommitQuick() error {
	n := engine.Premises{}
	for seed := range uint64(24) {
		if err := driveDocs(engine.NewRandom(seed, 20), n); err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	if idle := engine.Unapplied(laws.DocCommitBook, n); idle != nil {
		return fmt.Errorf("laws that said nothing: %v", idle)
	}
	return docEditQuick()
}

func driveDocs(src engine.Source, n engine.Premises) error {
	return withDocs(func(d *docDir) error { return engine.Drive(src, docCommitMachine, d, laws.DocCommitBook, n) })
}

// docDir is a directory with the document tools of one session: the model's first
// name is the file f, its second the file g.
type docDir struct {
	root  string
	tools *docs.Docs
	saw   uint8
	count uint64
	held  [doccommit.Names]*os.File
}

func newDocDir(root string) *docDir {
	judge := pathpolicy.New(pathpolicy.Options{Root: root, TenetHome: root + ".home", Env: []string{"HOME=" + root + ".home"}})
	return &docDir{root: root, tools: docs.New(docs.Options{Root: root, Judge: judge})}
}

func (d *docDir) close() {
	for _, f := range d.held {
		if f != nil {
			f.Close()
		}
	}
}

var docNames = [doccommit.Names]string{"f", "g"}

func (d *docDir) file() string { return filepath.Join(d.root, docNames[0]) }

func docContent(c uint8) string { return fmt.Sprintf("content %d\n", c) }

// Do performs one operation. What the adversary cannot do is a defect of the check.
func (d *docDir) Do(op doccommit.Op) doccommit.Out {
	switch op.Kind {
	case doccommit.Other:
		must(d.other(op.Content))
	case doccommit.Read:
		return d.run("read", d.View().Disk, surface.Args{"path": docNames[0]})
	case doccommit.Write:
		return d.run("write", op.Content, surface.Args{"path": docNames[0], "content": docContent(op.Content)})
	case doccommit.Crash:
		must(os.WriteFile(d.temp(op.Name), nil, 0o600))
	case doccommit.Stage:
		f, err := os.Create(d.temp(op.Name))
		must(err)
		must(unix.Flock(int(f.Fd()), unix.LOCK_EX))
		d.held[op.Name] = f
	case doccommit.Die:
		must(d.held[op.Name].Close())
		d.held[op.Name] = nil
	}
	return doccommit.Out{}
}

func must(err error) {
	if err != nil {
		panic(fmt.Sprintf("the adversary's own step failed: %v", err))
	}
}

func (d *docDir) other(content uint8) error {
	if content == 0 {
		if err := os.Remove(d.file()); !os.IsNotExist(err) {
			return err
		}
		return nil
	}
	return os.WriteFile(d.file(), []byte(docContent(content)), 0o644)
}

// temp is a fresh temporary name of the name's writers.
func (d *docDir) temp(name uint8) string {
	d.count++
	return filepath.Join(d.root, doc.TempName(xxhash.Sum64String(docNames[name]), 1, d.count))
}

// run calls a tool; what it answers without an error, the session was shown.
func (d *docDir) run(tool string, content uint8, args surface.Args) doccommit.Out {
	if _, err := d.tools.Run(context.Background(), openGate{}, tool, args); err != nil {
		return doccommit.Out{Refused: true}
	}
	d.saw |= 1 << content
	return doccommit.Out{}
}

// View is what lies in the directory.
func (d *docDir) View() doccommit.State {
	s := doccommit.State{Saw: d.saw}
	if b, err := os.ReadFile(d.file()); err == nil {
		if _, err := fmt.Sscanf(string(b), "content %d\n", &s.Disk); err != nil {
			s.Disk = 255 // bytes that nobody wrote
		}
	}
	names, err := os.ReadDir(d.root)
	must(err)
	for i, name := range docNames {
		for _, e := range names {
			if !strings.HasPrefix(e.Name(), doc.TempOf(xxhash.Sum64String(name))) {
				continue
			}
			if f := d.held[i]; f != nil && filepath.Base(f.Name()) == e.Name() {
				s.Held[i] = true
			} else {
				s.Left[i] = true
			}
		}
	}
	return s
}

// openGate lets every access through: these laws are about what happens then.
type openGate struct{}

// Permit says yes.
func (openGate) Permit(_ context.Context, plan func() []call.Step) gate.Outcome {
	plan()
	return gate.Outcome{Runs: true}
}

// Confirm says yes again.
func (openGate) Confirm(call.Step, string) gate.Outcome { return gate.Outcome{Runs: true} }

// Start records nothing.
func (openGate) Start(context.Context) error { return nil }
