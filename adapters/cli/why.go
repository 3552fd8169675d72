package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"tenet/adapters/judge"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/gate"
)

// WhyOptions is a question about a call that never runs.
type WhyOptions struct {
	// Dir is the workspace, Profile the default layer in place of the settings' own.
	Dir, Profile string
	// Tool is the tool that would make the call, Args its words.
	Tool string
	Args []string
	JSON bool
	// Sentence is the sentence of a law by its name, for the person who reads.
	Sentence func(law string) string
	In       io.Reader
	Out, Err io.Writer
}

// judges are what a command asks about calls.
type judges struct {
	judge.Assembled
	judge *judge.Judge
}

// judgeOf assembles the judge of a workspace and says what of the settings does not
// count.
func judgeOf(dir, profile, rules string, errs io.Writer) (*judges, error) {
	root, err := Workspace(dir)
	if err != nil {
		return nil, err
	}
	home, err := Home()
	if err != nil {
		return nil, err
	}
	s := judge.Setup{Root: root, TenetHome: home, Env: os.Environ(), Profile: profile, Roster: rosterNames(), Named: namedTools, Rules: rules}
	a, err := judge.Assemble(s)
	if err != nil {
		return nil, Usage("%w", err)
	}
	for _, w := range a.Settings.Warnings {
		fmt.Fprintf(errs, "warning: %s\n", call.OneLine(w, 1000))
	}
	return &judges{Assembled: a, judge: a.Judge(s)}, nil
}

// Why prints what the gate would say of a call, and why. The error carries the exit
// code: 0 allow, 3 ask, 4 deny.
func Why(ctx context.Context, o WhyOptions) error {
	j, err := judgeOf(o.Dir, o.Profile, "", o.Err)
	if err != nil {
		return err
	}
	c, err := callOf(o.Tool, o.Args)
	if err != nil {
		return err
	}
	r := j.judge.Judge(ctx, c)
	if o.JSON {
		err = writeLine(o.Out, r.Record())
	} else {
		err = o.explain(j, r)
	}
	if err != nil {
		return err
	}
	return verdict(r.Verdict)
}

// verdict carries a verdict to the exit code.
func verdict(v gate.Verdict) error {
	switch v {
	case gate.Allow:
	case gate.Ask:
		return &Error{Code: ExitAsk, Err: errors.New("it asks"), Said: true}
	case gate.Deny:
		return &Error{Code: ExitDeny, Err: errors.New("it is denied"), Said: true}
	}
	return nil
}

func writeLine(out io.Writer, v any) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// arguments are what a call is made of when a person gives one word: which argument it
// is, and what else the tool needs to be planned.
var arguments = map[string]struct {
	name string
	more map[string]any
}{
	"bash": {name: "command"}, "fetch": {name: "url"},
	"read": {name: "path"}, "list_dir": {name: "path"}, "glob": {name: "pattern"},
	"grep":           {name: "path", more: map[string]any{"pattern": "x"}},
	"write":          {name: "path", more: map[string]any{"content": ""}},
	"edit":           {name: "patch"},
	"search_replace": {name: "path", more: map[string]any{"old": "a", "new": "b"}},
}

// callOf makes a call of a person's words: one word is the tool's main argument, or
// all of them as a JSON object.
func callOf(tool string, args []string) (judge.Call, error) {
	tool = cmp.Or(tool, "bash")
	if len(args) != 1 {
		return judge.Call{}, Usage("one command or path is judged, got %d arguments; quote it: tenet why 'npm test && git push'", len(args))
	}
	if strings.TrimSpace(args[0]) == "" {
		return judge.Call{}, Usage("the command is empty; write what would run: tenet why 'npm test'")
	}
	a := arguments[tool]
	if strings.HasPrefix(strings.TrimSpace(args[0]), "{") && json.Valid([]byte(args[0])) && tool != "bash" {
		return judge.Call{Tool: tool, Args: json.RawMessage(args[0])}, nil
	}
	values := map[string]any{cmp.Or(a.name, "path"): args[0]}
	for k, v := range a.more {
		values[k] = v
	}
	b, err := json.Marshal(values)
	if err != nil {
		return judge.Call{}, err
	}
	return judge.Call{Tool: tool, Args: b}, nil
}

