package provider_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"tenet/adapters/provider"
)

// Secrets stay out of everything that a person or the log sees, also where the
// server or the network quotes them.
func TestSecretsStayOutOfErrors(t *testing.T) {
	const key, password = "sk-secret-0123456789", "hunter2-hunter2"
	base := "http://me:" + password + "@model.test/v1?token=query-secret-1"
	servers := map[string]script{
		"quoted in a refusal": answer(401, jsonType, `{"error":{"message":"Incorrect API key provided: `+key+`"}}`),
		"quoted in a page":    answer(200, htmlType, "<p>"+key+" "+password+" query-secret-1"),
		"quoted in a stream":  raw(streamHead + "data: {\"error\":{\"message\":\"" + key + "\"}}\n\n"),
		"quoted in an event":  raw(streamHead + "data: " + key + password + "\n\n"),
		"no answer":           raw(""),
		"cut":                 raw(streamHead + say(key)),
	}
	for name, s := range servers {
		_, err := ask(t, s, func(o *provider.Options) { o.BaseURL = base })
		e := asError(t, err)
		all := fmt.Sprintf("%s %s %+v %v", e.Error(), e.Body, *e, errors.Unwrap(e))
		for _, secret := range []string{key, password, "query-secret-1"} {
			if strings.Contains(all, secret) {
				t.Errorf("%s: %q is in %s", name, secret, all)
			}
		}
	}
	refused := func(o *provider.Options) { o.BaseURL, o.Dial = "http://me:"+password+"@127.0.0.1:1/v1", nil }
	_, err := ask(t, nil, refused)
	if e := asError(t, err); e.Class != provider.Unreached || strings.Contains(e.Error()+fmt.Sprint(e.Err), password) {
		t.Errorf("a refused connection: %s, %v", e.Class, e)
	}
}

// A key in each form in which a server may give it back, a short one too; and the
// words that people set where no key is wanted, which stay readable.
func TestAnEchoedKeyIsTakenOut(t *testing.T) {
	b64 := base64.StdEncoding.EncodeToString
	long := strings.Repeat("no ", 100) // the words of an answer are cut after 300 characters
	for _, c := range []struct{ key, echo, want string }{
		{"sk-LEAK", "Bearer sk-LEAK!", "Bearer [key]!"},
		{"sk-LEAK", "ask-LEAKs", "ask-LEAKs"},
		{"sk-LEAK", "sk-LEAK", "[key]"},
		{"sk-secret-0123456789", b64([]byte("sk-secret-0123456789")), "[key]"},
		{"sk-secret-0123456789", b64([]byte(":sk-secret-0123456789")), "[key]"},
		{"sk-LEAK", "Basic " + b64([]byte("sk-LEAK:")), "Basic [key]"},
		{"sk/secret/01", `sk\/secret\/01`, "[key]"},
		{"sk/secret+01", "k=sk%2Fsecret%2B01", "k=[key]"},
		{"sk-secret-0123456789", long[:290] + "sk-secret-0123456789", "[key]…"},
		{"none", "none was sent", "none was sent"},
		{"EMPTY", "the key EMPTY", "the key EMPTY"},
		{"x", "x is no key", "x is no key"},
	} {
		_, err := ask(t, answer(400, "", c.echo), func(o *provider.Options) { o.Key = c.key })
		if e := asError(t, err); !strings.Contains(e.Message, c.want) || (!strings.Contains(c.want, "…") && !strings.Contains(e.Body, c.want)) {
			t.Errorf("key %s, echo %.60q: message %q, body %.60q, want %q", c.key, c.echo, e.Message, e.Body, c.want)
		}
	}
}

// Where a long body was cut, half a key at the cut is taken out too.
func TestHalfAKeyAtTheCutOfABodyIsTakenOut(t *testing.T) {
	const key = "sk-secret-0123456789"
	head := strings.Repeat("x", provider.MaxBody/4*3-12)
	_, err := ask(t, raw(streamHead+": "+head[2:]+key+strings.Repeat("y", provider.MaxBody)+"\n\n"))
	if e := asError(t, err); strings.Contains(e.Body, key[:5]) || !strings.Contains(e.Body, "[key]\n[") {
		t.Fatalf("the body around the cut: %q", e.Body[len(head)-10:len(head)+60])
	}
}
