package provider

import (
	"fmt"
	"strings"
)

// checkHeaders refuses what cannot stand in a header, and the ones that the client
// itself must write.
func checkHeaders(headers map[string]string) error {
	for name, value := range headers {
		if name == "" || strings.IndexFunc(name, odd) >= 0 || strings.ContainsAny(name, ".:") {
			return &ConfigError{"headers", fmt.Sprintf("%q is no name of a header", name)}
		}
		if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return &ConfigError{"headers", "the value of " + name + " holds a character that no header has"}
		}
		switch strings.ToLower(name) {
		case "host", "content-type", "content-length", "transfer-encoding", "connection", "accept", "accept-encoding":
			return &ConfigError{"headers", name + " is written by tenet itself; leave it out"}
		}
	}
	return nil
}

// pictures refuses a request with a picture for a model that takes none: a server would
// leave it out in silence, or refuse every later request of the session.
func (c *client) pictures(r Request) error {
	if !c.noImages && !c.plain {
		return nil
	}
	for _, m := range r.Messages {
		if len(m.Images) > 0 {
			return &Error{Class: Rejected, Message: fmt.Sprintf("the model %s takes no images, and the request holds one; use a model that does ('tenet models' says which), or set images for it in models.json", c.model)}
		}
	}
	return nil
}
