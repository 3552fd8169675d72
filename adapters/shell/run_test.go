package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tenet/core/call"
	"tenet/core/effect"
	"tenet/core/gate"
	"tenet/core/output"
)

// Every stage is asked about, in order, before anything of its pipeline opens, is
// created or starts; a denial takes the rest of the pipeline and of the script.
func TestGateBeforeStart(t *testing.T) {
	d := t.TempDir()
	g := &recorder{deny: "tee denied"}
	r := newShell(d).Run(t.Context(), g, `touch ran1 && echo x > made | tee denied | cat > made2; touch later`)
	want := []string{"permit 1 touch ran1", "start", "permit 2 echo x > made", "permit 3 tee denied"}
	if !reflect.DeepEqual(g.log, want) {
		t.Errorf("the gate saw %q, want %q", g.log, want)
	}
	if got := snapshot(d); strings.Contains(got, "made") || strings.Contains(got, "later") || !strings.Contains(got, "ran1") {
		t.Errorf("files: %s", got)
	}
	if r.End.Kind != Refused || r.End.Step != 3 || r.End.Answer != gate.Denied || r.End.Refusal != "no tee denied" || len(r.Steps) != 1 {
		t.Errorf("%+v", r)
	}
}

// A redirection of a refused step creates and truncates nothing.
func TestRefusedRedirection(t *testing.T) {
	for _, src := range []string{"echo x > a.txt", "true > a.txt", "> a.txt", "cat b.txt >> a.txt", "nosuch 2> new", "for i in 1; do echo > a.txt; done"} {
		d := tree(t)
		before := snapshot(d)
		r := newShell(d).Run(t.Context(), &recorder{deny: strings.Fields(src)[0]}, src)
		if r.End.Kind != Refused || snapshot(d) != before || len(r.Steps) != 0 {
			t.Errorf("%s: %v\n%s", src, r.End, snapshot(d))
		}
	}
}

// What could not be recorded as dispatched does not run.
func TestStartFails(t *testing.T) {
	d := t.TempDir()
	r := newShell(d).Run(t.Context(), &recorder{fail: syscall.ENOSPC}, "echo x > made; touch later")
	if es, _ := os.ReadDir(d); len(es) != 0 || r.End.Kind != Failed || !errors.Is(r.End.Err, syscall.ENOSPC) {
		t.Errorf("%+v, files %v", r, es)
	}
}

// The judge sees commands as they will run, twice: for the plan and when their turn
// comes; a command with a pattern also as it is written. It forgets at the start, and
// after every step that may have changed something.
func TestJudged(t *testing.T) {
	d := tree(t)
	j := &spy{}
	sh := newShell(d, func(c *Config) { c.Judge = j })
	sh.Run(t.Context(), &recorder{}, "X=1 cat a.* < $A 2>&1; read_only; cd sub; cat d.txt >> \"$SP\" | sort &> o")
	want := []string{
		`{[cat a.txt] [X=1] [{in alpha} {dup 1}]} in .`, `{[cat a.*] [X=1] [{in alpha} {dup 1}]} in .`, `{[read_only] [] []} in .`, `{[cd sub] [] []} in .`,
		`{[cat d.txt] [] [{append two words}]} in sub`, `{[sort] [] [{both o}]} in sub`,
	}
	want = append(want, want...)
	for i, s := range j.saw {
		j.saw[i] = strings.ReplaceAll(strings.ReplaceAll(s, d+"/", ""), d, ".")
	}
	if !reflect.DeepEqual(j.saw, want) || j.changed != 4 { // at the start of the call, and after three steps
		t.Errorf("%d times changed, saw\n%s\nwant\n%s", j.changed, strings.Join(j.saw, "\n"), strings.Join(want, "\n"))
	}
}

