package provider

import (
	"bytes"
	"context"
	"net/http"
	"strings"

	"tenet/adapters/provider/sse"
	"tenet/core/event"
)

// MaxReply is the most bytes that one reply may have on the wire, in bytes.
const MaxReply = 64 << 20

// Chat is a Provider over an OpenAI-compatible chat completions endpoint. It is
// safe for several goroutines. It never sends a request twice: whether to try again
// is the turn's to decide, and Error.Transient and RetryAfter inform it.
type Chat struct {
	to        endpoint
	key       string
	secrets   redactor
	model     string
	agent     string
	transport http.RoundTripper
	deadlines Deadlines
}

var _ Provider = (*Chat)(nil)

// NewChat checks the options; nothing is sent. The error is a *ConfigError.
func NewChat(o Options) (*Chat, error) {
	to, err := parseBase(o.BaseURL)
	if err != nil {
		return nil, err
	}
	key, err := checkKey(o.Key)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(o.Model) == "" {
		return nil, &ConfigError{"--model", "no model is named; write --model NAME with a name that the server at " + to.shown + " knows"}
	}
	c := &Chat{to: to, key: key, secrets: newRedactor(key, to), model: strings.TrimSpace(o.Model), agent: "tenet/" + o.Version, deadlines: o.Deadlines.withDefaults()}
	if o.Version == "" {
		c.agent = "tenet"
	}
	c.transport = o.Transport
	if c.transport == nil {
		c.transport = newTransport(o, c.deadlines)
	}
	return c, nil
}

// Name is the model's name.
func (c *Chat) Name() string { return c.model }

// Endpoint is the base URL without credentials, for messages.
func (c *Chat) Endpoint() string { return c.to.shown }

// Close drops idle connections. A reply that is under way is not touched.
func (c *Chat) Close() {
	if t, ok := c.transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// Reply sends the request once and reads the stream to its terminal signal. After
// a cancel no reply comes back, even one that was complete: what is still in the
// pipe must start no call.
func (c *Chat) Reply(ctx context.Context, r Request, on func(Delta)) (event.Reply, error) {
	body, err := encode(c.model, r)
	if err != nil {
		return event.Reply{}, err
	}
	x := &exchange{chat: c, on: on}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	x.watch = newWatch(c.deadlines, r.Idle, cancel)
	defer x.watch.stop()

	reply, err := x.run(inner, body)
	if ctx.Err() != nil {
		return event.Reply{}, context.Cause(ctx)
	}
	if err != nil {
		return event.Reply{}, x.failed(inner, err)
	}
	return reply, nil
}

// exchange is one request and its reply.
type exchange struct {
	chat  *Chat
	on    func(Delta)
	watch *watch
	raw   excerpt
	acc   Accumulator
	sse   sse.Parser
	// pieces counts the events that held a piece of the reply.
	pieces int
}

func (x *exchange) run(ctx context.Context, body []byte) (event.Reply, error) {
	req, err := x.request(ctx, body)
	if err != nil {
		return event.Reply{}, err
	}
	// The transport alone: a client would follow redirects, and with them send the
	// whole context to a host that nobody configured.
	resp, err := x.chat.transport.RoundTrip(req)
	if err != nil {
		return event.Reply{}, x.unreached(err)
	}
	defer resp.Body.Close()
	stop := context.AfterFunc(ctx, func() { resp.Body.Close() })
	defer stop()
	x.watch.headers()

	stream, err := x.open(resp)
	if err != nil {
		return event.Reply{}, err
	}
	if err := x.read(stream); err != nil && !x.acc.Done() {
		return event.Reply{}, err
	}
	return x.reply()
}

func (x *exchange) request(ctx context.Context, body []byte) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, x.chat.to.post, bytes.NewReader(body))
	if err != nil {
		return nil, &Error{Class: Rejected, Message: "no request can be made for " + x.chat.to.shown + "; check " + URLVar}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Accept-Encoding", "identity") // a compressed stream arrives in lumps
	req.Header.Set("User-Agent", x.chat.agent)
	if x.chat.key != "" {
		req.Header.Set("Authorization", "Bearer "+x.chat.key)
	} else if u := req.URL.User; u != nil {
		password, _ := u.Password()
		req.SetBasicAuth(u.Username(), password)
	}
	return req, nil
}
