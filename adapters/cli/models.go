package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tenet/adapters/provider/catalog"
	"tenet/core/call"
)

// ModelsCommand is 'tenet models': what models there are, and what a server says of itself.
func ModelsCommand() *cobra.Command {
	var o modelsOptions
	c := &cobra.Command{
		Use:   "models",
		Short: "List the models that tenet knows, or ask a server about one",
		Long: `List the models that are known by name: of the built-in servers, and of your own
models.json. Any other name of a server works as well: ollama/NAME, openrouter/NAME.
No network is asked; 'tenet models probe' does that. docs/models.md shows how to
point tenet at each kind of server.`,
		Example: `  tenet models
  tenet models probe ollama/qwen3:8b
  tenet config set model anthropic/claude-opus-4-5`,
		Args: onlySubcommands,
		RunE: func(c *cobra.Command, _ []string) error { o.on(c); return o.list() },
	}
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON array of objects")
	c.AddCommand(probeCommand())
	return c
}

func probeCommand() *cobra.Command {
	var o modelsOptions
	c := &cobra.Command{
		Use:   "probe [MODEL]",
		Short: "Ask a server for its models and its window, and send one small request",
		Long: `Ask the server of a model (without a name: of your default model) which models it
has and how large their context really is, and send one small streamed request with
a tool. It says what works and how fast, and warns of what will go wrong later: a
context that is cut in silence, calls that come as text, a server without tools.

Exit codes: 0 the model called the tool, 1 it did not or there was no reply, 2 usage.`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return Usage("%s takes one model, got %d arguments", c.CommandPath(), len(args))
			}
			return nil
		},
		ValidArgsFunction: CompleteModels,
		RunE: func(c *cobra.Command, args []string) error {
			o.on(c)
			return o.probe(c.Context(), strings.Join(args, ""))
		},
	}
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON object")
	c.Flags().StringVar(&o.dir, "dir", ".", "the workspace whose settings name the default model")
	return c
}

type modelsOptions struct {
	dir      string
	json     bool
	out, err io.Writer
}

func (o *modelsOptions) on(c *cobra.Command) { o.out, o.err = c.OutOrStdout(), c.ErrOrStderr() }

// listedModel is a model as 'tenet models --json' prints it; Model ends with /* for a
// server whose models are not known by name.
type listedModel struct {
	Model     string `json:"model"`
	Name      string `json:"name,omitempty"`
	Wire      string `json:"wire"`
	Context   int    `json:"context,omitempty"`
	MaxOutput int    `json:"maxOutput,omitempty"`
	Images    string `json:"images"`
	Thinking  string `json:"thinking"`
	Key       string `json:"key"`
	From      string `json:"from"`
	Says      string `json:"says,omitempty"`
	// Ready is true when it may be used now, as far as its key says.
	Ready bool `json:"-"`
}

func (o *modelsOptions) list() error {
	home, err := Home()
	if err != nil {
		return err
	}
	c, warnings := catalog.Load(home, os.Getenv)
	for _, w := range warnings {
		fmt.Fprintln(o.err, "warning:", call.OneLine(w, 1000))
	}
	out := listModels(c)
	if o.json {
		return writeJSON(o.out, out)
	}
	return o.table(out)
}

// listModels are the models of a catalog, as they are shown.
func listModels(c *catalog.Catalog) (out []listedModel) {
	for _, r := range c.Rows() {
		for _, i := range c.Of(r) {
			m := listedModel{i.Selector, i.Name, i.Wire, i.Context, i.MaxOutput, i.Images.String(), i.Thinking.String(), keyShown(i.Key), i.Source, "", ready(i.Key)}
			if !i.Listed {
				m.Name, m.Says = "", r.Says
			}
			out = append(out, m)
		}
	}
	return out
}