// batched is one line that Batch reads: a command, or the arguments of another tool.
type batched struct {
	ID    json.RawMessage `json:"id"`
	Input json.RawMessage `json:"input"`
	// Cwd is the directory the call starts in; empty is the workspace.
	Cwd string `json:"cwd"`
	// As is the tool; empty is bash.
	As string `json:"as"`
}

// batchAnswer is one line that Batch writes.
type batchAnswer struct {
	ID json.RawMessage `json:"id,omitempty"`
	*event.Ruling
	Error string `json:"error,omitempty"`
}

// maxBatchLine bounds one line of a batch.
const maxBatchLine = 1 << 20

// Batch reads calls as JSON lines {id, input, cwd, as} and answers one line each, in
// order. A line that cannot be judged is answered with an error and counts as denied:
// nothing unknown passes. The error carries the strictest verdict.
func Batch(ctx context.Context, o WhyOptions) error {
	j, err := judgeOf(o.Dir, o.Profile, "", o.Err)
	if err != nil {
		return err
	}
	in := bufio.NewScanner(o.In)
	in.Buffer(make([]byte, 64<<10), maxBatchLine)
	out := bufio.NewWriter(o.Out)
	worst := gate.Allow
	for in.Scan() {
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		a, v := j.line(ctx, in.Bytes())
		worst = max(worst, v)
		if err := writeLine(out, a); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if err := in.Err(); err != nil {
		return Usage("the batch was read up to a line that is longer than %d bytes or broken: %w", maxBatchLine, err)
	}
	return verdict(worst)
}

func (j *judges) line(ctx context.Context, text []byte) (batchAnswer, gate.Verdict) {
	b, err := readBatched(text)
	if err != nil {
		return batchAnswer{Error: fmt.Sprintf("the line is not {\"id\", \"input\", \"cwd\", \"as\"}: %v", err)}, gate.Deny
	}
	c, err := b.call()
	if err != nil {
		return batchAnswer{ID: b.ID, Error: err.Error()}, gate.Deny
	}
	r := j.judge.Judge(ctx, c)
	rec := r.Record()
	return batchAnswer{ID: b.ID, Ruling: &rec}, r.Verdict
}

// readBatched reads a line strictly: package json takes Input for input and the last of
// two, and a list that a team judges must not be read in two ways.
func readBatched(text []byte) (b batched, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return b, errors.New("it is no object")
	}
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return b, err
		}
		key, _ := t.(string)
		to, known := map[string]any{"id": &b.ID, "input": &b.Input, "cwd": &b.Cwd, "as": &b.As}[key]
		if !known || seen[key] {
			return b, fmt.Errorf("%q is no member of it, or stands twice", key)
		}
		seen[key] = true
		if err := d.Decode(to); err != nil {
			return b, fmt.Errorf("%s: %w", key, err)
		}
	}
	_, err = d.Token()
	return b, err
}

func (b batched) call() (judge.Call, error) {
	if b.Cwd != "" {
		if info, err := os.Stat(b.Cwd); !filepath.IsAbs(b.Cwd) || err != nil || !info.IsDir() {
			return judge.Call{}, fmt.Errorf("cwd %q is no absolute path of a directory", b.Cwd)
		}
	}
	var word string
	if err := json.Unmarshal(b.Input, &word); err == nil {
		c, err := callOf(b.As, []string{word})
		c.Dir = b.Cwd
		return c, err
	}
	if b.As == "" || len(b.Input) == 0 {
		return judge.Call{}, errors.New("input is no text; give the command as a string, or a tool in as with its arguments as an object")
	}
	return judge.Call{Tool: b.As, Args: b.Input, Dir: b.Cwd}, nil
}

