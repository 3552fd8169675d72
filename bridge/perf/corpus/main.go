// Command corpus lays out what the figures of search are measured on, in a directory
// that the caller gives, which may not be in the repository:
//
//	corpus DIR [ROOT...]
//
// DIR/tree is a repository of at least 80,000 files and 1 GB: the Go toolchain's source,
// the module cache, npm packages that are installed for this (needs npm and a gigabyte),
// and the roots given. DIR/small is a repository of 5,000 files of it. DIR/tools gets
// the peers: ripgrep as Codex ships it, Codex and cc-safety-net. What is there is kept.
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// What the tree must hold, and how large the small one is.
const (
	minFiles   = 80_000
	minBytes   = 1_000_000_000
	smallFiles = 5_000
)

// packages are what JavaScript programs are made of: large and small files, maps,
// minified bundles and declarations. Their versions are pinned so that two runs
// measure the same.
var packages = strings.Fields(`
	@emotion/react@11.14.0 @mui/material@9.5.0 antd@6.6.8 aws-sdk@2.1693.0 core-js@3.51.0 date-fns@4.4.0
	eslint@10.15.0 googleapis@178.0.0 jest@30.5.2 lodash@4.18.1 lodash-es@4.18.1 monaco-editor@0.57.0 next@16.4.6
	react@19.3.1 react-dom@19.3.1 react-icons@5.7.0 rxjs@7.8.2 three@0.187.0 typescript@7.0.2 webpack@5.113.0`)

// peers are the programs that tenet is measured against.
var peers = []string{"@openai/codex@latest", "cc-safety-net@latest"}

// ignored are the rules of the tree's .gitignore, of the kinds that projects have.
const ignored = `# build output
build/
/dist
out/
target/
*.o
*.a
*.so
*.class
*.pyc
__pycache__/
*.log
!keep.log
*.tmp
*.swp
.DS_Store
coverage/
/node/**/*.map
**/testdata/fuzz/
node/**/locale/[a-d]*
*.min.js
!jquery.min.js
.env
.env.*
!.env.example
tmp/
`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return errors.New("usage: corpus DIR [ROOT...]")
	}
	dir, err := filepath.Abs(args[0])
	if err != nil {
		return err
	}
	if err := install(filepath.Join(dir, "tools"), peers); err != nil {
		return err
	}
	tree := filepath.Join(dir, "tree")
	if !exists(filepath.Join(tree, ".git")) {
		if err := lay(dir, tree, args[1:]); err != nil {
			return err
		}
	}
	if small := filepath.Join(dir, "small"); !exists(filepath.Join(small, ".git")) {
		if err := copyFirst(filepath.Join(tree, "go"), small, smallFiles); err != nil {
			return err
		}
		if err := repository(small); err != nil {
			return err
		}
	}
	return measure(tree)
}

func exists(path string) bool { _, err := os.Lstat(path); return err == nil }

// lay copies everything into the tree. The repository is made last: its .git is the
// sign that the tree is whole.
func lay(dir, tree string, roots []string) error {
	if err := os.RemoveAll(tree); err != nil {
		return err
	}
	if err := install(filepath.Join(dir, "npm"), packages); err != nil {
		return err
	}
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		return err
	}
	from := map[string]string{
		"go": filepath.Join(goroot(), "src"), "mod": strings.TrimSpace(string(cache)), "node": filepath.Join(dir, "npm", "node_modules"),
	}
	for i, r := range roots {
		from[fmt.Sprint("root", i)] = r
	}
	for name, root := range from {
		fmt.Fprintln(os.Stderr, "copying", root)
		if err := copyFirst(root, filepath.Join(tree, name), 1<<30); err != nil {
			return err
		}
	}
	return repository(tree)
}

func goroot() string {
	if out, err := exec.Command("go", "env", "GOROOT").Output(); err == nil {
		return strings.TrimSpace(string(out))
	}
	return ""
}

// install has npm install packages without running anything of theirs. Without npm it
// leaves them out and says so.
func install(dir string, names []string) error {
	if exists(filepath.Join(dir, "node_modules")) {
		return nil
	}
	if _, err := exec.LookPath("npm"); err != nil {
		fmt.Fprintln(os.Stderr, "npm is not there:", strings.Join(names, " "), "are left out")
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	cmd := exec.Command("npm", append([]string{"install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", dir}, names...)...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	return cmd.Run()
}

var errEnough = errors.New("enough files")

// copyFirst copies the first regular files below a directory, in the order of their
// paths. The module cache's own bookkeeping is left out.
func copyFirst(from, to string, most int) error {
	n := 0
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(from, path)
		switch {
		case d.IsDir() && (rel == "cache" || d.Name() == ".git"):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		case !d.Type().IsRegular():
			return nil
		case n == most:
			return errEnough
		}
		n++
		return copyFile(path, filepath.Join(to, rel))
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// repository makes a directory one, with ignore rules and nothing committed.
func repository(dir string) error {
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(ignored), 0o644); err != nil {
		return err
	}
	return exec.Command("git", "init", "-q", dir).Run()
}

// measure says what the tree is, and refuses one that is too small to say anything.
func measure(tree string) error {
	files, dirs, size := 0, 0, int64(0)
	err := filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" {
				return fs.SkipDir
			}
			dirs++
			return nil
		}
		files++
		if info, err := d.Info(); err == nil {
			size += info.Size()
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d files, %d directories, %.2f GB\n", tree, files, dirs, float64(size)/1e9)
	if files < minFiles || size < minBytes {
		return fmt.Errorf("%s is smaller than %d files and %d bytes: remove it and give more roots", tree, minFiles, minBytes)
	}
	return nil
}
