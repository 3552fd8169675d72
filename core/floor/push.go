package floor

import (
	"slices"
	"strings"

	"tenet/core/call"
)

// rewrites: git push that forces or deletes main or master, as far as its words tell.
// A push that names no branch may be of any, and is for the rules.
func rewrites(_ Place, c call.Command) bool {
	if !is(c, "git") {
		return false
	}
	words := subcommand(rest(c))
	if len(words) == 0 || words[0].Text != "push" {
		return false
	}
	p := readPush(words[1:])
	switch {
	case p.dry:
		return false
	case p.mirror, p.force && p.all:
		return true
	}
	return len(p.operands) > 1 && slices.ContainsFunc(p.operands[1:], p.harms)
}

// valued are git's options before the subcommand that take the next word.
var valued = strings.Fields("-C -c --git-dir --work-tree --namespace --super-prefix --config-env --exec-path --attr-source")

func subcommand(words []call.Word) []call.Word {
	for len(words) > 0 && strings.HasPrefix(words[0].Text, "-") {
		n := 1
		if slices.Contains(valued, words[0].Text) {
			n = 2
		}
		words = words[min(n, len(words)):]
	}
	return words
}

// push is what the words of a git push say.
type push struct {
	force, remove, mirror, all, dry bool
	operands                        []string
}

// harms reports whether a refspec forces or removes a main branch.
func (p *push) harms(spec string) bool {
	spec, plus := strings.CutPrefix(spec, "+")
	from, to, two := strings.Cut(spec, ":")
	if !two {
		to = from
	}
	removes := p.remove || two && from == "" && to != ""
	return (p.force || plus || removes) && (shared(to) || spec == ":")
}

// shared reports whether a name is that of a main branch, or a pattern over branches.
func shared(to string) bool {
	to = strings.TrimPrefix(strings.TrimPrefix(to, "refs/"), "heads/")
	return to == "main" || to == "master" || to == "*"
}

func readPush(words []call.Word) push {
	var p push
	for i := 0; i < len(words); i++ {
		t := words[i].Text
		switch {
		case t == "--":
			for _, w := range words[i+1:] {
				p.operands = append(p.operands, w.Text)
			}
			return p
		case strings.HasPrefix(t, "--"):
			if p.long(t) {
				i++
			}
		case len(t) > 1 && t[0] == '-':
			if p.short(t[1:]) {
				i++
			}
		default:
			p.operands = append(p.operands, t)
		}
	}
	return p
}

// long reads a long option, shortened or not; takes is true when the next word is its
// value. --force alone is force: --force-with-lease overwrites only what was seen.
func (p *push) long(t string) (takes bool) {
	begins := func(option string) bool { return len(t) > 2 && strings.HasPrefix(option, t) }
	switch {
	case t == "--force":
		p.force = true
	case t == "--no-force":
		p.force = false
	case begins("--delete"):
		p.remove = true
	case begins("--mirror"):
		p.mirror = true
	case begins("--all"), begins("--branches"):
		p.all = true
	case begins("--dry-run"):
		p.dry = true
	case strings.HasPrefix(t, "--no-d"):
		p.dry = false
	case t == "--push-option", t == "--repo", t == "--receive-pack", t == "--exec":
		return true
	}
	return false
}

// short reads a group of short options; takes is true when the next word is the value
// of the last.
func (p *push) short(group string) (takes bool) {
	for i, o := range group {
		switch o {
		case 'f':
			p.force = true
		case 'd':
			p.remove = true
		case 'n':
			p.dry = true
		case 'o':
			return i == len(group)-1
		}
	}
	return false
}
