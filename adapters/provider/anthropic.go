package provider

import (
	"fmt"
	"net/http"
	"path"
	"regexp"
	"sync"
)

// DefaultAnthropicURL is where an Anthropic client's requests go without a base URL.
const DefaultAnthropicURL = "https://api.anthropic.com/v1"

// The environment variables that an Anthropic client's messages point to.
const (
	AnthropicURLVar = "ANTHROPIC_BASE_URL"
	AnthropicKeyVar = "ANTHROPIC_API_KEY"
)

// DefaultMaxOutput is max_tokens where nobody set one: the Anthropic format requires
// it, and every model since Claude 4 takes this much.
const DefaultMaxOutput = 32000

// minThinking is the smallest thinking budget that the format takes, in tokens.
const minThinking = 1024

// Anthropic is a Provider over the Anthropic Messages format. It is safe for several
// goroutines and never sends a request twice.
type Anthropic struct{ client }

var _ Provider = (*Anthropic)(nil)

// NewAnthropic checks the options; nothing is sent. The error is a *ConfigError.
func NewAnthropic(o Options) (*Anthropic, error) {
	o = o.named(AnthropicURLVar, AnthropicKeyVar)
	to, err := parseBase(o, DefaultAnthropicURL, messagesPath)
	if err != nil {
		return nil, err
	}
	c, err := newClient(o, versioned(to))
	if err != nil {
		return nil, err
	}
	f := anthropicFormat{model: c.model, maxOutput: o.MaxOutput, thinking: o.Thinking, effort: o.Effort}
	if f.maxOutput <= 0 {
		f.maxOutput = DefaultMaxOutput + max(f.thinking, 0)
	}
	if f.thinking > 0 && (f.thinking < minThinking || f.thinking >= f.maxOutput) {
		return nil, &ConfigError{"thinking", fmt.Sprintf("a thinking budget of %d tokens does not fit: write one of at least %d and less than the output limit of %d", f.thinking, minThinking, f.maxOutput)}
	}
	c.format = f
	return &Anthropic{c}, nil
}

const messagesPath = "/messages"

var version = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^v\d+`) })

// versioned adds the version that this format's own tools leave out of a base URL.
func versioned(to endpoint) endpoint {
	if !version().MatchString(path.Base(to.base.Path)) {
		to.base.Path += "/v1"
		to.shown += "/v1"
	}
	return to
}

// anthropicFormat is the wire format of Anthropic Messages.
type anthropicFormat struct {
	model               string
	maxOutput, thinking int
	effort              string
}

func (f anthropicFormat) path() string         { return messagesPath }
func (f anthropicFormat) assembler() assembler { return &AnthropicAccumulator{Asked: f.model} }

func (f anthropicFormat) authorize(h http.Header, key string) {
	h.Set("Anthropic-Version", "2023-06-01")
	if key != "" {
		h.Set("X-Api-Key", key)
	}
}
