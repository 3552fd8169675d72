package effect_test

import (
	"reflect"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"tenet/core/call"
	"tenet/core/effect"
)

// FuzzVerdict takes any text from the parser to what the gate decides by: nothing
// panics, the same text is the same twice, what is kept is bounded and complete, and a
// command more never takes an effect away.
func FuzzVerdict(f *testing.F) {
	for _, file := range []string{"testdata/commands.txt", "testdata/paths.txt"} {
		for _, c := range readTable(f, file) {
			f.Add(c.script)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 400 {
			return
		}
		checkArgv(t, strings.Fields(text))
		file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
		if err != nil {
			return
		}
		whole := effect.Whole(file, home)
		checkFinding(t, text, whole)
		if !reflect.DeepEqual(whole, effect.Whole(file, home)) {
			t.Fatalf("%q: judged twice it is two things", text)
		}
		if every := effect.Every(file, home); !every.Effects.Within(whole.Effects) {
			t.Fatalf("%q may %v in steps and only %v as one", text, every.Effects, whole.Effects)
		}
		if strings.HasSuffix(text, `\`) {
			return // what follows would be a word of its last command
		}
		for _, more := range []string{text + "\nls", "true\n" + text} {
			file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(more), "")
			if err != nil {
				continue
			}
			if then := effect.Whole(file, home).Effects; !whole.Effects.Within(then) {
				t.Fatalf("%q may %v, and with a command more only %v", text, whole.Effects, then)
			}
		}
	})
}

// checkArgv judges the words as one command: a wrapper, an assignment or a redirection
// more never takes an effect away.
func checkArgv(t *testing.T, argv []string) {
	bare := effect.Of(effect.Command{Argv: argv}, home)
	checkFinding(t, strings.Join(argv, " "), bare)
	for _, more := range []effect.Command{
		{Argv: argv, Assigns: []string{"X=1"}}, {Argv: argv, Redirs: []effect.Redirect{{Op: effect.Out, Path: "o"}}},
		{Argv: argv, Fed: "curl"}, {Argv: argv, Fed: "echo", Input: "ls"},
	} {
		if then := effect.Of(more, home).Effects; !bare.Effects.Within(then) {
			t.Fatalf("%q may %v, and with more only %v", argv, bare.Effects, then)
		}
	}
}

func checkFinding(t *testing.T, text string, f effect.Finding) {
	if len(f.Commands) > 256 || len(f.Paths) > 256+16 || len(f.Notes) > 8 {
		t.Fatalf("%q has %d commands, %d places, %d notes", text, len(f.Commands), len(f.Paths), len(f.Notes))
	}
	for _, c := range f.Commands {
		if len(c.Words) == 0 {
			t.Fatalf("%q has a command without words", text)
		}
		if !c.Words[0].Known() && f.Class != call.Obfuscated {
			t.Fatalf("%q runs a program that nobody knows and is %v", text, f.Class)
		}
		if len(c.Via) > 40 {
			t.Fatalf("%q has %d wrappers around one command", text, len(c.Via))
		}
	}
	for _, p := range f.Paths {
		if p.Class == "secret" && !f.Effects.Has(call.Secret) || p.Use == call.Writes && p.Class == "outside" && !f.Effects.Has(call.Outside) && !f.Effects.Has(call.Secret) {
			t.Fatalf("%q names %+v and may only %v", text, p, f.Effects)
		}
	}
}