// A call is planned whole before anything of it runs; cd, export and assignments are
// followed, a pattern is shown as it is written, and what a step leaves out is planned
// too.
func TestPlan(t *testing.T) {
	d := tree(t)
	g := &recorder{deny: "rm"}
	newShell(d).Run(t.Context(), g, `cd sub && Y=3; export Z=$Y; cat *.txt "*.go" $Z > o-$Y || false | sort; cd -; rm [ab].txt`)
	var got []string
	for _, s := range g.plan {
		got = append(got, fmt.Sprintf("%d %s %s", s.N, s.Text, strings.TrimPrefix(s.Dir, d+"/")))
	}
	want := []string{"1 cd sub ", "2 Y=3 sub", "3 export Z=3 sub", "4 cat *.txt '*.go' 3 > o-3 sub", "5 false sub", "6 sort sub", "7 cd - sub", "8 rm [ab].txt "}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("planned\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A call that is refused whole leaves no trace.
func TestRefusedWhole(t *testing.T) {
	d := t.TempDir()
	r := newShell(d).Run(t.Context(), &recorder{denyAll: true}, "echo x > made; touch later")
	if es, _ := os.ReadDir(d); len(es) != 0 || r.End.Kind != Refused || r.End.Step != 0 || !strings.Contains(r.Text(), "nothing of it ran") {
		t.Errorf("%+v, files %v", r, es)
	}
}

// A redirection to a descriptor means the script's own streams, as in bash, and never a
// file of tenet's, however the name leads there.
func TestDescriptorsAreTheScripts(t *testing.T) {
	d := t.TempDir()
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	log.WriteString("record\n")
	n := log.Fd()
	os.Symlink(fmt.Sprintf("/dev/fd/%d", n), filepath.Join(d, "link"))
	os.Symlink("/proc/self/fd", filepath.Join(d, "dir"))
	for _, target := range []string{fmt.Sprintf("/dev/fd/%d", n), fmt.Sprintf("/proc/self/fd/%d", n), fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), n), "link", fmt.Sprintf("dir/%d", n)} {
		if r := run1(t, d, "echo x > "+target); r.Status != 1 || !strings.Contains(r.Output, "Bad file descriptor") {
			t.Errorf("%s: %d %q", target, r.Status, r.Output)
		}
	}
	if b, _ := os.ReadFile(log.Name()); string(b) != "record\n" {
		t.Errorf("the log is %q", b)
	}
	if r := run1(t, d, "echo a > /dev/stdout; echo b > /dev/fd/2; echo c 2> /dev/stderr | cat"); r.Output != "a\nb\nc\n" {
		t.Errorf("%q", r.Output)
	}
}

// spy is a judge that keeps what it was asked.
type spy struct {
	judge
	saw []string
}

func (j *spy) Command(dir string, c effect.Command) effect.Finding {
	var rds []string
	names := map[effect.RedirOp]string{effect.In: "in", effect.Dup: "dup", effect.Append: "append", effect.Both: "both"}
	for _, r := range c.Redirs {
		rds = append(rds, fmt.Sprintf("{%s %s}", names[r.Op], r.Path))
	}
	j.saw = append(j.saw, fmt.Sprintf("{%v %v %v} in %s", c.Argv, c.Assigns, rds, dir))
	if c.Argv[0] == "read_only" {
		return effect.Finding{Effects: call.Of(call.Read)}
	}
	return effect.Finding{Effects: call.Of(call.Exec)}
}

