package catalog

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tenet/adapters/provider"
	"tenet/core/event"
	core "tenet/core/settings"
)

// environment is an environment of these variables alone.
func environment(kv ...string) func(string) string {
	return func(name string) string {
		for _, e := range kv {
			if n, v, _ := strings.Cut(e, "="); n == name {
				return v
			}
		}
		return ""
	}
}

func write(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// loaded is a catalog with a models.json; it tells nothing.
func loaded(t *testing.T, file string, env ...string) *Catalog {
	t.Helper()
	home := t.TempDir()
	if file != "" {
		write(t, File(home), file, 0o600)
	}
	c, warnings := Load(home, environment(env...))
	if len(warnings) > 0 {
		t.Fatalf("told %q", warnings)
	}
	return c
}

// Each switch of the built-in rows has its reason, and is one that differs.
func TestBuiltInRowsSayWhy(t *testing.T) {
	c := loaded(t, "")
	if got, want := namesOf(c.Rows()), []string{"openai", "anthropic", "openrouter", "deepseek", "ollama", "llamacpp", "vllm", "lmstudio"}; !slices.Equal(got, want) {
		t.Errorf("rows %v", got)
	}
	for _, r := range c.Rows() {
		if r.Says == "" || r.BaseURL == "" || r.KeyVar == "" || len(r.Hosts) == 0 {
			t.Errorf("%s is not whole: %+v", r.Name, r)
		}
		for _, m := range append(r.Models, Model{}) {
			for _, s := range slices.Concat(r.switches, m.switches) {
				if len(s.because) < 10 {
					t.Errorf("%s: %s has no reason", r.Name, s.name)
				}
			}
		}
	}
	for _, i := range c.List() {
		if i.Context == 0 || i.MaxOutput == 0 || i.MaxOutput > i.Context || i.Images == Unknown {
			t.Errorf("%s is not whole: %+v", i.Selector, i)
		}
	}
}

// What a selector finds: where it is, whose it is, and what it is not.
func TestFind(t *testing.T) {
	const mine = `{"providers": {
		"box": {"baseUrl": "http://gpu:8000/v1", "models": ["Qwen/Qwen3-8B", {"id": "gpt-4o"}]},
		"other": {"baseUrl": "http://other:1/v1", "models": [{"id": "twice"}]},
		"third": {"baseUrl": "http://third:1/v1", "models": [{"id": "twice"}]}}}`
	for _, c := range []struct{ file, env, selector, want string }{
		{"", "", "anthropic/claude-opus-4-5", "anthropic/claude-opus-4-5"},
		{"", "", "claude-opus-4-5", "anthropic/claude-opus-4-5"},
		{"", "", "ollama/qwen3:8b", "ollama/qwen3:8b"},
		{"", "", "openrouter/anthropic/claude-sonnet-4", "openrouter/anthropic/claude-sonnet-4"},
		{"", "", "gpt-5", "openai/gpt-5"},
		{"", "OPENAI_API_KEY=k", "gpt-99", "openai/gpt-99"},
		{"", "OPENAI_BASE_URL=http://a/v1", "gpt-5", "env/gpt-5"},
		{"", "OPENAI_BASE_URL=http://a/v1", "Qwen/Qwen3-8B", "env/Qwen/Qwen3-8B"},
		{"", "OPENAI_BASE_URL=http://a/v1", "openai/gpt-5", "openai/gpt-5"},
		{mine, "", "gpt-4o", "box/gpt-4o"},
		{mine, "", "Qwen/Qwen3-8B", "box/Qwen/Qwen3-8B"},
		{mine, "OPENAI_BASE_URL=http://a/v1", "Qwen/Qwen3-8B", "box/Qwen/Qwen3-8B"},
		{mine, "", "twice", "several providers have a model twice; name one of them: other/twice, third/twice"},
		{"", "", "claude-opus-4-55", "no model is known as claude-opus-4-55; did you mean anthropic/claude-opus-4-5"},
		{"", "", "nothing like it", "no model is known as nothing like it; write PROVIDER/NAME"},
		{"", "", "", "no model is known as"},
		{"", "", "openai/", "no model is known as openai/; did you mean"},
		{"", "", "sk-proj-0123456789abcdef", "no model is known as [hidden: it looks like a key]; write"},
	} {
		i, err := loaded(t, c.file, c.env).Find(c.selector)
		got := i.Selector
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, c.want) || err == nil && got != c.want {
			t.Errorf("%q with %s finds %q, want %q", c.selector, c.env, got, c.want)
		}
	}
}