// explain prints the ruling for a person: the verdict with what decided it, then every
// stage over every step.
func (o WhyOptions) explain(j *judges, r gate.Ruling) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", strings.ToUpper(r.Verdict.String()), call.OneLine(r.Why, 2000))
	fmt.Fprintf(&b, "  rule     %s (%s)\n", r.Rule.Name, place(j, r.Rule))
	fmt.Fprintf(&b, "  law      %s\n", r.Law)
	if s := o.Sentence; s != nil && s(r.Law) != "" {
		fmt.Fprintf(&b, "           %s\n", s(r.Law))
	}
	fmt.Fprintf(&b, "  profile  %s, runs unasked: %s\n", j.Profile, orNone(j.Policy.Auto.Names()))
	if r.Next != "" {
		fmt.Fprintf(&b, "  instead  %s\n", r.Next)
	}
	for _, s := range r.Steps {
		stages(&b, j, s, len(r.Steps))
	}
	offered(&b, j.Policy.Offers(r), r.Verdict)
	_, err := io.WriteString(o.Out, b.String())
	return err
}

// place says where a rule stands.
func place(j *judges, r gate.Ref) string {
	at := r.Source
	switch r.Source {
	case "user":
		at = j.Settings.UserFile
	case "project":
		at = j.Settings.ProjectFile
	case "default":
		at = "the profile " + j.Profile
	}
	if r.Position > 0 {
		at += fmt.Sprintf(", rule %d", r.Position)
	}
	return at
}

// stages prints what each stage of the pipeline said of a step.
func stages(b *strings.Builder, j *judges, s gate.StepRuling, of int) {
	fmt.Fprintf(b, "\nstep %d of %d: %s\n", s.Step.N, of, s.Verdict)
	for line := range strings.Lines(s.Step.Text) {
		fmt.Fprintf(b, "  │ %s\n", strings.TrimRight(line, "\n"))
	}
	if s.Step.Dir != "" {
		fmt.Fprintf(b, "  in       %s\n", call.OneLine(s.Step.Dir, 400))
	}
	fmt.Fprintf(b, "  effects  %s (%s)\n", s.Step.Effects, s.Step.Class)
	for _, n := range s.Step.Notes {
		fmt.Fprintf(b, "           %s\n", call.OneLine(n, 400))
	}
	for stage := gate.Registration; stage <= gate.Secrets; stage++ {
		if said := stageSays(j, s, stage); said != "" {
			fmt.Fprintf(b, "  %-12s %s\n", stage, said)
		}
	}
}

// stageSays is one stage's verdict on a step, empty for one that was not reached.
func stageSays(j *judges, s gate.StepRuling, stage gate.Stage) string {
	decided := s.Stage == stage
	text := fmt.Sprintf("%s: %s (%s)", s.Verdict, call.OneLine(s.Why, 1000), s.Rule.Name)
	switch {
	case stage == gate.Rules && s.Stage >= gate.Rules:
		var out []string
		for _, q := range s.Requests {
			said := "no rule speaks of it"
			if d := q.Decision; d.Rule.Capability != "" {
				ref := gate.Ref{Source: d.Rule.Source.String(), Position: d.Rule.Position}
				said = fmt.Sprintf("%s by %s (%s)", d.Action, cmp.Or(d.Rule.Name, fmt.Sprintf("%s %q", d.Rule.Capability, d.Rule.Pattern)), place(j, ref))
			}
			out = append(out, fmt.Sprintf("%s %s: %s", q.Request.Capability, call.OneLine(q.Request.Subject, 300), said))
		}
		if len(out) == 0 {
			return "the step asks for nothing that rules speak of"
		}
		return strings.Join(out, "\n               ")
	case decided:
		return text
	case stage > s.Stage:
		return ""
	case stage == gate.AutoSet:
		return "decides only what is no secret"
	default:
		return "nothing against it"
	}
}

// offered prints the lasting answers that a question would offer.
func offered(b *strings.Builder, offers []gate.Offer, v gate.Verdict) {
	if v != gate.Ask {
		return
	}
	fmt.Fprint(b, "\na yes would count for this call")
	for _, o := range offers {
		kind := "this session: "
		if o.Answer == gate.AllowAlways {
			kind = "always: "
		}
		fmt.Fprintf(b, "; %s%s", kind, call.OneLine(o.Means(), 300))
	}
	fmt.Fprintln(b)
}