// A git step that is not exec runs so that the repository cannot make it run a
// program; one that is exec runs as it was written.
func TestGitIsHardened(t *testing.T) {
	d := t.TempDir()
	bin := filepath.Join(d, "git")
	if err := os.WriteFile(bin, []byte("#!/bin/sh\necho \"$GIT_NO_LAZY_FETCH $*\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}

	sh := New(Config{Dir: d, Env: []string{"PATH=" + d + ":/usr/bin:/bin"}, Judge: &reader{}})
	if r := sh.Run(t.Context(), &recorder{}, "git log -1"); !strings.HasPrefix(r.Output, "1 --no-pager") || !strings.Contains(r.Output, "core.fsmonitor=false") || !strings.HasSuffix(r.Output, "log --no-ext-diff --no-textconv -1\n") {
		t.Errorf("a reading git ran as %q", r.Output)
	}
	if r := sh.Run(t.Context(), &recorder{}, "git -C . status -s"); !strings.Contains(r.Output, "core.fsmonitor=false") || !strings.HasSuffix(r.Output, "-C . status -s\n") {
		t.Errorf("a git that looks ran as %q", r.Output)
	}
	for _, src := range []string{"git commit -m x", "git -c core.fsmonitor=x status", "git diff --ext-diff"} {
		if r := sh.Run(t.Context(), &recorder{}, src); r.Output != " "+strings.TrimPrefix(src, "git ")+"\n" {
			t.Errorf("an exec git ran as %q", r.Output)
		}
	}
}

type reader struct{ judge }

func (*reader) Command(string, effect.Command) effect.Finding {
	return effect.Finding{Effects: call.Of(call.Read)}
}

// An endless writer stops when its reader has enough, in process or not.
func TestEndlessWritersStop(t *testing.T) {
	d := tree(t)
	for src, want := range map[string]string{
		`yes | head -n 3`:                         "y\ny\ny\n [141 0]",
		`yes | cat | cat | head -n 1`:             "y\n [141 141 141 0]",
		`cat /dev/zero | head -n 0`:               " [141 0]",
		`yes | grep y | head -n 2`:                "y\ny\n [141 141 0]",
		`yes | sh -c 'read x; echo $x'`:           "y\n [141 0]",
		`yes | cat | sh -c 'read x; echo $x'`:     "y\n [141 141 0]",
		`yes | tail -n +2 | true`:                 " [141 141 0]",
		`yes | wc -l < a.txt`:                     "3\n [141 0]",
		`yes > /dev/full | head -n 1; echo $?`:    "yes: standard output: No space left on device\n0\n [1 0 0]",
		`cat a.txt > /dev/full; echo $?`:          "cat: write error: No space left on device\n1\n [1 0]",
		`yes | head -n 1 | cat > /dev/full | cat`: "cat: write error: No space left on device\n [141 0 1 0]",
	} {
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		r := newShell(d).Run(ctx, &recorder{}, src)
		stop()
		if got := r.Output + " " + statuses(r); got != want || r.End.Kind != Finished {
			t.Errorf("%s: %q %v, want %q", src, got, r.End, want)
		}
	}
}

func statuses(r Result) string {
	var s []string
	for _, st := range r.Steps {
		s = append(s, strconv.Itoa(st.Status))
	}
	return "[" + strings.Join(s, " ") + "]"
}

// stdout and stderr of a process come in the order it wrote them.
func TestOrder(t *testing.T) {
	want := strings.Repeat("o\ne\n", 40)
	for range 20 {
		if r := run1(t, t.TempDir(), `sh -c 'i=0; while [ $i -lt 40 ]; do echo o; echo e >&2; i=$((i+1)); done'`); r.Output != want {
			t.Fatalf("out of order: %q", r.Output)
		}
	}
}

// Nothing is left open, running or unreaped, however scripts end.
func TestLeaks(t *testing.T) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("SKIPPED: no /proc on this machine to count open files in")
	}
	d := tree(t)
	fds := func() int { e, _ := os.ReadDir("/proc/self/fd"); return len(e) }
	all := func() {
		for _, src := range []string{`cat a.txt | tr a b | head -n 1 > o 2>&1`, `nosuch | cat`, `echo x > sub | cat`, `false || echo y`, `yes | head -n 1`, `for i in 1; do :; done`, `cat < no | cat < no`} {
			run1(t, d, src)
		}
		ctx, stop := context.WithCancel(t.Context())
		stop()
		newShell(d).Run(ctx, &recorder{}, "cat a.txt | sleep 9")
	}
	all()
	f0, g0 := fds(), runtime.NumGoroutine()
	for range 10 {
		all()
	}
	for i := 0; runtime.NumGoroutine() > g0 && i < 1000; i++ {
		runtime.Gosched()
	}
	if fds() > f0 || runtime.NumGoroutine() > g0 {
		t.Errorf("open files %d -> %d, goroutines %d -> %d", f0, fds(), g0, runtime.NumGoroutine())
	}
	var ws syscall.WaitStatus
	if pid, err := syscall.Wait4(-1, &ws, syscall.WNOHANG, nil); err != syscall.ECHILD {
		t.Errorf("a child is left: %d, %v", pid, err)
	}
}