// A session finds its model again by the name in its records.
func TestAModelIsFoundAgainByItsName(t *testing.T) {
	c := loaded(t, "", "OPENAI_BASE_URL=http://a/v1", "ANTHROPIC_API_KEY=k")
	for _, selector := range []string{"ollama/qwen3:8b", "claude-opus-4-5", "env/Qwen/Qwen3-8B", "m"} {
		p, i, err := c.Open(selector, Use{})
		if err != nil {
			t.Fatal(err)
		}
		if again, err := c.Find(p.Name()); err != nil || again.Selector != i.Selector {
			t.Errorf("%s is recorded as %s, which finds %s, %v", selector, p.Name(), again.Selector, err)
		}
	}
}

// conf-007: a name that no list has is taken where the server may know it, and said to
// be unknown, with what is near.
func TestAnUnlistedModelIsSaid(t *testing.T) {
	i, err := loaded(t, "").Find("anthropic/claude-opus-45")
	if err != nil || i.Listed || !slices.Contains(i.Near, "claude-opus-4-5") {
		t.Errorf("%+v, %v", i, err)
	}
	if i, err = loaded(t, "").Find("ollama/anything"); err != nil || i.Listed || i.Near != nil {
		t.Errorf("%+v, %v", i, err)
	}
}

// A user's file changes built-in rows key by key, and adds its own.
func TestTheUsersFile(t *testing.T) {
	c := loaded(t, `{ // mine
		"providers": {
			"ollama": {"baseUrl": "http://nas:11434/v1", "models": [{"id": "qwen3:8b", "context": 32768, "images": false, "thinking": true, "switches": {"thinkingHistory": "drop"}}]},
			"openai": {"models": [{"id": "gpt-5", "context": 1000, "wire": "chat"}]},
			"box": {"like": "vllm", "baseUrl": "http://gpu:8000/v1", "keyVar": "BOX_API_KEY", "headers": {"X-Team": "a", "X-Auth": {"env": "TEAM_TOKEN"}}, "switches": {"extra": {"top_k": 20}}},
		},
	}`, "BOX_API_KEY=key-of-the-box", "TEAM_TOKEN=token-of-the-team")
	i, err := c.Find("qwen3:8b")
	s, because := i.Switches()
	if err != nil || i.Selector != "ollama/qwen3:8b" || i.Context != 32768 || i.Images != No || c.Address(i.row) != "http://nas:11434/v1" ||
		s.ThinkingHistory != "drop" || s.EffortField != "reasoning_effort" || because["effortField"] == "" || because["thinkingHistory"] != "" {
		t.Errorf("%+v %+v %v, %v", i, s, because, err)
	}
	if i, _ := c.Find("openai/gpt-5"); i.Context != 1000 || i.MaxOutput != 128000 || i.Wire != "chat" {
		t.Errorf("%+v", i)
	}
	i, _ = c.Find("box/anything")
	s, _ = i.Switches()
	if s.ToolChoice != "auto" || string(s.Extra["top_k"]) != "20" || !i.Key.Found || i.Key.From != "$BOX_API_KEY" {
		t.Errorf("%+v %+v", i, s)
	}
	got, _ := sentTo(t, c, "box/m", Use{})
	if got.Header.Get("Authorization") != "Bearer key-of-the-box" || got.Header.Get("X-Team") != "a" || got.Header.Get("X-Auth") != "token-of-the-team" || got.Host != "gpu:8000" {
		t.Errorf("sent %v to %s", got.Header, got.Host)
	}
	if secrets := c.Secrets(); !slices.Contains(secrets, "key-of-the-box") || !slices.Contains(secrets, "token-of-the-team") {
		t.Errorf("secrets %v", secrets)
	}
}

