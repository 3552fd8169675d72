package textfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tenet/adapters/textfile"
)

func TestReadIsTextWithinALimit(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		bytes, text string
		cut         bool
	}{
		"plain":                {"abc", "abc", false},
		"mark and line ends":   {"\xef\xbb\xbfa\r\nb\rc\n", "a\nb\rc\n", false},
		"cut after a line":     {"12345\n7890\n", "12345\n", true},
		"cut after a letter":   {"12345678901", "1234567890", true},
		"cut before half of é": {"123456789éx", "123456789", true},
		"just the limit":       {"1234567890", "1234567890", false},
		"empty":                {"", "", false},
	} {
		path := filepath.Join(dir, strings.ReplaceAll(name, " ", "_"))
		if err := os.WriteFile(path, []byte(c.bytes), 0o644); err != nil {
			t.Fatal(err)
		}
		limit := int64(10)
		if !c.cut {
			limit = max(limit, int64(len(c.bytes)))
		}
		got, err := textfile.Read(path, limit)
		if err != nil || got.Text != c.text || got.Cut != c.cut || got.Size != int64(len(c.bytes)) {
			t.Errorf("%s: %+v, %v; want %q, cut %v", name, got, err, c.text, c.cut)
		}
	}
}

// What is no plain file is named and never opened: a pipe would wait for its writer.
func TestReadNamesWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("x", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{dir: "a folder", dir + "/pipe": "a pipe", "/dev/null": "a device", dir + "/link": "a link", dir + "/gone": "no such file"} {
		if got, err := textfile.Read(path, 10); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %+v, %v", path, got, err)
		}
	}
}

// A link that leads out of an open folder is not followed, whenever it was made.
func TestReadInStaysInside(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "outside"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "in"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../outside", filepath.Join(dir, "in/link")); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(filepath.Join(dir, "in"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if got, err := textfile.ReadIn(root, "link", 10); err == nil {
		t.Errorf("read %+v", got)
	}
}

func TestPlaces(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(root, "repo/a/b")
	if err := os.MkdirAll(work, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := textfile.Repository(work); got != work {
		t.Errorf("without a repository: %s", got)
	}
	if err := os.WriteFile(filepath.Join(root, "repo/.git"), []byte("gitdir: elsewhere"), 0o644); err != nil {
		t.Fatal(err)
	}
	repo := textfile.Repository(work)
	if repo != filepath.Join(root, "repo") {
		t.Errorf("the repository is %s", repo)
	}
	if got := textfile.Upwards(work, repo); len(got) != 3 || got[0] != work || got[2] != repo {
		t.Errorf("upwards: %q", got)
	}
	if got := textfile.Upwards("/x", repo); len(got) != 1 {
		t.Errorf("a folder elsewhere: %q", got)
	}
	if textfile.Under("/a/bc", "/a/b") || !textfile.Under("/a/b", "/a/b") || !textfile.Under("/a/b/..c", "/a/b") {
		t.Error("Under")
	}
}
