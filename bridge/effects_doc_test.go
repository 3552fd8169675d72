package bridge

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"tenet/bridge/engine/golden"
	"tenet/core/call"
	"tenet/core/effect"
)

// TestEffectsPage holds docs/effects.md to the table of core/effect: the page is made of
// its rows, and of the comments of the functions that read what rows cannot say.
func TestEffectsPage(t *testing.T) {
	if err := golden.Check("../docs/effects.md", effectsPage(comments(t, "../core/effect"))); err != nil {
		t.Error(err)
	}
}

const effectsHead = `# Effects: what a command may do

This page is made of the table in ` + "`core/effect`" + ` by ` + "`TestEffectsPage`" + `; do not edit it.

Before a command runs, tenet says what it may do: **read**, **write**, **exec** (run a
program that nobody here vouches for), **net**, and for the places that it names **outside**
(the workspace), **protected** and **secret**.

- A command that is not on this page is exec. So is a program named with a slash, a
  step that sets a variable, and a command with an option that its row does not have.
- A long option may be cut short, short ones may share a word, and a value may be the
  next word: all spellings of one option count alike.
- Every word that may name a path is judged: by where it really leads, whatever the links
  on the way. A command that writes writes, for all that is known, to each of them.
- A redirection adds a write of its target, ` + "`<`" + ` a read.

In the tables, the column *adds* lists the options that add an effect; the others
of a row add none. *dir* says that the command reads its working directory when it names
no path.

`

func effectsPage(says map[string]string) string {
	var b strings.Builder
	b.WriteString(effectsHead)
	var commands, git []effect.Described
	for _, d := range effect.Describe() {
		if strings.HasPrefix(d.Names[0], "git ") {
			git = append(git, d)
		} else {
			commands = append(commands, d)
		}
	}
	section(&b, "Commands", commands)
	section(&b, "Subcommands of git", git)
	reasons(&b, append(commands, git...), says)
	runners(&b)
	return b.String()
}

func section(b *strings.Builder, title string, rows []effect.Described) {
	fmt.Fprintf(b, "## %s\n\n| command | effects | adds | options without an effect | dir |\n|---|---|---|---|---|\n", title)
	for _, d := range rows {
		fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s |\n", strings.Join(d.Names, "`, `"), does(d), adding(d), plainOptions(d), mark(d.Directory))
	}
	b.WriteByte('\n')
}

func does(d effect.Described) string {
	if d.Effects == 0 {
		return "by its words"
	}
	return d.Effects.String()
}

func mark(yes bool) string {
	if yes {
		return "yes"
	}
	return ""
}

// adding groups the options that add an effect by what they add.
func adding(d effect.Described) string {
	var order []call.Effects
	by := map[call.Effects][]string{}
	for _, o := range d.Options {
		if o.Adds == 0 {
			continue
		}
		if by[o.Adds] == nil {
			order = append(order, o.Adds)
		}
		by[o.Adds] = append(by[o.Adds], "`"+o.Name+"`")
	}
	parts := make([]string, len(order))
	for i, e := range order {
		parts[i] = e.String() + ": " + strings.Join(by[e], " ")
	}
	return strings.Join(parts, "; ")
}

func plainOptions(d effect.Described) string {
	if d.Free {
		return "none: every word is an operand"
	}
	var out []string
	for _, o := range d.Options {
		if o.Adds == 0 {
			out = append(out, o.Name)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "`" + strings.ReplaceAll(strings.Join(out, " "), "|", `\|`) + "`"
}

// reasons says what the functions of the table say of themselves.
func reasons(b *strings.Builder, rows []effect.Described, says map[string]string) {
	b.WriteString("## What is read beyond the options\n\n")
	for _, d := range rows {
		if d.Reading == nil || says[funcName(d.Reading)] == "" {
			continue
		}
		fmt.Fprintf(b, "- `%s`: %s\n", strings.Join(d.Names, "`, `"), says[funcName(d.Reading)])
	}
	b.WriteByte('\n')
}

func runners(b *strings.Builder) {
	wrapping, shells, interpreting := effect.DescribeRunners()
	b.WriteString("## Commands that run others\n\nNone of these is vouched for: each is exec. What they run counts as well, as far as it stands in their words.\n\n")
	for _, l := range []struct {
		what  string
		names []string
	}{
		{"The words behind their own options are a command", wrapping},
		{"A word of theirs is a script", shells},
		{"A word of theirs is a program in another language; paths in it are judged", interpreting},
	} {
		fmt.Fprintf(b, "- %s: `%s`.\n", l.what, strings.Join(l.names, "`, `"))
	}
}

func funcName(f any) string {
	full := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
	return full[strings.LastIndexByte(full, '.')+1:]
}

// comments is the comment of each function of a package, in one line.
func comments(t *testing.T, dir string) map[string]string {
	files, err := filepath.Glob(dir + "/*.go")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				names, says := spokenOf(fn)
				for _, name := range names {
					out[name] = says
				}
			}
		}
	}
	return out
}

// spokenOf splits the comment of a function from the names that it begins with: one comment
// may speak of two.
func spokenOf(fn *ast.FuncDecl) (names []string, says string) {
	says = strings.Join(strings.Fields(fn.Doc.Text()), " ")
	for {
		name, rest, _ := strings.Cut(says, " ")
		names = append(names, strings.TrimSuffix(name, ":"))
		more, ok := strings.CutPrefix(rest, "and ")
		if !ok {
			return names, rest
		}
		says = more
	}
}
