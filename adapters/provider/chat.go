package provider

import "net/http"

// Chat is a Provider over an OpenAI-compatible chat completions endpoint. It is
// safe for several goroutines. It never sends a request twice: whether to try again
// is the turn's to decide, and Error.Transient and RetryAfter inform it.
type Chat struct{ client }

var _ Provider = (*Chat)(nil)

// NewChat checks the options; nothing is sent. The error is a *ConfigError.
func NewChat(o Options) (*Chat, error) {
	o = o.named(URLVar, KeyVar)
	to, err := parseBase(o, DefaultBaseURL, chatPath)
	if err != nil {
		return nil, err
	}
	c, err := newClient(o, to)
	if err != nil {
		return nil, err
	}
	c.format = newChatFormat(c.model, o)
	return &Chat{c}, nil
}

const chatPath = "/chat/completions"

// chatFormat is the wire format of chat completions.
type chatFormat struct {
	model     string
	switches  Switches
	effort    string
	maxOutput int
}

func newChatFormat(model string, o Options) chatFormat {
	f := chatFormat{model: model, switches: DefaultSwitches(), effort: o.Effort, maxOutput: o.MaxOutput}
	if o.Switches != nil {
		f.switches = *o.Switches
	}
	return f
}

func (f chatFormat) path() string { return chatPath }
func (f chatFormat) assembler() assembler {
	return &Accumulator{Asked: f.model, Details: f.switches.ThinkingHistory == "details"}
}

func (f chatFormat) authorize(h http.Header, key string) {
	if key != "" {
		h.Set("Authorization", "Bearer "+key)
	}
}
