package provider

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// minSecret is the shortest secret that is taken out of any text, and minCut the
// shortest start of one that is taken out where a text was cut.
const (
	minSecret = 8
	minCut    = 4
)

// redacted stands where a secret stood.
const redacted = "[key]"

// placeholder is what people set where a server wants no key: "none", "EMPTY",
// "ollama". It is no secret, and a message without the word would be a riddle.
var placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([a-z]{1,7}|[A-Z]{1,7}|[^a-zA-Z0-9]*|.)$`) })

// userInfo is the part of a URL that may hold a password, as errors about a proxy
// quote it.
var userInfo = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`://[^/\s@"]+@`) })

// redactor takes secrets out of text.
type redactor struct {
	long  []string         // taken out wherever they stand, the longest first
	short []*regexp.Regexp // shorter ones, only where they stand alone
}

// newRedactor knows the key and the secrets of the URL in every form in which they
// are sent or a server may quote them.
func newRedactor(key string, to endpoint) redactor {
	var r redactor
	for _, s := range append(forms(key), to.secrets...) {
		switch {
		case len(s) >= minSecret:
			r.long = append(r.long, s)
		case !placeholder().MatchString(s):
			r.short = append(r.short, regexp.MustCompile(`(^|[^A-Za-z0-9_-])`+regexp.QuoteMeta(s)+`($|[^A-Za-z0-9_-])`))
		}
	}
	slices.SortFunc(r.long, func(a, b string) int { return len(b) - len(a) })
	return r
}

// forms are a key as it is, as basic authentication sends it, and as JSON, HTML or a
// URL quotes it.
func forms(key string) []string {
	if key == "" {
		return nil
	}
	out := []string{key}
	if !placeholder().MatchString(key) {
		out = append(out, basic(key), basic(":"+key), basic(key+":"))
	}
	for _, quoted := range []string{strings.ReplaceAll(key, "/", `\/`), url.QueryEscape(key), url.PathEscape(key)} {
		if quoted != key {
			out = append(out, quoted)
		}
	}
	return out
}

// basic is without the padding, which a server may leave out.
func basic(s string) string { return base64.RawStdEncoding.EncodeToString([]byte(s)) }

// clean takes every secret out of a text that people or the log will see: servers
// quote the key that they refuse. Where the text was cut, the start of a secret goes
// as well.
func (r redactor) clean(s string) string {
	for _, secret := range r.long {
		s = strings.ReplaceAll(s, secret, redacted)
		for n := len(secret) - 1; n >= minCut; n-- {
			s = strings.ReplaceAll(s, secret[:n]+"…", redacted+"…")
			s = strings.ReplaceAll(s, secret[:n]+cutMark, redacted+cutMark)
		}
	}
	for _, alone := range r.short {
		s = alone.ReplaceAllString(s, "${1}"+redacted+"${2}")
	}
	return userInfo().ReplaceAllString(s, "://")
}

// secrets are the parts of a base URL that may be credentials.
func secrets(u *url.URL) []string {
	var out []string
	if password, ok := u.User.Password(); ok {
		out = append(out, password, basic(u.User.Username()+":"+password))
	}
	for _, values := range u.Query() {
		out = append(out, values...)
	}
	return out
}
