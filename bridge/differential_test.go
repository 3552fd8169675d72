//go:build differential && linux

package bridge

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tenet/core/call"
	"tenet/core/effect"
	"tenet/core/script"
)

// TestDifferential runs, in bash and under strace, every command that tenet says does
// nothing but read, and looks at what the kernel was asked: nothing may be written and
// nothing may be run beyond the commands of the table. The commands are the guard cases,
// the ordinary commands, the cases of the table, and each option of each row that is
// said to add nothing. What has any other effect, or that the floor denies, is never run.
//
// It wants bubblewrap, strace and user namespaces, and runs as nobody in a throw-away
// root: /home/u is the test's own, everything else is read only, there is no network.
// `make differential` runs it.
func TestDifferential(t *testing.T) {
	box := newBox(t)
	jobs := make(chan []boxed)
	var done sync.WaitGroup
	for range 2 {
		done.Go(func() {
			for j := range jobs {
				box.run(j)
			}
		})
	}
	for j := range slices.Chunk(box.here(readOnly(t)), batch) {
		jobs <- j
	}
	close(jobs)
	done.Wait()
	box.conclude()
}

// boxed is one script and where it stands.
type boxed struct{ from, text string }

// batch is how many scripts share one shell: to start one costs more than to run most.
const batch = 40

// readOnly is every script that is judged to do nothing but read.
func readOnly(t *testing.T) (out []boxed) {
	put := func(from, text string) {
		s, err := script.Parse(text)
		if err != nil {
			return
		}
		look := guardPlace(guardCase{})
		judge := effect.Every
		if s.Whole {
			judge = effect.Whole
		}
		if judge(s.File, look).Effects == call.Of(call.Read) {
			out = append(out, boxed{from, text})
		}
	}
	for _, c := range guardCases(t, "shell") {
		if !c.Floor && len(c.Links) == 0 {
			put(c.ID, repeated(c.Input))
		}
	}
	for _, name := range []string{"../testdata/cases/ordinary.tsv", "../core/effect/testdata/effects.txt", "../core/effect/testdata/options.txt"} {
		for n, line := range strings.Split(readText(t, name), "\n") {
			if cell := cellOf(name, line); cell != "" && !strings.HasPrefix(line, "#") {
				put(fmt.Sprintf("%s:%d", filepath.Base(name), n+1), strings.ReplaceAll(cell, "⏎", "\n"))
			}
		}
	}
	for _, d := range effect.Describe() {
		for _, o := range d.Options {
			if effect.Of(effect.Command{Argv: swept(d, o)}, guardPlace(guardCase{})).Effects == call.Of(call.Read) {
				out = append(out, boxed{"option", hardenedText(swept(d, o))})
			}
		}
	}
	return out
}

// cellOf is the script of a line: first in the ordinary commands, second in the table's.
func cellOf(file, line string) string {
	cells := strings.Split(line, "\t")
	switch {
	case strings.HasSuffix(file, ".tsv"):
		return cells[0]
	case len(cells) > 1:
		return cells[1]
	}
	return ""
}

// swept is a command with one option of its row, on a file and a directory.
func swept(d effect.Described, o effect.DescribedOption) []string {
	argv := append(strings.Fields(d.Names[0]), o.Name)
	if o.Value {
		argv = append(argv, "1")
	}
	return append(argv, "README.md", "src")
}

// hardenedText is an argv as tenet runs it.
func hardenedText(argv []string) string {
	out := effect.HardenEnv(argv)
	for _, w := range effect.Harden(argv) {
		out = append(out, "'"+w+"'") // no word of the table has a quote in it
	}
	return strings.Join(out, " ")
}

// box is the throw-away root, and what was seen in it.
type box struct {
	t       *testing.T
	dir     string
	allowed map[string]bool

	mu      sync.Mutex
	n       int
	ran     int
	missing map[string]int
	bad     []string
}

// deadline ends a batch that hangs, which is a failure.
const deadline = 3 * time.Minute

func newBox(t *testing.T) *box {
	for _, tool := range []string{"bwrap", "strace", "bash", "git"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("the differential check needs %s: apt-get install bubblewrap strace git", tool)
		}
	}
	dir, err := os.MkdirTemp("", "tenet-differential-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	b := &box{t: t, dir: dir, missing: map[string]int{}, allowed: map[string]bool{"bash": true, "timeout": true}}
	for _, d := range effect.Describe() {
		for _, name := range d.Names {
			b.allowed[name] = true
		}
	}
	b.furnish()
	return b
}

