package provider

import (
	"net/url"
	"regexp"
	"strings"
)

// minSecret is the shortest key that is taken out of messages: "none" and "x" are
// what people give servers that want no key, and parts of ordinary words.
const minSecret = 8

// userInfo is the part of a URL that may hold a password, as errors about a proxy
// quote it.
var userInfo = regexp.MustCompile(`://[^/\s@"]+@`)

// clean takes every secret out of a text that people or the log will see: servers
// quote the key that they refuse.
func (c *Chat) clean(s string) string {
	for _, secret := range append([]string{c.key}, c.to.secrets...) {
		if len(secret) >= minSecret {
			s = strings.ReplaceAll(s, secret, "[key]")
		}
	}
	return userInfo.ReplaceAllString(s, "://")
}

// secrets are the parts of a base URL that may be credentials.
func secrets(u *url.URL) []string {
	var out []string
	if password, ok := u.User.Password(); ok {
		out = append(out, password)
	}
	for _, values := range u.Query() {
		out = append(out, values...)
	}
	return out
}
