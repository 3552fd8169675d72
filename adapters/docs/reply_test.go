package docs

import (
	"fmt"
	"strings"
	"testing"

	"tenet/core/doc"
	"tenet/core/output"
)

// Only rows that stay whole after the middle of a long reply was cut are seen, and each
// of those is (S8.8).
func TestReplyMarksWhatTheModelGot(t *testing.T) {
	for _, width := range []int{1, 30, 400, 60 << 10} {
		var r reply
		r.header("f", "0000")
		for n := int64(1); n <= 3000; n++ {
			if width > 1<<10 && n > 3 {
				break
			}
			r.row("/f", 7, "", n, strings.Repeat("x", width), n%10 != 0)
		}
		r.line("[notice]")
		r.bound(output.DefaultBytes)
		text := string(r.text)
		if len(text) > 50<<10 || strings.Count(text, "\n") > 2000 {
			t.Errorf("width %d: %d bytes, %d lines", width, len(text), strings.Count(text, "\n"))
		}
		holds(t, text, "[f#0000]\n", "are left out here", "[notice]\n")
		seen := map[int64]bool{}
		r.seen(func(path string, version uint64, lines doc.Span) {
			for n := lines.From; n <= lines.To; n++ {
				seen[n] = true
			}
		})
		for n := int64(1); n <= 3000; n++ {
			there := strings.Contains("\n"+text, fmt.Sprintf("\n%d:%s\n", n, strings.Repeat("x", width)))
			if seen[n] != (there && n%10 != 0) {
				t.Fatalf("width %d: line %d: seen %v, in the reply %v", width, n, seen[n], there)
			}
		}
	}
}

func TestReplyThatFitsStays(t *testing.T) {
	r := plain("a\nb")
	r.bound(output.DefaultBytes)
	want(t, string(r.text), "a\nb")
	r = plain("")
	r.bound(output.DefaultBytes)
	want(t, string(r.text), "")
}

// When the header of a file is cut away, the rows of that file behind the cut have it
// still: they would be taken for lines of another file.
func TestReplyRepeatsAHeaderThatWasCut(t *testing.T) {
	for _, files := range []int{1, 3} {
		var r reply
		for f := range files {
			r.header(fmt.Sprint("f", f), "0000")
			for n := int64(1); n <= 1500; n++ {
				r.row("/f", 7, "", n, "x", true)
			}
		}
		r.bound(output.DefaultBytes)
		_, tail, cut := strings.Cut(string(r.text), "see them …]\n")
		if cut != (files > 1) || cut && !strings.HasPrefix(tail, "[f2#0000]\n") || strings.Count(string(r.text), "\n") > 2000 {
			t.Errorf("%d files: %.60q", files, tail)
		}
	}
}
