package settings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"tenet/core/rules"
	"tenet/core/settings"
)

// lockWait bounds the wait for another process that edits the same file.
const lockWait = 10 * time.Second

// maxAgain is how often an edit begins anew because somebody who holds no lock, an
// editor, wrote the file meanwhile.
const maxAgain = 5

// errMeanwhile: the file is not the one that was read any more.
var errMeanwhile = errors.New("the file keeps changing while it is edited; try again when nothing else writes it")

// scratch is the name under which the next content of a file is made. It is one name,
// so that a crash leaves one file at most, and the next edit takes it away: who holds
// the directory's lock knows that nobody else is writing it.
func scratch(file string) string { return file + ".new" }

// file is one settings file under an edit, its directory locked.
type file struct {
	fs   FS
	name string
	// fresh is the mode of a file that is made.
	fresh fs.FileMode

	old   []byte
	mode  fs.FileMode
	there bool
}

// open locks the directory of a file and reads it. The name is without links: a link
// to a settings file stays a link.
func open(ctx context.Context, disk FS, name string, fresh fs.FileMode) (*file, func() error, error) {
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	dir := filepath.Dir(name)
	if err := disk.MakeDir(dir, fresh|fresh&0o444>>2); err != nil { // who may read a file may enter its directory
		return nil, nil, err
	}
	lock, err := disk.Lock(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	f := &file{fs: disk, name: name, fresh: fresh}
	if err := f.read(); err != nil {
		return nil, nil, errors.Join(err, lock.Close())
	}
	return f, lock.Close, nil
}

func (f *file) read() (err error) {
	f.old, f.mode, f.there, err = f.fs.Read(f.name)
	return err
}

// document is the file as it was read; an empty object when there is none. A file
// that does not parse is an error: it is never written over.
func (f *file) document() (*document, error) {
	if !f.there {
		return parse([]byte("{}\n"))
	}
	d, err := parse(f.old)
	if err != nil {
		return nil, fmt.Errorf("%s was left as it is, it cannot be read: %w", f.name, err)
	}
	return d, nil
}

// publish puts new bytes in the place of the file at once: whoever reads it, and
// whatever crashes, finds the old bytes or the new ones (law grant_write_is_atomic).
// When it returns nil they are on the disk (law grant_survives_restart).
func (f *file) publish(b []byte) error {
	temp := scratch(f.name)
	err := f.stage(temp, b)
	if err == nil {
		err = f.unchanged()
	}
	if err == nil {
		err = f.fs.Rename(temp, f.name)
	}
	if err != nil {
		return errors.Join(err, f.fs.Remove(temp))
	}
	f.old, f.there = b, true
	return f.fs.SyncDir(filepath.Dir(f.name))
}

// update publishes bytes that are not what stands there.
func (f *file) update(b []byte) error {
	if f.there && bytes.Equal(b, f.old) {
		return nil
	}
	return f.publish(b)
}

// stage writes the next content beside the file and makes it durable. The mode is
// narrow until the content has the old file's.
func (f *file) stage(temp string, b []byte) error {
	if err := f.fs.Remove(temp); err != nil {
		return err
	}
	mode := f.fresh
	if f.there {
		mode = 0o600
	}
	w, err := f.fs.Create(temp, mode)
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	if err == nil && f.there {
		err = w.Chmod(f.mode)
	}
	if err == nil {
		err = w.Sync()
	}
	return errors.Join(err, w.Close())
}

// unchanged looks whether an editor, which knows no lock, wrote the file meanwhile.
func (f *file) unchanged() error {
	b, _, there, err := f.fs.Read(f.name)
	if err == nil && (there != f.there || !bytes.Equal(b, f.old)) {
		return errMeanwhile
	}
	return err
}

// edited is a document after a change of its rules, which is checked by reading it
// again: the rules must be those that were wanted, and everything else what it was.
func edited(d *document, change func(*document, []rules.Rule) ([]rules.Rule, error)) (*document, error) {
	before := d.tree()
	all, err := rulesIn(before)
	if err != nil {
		return nil, err
	}
	n, err := parse(d.bytes())
	if err != nil {
		return nil, err
	}
	want, err := change(n, all)
	if err != nil {
		return nil, err
	}
	got, err := rulesIn(n.tree())
	if err != nil {
		return nil, err
	}
	if !slices.EqualFunc(got, want, says) || !alike(before, n.tree(), "permissions") {
		return nil, errors.New("this change cannot be made without changing something else in the file; edit it by hand")
	}
	return n, nil
}

// rulesIn are the rules of a file. One that has a mistake has none, and no position
// means anything in it.
func rulesIn(n settings.Node) ([]rules.Rule, error) {
	perms, _ := n.Member("permissions")
	list, problems := settings.Rules(perms, rules.FromSession)
	if len(problems) > 0 {
		return nil, fmt.Errorf("line %s", problems[0])
	}
	return list, nil
}

// says reports whether two rules say the same, wherever they stand.
func says(a, b rules.Rule) bool {
	return a.Capability == b.Capability && a.Pattern == b.Pattern && a.Action == b.Action && literal(a) == literal(b)
}

// literal reports whether a * in a rule's pattern is only a *.
func literal(r rules.Rule) bool { return r.Exact && strings.Contains(r.Pattern, "*") }

// alike reports whether two files say the same but for one key.
func alike(a, b settings.Node, but string) bool {
	rest := func(n settings.Node) settings.Node {
		var out []settings.Member
		for _, m := range n.Members {
			if m.Name != but {
				out = append(out, m)
			}
		}
		n.Members = out
		return lineless(n)
	}
	return reflect.DeepEqual(rest(a), rest(b))
}

// lineless is a tree without its lines, which every edit moves.
func lineless(n settings.Node) settings.Node {
	n.Line = 0
	members, elements := n.Members, n.Elements
	n.Members, n.Elements = nil, nil
	for _, m := range members {
		n.Members = append(n.Members, settings.Member{Name: m.Name, Value: lineless(m.Value)})
	}
	for _, e := range elements {
		n.Elements = append(n.Elements, lineless(e))
	}
	return n
}
