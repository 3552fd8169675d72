// Package golden holds generated files to what the code says.
package golden

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/rogpeppe/go-internal/diff"
)

// Updating is true when a test run was asked to rewrite what it would compare:
// `make golden`, or UPDATE=1 go test.
func Updating() bool { return os.Getenv("UPDATE") != "" }

// Check compares the file with what it should say. With UPDATE set it rewrites the
// file instead. The error shows the difference and how to accept it.
func Check(path, want string) error {
	have, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if bytes.Equal(have, []byte(want)) {
		return nil
	}
	if Updating() {
		return os.WriteFile(path, []byte(want), 0o644)
	}
	return fmt.Errorf("%s is not what the code says; look at the difference and run `make golden` if it is meant\n%s",
		path, diff.Diff(path, have, "the code", []byte(want)))
}
