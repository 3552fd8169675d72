package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"tenet/adapters/provider"
	"tenet/adapters/provider/catalog"
	"tenet/adapters/settings"
	"tenet/core/call"
)

// Picked is the model of a run, opened.
type Picked struct {
	// Provider talks to it; Info is what is known of it.
	Provider provider.Provider
	Info     catalog.Info
	// Settings are what both files say, Catalog what models there are, Use how they are
	// opened.
	Settings *settings.Settings
	Catalog  *catalog.Catalog
	Use      catalog.Use
	// Notes are sentences that a person should read, about files of models and names.
	Notes []string
}

// Auxiliary chooses the model of the session's summaries (H7.1).
func (p Picked) Auxiliary() *catalog.Auxiliary {
	return &catalog.Auxiliary{Catalog: p.Catalog, Use: p.Use, Session: p.Info.Selector}
}

// shelf reads the settings and the models of a place.
func shelf(dir string) (Picked, error) {
	opts, err := placed(dir)
	if err != nil {
		return Picked{}, err
	}
	s, err := settings.Load(opts)
	if err != nil {
		return Picked{}, Usage("%w", err)
	}
	p := Picked{Settings: s, Use: catalog.Use{Run: s.Run}}
	p.Catalog, p.Notes = catalog.Load(opts.Home, os.Getenv)
	return p, nil
}

// pick finds a model by its name, and opens nothing.
func pick(dir, selector string) (Picked, error) {
	p, err := shelf(dir)
	if err == nil {
		p.Info, err = p.Catalog.Find(selector)
	}
	return p, err
}

// Pick opens the model of a run: the one that the command line names, else the
// settings' own. Nothing is sent and no network is needed. The error says what to do.
func Pick(dir, model, version string) (Picked, error) {
	p, err := shelf(dir)
	if err != nil {
		return p, err
	}
	p.Use.Version = version
	selector, from := model, "--model"
	if selector == "" {
		selector, from = p.Settings.Run.Model, p.Settings.Sources["model"]
	}
	if selector == "" {
		return p, Usage("%w", &ModellessError{NoModel(p.Catalog)})
	}
	p.Provider, p.Info, err = p.Catalog.Open(selector, p.Use)
	if err != nil {
		return p, Usage("%w", unusable(err, from))
	}
	if !p.Info.Listed && p.Info.Near != nil {
		p.Notes = append(p.Notes, unlisted(p.Info))
	}
	return p, nil
}

// unusable is why a model cannot be used, with the place that names it when that is a file.
func unusable(err error, from string) error {
	var missing *catalog.NotFoundError
	if !errors.As(err, &missing) || from == "--model" {
		return err
	}
	return fmt.Errorf("%s: model: %w; choose another with 'tenet config set model NAME', or for once with --model", from, err)
}

// unlisted says that a name is in no list.
func unlisted(i catalog.Info) string {
	return fmt.Sprintf("%s is in no list of models that tenet has, so its server decides; did you mean %s?", call.OneLine(i.Selector, 200), strings.Join(i.Near, " or "))
}

// NoModel says what to do when no model is set up: what is there first, then what is not.
func NoModel(c *catalog.Catalog) string {
	var b strings.Builder
	b.WriteString("no model is set up.\n")
	if os.Getenv(provider.URLVar) != "" {
		b.WriteString("  A model:      tenet run --model NAME \"prompt\"   (a name that the server of OPENAI_BASE_URL knows; 'tenet models probe' asks it)\n")
		return b.String() + firstSteps
	}
	if ready := usable(c); ready != "" {
		fmt.Fprintf(&b, "  Ready to use: tenet run --model %s \"prompt\"   (its key is there; 'tenet models' lists the others)\n", ready)
		fmt.Fprintf(&b, "  For always:   tenet config set model %s\n", ready)
		return b.String() + firstSteps
	}
	b.WriteString("  An endpoint:  export OPENAI_BASE_URL=http://localhost:8080/v1   (any OpenAI-compatible server)\n" +
		"                export OPENAI_API_KEY=...                         (when the server wants a key)\n" +
		"  Or a key:     export ANTHROPIC_API_KEY=... or OPENAI_API_KEY, OPENROUTER_API_KEY, DEEPSEEK_API_KEY\n" +
		"  Or local:     tenet run --model ollama/NAME \"prompt\"   (also llamacpp/, lmstudio/, vllm/; 'tenet models probe ollama/NAME' asks it)\n" +
		"  A model:      tenet run --model NAME \"prompt\"\n" +
		"  For always:   tenet config set model NAME\n")
	return b.String() + firstSteps
}

const firstSteps = "  No model yet? tenet demo plays a whole session without one; tenet run --script FILE plays your own.\n" +
	"  docs/models.md shows each kind of server."

// usable is a listed model whose key is there; empty for none.
func usable(c *catalog.Catalog) string {
	for _, i := range c.List() {
		if i.Key.Found {
			return i.Selector
		}
	}
	return ""
}

// CompleteModels offers the names of models to the shell; no network is asked.
func CompleteModels(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	home, err := Home()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	c, _ := catalog.Load(home, os.Getenv)
	out := c.Selectors()
	for _, r := range c.Rows() {
		if len(r.Models) == 0 {
			out = append(out, r.Name+"/")
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