func (o *modelsOptions) table(models []listedModel) error {
	w := tabwriter.NewWriter(o.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "MODEL\tCONTEXT\tIMAGES\tTHINKS\tKEY\tFROM")
	for _, m := range models {
		size := "-"
		if m.Context > 0 {
			size = strconv.Itoa(m.Context)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", m.Model, size, dash(m.Images), dash(m.Thinking), m.Key, m.From)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(o.out, "\nPROVIDER/* takes any name that the server knows. Choose one: tenet config set model NAME")
	return err
}

func dash(known string) string {
	if known == catalog.Unknown.String() {
		return "-"
	}
	return known
}

// keyShown says how a key stands, never the key.
func keyShown(k catalog.Key) string {
	switch {
	case k.Found:
		return k.From
	case k.Why != "":
		return "none: " + k.Why
	case k.Needed:
		return "none: set $" + k.Var
	}
	return "not needed"
}

func (o *modelsOptions) probe(ctx context.Context, selector string) error {
	p, err := shelf(o.dir)
	if err != nil {
		return err
	}
	for _, n := range p.Notes {
		fmt.Fprintln(o.err, "warning:", call.OneLine(n, 1000))
	}
	if selector == "" {
		selector = p.Settings.Run.Model
	}
	if selector == "" {
		return Usage("%s", NoModel(p.Catalog))
	}
	r, err := p.Catalog.Probe(ctx, selector, p.Use)
	if err != nil {
		return Usage("%w", err)
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if o.json {
		err = writeJSON(o.out, probed(r))
	} else {
		o.tell(r)
	}
	if err == nil && (r.Reply.Err != nil || !r.Reply.Called) {
		err = &Error{Code: ExitFailed, Err: fmt.Errorf("%s does not work as a model of an agent", r.Info.Selector), Said: true}
	}
	return err
}

// tell prints a report for a person.
func (o *modelsOptions) tell(r catalog.Report) {
	line := func(name, format string, a ...any) {
		fmt.Fprintf(o.out, "%-9s %s\n", name, call.OneLine(fmt.Sprintf(format, a...), 600))
	}
	line("model", "%s (%s, %s)", r.Info.Selector, r.Info.Wire, r.Address)
	if r.Count > 0 {
		line("server", "lists %d models", r.Count)
	}
	switch {
	case r.Context > 0:
		line("context", "%d tokens, by %s", r.Context, r.ContextFrom)
	case r.Info.Context > 0:
		line("context", "%d tokens, by %s; the server does not say", r.Info.Context, r.Info.Source)
	default:
		line("context", "not known; say it in models.json, so that tenet summarises in time")
	}
	if len(r.Can) > 0 {
		line("can", "%s", strings.Join(r.Can, ", "))
	}
	t := r.Reply
	if t.Err != nil {
		line("reply", "none: %v", t.Err)
	} else {
		line("reply", "first piece after %s, whole after %s%s", short(t.First), short(t.Whole), speed(*t))
		line("tools", "%s", map[bool]string{true: "called as it was asked", false: "not called: " + strconv.Quote(t.Text)}[t.Called])
	}
	for _, w := range r.Warnings {
		line("warning", "%s", w)
	}
}

func short(d time.Duration) string { return d.Round(time.Millisecond).String() }

func speed(t catalog.Trial) string {
	if s := t.Speed(); s > 0 {
		return fmt.Sprintf(", %.0f tokens a second", s)
	}
	return ""
}

// probedModel is a report as 'tenet models probe --json' prints it.
type probedModel struct {
	Model       string   `json:"model"`
	Wire        string   `json:"wire"`
	Address     string   `json:"address"`
	Models      []string `json:"models"`
	Listed      bool     `json:"listed"`
	Context     int      `json:"context,omitempty"`
	ContextFrom string   `json:"contextFrom,omitempty"`
	Can         []string `json:"can,omitempty"`
	FirstMS     int64    `json:"firstMs"`
	WholeMS     int64    `json:"wholeMs"`
	Called      bool     `json:"called"`
	Error       string   `json:"error,omitempty"`
	Warnings    []string `json:"warnings"`
}

func probed(r catalog.Report) probedModel {
	p := probedModel{
		Model: r.Info.Selector, Wire: r.Info.Wire, Address: r.Address, Models: r.Names, Listed: r.Listed, Context: r.Context, ContextFrom: r.ContextFrom,
		Can: r.Can, FirstMS: r.Reply.First.Milliseconds(), WholeMS: r.Reply.Whole.Milliseconds(), Called: r.Reply.Called, Warnings: r.Warnings,
	}
	if r.Reply.Err != nil {
		p.Error = r.Reply.Err.Error()
	}
	if p.Models == nil {
		p.Models = []string{}
	}
	if p.Warnings == nil {
		p.Warnings = []string{}
	}
	return p
}
