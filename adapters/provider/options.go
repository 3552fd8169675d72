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

// Options say which server and model a Chat talks to.
type Options struct {
	// BaseURL is the server's address up to and with its version: "http://127.0.0.1:8080/v1".
	// Empty is DefaultBaseURL. A name and password in it become basic authentication
	// when there is no Key.
	BaseURL string
	// Key is sent as a bearer token; without one no such header is sent.
	Key string
	// Model is the model's name at the server; it is required.
	Model string
	// Version is tenet's own, for the User-Agent.
	Version string
	// Transport carries the requests; nil is a transport of the Chat's own, which
	// takes proxies from the environment.
	Transport http.RoundTripper
	// Dial opens connections for the Chat's own transport; nil is the network.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// Deadlines bound the waits.
	Deadlines Deadlines
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
	post    string   // the URL requests go to, with its credentials and query
	shown   string   // the base URL as messages may show it: neither of them
	secrets []string // what of it may be a credential
}

const chatPath = "/chat/completions"

func parseBase(base string) (endpoint, error) {
	if strings.TrimSpace(base) == "" {
		base = DefaultBaseURL
	}
	u, err := url.Parse(strings.TrimSpace(base))
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		// The value is not shown: what is no URL may still hold a password.
		return endpoint{}, &ConfigError{URLVar, "this is not an http or https URL; write it like http://127.0.0.1:8080/v1"}
	}
	if u.Fragment != "" {
		return endpoint{}, &ConfigError{URLVar, "a URL of a server has no #fragment; leave it out"}
	}
	u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), chatPath)
	u.RawPath = ""
	shown := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	u.Path += chatPath
	return endpoint{post: u.String(), shown: shown.String(), secrets: secrets(u)}, nil
}

// checkKey refuses what cannot stand in a header, so that a key pasted with half a
// shell line fails here and not with a riddle from the network.
func checkKey(key string) (string, error) {
	key = strings.TrimSpace(key)
	for _, r := range key {
		if r <= ' ' || r > '~' {
			return "", &ConfigError{KeyVar, fmt.Sprintf("the key holds the character %U, which no key has; copy it again", r)}
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
