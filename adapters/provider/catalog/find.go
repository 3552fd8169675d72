package catalog

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"tenet/adapters/provider"
	"tenet/core/fallback"
	core "tenet/core/settings"
)

// Environment is the row of the server that OPENAI_BASE_URL names.
const Environment = "env"

// fromEnvironment is the row of OPENAI_BASE_URL; ok is false without one. A server of a
// kind that its address tells has the switches of that kind.
func (c *Catalog) fromEnvironment() (Row, bool) {
	base := strings.TrimSpace(c.env(provider.URLVar))
	if base == "" {
		return Row{}, false
	}
	row := Row{
		Name: Environment, Says: "the server of $" + provider.URLVar, Wire: "chat", BaseURL: base, BaseVar: provider.URLVar,
		KeyVar: provider.KeyVar, KeyOptional: true, Source: "environment",
	}
	u, err := url.Parse(base)
	if err != nil {
		return row, true // opening it says what is wrong
	}
	for _, r := range c.rows {
		if slices.Contains(r.Hosts, u.Host) || slices.Contains(r.Hosts, ":"+u.Port()) && local(u.Hostname()) {
			row.Probe, row.switches = r.Probe, r.switches
			return row, true
		}
	}
	return row, true
}

func local(host string) bool {
	return host == "localhost" || strings.HasPrefix(host, "127.") || host == "::1"
}

// NotFoundError says that no model has a name, or that several have.
type NotFoundError struct {
	// Selector is the name as it was asked for, as messages may show it.
	Selector string
	// Near are selectors that may have been meant, Several those of all that have it.
	Near, Several []string
	// Broken is why the user's models cannot be read, when they cannot.
	Broken error
}

// Error names what is near, and what to do.
func (e *NotFoundError) Error() string {
	switch {
	case e.Several != nil:
		return fmt.Sprintf("several providers have a model %s; name one of them: %s", e.Selector, strings.Join(e.Several, ", "))
	case e.Broken != nil:
		return fmt.Sprintf("no model is known as %s, and your own models cannot be read: %v", e.Selector, e.Broken)
	case e.Near != nil:
		return fmt.Sprintf("no model is known as %s; did you mean %s? ('tenet models' lists them)", e.Selector, strings.Join(e.Near, " or "))
	}
	return fmt.Sprintf("no model is known as %s; write PROVIDER/NAME ('tenet models' lists the providers), or add it to models.json", e.Selector)
}

// Find is the model that a selector names: "provider/id", or an id alone. An id alone
// is a model of the user's own file, else one at the server of OPENAI_BASE_URL, else
// the one listed model of that name; with nothing but OPENAI_API_KEY it goes to OpenAI
// whatever it is. The error is a *NotFoundError.
func (c *Catalog) Find(selector string) (Info, error) {
	if name, id, ok := strings.Cut(selector, "/"); ok && id != "" {
		if r, known := c.row(name); known {
			return c.at(r, id), nil
		}
	}
	var mine, others []Info
	for _, i := range c.List() {
		switch {
		case i.ID != selector:
		case i.Source == c.File:
			mine = append(mine, i)
		default:
			others = append(others, i)
		}
	}
	switch env, there := c.row(Environment); {
	case len(mine) == 1:
		return mine[0], nil
	case len(mine) > 1:
		return Info{}, c.missing(selector, mine)
	case there && selector != "":
		return c.at(env, selector), nil
	case len(others) == 1:
		return others[0], nil
	case len(others) > 1:
		return Info{}, c.missing(selector, others)
	}
	if openai, ok := c.row("openai"); ok && selector != "" && c.env(provider.KeyVar) != "" {
		return c.at(openai, selector), nil
	}
	return Info{}, c.missing(selector, nil)
}

// at is a model of a row, listed or not.
func (c *Catalog) at(r Row, id string) Info {
	if at := slices.IndexFunc(r.Models, func(m Model) bool { return m.ID == id }); at >= 0 {
		return c.info(r, r.Models[at], true)
	}
	return c.info(r, Model{ID: id}, false)
}

func (c *Catalog) missing(selector string, several []Info) error {
	e := &NotFoundError{Selector: fallback.Shown(selector, c.Secrets()), Broken: c.Broken}
	for _, i := range several {
		e.Several = append(e.Several, i.Selector)
	}
	if several != nil {
		return e
	}
	e.Near = c.near(selector)
	return e
}

// near are the selectors of listed models whose name is near, with its provider or
// without.
func (c *Catalog) near(selector string) (out []string) {
	if out = core.Near(selector, c.Selectors()); out != nil {
		return out
	}
	var names []string
	for _, i := range c.List() {
		names = append(names, i.ID)
	}
	for _, id := range core.Near(selector, names) {
		for _, i := range c.List() {
			if i.ID == id && !slices.Contains(out, i.Selector) {
				out = append(out, i.Selector)
			}
		}
	}
	return out
}

// split is the provider and the id of a selector; an id alone has no provider.
func split(selector string) (name, id string) {
	if name, id, ok := strings.Cut(selector, "/"); ok {
		return name, id
	}
	return "", selector
}
