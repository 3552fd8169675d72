package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tenet/adapters/store"
	"tenet/core/call"
)

// ShowLog prints a session's log for a person; an empty name is the newest session.
func ShowLog(out io.Writer, name string) error {
	path, err := logOf(name)
	if err != nil {
		return err
	}
	records, report, err := store.Read(path)
	if err != nil {
		return err
	}
	if len(records) == 0 {
		fmt.Fprintf(out, "the log %s holds no record\n", path)
	}
	if err := store.Show(out, records); err != nil {
		return fmt.Errorf("show %s: %w", path, err)
	}
	return unsound(report)
}

// VerifyLog checks a log's chain and prints what it found. A log that is not whole
// is an error, so that scripts can rely on the exit code.
func VerifyLog(out io.Writer, name string) error {
	path, err := logOf(name)
	if err != nil {
		return err
	}
	report, err := store.Verify(path)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(out, report.Text()); err != nil {
		return err
	}
	return unsound(report)
}

func unsound(r store.Report) error {
	if r.OK() {
		return nil
	}
	return fmt.Errorf("the log %s is not sound; tenet log verify says where", r.Path)
}

// ListLogs prints one line a session, the newest first.
func ListLogs(out io.Writer) error {
	infos, dir, err := sessions()
	if err != nil {
		return err
	}
	if len(infos) == 0 {
		return Usage("there is no session in %s yet; tenet demo makes one", dir)
	}
	for _, s := range infos {
		first, _, _ := strings.Cut(s.Prompt, "\n")
		if _, err := fmt.Fprintf(out, "%s  %8d bytes  %s\n", s.ID, s.Size, call.OneLine(first, 80)); err != nil {
			return err
		}
	}
	return nil
}

// SessionIDs is the sessions for shell completion; an unreadable home offers none.
func SessionIDs() []string {
	infos, _, err := sessions()
	if err != nil {
		return nil
	}
	ids := make([]string, len(infos))
	for i, s := range infos {
		ids[i] = s.ID
	}
	return ids
}

func sessions() ([]store.Info, string, error) {
	home, err := Home()
	if err != nil {
		return nil, "", err
	}
	dir := Sessions(home)
	infos, err := store.List(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, dir, nil
	}
	return infos, dir, err
}

// logOf finds a session's log by its id, by a beginning of it that is unique, or by
// the path of the file; an empty name is the newest.
func logOf(name string) (string, error) {
	if strings.ContainsRune(name, filepath.Separator) {
		if _, err := os.Stat(name); err != nil {
			return "", Usage("session log: %w", err)
		}
		return name, nil
	}
	infos, dir, err := sessions()
	if err != nil {
		return "", err
	}
	var found []store.Info
	for _, s := range infos {
		if s.ID == name {
			return s.Path, nil
		}
		if strings.HasPrefix(s.ID, name) {
			found = append(found, s)
		}
	}
	switch {
	case len(found) == 0 && name == "":
		return "", Usage("there is no session in %s yet; tenet demo makes one", dir)
	case len(found) == 0:
		return "", Usage("there is no session %q in %s; tenet log list names them", name, dir)
	case len(found) > 1 && name != "":
		return "", Usage("%d sessions begin with %q; give more of the name (tenet log list)", len(found), name)
	}
	return found[0].Path, nil
}
