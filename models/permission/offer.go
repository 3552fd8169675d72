package permission

import (
	"fmt"
	"iter"
	"strings"

	"tenet/core/call"
	"tenet/core/rules"
)

// Offer is a command for which patterns may be offered.
type Offer struct {
	// Text is the command's words, Least how many of them a pattern must keep; 0 when
	// only the command itself may be offered.
	Text  string
	Least int
	// Class, Via and Dir are how it was read and where it runs.
	Class call.Class
	Via   string
	Dir   string
}

// String is the command as a run shows it.
func (o Offer) String() string {
	return fmt.Sprintf("%q, %v, via %q in %q", o.Text, o.Class, o.Via, o.Dir)
}

// Offered is the subject that is asked about and the patterns offered for it.
type Offered struct {
	Subject  string
	Patterns []string
}

// Command is the command by its words: a $ stands for what is not known, a word with a
// star or a question mark is a pattern.
func (o Offer) Command() call.Command {
	c := call.Command{Dir: o.Dir, Effects: call.Of(call.Exec)}
	for w := range strings.FieldsSeq(o.Text) {
		c.Words = append(c.Words, call.Word{Text: strings.ReplaceAll(w, "$", call.Hole), Pattern: strings.ContainsAny(w, "*?")})
	}
	if o.Via != "" {
		c.Via = []string{o.Via}
	}
	return c
}

// StepOffer is what the step's first request offers.
func (None) StepOffer(o Offer) (None, Offered) {
	s := call.Step{N: 1, Text: o.Text, Class: o.Class, Effects: call.Of(call.Exec), Commands: []call.Command{o.Command()}}
	if o.Class == call.Compound {
		s.Commands = append(s.Commands, words(x, "make"))
	}
	q := rules.Requests(rules.Place{Root: Root, Home: Home}, "bash", s)[0]
	return None{}, Offered{Subject: q.Subject, Patterns: q.Patterns}
}

// commands are beginnings and how many of their words say what they are for.
var commands = []Offer{
	{Text: "git push", Least: 2}, {Text: "git remote add", Least: 3}, {Text: "git stash", Least: 3}, {Text: "git -C d push"}, {Text: "git", Least: 2},
	{Text: "npm run dev", Least: 3}, {Text: "npm install", Least: 2}, {Text: "npm exec eslint", Least: 3}, {Text: "npm exec sh"}, {Text: "npx eslint", Least: 2}, {Text: "npx node"},
	{Text: "yarn workspace a test", Least: 4}, {Text: "go test", Least: 2}, {Text: "go run ./c"}, {Text: "cargo build", Least: 2}, {Text: "make test", Least: 2}, {Text: "make -j4"},
	{Text: "poetry run pytest", Least: 3}, {Text: "poetry run python"}, {Text: "uv run bash"}, {Text: "bundle exec ruby"}, {Text: "docker ps", Least: 2},
	{Text: "docker run i"}, {Text: "docker exec c"}, {Text: "docker compose up", Least: 3}, {Text: "docker compose exec web"}, {Text: "kubectl get", Least: 2}, {Text: "kubectl exec p"},
	{Text: "gh pr view", Least: 3}, {Text: "gh api u"}, {Text: "pytest", Least: 1}, {Text: "./gradlew test", Least: 2}, {Text: "./run.sh", Least: 1}, {Text: "../run.sh"}, {Text: "/usr/bin/npm install"},
	{Text: "python"}, {Text: "python3 -c"}, {Text: "node"}, {Text: "bash -c"}, {Text: "sh"}, {Text: "perl -e"}, {Text: "ruby"}, {Text: "env"}, {Text: "sudo"}, {Text: "xargs"}, {Text: "ssh h"}, {Text: "awk"},
	{Text: "find ."}, {Text: "rm -r"}, {Text: "frob"}, {Text: "$"}, {Text: "np*"}, {Text: "np? install"},
}

// Offers is every command with each ending, in each class, place and wrapping.
func Offers(None) iter.Seq[Offer] {
	return func(yield func(Offer) bool) {
		for _, o := range commands {
			text := o.Text
			for _, end := range []string{"", " a", " a b", " *", " $", " -x --y=z"} {
				for _, o.Via = range []string{"", "sudo", "timeout", "CI=1", "PATH=."} {
					for _, o.Dir = range []string{Root, Root + "/sub", "/o", ""} {
						for o.Class = call.Simple; o.Class <= call.Obfuscated; o.Class++ {
							if o.Text = text + end; !yield(o) {
								return
							}
						}
					}
				}
			}
		}
	}
}
