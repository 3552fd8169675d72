package shell

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"tenet/core/call"
	"tenet/core/effect"
	"tenet/core/gate"
)

// env is a small environment in which sorting and messages are those of C.
var env = []string{"PATH=/usr/bin:/bin", "HOME=/home/u", "LC_ALL=C", "A=alpha", "SP=two words", "GL=*.txt"}

// judge calls every step exec, so that whatever it does is gated.
type judge struct{ changed int }

func (j *judge) Command(string, effect.Command) effect.Finding {
	return effect.Finding{Effects: call.Of(call.Exec)}
}

func (j *judge) Whole(string, *syntax.File) effect.Finding {
	return effect.Finding{Effects: call.Of(call.Exec), Notes: []string{"whole"}}
}

func (j *judge) Changed() { j.changed++ }

// recorder is a gate that lets through what deny does not name, and keeps the order
// of what it was asked.
type recorder struct {
	mu   sync.Mutex
	deny string
	// denyAll refuses the call whole.
	denyAll bool
	fail    error
	log     []string
	plan    []call.Step
}

func (g *recorder) Permit(_ context.Context, plan func() []call.Step) gate.Outcome {
	g.plan = plan()
	return gate.Outcome{Runs: !g.denyAll, Refusal: "no"}
}

func (g *recorder) Skip() {}

func (g *recorder) Confirm(s call.Step, _ string) gate.Outcome {
	g.note(fmt.Sprintf("permit %d %s", s.N, s.Text))
	if g.deny != "" && strings.HasPrefix(s.Text, g.deny) {
		return gate.Outcome{Answer: gate.Denied, Refusal: "no " + s.Text}
	}
	return gate.Outcome{Runs: true}
}

func (g *recorder) Start(context.Context) error { g.note("start"); return g.fail }

func (g *recorder) note(s string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.log = append(g.log, s)
}

func newShell(dir string, change ...func(*Config)) *Shell {
	c := Config{Dir: dir, Env: env, Session: "s1", Judge: &judge{}}
	for _, f := range change {
		f(&c)
	}
	return New(c)
}

// tree is a small workspace.
func tree(t testing.TB) string {
	t.Helper()
	d := t.TempDir()
	plant(t, d)
	return d
}

