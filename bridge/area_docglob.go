package bridge

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/sys/unix"

	"tenet/adapters/docs"
	"tenet/adapters/pathpolicy"
	"tenet/bridge/engine"
	"tenet/core/doc"
	"tenet/core/surface"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/docglob"
)

var docGlobMachine = engine.Machine[struct{}, docglob.In, docglob.Out]{Step: docglob.Step, Ops: docglob.Ops}

func docGlobArea() Area {
	return Area{
		Name:       "docglob",
		Relation:   Same,
		Bound:      fmt.Sprintf("up to %d paths told of %d names and %d times, in every order, with pages of 1 and 2; long walks around the largest page", docglob.MaxTold, docglob.Paths, docglob.Times),
		Laws:       law.Infos(laws.DocGlobBook),
		Production: []any{doc.GlobPage, (*doc.Newest).Asks, (*doc.Newest).Add, (*doc.Newest).Page, (*docs.Docs).Run},
		Exhaust: func(names ...string) (engine.Report, error) {
			return engine.Exhaust(docGlobMachine, Pick(laws.DocGlobBook, names))
		},
		Quick: docGlobQuick,
	}
}

// docGlobQuick lists random real trees with the tool and judges its pages against the
// simple way: walk everything, match, sort, cut.
func docGlobQuick() error {
	n := engine.Premises{}
	for seed := range uint64(12) {
		if err := globTree(engine.NewRandom(seed, 12), n); err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	if idle := engine.Unapplied(laws.DocGlobBook, n); idle != nil {
		return fmt.Errorf("laws that said nothing: %v", idle)
	}
	return nil
}

// globTree makes one tree and asks for pages of it.
func globTree(src engine.Source, n engine.Premises) error {
	root, err := tempDir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	t := globDir{root: root, judge: pathpolicy.New(pathpolicy.Options{Root: root, TenetHome: root + ".home", Env: []string{"HOME=" + root + ".home"}})}
	t.fill(src)
	for src.More() {
		in, out, err := t.ask(src)
		if err != nil {
			return err
		}
		if err := judgeGlob(in, out, n); err != nil {
			return err
		}
	}
	return nil
}

func judgeGlob(in docglob.In, out docglob.Out, n engine.Premises) error {
	for _, l := range laws.DocGlobBook {
		v := l.Func(in, out)
		if v.Applies {
			n[l.ID]++
		}
		if v.Err != nil {
			return fmt.Errorf("law %s: %w", l.ID, v.Err)
		}
	}
	return nil
}

// globDir is a real tree.
type globDir struct {
	root  string
	judge docs.Judge
}

var globNames = []string{"a", "b", "c.go", "d.go", "e.txt", "x-y", ".hidden", "deep", "odd name", ".git", "ignored.o", ".tenet-tmp-0123456789abcdef-1-1"}

// globPatterns are asked of every tree.
var globPatterns = []string{"**/*", "*", "**/*.go", "*.go", "a/**", "**/{a,b}/*", "*/*", "**/", "*/", "**/*.{go,txt}", "{a,b}/**/*.go", "deep/**/c.go", "**/.*", "[ab]/?*", "**/x-y", "a", "{a/b,b}/*", "**/a/**/c*"}

func (t globDir) fill(src engine.Source) {
	must(os.WriteFile(filepath.Join(t.root, ".gitignore"), []byte("*.o\n/deep/b/\n"), 0o644))
	for _, base := range []string{"a", "deep"} { // the patterns start there
		must(os.Mkdir(filepath.Join(t.root, base), 0o755))
	}
	in, err := os.OpenRoot(t.root) // nothing is made through a link that leads out
	must(err)
	defer in.Close()
	for range 10 + src.Pick(50, "entries") {
		path := "."
		for range 1 + src.Pick(4, "depth") {
			path = filepath.Join(path, globNames[src.Pick(len(globNames), "name")])
		}
		if in.MkdirAll(filepath.Dir(path), 0o755) != nil {
			continue // a file stands in the way, or a link that leads out
		}
		switch src.Pick(8, "kind") {
		case 0:
			in.MkdirAll(path, 0o755)
		case 1:
			in.Symlink([]string{"..", "nowhere", "/"}[src.Pick(3, "target")], path)
		case 2:
			unix.Mkfifo(filepath.Join(t.root, path), 0o600)
		default:
			if f, err := in.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644); err == nil {
				f.Close()
			}
		}
	}
	must(filepath.WalkDir(t.root, func(path string, _ fs.DirEntry, err error) error {
		at := unix.NsecToTimeval(time.Unix(int64(1000+src.Pick(6, "time")), 0).UnixNano())
		unix.Lutimes(path, []unix.Timeval{at, at})
		return err
	}))
}

