package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tenet/adapters/pathpolicy"
	"tenet/core/call"
	corepath "tenet/core/pathpolicy"
	"tenet/core/rules"
	"tenet/core/script"
)

// ruled is what the rules make of one call.
type ruled struct {
	step    call.Step
	each    []rules.Ruled
	covered call.Effects
	// over is what no rule covers and the auto set does not hold.
	over   call.Effects
	action rules.Action
}

// judged asks the rules about a step: what a rule denies or asks about, then what no
// allow covers against the auto set; a secret asks whatever the rules say.
func (in *inForce) judged(place rules.Place, tool string, s call.Step) ruled {
	v := ruled{step: s}
	v.each, v.covered = rules.Step(place, in.layers, tool, s)
	for _, r := range v.each {
		v.action = rules.Combine(v.action, r.Decision.Action)
	}
	v.over = s.Effects.Minus(v.covered).Minus(in.auto)
	switch {
	case v.action == rules.Deny:
	case v.over != 0 || s.Effects.Has(call.Secret):
		v.action = rules.Ask
	case v.action == rules.Silent:
		v.action = rules.Allow
	}
	return v
}

// TestRules says which rule speaks of each request of a call, and what they come to.
// Nothing runs. The error tells the exit code.
func TestRules(o RulesOptions, tool string, args []string) error {
	in, err := o.rulesOf()
	if err != nil {
		return err
	}
	home, err := Home()
	if err != nil {
		return err
	}
	p := planner{root: in.root, judge: pathpolicy.New(pathpolicy.Options{
		Root: in.root, TenetHome: home, Env: os.Environ(), Settings: in.Files,
	})}
	s, err := p.plan(tool, args)
	if err != nil {
		return err
	}
	user, _ := os.UserHomeDir() // without one no rule can speak of it
	v := in.judged(rules.Place{Root: in.root, Home: user}, tool, s)
	if o.JSON {
		err = in.writeRuled(o.Out, v)
	} else {
		in.showRuled(o.Out, v)
	}
	if err != nil {
		return err
	}
	return verdictError(v.action)
}

// Exit codes of the commands that answer with a verdict.
const (
	ExitAsk  = 3 // it would be asked about
	ExitDeny = 4 // it would be denied
)

// verdictError carries a verdict to the exit code.
func verdictError(a rules.Action) error {
	switch a {
	case rules.Ask:
		return &Error{Code: ExitAsk, Err: fmt.Errorf("it asks"), Said: true}
	case rules.Deny:
		return &Error{Code: ExitDeny, Err: fmt.Errorf("it is denied"), Said: true}
	case rules.Allow, rules.Silent:
	}
	return nil
}

func (in *inForce) showRuled(out io.Writer, v ruled) {
	fmt.Fprintf(out, "%s\n  effects: %s\n", call.OneLine(v.step.Text, maxShown), v.step.Effects)
	for _, r := range v.each {
		only := ""
		if r.Request.ExactOnly {
			only = " (only a rule that spells all of it may allow it)"
		}
		fmt.Fprintf(out, "  %s for %q%s\n", r.Request.Capability, call.OneLine(r.Request.Subject, maxShown), only)
		fmt.Fprintf(out, "      %s\n", in.because(r.Decision))
	}
	fmt.Fprintf(out, "The rules say %s%s.\n", v.action, v.why())
}

// because names the rule that decided.
func (in *inForce) because(d rules.Decision) string {
	if d.Action == rules.Silent {
		return "no rule speaks of it"
	}
	where := d.Rule.Source.String()
	if f := in.file(d.Rule); f != "" {
		where = f
	}
	text := fmt.Sprintf("%s, by rule %d of %s: %s", d.Action, d.Rule.Position, where, ruleShown(d.Rule))
	if d.Rule.Name != "" {
		text += " (" + d.Rule.Name + ")"
	}
	return text
}

func (v ruled) why() string {
	switch {
	case v.action == rules.Deny:
	case v.step.Effects.Has(call.Secret):
		return ": it touches a secret, and that is always asked about"
	case v.over != 0:
		return fmt.Sprintf(": no rule allows %s, and the auto set does not hold it", v.over)
	}
	return ""
}