// What of a file cannot be read is left out, and told with its line and what it should be.
func TestAFileWithMistakes(t *testing.T) {
	for text, says := range map[string]string{
		`{"providers": {"a": {"baseUrl": "nowhere"}}}`: `:1: providers.a.baseUrl: it should be an http or https address`,
		`{"providers": {"a": {}}}`:                     `providers.a: it has no baseUrl; the provider is left out`,
		`{"providers": {"a b": {}}}`:                   `a provider's name is letters`,
		`{"providers": []}`:                            `providers: it is a list and should be an object`,
		`{"provider": {}}`:                             `provider: there is no such key, only providers`,
		`[]`:                                           `the file: is a list and no object`,
		"{\"providers\": {\"ollama\": {\n\"wire\": \"grpc\"}}}":                       `:2: providers.ollama.wire: it should be one of chat, anthropic, responses`,
		`{"providers": {"ollama": {"baseurl": "x"}}}`:                                 `there is no such key; did you mean baseUrl`,
		`{"providers": {"ollama": {"apiKey": "sk-secret"}}}`:                          `a key does not belong into this file`,
		`{"providers": {"ollama": {"keyVar": "MY_BOX"}}}`:                             `could read the variable MY_BOX`,
		`{"providers": {"ollama": {"keyVar": 7}}}`:                                    `the name of an environment variable`,
		`{"providers": {"a": {"baseUrl": "http://u:secretpw@h/v1"}}}`:                 `a password does not belong into this file`,
		`{"providers": {"ollama": {"like": "olama"}}}`:                                `did you mean ollama`,
		`{"providers": {"ollama": {"switches": {"storee": true}}}}`:                   `did you mean store`,
		`{"providers": {"ollama": {"switches": {"store": "yes"}}}}`:                   `store: it should be true or false`,
		`{"providers": {"ollama": {"switches": {"toolChoice": "any"}}}}`:              `toolChoice: it should be one of "omit", "auto"`,
		`{"providers": {"ollama": {"models": [{"name": "x"}]}}}`:                      `models[0]: a model is an object with an id`,
		`{"providers": {"ollama": {"models": [{"id": "x", "context": "8k"}]}}}`:       `models[0].context: it should be a number of tokens`,
		`{"providers": {"ollama": {"models": [{"id": "x", "ctx": 1}]}}}`:              `models[0].ctx: there is no such key`,
		`{"providers": {"b": {"baseUrl": "http://a"}, "b": {"baseUrl": "http://b"}}}`: `it stands here twice; the first counts`,
	} {
		home := t.TempDir()
		write(t, File(home), text, 0o600)
		c, warnings := Load(home, environment())
		if len(warnings) != 1 && !strings.Contains(strings.Join(warnings, " "), "left out") || !strings.Contains(strings.Join(warnings, "\n"), says) || c.Broken != nil {
			t.Errorf("%s is told as %q", text, warnings)
		}
		for _, w := range warnings {
			if strings.Contains(w, "secret") {
				t.Errorf("%s shows a secret: %s", text, w)
			}
		}
		if _, err := c.Find("gpt-5"); err != nil {
			t.Errorf("%s breaks the rest: %v", text, err)
		}
	}
}

// A file that does not parse, is too large or no file leaves the built-in rows, and says why.
func TestAFileThatCannotBeRead(t *testing.T) {
	for _, text := range []string{"{", "{\x00}", "{" + strings.Repeat(" ", 2<<20) + "}"} {
		home := t.TempDir()
		write(t, File(home), text, 0o600)
		c, warnings := Load(home, environment())
		if c.Broken == nil || len(warnings) != 1 || !strings.Contains(warnings[0], Name) {
			t.Errorf("told %q", warnings)
		}
		if _, err := c.Find("gpt-5"); err != nil {
			t.Error(err)
		}
		if _, err := c.Find("mine"); err == nil || !strings.Contains(err.Error(), "your own models cannot be read") {
			t.Error(err)
		}
	}
	home := t.TempDir()
	if err := os.Symlink("/dev/zero", File(home)); err != nil {
		t.Fatal(err)
	}
	if c, _ := Load(home, environment()); c.Broken == nil {
		t.Error("a device was read")
	}
}