// The output is bounded as it is written, whole in a file, and every byte counted.
func TestOutputBounded(t *testing.T) {
	d := t.TempDir()
	sh := newShell(d, func(c *Config) { c.Limits.ArtifactDir = d + "/keep" })
	r := sh.Run(t.Context(), &recorder{}, "seq 100000 | cat; echo end")
	whole, err := os.ReadFile(r.Bounded.Artifact)
	if err != nil || len(whole) != 588895+4 {
		t.Fatalf("%d bytes in the artifact, %v", len(whole), err)
	}
	b := r.Bounded
	if !strings.HasSuffix(r.Output, "100000\nend\n") || !strings.HasSuffix(string(whole), r.Output) || b.KeptLines != 2000 ||
		b.Kept+b.Dropped != int64(len(whole)) || b.KeptLines+b.DroppedLines != 100001 || b.Lost != 0 {
		t.Errorf("kept %d bytes, account %+v", len(r.Output), b)
	}
	if !strings.Contains(r.Text(), "the whole output is in "+b.Artifact) {
		t.Errorf("the text does not name the artifact: %s", r.Text()[len(r.Output):])
	}
	head := newShell(d, func(c *Config) {
		c.Limits = Limits{Output: output.Limits{Bytes: 10, Direction: output.Head}, ArtifactDir: d + "/keep", ArtifactBytes: 100}
	})
	r = head.Run(t.Context(), &recorder{}, "seq 1000")
	if r.Output != "1\n2\n3\n4\n5\n" || r.Bounded.Lost != 3893-100 || !strings.Contains(r.Text(), "without its last 3793 bytes") {
		t.Errorf("%q %+v", r.Output, r.Bounded)
	}
	bad := newShell(d, func(c *Config) { c.Limits.ArtifactDir = "/dev/null/x" })
	if r = bad.Run(t.Context(), &recorder{}, "seq 3000"); r.Bounded.Err == nil || r.Bounded.Lost == 0 || !strings.Contains(r.Text(), "not kept") {
		t.Errorf("%+v", r.Bounded)
	}
}

// 100 MB flow through three stages in bounded memory.
func TestBigPipe(t *testing.T) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	r := run1(t, t.TempDir(), "head -c 100000000 /dev/zero | cat | wc -c")
	runtime.ReadMemStats(&after)
	if r.Output != "100000000\n" || after.TotalAlloc-before.TotalAlloc > 16<<20 {
		t.Errorf("%q with %d bytes allocated", r.Output, after.TotalAlloc-before.TotalAlloc)
	}
}

// One canonical text is judged, shown and run; hidden characters are shown.
func TestCanonicalText(t *testing.T) {
	d := t.TempDir()
	g := &recorder{}
	if r := newShell(d).Run(t.Context(), g, "echo a\x00b"); r.End.Kind != Failed || len(g.log) != 0 || !strings.Contains(r.Text(), "NUL byte") {
		t.Errorf("NUL: %s, %q", r.Text(), g.log)
	}
	if r := newShell(d).Run(t.Context(), g, "echo a\r\necho b\r\n"); r.Output != "a\nb\n" {
		t.Errorf("CRLF: %q", r.Output)
	}
	g.log = nil
	r := newShell(d).Run(t.Context(), g, "echo 'a\u202eb' x\u200b; for i in 1; do echo \u202e; done")
	if want := []string{`permit 1 bash -c $'echo \'a\xe2\x80\xaeb\' x\xe2\x80\x8b; for i in 1; do echo \xe2\x80\xae; done'`, "start"}; !reflect.DeepEqual(g.log, want) {
		t.Errorf("shown %q\nwant  %q", g.log, want)
	}
	if r.Output != "a\u202eb x\u200b\n\u202e\n" {
		t.Errorf("ran: %q", r.Output)
	}
	g.log = nil
	newShell(d).Run(t.Context(), g, "X='1 2' echo 'a\u202eb' \"$UNSET\" plain 'if' > 'o p' 2>&1")
	if want := `permit 1 X='1 2' echo $'a\xe2\x80\xaeb' '' plain if > 'o p' 2>&1`; g.log[0] != want {
		t.Errorf("shown %s\nwant  %s", g.log[0], want)
	}
	if r := newShell(d).Run(t.Context(), g, "echo 'a"); r.End.Kind != Failed || r.Status != 2 || !strings.Contains(r.Text(), "line 1, column 6") {
		t.Errorf("syntax: %s", r.Text())
	}
}

