package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenet/core/fallback"
)

// homeOf is a home with these settings, and a workspace; the environment names no model.
func homeOf(t *testing.T, settings string) (work string) {
	t.Helper()
	home, work := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "settings.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TENET_HOME", home)
	for _, name := range []string{"OPENAI_BASE_URL", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENROUTER_API_KEY", "DEEPSEEK_API_KEY"} {
		t.Setenv(name, "")
	}
	return work
}

// The command line names the model, else the settings do; no network is asked.
func TestPick(t *testing.T) {
	work := homeOf(t, `{"model": "ollama/qwen3:8b", "auxiliaryModel": "ollama/small", "retry": {"provider": {"streamIdleTimeoutMs": 5000}}}`)
	p, err := Pick(work, "", "1")
	if err != nil || p.Info.Selector != "ollama/qwen3:8b" || p.Provider.Name() != "ollama/qwen3:8b" || p.Use.Run.Retry.StreamIdle.Seconds() != 5 {
		t.Errorf("%+v, %v", p.Info, err)
	}
	if c := p.Auxiliary().Choose(fallback.Compaction, 10); c.Provider == nil || c.Provider.Name() != "ollama/small" || c.Notice != nil {
		t.Errorf("%+v", c)
	}
	if p, err = Pick(work, "llamacpp/x", "1"); err != nil || p.Info.Provider != "llamacpp" {
		t.Errorf("%+v, %v", p.Info, err)
	}
}

// conf-007: a name in the settings that is none is told with its file, with what is
// near it and with what to do.
func TestAModelOfTheSettingsThatIsNone(t *testing.T) {
	work := homeOf(t, `{"model": "claude-opus-4-55"}`)
	_, err := Pick(work, "", "1")
	for _, says := range []string{"settings.json: model: no model is known as claude-opus-4-55", "anthropic/claude-opus-4-5", "tenet config set model NAME", "--model"} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
	if Code(err) != ExitUsage {
		t.Errorf("ends with %d", Code(err))
	}
	t.Setenv("ANTHROPIC_API_KEY", "k")
	p, err := Pick(work, "anthropic/claude-opus-45", "1")
	if err != nil || len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "did you mean") {
		t.Errorf("%q, %v", p.Notes, err)
	}
}

// Without any model the message says what is ready, or what to set up, and offers the demo.
func TestWithoutAModel(t *testing.T) {
	work := homeOf(t, `{}`)
	_, err := Pick(work, "", "1")
	for _, says := range []string{"no model is set up", "export OPENAI_BASE_URL=", "ollama/NAME", "tenet demo plays a whole session"} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
	t.Setenv("ANTHROPIC_API_KEY", "k")
	if _, err = Pick(work, "", "1"); err == nil || !strings.Contains(err.Error(), "Ready to use: tenet run --model anthropic/claude") {
		t.Error(err)
	}
}

// A list of allowed models that cannot be read allows none.
func TestPickFailsClosed(t *testing.T) {
	work := homeOf(t, `{"model": "ollama/a", "allowedModels": "ollama/*"}`)
	if _, err := Pick(work, "", "1"); err == nil || !strings.Contains(err.Error(), "cannot be read, so no model is allowed") {
		t.Error(err)
	}
}
