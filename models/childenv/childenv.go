// Package childenv lists what a child's environment can be made from, and says in the
// plainest way which names are credentials (G3).
package childenv

import (
	"iter"
	"strings"
	"sync"

	"tenet/core/childenv"
)

// In is everything that a child's environment depends on.
type In struct {
	Child   childenv.Child
	Env     []string
	Session childenv.Session
}

// Step asks core: the relation is same. There is one state.
func Step(s struct{}, in In) (struct{}, []string) {
	return s, childenv.Build(in.Child, in.Env, in.Session)
}

// Provided reports whether a provider's client reads its credential from a name of
// this spelling, in any case.
func Provided(name string) bool {
	upper := strings.ToUpper(name)
	if key, ok := strings.CutSuffix(upper, "_API_KEY"); ok && listed(keyed, key) {
		return true
	}
	return listed(whole, upper)
}

const (
	keyed = "ANTHROPIC OPENAI AZURE_OPENAI PRIME DEEPSEEK GEMINI GOOGLE GOOGLE_CLOUD GROQ CEREBRAS XAI OPENROUTER " +
		"AI_GATEWAY ZAI MISTRAL MINIMAX MINIMAX_CN MOONSHOT FIREWORKS OPENCODE KIMI CLOUDFLARE XIAOMI XIAOMI_CN"
	whole = "COPILOT_GITHUB_TOKEN GH_TOKEN GITHUB_TOKEN HF_TOKEN ANTHROPIC_OAUTH_TOKEN ANTHROPIC_AUTH_TOKEN " +
		"AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_BEARER_TOKEN_BEDROCK AWS_WEB_IDENTITY_TOKEN_FILE " +
		"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI AWS_CONTAINER_CREDENTIALS_FULL_URI AWS_CONTAINER_AUTHORIZATION_TOKEN"
)

func listed(words, w string) bool { return strings.Contains(" "+words+" ", " "+w+" ") }

// Marked reports whether a name says that its value is a credential.
func Marked(name string) bool {
	for _, m := range strings.Fields("API_KEY APIKEY TOKEN SECRET PASSWORD PASSWD PASSPHRASE CREDENTIAL PRIVATE_KEY ACCESS_KEY") {
		if strings.Contains(strings.ToUpper(name), m) {
			return true
		}
	}
	return false
}

// entries are environment entries of every kind: each provider's name, each mark in
// some spelling, names that only look like it, and what is no variable.
var entries = sync.OnceValue(every)

func every() []string {
	var out []string
	for _, k := range strings.Fields(keyed) {
		out = append(out, k+"_API_KEY=k")
	}
	for _, w := range strings.Fields(whole) {
		out = append(out, w+"=k")
	}
	return append(out, "openai_api_key=k", "Gh_Token=k", "MY_API_KEY=s", "MYAPIKEYS=s", "my_token=s", "TOKENIZER=s", "TheSecret=s", "DB_PASSWORD=s",
		"PASSWD_FILE=s", "SSH_PASSPHRASE=s", "GOOGLE_APPLICATION_CREDENTIALS=s", "PRIVATE_KEY=s", "S3_ACCESS_KEYS=s", "\u017fecret=s",
		"PATH=/bin", "PASS=p", "KEY=p", "API=KEY", "ACCESS=KEY=TOKEN", "EMPTY=", "TENET_SESSION=old", "PAGER=less", "=C:=p", "no variable")
}

var (
	sets = [][]string{nil, {"TENET_SESSION=s1"}, {"OPENAI_API_KEY=k", "NEW_TOKEN=s", "TENET_SESSION=s2"}}
	// The last one names every provider's credential: an MCP server asks for the key
	// that pays for the model.
	mcps = sync.OnceValue(func() [][]string {
		return [][]string{nil, {"my_token", "NEW_TOKEN", "TheSecret"}, append(provided(), "MY_TOKEN", "PATH")}
	})
)

func provided() (names []string) {
	for _, kv := range entries() {
		if n, _, _ := strings.Cut(kv, "="); Provided(n) {
			names = append(names, n)
		}
	}
	return names
}

// Ops is every pair of entries as tenet's own environment, for both children, with
// each session and each MCP configuration.
func Ops(struct{}) iter.Seq[In] {
	return func(yield func(In) bool) {
		for _, a := range entries() {
			for _, b := range entries() {
				if !around(a, b, yield) {
					return
				}
			}
		}
	}
}

func around(a, b string, yield func(In) bool) bool {
	for _, child := range []childenv.Child{childenv.Process, childenv.Kernel} {
		for i, set := range sets {
			s := childenv.Session{Set: set, Default: []string{"PAGER=cat"}, MCP: mcps()[i]}
			if !yield(In{Child: child, Env: []string{a, b, strings.Replace(a, "=", "=2", 1)}, Session: s}) {
				return false
			}
		}
	}
	return true
}
