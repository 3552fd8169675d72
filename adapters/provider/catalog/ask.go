package catalog

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	core "tenet/core/settings"
)

// asker asks a server about itself. Whatever it does not answer is not known, and no
// answer of it is more than a number and some names.
type asker struct {
	c   *Catalog
	i   Info
	use Use
	r   *Report
}

// maxAnswer bounds an answer, in bytes; a router lists hundreds of models.
const maxAnswer = 8 << 20

// ask sends one question and reads the JSON of the answer.
func (a *asker) ask(ctx context.Context, method, address string, body, into any) error {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	var b []byte
	if body != nil {
		var err error
		if b, err = json.Marshal(body); err != nil {
			return err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(b))
	if err != nil {
		return errors.New("the address is none")
	}
	a.head(req)
	resp, err := a.transport().RoundTrip(req)
	if err != nil {
		return errors.New("no answer")
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("HTTP %d", resp.StatusCode)
	}
	return json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(into)
}

// head is the request's headers, with the key in the way of the wire format.
func (a *asker) head(req *http.Request) {
	req.Header.Set("Content-Type", "application/json")
	switch key := a.i.Key.value; {
	case key == "":
	case a.i.Wire == "anthropic":
		req.Header.Set("X-Api-Key", key)
		req.Header.Set("Anthropic-Version", "2023-06-01")
	default:
		req.Header.Set("Authorization", "Bearer "+key)
	}
	for _, h := range a.i.row.Headers {
		if h.Env != "" {
			h.Value = a.c.env(h.Env)
		}
		req.Header.Set(h.Name, h.Value)
	}
}

// transport follows no redirect: a key goes to the server that was named.
func (a *asker) transport() http.RoundTripper {
	if a.use.Transport != nil {
		return a.use.Transport
	}
	return http.DefaultTransport
}

// at is an address under the base, or beside its version.
func (a *asker) at(path string, root bool) string {
	u, err := url.Parse(a.c.Address(a.i.row))
	if err != nil {
		return ""
	}
	u.Path = strings.TrimRight(u.Path, "/")
	if root {
		u.Path = strings.TrimSuffix(u.Path, "/v1")
	} else if a.i.Wire == "anthropic" && !strings.HasSuffix(u.Path, "/v1") {
		u.Path += "/v1"
	}
	u.Path += path
	return u.String()
}

// models asks which models there are; llama.cpp and vLLM say their window there.
func (a *asker) models(ctx context.Context) {
	var list struct {
		Data []struct {
			ID      string `json:"id"`
			Max     int    `json:"max_model_len"`  // vLLM
			Context int    `json:"context_length"` // OpenRouter
			Meta    struct {
				Context int `json:"n_ctx"` // llama.cpp
			} `json:"meta"`
		} `json:"data"`
	}
	if err := a.ask(ctx, http.MethodGet, a.at("/models", false), nil, &list); err != nil {
		a.warn("%s does not list its models: %v", a.r.Address, err)
		return
	}
	a.r.Count = len(list.Data)
	for _, m := range list.Data {
		if len(a.r.Names) < maxNames || m.ID == a.i.ID {
			a.r.Names = append(a.r.Names, m.ID)
		}
		if m.ID == a.i.ID || m.ID == a.i.ID+":latest" {
			a.r.Listed = true
			a.context(max(m.Max, m.Context, m.Meta.Context), "its list of models")
		}
	}
}

func (a *asker) context(n int, from string) {
	if n > 0 {
		a.r.Context, a.r.ContextFrom = n, from
	}
}

// window asks servers that have a way of their own how large the window is.
func (a *asker) window(ctx context.Context) {
	u, err := url.Parse(a.c.Address(a.i.row))
	switch kind := a.i.row.Probe; {
	case kind == "ollama":
		a.ollama(ctx)
	case kind == "llamacpp", err == nil && local(u.Hostname()): // others say that they know no /props
		a.llamacpp(ctx)
	}
}

func (a *asker) llamacpp(ctx context.Context) {
	var props struct {
		Settings struct {
			Context int `json:"n_ctx"`
		} `json:"default_generation_settings"`
		Modalities struct{ Vision bool } `json:"modalities"`
		Caps       map[string]bool       `json:"chat_template_caps"`
	}
	if a.ask(ctx, http.MethodGet, a.at("/props", true), nil, &props) != nil {
		return
	}
	a.context(props.Settings.Context, "/props")
	a.r.Listed = true // it has one model, whatever it is called
	if props.Modalities.Vision {
		a.r.Can = append(a.r.Can, "vision")
	}
	if can, said := props.Caps["supports_tools"]; said && !can {
		a.warn("the model's chat template knows no tools; tenet then depends on what llama.cpp puts in their place")
	}
}

// numCtx is the window that an Ollama model file asks for.
var numCtx = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*num_ctx\s+(\d+)`) })

func (a *asker) ollama(ctx context.Context) {
	var show struct {
		Parameters   string                     `json:"parameters"`
		Info         map[string]json.RawMessage `json:"model_info"`
		Capabilities []string                   `json:"capabilities"`
	}
	if a.ask(ctx, http.MethodPost, a.at("/api/show", true), map[string]string{"model": a.i.ID}, &show) != nil {
		return
	}
	a.r.Can = show.Capabilities
	most := 0
	for name, v := range show.Info {
		if n, err := strconv.Atoi(string(v)); err == nil && strings.HasSuffix(name, ".context_length") {
			most = n
		}
	}
	if m := numCtx().FindStringSubmatch(show.Parameters); m != nil {
		n, _ := strconv.Atoi(m[1]) // digits, by the expression
		a.context(n, "num_ctx of the model")
	} else if most > 0 {
		a.warn("Ollama cuts a context in silence at its default (4096 tokens on small machines), although this model can have %d; "+
			"start it with OLLAMA_CONTEXT_LENGTH=%d, or give the model num_ctx", most, min(most, 32_768))
	}
	if len(show.Capabilities) > 0 && !slices.Contains(show.Capabilities, "tools") {
		a.warn("Ollama says that this model has no tools; choose one that has (ollama.com/search?c=tools)")
	}
}

// loaded asks Ollama for the window of the model that is loaded now, which is the one
// that counts.
func (a *asker) loaded(ctx context.Context) {
	var ps struct {
		Models []struct {
			Name    string `json:"name"`
			Context int    `json:"context_length"`
		} `json:"models"`
	}
	if a.i.row.Probe != "ollama" || a.ask(ctx, http.MethodGet, a.at("/api/ps", true), nil, &ps) != nil {
		return
	}
	for _, m := range ps.Models {
		if m.Name == a.i.ID || m.Name == a.i.ID+":latest" {
			a.context(m.Context, "the loaded model")
		}
	}
}

// meant names what is near a name that a server does not have.
func meant(id string, names []string) string {
	near := core.Near(id, names)
	if near == nil {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}
