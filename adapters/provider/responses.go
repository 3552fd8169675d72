package provider

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"sync"

	"tenet/core/call"
	"tenet/core/event"
)

// Responses is a Provider over the OpenAI Responses format. It is safe for several
// goroutines and never sends a request twice.
type Responses struct{ client }

var _ Deferrer = (*Responses)(nil)

// NewResponses checks the options; nothing is sent. The error is a *ConfigError.
func NewResponses(o Options) (*Responses, error) {
	o = o.named(URLVar, KeyVar)
	to, err := parseBase(o, DefaultBaseURL, responsesPath)
	if err != nil {
		return nil, err
	}
	c, err := newClient(o, to)
	if err != nil {
		return nil, err
	}
	c.format = responsesFormat{chatFormat: chatFormat{model: c.model}, maxOutput: max(o.MaxOutput, 0), effort: o.Effort, background: o.Background, plain: o.NoReasoning}
	return &Responses{c}, nil
}

const responsesPath = "/responses"

// responsesFormat is the wire format of Responses; it authorizes like chat completions.
type responsesFormat struct {
	chatFormat
	maxOutput  int
	effort     string
	background bool
	plain      bool // the model does not reason
}

func (f responsesFormat) path() string         { return responsesPath }
func (f responsesFormat) assembler() assembler { return &ResponsesAccumulator{Asked: f.model} }

// answer reads a response that came as one object.
func (f responsesFormat) answer(body []byte) (event.Reply, error) {
	a := &ResponsesAccumulator{Asked: f.model}
	return a.object(body)
}

// Reply sends the request once. In the background mode the server only takes it, and
// the error is a *Deferred with the job to poll.
func (c *Responses) Reply(ctx context.Context, r Request, on func(Delta)) (event.Reply, error) {
	f := c.format.(responsesFormat)
	if !f.background {
		return c.client.Reply(ctx, r, on)
	}
	body, err := f.encode(r)
	if err != nil {
		return event.Reply{}, err
	}
	return c.exchange(ctx, &exchange{client: &c.client, method: http.MethodPost, url: c.to.at(responsesPath), body: body, on: on, whole: f.answer}, r)
}

// Poll asks once for the answer of a job (H4.4). While the server still works on it
// the error is a *Deferred; a poll that fails says nothing about the job.
func (c *Responses) Poll(ctx context.Context, job string, on func(Delta)) (event.Reply, error) {
	f := c.format.(responsesFormat)
	to, err := c.jobURL(job, "")
	if err != nil {
		return event.Reply{}, err
	}
	if !f.plain {
		to.RawQuery += "&include[]=" + encryptedReasoning
	}
	return c.exchange(ctx, &exchange{client: &c.client, method: http.MethodGet, url: to.String(), on: on, whole: f.answer}, Request{})
}

// Drop cancels a job. A job that the server does not know any more, or that is over,
// needs no cancel.
func (c *Responses) Drop(ctx context.Context, job string) error {
	to, err := c.jobURL(job, "/cancel")
	if err != nil {
		return err
	}
	x := &exchange{client: &c.client, method: http.MethodPost, url: to.String(), whole: func([]byte) (event.Reply, error) { return event.Reply{}, nil }}
	_, err = c.exchange(ctx, x, Request{})
	var e *Error
	if errors.As(err, &e) && (e.Status == http.StatusNotFound || e.Status == http.StatusConflict || isOver().MatchString(e.Message)) {
		return nil
	}
	return err
}

// isOver is what a server says of a job that cannot be cancelled because it ended.
var isOver = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)cancel.*\b(completed|cancelled|failed|finished)\b`)
})

var jobID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,256}$`) })

// jobURL is the address of a job. An id that could lead elsewhere is none.
func (c *Responses) jobURL(job, path string) (*url.URL, error) {
	if !jobID().MatchString(job) {
		return nil, &Error{Class: Rejected, Message: fmt.Sprintf("%q is no name of a response, so it cannot be asked for", call.OneLine(job, 60))}
	}
	u := c.to.base
	u.Path += responsesPath + "/" + job + path
	return &u, nil
}
