package bridge

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const picturePath = "../docs/session.svg"

// TestPicture keeps the README's picture true: it is drawn from a run of the demo,
// and a demo that prints something else fails here until `make picture` redraws it.
func TestPicture(t *testing.T) {
	work := t.TempDir()
	cmd := exec.Command(buildTenet(t), "demo", "--yes", "--dir", filepath.Join(work, "demo"))
	cmd.Env = append(os.Environ(), "HOME="+work, "TENET_HOME="+filepath.Join(work, "tenet"), "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("tenet demo: %v\n%s", err, out)
	}
	got := draw("$ tenet demo --yes\n" + normalised(string(out), work))
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(picturePath, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(picturePath)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("docs/session.svg is not what the demo prints now (%v); make picture redraws it", err)
	}
}

// The picture's measures, in characters and pixels.
const (
	pictureColumns    = 108
	charWide, rowHigh = 7.8, 17
)

// draw renders terminal text as a picture.
func draw(text string) []byte {
	rows := strings.Split(strings.TrimRight(text, "\n"), "\n")
	var b bytes.Buffer
	wide, high := int(math.Ceil(pictureColumns*charWide))+32, len(rows)*rowHigh+40
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d">`+"\n", wide, high)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="#16181d"/>`+"\n")
	fmt.Fprintf(&b, `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="13" fill="#d6d8dd" xml:space="preserve">`+"\n")
	for i, row := range rows {
		fmt.Fprintf(&b, `<text x="16" y="%d"%s>%s</text>`+"\n", 30+i*rowHigh, paint(row), html.EscapeString(clip(row)))
	}
	b.WriteString("</g>\n</svg>\n")
	return b.Bytes()
}

func clip(row string) string {
	if r := []rune(row); len(r) > pictureColumns {
		return string(r[:pictureColumns-1]) + "…"
	}
	return row
}

// paint gives the rows that a reader looks for first a colour of their own.
func paint(row string) string {
	switch mark := strings.TrimSpace(row); {
	case strings.HasPrefix(mark, "✗"), strings.HasPrefix(mark, "refused"):
		return ` fill="#ff8f8f"`
	case strings.HasPrefix(mark, "✓"), strings.HasPrefix(mark, "ran"):
		return ` fill="#8fdf9f"`
	case strings.HasPrefix(mark, "●"), strings.HasPrefix(mark, "$"):
		return ` fill="#8fc7ff"`
	case strings.HasPrefix(mark, ">"):
		return ` fill="#ffd98f"`
	}
	return ""
}
