package tui

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"tenet/tui/keys"
)

// No two commands share a name, each says what it does, and each has something to run.
func TestCommands(t *testing.T) {
	seen := map[string]string{}
	for _, c := range commands() {
		if c.run == nil || c.says == "" || strings.HasSuffix(c.says, ".") {
			t.Errorf("/%s: runs %v, says %q", c.name, c.run != nil, c.says)
		}
		for _, name := range append([]string{c.name}, c.also...) {
			if other, taken := seen[name]; taken {
				t.Errorf("/%s is a name of /%s and /%s", name, other, c.name)
			}
			seen[name] = c.name
		}
	}
	for _, want := range strings.Fields("help new resume sessions fork rename model profile permissions jobs diff undo context why audit export theme keys doctor quit") {
		if seen[want] == "" {
			t.Errorf("there is no /%s", want)
		}
	}
}

// docs/commands.md is the table.
func TestCommandsPage(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Commands of the interface\n\nThis page is made of the table of commands by `TestCommandsPage`; do not edit it. In the line, `/` lists them, and so\n" +
		"does the palette. [keys.md](keys.md) has the keys, [prompts.md](prompts.md) how to add commands of your own.\n\n| command | what it does | keys |\n|---|---|---|\n")
	bound := keys.Default()
	for _, c := range commands() {
		name := strings.TrimSpace("/" + c.name + " " + c.args)
		for _, other := range slices.Sorted(slices.Values(c.also)) {
			name += ", /" + other
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", strings.ReplaceAll(name, "|", `\|`), c.says, bound.Titles(c.action))
	}
	const path = "../docs/commands.md"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != b.String() {
		t.Errorf("%s is not the table (%v); make it with UPDATE=1 go test ./tui -run TestCommandsPage", path, err)
	}
}
