// Package catalog knows the servers and models that tenet can talk to: the built-in
// rows, what the user's models.json adds to them, and which keys are there. It opens a
// provider for a selector. Nothing here talks to a network, so that tenet starts without one.
package catalog

import (
	_ "embed"
	"fmt"
	"path/filepath"
	"slices"

	"tenet/adapters/provider"
	"tenet/adapters/settings"
	core "tenet/core/settings"
)

// Name is what the user's file of models is called, in tenet's home.
const Name = "models.json"

// File is the user's file of models.
func File(home string) string { return filepath.Join(home, Name) }

//go:embed rows.json
var rows []byte

// Known is what is known of a model's ability.
type Known uint8

// The three answers.
const (
	Unknown Known = iota
	Yes
	No
)

var knownNames = [...]string{"unknown", "yes", "no"}

// String is the answer in a word.
func (k Known) String() string { return knownNames[k] }

// Row is one server, or one kind of server.
type Row struct {
	// Name is the first part of its models' selectors.
	Name string
	// Says is what it is, for people.
	Says string
	// Wire is the wire format: "chat", "anthropic" or "responses".
	Wire string
	// BaseURL is the address, BaseVar the environment variable that names another.
	BaseURL, BaseVar string
	// KeyVar is the environment variable that holds the key; KeyOptional is true for a
	// server that may want none.
	KeyVar      string
	KeyOptional bool
	// Headers are sent with every request.
	Headers []Header
	// Probe is how a server of this kind is asked for more than its models: "ollama",
	// "llamacpp", or nothing.
	Probe string
	// Hosts are the hosts, with a port where that tells, by which an address is known to
	// be of this kind.
	Hosts []string
	// Models are those that are known by name; any other name goes to the server as well.
	Models []Model
	// Source is where the row comes from: "built in" or a file.
	Source string

	switches []change
}

// Header is one header of a row. Its value stands in the file, or in the environment
// when it is secret.
type Header struct{ Name, Value, Env string }

// Model is one model of a row.
type Model struct {
	// ID is its name at the server, Name the one for people; empty is the ID.
	ID, Name string
	// Wire is its own wire format; empty is the row's.
	Wire string
	// Context and MaxOutput are in tokens, 0 when they are not known.
	Context, MaxOutput int
	// Images and Thinking are what it can do.
	Images, Thinking Known
	// Price is what its tokens cost.
	Price Price
	// Source is where it comes from.
	Source string

	switches []change
}

// Price is what a model's tokens cost, in dollars for a million of them. Nothing is known by
// itself: prices change, and a wrong one is worse than none.
type Price struct {
	Known                 bool
	Input, Output, Cached float64
}

// Of is what so many tokens cost, in dollars; negative when nobody knows. Input counts the
// cached ones too.
func (p Price) Of(input, output, cached int) float64 {
	if !p.Known {
		return -1
	}
	return (float64(input-cached)*p.Input + float64(cached)*p.Cached + float64(output)*p.Output) / 1e6
}

// change is one switch as a file sets it, with the reason.
type change struct {
	name    string
	value   []byte
	because string
}

// Catalog is every row, in the order in which they are listed: the user's own first.
type Catalog struct {
	rows []Row
	env  func(string) string
	auth map[string]string
	// Broken is why the user's models cannot be read; then only the built-in rows are
	// known. Nil when they can.
	Broken error
	// File and AuthFile are the files that were looked for.
	File, AuthFile string
}

// Load reads the built-in rows, then the user's models.json and auth.json in tenet's
// home. What cannot be read is left out and told in one sentence each; there is always
// a catalog. env looks an environment variable up.
func Load(home string, env func(string) string) (*Catalog, []string) {
	c := &Catalog{env: env, File: File(home), AuthFile: filepath.Join(home, "auth.json")}
	c.rows = builtIn()
	var warnings []string
	tell := func(format string, a ...any) { warnings = append(warnings, fmt.Sprintf(format, a...)) }
	tree, there, err := settings.Tree(c.File)
	switch {
	case err != nil:
		c.Broken = err
		tell("the models in it do not count: %v", err)
	case there:
		r := &reader{file: c.File, tell: tell}
		c.rows = r.rows(tree, c.rows, c.File)
	}
	c.auth = readAuth(c.AuthFile, tell)
	if row, ok := c.fromEnvironment(); ok {
		c.rows = append([]Row{row}, c.rows...)
	}
	return c, warnings
}

