package settings

import (
	"strings"
	"testing"

	"tenet/core/rules"
	"tenet/core/settings"
)

// The edits are pages: what the file was, what was asked, what it is then. Every byte
// that is not the rule's own stays.

var npm = rules.Rule{Capability: "process.execute", Pattern: "npm install *", Action: rules.Allow}

const npmText = `{ "capability": "process.execute", "pattern": "npm install *", "action": "allow" }`

func TestAddKeepsEverything(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"nothing there", "{}\n", `{
  "permissions": {
    "rules": [
      NPM
    ]
  }
}
`},
		{"a comment stands in the empty object", "{\n\t// mine\n}\n", `{
	// mine
  "permissions": {
    "rules": [
      NPM
    ]
  }
}
`},
		{"other keys, tabs, no list yet", "// my settings\n{\n\t\"profile\": \"strict\", // for now\n\t\"permissions\": {\n\t\t\"file.read\": \"allow\"\n\t}\n}\n",
			"// my settings\n{\n\t\"profile\": \"strict\", // for now\n\t\"permissions\": {\n\t\t\"file.read\": \"allow\",\n\t\t\"rules\": [\n\t\t\tNPM\n\t\t]\n\t}\n}\n"},
		{"a list without a last comma keeps none", "{\"permissions\": {\n    \"rules\": [\n        {\"capability\": \"*\", \"action\": \"ask\"} // first\n        // the end\n    ]\n}}\n",
			"{\"permissions\": {\n    \"rules\": [\n        {\"capability\": \"*\", \"action\": \"ask\"}, // first\n        // the end\n        NPM\n    ]\n}}\n"},
		{"a list with a last comma keeps it", "{\n  \"permissions\": {\n    \"rules\": [\n      {\"capability\": \"*\", \"action\": \"ask\"}, /* first */\n    ],\n  },\n}\n",
			"{\n  \"permissions\": {\n    \"rules\": [\n      {\"capability\": \"*\", \"action\": \"ask\"}, /* first */\n      NPM,\n    ],\n  },\n}\n"},
		{"one line stays one line", `{"permissions":{"rules":[{"capability":"*","action":"ask"}]}}` + "\n",
			`{"permissions":{"rules":[{"capability":"*","action":"ask"}, NPM]}}` + "\n"},
		{"one line without permissions", `{"profile": "open"}`,
			`{"profile": "open", "permissions": { "rules": [ NPM ] }}` + "\n"},
		{"an empty list with a comment", "{\"permissions\": {\"rules\": [ // none yet\n]}}\n",
			"{\"permissions\": {\"rules\": [ // none yet\n  NPM\n]}}\n"},
		{"lines that end as on another system", "{\r\n  \"profile\": \"open\"\r\n}\r\n",
			"{\r\n  \"profile\": \"open\",\r\n  \"permissions\": {\r\n    \"rules\": [\r\n      NPM\r\n    ]\r\n  }\r\n}\r\n"},
		{"a mark before the text", "\xef\xbb\xbf{}\n", "\xef\xbb\xbf{\n  \"permissions\": {\n    \"rules\": [\n      NPM\n    ]\n  }\n}\n"},
		{"the bracket behind the last rule", "{\n  \"permissions\": { \"rules\": [\n    {\"capability\": \"*\", \"action\": \"ask\"}]}\n}\n",
			"{\n  \"permissions\": { \"rules\": [\n    {\"capability\": \"*\", \"action\": \"ask\"},\n    NPM\n  ]}\n}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			compare(t, c.before, strings.ReplaceAll(c.after, "NPM", npmText), func(d *document, all []rules.Rule) ([]rules.Rule, error) {
				return append(all, npm), d.add(npm)
			})
		})
	}
}

const forms = `{
  // what may be read
  "permissions": {
    "file.read": "allow", // all of it

    // commands
    "process.execute": {
      // inspection
      "git status": "allow",
      "git push *": "deny", // never

      "*": "ask"
    },
    "rules": [
      // notes
      {"capability": "file.write.outsideProject", "pattern": "/notes/*", "action": "allow"},
      {"capability": "network.access", "action": "ask"}
    ]
  }
}
`

