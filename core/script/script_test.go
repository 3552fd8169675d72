package script_test

import (
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tenet/core/script"
)

// A script in the grammar is its stages with their joins.
func TestGrammar(t *testing.T) {
	for src, want := range map[string]string{
		"":                           "",
		"# only a comment\n":         "",
		"a; b\nc":                    "always[a] always[b] always[c]",
		"a && b || c":                "always[a] and[b] or[c]",
		"a | b | c && d":             "always[a|b|c] and[d]",
		"X=1 a $X ${Y} \"$?\" ~/z":   `always[X=1 a $X ${Y} "$?" ~/z]`,
		"> f":                        "always[> f]",
		"a < i > o 2>&1 | b &> e":    "always[a < i > o 2>&1|b &> e]",
		"a >> o 2> e; b 2>> e":       "always[a >> o 2> e] always[b 2>> e]",
		"export A=1 B":               "always[export A=1 B]",
		"git show HEAD@{1} {} x{y}":  "always[git show HEAD@{1} {} x{y}]",
		"echo 'a b'\"c\"\\d [!a]* ?": `always[echo 'a b'"c"\d [!a]* ?]`,
		`a $'\x7f0\x41'`:             `always[a $'\x7f0\x41']`,
		`a $'\x4'`:                   "whole: a rare escape in $'…'",
		`a $'\u20ac'`:                "whole: a rare escape in $'…'",
		`echo $'a\tb'`:               `always[echo $'a\tb']`,
		"cd; cd -; cd -- d; exit 3":  "always[cd] always[cd -] always[cd -- d] always[exit 3]",
		"HOME=/x ls":                 "always[HOME=/x ls]",
		`printf '%s' -- -v`:          "whole: printf -v",
		`command -v go`:              "whole: the builtin command",
		"set -e; make":               "whole: the builtin set",
		"'s'et -e":                   "whole: the builtin set",
		"cd -P d":                    "whole: an option of cd",
		"export":                     "whole: the builtin export",
		"export -p":                  "whole: an array, or += in an assignment",
		"export $X":                  "whole: an array, or += in an assignment",
		"declare -x A":               "whole: the builtin declare",
		"for i in 1 2; do a; done":   "whole: control flow",
		"a $(b)":                     "whole: a command substitution",
		"a `b`":                      "whole: a command substitution",
		"a \"$(b)\"":                 "whole: a command substitution",
		"a <(b)":                     "whole: a command substitution",
		"(a)":                        "whole: a subshell",
		"{ a; }":                     "whole: a block",
		"a {b,c}":                    "whole: a brace expansion",
		"a {b,'c'}":                  "whole: a brace expansion",
		"a {1..3}":                   "whole: a brace expansion",
		"a $((1))":                   "whole: arithmetic",
		"! a":                        "whole: a negation with !",
		"a <<E\nx\nE":                "whole: the redirection <<",
		"a <<< x":                    "whole: the redirection <<<",
		"f() { a; }":                 "whole: a function",
		"a ${A:-z}":                  "whole: an expansion with an operator",
		"a ${#A}":                    "whole: an expansion with an operator",
		"a $1":                       "whole: the parameter $1",
		"a $@":                       "whole: the parameter $@",
		"a $RANDOM":                  "whole: $RANDOM, which bash itself sets",
		"IFS=: a":                    "whole: an assignment to IFS, which changes how the shell itself works",
		"a & b":                      "whole: a background job",
		"a |& b":                     "whole: a list inside a pipeline, or |&",
		"a >&2":                      "whole: the redirection >&",
		"a 3> f":                     "whole: the redirection 3>",
		"a >| f":                     "whole: the redirection >|",
		"[[ a ]]":                    "whole: an arithmetic or test command",
		"a ~root":                    "whole: a tilde of another kind than one's own home",
		"a ~\"x\"":                   "whole: a tilde of another kind than one's own home",
		"a P=~/x":                    "whole: a tilde inside a word",
		"a[1]=2":                     "whole: an array, or += in an assignment",
		"A+=2 b":                     "whole: an array, or += in an assignment",
		"a=(b)":                      "whole: an array, or += in an assignment",
		"time a":                     "whole: time",
		`a $'\x00b'`:                 "whole: a rare escape in $'…'",
		`a $"b"`:                     `whole: $"…", which depends on the language`,
		"a +(b)":                     "whole: an extended pattern",
		"a | (b)":                    "whole: a subshell",
		"a && { b; } > f":            "whole: a block",
		"coproc a":                   "whole: other syntax",
		"case a in b) c;; esac":      "whole: control flow",
		"if a; then b; fi > f 2>&1":  "whole: control flow",
		"eval 'rm x'; . f; source f": "whole: the builtin eval",
		"test -v X":                  "whole: test -v",
		"a && (b || c) && d":         "whole: a subshell",
		"a\\\n b":                    "always[a\\\n b]",
		"a;\nb # c\n\n#d\nc":         "always[a] always[b] always[c]",
		"a > $F < \"$G\" 2> ~/e | b": "always[a > $F < \"$G\" 2> ~/e|b]",
	} {
		if got := outline(t, src); got != want {
			t.Errorf("%q:\n got %s\nwant %s", src, got, want)
		}
	}
}

