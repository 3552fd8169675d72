package docs

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"tenet/core/doc"
)

func TestListDir(t *testing.T) {
	r := newRig(t)
	want(t, r.ok("list_dir"), "[. is an empty directory]")
	r.put("b.txt", "")
	r.put("a/x", "")
	r.link("b.txt", "link")
	r.link("no\nwhere\x1b[1m", "loose")
	r.put("odd\nname", "")
	syscall.Mkfifo(r.path("pipe"), 0o644)
	want(t, r.ok("list_dir"), "a/\nb.txt\nlink -> b.txt\nloose -> no\\nwhere\\x1b[1m\nodd\\nname\npipe (a pipe (FIFO))\n")
	r.fails("list_dir", []any{"path", "b.txt"}, "use read")
	r.fails("list_dir", []any{"path", "none"}, "does not exist")
	r.fails("list_dir", []any{"skip", -1}, "skip is -1")
}

func TestListDirPages(t *testing.T) {
	r := newRig(t)
	for i := range 601 {
		r.put(fmt.Sprintf("a/n%03d", i), "")
	}
	holds(t, r.ok("list_dir", "path", "a"), "n000\n", "n499\n[names 1-500 of 601; go on with skip=500]")
	holds(t, r.ok("list_dir", "path", "a", "skip", 500), "n500\n", "n599\nn600\n")
	want(t, r.ok("list_dir", "path", "a", "skip", 601), "[skip=601 is past the end: a has 601 names]")
	r.d = New(Options{Root: r.root, Judge: r.d.judge, Deadline: time.Nanosecond})
	holds(t, r.ok("list_dir", "path", "a"), "[stopped after 1ns and 0 names")
}

// A name that is gone when it is looked at is counted, not shown.
func TestListDirWhileItChanges(t *testing.T) {
	r := newRig(t)
	r.put("here", "")
	dir, err := os.Open(r.root)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	l := listing{d: r.d, dir: int(dir.Fd()), name: ".", names: []string{"gone", "here"}, total: 2}
	want(t, l.text(true), "here\n[skipped: 1 gone or changed since their directory was read]")
	var skips doc.Skips
	if mark, ok := l.mark(string(make([]byte, 300)), &skips); !ok || mark != " (cannot be looked at)" {
		t.Error(mark, ok)
	}
}