func TestRemove(t *testing.T) {
	for _, c := range []struct {
		name     string
		position int
		lost     string // what the file has lost
	}{
		{"a shorthand", 1, "    \"file.read\": \"allow\", // all of it\n"},
		{"the first of a nested form, with what is said about it", 2, "      // inspection\n      \"git status\": \"allow\",\n"},
		{"one with a comment behind it", 3, "      \"git push *\": \"deny\", // never\n"},
		{"one of the list", 5, "      // notes\n      {\"capability\": \"file.write.outsideProject\", \"pattern\": \"/notes/*\", \"action\": \"allow\"},\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			compare(t, forms, strings.Replace(forms, c.lost, "", 1), removes(c.position))
		})
	}
}

func TestRemoveTheLast(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		position            int
	}{
		{"the comma before it goes too", "{\"permissions\": {\n  \"file.read\": \"ask\", // one\n  \"git.modify\": \"ask\"\n}}\n", "{\"permissions\": {\n  \"file.read\": \"ask\" // one\n}}\n", 2},
		{"a last comma stays", "{\"permissions\": {\n  \"file.read\": \"ask\",\n  \"git.modify\": \"ask\",\n}}\n", "{\"permissions\": {\n  \"file.read\": \"ask\",\n}}\n", 2},
		{"in one line", `{"permissions": {"file.read": "ask", "git.modify": "ask"}}` + "\n", `{"permissions": {"file.read": "ask"}}` + "\n", 2},
		{"the first in one line", `{"permissions": {"file.read": "ask", "git.modify": "ask"}}` + "\n", `{"permissions": {"git.modify": "ask"}}` + "\n", 1},
		{"the only one", `{"permissions": { "file.read": "ask" }}` + "\n", `{"permissions": { }}` + "\n", 1},
		{"a nested form goes with its last rule", `{"permissions": {"file.read": {"process.*": "ask"}, "git.modify": "ask"}}` + "\n", `{"permissions": {"git.modify": "ask"}}` + "\n", 1},
		{"but not with a comment in it", "{\"permissions\": {\"file.read\": {\n  \"process.*\": \"ask\"\n  // more to come\n}}}\n", "{\"permissions\": {\"file.read\": {\n  // more to come\n}}}\n", 1},
		{"an element", `{"permissions": {"rules": [{"capability": "file.read", "action": "ask"}]}}` + "\n", `{"permissions": {"rules": []}}` + "\n", 1},
	} {
		t.Run(c.name, func(t *testing.T) { compare(t, c.before, c.after, removes(c.position)) })
	}
}

