package scan

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// naive lists the numbers of the lines that match, each asked alone.
func naive(re *regexp.Regexp, b []byte) (out []int) {
	for n := 0; len(b) > 0; n++ {
		line, rest, ended := bytes.Cut(b, []byte("\n"))
		if ended {
			line = bytes.TrimSuffix(line, []byte("\r"))
		}
		if re.Match(line) {
			out = append(out, n)
		}
		b = rest
	}
	return out
}

// lines lists the numbers of the lines that a searcher finds.
func lines(s *Searcher, b []byte) (out []int) {
	for at := 0; at < len(b); {
		l, ok := s.Next(b, at)
		if !ok {
			break
		}
		out = append(out, bytes.Count(b[:l.Start], []byte("\n")))
		at = l.Next
	}
	return out
}

// failer is what a test and a rapid check have in common.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// agree compares each way that a pattern can be searched with regexp.
func agree(t failer, text string, o Options, b []byte) {
	t.Helper()
	p, err := Compile(text, o)
	if err != nil {
		return
	}
	want := fmt.Sprint(naive(p.re, b))
	if got := fmt.Sprint(lines(p.Searcher(), b)); got != want {
		t.Fatalf("%q %+v in %q: lines %v, regexp finds %v", text, o, b, got, want)
	}
	if a := newAutomaton(p.tree); a != nil {
		s := &Searcher{p: &Pattern{re: p.re}, a: a}
		if got := fmt.Sprint(lines(s, b)); got != want {
			t.Fatalf("%q %+v in %q: the automaton finds lines %v, regexp finds %v", text, o, b, got, want)
		}
	}
	if set, whole := required(p.tree); set.known() {
		for _, f := range []finder{finderOf(set), &scanAll{set}} {
			s := &Searcher{p: &Pattern{re: p.re, find: f, whole: whole && set.exact}}
			if got := fmt.Sprint(lines(s, b)); got != want {
				t.Fatalf("%q %+v in %q: by %T the lines are %v, regexp finds %v", text, o, b, f, got, want)
			}
		}
	}
}

// scanAll is the plain way to look for a set.
type scanAll struct{ set set }

func (f *scanAll) from(b []byte, at int) int {
	for i := at; i < len(b); i++ {
		for _, t := range f.set.texts {
			if f.set.at(b, i, t) {
				return i
			}
		}
	}
	return -1
}

// atoms are pieces of patterns: letters that fold beyond ASCII, characters of several
// bytes, classes, looks around, and the character that stands for bytes that are none.
var atoms = strings.Split(`a b k s K S ab abc error é 日 \x{FFFD} . \w \W \d \s [a-c] [^a] [ks] [é-日] [^é] \b \B ^ $ \A \z (?i:k) (?i:s) (?i:ab) (?i:é) \r (?m:^) (?m:$) (?s:.) [[:upper:]] \pL x{2,3} - _ T [Tt] [Kk]`, " ")

// expressions is a grammar of patterns.
func expressions() *rapid.Generator[string] {
	var expr func(depth int) *rapid.Generator[string]
	expr = func(depth int) *rapid.Generator[string] {
		return rapid.Custom(func(t *rapid.T) string {
			if depth == 0 {
				return rapid.SampledFrom(atoms).Draw(t, "atom")
			}
			sub := func() string { return expr(depth-1).Draw(t, "sub") }
			switch rapid.IntRange(0, 9).Draw(t, "kind") {
			case 0, 1, 2, 3:
				return sub() + sub()
			case 4:
				return sub() + sub() + sub()
			case 5, 6:
				return "(?:" + sub() + "|" + sub() + ")"
			case 7:
				return "(" + sub() + ")" + rapid.SampledFrom([]string{"*", "+", "?", "*?", "{2}", "{1,3}"}).Draw(t, "times")
			case 8:
				return "(?i:" + sub() + ")"
			default:
				return rapid.SampledFrom(atoms).Draw(t, "atom")
			}
		})
	}
	return expr(3)
}

// texts are lines of pieces that the patterns look for and of bytes that are no UTF-8.
func texts() *rapid.Generator[[]byte] {
	pieces := strings.Split("a|b|k|s|K|S|T|t|ab|abc|ERROR|error|é|É|日|本|\u212a|\u017f|\ufffd|\xff|\xc3|\xe6\x97|\xa9|x|xx| |-|_|1|\t|\r|\r\n|\n|\n|\n|\n", "|")
	return rapid.Custom(func(t *rapid.T) []byte {
		return []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, "pieces"), ""))
	})
}

// Every way to search gives the lines that regexp gives for each line alone.
func TestSearchersAgreeWithRegexp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		agree(t, expressions().Draw(t, "pattern"), Options{Fold: rapid.Bool().Draw(t, "fold")}, texts().Draw(t, "text"))
	})
}

// Texts that are looked for by themselves, alone and as branches.
func TestTextsAgreeWithRegexp(t *testing.T) {
	word := rapid.StringMatching(`[abkstABKé_ ]{1,9}`)
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(word, 1, 5).Draw(t, "words")
		o := Options{Fold: rapid.Bool().Draw(t, "fold")}
		text := bytes.Join(rapid.SliceOfN(rapid.OneOf(rapid.Map(word, func(s string) []byte { return []byte(s) }), texts(), rapid.SampledFrom([][]byte{[]byte(words[0]), []byte(strings.ToUpper(words[0]))})), 0, 12).Draw(t, "text"), nil)
		agree(t, strings.Join(words, "|"), o, text)
		o.Literal = true
		agree(t, words[0], o, text)
	})
}

func FuzzSearchers(f *testing.F) {
	f.Add(`\bk+\s*$`, []byte("K\r\nk \xff\n"), true)
	f.Add(`^(a|b)*c`, []byte("abab\ncab\n\nabc"), false)
	f.Fuzz(func(t *testing.T, pattern string, text []byte, fold bool) {
		if len(pattern) < 100 && len(text) < 1000 {
			agree(t, pattern, Options{Fold: fold}, text)
		}
	})
}

// An expression of many states fills the table of the automaton again and again: it
// gives up and stays right.
func TestManyStatesStayRight(t *testing.T) {
	var b bytes.Buffer
	for i := range 60000 {
		fmt.Fprintf(&b, "%b", i*2654435761%65536)
		if i%50 == 0 {
			b.WriteString("c\n")
		}
	}
	agree(t, `1[01]{12}0[01]{9}c`, Options{}, b.Bytes())
}

// What is required of every match, and how it is read.
func TestRequired(t *testing.T) {
	for _, c := range []struct {
		pattern string
		texts   string
		fold    bool
		whole   bool
	}{
		{`func \(\w+ \*\w+\) Close\(`, "[) Close(]", false, false},
		{`foo|fob`, "[fob foo]", false, true},
		{`panicwrap|unreachable|FIXME`, "[panicwrap unreachable FIXME]", false, true},
		{`(?i)todo`, "[todo]", true, true},
		{`(?i)task`, "[task tas\u212a ta\u017fk ta\u017f\u212a]", true, true},
		{`[A-Z]\w+Error\b`, "[Error]", false, false},
		{`\w+\s`, "[]", false, false},
		{`a\x{FFFD}bc`, "[bc]", false, false},
	} {
		p, err := Compile(c.pattern, Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, whole := required(p.tree)
		if got := fmt.Sprint(s.texts); got != c.texts || s.fold != c.fold || (whole && s.exact) != c.whole {
			t.Errorf("%s requires %s, fold %v, whole %v", c.pattern, got, s.fold, whole && s.exact)
		}
	}
}
