package shell

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tenet/core/output"
	"tenet/core/script"
)

// commands are run by the built-in and by the real command of that name, in trees of
// the same make. A leading ! says that the real command must be left to do it.
var commands = strings.Split(strings.TrimSpace(`
cat a.txt
cat a.txt b.txt
cat -n a.txt
cat -n a.txt noeol b.txt
cat -u a.txt
cat nofile
cat nofile a.txt
cat sub
cat - a.txt
cat < a.txt
cat -- a.txt
cat 'sp ace' nofi\'le 'no file'
cat a.txt >> b.txt
cat a.txt b.txt >> b.txt
cat locked
!cat -A a.txt
!cat -nb a.txt
!cat /dev/null
!cat ''
head a.txt
head -n 1 a.txt
head -n1 a.txt
head -1 a.txt
head -n 0 a.txt
head -c 5 a.txt
head -n 2 a.txt b.txt
head -q -n 1 a.txt b.txt
head -v -n 1 a.txt
head -n 1 nofile a.txt
head -n 1 a.txt sub b.txt
head -n 2 noeol
head -n 1 < a.txt
head -n 1 - a.txt < b.txt
!head -n -1 a.txt
!head -n 1k a.txt
!head --lines=1 a.txt
tail a.txt
tail -n 1 a.txt
tail -n1 a.txt
tail -2 a.txt
tail -n 0 a.txt
tail -n +2 a.txt
tail -n +0 a.txt
tail -c 5 a.txt
tail -c +5 a.txt
tail -n 2 noeol
tail -n 1 noeol
tail -n 2 a.txt b.txt
tail -q -n 2 a.txt b.txt
tail -n 1 nofile a.txt
tail -n 1 sub
tail -n 3 long
tail -n 3 < long
tail -c 100000 long
tail -n +4000 long
tail -n 100000 long
!tail -f a.txt
!tail -n 1 -n 2 a.txt
wc a.txt
wc -l a.txt
wc -lw a.txt
wc -c a.txt b.txt
wc a.txt b.txt long
wc < a.txt
wc -l < a.txt
wc -l nofile a.txt
wc nofile
wc 'sp ace' empty
wc words
wc -w words words
wc - < a.txt
wc noeol
!wc -m a.txt
!wc -L a.txt
!wc sub
ls
ls -a
ls -A
ls -1
ls -d
ls -d sub a.txt
ls sub
ls a.txt b.txt
ls sub .
ls nofile
ls nofile a.txt sub
ls -a sub
ls link dangling
ls linkdir
ls 'sp ace'
!ls -l a.txt
!ls -R
!ls --color=always
mkdir n
mkdir a.txt
mkdir n1 a.txt n2
mkdir -p n/m/o
mkdir -p sub
mkdir -p sub/x sub/y
mkdir n/m
!mkdir -p a.txt/x
!mkdir -m 700 n
!mkdir n/
touch q
touch nofile/q
touch -c q2
touch q a.txt sub
!touch -d yesterday q
!touch dangling
!touch -
rm a.txt
rm nofile
rm -f nofile
rm -f a.txt nofile b.txt
rm sub
rm -r sub
rm -r sub a.txt link
rm nofile a.txt
rm -rf sub nofile
rm -f sub
rm link
rm linkdir
rm -r linkdir
rm -f a.txt/x
!rm -i a.txt
!rm -r .
!rm -rf sub/
!rm
rmdir empty_d
rmdir sub
rmdir a.txt nofile
!rmdir -p empty_d
cp a.txt z
cp a.txt b.txt
cp a.txt sub
cp a.txt b.txt sub
cp sub z
cp -r sub z
cp -r a.txt z
cp -r sub a.txt empty_d
cp nofile z
cp exec z
cp link z
cp 'sp ace' z
cp -r tree z
!cp a.txt a.txt
!cp a.txt link
!cp -a sub z
!cp a.txt b.txt nodir
!cp a.txt nodir/
!cp -r sub sub/in
!cp -r sub linkdir/..
!cp a.txt dangling
mv a.txt z
mv a.txt b.txt
mv a.txt sub
mv a.txt b.txt sub
mv sub z
mv sub empty_d
mv nofile z
mv link z
mv -f a.txt b.txt
!mv a.txt a.txt
!mv sub a.txt
!mv -n a.txt b.txt
!mv sub sub/in
!mv a.txt nodir/
!mv a.txt sub/a.txt/x
grep two a.txt
grep -n two a.txt
grep two a.txt b.txt
grep -h two a.txt b.txt
grep -H two a.txt
grep -c t a.txt b.txt
grep -l two a.txt b.txt exec
grep -v two a.txt
grep -vc two a.txt
grep -i TWO a.txt
grep -q two a.txt
grep -q nosuch a.txt
grep nosuch a.txt
grep two nofile
grep two nofile a.txt
grep -s two nofile a.txt
grep -q two nofile a.txt
grep -r two sub
grep -rn two sub
grep -rh two tree
grep -rl two sub empty_d
grep -rc two sub
grep -r two sub/
grep -r two a.txt
grep -r two sub a.txt
grep -o 'o[a-z]*' a.txt
grep -on 'e' a.txt
grep -x two a.txt
grep -w two a.txt
grep -w tw a.txt
grep -w t a.txt words
grep -F . a.txt
grep -F 'a.t' a.txt
grep -e two a.txt
grep -E 'one|three' a.txt
grep 'one\|three' a.txt
grep 't.o' a.txt
grep '^t' a.txt
grep 'e$' a.txt
grep '^two$' a.txt
grep '^$' words
grep '' a.txt
grep 'thre*' a.txt
grep -E 'thre+|(tw)?o' a.txt
grep 'thre\+' a.txt
grep '\(t\|o\)n' a.txt
grep '[^a-z .]' a.txt words
grep '[[:digit:]_]' words
grep '[]a]' words
grep '[a\]' words
grep '\.txt' a.txt
grep 'a+b' words
grep 'a|b' words
grep '(x)' words
grep '\w\w\w\w\w' words
grep '\bx' words
grep -E 'x\b' words
grep 'h.llo' words
grep -o '.' words
grep -o '[^x]' words
grep ä words
grep -m 1 t a.txt
grep -nm2 t a.txt b.txt
grep t - < a.txt
grep t < a.txt
grep -H t < a.txt
grep -n t - a.txt < b.txt
grep two binary
grep -c two binary
grep -l two binary
grep -q two binary
grep -v two binary
grep o noeol
grep -c '' noeol empty
grep two a.txt >> a.txt
grep -- -x words
!grep two sub
!grep -A 1 two a.txt
!grep '\(a\)\1' a.txt
!grep -E 'a{2}' a.txt
!grep 'a**' a.txt
!grep '*a' a.txt
!grep --include=x two a.txt
!grep -P two a.txt
!grep
!grep -lc two a.txt
!grep -iw ä words
echo
echo a  b
echo -n a
echo -nE a
echo - -- --help
echo --help
!echo -e 'a\tb'
pwd
!pwd -P
`), "\n")

