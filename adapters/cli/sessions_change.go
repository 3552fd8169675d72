package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"tenet/adapters/store"
	"tenet/core/call"
	"tenet/core/event"
)

// nameSetting is the record that gives a session a name.
func nameSetting(name string) event.Setting {
	return event.Setting{Key: "name", Value: quoted(name)}
}

// checkName keeps a name to one line that a terminal shows as it is.
func checkName(name string) error {
	if utf8.RuneCountInString(name) > 120 || call.OneLine(name, 121) != name || strings.TrimSpace(name) != name {
		return Usage("a session's name has at most 120 characters, all visible, on one line, and no blank at its ends; got %s", call.OneLine(name, 140))
	}
	return nil
}

// ForkSession begins a new session with the turns of another and prints its id.
func ForkSession(o SessionsOptions, path string) error {
	id, n, err := forkOf(path, o.At, o.Name)
	if err != nil {
		return err
	}
	if o.At > 0 && n != o.At {
		fmt.Fprintf(o.Out, "record %d is in the middle of a turn; the fork begins after record %d\n", o.At, n)
	}
	_, err = fmt.Fprintf(o.Out, "%s\n", id)
	return err
}

// RenameSession records a session's name in its log. A session that another process
// holds is refused.
func RenameSession(out io.Writer, path, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	s, l, repairs, err := store.Load(path)
	if err != nil {
		return err
	}
	fmt.Fprint(out, repairs)
	b := nameSetting(name)
	recs, err := l.Commit(b)
	for _, r := range recs {
		_ = l.Checkpoint(s.With(r.Seq, b)) // only the next start would take longer
	}
	if err := errors.Join(err, l.Close()); err != nil {
		return err
	}
	if name == "" {
		name = "(no name)"
	}
	_, err = fmt.Fprintf(out, "%s is now %s\n", idOf(path), name)
	return err
}

// DeleteSession moves a session to the trash or deletes it, after a yes.
func DeleteSession(o SessionsOptions, path string) error {
	home, err := Home()
	if err != nil {
		return err
	}
	id := idOf(path)
	if filepath.Dir(path) != Sessions(home) {
		return Usage("%s is not in %s; delete a log elsewhere as any file", path, Sessions(home))
	}
	yes, err := o.sure(id, path)
	if err != nil || !yes {
		return err
	}
	trash := ""
	if !o.Purge {
		trash = filepath.Join(home, "trash", id+"-"+o.Now.UTC().Format("20060102-150405.000000000"))
	}
	if err := store.Discard(path, trash); err != nil {
		return err
	}
	if o.Purge {
		_, err = fmt.Fprintf(o.Out, "deleted %s\n", id)
		return err
	}
	_, err = fmt.Fprintf(o.Out, "moved %s to %s\n", id, trash)
	return err
}

// sure asks whether a session shall go. Enter alone is no.
func (o SessionsOptions) sure(id, path string) (bool, error) {
	if o.Yes {
		return true, nil
	}
	if !interactive(o.In) {
		return false, Usage("nobody can be asked whether %s shall go: give --yes", id)
	}
	s, _, err := store.State(path)
	if err != nil {
		return false, err
	}
	what := "move to the trash"
	if o.Purge {
		what = "delete for good"
	}
	fmt.Fprintf(o.Out, "%s: %s %s, %s? [y/N] ", what, id, call.OneLine(nameIn(s), 120), plural(s.Turns, "turn"))
	line, err := bufio.NewReader(o.In).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	if isYes(line) {
		return true, nil
	}
	_, err = fmt.Fprintln(o.Out, "kept")
	return false, err
}
