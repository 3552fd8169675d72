package mutate

import (
	"encoding/json"
	"fmt"
	"go/build"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// activeDir is where the overlay puts the package that says which mutant runs. The
// folder does not exist on disk: a program built without the overlay has no switch.
const activeDir = "bridge/engine/mutate/active"

// EnvActive is the environment variable that a mutated program reads at its start:
// the number of the mutant that runs.
const EnvActive = "TENET_MUTANT"

const activeSource = `// Package active says which mutant runs. It exists in the overlay only.
package active

import (
	"os"
	"strconv"
)

// Mutant is the number of the mutant that runs, 0 for none.
var Mutant, _ = strconv.Atoi(os.Getenv("` + EnvActive + `"))

// Or is the mutant's value when that mutant runs, else the original's.
func Or[T any](id int, mutant, original T) T {
	if Mutant == id {
		return mutant
	}
	return original
}
`

// Overlay writes, below out, the mutated copy of every file that the mutants name
// and the overlay file for `go build -overlay`, whose path it returns. A mutant that
// cannot be built in is refused: refused says why by its ID, and the others go on.
func Overlay(root, out string, ms []Mutant) (overlay string, refused map[int]error, err error) {
	module, err := modulePath(root)
	if err != nil {
		return "", nil, err
	}
	files := map[string]string{activeDir + "/active.go": activeSource}
	byFile := map[string][]Mutant{}
	for _, m := range ms {
		byFile[m.File] = append(byFile[m.File], m)
	}
	refused = map[int]error{}
	for _, file := range slices.Sorted(maps.Keys(byFile)) {
		text, err := mutateFile(root, file, path.Join(module, activeDir), byFile[file], refused)
		if err != nil {
			for _, m := range byFile[file] {
				refused[m.ID] = fmt.Errorf("mutant %s: %w", m, err)
			}
			continue
		}
		files[file] = text
	}
	overlay, err = writeOverlay(root, out, files)
	return overlay, refused, err
}

func mutateFile(root, file, active string, ms []Mutant, refused map[int]error) (string, error) {
	if !isSource(file) {
		return "", fmt.Errorf("%s is not a source file of the program", file)
	}
	src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return "", err
	}
	o, err := newOriginal(src)
	if err != nil {
		return "", err
	}
	for _, m := range ms {
		if err := o.add(m); err != nil {
			refused[m.ID] = fmt.Errorf("mutant %s in %s: %w", m, file, err)
		}
	}
	return o.render(active), nil
}

func isSource(file string) bool {
	return strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go")
}

func writeOverlay(root, out string, files map[string]string) (string, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for file, text := range files {
		to := filepath.Join(out, strings.ReplaceAll(file, "/", "__"))
		if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
			return "", err
		}
		replace[filepath.Join(root, filepath.FromSlash(file))] = to
	}
	b, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(out, "overlay.json")
	return overlay, os.WriteFile(overlay, b, 0o644)
}

// modulePath reads the module's name from its go.mod.
func modulePath(root string) (string, error) {
	b, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(b)) {
		if name, ok := strings.CutPrefix(line, "module "); ok {
			return strings.TrimSpace(name), nil
		}
	}
	return "", fmt.Errorf("%s/go.mod names no module", root)
}

// Elsewhere is true for a mutant in a file that this system does not build, because
// of its name or its build tags: it can only be judged on another system.
func Elsewhere(root string, m Mutant) bool {
	dir, name := filepath.Split(filepath.Join(root, filepath.FromSlash(m.File)))
	ok, err := build.Default.MatchFile(dir, name)
	return err == nil && !ok && isSource(m.File)
}
