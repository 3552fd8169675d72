package effect

import (
	"fmt"
	"iter"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"tenet/core/call"
	core "tenet/core/effect"
	"tenet/core/pathpolicy"
)

// Change is how one script became another.
type Change uint8

// The changes.
const (
	Quote      Change = iota // a word is quoted in another way
	Add                      // another command is added, before, behind, around or inside
	Abbreviate               // a long option is cut short
	Attach                   // an option's value is attached to it, or stands apart
	Estrange                 // the program is another one, or may become another one
	Match                    // a part of a path becomes a pattern that matches it
	Link                     // a path is written as links that lead to it
	Wrap                     // the command stands behind a program that runs it
	Odd                      // so it does, and one of that program's options is one that nobody knows
	Ship                     // the command stands behind a program that runs it elsewhere
)

var changeNames = [...]string{"quote", "add", "abbreviate", "attach", "estrange", "match", "link", "wrap", "odd", "ship"}

// String names the change.
func (c Change) String() string { return changeNames[c] }

// Pair is a script and what a change made of it.
type Pair struct {
	Change       Change
	Before, Then string
}

// String is the pair as a run shows it.
func (p Pair) String() string { return fmt.Sprintf("%v: %q to %q", p.Change, p.Before, p.Then) }

// Effects is what the two scripts may do.
type Effects struct {
	Before, Then call.Effects
	// Lost is the first command of the one script that is not among those of the other,
	// empty when all are there. Words that nobody knows are lost together with their
	// command.
	Lost string
}

// None is the one state of a function.
type None struct{}

// StepPair judges both scripts by core's table.
func (None) StepPair(p Pair) (None, Effects) {
	before, then := judge(p.Before), judge(p.Then)
	return None{}, Effects{Before: before.Effects, Then: then.Effects, Lost: lost(before.Commands, then.Commands)}
}

// lost is the first of some commands that is not among others.
func lost(before, then []call.Command) string {
	texts := map[string]bool{}
	for _, c := range then {
		texts[c.Text()] = true
	}
	for _, c := range before {
		if !texts[c.Text()] {
			return c.Text()
		}
	}
	return ""
}

// home is the world the scripts are judged in.
var home = core.Place{
	Policy: &pathpolicy.Policy{
		Roots: []string{"/w"}, Secrets: []string{"/h/.ssh"},
		SecretNames: []pathpolicy.NameRule{{Name: ".env"}},
		Protected:   []pathpolicy.Rule{{Kind: pathpolicy.Named, Path: ".git"}, {Kind: pathpolicy.Dir, Path: "/usr/bin"}},
	},
	Links: links{}, Cwd: "/w", Env: map[string]string{"HOME": "/h"},
}

// links is a disk on which a name says where it leads.
type links struct{}

func (links) Read(path string) (string, pathpolicy.Kind) {
	if to, ok := linked[path]; ok {
		return to, pathpolicy.Link
	}
	return "", pathpolicy.Present
}

func judge(script string) core.Finding {
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(script), "")
	if err != nil {
		panic(fmt.Sprintf("%s: %v", script, err)) // the machine's own scripts
	}
	return core.Every(f, home)
}

// scripts are commands of each kind of row; their words hold no sign that a quote
// would change.
var scripts = []string{
	"cat a", "cat .env", "cat /h/.ssh/id", "ls /h", "rm -rf build", "rm -rf /", "touch .git/config", "cp a /tmp/b", "mv a /usr/bin/ls",
	"grep -r KEY /h", "rg --pre x TODO", "sort -uo out a", "sort --compress-program=x a", "uniq a b", "sed -i s/a/b/ f", "sed 1e f", "awk NF f",
	"find src -delete", "find src -exec rm {} +", "find /h -name x", "git log -1", "git status", "git push", "git config user.name x", "git branch -D x",
	"git log --output=x", "git grep -O x", "curl -o x http://h/x", "curl file:///h/.ssh/id", "wget http://h/x", "make", "./cat a", "env", "printenv",
	"sudo rm -rf /", "tee a", "chmod +x a", "xxd a b", "less -o log a", "file -C", "date -s x", "test -v x", "printf -v x a", "set -e", "echo hi",
}

// options are commands with a long option whose effect must not hang on how much of
// it is written.
var options = []Pair{
	{Before: "sort --compress-program", Then: "=x a"}, {Before: "sort --output", Then: "=out a"}, {Before: "sort --temporary-directory", Then: "=/tmp a"},
	{Before: "sed --in-place", Then: " s/a/b/ f"}, {Before: "sed --expression", Then: "=1e f"}, {Before: "rg --pre", Then: "=x TODO"},
	{Before: "rg --hostname-bin", Then: "=x TODO"}, {Before: "diff --paginate", Then: " a b"}, {Before: "file --compile", Then: " -m m"},
	{Before: "less --log-file", Then: "=log a"}, {Before: "date --set", Then: "=x"}, {Before: "split --filter", Then: "=x a"}, {Before: "base64 --output", Then: "=o a"},
	{Before: "cp --target-directory", Then: "=/tmp a"}, {Before: "curl --output", Then: "=x http://h"}, {Before: "curl --dump-header", Then: "=x http://h"},
	{Before: "wget --use-askpass", Then: "=x http://h"}, {Before: "git cat-file --textconv", Then: " HEAD:a"}, {Before: "git show --ext-diff", Then: ""},
	{Before: "git log --show-signature", Then: ""}, {Before: "git log --output", Then: "=/tmp/x"}, {Before: "git cat-file --filters", Then: " HEAD:a"},
	{Before: "git describe --dirty", Then: ""}, {Before: "git describe --broken", Then: ""}, {Before: "git grep --open-files-in-pager", Then: "=x y"},
	{Before: "git ls-files --modified", Then: ""}, {Before: "git branch --edit-description", Then: ""}, {Before: "git branch --delete", Then: " x"},
}