// bigTree is a tree with what the built-ins must tell apart.
func bigTree(t testing.TB) string {
	t.Helper()
	d := tree(t)
	put := func(name, text string, mode os.FileMode) {
		if err := os.WriteFile(filepath.Join(d, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	put("noeol", "one\ntwo\nlast", 0o644)
	put("empty", "", 0o644)
	put("sp ace", "x\n", 0o600)
	put("exec", "#!/bin/sh\n", 0o755)
	put("locked", "two\n", 0o000)
	put("binary", "two\ntwo\x00\nx\n", 0o644)
	put("words", "hällo  wörld \t x\n\n\x01 a+b a|b a\\b (x) a]b_1\n\xff y\n-x\n", 0o644)
	put("long", strings.Repeat("0123456789 line of a long file\n", 5000), 0o644)
	for _, dir := range []string{"empty_d", "tree/a/b"} {
		if err := os.MkdirAll(filepath.Join(d, dir), 0o750); err != nil {
			t.Fatal(err)
		}
	}
	put("tree/a/f", "two\n", 0o640)
	put("tree/a/b/g", "two\nx\n", 0o400)
	for name, to := range map[string]string{"link": "a.txt", "dangling": "nowhere", "linkdir": "sub", "tree/l": "a/f"} {
		if err := os.Symlink(to, filepath.Join(d, name)); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// A built-in does what the command of its name does: the same bytes, the same status,
// the same files. What it does not know it leaves to the command.
func TestBuiltinsAreTheCommands(t *testing.T) {
	real := realCommands(t)
	for i, src := range commands {
		line, external := strings.CutPrefix(src, "!")
		d := bigTree(t)
		if took := takes(t, d, line); took == external {
			t.Errorf("%s: the built-in takes it: %v", src, took)
		}
		if external {
			continue
		}
		r := run1(t, d, line)
		got := told{strings.ReplaceAll(r.Output, d, "D"), r.Status, snapshot(d)}
		if want := real[i]; got != want {
			t.Errorf("%s\nbuilt-in %d %q\ncommand  %d %q\nsame files: %v", src, got.status, cut(got.out), want.status, cut(want.out), got.files == want.files)
		}
	}
}

// told is what a command did.
type told struct {
	out    string
	status int
	files  string
}

// realCommands runs every command by the real program of its name, all of them from
// one bash, each in a tree of its own.
func realCommands(t *testing.T) []told {
	t.Helper()
	var all strings.Builder
	dirs := make([]string, len(commands))
	for i, line := range commands {
		name, rest, _ := strings.Cut(line, " ")
		path, err := exec.LookPath(strings.TrimPrefix(name, "!"))
		if err != nil {
			t.Skipf("SKIPPED: no %s on this machine to compare with", name)
		}
		if strings.HasPrefix(line, "!") {
			continue
		}
		dirs[i] = bigTree(t)
		if name != "echo" && name != "pwd" { // those are bash's own
			line = path + " " + rest
		}
		fmt.Fprintf(&all, "(cd %s; { %s; } > %[1]s.out 2>&1 < /dev/null; echo $? > %[1]s.status)\n", dirs[i], line)
	}
	bash(t, t.TempDir(), all.String())
	out := make([]told, len(commands))
	for i, d := range dirs {
		if d != "" {
			out[i] = read(t, d, commands[i])
		}
	}
	return out
}

// read takes a command's output as the shell would show it.
func read(t *testing.T, d, line string) told {
	t.Helper()
	b, err := os.ReadFile(d + ".out")
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	st, _ := os.ReadFile(d + ".status")
	status, _ := strconv.Atoi(strings.TrimSpace(string(st)))
	name, _, _ := strings.Cut(line, " ")
	path, _ := exec.LookPath(name)
	bound := output.New(output.Limits{})
	bound.Write([]byte(strings.ReplaceAll(strings.ReplaceAll(string(b), path+": ", name+": "), d, "D")))
	bound.Close()
	return told{bound.Text(), status, snapshot(d)}
}

// takes reports whether the first command of a script runs in process.
func takes(t *testing.T, dir, src string) bool {
	t.Helper()
	sc, err := script.Parse(src)
	if err != nil || sc.Whole {
		t.Fatalf("%v %s", err, sc.Why)
	}
	r := newRun(newShell(dir), &recorder{}, sc, Call{})
	var st stage
	r.expand(&st, sc.Pipelines[0].Stages[0])
	r.resolve(&st)
	return st.act != nil
}

func cut(s string) string {
	if len(s) > 300 {
		return s[:300]
	}
	return s
}