// plant fills a directory with the small workspace.
func plant(t testing.TB, d string) {
	t.Helper()
	for _, f := range []string{"a.txt", "b.txt", "c.go", "sub/d.txt", ".hid"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(d, f)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(d, f), []byte("one "+f+"\ntwo\nthree\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// snapshot is everything below a directory: names, modes and bytes.
func snapshot(d string) string {
	var s strings.Builder
	_ = filepath.Walk(d, func(p string, fi os.FileInfo, err error) error {
		if err != nil {
			return nil
		}
		rel, _ := filepath.Rel(d, p)
		fmt.Fprintf(&s, "%s %v", rel, fi.Mode())
		if fi.Mode().IsRegular() {
			b, _ := os.ReadFile(p)
			fmt.Fprintf(&s, " %q", strings.ReplaceAll(string(b), d, "D"))
		}
		if l, err := os.Readlink(p); err == nil {
			fmt.Fprintf(&s, " -> %s", l)
		}
		s.WriteByte('\n')
		return nil
	})
	return s.String()
}

func run1(t testing.TB, d, src string) Result {
	t.Helper()
	return newShell(d).Run(t.Context(), &recorder{}, src)
}

func bash(t testing.TB, d, src string) (out string, status int) {
	t.Helper()
	c := exec.Command("bash", "-c", src)
	c.Dir, c.Env = d, append(env, "PWD="+d)
	b, _ := c.CombinedOutput()
	return string(b), c.ProcessState.ExitCode()
}

var corpus = []string{
	`echo hi`, `echo a; echo b`, "echo a\necho b", `false; echo $?`, `true && echo y`, `false && echo n; echo $?`,
	`false || echo o`, `true || echo n`, `false && echo n || echo z`, `true && false || echo z && echo w`,
	`false || false && echo n; echo $?`, `sh -c 'exit 7'; echo $?`, `sh -c 'kill -PIPE $$'; echo $?`,
	`sh -c 'echo o; echo e >&2; echo o2'`, `sh -c 'echo o; echo e >&2' 2>&1 | sort`, `sh -c 'echo o; echo e >&2' > f 2>&1; cat f`,
	`sh -c 'echo o; echo e >&2' 2>&1 > f; echo --; cat f`, `sh -c 'echo o; echo e >&2' &> f; cat f`,
	`sh -c 'echo o; echo e >&2' 2> f; sh -c 'echo x >&2' 2>> f; cat f`,
	`echo x > f; echo y >> f; cat f`, `sort < a.txt`, `cat < a.txt`, `cat a.txt | tr o 0 | head -n 2`, `cat a.txt b.txt | wc -l`,
	`echo *.txt`, `echo *`, `echo .*id`, `echo ?.txt`, `echo [ab].txt`, `echo [!ab].*`, `echo sub/*`, `echo */*.txt`, `echo nomatch*`,
	`echo "*.txt" '*.txt' \*.txt`, `echo $A ${A} "$A" '$A'`, `echo $SP`, `printf '%s\n' $SP`, `printf '%s\n' "$SP"`, `printf '<%s>' $UNSET "$UNSET"`,
	`echo $GL "$GL" x$GL`, `echo ~`, `echo ~/x`, `echo "~"`, `echo a~`, `X=1; echo $X`, `X=1 sh -c 'echo $X'`, `X=1; sh -c 'echo "[$X]"'`, `export X=2; sh -c 'echo $X'`,
	`X=1 Y=2 sh -c 'echo $X$Y'; echo "[$X]"`, `X=1 Y=$X sh -c 'echo "[$Y]"'`, `X=1 Y=$X; echo $Y`, `X=5; X=1 echo $X; echo $X`, `A=1 sh -c 'echo $A'; echo $A`, `export X; X=3; sh -c 'echo $X'`,
	`cd sub; pwd; echo *`, `cd sub && echo *.txt || echo no`, `cd sub | cat; echo *.go`, `cd nosuch; echo $?`, `cd a.txt; echo $?`, `cd a b; echo $?`, `cd sub; cd -; cd ..; pwd`,
	`cd sub/..; pwd`, `cd; echo $?`, `HOME=$PWD/sub cd && pwd`, `cd -; echo $?`, `cd ""; pwd`, `cd -- sub; pwd; echo $PWD $OLDPWD`, `cd sub; sh -c 'echo $PWD; pwd'`,
	`yes | head -n 3`, `yes | head -n 1 | wc -l`, `seq 5 | tail -n 2`, `exit 3; echo no`, `exit; echo no`, `false; exit`, `exit 300`, `exit -1`, `exit x; echo no`, `exit 1 2; echo $?`, `exit 3 | cat; echo $?`, `true | exit 4; echo $?`,
	`true | false; echo $?`, `false | true; echo $?`,
	`echo a'b'"c"\d`, `echo "a\"b"`, `echo $'a\tb'`, `nosuchcmd_x; echo $?`, `./a.txt; echo $?`, `/nonexistent/x; echo $?`, `./sub; echo $?`, `sub; echo $?`, `''; echo $?`, `$UNSET; echo $?`, `$UNSET echo x`, `sh -c 'exit 256'; echo $?`,
	`echo "$?"`, `false; echo "${?}"`, `> newfile; cat newfile; echo $?`, `echo q > "$A"; cat alpha`, `echo q > sub; echo $?`, `cat < nofile; echo $?`, `echo q > no/x; echo $?`, `X=1 > no/x; echo "$? [$X]"`, `X=1 > f; echo "[$X]"`,
	`echo q > *.txt; echo $?`, `echo q > $UNSET; echo $?`, `echo q > "$UNSET"; echo $?`, `echo q > $SP; echo $?`, `echo q > made > *.txt; cat made`, `nosuch_x 2> e; cat e`, `echo x 2> e > sub; cat e`, `cat < a.txt < b.txt`, `echo x > f1 > f2; cat f1 f2`,
	`mkdir -p x/y; touch x/y/z; cp a.txt x/q; mv x/q x/r; rm x/y/z; find x | sort`, `rm -r sub; echo $?; echo *`, `echo hi | cat - a.txt`,
	`echo -n x; echo -e 'a\tb'; echo -E y; echo -- z; echo -x`, `echo`, `export A=1 B='x y' C; sh -c 'echo $A,$B'`,
	`A=\'; echo "$A"`, `A=a\ b; echo "$A"`, `A='a'\''b'; echo "$A"`, `A=\\x\"y\*; echo "$A"`, `A="x"\$y; echo "$A"`, `A=~/a\ b; echo "$A"`, `A=~; echo "$A"`, `A=~/; echo "$A"`,
	`A=\~; echo "$A"`, `export Q=''\'''; echo $Q`, `A=x\é\\; echo "$A"`, `A="$SP"\ x; printf '<%s>' $A "$A"`, `A=*.txt; echo $A "$A"`, `A=a.*; B=$A; echo $B "$B"`,
	`A='x\y'; echo $A "$A"`, `A='\*'; echo $A`, `A='a\.txt'; echo $A`, `echo a\.txt \a.txt "a\.txt"`, `printf '<%s>' "$SP"x$SP y$UNSET`,
	`sh -c 'read x; echo "[$x]"'; echo $?`, `cat`, `cat | cat`, `X=1 | cat; echo "[$X]"`, `export Q=1 | cat; echo "[$Q]"`, `true > f1 | false > f2; echo $?; ls`,
	`[ -f a.txt ] && echo yes`, `test -d sub || echo no`, `printf '%s|' *; printf '%05d\n' 3`, `echo a\
b`, `echo "a
b"`, `# comment`, ``, `;`, `echo x #c`, `echo 'x' ; # y`,
	// outside the grammar: one bash step
	`for i in 1 2; do echo $i; done`, `echo $(echo sub)`, `if true; then echo t; fi`, `(cd sub; echo *)`, `echo {a,b}`, `echo $((1+2))`, `! true; echo $?`, "cat <<E\nx\nE", `f() { echo fn; }; f`, `echo ${A:-z}`, `echo ${#A}`, `sleep 0 & wait; echo w`, `[[ a == a ]] && echo m`, `{ echo b1; echo b2; }`, `echo x |& cat`, `echo <(true) | cut -c1-5`, `set -e; false; echo no`, `echo e >&2`, `command -v sh`, `unset A; echo "[$A]"`, `echo $RANDOM > /dev/null`,
}

// Every script of the corpus, in the grammar or not, does in the shell what it does
// in bash: the same bytes in the same order, the same status, the same files.
func TestSameAsBash(t *testing.T) {
	for _, src := range corpus {
		d1, d2 := tree(t), tree(t)
		r := run1(t, d1, src)
		out, status := bash(t, d2, src)
		got := strings.ReplaceAll(r.Output, d1, "D")
		if r.End.Kind == Failed {
			got, r.Status = "bash: syntax error", 2
		}
		out = strings.ReplaceAll(out, d2, "D")
		if strings.Contains(out, "syntax error") {
			out = "bash: syntax error"
		}
		if got != out || r.Status != status || snapshot(d1) != snapshot(d2) {
			t.Errorf("%s\n mine %d %q\n bash %d %q\n same files: %v", src, r.Status, got, status, out, snapshot(d1) == snapshot(d2))
		}
	}
}
