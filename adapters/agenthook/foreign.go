package agenthook

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

// maxPath is the longest text that is looked at as a path.
const maxPath = 4096

// foreign reads a tool of an MCP server, or one that nobody here knows: the call
// itself is asked about, and it counts as a reader of everything in its arguments
// that may be a path, and as a shell for everything that may be a command. What such
// a tool does with them cannot be seen.
func (in *reading) foreign() {
	in.calls = append(in.calls, Call{Kind: Foreign, Tool: in.req.Tool, Dir: in.req.Cwd, Args: in.req.Args})
	in.look("", in.req.Args, 0)
}

// spawn starts another agent. Where that one's calls were measured to be hooked, it
// touches nothing by itself; elsewhere this is the last call that anybody sees.
func (in *reading) spawn() {
	if !hosts[in.req.Agent].quietSpawn {
		in.calls = append(in.calls, Call{Kind: Foreign, Tool: in.req.Tool, Dir: in.req.Cwd, Args: in.req.Args})
	}
}

// spawnFetch starts an agent that reads the web.
func (in *reading) spawnFetch() {
	in.spawn()
	for _, u := range in.texts([]string{"url"}) {
		in.add(Fetch, in.req.Cwd, map[string]any{"url": u})
	}
}

// download writes what it fetches.
func (in *reading) download() {
	in.shaped(fetch)
	in.shaped(edit)
}

// monitor watches a command, or a socket.
func (in *reading) monitor() {
	if ws, ok := in.req.Args["ws"].(map[string]any); ok {
		u, _ := ws["url"].(string)
		in.add(Fetch, in.req.Cwd, map[string]any{"url": u})
		if in.req.Args["command"] == nil {
			return
		}
	}
	in.shell()
}

// typed is text for a program that runs already: nobody can say what it does there.
// An empty text only looks at the program's output.
func (in *reading) typed() {
	if slices.ContainsFunc(in.texts([]string{"chars", "input", "text"}), func(s string) bool { return s != "" }) {
		in.fail("text that is typed into a running program cannot be judged; run the command by itself instead")
	}
}

// look walks the arguments of a tool that nobody knows.
func (in *reading) look(key string, v any, depth int) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range sortedKeys(v) {
			in.look(k, v[k], depth+1)
		}
	case []any:
		if words, ok := texts(v); ok && isCommandKey(key) && len(words) > 0 {
			in.add(Shell, in.req.Cwd, map[string]any{"command": in.vector(v)})
			return
		}
		for _, e := range v {
			in.look(key, e, depth+1)
		}
	case string:
		in.lookText(key, v, depth)
	}
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (in *reading) lookText(key, s string, depth int) {
	trimmed := strings.TrimSpace(s)
	switch {
	case trimmed == "" || len(in.calls) > MaxCalls:
	case isCommandKey(key):
		in.add(Shell, in.req.Cwd, map[string]any{"command": s})
	case depth < maxDepth && strings.ContainsAny(trimmed[:1], "{["):
		if m, err := parse([]byte(`{"":` + trimmed + `}`)); err == nil {
			in.look(key, m, depth+1) // JSON in a text: look at what it holds
		}
	case isURL(trimmed):
	case strings.ContainsRune(s, 0):
		in.fail("an argument holds a NUL")
	case len(s) <= maxPath && !strings.Contains(s, "\n"):
		in.path(Read, s, nil)
	default:
		in.words(s)
	}
}

// words judges the parts of a longer text that are spelled like paths.
func (in *reading) words(s string) {
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`()<>,;=", r) }) {
		if len(in.calls) > MaxCalls {
			return
		}
		if len(w) <= maxPath && (strings.HasPrefix(w, "/") || strings.HasPrefix(w, "~") || strings.HasPrefix(w, "..")) {
			in.path(Read, w, nil)
		}
	}
}

func isURL(s string) bool {
	scheme, _, ok := strings.Cut(s, "://")
	return ok && scheme != "file" && !strings.ContainsAny(scheme, "/ ")
}

var commandKeys = []string{"command", "cmd", "script", "shell", "bash", "commands", "argv"}

func isCommandKey(key string) bool { return slices.Contains(commandKeys, strings.ToLower(key)) }

func isPathKey(key string) bool {
	k := strings.ToLower(key)
	return strings.Contains(k, "path") || strings.Contains(k, "file") || strings.Contains(k, "dir") && k != "direction"
}

// meanings are the places that a path may lead to: agents differ in whether they
// expand a leading ~ and read file: addresses, so each reading is judged.
func meanings(path, home string) []string {
	out := []string{path}
	if rest, ok := strings.CutPrefix(path, "~"); ok && home != "" && (rest == "" || rest[0] == '/') {
		out = append(out, filepath.Join(home, rest))
	}
	if u, err := url.Parse(path); err == nil && u.Scheme == "file" && u.Path != "" {
		out = append(out, u.Path)
	}
	return out
}

// addresses are the web addresses in a text; a text without one, such as the words of
// a search, is shown as it is.
func addresses(text string) []string {
	var out []string
	for _, w := range strings.Fields(text) {
		if i := strings.Index(w, "://"); i > 0 {
			out = append(out, strings.Trim(w, "\"'()<>,;`"))
		}
	}
	if len(out) == 0 {
		out = []string{"search: " + text}
	}
	return out
}
