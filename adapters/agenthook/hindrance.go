package agenthook

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// switches are the keys that switch an agent's hooks off, with the value that does.
var switches = [numAgents][]struct {
	path []string
	off  bool
}{
	ClaudeCode: {{[]string{"disableAllHooks"}, true}},
	Qwen:       {{[]string{"disableAllHooks"}, true}, {[]string{"hooksConfig", "enabled"}, false}},
	Gemini:     {{[]string{"hooksConfig", "enabled"}, false}, {[]string{"tools", "enableHooks"}, false}},
}

// hindrances say what keeps an agent from running a hook that its settings hold.
func hindrances(a Agent, p Place, text []byte) (out []string) {
	v, err := plain(text)
	if err != nil {
		return nil // a plugin, or a file that is refused elsewhere
	}
	for _, s := range switches[a] {
		if walk(v, s.path) == s.off {
			out = append(out, fmt.Sprintf("%s is %v: %s runs no hook at all, so the guard is never asked", strings.Join(s.path, "."), s.off, a.Title()))
		}
	}
	for _, path := range [][]string{{"hooksConfig", "disabled"}, {"hooks", "disabled"}} {
		if list, ok := walk(v, path).([]any); ok && slices.Contains(list, any("tenet-guard")) {
			out = append(out, strings.Join(path, ".")+" names tenet-guard: "+a.Title()+" does not run it")
		}
	}
	if a == Codex {
		out = append(out, codexFeatures(p)...)
	}
	return out
}

// codexFeatures looks for the switch in Codex's own settings, which are TOML.
func codexFeatures(p Place) []string {
	b, err := os.ReadFile(filepath.Join(p.moved("CODEX_HOME", ".codex"), "config.toml"))
	if err != nil {
		return nil
	}
	table := ""
	for l := range strings.Lines(string(b)) {
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "[") {
			table = strings.Trim(l, "[] ")
		}
		key, value, ok := strings.Cut(l, "=")
		value, _, _ = strings.Cut(value, "#")
		key = strings.TrimSpace(key)
		if ok && strings.TrimSpace(value) == "false" && (key == "hooks" && table == "features" || key == "features.hooks" && table == "") {
			return []string{"features.hooks is false in config.toml: Codex runs no hook at all, so the guard is never asked"}
		}
	}
	return nil
}

// walk follows keys into a value; nil when one is missing.
func walk(v any, path []string) any {
	for _, key := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}
