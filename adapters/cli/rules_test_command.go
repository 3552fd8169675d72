package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"tenet/adapters/judge"
	"tenet/core/call"
	"tenet/core/gate"
	"tenet/core/rules"
)

// Exit codes of the commands that answer with a verdict.
const (
	ExitAsk  = 3 // it would be asked about
	ExitDeny = 4 // it would be denied
)

// tried is a call that was judged, with what the rules say of each of its steps: also
// of one that is denied before any rule is asked.
type tried struct {
	gate.Ruling
	each [][]rules.Ruled
}

// TestRules says which rule speaks of each request of a call, and what the gate makes
// of the call. Nothing runs. The error carries the exit code.
func TestRules(ctx context.Context, o RulesOptions, tool string, args []string) error {
	j, err := o.rulesOf()
	if err != nil {
		return err
	}
	input, err := toolInput(tool, args)
	if err != nil {
		return err
	}
	t := j.try(ctx, judge.Call{Tool: tool, Args: input})
	if o.JSON {
		err = j.writeTried(o.Out, t)
	} else {
		j.showTried(o.Out, t)
	}
	if err != nil {
		return err
	}
	return verdict(t.Verdict)
}

// try judges a call, and asks the rules about every step of it.
func (j *judges) try(ctx context.Context, c judge.Call) tried {
	t := tried{Ruling: j.judge.Judge(ctx, c)}
	for _, s := range t.Steps {
		ruled, _ := rules.Step(j.Policy.Place, j.Policy.Layers, c.Tool, s.Step)
		t.each = append(t.each, ruled)
	}
	return t
}

// byPath are the tools that a path alone is a whole call of.
var byPath = map[string]func(path string) any{
	"read":     func(p string) any { return map[string]string{"path": p} },
	"list_dir": func(p string) any { return map[string]string{"path": p} },
	"write":    func(p string) any { return map[string]string{"path": p, "content": ""} },
	"fetch":    func(p string) any { return map[string]string{"url": p} },
}

// toolInput makes the arguments of a call from the command line: a script for bash, a
// path for the tools that take one, a JSON object for every tool.
func toolInput(tool string, args []string) (json.RawMessage, error) {
	if len(args) == 1 && strings.HasPrefix(strings.TrimSpace(args[0]), "{") && tool != "bash" {
		if !json.Valid([]byte(args[0])) {
			return nil, Usage("the arguments of %s are not valid JSON: %s", tool, call.OneLine(args[0], maxShown))
		}
		return json.RawMessage(args[0]), nil
	}
	make, path := byPath[tool]
	switch {
	case tool == "bash" && len(args) == 1:
		return json.Marshal(map[string]string{"command": args[0]})
	case path && len(args) == 1:
		return json.Marshal(make(args[0]))
	case tool == "bash":
		return nil, Usage("bash takes one script, got %d arguments; quote it: tenet rules test 'npm test'", len(args))
	case path:
		return nil, Usage("%s takes one argument, got %d: tenet rules test --as %s PATH", tool, len(args), tool)
	case len(args) == 0:
		return json.RawMessage("{}"), nil
	}
	return nil, Usage("%s takes its arguments as one JSON object: tenet rules test --as %s '{\"path\": \"a\"}'", tool, tool)
}

func (j *judges) showTried(out io.Writer, t tried) {
	for i, s := range t.Steps {
		fmt.Fprintf(out, "%s\n  effects: %s\n", call.OneLine(s.Step.Text, maxShown), s.Step.Effects)
		for _, r := range t.each[i] {
			only := ""
			if r.Request.ExactOnly {
				only = " (only a rule that spells all of it may allow it)"
			}
			fmt.Fprintf(out, "  %s for \"%s\"%s\n", r.Request.Capability, call.OneLine(r.Request.Subject, maxShown), only)
			fmt.Fprintf(out, "      %s\n", j.because(r.Decision))
		}
	}
	fmt.Fprintf(out, "\n%s, by the stage %s: %s.\n", t.Verdict, t.Stage, strings.TrimSuffix(t.Why, "."))
}

// because names the rule that decided.
func (j *judges) because(d rules.Decision) string {
	if d.Action == rules.Silent {
		return "no rule speaks of it"
	}
	where := "the profile"
	if f := j.file(d.Rule); f != "" {
		where = f
	}
	text := fmt.Sprintf("%s, by rule %d of %s: %s", d.Action, d.Rule.Position, where, ruleShown(d.Rule))
	if d.Rule.Name != "" {
		text += " (" + d.Rule.Name + ")"
	}
	return text
}

// triedRequest is one request as --json prints it.
type triedRequest struct {
	Capability string `json:"capability"`
	Subject    string `json:"subject"`
	ExactOnly  bool   `json:"exactOnly"`
	// Action is silent when no rule speaks; Rule is null then.
	Action string      `json:"action"`
	Rule   *listedRule `json:"rule"`
}

// triedStep is one step as --json prints it.
type triedStep struct {
	Text     string         `json:"text"`
	Effects  []string       `json:"effects"`
	Requests []triedRequest `json:"requests"`
}

func (j *judges) writeTried(out io.Writer, t tried) error {
	steps := []triedStep{}
	for i, s := range t.Steps {
		one := triedStep{s.Step.Text, s.Step.Effects.Names(), []triedRequest{}}
		for _, r := range t.each[i] {
			q := triedRequest{r.Request.Capability.String(), r.Request.Subject, r.Request.ExactOnly, r.Decision.Action.String(), nil}
			if r.Decision.Action != rules.Silent {
				l := j.listed(r.Decision.Rule)
				q.Rule = &l
			}
			one.Requests = append(one.Requests, q)
		}
		steps = append(steps, one)
	}
	return writeJSON(out, struct {
		Verdict string      `json:"verdict"`
		Stage   string      `json:"stage"`
		Why     string      `json:"why"`
		Steps   []triedStep `json:"steps"`
	}{t.Verdict.String(), t.Stage.String(), t.Why, steps})
}

// writeJSON prints one value for programs, and for people who look.
func writeJSON(out io.Writer, v any) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

func rulesTestCommand() *cobra.Command {
	var o RulesOptions
	var tool string
	c := &cobra.Command{
		Use:   "test 'COMMAND' | test --as TOOL ARGUMENTS",
		Short: "Say which rule speaks of each request of a call that never runs",
		Long: `Plan a call and say for each thing it asks for which rule decides, with its file and
position, then what the gate makes of the call. Nothing runs.

The arguments are a script for bash, a path for read, write and list_dir, an address
for fetch, and one JSON object for every tool.

Exit codes: 0 allow, 3 ask, 4 deny, 2 usage or configuration.`,
		Example: `  tenet rules test 'npm test && git push'
  tenet rules test --as write /etc/hosts
  tenet rules test --as grep '{"pattern": "TODO", "path": "src"}'
  tenet rules test --profile strict --json 'ls'`,
		RunE: func(c *cobra.Command, args []string) error { o.on(c); return TestRules(c.Context(), o, tool, args) },
	}
	o.dirFlag(c)
	o.profileFlag(c)
	c.Flags().StringVar(&tool, "as", "bash", "the tool that makes the call: bash, read, write, grep, ... or one that joined late")
	c.Flags().BoolVar(&o.JSON, "json", false, "print one JSON object")
	return c
}
