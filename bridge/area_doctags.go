package bridge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"tenet/adapters/docs"
	"tenet/adapters/pathpolicy"
	"tenet/bridge/engine"
	"tenet/core/doc"
	"tenet/core/doc/snapshot"
	"tenet/core/surface"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/doctags"
)

// docTagsMachine is a tool and its store beside a program that changes the file.
var docTagsMachine = engine.Machine[doctags.State, doctags.Op, struct{}]{Init: doctags.Start, Step: doctags.Step, Ops: doctags.Ops}

func docTagsArea() Area {
	return Area{
		Name:       "doctags",
		Relation:   Same,
		Bound:      fmt.Sprintf("a file of two halves of %d kinds each, two of its texts with one tag, taken half by half and changed by another program at every point", doctags.Kinds),
		Laws:       law.Infos(laws.DocTagsBook),
		Production: []any{doc.Tag, doc.Digest, (*snapshot.Store).Record, (*snapshot.Store).Find, (*docs.Docs).Run},
		Exhaust: func(names ...string) (engine.Report, error) {
			return engine.Exhaust(docTagsMachine, Pick(laws.DocTagsBook, names))
		},
		Quick: docTagsQuick,
	}
}

// docTagsQuick lets another program change a real file between the moment a tool took
// it and the moment it names what it took, from every text to every other.
func docTagsQuick() error {
	root, err := tempDir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	t := &tagged{root: root}
	for _, tool := range []string{"read", "grep"} {
		for disk := range doctags.Contents {
			for other := range doctags.Contents {
				if err := t.changedMeanwhile(tool, disk, other); err != nil {
					return fmt.Errorf("%s of %v, changed to %v: %w", tool, disk, other, err)
				}
			}
		}
	}
	return nil
}

// tagged is a directory with one file and a session's tools.
type tagged struct {
	root  string
	tools *docs.Docs
}

func (t *tagged) file() string { return filepath.Join(t.root, "f") }

// fresh is a new session.
func (t *tagged) fresh() {
	judge := pathpolicy.New(pathpolicy.Options{Root: t.root, TenetHome: t.root + ".home", Env: []string{"HOME=" + t.root + ".home"}})
	t.tools = docs.New(docs.Options{Root: t.root, Judge: judge})
}

// changedMeanwhile shows a file whose bytes change after they were taken, in a session
// that was shown what it is then.
func (t *tagged) changedMeanwhile(tool string, disk, other doctags.Content) error {
	t.fresh()
	must(os.WriteFile(t.file(), other.Bytes(), 0o644))
	if _, err := t.run(tool); err != nil {
		return err
	}
	must(os.WriteFile(t.file(), disk.Bytes(), 0o644))
	named := 0
	t.tools.WhenNamed(func(string) {
		named++
		must(os.WriteFile(t.file(), other.Bytes(), 0o644))
	})
	reply, err := t.run(tool)
	if err != nil {
		return err
	}
	if named == 0 {
		return errors.New("a header names a text that was never kept")
	}
	s := doctags.State{Disk: other, Phase: doctags.Told, Before: other, Buffer: disk}
	if s.Rows, s.Named, err = t.told(reply); err != nil {
		return err
	}
	if s.Rows != disk {
		return fmt.Errorf("it shows %v:\n%s", s.Rows, reply)
	}
	return laws.DocTags.TagNamesShownText.State(s).Err
}

func (t *tagged) run(tool string) (string, error) {
	args := surface.Args{"path": "f"}
	if tool == "grep" {
		args = surface.Args{"path": "f", "pattern": "first|second"}
	}
	return t.tools.Run(context.Background(), openGate{}, tool, args)
}

// header is the first line of rows, rowOf a row of one of the two lines.
var (
	header = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\[f#([0-9A-F]{4})\]$`) })
	rowOf  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[* ]?[12]:((?:first|second) [1-9])$`) })
)

// told is what a reply shows, and the text that its tag leads to.
func (t *tagged) told(reply string) (rows, named doctags.Content, err error) {
	tag := header().FindStringSubmatch(reply)
	lines := rowOf().FindAllStringSubmatch(reply, -1)
	if tag == nil || len(lines) != 2 {
		return rows, named, fmt.Errorf("no header with a tag and two rows:\n%s", reply)
	}
	text := lines[0][1] + "\n" + lines[1][1] + "\n"
	whole := strings.Replace(string(doctags.Content{1, 1}.Bytes()), "first 1\nsecond 1\n", text, 1)
	rows, _ = doctags.Parse([]byte(whole))
	kept, _, ok := t.tools.Snapshot("f", tag[1])
	if !ok {
		return rows, named, fmt.Errorf("the tag %s leads to no text", tag[1])
	}
	if named, ok = doctags.Parse(kept.Text); !ok {
		return rows, named, fmt.Errorf("the tag %s leads to %q", tag[1], kept.Text)
	}
	return rows, named, nil
}
