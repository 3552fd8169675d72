package catalog

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tenet/adapters/provider"
	"tenet/core/call"
	"tenet/core/childenv"
	core "tenet/core/settings"
)

// reader reads rows. What of a row cannot be read counts as unset, and a row that says
// not where its server is counts as not there; both are told.
type reader struct {
	file string
	tell func(format string, a ...any)
}

const maxTold = 400

func (r *reader) warn(n core.Node, key, format string, a ...any) {
	r.tell("%s:%d: %s", r.file, n.Line, call.OneLine(key+": "+fmt.Sprintf(format, a...), maxTold))
}

var rowName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`) })

// rows puts what a file says over the rows that are there: a row of the same name
// takes each of its keys, a new one comes before them.
func (r *reader) rows(tree core.Node, over []Row, source string) []Row {
	if tree.Kind != core.Object {
		r.warn(tree, "the file", "is %s and no object; write { \"providers\": { ... } }", tree.Kind)
		return over
	}
	var fresh []Row
	for _, m := range tree.Members {
		switch {
		case m.Name == "$schema":
		case m.Name != "providers":
			r.warn(core.Node{Line: m.Line}, m.Name, "there is no such key, only providers")
		case m.Value.Kind != core.Object:
			r.warn(m.Value, m.Name, "it is %s and should be an object of providers", m.Value.Kind)
		default:
			fresh, over = r.providers(m.Value, fresh, over, source)
		}
	}
	return append(fresh, over...)
}

func (r *reader) providers(n core.Node, fresh, over []Row, source string) (added, changed []Row) {
	for _, m := range n.Members {
		key := "providers." + m.Name
		at := slices.IndexFunc(over, func(o Row) bool { return o.Name == m.Name })
		switch {
		case !rowName().MatchString(m.Name):
			r.warn(core.Node{Line: m.Line}, key, "a provider's name is letters, digits, . _ and -, at most 64; it is left out")
		case m.Value.Kind != core.Object:
			r.warn(m.Value, key, "it is %s and should be an object; it is left out", m.Value.Kind)
		case slices.ContainsFunc(fresh, func(o Row) bool { return o.Name == m.Name }):
			r.warn(core.Node{Line: m.Line}, key, "it stands here twice; the first counts")
		case at >= 0:
			if row, ok := r.row(key, m, over[at], over, source); ok {
				over[at] = row
			}
		default:
			if row, ok := r.row(key, m, Row{Name: m.Name, Wire: "chat"}, over, source); ok {
				fresh = append(fresh, row)
			}
		}
	}
	return fresh, over
}

// row reads one row over what is known of it.
func (r *reader) row(key string, m core.Member, row Row, known []Row, source string) (Row, bool) {
	row.Source = source
	if like, ok := m.Value.Member("like"); ok {
		row = r.like(key+".like", like, row, known)
	}
	if _, named := m.Value.Member("keyVar"); named {
		row.KeyOptional = false // who names a key wants it sent
	}
	because := r.because(m.Value)
	for _, f := range m.Value.Members {
		k := key + "." + f.Name
		switch f.Name {
		case "like", "because":
		case "says":
			row.Says = r.str(k, f.Value, row.Says)
		case "wire":
			row.Wire = r.word(k, f.Value, row.Wire, Wires())
		case "baseUrl":
			row.BaseURL = r.address(k, f.Value, row.BaseURL)
		case "baseVar":
			row.BaseVar = r.variable(k, f.Value, row.BaseVar)
		case "keyVar":
			row.KeyVar = r.keyVariable(k, f.Value, row.KeyVar)
		case "keyOptional":
			row.KeyOptional = r.boolean(k, f.Value, row.KeyOptional)
		case "probe":
			row.Probe = r.word(k, f.Value, row.Probe, []string{"ollama", "llamacpp"})
		case "hosts":
			row.Hosts = r.list(k, f.Value)
		case "headers":
			row.Headers = r.headers(k, f.Value)
		case "switches":
			row.switches = append(slices.Clone(row.switches), r.switches(k, f.Value, because)...)
		case "models":
			row.Models = r.models(k, f.Value, row.Models, source)
		case "key", "apiKey", "api_key":
			r.warn(core.Node{Line: f.Line}, k, "a key does not belong into this file and is not read; put it into the environment and name the variable in keyVar, or into auth.json")
		default:
			r.unknown(core.Node{Line: f.Line}, k, f.Name, rowKeys)
		}
	}
	if row.BaseURL == "" && (row.BaseVar == "" || source != "built in") {
		r.warn(core.Node{Line: m.Line}, key, "it has no baseUrl; the provider is left out")
		return row, false
	}
	return row, true
}

var (
	rowKeys   = []string{"like", "says", "wire", "baseUrl", "baseVar", "keyVar", "keyOptional", "probe", "hosts", "headers", "switches", "because", "models"}
	modelKeys = []string{"id", "name", "wire", "context", "maxOutput", "images", "thinking", "price", "switches", "because"}
)

func (r *reader) unknown(n core.Node, key, name string, names []string) {
	near := ""
	if found := core.Near(name, names); found != nil {
		near = "; did you mean " + strings.Join(found, " or ") + "?"
	}
	r.warn(n, key, "there is no such key%s", near)
}

// like takes the nature of another row over, not its address, its key or its models.
func (r *reader) like(key string, n core.Node, row Row, known []Row) Row {
	at := slices.IndexFunc(known, func(o Row) bool { return n.Kind == core.String && o.Name == n.Text })
	if at < 0 {
		r.unknown(n, key+" "+n.Text, n.Text, namesOf(known))
		return row
	}
	o := known[at]
	row.Wire, row.Probe, row.KeyOptional, row.switches = o.Wire, o.Probe, o.KeyOptional, slices.Clone(o.switches)
	return row
}

func namesOf(rows []Row) []string {
	var out []string
	for _, r := range rows {
		out = append(out, r.Name)
	}
	return out
}

func (r *reader) models(key string, n core.Node, over []Model, source string) []Model {
	if n.Kind != core.List {
		r.warn(n, key, "it is %s and should be a list of models", n.Kind)
		return over
	}
	var fresh []Model
	for i, e := range n.Elements {
		k := fmt.Sprintf("%s[%d]", key, i)
		id, _ := e.Member("id")
		if e.Kind == core.String {
			id, e = e, core.Node{Kind: core.Object, Line: e.Line} // the name alone
		}
		if e.Kind != core.Object || id.Kind != core.String || strings.TrimSpace(id.Text) != id.Text || id.Text == "" {
			r.warn(e, k, "a model is an object with an id, as the server names it; it is left out")
			continue
		}
		m := Model{ID: id.Text}
		if at := slices.IndexFunc(over, func(o Model) bool { return o.ID == id.Text }); at >= 0 {
			m, over = over[at], slices.Delete(slices.Clone(over), at, at+1)
		}
		m.Source = source
		fresh = append(fresh, r.model(k, e, m))
	}
	return append(fresh, over...)
}

func (r *reader) model(key string, n core.Node, m Model) Model {
	because := r.because(n)
	for _, f := range n.Members {
		k := key + "." + f.Name
		switch f.Name {
		case "id", "because":
		case "name":
			m.Name = r.str(k, f.Value, m.Name)
		case "wire":
			m.Wire = r.word(k, f.Value, m.Wire, Wires())
		case "context":
			m.Context = r.number(k, f.Value, m.Context)
		case "maxOutput":
			m.MaxOutput = r.number(k, f.Value, m.MaxOutput)
		case "price":
			m.Price = r.price(k, f.Value, m.Price)
		case "images":
			m.Images = r.known(k, f.Value, m.Images)
		case "thinking":
			m.Thinking = r.known(k, f.Value, m.Thinking)
		case "switches":
			m.switches = append(slices.Clone(m.switches), r.switches(k, f.Value, because)...)
		default:
			r.unknown(core.Node{Line: f.Line}, k, f.Name, modelKeys)
		}
	}
	return m
}

// because are the reasons that a row or a model gives for its switches.
func (r *reader) because(n core.Node) map[string]string {
	out := map[string]string{}
	if why, ok := n.Member("because"); ok {
		for _, m := range why.Members {
			out[m.Name] = m.Value.Text
		}
	}
	return out
}

func (r *reader) switches(key string, n core.Node, because map[string]string) (out []change) {
	if n.Kind != core.Object {
		r.warn(n, key, "it is %s and should be an object", n.Kind)
		return nil
	}
	var names []string
	for _, s := range provider.SwitchList() {
		names = append(names, s.Name)
	}
	for _, m := range n.Members {
		value := json.RawMessage(m.Value.JSON())
		switch s := provider.DefaultSwitches(); {
		case !slices.Contains(names, m.Name):
			r.unknown(core.Node{Line: m.Line}, key+"."+m.Name, m.Name, names)
		default:
			if err := s.Set(m.Name, value); err != nil {
				r.warn(m.Value, key, "%v", err)
				continue
			}
			out = append(out, change{m.Name, value, because[m.Name]})
		}
	}
	return out
}

func (r *reader) str(key string, n core.Node, was string) string {
	if n.Kind != core.String || n.Text == "" || strings.ContainsFunc(n.Text, func(c rune) bool { return c < ' ' || c == 0x7f }) {
		r.warn(n, key, "it should be a string in one line that is not empty; it counts as unset")
		return was
	}
	return n.Text
}

func (r *reader) word(key string, n core.Node, was string, words []string) string {
	if n.Kind != core.String || !slices.Contains(words, n.Text) {
		r.warn(n, key, "it should be one of %s; it counts as unset", strings.Join(words, ", "))
		return was
	}
	return n.Text
}

func (r *reader) boolean(key string, n core.Node, was bool) bool {
	if n.Kind != core.Bool {
		r.warn(n, key, "it is %s and should be true or false; it counts as unset", n.Kind)
		return was
	}
	return n.Text == "true"
}

func (r *reader) known(key string, n core.Node, was Known) Known {
	switch {
	case n.Kind != core.Bool:
		r.warn(n, key, "it is %s and should be true or false; it counts as unset", n.Kind)
		return was
	case n.Text == "true":
		return Yes
	}
	return No
}

// maxTokens bounds what a file may say of a model's context, in tokens.
const maxTokens = 100_000_000

func (r *reader) number(key string, n core.Node, was int) int {
	v, err := strconv.Atoi(n.Text)
	if n.Kind != core.Number || err != nil || v < 1 || v > maxTokens {
		r.warn(n, key, "it should be a number of tokens from 1 to %d; it counts as unset", maxTokens)
		return was
	}
	return v
}

// price reads dollars for a million tokens.
func (r *reader) price(key string, n core.Node, was Price) Price {
	if n.Kind != core.Object {
		r.warn(n, key, "it is %s and should be an object with input and output, in dollars for a million tokens; it counts as unset", n.Kind)
		return was
	}
	p := Price{Known: true}
	of := map[string]*float64{"input": &p.Input, "output": &p.Output, "cached": &p.Cached}
	for _, m := range n.Members {
		to, ok := of[m.Name]
		v, err := strconv.ParseFloat(m.Value.Text, 64)
		if !ok || m.Value.Kind != core.Number || err != nil || v < 0 || v > 1e6 {
			r.warn(m.Value, key+"."+m.Name, "a price has input, output and cached, each from 0 to 1000000 dollars for a million tokens; it counts as unset")
			return was
		}
		*to = v
	}
	if _, said := n.Member("cached"); !said {
		p.Cached = p.Input
	}
	return p
}

func (r *reader) list(key string, n core.Node) (out []string) {
	for _, e := range n.Elements {
		out = append(out, r.str(key, e, ""))
	}
	if n.Kind != core.List {
		r.warn(n, key, "it is %s and should be a list of strings; it counts as unset", n.Kind)
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

// address checks an address; what of it is no address is not shown, it may hold a
// password.
func (r *reader) address(key string, n core.Node, was string) string {
	u, err := url.Parse(strings.TrimSpace(n.Text))
	if n.Kind != core.String || err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.Fragment != "" {
		r.warn(n, key, "it should be an http or https address like http://127.0.0.1:8080/v1; it counts as unset")
		return was
	}
	if _, has := u.User.Password(); has {
		r.warn(n, key, "a password does not belong into this file; name a variable in keyVar. The address counts as unset")
		return was
	}
	return u.String()
}

var variableName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`) })

