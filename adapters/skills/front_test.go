package skills

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// A front matter that names its parts again and again is refused, and so is one that is too
// long: neither takes the session with it.
func TestFrontMatterOfAStranger(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n")
	for i := range 12 {
		fmt.Fprintf(&bomb, "a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i), 10), ","))
	}
	for name, text := range map[string]string{
		"aliases of aliases":       bomb.String() + "description: *a12\n",
		"one name again and again": strings.Repeat("? a\n: b\n", 2000),
		"deep":                     "description: " + strings.Repeat("[", 12_000),
		"a name twice":             "description: a\ndescription: b\n",
		"a name as a list":         "name: [a]\ndescription: b\n",
		"a flag as text":           "disable-model-invocation: maybe\n",
	} {
		if front, err := frontMatter(text); err == nil || !strings.Contains(err.Error(), "invalid YAML front matter") {
			t.Errorf("%s: %+v, %v", name, front, err)
		}
	}
	if _, _, err := split("---\n" + strings.Repeat("a: b\n", maxFront)); err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Errorf("a long front matter: %v", err)
	}
}

// What other tools write is read, and what is not used stays unread.
func TestFrontMatterThatOthersWrite(t *testing.T) {
	front, err := frontMatter("name: pdf-tools\ndescription: >-\n  Reads PDFs:\n  quickly # not a comment\nlicense: MIT\nmetadata: {a: [1, 2]}\nallowed-tools: Bash(rm:*)\nargument-hint:\n")
	if err != nil || front.Name != "pdf-tools" || front.Description != "Reads PDFs: quickly # not a comment" || front.Hidden || front.Hint != "" {
		t.Errorf("%+v, %v", front, err)
	}
	if front, err := frontMatter(""); err != nil || front.Description != "" {
		t.Errorf("an empty one: %+v, %v", front, err)
	}
}

// FuzzFrontMatter: any text is read or refused.
func FuzzFrontMatter(f *testing.F) {
	f.Add("---\nname: a\ndescription: b\n---\nbody")
	f.Add("---\n&a [*a]\n---\n")
	f.Add("---\n? {a: b}\n: !!binary x\n---")
	f.Fuzz(func(t *testing.T, text string) {
		front, body, err := split(text)
		if err != nil {
			return
		}
		if !strings.HasSuffix(text, body) {
			t.Errorf("the body %q is not the end of %q", body, text)
		}
		if got, err := frontMatter(front); err == nil && utf8.ValidString(text) && !utf8.ValidString(got.Description) {
			t.Errorf("%q describes itself as %q", text, got.Description)
		}
	})
}
