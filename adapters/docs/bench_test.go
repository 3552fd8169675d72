package docs

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// corpus is a tree like a repository: 2,000 files of source text in 200 directories,
// some of them ignored.
func corpus(b *testing.B) *rig {
	r := newRig(b)
	emptyRepository(b, r.root)
	rng := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("func return error string context package import struct value range index buffer length offset request reply token")
	for i := range 2000 {
		var t strings.Builder
		for range 200 {
			for range rng.IntN(9) {
				t.WriteString(words[rng.IntN(len(words))] + " ")
			}
			t.WriteByte('\n')
		}
		if i%100 == 0 {
			t.WriteString("func ReadDirent(fd int) MyError { return nil }\n")
		}
		r.put(fmt.Sprintf("d%03d/s%d/f%d.go", i%100, i%200/100, i), t.String())
	}
	for i := range 200 {
		r.put(fmt.Sprintf("node_modules/m%d/index.js", i), "ReadDirent\n")
	}
	r.put(".gitignore", "node_modules/\n*.log\n!keep.log\n/build/\n**/gen/*.pb.go\n")
	return r
}

// cpu reports the processor time of an operation, of this process or of the program
// it starts: on a loaded machine the clock alone says little.
func cpu(b *testing.B, who int, op func()) {
	var before, after syscall.Rusage
	syscall.Getrusage(who, &before)
	for b.Loop() {
		op()
	}
	syscall.Getrusage(who, &after)
	used := after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano()
	b.ReportMetric(float64(used)/float64(b.N)/1e6, "cpu-ms/op")
}

func self(b *testing.B, op func())  { cpu(b, syscall.RUSAGE_SELF, op) }
func child(b *testing.B, op func()) { cpu(b, syscall.RUSAGE_CHILDREN, op) }

// BenchmarkGrep stands beside git grep on the same tree, in the same run.
func BenchmarkGrep(b *testing.B) {
	r := corpus(b)
	for _, p := range []struct{ name, pattern, git string }{
		{"literal", "ReadDirent", "-F"},
		{"regexp", `func \w+\(fd int\)`, "-P"},
		{"suffix", `[A-Z]\w+Error\b`, "-P"},
		{"none", `[0-9]{3}\s[0-9]{3}`, "-P"},
	} {
		b.Run(p.name+"/tenet", func(b *testing.B) {
			self(b, func() { r.ok("grep", "pattern", p.pattern) })
		})
		b.Run(p.name+"/git", func(b *testing.B) {
			child(b, func() {
				cmd := exec.Command("git", "-C", r.root, "grep", "--untracked", "-n", p.git, "-e", p.pattern)
				cmd.Env = gitEnv(r.root)
				cmd.Output()
			})
		})
	}
}

// BenchmarkGlob stands beside find, which knows no ignore rules, and git ls-files.
func BenchmarkGlob(b *testing.B) {
	r := corpus(b)
	b.Run("tenet", func(b *testing.B) {
		self(b, func() { r.ok("glob", "pattern", "**/f1*.go") })
	})
	b.Run("find", func(b *testing.B) {
		child(b, func() {
			exec.Command("find", r.root, "-name", "f1*.go").Output()
		})
	})
	b.Run("git", func(b *testing.B) {
		child(b, func() {
			cmd := exec.Command("git", "-C", r.root, "ls-files", "-o", "--exclude-standard", "--", "**/f1*.go")
			cmd.Env = gitEnv(r.root)
			cmd.Output()
		})
	})
}

// BenchmarkReplace is one durable change of a file.
func BenchmarkReplace(b *testing.B) {
	r := newRig(b)
	r.put("f", "0 "+strings.Repeat("line\n", 800))
	n := 0
	for b.Loop() {
		r.ok("search_replace", "path", "f", "old", fmt.Sprint(n, " "), "new", fmt.Sprint(n+1, " "))
		n++
	}
}

// BenchmarkEdit is a one-line edit of a file by its tag, beside the raw loop in the same
// run: the same bytes written to a new file, synced, renamed over the old one, and the
// directory synced.
func BenchmarkEdit(b *testing.B) {
	for _, size := range []int{4 << 10, 4<<20 - 64} {
		r := newRig(b)
		text := strings.Repeat("a line of the file that stays\n", size/30)
		b.Run(fmt.Sprintf("%dKiB/tenet", size>>10), func(b *testing.B) {
			r.put("f", "0\n"+text)
			out := r.ok("read", "path", "f:1")
			n := 0
			for b.Loop() {
				_, tag, _ := strings.Cut(out, "[f#")
				n++
				out = r.ok("edit", "patch", fmt.Sprintf("[f#%s]\nPUT 1:\n+%d\n", tag[:4], n))
			}
		})
		b.Run(fmt.Sprintf("%dKiB/raw", size>>10), func(b *testing.B) {
			n := 0
			for b.Loop() {
				n++
				rawRewrite(b, r.root, fmt.Sprint(n, "\n", text))
			}
		})
	}
}

// rawRewrite is the least that replaces a file durably and at once.
func rawRewrite(b *testing.B, dir, text string) {
	f, err := os.Create(dir + "/raw.tmp")
	if err == nil {
		_, err = f.WriteString(text)
	}
	if err == nil {
		err = f.Sync()
	}
	d, openErr := os.Open(dir)
	if err := errors.Join(err, openErr, f.Close(), os.Rename(dir+"/raw.tmp", dir+"/raw")); err != nil {
		b.Fatal(err)
	}
	if err := errors.Join(d.Sync(), d.Close()); err != nil {
		b.Fatal(err)
	}
}
