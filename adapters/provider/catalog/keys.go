package catalog

import (
	"net/url"
	"os"
	"strings"
	"unicode"

	"tenet/adapters/settings"
	core "tenet/core/settings"
)

// Key is how the key of a row stands.
type Key struct {
	// Needed is true when the server wants one.
	Needed bool
	// Found is true when there is one; From says where: "$OPENAI_API_KEY" or "auth.json".
	Found bool
	From  string
	// Var is the environment variable that would be read.
	Var string
	// Why says why a key that is there is not used.
	Why string

	value string
}

// key looks the key of a row up: the environment first, then auth.json.
func (c *Catalog) key(r Row) Key {
	k := Key{Needed: !r.KeyOptional && r.KeyVar != "", Var: r.KeyVar}
	if r.KeyVar != "" {
		if v := strings.TrimSpace(c.env(r.KeyVar)); v != "" {
			k.Found, k.From, k.value = true, "$"+r.KeyVar, v
		}
	}
	if k.Found && c.elsewhere(r) {
		// The key is for the server that the variable names; another one must not get it.
		k = Key{Needed: k.Needed, Var: k.Var, Why: "$" + r.KeyVar + " goes with $OPENAI_BASE_URL, which is another server"}
	}
	if v := c.auth[r.Name]; !k.Found && v != "" {
		k.Found, k.From, k.value, k.Why = true, "auth.json", v, ""
	}
	return k
}

// elsewhere reports whether the key of a row belongs to the server that
// OPENAI_BASE_URL names, and that is not the row's.
func (c *Catalog) elsewhere(r Row) bool {
	if r.KeyVar != "OPENAI_API_KEY" || r.BaseVar == "OPENAI_BASE_URL" {
		return false
	}
	base := c.env("OPENAI_BASE_URL")
	if strings.TrimSpace(base) == "" {
		return false
	}
	u, err := url.Parse(strings.TrimSpace(base))
	return err != nil || !strings.EqualFold(u.Host, host(r.BaseURL))
}

func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// readAuth reads auth.json: an object from a provider's name to its key. A file that
// others can read is told of, and read.
func readAuth(file string, tell func(string, ...any)) map[string]string {
	tree, there, err := settings.Tree(file)
	if err != nil || there && tree.Kind != core.Object {
		tell("the keys in it do not count: %s cannot be read as an object from providers to keys", file)
		return nil
	}
	if info, err := os.Stat(file); there && err == nil && info.Mode().Perm()&0o077 != 0 {
		tell("%s can be read by others (mode %o); make it yours alone: chmod 600 %s", file, info.Mode().Perm(), file)
	}
	out := map[string]string{}
	for _, m := range tree.Members {
		if m.Value.Kind != core.String {
			tell("%s:%d: %s: it should be a string, the key; it counts as unset", file, m.Line, m.Name)
			continue
		}
		out[m.Name] = strings.TrimSpace(m.Value.Text)
	}
	return out
}

// Secrets are the keys and secret headers that are there, so that no message shows
// one. A word that people set where no key is wanted is none.
func (c *Catalog) Secrets() []string {
	var out []string
	add := func(s string) {
		if secret(s) {
			out = append(out, s)
		}
	}
	for _, r := range c.rows {
		if r.KeyVar != "" {
			add(strings.TrimSpace(c.env(r.KeyVar)))
		}
		for _, h := range r.Headers {
			if h.Env != "" {
				add(c.env(h.Env))
			}
		}
	}
	for _, v := range c.auth {
		add(v)
	}
	return out
}

// secret reports whether a text can be a key: long, or of more than letters of one case.
func secret(s string) bool {
	lower := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLower(r) }) < 0
	upper := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsUpper(r) }) < 0
	return len(s) >= 8 || len(s) >= 4 && !lower && !upper
}