// furnish makes the home and the workspace, with a repository that names a program
// wherever git may run one: each of them would show as one more execve.
func (b *box) furnish() {
	proj := b.dir + "/u/proj"
	for _, name := range strings.Fields("README.md main.go go.mod go.sum package.json a b f a.txt b.txt src/main.go src/a.ts docs/x.md build/o server.log access.log data.csv names.txt users.txt in.txt main.c list.txt CHANGELOG.md VERSION Makefile") {
		b.put(proj+"/"+name, "one\ntwo TODO\nthree\n", 0o644)
	}
	evil := "#!/bin/sh\n: > /home/u/proj/EVIL\ncat\n"
	b.put(b.dir+"/u/evil", evil, 0o755)
	b.put(proj+"/.gitattributes", "* diff=evil filter=evil\n", 0o644)
	self, err := os.Executable()
	if err != nil {
		b.t.Fatal(err)
	}
	bin, err := os.ReadFile(self)
	if err != nil {
		b.t.Fatal(err)
	}
	b.put(b.dir+"/bin/git", string(bin), 0o755)
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"}, {"add", "."}, {"commit", "-q", "-m", "first"}, {"tag", "v1.0"}, {"branch", "other"},
	} {
		b.git(proj, args...)
	}
	for _, key := range strings.Fields("core.fsmonitor core.pager core.editor core.askPass core.sshCommand diff.external diff.evil.command diff.evil.textconv filter.evil.clean filter.evil.smudge filter.evil.process gpg.program interactive.diffFilter pager.log pager.show pager.diff pager.grep pager.branch pager.shortlog credential.helper sequence.editor") {
		b.git(proj, "config", key, "/home/u/evil")
	}
	b.git(proj, "config", "log.showSignature", "true")
	for _, hook := range strings.Fields("pre-commit post-checkout post-index-change reference-transaction pre-push post-merge fsmonitor-watchman") {
		b.put(proj+"/.git/hooks/"+hook, evil, 0o755)
	}
	if os.Getuid() == 0 {
		err = filepath.WalkDir(b.dir, func(path string, _ os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Lchown(path, nobody, nobody)
		})
		if err != nil {
			b.t.Fatal(err)
		}
	}
}

const nobody = 65534

func (b *box) put(path, text string, mode os.FileMode) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		b.t.Fatal(err)
	}
}

func (b *box) git(dir string, args ...string) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@h", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@h")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// run runs some scripts, one after the other, and judges their trace.
func (b *box) run(some []boxed) {
	b.mu.Lock()
	b.n++
	dir := fmt.Sprintf("%s/run/%d", b.dir, b.n)
	b.mu.Unlock()
	for i, j := range some {
		b.put(fmt.Sprintf("%s/%d", dir, i), j.text+"\n", 0o644)
	}
	b.start(some, dir)
	bad, seen := b.judge(dir+"/trace", some)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ran += seen
	b.bad = append(b.bad, bad...)
	if seen != len(some) {
		b.bad = append(b.bad, fmt.Sprintf("%d of %d scripts from %q on left no trace", len(some)-seen, len(some), some[0].text))
	}
}

// here is the scripts whose first program this machine has.
func (b *box) here(all []boxed) (out []boxed) {
	has := map[string]bool{}
	for _, j := range all {
		name, _, _ := strings.Cut(strings.TrimSpace(j.text), " ")
		if _, asked := has[name]; !asked {
			has[name] = !b.allowed[name] || exec.Command("bash", "-c", `type "$1" >/dev/null 2>&1`, "-", name).Run() == nil
		}
		if has[name] {
			out = append(out, j)
		} else {
			b.missing[name]++
		}
	}
	return out
}

// writingCalls are the system calls that write, run or connect. A question mark spares those
// that this machine's architecture lacks.
const writingCalls = "execve,execveat,?open,openat,?openat2,?creat,?unlink,unlinkat,?rename,renameat,?renameat2,?mkdir,mkdirat,?rmdir,?symlink,symlinkat,?link,linkat," +
	"?chmod,fchmod,fchmodat,?fchmodat2,?chown,?lchown,fchown,fchownat,truncate,ftruncate,?utime,?utimes,?futimesat,utimensat,setxattr,lsetxattr,fsetxattr," +
	"removexattr,lremovexattr,fremovexattr,?mknod,mknodat,mount,umount2,connect,bind,ptrace,settimeofday,clock_settime,sethostname,chdir"

// marked is the scripts, each a shell of its own, with a sign before each that shows in
// the trace: a directory that is not there. What waits for ever is ended; what it did
// until then is judged.
func marked(some []boxed) string {
	var b strings.Builder
	for i := range some {
		fmt.Fprintf(&b, "cd '/#%d' 2>/dev/null; timeout 2 bash --norc --noprofile /tmp/run/%d\n", i, i)
	}
	return b.String()
}

// sign is what marks a script.
var sign = regexp.MustCompile(`^"/#(\d+)"`)

