package tree

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"tenet/core/doc"
)

// listed is what a walk of a directory visits, in order, and what it counts.
func listed(t rapid.TB, root string, o Options) ([]string, Result) {
	fd, err := unix.Open(root, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	var mu sync.Mutex
	var out []string
	o.Root = fd
	o.Visit = func(_ int, e *Entry) bool {
		mu.Lock()
		defer mu.Unlock()
		path := strings.Clone(e.Path())
		if e.Kind == Dir {
			path += "/"
		}
		out = append(out, path)
		return true
	}
	r := Walk(context.Background(), o)
	slices.Sort(out)
	return out, r
}

func put(t rapid.TB, path, text string) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// sum is the number of entries that stand in a class.
func (r *Result) sum() int {
	n := r.Files + r.Links + r.Dirs + r.Pruned
	for c := range doc.NumSkips {
		n += r.Skips.Count(c)
	}
	return n
}

// Everything is visited once, and links, pipes, .git and temporary files are counted.
func TestWalkVisitsEverythingOnce(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"a/b/c.go", "a/b.go", "a-b/x", "top", "a/.hidden", ".git/config", "a/" + doc.TempName(1, 2, 3), "a/sub/.git"} {
		put(t, filepath.Join(root, name), "")
	}
	os.MkdirAll(filepath.Join(root, "empty"), 0o755)
	os.Symlink("..", filepath.Join(root, "a/loop"))
	unix.Mkfifo(filepath.Join(root, "pipe"), 0o600)
	got, r := listed(t, root, Options{Dirs: true})
	want := []string{"a-b/", "a-b/x", "a/", "a/.hidden", "a/b.go", "a/b/", "a/b/c.go", "a/sub/", "empty/", "top"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if notice := r.Skips.Notice(); notice != "[skipped: 1 symbolic links, not followed; 1 special files (pipes, sockets, devices); 2 .git, always left out; 1 temporary files of an unfinished write]" {
		t.Error(notice)
	}
	if !r.Done || r.Entries != 15 || r.sum() != r.Entries || r.Dirs != 5 {
		t.Errorf("%+v", r)
	}
	got, _ = listed(t, root, Options{Links: true})
	if !slices.Contains(got, "a/loop") || slices.Contains(got, "a/loop/a") {
		t.Errorf("links as names: %q", got)
	}
}

// reference walks by the standard library, one directory after the other.
func reference(t rapid.TB, root string) (out []string) {
	err := filepath.WalkDir(root, func(p string, e os.DirEntry, err error) error {
		if err != nil || p == root {
			return err
		}
		rel, _ := filepath.Rel(root, p)
		switch {
		case e.Name() == ".git" && e.IsDir():
			return filepath.SkipDir
		case e.Name() == ".git":
			return nil
		case e.IsDir():
			rel += "/"
		}
		out = append(out, rel)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

// On any tree, with any number of workers, a walk visits what the standard library's
// does, and every entry is in one class.
func TestWalkAsReference(t *testing.T) {
	name := rapid.SampledFrom([]string{"a", "b", "c", "a-b", "a.b", "é", "x y", "..x", ".h", ".git", "deep"})
	rapid.Check(t, func(t *rapid.T) {
		root, err := os.MkdirTemp("", "tenet-walk")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(root)
		in, err := os.OpenRoot(root) // what would be written through a link out is not
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		for range rapid.IntRange(0, 40).Draw(t, "files") {
			path := filepath.Join(rapid.SliceOfN(name, 1, 6).Draw(t, "path")...)
			switch rapid.IntRange(0, 4).Draw(t, "kind") {
			case 0:
				in.MkdirAll(path, 0o755)
			case 1:
				in.MkdirAll(filepath.Dir(path), 0o755)
				in.Symlink(rapid.SampledFrom([]string{".", "..", "/", "nowhere"}).Draw(t, "target"), path)
			default:
				in.MkdirAll(filepath.Dir(path), 0o755)
				in.WriteFile(path, nil, 0o644)
			}
		}
		got, r := listed(t, root, Options{Dirs: true, Links: true, Workers: rapid.IntRange(1, 4).Draw(t, "workers"),
			names: rapid.SampledFrom([]int{1, 20, maxNames}).Draw(t, "names"), open: rapid.SampledFrom([]int{1, 3, maxOpen}).Draw(t, "open")})
		if want := reference(t, root); !slices.Equal(got, want) {
			t.Fatalf("got %q\nwant %q", got, want)
		}
		if r.sum() != r.Entries || !r.Done {
			t.Fatalf("%d entries, %d in classes", r.Entries, r.sum())
		}
	})
}

// One directory with very many names is read in parts, by several workers, and its
// directories in as many readings as their names take.
func TestWalkWideDirectory(t *testing.T) {
	root := t.TempDir()
	for i := range 1000 {
		os.Mkdir(filepath.Join(root, fmt.Sprintf("d%05d", i)), 0o755)
		os.WriteFile(filepath.Join(root, fmt.Sprintf("file-with-a-longer-name-%05d", i)), nil, 0o644)
		if i%100 == 0 {
			put(t, filepath.Join(root, fmt.Sprintf("d%05d/f", i)), "")
		}
	}
	for workers := 1; workers <= 4; workers += 3 {
		got, r := listed(t, root, Options{Dirs: true, Workers: workers, names: 2 << 10, open: 1})
		if want := reference(t, root); !slices.Equal(got, want) || r.sum() != r.Entries || r.Dirs != 1000 {
			t.Fatalf("%d workers: %d names, want %d; %+v", workers, len(got), len(want), r)
		}
	}
}

// The names of waiting directories stay within their bound, and none is lost.
func TestNamesKeepTheFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfNDistinct(rapid.StringMatching(`[ab.\-]{1,4}`), 0, 60, rapid.ID[string]).Draw(t, "names")
		limit := rapid.IntRange(1, 100).Draw(t, "limit")
		var got []string
		var after []byte
		for {
			var n names
			n.reset(limit, after)
			parts := rapid.IntRange(1, 3).Draw(t, "parts")
			for p := range parts {
				var part names
				part.reset(limit, after)
				for i, name := range all {
					if i%parts == p {
						part.add([]byte(name))
					}
				}
				n.merge(&part)
			}
			n.settle()
			if n.size() > limit && len(n.at) > 1 {
				t.Fatalf("%d bytes, the limit is %d", n.size(), limit)
			}
			for i := range n.at {
				got = append(got, string(n.name(i)))
			}
			if !n.cut {
				break
			}
			after = n.bound
		}
		slices.SortFunc(all, func(a, b string) int { return strings.Compare(a+"/", b+"/") })
		if !slices.Equal(got, all) {
			t.Fatalf("got %q want %q", got, all)
		}
	})
}

// A tree deeper than the bound is walked to the bound and told.
func TestWalkTooDeep(t *testing.T) {
	root := t.TempDir()
	path := root
	for range MaxDepth + 3 {
		path += "/d"
	}
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
	_, r := listed(t, root, Options{Workers: 2})
	if r.Dirs != MaxDepth-1 || r.Skips.Count(doc.TooDeep) != 1 || r.sum() != r.Entries {
		t.Errorf("%d directories, %s", r.Dirs, r.Skips.Notice())
	}
}

// Directories are entered in the order of their paths, and one that is declined is
// not opened.
func TestWalkEntersInPathOrder(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"b/x", "a/y/1", "a-b/z", "a/x/2", "a.c/3", "c/4"} {
		put(t, filepath.Join(root, name), "")
	}
	var entered []string
	got, r := listed(t, root, Options{Workers: 1, Enter: func(path string) bool {
		entered = append(entered, strings.Clone(path))
		return path < "b/"
	}})
	if want := []string{"a-b/", "a.c/", "a/", "a/x/", "a/y/", "b/", "c/"}; !slices.Equal(entered, want) {
		t.Errorf("entered %q", entered)
	}
	if want := []string{"a-b/z", "a.c/3", "a/x/2", "a/y/1"}; !slices.Equal(got, want) || r.Pruned != 2 {
		t.Errorf("visited %q, %d pruned", got, r.Pruned)
	}
}

