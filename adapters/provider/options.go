package provider

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// DefaultBaseURL is where requests go without OPENAI_BASE_URL.
const DefaultBaseURL = "https://api.openai.com/v1"

// The environment variables that messages point to.
const (
	URLVar = "OPENAI_BASE_URL"
	KeyVar = "OPENAI_API_KEY"
)

// Deadlines bound every wait of a reply. A zero is the default; there is no way to
// wait for ever.
type Deadlines struct {
	// Connect bounds the connection with its TLS handshake: 10 s.
	Connect time.Duration
	// Headers bounds the wait for the answer's status line: 300 s, because a local
	// server loads its model first.
	Headers time.Duration
	// FirstByte bounds the silence before the first piece of the reply: 300 s,
	// because a local server reads a long prompt first.
	FirstByte time.Duration
	// Progress bounds the silence between two pieces: 120 s (retry.provider.streamIdleTimeoutMs).
	Progress time.Duration
	// Connection bounds a stream that shows signs of life and no piece of a reply: 10 min.
	Connection time.Duration
	// Tail bounds the wait for what no outcome hangs on: 5 s. It is the usage numbers
	// once the model has finished, and the words of an error once its status is known.
	Tail time.Duration
	// Whole bounds one request as a whole; 0 is no bound beside the others
	// (retry.provider.timeoutMs).
	Whole time.Duration
}

// withDefaults fills what is not positive.
func (d Deadlines) withDefaults() Deadlines {
	fill := func(v *time.Duration, def time.Duration) {
		if *v <= 0 {
			*v = def
		}
	}
	fill(&d.Connect, 10*time.Second)
	fill(&d.Headers, 300*time.Second)
	fill(&d.FirstByte, 300*time.Second)
	fill(&d.Progress, 120*time.Second)
	fill(&d.Connection, 10*time.Minute)
	fill(&d.Tail, 5*time.Second)
	return d
}

// Options say which server and model a client talks to.
type Options struct {
	// BaseURL is the server's address up to and with its version: "http://127.0.0.1:8080/v1".
	// Empty is the wire format's own server. A name and password in it become basic authentication
	// when there is no Key.
	BaseURL string
	// Key is sent as the wire format wants it; without one no such header is sent.
	Key string
	// Model is the model's name at the server; it is required.
	Model string
	// Name is how records name the model, and which slots its requests share; empty is
	// Model.
	Name string
	// Version is tenet's own, for the User-Agent.
	Version string
	// Transport carries the requests; nil is a transport of the client's own, which
	// takes proxies from the environment.
	Transport http.RoundTripper
	// Dial opens connections for the client's own transport; nil is the network.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// Deadlines bound the waits.
	Deadlines Deadlines
	// URLSetting and KeySetting are how messages name where BaseURL and Key come from;
	// empty is the environment variable that the wire format's own tools read.
	URLSetting, KeySetting string

	// MaxOutput bounds the tokens of one reply; 0 is the server's own bound, or
	// DefaultMaxOutput where the wire format requires one.
	MaxOutput int
	// Thinking is the token budget of the model's thinking in the Anthropic format; 0
	// leaves the field out.
	Thinking int
	// Effort is how hard the model thinks, in the server's own word ("low", "high");
	// empty leaves the field out.
	Effort string
	// Switches are what this server's chat completions differ in; nil is DefaultSwitches.
	Switches *Switches
	// NoImages is true for a model that takes no pictures: a request with one is refused
	// before it is sent.
	NoImages bool
	// Headers are sent with every request, over the client's own.
	Headers map[string]string
	// Secrets are further texts, values of headers for example, that no message shows.
	Secrets []string
	// NoReasoning leaves out what only a model that reasons takes: OpenAI refuses the rest
	// of a Responses request with it.
	NoReasoning bool
	// Background has a Responses server work on the answer while nobody is connected;
	// such a Reply ends with *Deferred.
	Background bool
}

// named fills the names of the settings.
func (o Options) named(url, key string) Options {
	if o.URLSetting == "" {
		o.URLSetting = url
	}
	if o.KeySetting == "" {
		o.KeySetting = key
	}
	return o
}

// ConfigError is a setting with which no request can be sent: the caller's to
// mend, never to retry.
type ConfigError struct {
	// Setting is what is wrong: "OPENAI_BASE_URL", "OPENAI_API_KEY" or "--model".
	Setting string
	// Message says why and what to write instead.
	Message string
}

// Error names the setting and says what to write instead.
func (e *ConfigError) Error() string { return e.Setting + ": " + e.Message }

// endpoint is a checked base URL.
type endpoint struct {
	base    url.URL  // with its credentials and query
	shown   string   // the base URL as messages may show it: neither of them
	secrets []string // what of it may be a credential
}

// at is the URL of a path under the base.
func (e endpoint) at(path string) string {
	u := e.base
	u.Path += path
	return u.String()
}

// parseBase checks a base URL; def stands for an empty one. A URL that was copied
// with the format's own path loses it.
func parseBase(o Options, def, path string) (endpoint, error) {
	base := strings.TrimSpace(o.BaseURL)
	if base == "" {
		base = def
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		// The value is not shown: what is no URL may still hold a password.
		return endpoint{}, &ConfigError{o.URLSetting, "this is not an http or https URL; write it like http://127.0.0.1:8080/v1"}
	}
	if u.Fragment != "" {
		return endpoint{}, &ConfigError{o.URLSetting, "a URL of a server has no #fragment; leave it out"}
	}
	u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), path)
	u.RawPath = ""
	shown := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	return endpoint{base: *u, shown: shown.String(), secrets: secrets(u)}, nil
}

// checkKey refuses what cannot stand in a header, so that a key pasted with half a
// shell line fails here and not with a riddle from the network.
func checkKey(o Options) (string, error) {
	key := strings.TrimSpace(o.Key)
	for _, r := range key {
		if r <= ' ' || r > '~' {
			return "", &ConfigError{o.KeySetting, fmt.Sprintf("the key holds the character %U, which no key has; copy it again", r)}
		}
	}
	return key, nil
}

// maxHeaders bounds the headers of an answer, in bytes; real ones have a few KiB.
const maxHeaders = 256 << 10

func newTransport(o Options, d Deadlines) *http.Transport {
	dial := o.Dial
	if dial == nil {
		dial = (&net.Dialer{KeepAlive: 30 * time.Second}).DialContext
	}
	// HTTP/1.1 alone: one connection a reply, so that a dead one dies with its
	// reply and the next try gets a fresh one. Under HTTP/2 a retry would go down
	// the same dead connection.
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dialWithin(d.Connect, dial),
		TLSHandshakeTimeout: d.Connect,
		IdleConnTimeout:     90 * time.Second,
		MaxIdleConnsPerHost: 8,

		MaxResponseHeaderBytes: maxHeaders,

		Protocols:          &protocols,
		DisableCompression: true, // a compressed stream arrives in lumps; see decoded
	}
}

func dialWithin(limit time.Duration, dial func(context.Context, string, string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no connection within %s", limit))
		defer cancel()
		conn, err := dial(ctx, network, addr)
		if err != nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return conn, err
	}
}