func (b *box) start(some []boxed, dir string) {
	if err := os.Chmod(dir, 0o777); err != nil {
		b.t.Error(err)
	}
	ctx, cancel := context.WithTimeout(b.t.Context(), deadline)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bwrap", "--unshare-all", "--die-with-parent", "--new-session",
		"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/home",
		"--bind", b.dir+"/u", "/home/u", "--ro-bind", b.dir+"/bin", "/tmp/bin", "--bind", dir, "/tmp/run",
		"--chdir", "/home/u/proj", "--clearenv", "--setenv", "HOME", "/home/u", "--setenv", "PATH", "/tmp/bin:/usr/bin:/bin", "--setenv", "TENET_AS_GIT", "1",
		"strace", "-f", "--seccomp-bpf", "-qq", "-s", "200", "-e", "trace="+writingCalls, "-e", "signal=none", "-o", "/tmp/run/trace",
		"bash", "--norc", "--noprofile", "-c", marked(some))
	cmd.WaitDelay = time.Second
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	var said bytes.Buffer
	cmd.Stderr = &limited{b: &said}
	if err := cmd.Run(); ctx.Err() != nil || strings.HasPrefix(said.String(), "bwrap:") {
		b.t.Errorf("the scripts from %q on were not all run: %v\n%s", some[0].text, err, said.String())
	}
}

// limited keeps the beginning of what is written to it.
type limited struct{ b *bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if l.b.Len() < 4096 {
		l.b.Write(p)
	}
	return len(p), nil
}

var traced = regexp.MustCompile(`^(\d+) +(\w+)\((.*)`)

// judge is what the trace shows beyond reading, and how many of the scripts it shows.
func (b *box) judge(trace string, some []boxed) (bad []string, seen int) {
	f, err := os.Open(trace)
	if err != nil {
		return nil, 0
	}
	defer f.Close()
	defer os.Remove(trace)
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	at := -1
	for s.Scan() {
		m := traced.FindStringSubmatch(s.Text())
		if m == nil {
			continue
		}
		if m[2] == "chdir" {
			if n := sign.FindStringSubmatch(m[3]); n != nil {
				if i, err := strconv.Atoi(n[1]); err == nil && i != at { // cd tries twice
					at = i
					seen++
				}
			}
			continue
		}
		if what := b.beyond(m[2], m[3]); what != "" && at >= 0 {
			bad = append(bad, fmt.Sprintf("%s: %s\n\tis said to read only, and it asked for %s", some[at].from, some[at].text, what))
		}
	}
	return slices.Compact(bad), seen
}

var (
	stringArg = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)
	harmless  = regexp.MustCompile(`^/dev/(null|tty|full|zero|stdout|stderr|fd/[0-2])$|^/proc/self/fd/[0-2]$`)
	asking    = regexp.MustCompile(`O_(WRONLY|RDWR|CREAT|TRUNC|TMPFILE)`)
	talking   = regexp.MustCompile(`AF_UNIX, sun_path="/(var/)?run/(nscd|systemd/userdb)|AF_NETLINK`)
)

// beyond says what a system call does beyond reading, or "".
func (b *box) beyond(name, args string) string {
	path := ""
	if m := stringArg.FindStringSubmatch(args); m != nil {
		path = m[1]
	}
	switch name {
	case "execve", "execveat":
		if base := filepath.Base(path); !b.allowed[base] {
			return "a run of " + path
		}
	case "open", "openat", "openat2":
		if asking.MatchString(args) && !harmless.MatchString(path) {
			return "a file to write: " + path
		}
	case "connect", "bind":
		if !talking.MatchString(args) {
			return name + " " + args
		}
	default:
		return name + " of " + path
	}
	return ""
}

// conclude says what was run and what was not.
func (b *box) conclude() {
	for _, l := range b.bad {
		b.t.Error(l)
	}
	if _, err := os.Stat(b.dir + "/u/proj/EVIL"); err == nil {
		b.t.Error("a program that the repository names was run")
	}
	b.t.Logf("%d scripts were run and looked at; not on this machine: %v", b.ran, b.missing)
	if b.ran < 500 {
		b.t.Errorf("only %d scripts were run", b.ran)
	}
}

// In the box this very program stands in for git: it runs git as tenet does, with what
// keeps a repository from naming programs.
func init() {
	if filepath.Base(os.Args[0]) != "git" || os.Getenv("TENET_AS_GIT") == "" {
		return
	}
	argv := append([]string{"git"}, os.Args[1:]...)
	env := append(os.Environ(), effect.HardenEnv(argv)...)
	if err := syscall.Exec("/usr/bin/git", effect.Harden(argv), env); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(127)
	}
}
