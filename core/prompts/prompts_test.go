package prompts_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tenet/core/prompts"
)

func TestExpand(t *testing.T) {
	args := []string{"one", "two words", "$1", "four"}
	for body, want := range map[string]string{
		"review $1 of $2":            "review one of two words",
		"all: $@; $ARGUMENTS":        "all: one two words $1 four; one two words $1 four",
		"from the second: ${@:2}":    "from the second: two words $1 four",
		"two from it: ${@:2:2}.":     "two from it: two words $1.",
		"none: ${@:9}${@:2:0}$9.":    "none: .",
		"an argument is no place $3": "an argument is no place $1",
		"$0 $ ${x} ${@:x} ${@:1":     "$0 $ ${x} ${@:x} ${@:1",
		"$10 and $1st":               " and onest",
		"costs 5$":                   "costs 5$",
		"$$1 is $1, $$$1 too; $$":    "$1 is one, $one too; $",
		"${@:0:1} ${@:1:99}":         "one one two words $1 four",
	} {
		if got := prompts.Expand(body, args); got != want {
			t.Errorf("%q expands to %q, want %q", body, got, want)
		}
	}
}

func TestArguments(t *testing.T) {
	for line, want := range map[string][]string{
		``:                         nil,
		`  a  b\ c `:               {"a", "b c"},
		`"a b" 'c "d' e"f"'g'`:     {"a b", `c "d`, "efg"},
		`'a\b' "a\"b" \\`:          {`a\b`, `a"b`, `\`},
		`"" a ''`:                  {"", "a", ""},
		`"not closed $1`:           {"not closed $1"},
		"one\ttwo\nthree é":        {"one", "two", "three", "é"},
		`C:\\Users\\unicorn --x=1`: {`C:\Users\unicorn`, "--x=1"},
	} {
		if got := prompts.Arguments(line); !slices.Equal(got, want) {
			t.Errorf("%q splits into %q, want %q", line, got, want)
		}
	}
}

// Arguments that are quoted come back as they were, and expanding never loses one.
func TestArgumentsRapid(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		args := rapid.SliceOf(rapid.StringMatching(`[a-z$@{} "\\]{0,6}`)).Draw(rt, "arguments")
		var line strings.Builder
		for _, a := range args {
			line.WriteString(`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(a) + `" `)
		}
		if got := prompts.Arguments(line.String()); !slices.Equal(got, args) && len(got)+len(args) > 0 {
			rt.Fatalf("%q splits into %q, want %q", line.String(), got, args)
		}
		if got, want := prompts.Expand("<$@>", args), "<"+strings.Join(args, " ")+">"; got != want {
			rt.Fatalf("expands to %q, want %q", got, want)
		}
	})
}

// A prompt that is called as a command is reached beside it, never in its place.
func TestCalls(t *testing.T) {
	got := prompts.Calls([]string{"help", "review"}, []string{"review", "fix", "prompt:review", "Help"})
	want := []string{"prompt:review", "fix", "prompt:prompt:review", "Help"}
	if !slices.Equal(got, want) {
		t.Errorf("called %q, want %q", got, want)
	}
}