func (in *inForce) writeRuled(out io.Writer, v ruled) error {
	type request struct {
		Capability string      `json:"capability"`
		Subject    string      `json:"subject"`
		ExactOnly  bool        `json:"exactOnly"`
		Action     string      `json:"action"`
		Rule       *listedRule `json:"rule"`
	}
	requests := []request{}
	for _, r := range v.each {
		q := request{r.Request.Capability.String(), r.Request.Subject, r.Request.ExactOnly, r.Decision.Action.String(), nil}
		if r.Decision.Action != rules.Silent {
			l := in.listed(r.Decision.Rule)
			q.Rule = &l
		}
		requests = append(requests, q)
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		Verdict  string    `json:"verdict"`
		Text     string    `json:"text"`
		Effects  []string  `json:"effects"`
		Covered  []string  `json:"covered"`
		Over     []string  `json:"over"`
		Requests []request `json:"requests"`
	}{v.action.String(), v.step.Text, v.step.Effects.Names(), v.covered.Names(), v.over.Names(), requests})
}

// planner makes the step that the rules are asked about.
type planner struct {
	root  string
	judge *pathpolicy.Judge
}

// accesses are the document tools with what each does to its path.
var accesses = map[string]corepath.Access{
	"read": corepath.Reading, "grep": corepath.Searching, "glob": corepath.Listing, "list_dir": corepath.Listing,
	"write": corepath.Writing, "edit": corepath.Writing, "search_replace": corepath.Writing,
}

// plan is the step of a command of bash, of an argv of run, of an access of a document
// tool, or of a tool that joined late.
func (p planner) plan(tool string, args []string) (call.Step, error) {
	kind, document := accesses[tool]
	switch {
	case tool == "bash" && len(args) == 1:
		return p.script(args[0])
	case tool == "bash":
		return call.Step{}, Usage("bash takes one script, got %d arguments; quote it: tenet rules test 'npm test'", len(args))
	case tool == "run" && len(args) > 0:
		words := make([]string, len(args))
		for i, a := range args {
			words[i] = script.Shown(a)
		}
		return p.script(strings.Join(words, " "))
	case document && len(args) == 1:
		return p.access(kind, args[0])
	case document || tool == "run":
		return call.Step{}, Usage("%s takes its path or its words: tenet rules test --as %s FILE", tool, tool)
	}
	return call.Step{N: 1, Text: tool, Effects: call.Of(call.Exec, call.Net)}, nil
}

func (p planner) script(text string) (call.Step, error) {
	sc, err := script.Parse(text)
	if err != nil {
		return call.Step{}, Usage("%w", err)
	}
	f := p.judge.Whole(p.root, sc.File)
	return call.Step{
		N: 1, Text: script.ShownScript(sc.Text), Effects: f.Effects, Notes: f.Notes, Class: f.Class,
		Commands: f.Commands, Hazards: f.Hazards, Paths: f.Paths,
	}, nil
}

func (p planner) access(kind corepath.Access, path string) (call.Step, error) {
	t, effects := p.judge.Access(p.root, path, kind)
	use := call.Reads
	if kind == corepath.Writing {
		use = call.Writes
	}
	at := call.Path{Real: t.Real.Path, Written: path, Use: use, Class: t.Class.String(), Holds: t.Holds}
	return call.Step{N: 1, Text: kind.String() + " " + at.Real, Effects: effects, Paths: []call.Path{at}}, nil
}

func rulesTestCommand() *cobra.Command {
	var o RulesOptions
	tool := "bash"
	c := &cobra.Command{
		Use:   "test [--as TOOL] COMMAND | ARGUMENTS",
		Short: "Say which rule speaks of each request of a call that never runs",
		Long: `Plan a call and say for each thing it asks for which rule decides, then what they
come to. Nothing runs. Only the rules, the auto set and the question about secrets
are asked: what the floor and the guard refuse, they refuse before.

Exit codes: 0 allow, 3 ask, 4 deny, 2 usage or configuration.`,
		Example: `  tenet rules test 'npm test && git push'
  tenet rules test --as write /etc/hosts
  tenet rules test --profile strict --json 'ls'`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 && slices.Contains([]string{"bash", "run"}, tool) {
				return Usage("%s takes a command; see '%s --help'", c.CommandPath(), c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { o.on(c); return TestRules(o, tool, args) },
	}
	o.dirFlag(c)
	o.profileFlag(c)
	c.Flags().StringVar(&tool, "as", tool, "the tool that makes the call: bash, run, read, write, ... or the name of one that joined late")
	c.Flags().BoolVar(&o.JSON, "json", false, "print one JSON object")
	return c
}
