package cli

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"tenet/adapters/settings"
	"tenet/core/call"
	"tenet/core/rules"
)

// RulesOptions is what the rules commands share.
type RulesOptions struct {
	// Dir is the workspace, Profile the default layer in place of the settings' own.
	Dir, Profile string
	JSON         bool
	Out, Err     io.Writer
}

// rulesOf is what is in force in the workspace of the options.
func (o RulesOptions) rulesOf() (*judges, error) { return judgeOf(o.Dir, o.Profile, "", o.Err) }

// placed is tenet's home and a workspace.
func placed(dir string) (settings.Options, error) {
	home, err := Home()
	if err != nil {
		return settings.Options{}, err
	}
	root, err := Workspace(dir)
	return settings.Options{Home: home, Root: root}, err
}

// file is where a rule stands; none for a shipped one.
func (j *judges) file(r rules.Rule) string {
	switch r.Source {
	case rules.FromUser:
		return j.Settings.UserFile
	case rules.FromProject:
		return j.Settings.ProjectFile
	case rules.FromDefault, rules.FromSession:
	}
	return ""
}

// listedRule is a rule as 'tenet rules list --json' prints it.
type listedRule struct {
	Source     string `json:"source"`
	File       string `json:"file,omitempty"`
	Position   int    `json:"position"`
	Name       string `json:"name,omitempty"`
	Capability string `json:"capability"`
	Pattern    string `json:"pattern"`
	Exact      bool   `json:"exact,omitempty"`
	Action     string `json:"action"`
}

func (j *judges) listed(r rules.Rule) listedRule {
	return listedRule{r.Source.String(), j.file(r), r.Position, r.Name, r.Capability, r.Pattern, r.Exact, r.Action.String()}
}

// ListRules prints every rule in force in its order, with where it comes from.
func ListRules(o RulesOptions) error {
	j, err := o.rulesOf()
	if err != nil {
		return err
	}
	if o.JSON {
		return j.listJSON(o.Out)
	}
	fmt.Fprintf(o.Out, "Profile %s; without a rule these effects run unasked: %s.\nThe last rule that matches decides; --json prints every rule of the profile.\n", j.Profile, j.Policy.Auto)
	j.layer(o.Out, "default, shipped with the profile", j.Policy.Layers.Default)
	j.layer(o.Out, "user, "+j.Settings.UserFile, j.Policy.Layers.User)
	j.layer(o.Out, "project, "+j.Settings.ProjectFile+j.trust(), j.Policy.Layers.Project)
	return nil
}

// trust says how much the project's rules count.
func (j *judges) trust() string {
	switch {
	case j.Settings.ProjectState == settings.Unreadable:
		return " (cannot be read: no rule of it counts)"
	case j.Settings.ProjectState == settings.Absent:
		return ""
	case j.Settings.Trusted:
		return " (trusted)"
	}
	return " (not trusted: they only make things stricter; 'tenet trust' shows them and asks)"
}

func (j *judges) layer(out io.Writer, title string, layer []rules.Rule) {
	fmt.Fprintf(out, "\n%s\n", title)
	if len(layer) == 0 {
		fmt.Fprintln(out, "  no rules")
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for len(layer) > 0 {
		n := alike(layer)
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", numbers(layer[:n]), layer[0].Action, call.OneLine(layer[0].Capability, maxShown), patterns(layer[:n]))
		layer = layer[n:]
	}
	w.Flush()
}

// alike counts the rules at the front of a layer that are one shipped rule, written
// once for each pattern. The rules of people stand alone.
func alike(layer []rules.Rule) int {
	first := layer[0]
	for i, r := range layer {
		if i > 0 && (r.Name == "" || r.Name != first.Name || r.Action != first.Action || r.Capability != first.Capability) {
			return i
		}
	}
	return len(layer)
}

func numbers(group []rules.Rule) string {
	if len(group) == 1 {
		return strconv.Itoa(group[0].Position)
	}
	return fmt.Sprintf("%d-%d", group[0].Position, group[len(group)-1].Position)
}

// maxPatterns is how many patterns of a shipped rule a line shows.
const maxPatterns = 3

func patterns(group []rules.Rule) string {
	var out []string
	for _, r := range group[:min(len(group), maxPatterns)] {
		out = append(out, shownPattern(r))
	}
	if more := len(group) - maxPatterns; more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	if group[0].Name != "" {
		return strings.Join(out, ", ") + "  (" + group[0].Name + ")"
	}
	return strings.Join(out, ", ")
}

// maxShown bounds what a line shows of a pattern, in characters.
const maxShown = 200

// shownPattern is a pattern for a person: quoted, since blanks count in it.
func shownPattern(r rules.Rule) string {
	text := `"` + call.OneLine(r.Pattern, maxShown) + `"`
	if r.Exact && strings.Contains(r.Pattern, "*") {
		return text + " exactly"
	}
	return text
}

func (j *judges) listJSON(out io.Writer) error {
	list := []listedRule{}
	for _, r := range j.Policy.Layers.All() {
		list = append(list, j.listed(r))
	}
	return writeJSON(out, struct {
		Profile  string       `json:"profile"`
		Auto     []string     `json:"auto"`
		Trusted  bool         `json:"trusted"`
		Rules    []listedRule `json:"rules"`
		Warnings []string     `json:"warnings"`
	}{j.Profile, j.Policy.Auto.Names(), j.Settings.Trusted, list, append([]string{}, j.Settings.Warnings...)})
}

// ruleShown is one rule in a sentence.
func ruleShown(r rules.Rule) string {
	return fmt.Sprintf("%s %s for %s", r.Action, call.OneLine(r.Capability, maxShown), shownPattern(r))
}

// Scope chooses the file that a change is made in.
type Scope struct{ User, Project bool }

func (s Scope) source() (rules.Source, error) {
	switch {
	case s.User == s.Project:
		return 0, Usage("say whose rules to change: --user for yours everywhere, --project for this project's")
	case s.User:
		return rules.FromUser, nil
	}
	return rules.FromProject, nil
}

// editor is the editor of a scope's file.
func (o RulesOptions) editor(s Scope) (settings.Editor, rules.Source, error) {
	source, err := s.source()
	if err != nil {
		return settings.Editor{}, 0, err
	}
	opts, err := placed(o.Dir)
	return settings.Editor{Options: opts}, source, err
}

// parsedRule reads a rule from the command line; what could never match is refused.
func parsedRule(capability, pattern, action string) (rules.Rule, error) {
	a, ok := rules.ParseAction(action)
	if !ok {
		return rules.Rule{}, Usage("the action is allow, ask or deny, not %q", action)
	}
	var names []string
	for _, c := range call.Capabilities() {
		if rules.Match(capability, c.String()) {
			return rules.Rule{Capability: capability, Pattern: pattern, Action: a}, nil
		}
		names = append(names, c.String())
	}
	return rules.Rule{}, Usage("there is no capability %q; use one of %s, or a pattern such as file.write.*", capability, strings.Join(names, ", "))
}

// tell says what a change did, and whether it counts.
func (o RulesOptions) tell(what string, done settings.Done, err error) error {
	if err != nil {
		return &Error{Code: ExitUsage, Err: err}
	}
	fmt.Fprintf(o.Out, "%s: rule %d of %s\n  %s\n", what, done.Rule.Position, done.File, ruleShown(done.Rule))
	if !done.Trusted {
		fmt.Fprintln(o.Err, "the project's rules are not trusted, so they only make things stricter; 'tenet trust' shows them and asks")
	}
	return nil
}

// interactive reports whether a person can be asked on a file.
func interactive(f *os.File) bool { return f != nil && IsTerminal(f) }