// Keys come from the environment, then from auth.json, and go to no other server.
func TestKeys(t *testing.T) {
	home := t.TempDir()
	write(t, filepath.Join(home, "auth.json"), `{"openrouter": "sk-or-from-file", "deepseek": 7}`, 0o600)
	c, warnings := Load(home, environment("OPENAI_API_KEY=local-key-1", "OPENAI_BASE_URL=http://127.0.0.1:8080/v1", "ANTHROPIC_API_KEY=sk-ant-1"))
	if len(warnings) != 1 || !strings.Contains(warnings[0], "deepseek: it should be a string") {
		t.Errorf("told %q", warnings)
	}
	for selector, want := range map[string]string{"openrouter/m": "auth.json", "anthropic/m": "$ANTHROPIC_API_KEY", "env/m": "$OPENAI_API_KEY", "openai/m": "", "deepseek/m": "", "ollama/m": ""} {
		if i, err := c.Find(selector); err != nil || i.Key.From != want || i.Key.Found != (want != "") {
			t.Errorf("%s has the key of %+v", selector, i.Key)
		}
	}
	_, _, err := c.Open("openai/gpt-5", Use{})
	var no *NoKeyError
	if !errors.As(err, &no) || !strings.Contains(err.Error(), "which is another server") {
		t.Errorf("the key of another server: %v", err)
	}
	if _, _, err = c.Open("deepseek/deepseek-chat", Use{}); err == nil || !strings.Contains(err.Error(), "export DEEPSEEK_API_KEY=") {
		t.Error(err)
	}
	if _, _, err = c.Open("ollama/m", Use{}); err != nil {
		t.Errorf("a server that wants no key: %v", err)
	}
	if err := os.Chmod(filepath.Join(home, "auth.json"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, warnings = Load(home, environment()); !strings.Contains(strings.Join(warnings, " "), "can be read by others") {
		t.Errorf("told %q", warnings)
	}
}

// The server of OPENAI_BASE_URL is of the kind that its address tells.
func TestTheServerOfTheEnvironment(t *testing.T) {
	for base, want := range map[string]string{
		"http://127.0.0.1:11434/v1": "reasoning", "https://openrouter.ai/api/v1": "details", "http://gpu:11434/v1": "drop", "http://127.0.0.1:9/v1": "drop", "http://localhost:8000/v1": "reasoning",
	} {
		i, err := loaded(t, "", "OPENAI_BASE_URL="+base).Find("m")
		if s, _ := i.Switches(); err != nil || s.ThinkingHistory != want || i.Wire != "chat" {
			t.Errorf("%s has %q, %v", base, s.ThinkingHistory, err)
		}
	}
	_, _, err := loaded(t, "", "OPENAI_BASE_URL=not-a-url").Open("m", Use{})
	var bad *provider.ConfigError
	if !errors.As(err, &bad) || bad.Setting != "OPENAI_BASE_URL" {
		t.Error(err)
	}
}

// allowedModels keeps models out, and a list that cannot be read keeps all out.
func TestAllowedModels(t *testing.T) {
	c := loaded(t, "", "ANTHROPIC_API_KEY=k", "OPENAI_API_KEY=k")
	for _, k := range []struct {
		allowed  core.Allowed
		selector string
		want     bool
	}{
		{core.Allowed{}, "gpt-5", true}, {core.Allowed{Set: true, List: []string{"anthropic/*"}}, "gpt-5", false},
		{core.Allowed{Set: true, List: []string{"anthropic/*"}}, "claude-opus-4-5", true}, {core.Allowed{Set: true, Broken: true}, "claude-opus-4-5", false},
	} {
		_, _, err := c.Open(k.selector, Use{Run: core.Run{Allowed: k.allowed}})
		var no *NotAllowedError
		if (err == nil) != k.want || err != nil && !errors.As(err, &no) {
			t.Errorf("%+v and %s: %v", k.allowed, k.selector, err)
		}
	}
}

// sentTo opens a selector and returns the request that it sends, and its body.
func sentTo(t *testing.T, c *Catalog, selector string, u Use) (*http.Request, string) {
	t.Helper()
	var got *http.Request
	var body string
	u.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
		b, _ := io.ReadAll(r.Body)
		got, body = r, string(b)
		return nil, errors.New("not sent")
	})
	p, _, err := c.Open(selector, u)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = p.Reply(t.Context(), provider.Request{Messages: []provider.Message{{Role: provider.User, Text: "q"}}}, nil)
	return got, body
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// The setting thinking reaches each server in its own way.
func TestThinkingReachesEachServer(t *testing.T) {
	keys := []string{"OPENAI_API_KEY=k1", "ANTHROPIC_API_KEY=k2", "OPENROUTER_API_KEY=k3", "DEEPSEEK_API_KEY=k4"}
	c := loaded(t, `{"providers": {"openai": {"models": [{"id": "gpt-5", "wire": "chat"}]}}}`, keys...)
	for _, k := range []struct{ selector, level, want string }{
		{"openai/gpt-5", "low", `"reasoning_effort":"low"`}, {"openai/gpt-5", "max", `"reasoning_effort":"high"`}, {"openai/gpt-5", "off", `"reasoning_effort":"minimal"`},
		{"openai/gpt-5-mini", "high", `"effort":"high"`}, {"openrouter/x", "max", `"reasoning":{"effort":"high"}`}, {"openrouter/x", "off", `"reasoning":{"enabled":false}`},
		{"deepseek/deepseek-reasoner", "low", `"thinking":{"type":"enabled"}`}, {"ollama/x", "off", `"reasoning_effort":"none"`}, {"llamacpp/x", "off", `"chat_template_kwargs":{"enable_thinking":false}`},
		{"anthropic/claude-opus-4-5", "low", `"budget_tokens":4096`}, {"anthropic/claude-opus-4-6", "minimal", `"effort":"low"`},
	} {
		if _, body := sentTo(t, c, k.selector, Use{Run: core.Run{Thinking: k.level}}); !strings.Contains(body, k.want) {
			t.Errorf("%s at %s is sent %s", k.selector, k.level, body)
		}
	}
	if _, body := sentTo(t, c, "ollama/x", Use{}); strings.Contains(body, "reasoning") {
		t.Errorf("without a wish: %s", body)
	}
}

// A request as a whole may take so long and no longer, where the settings say so.
func TestAWholeRequestHasALimit(t *testing.T) {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	go func() {
		c, err := server.Accept()
		if err != nil {
			return
		}
		_, _ = http.ReadRequest(bufio.NewReader(c))
		_, _ = io.Copy(io.Discard, c)
	}()
	run := core.DefaultRun()
	run.Retry.Timeout = 20 * time.Millisecond
	p, _, err := loaded(t, "", "OPENAI_BASE_URL=http://"+server.Addr().String()+"/v1").Open("m", Use{Run: run})
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Reply(context.Background(), provider.Request{}, nil)
	var e *provider.Error
	if !errors.As(err, &e) || !strings.Contains(e.Message, "retry.provider.timeoutMs") || !e.Transient() {
		t.Error(err)
	}
}

// A picture is refused for a model that takes none.
func TestPictures(t *testing.T) {
	c := loaded(t, "", "DEEPSEEK_API_KEY=k")
	p, _, err := c.Open("deepseek/deepseek-chat", Use{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Reply(t.Context(), provider.Request{Messages: []provider.Message{{Role: provider.User, Images: []event.Image{{Media: "image/png", Data: []byte("x")}}}}}, nil)
	if err == nil || !strings.Contains(err.Error(), "takes no images") {
		t.Error(err)
	}
}

// A price is the user's to name; half of one, or one that cannot be, is none.
func TestPrice(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
	}{
		{`{"input": 3, "output": 15, "cached": 0.3}`, 3*0.5 + 0.3*0.5 + 15},
		{`{"input": 3, "output": 15}`, 3 + 15},
		{`{"input": -3}`, -1},
		{`{"input": 3, "per": "hour"}`, -1},
		{`3`, -1},
	} {
		dir := t.TempDir()
		text := `{"providers": {"mine": {"baseUrl": "http://127.0.0.1:1/v1", "models": [{"id": "m", "price": ` + c.text + `}]}}}`
		if err := os.WriteFile(File(dir), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cat, _ := Load(dir, func(string) string { return "" })
		i, err := cat.Find("mine/m")
		if got := i.Price.Of(1e6, 1e6, 5e5); err != nil || got != c.want {
			t.Errorf("%s: %v, %v, want %v", c.text, got, err, c.want)
		}
	}
}