// builtIn are the rows that tenet brings. They are data that was written with it: a
// mistake in them is the author's, and a test's to find.
func builtIn() []Row {
	tree, err := settings.Parse(rows)
	if err != nil {
		panic("catalog: rows.json: " + err.Error())
	}
	r := &reader{file: "rows.json", tell: func(format string, a ...any) { panic("catalog: " + fmt.Sprintf(format, a...)) }}
	return r.rows(tree, nil, "built in")
}

// Rows lists the servers, the user's own first.
func (c *Catalog) Rows() []Row { return slices.Clone(c.rows) }

func (c *Catalog) row(name string) (Row, bool) {
	i := slices.IndexFunc(c.rows, func(r Row) bool { return r.Name == name })
	if i < 0 {
		return Row{}, false
	}
	return c.rows[i], true
}

// Switches are the switches of a row's model with the reason of each that differs from
// the defaults.
func (i Info) Switches() (provider.Switches, map[string]string) {
	s, because := provider.DefaultSwitches(), map[string]string{}
	for _, c := range slices.Concat(i.row.switches, i.model.switches) {
		if s.Set(c.name, c.value) == nil {
			because[c.name] = c.because
		}
	}
	return s, because
}

// Info is one model that can be opened.
type Info struct {
	// Selector names it: "provider/id".
	Selector string
	// Provider is the row's name, ID the model's at the server, Name the one for people.
	Provider, ID, Name string
	// Wire is the wire format.
	Wire string
	// Context and MaxOutput are in tokens, 0 when they are not known.
	Context, MaxOutput int
	// Images and Thinking are what it can do.
	Images, Thinking Known
	// Price is what its tokens cost.
	Price Price
	// Key is how its key stands.
	Key Key
	// Listed is false for a name that no file has: the server may know it.
	Listed bool
	// Source is where it comes from: "built in", a file or the environment.
	Source string
	// Near are names that may have been meant, when it is not listed and others are.
	Near []string

	row   Row
	model Model
}

// List is every model that is known by name.
func (c *Catalog) List() []Info {
	var out []Info
	for _, r := range c.rows {
		if len(r.Models) > 0 {
			out = append(out, c.Of(r)...)
		}
	}
	return out
}

// Of is a row's models; a row that knows none by name is one that stands for all of them.
func (c *Catalog) Of(r Row) []Info {
	if len(r.Models) == 0 {
		return []Info{c.info(r, Model{ID: "*"}, false)}
	}
	var out []Info
	for _, m := range r.Models {
		out = append(out, c.info(r, m, true))
	}
	return out
}

// Selectors are the selectors of the models that are known by name.
func (c *Catalog) Selectors() []string {
	var out []string
	for _, i := range c.List() {
		out = append(out, i.Selector)
	}
	return out
}

func (c *Catalog) info(r Row, m Model, listed bool) Info {
	i := Info{
		Selector: r.Name + "/" + m.ID, Provider: r.Name, ID: m.ID, Name: m.Name, Wire: r.Wire, Context: m.Context, MaxOutput: m.MaxOutput,
		Images: m.Images, Thinking: m.Thinking, Price: m.Price, Key: c.key(r), Listed: listed, Source: m.Source, row: r, model: m,
	}
	if i.Name == "" {
		i.Name = m.ID
	}
	if m.Wire != "" {
		i.Wire = m.Wire
	}
	if !listed {
		i.Source = r.Source
		i.Near = core.Near(m.ID, ids(r))
	}
	return i
}

func ids(r Row) []string {
	var out []string
	for _, m := range r.Models {
		out = append(out, m.ID)
	}
	return out
}
