package cli

import (
	"os"

	"tenet/adapters/provider"
	"tenet/adapters/rehearsal"
	"tenet/adapters/settings"
	"tenet/core/event"
)

// model is who works in a session.
type model struct {
	provider provider.Provider
	// context is its window in tokens, 0 when nobody knows.
	context int
}

// summariser chooses who writes summaries.
func (m *model) summariser(settings.Run) func(string, int) (provider.Provider, *event.Notice) {
	return nil
}

// model is the rehearsal of --script, or the endpoint that the environment names.
func (o Options) model() (*model, error) {
	if o.Script != "" {
		return o.rehearsal()
	}
	base, key := os.Getenv("OPENAI_BASE_URL"), os.Getenv("OPENAI_API_KEY")
	if base == "" && key == "" || o.Model == "" {
		return nil, Usage("%s", noModel(base, key, o.Model))
	}
	p, err := provider.NewChat(provider.Options{BaseURL: base, Key: key, Model: o.Model, Version: o.Version})
	if err != nil {
		return nil, Usage("%w", err)
	}
	return &model{provider: p}, nil
}

func (o Options) rehearsal() (*model, error) {
	if info, err := os.Stat(o.Script); err == nil && !info.Mode().IsRegular() {
		return nil, Usage("--script: %s is not a file; name a rehearsal file (docs/rehearsal.md says how to write one)", o.Script)
	}
	f, err := os.Open(o.Script)
	if err != nil {
		return nil, Usage("--script: %w; name a rehearsal file (docs/rehearsal.md says how to write one)", err)
	}
	defer f.Close()
	s, err := rehearsal.Parse(f, o.Script)
	if err != nil {
		return nil, Usage("--script: %w", err)
	}
	return &model{provider: s.Play()}, nil
}

func noModel(base, key, model string) string {
	text := "no model is set up.\n"
	if model != "" {
		text = "OPENAI_BASE_URL is not set, so there is no endpoint to ask for that model.\n"
	}
	if base == "" && key == "" {
		text += "  An endpoint:  export OPENAI_BASE_URL=http://localhost:8080/v1   (any OpenAI-compatible server)\n" +
			"                export OPENAI_API_KEY=...                         (when the server wants a key)\n"
	}
	if model == "" {
		text += "  A model:      tenet run --model NAME \"prompt\"\n"
	}
	return text + "  No model yet? tenet demo plays a whole session without one; tenet run --script FILE plays your own."
}