// attached are options with the value apart, and the same with it attached.
var attached = [][2]string{
	{"sort -o /tmp/out a", "sort -o/tmp/out a"}, {"sort -u -o out a", "sort -uoout a"}, {"sort --output /tmp/out a", "sort --output=/tmp/out a"},
	{"cp -t /tmp a", "cp -t/tmp a"}, {"grep -f /h/.ssh/id a", "grep -f/h/.ssh/id a"}, {"grep --file /h/.ssh/id a", "grep --file=/h/.ssh/id a"},
	{"curl -o /tmp/x http://h", "curl -o/tmp/x http://h"}, {"less -o /tmp/log a", "less -o/tmp/log a"}, {"tool -f=/h/.ssh/id", "tool -f/h/.ssh/id"},
	{"git log --output /tmp/x", "git log --output=/tmp/x"}, {"wget -O /tmp/x http://h", "wget -O/tmp/x http://h"}, {"sed -e 1e f", "sed -e1e f"},
}

// Pairs is every script in every change.
func Pairs(None) iter.Seq[Pair] {
	return func(yield func(Pair) bool) {
		for _, s := range scripts {
			if !texts(s, yield) || !quotes(s, yield) || !additions(s, yield) || !strangers(s, yield) || !wrappings(s, yield) {
				return
			}
		}
		for _, o := range options {
			if !prefixes(o, yield) {
				return
			}
		}
		for _, p := range paths {
			if !patterns(p, yield) {
				return
			}
		}
		if !reaches(yield) || !splits(yield) {
			return
		}
		for _, a := range attached {
			if !yield(Pair{Change: Attach, Before: a[0], Then: a[1]}) || !yield(Pair{Change: Attach, Before: a[1], Then: a[0]}) {
				return
			}
		}
	}
}

// quotes writes each word in each way that means the same.
func quotes(s string, yield func(Pair) bool) bool {
	words := strings.Fields(s)
	for i, w := range words {
		for _, q := range []string{"'" + w + "'", `"` + w + `"`, `\` + w, w[:1] + `''` + w[1:], "$'" + w + "'", w[:len(w)-1] + `"` + w[len(w)-1:] + `"`} {
			if w == "{}" && strings.Contains(q, "''") {
				continue
			}
			then := append(append(append([]string(nil), words[:i]...), q), words[i+1:]...)
			if !yield(Pair{Change: Quote, Before: s, Then: strings.Join(then, " ")}) {
				return false
			}
		}
	}
	return true
}

// additions puts the script beside and inside of others.
func additions(s string, yield func(Pair) bool) bool {
	for _, form := range []string{
		"%s; true", "true; %s", "%s && ls", "ls || %s", "%s | wc -l", "echo x | %s", "(%s)", "{ %s; }", "if true; then %s; fi", "while false; do %s; done",
		"for i in 1; do %s; done", "case x in x) %s;; esac", "f() { %s; }", "echo $(%s)", "echo \"$(%s)\"", "cat <(%s)", "%s > out", "%s 2>&1", "%s &",
		"time %s", "coproc %s", "x=$(%s)", "[[ -n $(%s) ]]", "echo $(( $(%s) ))", "cat <<E\n$(%s)\nE", "cat <<< $(%s)", "echo ${x:-$(%s)}", "echo ${HOME:-$(%s)}", "echo ${x:+$(%s)}", "echo ${x%%%%$(%s)}", "echo ${x/$(%s)}", "echo ${x:$(%s)}", "ls > $(%s)",
		"declare x=$(%s)", "x=($(%s))", "for ((i=$(%s);;)); do :; done", "case $(%s) in x) ;; esac", "case x in $(%s)) ;; esac", "%s\ntrue", "! %s", "until %s; do :; done",
	} {
		if !yield(Pair{Change: Add, Before: s, Then: fmt.Sprintf(form, s)}) {
			return false
		}
	}
	return true
}

// strangers makes the program one that nobody vouches for. echo has no options that
// it would not print.
func strangers(s string, yield func(Pair) bool) bool {
	for _, form := range []string{"x%s", "./%s", "/usr/bin/%s", "X=1 %s", "PATH=./bin %s", "$(echo x)%s", "export X=1; %s"} {
		if !yield(Pair{Change: Estrange, Before: s, Then: fmt.Sprintf(form, s)}) {
			return false
		}
	}
	name, rest, _ := strings.Cut(s, " ")
	return name == "echo" || yield(Pair{Change: Estrange, Before: s, Then: name + " --strange-option " + rest})
}

// prefixes cuts a long option to each length.
func prefixes(o Pair, yield func(Pair) bool) bool {
	at := strings.LastIndex(o.Before, "--") + 3
	for ; at < len(o.Before); at++ {
		if !yield(Pair{Change: Abbreviate, Before: o.Before + o.Then, Then: o.Before[:at] + o.Then}) {
			return false
		}
	}
	return true
}