func TestMove(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		from, to            int
	}{
		{"down in a nested form", "{\"permissions\": {\"process.*\": {\n  // one\n  \"file.read\": \"ask\", // 1\n  \"git.modify\": \"ask\"\n}}}\n",
			"{\"permissions\": {\"process.*\": {\n  \"git.modify\": \"ask\",\n  // one\n  \"file.read\": \"ask\" // 1\n}}}\n", 1, 2},
		{"up in a list of one line", `{"permissions": {"rules": [{"capability": "file.read", "action": "ask"}, {"capability": "git.modify", "action": "ask"}]}}` + "\n",
			`{"permissions": {"rules": [{"capability": "git.modify", "action": "ask"}, {"capability": "file.read", "action": "ask"}]}}` + "\n", 2, 1},
		{"a shorthand over a nested form", "{\"permissions\": {\n  \"file.read\": \"ask\",\n  \"process.*\": {\"p\": \"ask\", \"q\": \"ask\"},\n  \"git.modify\": \"deny\"\n}}\n",
			"{\"permissions\": {\n  \"git.modify\": \"deny\",\n  \"file.read\": \"ask\",\n  \"process.*\": {\"p\": \"ask\", \"q\": \"ask\"}\n}}\n", 4, 1},
		{"out of the list before a shorthand: what follows becomes a list", "{\n  \"permissions\": {\n    \"file.read\": \"ask\",\n    // b's\n    \"git.modify\": \"deny\",\n    \"rules\": [\n      {\"capability\": \"mcp.call\", \"action\": \"allow\"}\n    ]\n  }\n}\n",
			"{\n  \"permissions\": {\n    \"file.read\": \"ask\",\n    \"rules\": [\n      {\"capability\": \"mcp.call\", \"action\": \"allow\"},\n      // b's\n      { \"capability\": \"git.modify\", \"pattern\": \"*\", \"action\": \"deny\" }\n    ]\n  }\n}\n", 3, 2},
		{"out of a nested form, without a list", "{\n  \"permissions\": {\n    \"process.*\": {\n      \"p\": \"ask\",\n      \"q\": \"deny\" // no\n    },\n    \"git.modify\": \"deny\"\n  }\n}\n",
			"{\n  \"permissions\": {\n    \"process.*\": {\n      \"p\": \"ask\"\n    },\n    \"rules\": [\n      { \"capability\": \"git.modify\", \"pattern\": \"*\", \"action\": \"deny\" },\n      { \"capability\": \"process.*\", \"pattern\": \"q\", \"action\": \"deny\" } // no\n    ]\n  }\n}\n", 2, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			compare(t, c.before, c.after, func(d *document, all []rules.Rule) ([]rules.Rule, error) {
				return moved(all, c.from, c.to), d.move(c.from, c.to, all)
			})
		})
	}
}

func removes(position int) func(*document, []rules.Rule) ([]rules.Rule, error) {
	return func(d *document, all []rules.Rule) ([]rules.Rule, error) {
		return append(all[:position-1:position-1], all[position:]...), d.remove(position)
	}
}

func moved(all []rules.Rule, from, to int) []rules.Rule {
	r := all[from-1]
	rest := append(all[:from-1:from-1], all[from:]...)
	return append(append(rest[:to-1:to-1], r), rest[to-1:]...)
}

func compare(t *testing.T, before, after string, change func(*document, []rules.Rule) ([]rules.Rule, error)) {
	t.Helper()
	d, err := parse([]byte(before))
	if err != nil {
		t.Fatal(err)
	}
	n, err := edited(d, change)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(n.bytes()); got != after {
		t.Errorf("the file is\n%s\nwant\n%s", got, after)
	}
}

// A document is read as core is to see it: in the order of the file, with its lines.
func TestTree(t *testing.T) {
	d, err := parse([]byte("// a\n{\n \"a\": [1, true,\n  null], /* b\n */ \"b\": \"x\\u0041\",\n}"))
	if err != nil {
		t.Fatal(err)
	}
	n := d.tree()
	a, b := n.Members[0], n.Members[1]
	if a.Line != 3 || a.Value.Elements[2].Line != 4 || b.Line != 5 || b.Value.Text != "xA" {
		t.Errorf("read %+v", n)
	}
	kinds := []settings.Kind{settings.Number, settings.Bool, settings.Null}
	for i, e := range a.Value.Elements {
		if e.Kind != kinds[i] {
			t.Errorf("element %d is %v", i, e.Kind)
		}
	}
}

func TestParseErrorsNameThePlace(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "line 1, column 1",
		"{\n  \"a\": 1 2}":                "line 2, column 10",
		"{\"a\": \"\xff\"}":               "line 1, column 8: a byte that is no UTF-8",
		strings.Repeat("[", maxDepth+1):   "line 1, column 65: nested deeper than 64",
		"{\"a\": 1}\n// \"[[\n{":          "line 3, column 1",
		strings.Repeat("[", MaxSize-10):   "nested deeper",
		"{\"a\": \"[[[[[[[\", /* [[ */ 1": "line 1",
	} {
		if _, err := parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}
