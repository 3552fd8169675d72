package cli

import (
	"os"
	"path/filepath"
)

// Home is tenet's own directory: $TENET_HOME, else ~/.tenet. The error says how to
// name one when neither is known.
func Home() (string, error) {
	if h := os.Getenv("TENET_HOME"); h != "" {
		return filepath.Abs(h)
	}
	u, err := os.UserHomeDir()
	if err != nil {
		return "", Usage("no home directory is known: %w; set TENET_HOME to a directory that tenet may write", err)
	}
	return filepath.Join(u, ".tenet"), nil
}

// Sessions is the directory of the session logs below a home.
func Sessions(home string) string { return filepath.Join(home, "sessions") }

// OutputDir is the folder beside a session's log where it keeps long outputs and what its
// changes of files replaced.
func OutputDir(home, id string) string { return filepath.Join(Sessions(home), id+".output") }

// Workspace checks the directory that a session is to work in and returns its real
// path. The root directory is refused: a session there would hold every secret and
// every other project of the machine.
func Workspace(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", Usage("workspace %q: %w", dir, err)
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", Usage("workspace %s does not exist or cannot be read: %w; name an existing directory with --dir", abs, err)
	}
	info, err := os.Stat(real)
	switch {
	case err != nil:
		return "", Usage("workspace %s: %w", real, err)
	case !info.IsDir():
		return "", Usage("workspace %s is a file; name a directory with --dir", real)
	case real == filepath.Dir(real):
		return "", Usage("workspace %s is the root of the file system; start tenet in a project's own directory", real)
	}
	return real, nil
}
