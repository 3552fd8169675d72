package effect_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"tenet/core/call"
	"tenet/core/effect"
)

// shownCommands writes the commands of a finding in one line: wrappers before a colon,
// words with … for what is not known, the program that feeds it behind <, the files that
// it writes behind >, a directory other than the workspace behind @.
func shownCommands(f effect.Finding) string {
	var out []string
	for _, c := range f.Commands {
		text := c.Text()
		if len(c.Via) > 0 {
			text = strings.Join(c.Via, " ") + ": " + text
		}
		if c.Fed != "" {
			text += " <" + c.Fed
		}
		for _, o := range c.Outs {
			text += " >" + o.Text
		}
		if c.Dir != root {
			text += " @" + c.Dir
		}
		out = append(out, strings.ReplaceAll(text, call.Hole, "…"))
	}
	return strings.Join(out, " ; ")
}

// TestCommands runs the table of testdata/commands.txt: how far each script is read,
// which commands it runs when all that hides them is taken away, and its hazards.
func TestCommands(t *testing.T) {
	for _, c := range readTable(t, "testdata/commands.txt") {
		f := judge(t, c.script, home)
		if got := shownFacts(f); got != c.want {
			t.Errorf("%s\n\tis  %s\n\tnot %s", c.script, got, c.want)
		}
		if again := judge(t, c.script, home); !reflect.DeepEqual(f, again) {
			t.Errorf("%s: judged twice it is two things", c.script)
		}
	}
}

type tableCase struct{ script, want string }

// readTable reads a script, a line that begins with a tab, and so on; ⏎ is a line end.
func readTable(t testing.TB, file string) (out []tableCase) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	script := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		want, second := strings.CutPrefix(line, "\t")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case second:
			out = append(out, tableCase{strings.ReplaceAll(script, "⏎", "\n"), want})
		default:
			script = line
		}
	}
	return out
}

func shownFacts(f effect.Finding) string {
	out := f.Class.String() + ": " + shownCommands(f)
	for _, h := range f.Hazards {
		out += " !" + h
	}
	return out
}