func (r *reader) variable(key string, n core.Node, was string) string {
	if n.Kind != core.String || !variableName().MatchString(n.Text) {
		r.warn(n, key, "it should be the name of an environment variable; it counts as unset")
		return was
	}
	return n.Text
}

// keyVariable is the name of a variable with a key. One whose name does not say so is
// handed to every command that the model runs, so it is refused.
func (r *reader) keyVariable(key string, n core.Node, was string) string {
	name := r.variable(key, n, was)
	if name != was && childenv.Of(name) == childenv.Plain {
		r.warn(n, key, "the commands of a model could read the variable %s, because its name does not say that it is a key; name it like %s_API_KEY. It counts as unset", name, strings.TrimSuffix(strings.ToUpper(name), "_KEY"))
		return was
	}
	return name
}

func (r *reader) headers(key string, n core.Node) (out []Header) {
	if n.Kind != core.Object {
		r.warn(n, key, "it is %s and should be an object; it counts as unset", n.Kind)
		return nil
	}
	for _, m := range n.Members {
		k := key + "." + m.Name
		if env, ok := m.Value.Member("env"); ok {
			if name := r.keyVariable(k+".env", env, ""); name != "" {
				out = append(out, Header{Name: m.Name, Env: name})
			}
			continue
		}
		if value := r.str(k, m.Value, ""); value != "" {
			out = append(out, Header{Name: m.Name, Value: value})
		}
	}
	return out
}