// A child sees the session and no credential, has no terminal and no input.
func TestChildEnvironment(t *testing.T) {
	sh := New(Config{Dir: t.TempDir(), Session: "s1", Judge: &judge{},
		Env: []string{"PATH=/usr/bin:/bin", "OPENAI_API_KEY=k", "my_secret=s", "PAGER=less", "OLDPWD=/x", "KEEP=1"}})
	r := sh.Run(t.Context(), &recorder{}, `env; echo "[$OPENAI_API_KEY$my_secret]"`)
	for _, want := range []string{"TENET_SESSION=s1\n", "NO_COLOR=1\n", "PAGER=less\n", "GIT_PAGER=cat\n", "GIT_TERMINAL_PROMPT=0\n", "KEEP=1\n", "PWD=" + sh.dir + "\n", "[]\n"} {
		if !strings.Contains(r.Output, want) {
			t.Errorf("no %q in\n%s", want, r.Output)
		}
	}
	for _, bad := range []string{"=k", "=s\n", "OLDPWD"} {
		if strings.Contains(r.Output, bad) {
			t.Errorf("%q is in\n%s", bad, r.Output)
		}
	}
	if r := sh.Run(t.Context(), &recorder{}, `sh -c 'echo x > /dev/tty'; sh -c 'read x; echo "[$x]"'`); r.Steps[0].Status == 0 || !strings.HasSuffix(r.Output, "[]\n") {
		t.Errorf("a terminal or an input: %s", r.Text())
	}
}

// A script outside the grammar says so when there is no bash.
func TestNoBash(t *testing.T) {
	sh := New(Config{Dir: t.TempDir(), Judge: &judge{}, Env: []string{"PATH=/nonexistent"}})
	if r := sh.Run(t.Context(), &recorder{}, "for i in 1; do echo x; done"); r.End.Kind != Failed || !strings.Contains(r.Text(), "control flow, which needs bash") {
		t.Errorf("%s", r.Text())
	}
	if r := sh.Run(t.Context(), &recorder{}, "echo x; mkdir y; rmdir y && sort"); r.Output != "x\nbash: line 1: sort: command not found\n" || r.Status != 127 {
		t.Errorf("%s", r.Text())
	}
}

// The text for the model: the output, then what is worth a line.
func TestResultText(t *testing.T) {
	d := tree(t)
	for src, want := range map[string]string{
		"true":                       "[no output]\n",
		"echo a":                     "a\n",
		"printf a":                   "a\n",
		"false":                      "[exit status 1]\n",
		"echo a; false; echo b":      "a\nb\n[step 2 (false): exit status 1]\n",
		"echo a; exit 3; echo b":     "a\n[step 2 (exit 3): exit status 3]\n[exited with status 3]\n",
		"echo a; deny 'x y'; echo b": "a\n[refused at step 2: 1 steps ran before it; it and all after it did not]\n[no deny 'x y']\n",
		"for i in 1; do false; done": "[exit status 1]\n",
	} {
		if got := newShell(d).Run(t.Context(), &recorder{deny: "deny"}, src).Text(); got != want {
			t.Errorf("%s: %q, want %q", src, got, want)
		}
	}
}

