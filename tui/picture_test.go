package tui

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The README's pictures are screens of the real program. `make picture` draws them; here
// their text is compared with what the program shows now.
func TestPictures(t *testing.T) {
	p := newPlace(t)
	s := p.start(t, 108, 36, "--theme", "dark", "--script", p.script(t, "cards.rehearsal"), "--prompt", "Fix the script.")
	s.WaitFor(t, "sh test.sh")
	counts(t, s)
	s.Send("y")
	s.WaitFor(t, "Write")
	s.Wait(t, func(text string) bool {
		return strings.Contains(text, "outside.sh") && strings.Contains(text, "Enter = no")
	})
	drawnAs(t, "../docs/interface.svg", s.Styled(), s.Text())
}

func drawnAs(t *testing.T, path, styled, text string) {
	t.Helper()
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, svg(variesNames.ReplaceAllStringFunc(styled, sameLength)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if shown := textOf(string(got)); steady(shown) != steady(text) {
		t.Errorf("%s is not what the interface shows now; make picture redraws it:\n%s\nand now:\n%s", path, steady(shown), steady(text))
	}
}

var (
	tags = regexp.MustCompile(`<[^>]*>`)
	sgr  = regexp.MustCompile(`\x1b\[([0-9;]*)m`)
)

// textOf is the text of a picture, a line a row.
func textOf(image string) string {
	var rows []string
	for _, l := range strings.Split(image, "\n") {
		if strings.HasPrefix(l, "<text ") {
			rows = append(rows, strings.TrimRight(html.UnescapeString(tags.ReplaceAllString(l, "")), " "))
		}
	}
	return strings.TrimRight(strings.Join(rows, "\n"), "\n")
}

// pen is the style at one place.
type pen struct {
	front            string
	bold, faint, rev bool
}

// svg draws a screen with its styles.
func svg(styled string) []byte {
	const charWide, rowHigh = 7.8, 17
	rows := strings.Split(strings.TrimRight(styled, "\n"), "\n")
	var b bytes.Buffer
	wide, high := 108*charWide+32, len(rows)*rowHigh+36
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" viewBox="0 0 %[1]f %[2]d">`+"\n", wide, high)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="#16181d"/>`+"\n")
	fmt.Fprintf(&b, `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="13" fill="#d6d8dd" xml:space="preserve">`+"\n")
	var at pen
	for i, row := range rows {
		fmt.Fprintf(&b, `<text x="16" y="%d">`, 28+i*rowHigh)
		for row != "" {
			m := sgr.FindStringSubmatchIndex(row)
			if m == nil {
				at.write(&b, row)
				break
			}
			at.write(&b, row[:m[0]])
			at.take(row[m[2]:m[3]])
			row = row[m[1]:]
		}
		b.WriteString("</text>\n")
	}
	b.WriteString("</g>\n</svg>\n")
	return b.Bytes()
}

func (p pen) write(b *bytes.Buffer, text string) {
	if text == "" {
		return
	}
	front := p.front
	if p.rev {
		front = "#ffd98f"
	}
	attrs := ""
	if front != "" {
		attrs += fmt.Sprintf(` fill="%s"`, front)
	}
	if p.bold {
		attrs += ` font-weight="bold"`
	}
	if p.faint {
		attrs += ` opacity="0.7"`
	}
	if attrs == "" {
		b.WriteString(html.EscapeString(text))
		return
	}
	fmt.Fprintf(b, "<tspan%s>%s</tspan>", attrs, html.EscapeString(text))
}

// take changes the pen as a style sequence says.
func (p *pen) take(params string) {
	var n []int
	for _, s := range strings.Split(params, ";") {
		v, _ := strconv.Atoi(s)
		n = append(n, v)
	}
	for i := 0; i < len(n); i++ {
		switch n[i] {
		case 0:
			*p = pen{}
		case 1:
			p.bold = true
		case 2:
			p.faint = true
		case 7:
			p.rev = true
		case 22:
			p.bold, p.faint = false, false
		case 27:
			p.rev = false
		case 39:
			p.front = ""
		case 38:
			if i+4 < len(n) && n[i+1] == 2 {
				p.front = fmt.Sprintf("#%02x%02x%02x", n[i+2], n[i+3], n[i+4])
				i += 4
			}
		case 48:
			if i+4 < len(n) && n[i+1] == 2 {
				i += 4
			}
		}
	}
}