// A walk ends with its context and with a Visit that has enough.
func TestWalkEnds(t *testing.T) {
	root := t.TempDir()
	for i := range 500 {
		put(t, fmt.Sprintf("%s/d%d/f", root, i), "")
	}
	fd, _ := unix.Open(root, unix.O_RDONLY, 0)
	defer unix.Close(fd)
	before := openFiles(t)
	for _, stop := range []bool{true, false} {
		ctx, cancel := context.WithCancel(context.Background())
		var mu sync.Mutex
		n := 0
		r := Walk(ctx, Options{Root: fd, Workers: 2, Visit: func(int, *Entry) bool {
			mu.Lock()
			defer mu.Unlock()
			if n++; n == 10 && !stop {
				cancel()
			}
			return n < 10 || !stop
		}})
		cancel()
		if r.Done || n > 20 {
			t.Errorf("stop %v: %d visits, done %v", stop, n, r.Done)
		}
		r = Walk(ctx, Options{Root: fd, Visit: func(int, *Entry) bool { t.Error("visited after the end"); return true }})
		if r.Done {
			t.Error("done after the end of its context")
		}
	}
	if after := openFiles(t); after != before {
		t.Errorf("%d descriptors open before, %d after", before, after)
	}
}

func openFiles(t *testing.T) int {
	names, err := os.ReadDir("/dev/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// The portable reading of a directory gives the records that the kernel gives.
func TestPortableRecords(t *testing.T) {
	root := t.TempDir()
	for i := range 700 {
		put(t, fmt.Sprintf("%s/file-%d", root, i), "")
	}
	os.Mkdir(root+"/dir", 0o755)
	os.Symlink("dir", root+"/link")
	dir, err := os.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	read := func(fill func([]byte) ([]byte, bool, error)) (names []string) {
		buf := make([]byte, 6<<10)
		for whole := false; !whole; {
			var records []byte
			var err error
			if records, whole, err = fill(buf); err != nil {
				t.Fatal(err)
			}
			for len(records) > 0 {
				kind, name, size := record(records)
				records = records[size:]
				if name != nil {
					names = append(names, fmt.Sprintf("%q %d", name, kind))
				}
			}
		}
		slices.Sort(names)
		return names
	}
	own, portable := newReader(int(dir.Fd()), true), newPortable(int(dir.Fd()), true)
	defer own.close()
	defer portable.close()
	if a, b := read(own.fill), read(portable.fill); len(a) != 702 || !slices.Equal(a, b) {
		t.Errorf("%d and %d names", len(a), len(b))
	}
}

// What cannot be opened, and what vanished or became another thing since its directory
// was read, is counted.
func TestWalkCountsWhatItCannotReach(t *testing.T) {
	for err, class := range map[error]doc.Skip{unix.EACCES: doc.Unreadable, unix.EMFILE: doc.Unreadable, unix.EIO: doc.Unreadable,
		unix.ENOENT: doc.Vanished, unix.ENOTDIR: doc.Vanished, unix.ELOOP: doc.Vanished} {
		if got := lost(err); got != class {
			t.Errorf("%v is in class %d", err, got)
		}
	}
	for _, open := range []int{1, maxOpen} {
		root := t.TempDir()
		for _, name := range []string{"a/x/f", "b/f", "c/f", "d/e/f", "f"} {
			put(t, filepath.Join(root, name), "")
		}
		_, r := changing(t, root, open, func(path string) {
			if path == "a/" {
				os.RemoveAll(root + "/b")
				os.RemoveAll(root + "/c")
				os.Symlink("a", root+"/c")
			}
			if path == "d/e/" { // another directory with the same name
				os.Rename(root+"/d", root+"/was")
				os.MkdirAll(root+"/d/e", 0o755)
			}
		})
		if r.Skips.Count(doc.Vanished) < 2 || r.sum() != r.Entries || !r.Done {
			t.Errorf("%d vanished, %+v", r.Skips.Count(doc.Vanished), r)
		}
	}
}

// changing walks while the tree is changed before each directory is opened.
func changing(t *testing.T, root string, open int, change func(path string)) ([]string, Result) {
	return listed(t, root, Options{Workers: 1, names: maxNames, open: open, Enter: func(path string) bool { change(path); return true }})
}
