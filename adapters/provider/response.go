package provider

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"tenet/core/call"
	"tenet/core/event"
)

// open checks an answer before it is read as a stream: its status, its coding and
// its type. A page or an object with status 200 is an error, never an empty reply.
func (x *exchange) open(resp *http.Response) (io.Reader, error) {
	body, err := decoded(resp)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, x.client.refused(resp, x.rest(body))
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch kind {
	case "text/event-stream":
		return body, nil
	case "", "text/plain", "application/octet-stream":
		r := bufio.NewReader(body)
		if looksLikeStream(r) {
			return r, nil
		}
		body = r
	}
	return nil, x.client.notStream(x.rest(body))
}

// rest is the start of a body that is no stream, for its words. A broken body, or
// one that does not end, gives what came of it.
func (x *exchange) rest(body io.Reader) []byte {
	x.watch.finished(x.client.deadlines.Tail)
	b, _ := io.ReadAll(io.LimitReader(body, MaxBody))
	x.raw.add(b)
	return b
}

// object reads an answer that is one object, under the caps and deadlines of a stream.
func (x *exchange) object(resp *http.Response) (event.Reply, error) {
	body, err := decoded(resp)
	if err != nil {
		return event.Reply{}, err
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return event.Reply{}, x.client.refused(resp, x.rest(body))
	}
	var all []byte
	buf := make([]byte, 32<<10)
	for err == nil && len(all) <= MaxReply {
		var n int
		n, err = body.Read(buf)
		all = append(all, buf[:n]...)
		x.raw.add(buf[:n])
		x.watch.bytes(n > 0)
	}
	switch {
	case len(all) > MaxReply:
		return event.Reply{}, tooLong()
	case err != io.EOF:
		return event.Reply{}, brokeOff(err)
	}
	if trimmed := bytes.TrimSpace(all); len(trimmed) == 0 || trimmed[0] != '{' {
		return event.Reply{}, x.client.notStream(all)
	}
	return x.whole(all)
}

// decoded undoes a compression that was not asked for.
func decoded(resp *http.Response) (io.Reader, error) {
	switch coding := strings.ToLower(resp.Header.Get("Content-Encoding")); coding {
	case "", "identity":
		return resp.Body, nil
	case "gzip", "x-gzip":
		return &gunzip{from: resp.Body}, nil
	default:
		return nil, &Error{Class: Malformed, Status: resp.StatusCode, Message: fmt.Sprintf("the server compressed its answer as %.20q although plain bytes were asked for; switch compression off in the proxy before it", coding)}
	}
}

// gunzip opens on the first read, so that an empty body ends like any other.
type gunzip struct {
	from io.Reader
	z    *gzip.Reader
}

// Read decompresses; the caller's caps count what comes out.
func (g *gunzip) Read(b []byte) (int, error) {
	if g.z == nil {
		z, err := gzip.NewReader(g.from)
		if err != nil {
			return 0, err
		}
		g.z = z
	}
	return g.z.Read(b)
}

// looksLikeStream peeks at the first line that is not blank.
func looksLikeStream(r *bufio.Reader) bool {
	for {
		if _, err := r.Peek(1); err != nil {
			return false
		}
		b, _ := r.Peek(r.Buffered())
		if n := len(b) - len(bytes.TrimLeft(b, "\xef\xbb\xbf\r\n")); n > 0 {
			_, _ = r.Discard(n) // blank lines and a byte order mark mean nothing to the parser
			continue
		}
		for _, field := range []string{":", "data:", "event:", "id:", "retry:"} {
			if bytes.HasPrefix(b, []byte(field)) || strings.HasPrefix(field, string(b)) {
				return true
			}
		}
		return false
	}
}

// notStream names a 200 that is no stream by what it is.
func (c *client) notStream(body []byte) *Error {
	trimmed := bytes.TrimSpace(body)
	if len(trimmed) == 0 {
		return &Error{Class: Cut, Message: "the server answered with an empty body"}
	}
	if s, ok := parseSaid(trimmed); ok {
		return inBand(s)
	}
	switch trimmed[0] {
	case '<':
		return &Error{Class: Malformed, Message: fmt.Sprintf("%s answered with a web page, not with a model's stream: %s; check %s", c.to.shown, call.OneLine(string(trimmed), 120), c.vars.url)}
	case '{', '[':
		return &Error{Class: Malformed, Message: fmt.Sprintf("%s answered with JSON, not with a stream: %s; use a server that can stream", c.to.shown, call.OneLine(string(trimmed), 120))}
	}
	return &Error{Class: Malformed, Message: fmt.Sprintf("%s answered with something that is no stream: %s; check %s", c.to.shown, call.OneLine(string(trimmed), 120), c.vars.url)}
}

