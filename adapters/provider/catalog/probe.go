package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"tenet/adapters/provider"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/surface"
)

// Report is what a server said when it was asked.
type Report struct {
	// Info is what was known before; Address is where the server is, without credentials.
	Info    Info
	Address string
	// Names are the models that the server lists, at most maxNames; Count how many there
	// are. Listed is true when the one that was asked for is among them.
	Names  []string
	Count  int
	Listed bool
	// Context is the window that the server really gives, in tokens, 0 when it does not
	// say; ContextFrom is who said it.
	Context     int
	ContextFrom string
	// Can are the abilities that the server names.
	Can []string
	// Warnings are sentences about what will go wrong, and what to do.
	Warnings []string
	// Reply is the small request that was sent; nil when none was.
	Reply *Trial
}

// Trial is one small request with a tool.
type Trial struct {
	// First is the time to the first piece, Whole to the end.
	First, Whole time.Duration
	// Called is true when the model called the tool as it was asked; Text is what it said.
	Called bool
	Text   string
	// Input and Output are the tokens that the server counted, 0 when it did not.
	Input, Output int
	// Err is why there is no reply; nil when there is one.
	Err error
}

// Speed is the output in tokens a second, 0 when it is not known.
func (t Trial) Speed() float64 {
	if took := t.Whole - t.First; t.Output > 1 && took > 0 {
		return float64(t.Output) / took.Seconds()
	}
	return 0
}

// The deadlines of a probe. Side questions are short: a server that is not there must
// not hold a person up.
const (
	askWithin   = 5 * time.Second
	replyWithin = 2 * time.Minute
	maxNames    = 200
)

// probeTool is what the model is asked to call.
var probeTool = surface.Build(surface.Tool{
	Name: "say", Description: "Says one word aloud.",
	Params: []surface.Param{{Name: "word", Type: surface.String, Description: "The word.", Required: true}},
})

const probeWord = "ready"

// Probe asks the server of a selector which models it has and how large their windows
// are, and sends one small request with a tool. Everything has a deadline, and ctx ends
// it at once. The error is that of Open; what the server does wrong is in the report.
func (c *Catalog) Probe(ctx context.Context, selector string, u Use) (Report, error) {
	p, i, err := c.Open(selector, u)
	if err != nil {
		return Report{Info: i}, err
	}
	if closer, ok := p.(interface{ Close() }); ok {
		defer closer.Close()
	}
	r := Report{Info: i}
	if at, ok := p.(interface{ Endpoint() string }); ok {
		r.Address = at.Endpoint()
	}
	a := &asker{c: c, i: i, use: u, r: &r}
	a.models(ctx)
	a.window(ctx)
	r.Reply = trial(ctx, p)
	a.loaded(ctx)
	a.judge()
	return r, nil
}

// trial sends the small request.
func trial(ctx context.Context, p provider.Provider) *Trial {
	ctx, cancel := context.WithTimeoutCause(ctx, replyWithin, fmt.Errorf("no whole reply within %s", replyWithin))
	defer cancel()
	t := &Trial{}
	began := time.Now()
	reply, err := p.Reply(ctx, provider.Request{
		Tools: []surface.Tool{probeTool},
		Messages: []provider.Message{
			{Role: provider.System, Text: "You test a connection. Answer with one call of the tool say."},
			{Role: provider.User, Text: "Call the tool say with the word " + probeWord + "."},
		},
	}, func(d provider.Delta) {
		if t.First == 0 && (d.Text != "" || d.Thinking != "") {
			t.First = time.Since(began)
		}
	})
	t.Whole, t.Err = time.Since(began), err
	if t.First == 0 {
		t.First = t.Whole // a reply of calls shows no pieces
	}
	t.Text, t.Input, t.Output = reply.Text, reply.Input, reply.Output
	t.Called = slices.ContainsFunc(reply.Calls, func(k event.ToolCall) bool {
		var args struct{ Word string }
		return k.Tool == probeTool.Name && json.Unmarshal([]byte(k.Args), &args) == nil && strings.EqualFold(args.Word, probeWord)
	})
	return t
}

// judge says what the answers mean.
func (a *asker) judge() {
	r, i := a.r, a.i
	if r.Count > 0 && !r.Listed {
		a.warn("the server has %d models, and %s is none of them%s", r.Count, i.ID, meant(i.ID, r.Names))
	}
	if r.Context > 0 && i.Context > r.Context {
		a.warn("the server gives a window of %d tokens, and models.json says %d; requests beyond the server's are cut or refused", r.Context, i.Context)
	}
	if r.Context > 0 && r.Context < minContext {
		a.warn("a window of %d tokens is too small for an agent: the tools alone take several thousand; give the server at least %d", r.Context, minContext)
	}
	a.judgeReply()
}

// minContext is the smallest window in which an agent works, in tokens.
const minContext = 16_384

func (a *asker) judgeReply() {
	t := a.r.Reply
	switch {
	case t.Err != nil && strings.Contains(strings.ToLower(t.Err.Error()), "jinja"):
		a.warn("llama.cpp takes no tools as it was started; start it with --jinja")
	case t.Err != nil && strings.Contains(t.Err.Error(), "tool-call-parser"), t.Err != nil && strings.Contains(t.Err.Error(), "tool choice requires"):
		a.warn("vLLM takes no tools as it was started; start it with --enable-auto-tool-choice and the --tool-call-parser of the model")
	case t.Err != nil && strings.Contains(t.Err.Error(), "does not support tools"):
		a.warn("this model has no tools at this server; choose one that has (ollama.com/search?c=tools)")
	case t.Err != nil || t.Called:
	case strings.Contains(t.Text, probeWord) && strings.ContainsAny(t.Text, "<{["):
		a.warn("the model wrote its call as text: the server does not read the model's calls (llama.cpp: --jinja, vLLM: --tool-call-parser); tenet repairs what it can")
	default:
		a.warn("the model did not call the tool that it was told to call; it is too weak for an agent, or the server hides its tools")
	}
}

func (a *asker) warn(format string, args ...any) {
	a.r.Warnings = append(a.r.Warnings, call.OneLine(fmt.Sprintf(format, args...), 600))
}
