package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tenet/adapters/agenthook"
	"tenet/adapters/judge"
	"tenet/core/call"
	"tenet/core/gate"
	core "tenet/core/pathpolicy"
	"tenet/core/rules"
)

// guardJudge rules on the calls of another agent by this user's policy.
type guardJudge struct {
	root   string
	policy *gate.Policy
	calls  *judge.Judge
}

// openJudge reads the settings of a request's project. The error names the file that
// cannot be read, or says what is wrong with the project's directory.
func openJudge(r agenthook.Request, home string) (agenthook.Judge, error) {
	root, err := Workspace(r.Root)
	if err != nil {
		return nil, err
	}
	s := judge.Setup{Root: root, TenetHome: home, Env: os.Environ(), Roster: rosterNames()}
	a, err := judge.Assemble(s)
	if err != nil {
		return nil, err
	}
	return guardJudge{root: root, policy: a.Policy, calls: a.Judge(s)}, nil
}

// accesses are the kinds of calls that reach one path. The agent's own tool does what it
// says, whatever the size or the encoding of the file, so tenet's document tools, which
// refuse some files, are not asked about it.
var accesses = map[string]struct {
	tool string // of the roster
	kind core.Access
}{
	agenthook.Read.String():   {"read", core.Reading},
	agenthook.List.String():   {"list_dir", core.Listing},
	agenthook.Search.String(): {"grep", core.Searching},
	agenthook.Write.String():  {"write", core.Writing},
	agenthook.Edit.String():   {"search_replace", core.Writing},
}

// Judge rules on one call.
func (g guardJudge) Judge(ctx context.Context, dir, tool string, args []byte) agenthook.Answer {
	if a, ok := accesses[tool]; ok {
		return g.access(dir, a.tool, a.kind, args)
	}
	r := g.calls.Judge(ctx, judge.Call{Tool: tool, Args: args, Dir: dir})
	a := g.answer(r)
	if why := g.otherwise(r, args); a.Verdict == agenthook.Allow && why != "" {
		a.Verdict, a.Rule, a.Why = agenthook.Ask, "another-shell", why
	}
	return a
}

// otherwise says why a command may do something else in the agent's own shell than in
// ours, where it was judged: the agent runs git without the arguments that keep a
// repository's programs from running, its shell may be zsh, and it may set variables that
// this process does not have. Empty when it does the same.
func (g guardJudge) otherwise(r gate.Ruling, args []byte) string {
	var a struct{ Command string }
	if err := json.Unmarshal(args, &a); err != nil {
		return ""
	}
	for _, s := range r.Steps {
		for _, c := range s.Step.Commands {
			elsewhere := slices.ContainsFunc(c.Words, func(w call.Word) bool {
				return w.Text == "-C" || strings.HasPrefix(w.Text, "--git-dir") || strings.HasPrefix(w.Text, "--work-tree")
			})
			if c.Name() == "git" && (elsewhere || c.Dir != g.root) {
				return "git runs what a repository names, and this is not the project's own directory"
			}
		}
	}
	if strings.Contains(a.Command, ">!") {
		return "in zsh >! writes the file that follows"
	}
	for _, m := range variables().FindAllStringSubmatch(a.Command, -1) {
		if _, set := os.LookupEnv(m[1]); !set && !strings.Contains(a.Command, m[1]+"=") && !strings.Contains(a.Command, "for "+m[1]+" ") {
			return "the variable " + m[1] + " is not set here, and the agent's shell may set it"
		}
	}
	return ""
}

// variables are the names that a command expands.
var variables = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$\{?([A-Za-z_][A-Za-z0-9_]*)`) })

// access judges the reach for one path, which is resolved as it is now.
func (g guardJudge) access(dir, tool string, kind core.Access, args []byte) agenthook.Answer {
	var a struct{ Path string }
	if err := json.Unmarshal(args, &a); err != nil || a.Path == "" {
		return agenthook.Answer{Verdict: agenthook.Deny, Rule: "not-planned", Why: "the call names no path"}
	}
	t, effects := g.calls.Access(dir, a.Path, kind)
	use := call.Reads
	if kind == core.Writing {
		use = call.Writes
	}
	return g.answer(g.policy.Judge(tool, []call.Step{{
		N: 1, Text: kind.String() + " " + call.OneLine(t.Real.Path, 2000), Dir: dir, Effects: effects,
		Paths: []call.Path{{Real: t.Real.Path, Written: a.Path, Use: use, Class: t.Class.String(), Holds: t.Holds}},
	}}))
}

// verdicts are the gate's words in the guard's.
var verdicts = map[gate.Verdict]agenthook.Verdict{gate.Allow: agenthook.Allow, gate.Ask: agenthook.Ask, gate.Deny: agenthook.Deny}

func (g guardJudge) answer(r gate.Ruling) agenthook.Answer {
	v, ok := verdicts[r.Verdict]
	if !ok {
		v = agenthook.Deny
	}
	a := agenthook.Answer{Verdict: v, Rule: r.Rule.Name, Why: r.Why, Next: r.Next}
	for _, s := range r.Steps {
		a.Commands = append(a.Commands, s.Step.Commands...)
	}
	if a.Verdict == agenthook.Ask {
		a.How = g.how(r)
		if a.How == "" && len(r.Steps) > 1 && a.Next == "" && r.Stage != gate.Secrets {
			a.Next = "Make a call of its own for each command, so that each can be allowed by itself."
		}
	}
	return a
}

// how is the command line with which a person allows such calls: the standing rules that
// a question in tenet's own session would offer, or the exact rule where there is none.
func (g guardJudge) how(r gate.Ruling) string {
	offers := g.policy.Offers(r)
	needed := []rules.Rule(nil)
	if i := slices.IndexFunc(offers, func(o gate.Offer) bool { return o.Answer == gate.AllowAlways }); i >= 0 {
		needed = offers[i].Rules
	} else if exact, ok := g.policy.Exactly(r); ok && spelled(exact) {
		needed = exact
	}
	var lines []string
	for _, rule := range needed {
		lines = append(lines, fmt.Sprintf("tenet rules add --project --dir %s %s %s allow", word(g.root), rule.Capability, word(rule.Pattern)))
	}
	return strings.Join(lines, " && ")
}

// spelled reports whether the rules mean the same in a file, where a * stands for any
// text.
func spelled(rs []rules.Rule) bool {
	return !slices.ContainsFunc(rs, func(r rules.Rule) bool { return strings.Contains(r.Pattern, "*") })
}

// word is a word for a shell, in quotes.
func word(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