func outline(t *testing.T, src string) string {
	t.Helper()
	s, err := script.Parse(src)
	if err != nil {
		return err.Error()
	}
	if s.Whole {
		return "whole: " + s.Why
	}
	var out []string
	for _, p := range s.Pipelines {
		var st []string
		for _, x := range p.Stages {
			st = append(st, strings.TrimRight(s.Source(x), ";"))
		}
		out = append(out, p.Join.String()+"["+strings.Join(st, "|")+"]")
	}
	return strings.Join(out, " ")
}

// A script that no shell can read says where, and what to do.
func TestSyntaxError(t *testing.T) {
	_, err := script.Parse("a\nb 'c")
	want := "the script does not parse at line 2, column 3: reached EOF without closing quote `'`; nothing ran. " +
		"The script ends too early: close the quote, bracket or block, and send it whole"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, err = script.Parse("a; ; b"); err == nil || !strings.Contains(err.Error(), "line 1, column 4") {
		t.Errorf("got %v, want line 1, column 4", err)
	}
}

// One canonical text: NUL and what no kernel would take are refused, CRLF is LF.
func TestCanonical(t *testing.T) {
	if got, err := script.Canonical("a\r\nb\rc\r\n"); err != nil || got != "a\nb\rc\n" {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := script.Canonical("a\x00b"); err == nil || !strings.Contains(err.Error(), "NUL byte at offset 1") {
		t.Errorf("a NUL: %v", err)
	}
	if _, err := script.Canonical(strings.Repeat("a", script.MaxBytes+1)); err == nil || !strings.Contains(err.Error(), "limit is 131071") {
		t.Errorf("too long: %v", err)
	}
}

// Nesting is bounded, so that no script can cost the parser seconds or the stack.
func TestDeepNesting(t *testing.T) {
	deep := strings.Repeat("(", script.MaxNesting+1)
	if _, err := script.Canonical(deep); err == nil || !strings.Contains(err.Error(), "offset 1000") {
		t.Errorf("got %v", err)
	}
	for _, open := range []string{"(", "$(", "((", "\"$(", "a=$(", "a|(", "$((", "$[", "[[ ( "} {
		src, err := script.Canonical(strings.Repeat(open, script.MaxNesting/3))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = script.Parse(src)
	}
	for _, open := range []string{"{ ", "if ", "! ", "`", "a<<E\n", "case a in "} {
		_, _ = script.Parse(strings.Repeat(open, 2000))
	}
}

// What a person is shown is what bash reads: any bytes, in any locale.
func TestShownReadsBack(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("SKIPPED: no bash on this machine to read the words back")
	}
	word := rapid.OneOf(
		rapid.StringMatching(`[ -~]{0,8}`),
		rapid.String(),
		rapid.Map(rapid.SliceOfN(rapid.ByteRange(1, 255), 0, 8), func(b []byte) string { return string(b) }),
		rapid.SampledFrom([]string{"if", "a=b", "~", "{a,b}", "\u202etxt.exe", "a\u00a0b", "\u0301x", "!!", "-n", "*", "$(x)", "'\"'", "\xe2\x80", "⟨x1b⟩", "⟨u", "⇥"}),
	)
	rapid.Check(t, func(rt *rapid.T) {
		words := rapid.SliceOfN(word, 1, 12).Draw(rt, "words")
		line, want := "printf '%s\\0'", ""
		for _, w := range words {
			w = strings.ReplaceAll(w, "\x00", "")
			line += " " + script.Shown(w)
			want += w + "\x00"
		}
		cmd := exec.Command(bash, "-c", line)
		cmd.Env = []string{"LC_ALL=" + rapid.SampledFrom([]string{"C", "C.UTF-8"}).Draw(rt, "locale")}
		got, err := cmd.Output()
		if err != nil || string(got) != want {
			rt.Fatalf("%s\n got %q, %v\nwant %q", line, got, err, want)
		}
	})
}

