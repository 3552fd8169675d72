package patch

import "fmt"

// warning is a liberty that was taken with a patch: the same one may be taken with many
// rows, and is then told once.
type warning struct {
	line, times int
	text        string
}

// maxWarnings bounds the different notes on one patch; the others are counted.
const maxWarnings = 50

func (p *parser) warn(line int, texts ...string) {
	for _, text := range texts {
		p.warnOnce(line, text)
	}
}

func (p *parser) warnOnce(line int, text string) {
	for i := range p.warnings {
		if w := &p.warnings[i]; w.text == text {
			w.times++
			return
		}
	}
	if len(p.warnings) == maxWarnings {
		p.unsaid++
		return
	}
	p.warnings = append(p.warnings, warning{line, 1, text})
}

// told is the warnings as the reply has them.
func (p *parser) told() []string {
	var out []string
	for _, w := range p.warnings {
		more := ""
		if w.times > 1 {
			more = fmt.Sprintf(" (and in %d more places)", w.times-1)
		}
		out = append(out, fmt.Sprintf("patch line %d: %s%s", w.line, w.text, more))
	}
	if p.unsaid > 0 {
		out = append(out, fmt.Sprintf("%d more notes on the patch are left out", p.unsaid))
	}
	return out
}