// Random scripts of the grammar do in the shell what they do in bash.
func TestRandomSameAsBash(t *testing.T) {
	word := rapid.SampledFrom([]string{"a.txt", "*.txt", "$A", `"$SP"`, "$SP", "nofile", "?.go", `'q r'`, "$?", "[a-c]*", "sub/*", `"x"'y'z`, `\*`, "~", "$UNSET", `""`, "sub", "$GL", `"$GL"`, "a\\ b", "*/*", "-", "$X", `"$X"`, `'a'\''b'`, `"$SP"\*x`, `a\.txt`, "$A$X", `$'t\tx'`, `"a\"b\$c"`, "[!a]*", "*.t?t", "s*b/d*"})
	command := rapid.SampledFrom([]string{"echo", "/bin/cat", "cat", "printf '%s|'", "/usr/bin/wc -c", "wc -l", "true", "false", "sh -c 'exit 3'", "sh -c 'echo e >&2'", "tr a b", "cd", "sort", "head -n 2", "tail -n 1", "ls", "grep o", "X=1", "X=2 Y=$X", "export X=3", "X=", "export A=", "pwd", "touch", "mkdir -p"})
	redir := rapid.SampledFrom([]string{"", "", "", " > o1", " >> o1", " 2>&1", " &> o2", " < b.txt", " > o3 2>&1", " 2>&1 > o4", " 2> o5", " > $UNSET", " > sub", " < nofile", " > \"$SP\""})
	consumer := rapid.SampledFrom([]string{"tr a b", "sort", "/bin/cat", "cat", "/usr/bin/wc -c", "wc", "sort 2>&1", "sh -c 'cat; exit 4'", "grep -n o", "tail -n 2", "cat -n"})
	step := rapid.Custom(func(rt *rapid.T) string {
		s, n := command.Draw(rt, "command"), 0
		switch name, _, _ := strings.Cut(s, " "); name {
		case "cd":
			s = "cd sub"
		case "X=", "export":
			if strings.HasSuffix(s, "=") {
				s += word.Draw(rt, "value")
			}
		case "echo", "/bin/cat", "cat", "printf", "/usr/bin/wc", "wc", "sort", "head", "tail", "ls", "grep", "touch", "mkdir":
			n = rapid.IntRange(0, 3).Draw(rt, "words")
		}
		for range n {
			s += " " + word.Draw(rt, "word")
		}
		return s + redir.Draw(rt, "redirection")
	})
	item := rapid.Custom(func(rt *rapid.T) string {
		x := step.Draw(rt, "step")
		for range rapid.SampledFrom([]int{0, 0, 0, 1, 2, 3}).Draw(rt, "stages") {
			x += " | " + consumer.Draw(rt, "stage")
		}
		// Only the last stage of all makes a file: two would race, in bash too.
		if strings.Contains(x, " | ") && rapid.Bool().Draw(rt, "kept") {
			x += " > .o6"
		}
		return x
	})
	d := filepath.Join(t.TempDir(), "d")
	rapid.Check(t, func(rt *rapid.T) {
		src := item.Draw(rt, "first")
		for range rapid.IntRange(0, 4).Draw(rt, "more") {
			src += rapid.SampledFrom([]string{" && ", " || ", " ; ", "\n"}).Draw(rt, "join") + item.Draw(rt, "next")
		}
		compareWithBash(rt, t, d, src)
	})
}

// compareWithBash runs a script here and in bash, in the same directory made twice.
func compareWithBash(rt *rapid.T, t *testing.T, d, src string) {
	again := func() {
		if err := os.RemoveAll(d); err != nil {
			t.Fatal(err)
		}
		plant(t, d)
	}
	again()
	r := run1(t, d, src)
	got, files := r.Output, snapshot(d)
	again()
	want, status := bash(t, d, src)
	for _, p := range []string{"/usr/bin/wc: ", "/bin/cat: "} {
		got, want = strings.ReplaceAll(got, p, filepath.Base(p)), strings.ReplaceAll(want, p, filepath.Base(p))
	}
	if strings.Contains(src, "|") { // the stages of a pipeline may print in any order
		got, want = sorted(got), sorted(want)
	}
	if got != want || r.Status != status || files != snapshot(d) {
		rt.Fatalf("%s\nmine %d %q\nbash %d %q\nmine\n%s\nbash\n%s", src, r.Status, got, status, want, files, snapshot(d))
	}
}

func sorted(s string) string {
	b := []byte(s)
	count := [256]int{}
	for _, c := range b {
		count[c]++
	}
	out := b[:0]
	for c, n := range count {
		for range n {
			out = append(out, byte(c))
		}
	}
	return string(out)
}