// told is every path that matches, found the simple way.
func (t globDir) told(pattern string, ignoring bool) (told []doc.Found) {
	pattern, dirsOnly := strings.CutSuffix(pattern, "/")
	must(filepath.WalkDir(t.root, func(path string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(t.root, path)
		switch out := globLeavesOut(rel, e, ignoring); {
		case err != nil || rel == ".":
			return err
		case out && e.IsDir():
			return filepath.SkipDir
		case out || dirsOnly && !e.IsDir():
			return nil
		}
		if ok, err := doublestar.Match(pattern, rel); !ok || err != nil || rel == fixedStart(pattern) {
			return err
		}
		info, err := os.Lstat(path)
		if err == nil {
			told = append(told, doc.Found{Path: rel, Time: info.ModTime().UnixNano(), Dir: e.IsDir()})
		}
		return err
	}))
	return told
}

// fixedStart is the directory that a pattern starts in: what is listed lies below it.
func fixedStart(pattern string) string {
	base, _ := doublestar.SplitPattern(pattern)
	return base
}

func globLeavesOut(rel string, e fs.DirEntry, ignoring bool) bool {
	name := e.Name()
	kind := e.Type() &^ (fs.ModeDir | fs.ModeSymlink)
	return name == ".git" || strings.HasPrefix(name, ".tenet-tmp-") || kind != 0 ||
		ignoring && (strings.HasSuffix(name, ".o") || rel == "deep/b" && e.IsDir())
}

// ask is one glob, made with one worker and with several.
func (t globDir) ask(src engine.Source) (in docglob.In, out docglob.Out, err error) {
	pattern := globPatterns[src.Pick(len(globPatterns), "pattern")]
	noIgnore := src.Pick(2, "no_ignore") == 1
	in = docglob.In{Told: t.told(pattern, !noIgnore), Limit: 1 + src.Pick(6, "limit"), Skip: src.Pick(12, "skip")}
	if src.Pick(4, "large") == 0 {
		in.Limit = 200 + src.Pick(2, "over")
	}
	args := surface.Args{"pattern": pattern, "limit": int64(in.Limit), "skip": int64(in.Skip), "no_ignore": noIgnore}
	if src.Pick(2, "absolute") == 1 {
		args["pattern"] = t.root + "/" + pattern
	}
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for _, workers := range []int{1, 2, 4} {
		runtime.GOMAXPROCS(workers)
		text, err := docs.New(docs.Options{Root: t.root, Judge: t.judge}).Run(context.Background(), openGate{}, "glob", args)
		if err != nil {
			return in, out, fmt.Errorf("glob %v: %w", args, err)
		}
		out = append(out, t.shown(in, text))
	}
	return in, out, nil
}

var (
	globNext = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`go on with skip=(\d+)`) })
	globPast = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`is past the end: (\d+) path`) })
)

// shown is what a reply shows; all that is not there counts as declined.
func (t globDir) shown(in docglob.In, text string) (r docglob.Run) {
	for row := range strings.Lines(text) {
		if strings.HasPrefix(row, "[") {
			continue
		}
		path, dir := strings.CutSuffix(strings.TrimSuffix(row, "\n"), "/")
		f := doc.Found{Path: path, Dir: dir}
		if info, err := os.Lstat(filepath.Join(t.root, path)); err == nil {
			f.Time = info.ModTime().UnixNano()
		}
		r.Page.Paths = append(r.Page.Paths, f)
	}
	number := func(re *regexp.Regexp) (n int) {
		if m := re.FindStringSubmatch(text); m != nil {
			n, _ = strconv.Atoi(m[1])
		}
		return n
	}
	r.Page.Next, r.Page.Past = number(globNext()), number(globPast())
	for _, f := range in.Told {
		if !slices.Contains(r.Page.Paths, f) {
			r.Declined = append(r.Declined, f)
		}
	}
	return r
}
