package patch

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// seeds is every patch of the tables, and some of all at once.
func seeds(f *testing.F) {
	for _, c := range faults {
		f.Add(c.in)
	}
	_, example, _ := strings.Cut(Description, "at its end:\n")
	f.Add(example)
	for _, s := range []string{
		"3.=4:\n+a", "PUT 3-4:\nfoo\n- x\n", "CUT 1\nPUT >4\n3:x\n", "REM", "MV \"a b\"", "*** Begin Patch\n@@ -1 +1 @@\n",
		"PUT 2*:\n...\n```\n+x\n", "PUT <$:\n", "[g#ab12]\nPUT <1:\n+", "PUT 3:\r\n+a\r\r\n", "*** Update File: [a\tb#00ff]\nPUT >0:\n\n+\n+PUT 1:\n",
		"[\"\\x00\"#0000]\nMV '[g#0000]'\n", "put 1…2:\n-a\n+b\nCUT 9:@r\n# c\nPUT >9* @r\n", "[*** Update File: \"File: x\"#0000]\nMV *** Update File: x",
	} {
		f.Add(header + s)
	}
}

// Whatever a model writes is understood or refused in words; what is understood reads
// back as the same, and its canonical form is canonical.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text, "/w")
		if err != nil {
			var fault *Fault
			if !errors.As(err, &fault) || fault.Row < 1 || fault.What == "" || fault.Instead == "" {
				t.Fatalf("%q is refused with %v", text, err)
			}
			return
		}
		back, err := Parse(p.String(), "/w")
		if err != nil {
			t.Fatalf("%q is read as\n%s which is refused: %v", text, p, err)
		}
		if !reflect.DeepEqual(bare(back), bare(p)) || back.String() != p.String() {
			t.Fatalf("%q is read as\n%swhich is read as\n%s", text, p, back)
		}
	})
}