// Nothing that is shown can hide or move what stands beside it.
func TestShownHidesNothing(t *testing.T) {
	for in, want := range map[string]string{
		"plain/path-1.txt": "plain/path-1.txt",
		"two words":        "'two words'",
		"it's":             `'it'\''s'`,
		"a\u202eb":         `$'a\xe2\x80\xaeb'`,
		"a\nb":             `$'a\nb'`,
		"a\u200bb":         `$'a\xe2\x80\x8bb'`,
		"\x1b[2K":          `$'\x1b[2K'`,
		"a\u00a0b":         `$'a\xc2\xa0b'`,
		"\u3164":           `$'\xe3\x85\xa4'`,
		"x\U000e0041":      `$'x\xf3\xa0\x81\x81'`,
		"über":             "über",
		"⟨x1b⟩":            `$'\xe2\x9f\xa8x1b⟩'`, // it looks like an escape of a card
		"⟨a⟩":              "⟨a⟩",
		"a⏎":               `$'a\xe2\x8f\x8e'`,
		"\U0001f1fa":       `$'\xf0\x9f\x87\xba'`,
	} {
		if got := script.Shown(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
	if got := script.ShownName("A=1"); got != "'A=1'" {
		t.Errorf("a command named like an assignment: %s", got)
	}
	if got := script.ShownScript("for x\u202e in 1\ndo :; done"); !strings.HasPrefix(got, "bash -c $'") {
		t.Errorf("a whole script with a bidi override: %s", got)
	}
	if src := "for x in 1\ndo\t:; done"; script.ShownScript(src) != src {
		t.Errorf("a whole script without hidden characters is shown as it is")
	}
}

// The parser takes any bytes: a script, a reason or an error with a place.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"a | b && c > d", "a $'\\x", "{ a", "a <<E", "${a[", "\xff~\x00", "a=(", "$((", "[[ a =~ ("} {
		f.Add(s)
	}
	p := script.NewParser()
	f.Fuzz(func(t *testing.T, src string) {
		src, err := script.Canonical(src)
		if err != nil {
			return
		}
		s, err := p.Parse(src)
		if err == nil && s.Whole == (s.Why == "") || s.Whole && len(s.Pipelines) > 0 {
			t.Errorf("%q: whole %v, why %q, %d pipelines", src, s.Whole, s.Why, len(s.Pipelines))
		}
	})
}

func BenchmarkParse(b *testing.B) {
	p := script.NewParser()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Parse("grep -rn 'x y' src 2>&1 | head -n 20"); err != nil {
			b.Fatal(err)
		}
	}
}
