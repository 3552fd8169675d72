package catalog

import (
	"fmt"
	"net/http"
	"strings"

	"tenet/adapters/provider"
	"tenet/core/fallback"
	core "tenet/core/settings"
)

// constructors are the wire formats.
var constructors = []struct {
	wire string
	open func(provider.Options) (provider.Provider, error)
}{
	{"chat", func(o provider.Options) (provider.Provider, error) { return opened(provider.NewChat(o)) }},
	{"anthropic", func(o provider.Options) (provider.Provider, error) { return opened(provider.NewAnthropic(o)) }},
	{"responses", func(o provider.Options) (provider.Provider, error) { return opened(provider.NewResponses(o)) }},
}

// opened keeps a nil provider from becoming one that is not nil.
func opened[P provider.Provider](p P, err error) (provider.Provider, error) {
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Wires lists the wire formats.
func Wires() []string {
	var out []string
	for _, c := range constructors {
		out = append(out, c.wire)
	}
	return out
}

// Use is how a provider will be used.
type Use struct {
	// Version is tenet's own, for the User-Agent.
	Version string
	// Run is what the settings say of deadlines, thinking and allowed models.
	Run core.Run
	// Transport carries the requests; nil is the network.
	Transport http.RoundTripper
}

// NotAllowedError says that the settings do not allow a model.
type NotAllowedError struct {
	// Selector is the model, as messages may show it; Broken is true when the list cannot
	// be read, so that none is allowed.
	Selector string
	Broken   bool
}

// Error says what to change.
func (e *NotAllowedError) Error() string {
	if e.Broken {
		return "allowedModels in the settings cannot be read, so no model is allowed; repair the list ('tenet config list' shows it)"
	}
	return fmt.Sprintf("allowedModels in the settings does not include %s; use one of those, or add it: tenet config get allowedModels", e.Selector)
}

// NoKeyError says that a server wants a key and there is none.
type NoKeyError struct {
	Provider string
	Key      Key
}

// Error says where to put one.
func (e *NoKeyError) Error() string {
	why := ""
	if e.Key.Why != "" {
		why = " (" + e.Key.Why + ")"
	}
	return fmt.Sprintf("%s needs a key and none was found%s: export %s=..., or put {%q: \"...\"} into auth.json in tenet's home, mode 600", e.Provider, why, e.Key.Var, e.Provider)
}

// Open makes a provider for a selector. Nothing is sent. The error is a *NotFoundError,
// a *NotAllowedError, a *NoKeyError or a *provider.ConfigError; each says what to do.
func (c *Catalog) Open(selector string, u Use) (provider.Provider, Info, error) {
	i, err := c.Find(selector)
	if err != nil {
		return nil, Info{}, err
	}
	if !u.Run.Allowed.Allows(i.Provider, i.ID) {
		return nil, i, &NotAllowedError{Selector: fallback.Shown(i.Selector, c.Secrets()), Broken: brokenList(u.Run.Allowed)}
	}
	if i.Key.Needed && !i.Key.Found {
		return nil, i, &NoKeyError{Provider: i.Provider, Key: i.Key}
	}
	o, err := c.options(i, u)
	if err != nil {
		return nil, i, err
	}
	for _, w := range constructors {
		if w.wire == i.Wire {
			p, err := w.open(o)
			return p, i, err
		}
	}
	return nil, i, &provider.ConfigError{Setting: "wire", Message: "there is no wire format " + i.Wire}
}

func brokenList(a core.Allowed) bool {
	if a.Broken {
		return true
	}
	for _, b := range a.And {
		if brokenList(b) {
			return true
		}
	}
	return false
}

// options are a provider's, from its row, its model and the settings.
func (c *Catalog) options(i Info, u Use) (provider.Options, error) {
	s, _ := i.Switches()
	o := provider.Options{
		BaseURL: c.Address(i.row), Key: i.Key.value, Model: i.ID, Name: fallback.Shown(i.Selector, c.Secrets()), Version: u.Version, Transport: u.Transport, Switches: &s,
		MaxOutput: i.MaxOutput, NoImages: i.Images == No, NoReasoning: i.Thinking == No,
		URLSetting: urlSetting(i.row), KeySetting: keySetting(i),
	}
	o.Deadlines.Progress, o.Deadlines.Whole = u.Run.Retry.StreamIdle, u.Run.Retry.Timeout
	for _, h := range i.row.Headers {
		if h.Env != "" {
			h.Value = c.env(h.Env)
			o.Secrets = append(o.Secrets, h.Value)
		}
		if h.Value == "" {
			return o, &provider.ConfigError{Setting: "headers", Message: fmt.Sprintf("the header %s of %s comes from $%s, which is not set", h.Name, i.Provider, h.Env)}
		}
		if o.Headers == nil {
			o.Headers = map[string]string{}
		}
		o.Headers[h.Name] = h.Value
	}
	effort(&o, i, s, u.Run.Thinking)
	return o, nil
}

// budgets are the tokens of thinking for the levels, where a server counts them.
var budgets = map[string]int{"minimal": 1024, "low": 4096, "medium": 10_240, "high": 32_768, "max": 65_536}

// effort asks for a level of thinking in the server's way; a model that does not think
// is not asked.
func effort(o *provider.Options, i Info, s provider.Switches, level string) {
	if level == "" || i.Thinking == No {
		return
	}
	word := level
	if w, ok := s.Efforts[level]; ok {
		word = w
	}
	switch {
	case i.Wire == "anthropic" && s.EffortField != "":
		o.Effort = word // a model that takes words
	case i.Wire == "anthropic":
		o.Thinking = budgets[level]
		if o.MaxOutput > 0 {
			o.Thinking = min(o.Thinking, o.MaxOutput/2)
		}
		if o.Thinking < budgets["minimal"] {
			o.Thinking = 0
		}
	case i.Wire == "responses" && word == provider.Off:
	default:
		o.Effort = word
	}
}

// Address is where a row's requests go.
func (c *Catalog) Address(r Row) string {
	if r.BaseVar != "" {
		if v := strings.TrimSpace(c.env(r.BaseVar)); v != "" {
			return v
		}
	}
	return r.BaseURL
}

func urlSetting(r Row) string {
	if r.BaseVar != "" && r.Name == Environment {
		return r.BaseVar
	}
	return fmt.Sprintf("baseUrl of %s in models.json", r.Name)
}

func keySetting(i Info) string {
	switch {
	case i.Key.From == "auth.json":
		return i.Provider + " in auth.json"
	case i.Key.Var != "":
		return i.Key.Var
	}
	return fmt.Sprintf("keyVar of %s in models.json", i.Provider)
}