// refused is the error of a status that is no success, with the next step.
func (c *client) refused(resp *http.Response, body []byte) *Error {
	s, _ := parseSaid(body)
	if s.message == "" && len(body) > 0 && !bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) {
		s.message = call.OneLine(strings.TrimSpace(string(body)), 300)
	}
	e := &Error{Class: s.class(resp.StatusCode), Status: resp.StatusCode, RetryAfter: retryAfter(resp.Header, time.Now())}
	e.Message = c.advice(e, s.words(), resp)
	if l := limits(resp.Header); l != "" && (e.Class == Limited || e.Class == Quota) {
		e.Message += " (" + l + ")"
	}
	if id := requestID(resp.Header); id != "" {
		e.Message += " [request " + id + "]"
	}
	return e
}

func (c *client) advice(e *Error, words string, resp *http.Response) string {
	switch {
	case e.Class == Auth && c.key == "":
		return fmt.Sprintf("the server wants a key and none was sent: %s; set %s", words, c.vars.key)
	case e.Class == Auth:
		return fmt.Sprintf("the server refused the key: %s; set %s to a key of %s", words, c.vars.key, c.to.shown)
	case e.Class == Limited:
		return "the server takes no more requests for now: " + words
	case e.Class == Quota:
		return "the account's limit is reached: " + words
	case e.Class == Overload:
		return "the server cannot answer now: " + words
	case e.Class == Overflow:
		return "the request is longer than the model's context: " + words
	case e.Status == http.StatusNotFound:
		return fmt.Sprintf("%s knows no such path or model: %s; check %s (most servers want it to end in /v1) and --model %s", c.to.shown, words, c.vars.url, c.model)
	case e.Status/100 == 3:
		return fmt.Sprintf("%s sends requests on to %s, which is not followed; set %s to the server itself", c.to.shown, location(resp), c.vars.url)
	}
	return "the server refused the request: " + words
}

// location is where a redirect leads, without what may be a credential.
func location(resp *http.Response) string {
	u, err := resp.Location()
	if err != nil {
		return "nowhere"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// unreached is the error of a request that got no answer. The cause's own text is
// kept out where it would show the URL.
func (x *exchange) unreached(err error) *Error {
	var uerr *url.Error
	if errors.As(err, &uerr) {
		err = uerr.Err
	}
	e := &Error{Class: Unreached, Err: err}
	var cert *tls.CertificateVerificationError
	var host x509.HostnameError
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &cert), errors.As(err, &host):
		e.Class = Rejected // the next try meets the same certificate
		e.Message = fmt.Sprintf("the certificate of %s is not trusted: %v; check %s", x.client.to.shown, err, x.client.vars.url)
	case errors.As(err, &record), strings.Contains(err.Error(), "HTTP response to HTTPS client"):
		e.Class = Rejected
		e.Message = fmt.Sprintf("%s does not speak TLS; if it is a local server, write http:// in %s", x.client.to.shown, x.client.vars.url)
	case strings.Contains(err.Error(), "server response headers exceeded"):
		e.Class = Malformed
		e.Message = fmt.Sprintf("%s answered with more than %d KiB of headers before any reply; check %s, or the proxy before it", x.client.to.shown, maxHeaders>>10, x.client.vars.url)
	default:
		e.Message = fmt.Sprintf("no answer from %s: %v; check that the server runs and %s", x.client.to.shown, err, x.client.vars.url)
	}
	return e
}

// failed gives an error the bytes that came, and takes every secret out of it.
func (x *exchange) failed(ctx context.Context, err error) *Error {
	var e, stalled *Error
	if !errors.As(err, &e) {
		e = &Error{Class: Malformed, Message: err.Error(), Err: err}
	}
	if errors.As(context.Cause(ctx), &stalled) {
		e = stalled
	}
	if e.Class == Auth && !strings.Contains(e.Message, x.client.vars.key) {
		e.Message += "; check " + x.client.vars.key
	}
	e.Body = x.client.secrets.clean(x.raw.String())
	e.Message = x.client.secrets.clean(e.Message)
	if e.Err != nil {
		if text := e.Err.Error(); x.client.secrets.clean(text) != text {
			e.Err = errors.New(x.client.secrets.clean(text)) // the chain would still hold the secret
		}
	}
	return e
}
