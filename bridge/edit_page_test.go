package bridge

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"tenet/adapters/blocks"
	"tenet/core/doc"
	"tenet/core/doc/patch"
)

// editPage is docs/edit.md as examples: fenced blocks whose first line says what they are.
type pageBlock struct{ kind, name, text string }

var fenceShape = regexp.MustCompile("(?ms)^```(before|patch|after) ?([^\n]*)\n(.*?)^```$")

// TestTheExamplesOfTheEditPage applies each patch of docs/edit.md to the files that stand
// before it and holds the outcome to the files that stand after it.
func TestTheExamplesOfTheEditPage(t *testing.T) {
	files, after := map[string]string{}, map[string]string{}
	patches := 0
	for _, m := range fenceShape.FindAllStringSubmatch(readText(t, "../docs/edit.md"), -1) {
		switch b := (pageBlock{m[1], m[2], m[3]}); b.kind {
		case "before":
			files[b.name] = b.text
		case "patch":
			after = applyExample(t, b.text, files)
			files, patches = map[string]string{}, patches+1
		case "after":
			if after[b.name] != b.text {
				t.Errorf("the page says that %s is\n%sand it is\n%s", b.name, b.text, after[b.name])
			}
			delete(after, b.name)
		}
	}
	if patches < 3 || len(after) > 0 {
		t.Errorf("%d examples were tried, and files are left over: %v", patches, after)
	}
}

// applyExample applies a patch to files that are named with their tags.
func applyExample(t *testing.T, text string, files map[string]string) map[string]string {
	t.Helper()
	p, err := patch.Parse(text, "")
	if err != nil || len(p.Warnings) > 0 || p.String() != text {
		t.Fatalf("%v %q\n%s", err, p.Warnings, p)
	}
	var texts [][]byte
	for i, s := range p.Sections {
		file, ok := files[s.Path+"#"+s.Tag]
		if !ok {
			t.Fatalf("the page has no file for %s", s.Header())
		}
		texts = append(texts, []byte(file))
		p.Sections[i], err = s.Resolve(func(line int64) (doc.Span, error) {
			span, _, err := blocks.Of(s.Path, []byte(file), line)
			return span, err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	results, err := patch.Apply(p, texts)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for i, s := range p.Sections {
		out[s.Path] = string(results[i].Bytes)
		if len(results[i].Warnings) > 0 {
			t.Errorf("%s: %q", s.Path, results[i].Warnings)
		}
	}
	return out
}

var codeShape = regexp.MustCompile("`([^`]*)`")

// pageTable is the rows of one table of the page: the patches of the first cell, and the
// text of the second.
func pageTable(t *testing.T, heading string) (patches [][]string, cells []string) {
	t.Helper()
	_, table, ok := strings.Cut(readText(t, "../docs/edit.md"), heading+"\n|---|---|\n")
	if !ok {
		t.Fatalf("the page has no table %q", heading)
	}
	table, _, _ = strings.Cut(table, "\n\n")
	for row := range strings.SplitSeq(table, "\n") {
		cell := strings.Split(strings.Trim(row, "| "), " | ")
		var written []string
		for _, m := range codeShape.FindAllStringSubmatch(strings.Split(cell[0], " (")[0], -1) {
			written = append(written, unrow(m[1]))
		}
		patches, cells = append(patches, written), append(cells, cell[1])
	}
	return patches, cells
}

const anyHeader = "[f.go#0000]\n"

func unrow(text string) string { return strings.ReplaceAll(text, "⏎", "\n") + "\n" }

// TestTheLibertiesOfTheEditPage reads each of them as the page says, with a warning.
func TestTheLibertiesOfTheEditPage(t *testing.T) {
	patches, cells := pageTable(t, "| written | read as |")
	for i, written := range patches {
		want := anyHeader + unrow(codeShape.FindStringSubmatch(cells[i])[1])
		for _, text := range written {
			p, err := patch.Parse(anyHeader+text, "")
			if err != nil || p.String() != want {
				t.Errorf("%q: %v\n%s", text, err, p)
			}
			if len(p.Warnings) == 0 && !strings.Contains(text, "Abort") {
				t.Errorf("%q is read without a warning", text)
			}
		}
	}
}

// TestTheRefusalsOfTheEditPage refuses each of them for the reason that the page names.
func TestTheRefusalsOfTheEditPage(t *testing.T) {
	patches, cells := pageTable(t, "| written | refused, because |")
	for i, written := range patches {
		reason, _, _ := strings.Cut(cells[i], ":")
		for _, text := range written {
			_, err := patch.Parse(anyHeader+text, "")
			var f *patch.Fault
			if !errors.As(err, &f) || f.Reason.String() != reason {
				t.Errorf("%q: %v, want %s", text, err, reason)
			}
		}
	}
}
