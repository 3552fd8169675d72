package provider

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"tenet/adapters/provider/sse"
	"tenet/core/event"
)

// MaxReply is the most bytes that one reply may have on the wire, in bytes.
const MaxReply = 64 << 20

// client is one server and one model, whatever the wire format.
type client struct {
	format    format
	to        endpoint
	key       string
	vars      settings
	secrets   redactor
	name      string
	model     string
	agent     string
	transport http.RoundTripper
	deadlines Deadlines
	headers   map[string]string
	noImages  bool
	// plain is true when a content is only ever a string, so that no picture fits in.
	plain bool
}

// settings are the names of the settings that messages point to.
type settings struct{ url, key string }

func newClient(o Options, to endpoint) (client, error) {
	key, err := checkKey(o)
	if err != nil {
		return client{}, err
	}
	if strings.TrimSpace(o.Model) == "" {
		return client{}, &ConfigError{"--model", "no model is named; write --model NAME with a name that the server at " + to.shown + " knows"}
	}
	if err := checkHeaders(o.Headers); err != nil {
		return client{}, err
	}
	to.secrets = append(to.secrets, o.Secrets...)
	c := client{headers: o.Headers, noImages: o.NoImages, plain: o.Switches != nil && o.Switches.PlainContent, to: to, key: key, vars: settings{o.URLSetting, o.KeySetting}, secrets: newRedactor(key, to), name: o.Name, model: strings.TrimSpace(o.Model), agent: "tenet/" + o.Version, deadlines: o.Deadlines.withDefaults()}
	if o.Version == "" {
		c.agent = "tenet"
	}
	c.transport = o.Transport
	if c.transport == nil {
		c.transport = newTransport(o, c.deadlines)
	}
	return c, nil
}

// Name is how records name the model.
func (c *client) Name() string { return cmp.Or(c.name, c.model) }

// Endpoint is the base URL without credentials, for messages.
func (c *client) Endpoint() string { return c.to.shown }

// Close drops idle connections. A reply that is under way is not touched.
func (c *client) Close() {
	if t, ok := c.transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// Reply sends the request once and reads the stream to its terminal signal. After
// a cancel no reply comes back, even one that was complete: what is still in the
// pipe must start no call.
func (c *client) Reply(ctx context.Context, r Request, on func(Delta)) (event.Reply, error) {
	if err := c.pictures(r); err != nil {
		return event.Reply{}, err
	}
	body, err := c.format.encode(r)
	if err != nil {
		return event.Reply{}, err
	}
	return c.exchange(ctx, &exchange{client: c, method: http.MethodPost, url: c.to.at(c.format.path()), body: body, on: on, acc: c.format.assembler()}, r)
}

// exchange runs x under the deadlines, which r may lengthen.
func (c *client) exchange(ctx context.Context, x *exchange, r Request) (event.Reply, error) {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	x.watch = newWatch(c.deadlines, r.Idle, cancel)
	defer x.watch.stop()
	if whole := c.deadlines.Whole; whole > 0 {
		late := time.AfterFunc(whole, func() {
			cancel(&Error{Class: Stalled, Message: fmt.Sprintf("the reply was not whole within %s, the most that retry.provider.timeoutMs allows; it was given up", whole)})
		})
		defer late.Stop()
	}

	reply, err := x.run(inner)
	if ctx.Err() != nil {
		return event.Reply{}, context.Cause(ctx)
	}
	var later *Deferred
	if errors.As(err, &later) {
		return event.Reply{}, later
	}
	if err != nil {
		return event.Reply{}, x.failed(inner, err)
	}
	return reply, nil
}

// exchange is one request and its reply.
type exchange struct {
	client      *client
	method, url string
	body        []byte // nil without one
	on          func(Delta)
	watch       *watch
	raw         excerpt
	acc         assembler
	// whole reads an answer that is one object and no stream; nil is a stream.
	whole func(body []byte) (event.Reply, error)
	sse   sse.Parser
	// pieces counts the events that held a piece of the reply.
	pieces int
}

func (x *exchange) run(ctx context.Context) (event.Reply, error) {
	req, err := x.request(ctx)
	if err != nil {
		return event.Reply{}, err
	}
	// The transport alone: a client would follow redirects, and with them send the
	// whole context to a host that nobody configured.
	resp, err := x.client.transport.RoundTrip(req)
	if err != nil {
		return event.Reply{}, x.unreached(err)
	}
	defer resp.Body.Close()
	stop := context.AfterFunc(ctx, func() { resp.Body.Close() })
	defer stop()
	x.watch.headers()
	if x.whole != nil {
		return x.object(resp)
	}
	stream, err := x.open(resp)
	if err != nil {
		return event.Reply{}, err
	}
	if err := x.read(stream); err != nil && !x.acc.Done() {
		return event.Reply{}, err
	}
	return x.reply()
}

func (x *exchange) request(ctx context.Context) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, x.method, x.url, bytes.NewReader(x.body))
	if err != nil {
		return nil, &Error{Class: Rejected, Message: "no request can be made for " + x.client.to.shown + "; check " + x.client.vars.url}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	if x.whole != nil {
		req.Header.Set("Accept", "application/json")
	}
	req.Header.Set("Accept-Encoding", "identity") // a compressed stream arrives in lumps
	req.Header.Set("User-Agent", x.client.agent)
	if u := req.URL.User; u != nil && x.client.key == "" {
		password, _ := u.Password()
		req.SetBasicAuth(u.Username(), password)
	}
	x.client.format.authorize(req.Header, x.client.key)
	for name, value := range x.client.headers {
		req.Header.Set(name, value)
	}
	return req, nil
}
