package shell

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"tenet/core/script"
)

// missing is a command that cannot be run, with bash's status and words for it.
type missing struct {
	status int
	text   string
}

var notFound = &missing{127, "command not found"}

// resolve finds what runs: a built-in, or a program on the script's own PATH.
func (r *run) resolve(st *stage) {
	if len(st.argv) == 0 || st.bad != "" {
		return
	}
	if st.act = r.builtin(st); st.act != nil {
		return
	}
	name := st.argv[0]
	if script.NeedsBash(name) {
		st.missing = &missing{127, "a builtin of bash runs only when its name is written out"}
		return
	}
	r.vars.over = st.assigns
	path := r.vars.value("PATH")
	r.vars.over = nil
	st.path, st.missing = r.look(name, path)
}

func (r *run) look(name, path string) (string, *missing) {
	if strings.Contains(name, "/") {
		return r.try(name)
	}
	if name == "" {
		return "", notFound
	}
	denied := notFound
	for _, dir := range filepath.SplitList(path) {
		if dir == "" {
			dir = "."
		}
		p, no := r.try(filepath.Join(dir, name))
		switch {
		case no == nil:
			return p, nil
		case no.status == 126 && no.text != isDirectory:
			denied = no
		}
	}
	return "", denied
}

const isDirectory = "Is a directory"

func (r *run) try(p string) (string, *missing) {
	p = r.abs(p)
	fi, err := os.Stat(p)
	switch {
	case err != nil && unixText(err) == "Permission denied":
		return "", &missing{126, "Permission denied"}
	case err != nil:
		return "", &missing{127, unixText(err)}
	case fi.IsDir():
		return "", &missing{126, isDirectory}
	case unix.Access(p, unix.X_OK) != nil:
		return "", &missing{126, "Permission denied"}
	}
	return p, nil
}
