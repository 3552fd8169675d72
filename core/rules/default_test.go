package rules_test

import (
	"slices"
	"strings"
	"testing"

	"tenet/core/call"
	"tenet/core/rules"
)

// What the balanced layer says of commands that an engineer runs all day, and of forms
// of the same commands that run code or write.
func TestBalanced(t *testing.T) {
	layer, auto, ok := rules.Default("balanced", "/home/u/proj")
	if !ok || auto != call.Of(call.Read, call.Write) {
		t.Fatalf("balanced: %v, %v", auto, ok)
	}
	for action, texts := range map[rules.Action]string{
		rules.Allow: `
			git status
			git status --short
			git -C sub status -sb
			git --no-pager diff --stat
			git diff main...HEAD
			git diff -- core
			git blame core/a.go
			git stash list
			git stash show -p
			git remote -v
			git reflog
			which go
			type ls
			go version
			go env GOPATH
			node --version
			pip list
			docker ps -a
			docker logs -f --tail 100 app
			git worktree list
			pgrep -f server
			lsof -i :3000
			tree -L 2
			gofmt -l .
			make --version`,
		rules.Ask: `
			git diff --ext-diff
			git diff --output=x
			git diff main --out=x
			git stash show --textconv
			git reflog --format=%G?
			git reflog --format %G?
			git tag -l --format=%(signature)
			lsof -i :80 -Dr/x`,
		rules.Silent: `
			git push
			git -c core.fsmonitor=./x status
			git -C ../other status
			git statuses
			git config user.name me
			git remote add x y
			git stash
			git stash drop
			git tag v1
			cargo --version
			yarn --version
			mvn --version
			/tmp/git status
			./git status
			node -e 1 --version
			npm test
			docker run x
			go env -w GOFLAGS=-x
			gofmt -l -w .
			tree -o out
			docker inspect app
			git worktree add x
			gofmt -w .`,
	} {
		for text := range strings.Lines(texts) {
			if text = strings.TrimSpace(text); text == "" {
				continue
			}
			got := rules.Silent
			for _, q := range rules.Requests(place, "bash", step(command(text))) {
				if q.Capability == call.ProcessExecute && !q.ExactOnly {
					got = rules.Combine(got, rules.Decide(rules.Layers{Default: layer}, q).Action)
				}
			}
			if got != action {
				t.Errorf("%s: %v, want %v", text, got, action)
			}
		}
	}
}

// What each profile says of a request that no command makes.
func TestProfiles(t *testing.T) {
	for _, c := range []struct {
		capability             call.Capability
		subject                string
		open, balanced, strict rules.Action
	}{
		{call.FileRead, "/home/u/proj/a", rules.Silent, rules.Silent, rules.Allow},
		{call.FileRead, "/home/u/proj", rules.Silent, rules.Silent, rules.Allow},
		{call.FileRead, "/home/u/projects/a", rules.Silent, rules.Silent, rules.Ask},
		{call.FileRead, "/home/u/proj/k.pem", rules.Silent, rules.Ask, rules.Ask},
		{call.FileRead, "/etc/ssl/certs/ca.pem", rules.Silent, rules.Allow, rules.Ask},
		{call.FileRead, "/home/u/.ssh/config", rules.Silent, rules.Ask, rules.Ask},
		{call.FileWriteProject, "/home/u/proj/a", rules.Silent, rules.Silent, rules.Ask},
		{call.FileWriteOutside, "/etc/a", rules.Silent, rules.Ask, rules.Ask},
		{call.ProcessExecute, "npm test", rules.Silent, rules.Silent, rules.Ask},
		{call.ProcessExecute, "git status", rules.Silent, rules.Allow, rules.Ask},
		{call.ProcessBackground, "npm run dev", rules.Silent, rules.Ask, rules.Ask},
		{call.ProcessBackground, "stdin:y", rules.Silent, rules.Allow, rules.Allow},
		{call.NetworkAccess, "curl x", rules.Silent, rules.Ask, rules.Ask},
		{call.GitModify, "git commit", rules.Silent, rules.Ask, rules.Ask},
		{call.MCPCall, "linear__x", rules.Silent, rules.Ask, rules.Ask},
	} {
		for i, want := range []rules.Action{c.open, c.balanced, c.strict} {
			layer, _, _ := rules.Default(rules.Profiles()[i], "/home/u/proj")
			if got := rules.Decide(rules.Layers{Default: layer}, call.Request{Capability: c.capability, Subject: c.subject}).Action; got != want {
				t.Errorf("%s: %v %s is %v, want %v", rules.Profiles()[i], c.capability, c.subject, got, want)
			}
		}
	}
	if _, _, ok := rules.Default("loose", "/w"); ok {
		t.Error("loose is a profile")
	}
}

// Every shipped rule has a name and its place, and speaks of a capability there is; a
// root with a star in it opens nothing else.
func TestShippedRules(t *testing.T) {
	for _, p := range rules.Profiles() {
		layer, auto, _ := rules.Default(p, "/w")
		if auto.Has(call.Secret) {
			t.Errorf("%s covers secrets", p)
		}
		for i, r := range layer {
			if r.Name == "" || r.Position != i+1 || r.Source != rules.FromDefault || r.Action == rules.Silent {
				t.Errorf("%s: rule %d is %+v", p, i, r)
			}
		}
	}
	layer, _, _ := rules.Default("strict", "/w/a*b")
	if got := rules.Decide(rules.Layers{Default: layer}, call.Request{Capability: call.FileRead, Subject: "/w/a/secret/b/x"}).Action; got != rules.Ask {
		t.Errorf("a root with a star allows another place: %v", got)
	}
}

// Rules shape the roster only where nothing is left to do for a tool.
func TestShape(t *testing.T) {
	tools := []string{"read", "write", "edit", "bash", "job", "ask", "dyn", "linear__x"}
	deny := func(capability, pattern string) rules.Rule {
		return rules.Rule{Capability: capability, Pattern: pattern, Action: rules.Deny}
	}
	allow := func(capability, pattern string) rules.Rule {
		return rules.Rule{Capability: capability, Pattern: pattern, Action: rules.Allow}
	}
	for _, c := range []struct {
		name     string
		layers   rules.Layers
		withheld string
	}{
		{"nothing is denied", rules.Layers{}, ""},
		{"all writes", rules.Layers{User: []rules.Rule{deny("file.write.*", "*")}}, "write edit"},
		{"writes outside only", rules.Layers{User: []rules.Rule{deny("file.write.outsideProject", "*")}}, ""},
		{"some writes", rules.Layers{User: []rules.Rule{deny("file.write.*", "/etc/*")}}, ""},
		{"all with an exception", rules.Layers{User: []rules.Rule{deny("file.write.*", "*"), allow("file.write.project", "/w/x")}}, ""},
		{"an exception that came before", rules.Layers{User: []rules.Rule{allow("file.write.project", "/w/x"), deny("file.write.*", "**")}}, "write edit"},
		{"a deny of the star itself", rules.Layers{User: []rules.Rule{{Capability: "*", Pattern: "*", Exact: true, Action: rules.Deny}}}, ""},
		{"everything", rules.Layers{User: []rules.Rule{deny("*", "*")}}, "read write edit bash job dyn linear__x"},
		{"one late tool", rules.Layers{User: []rules.Rule{deny("mcp.call", "linear__*")}}, "linear__x"},
		{"by a project nobody trusts", rules.Layers{Project: []rules.Rule{deny("process.execute", "*")}}, "bash"},
		{"undone by a project nobody trusts", rules.Layers{User: []rules.Rule{deny("process.execute", "*")}, Project: []rules.Rule{allow("process.execute", "*")}}, "bash"},
		{"undone by a trusted project", rules.Layers{Trusted: true, User: []rules.Rule{deny("process.execute", "*")}, Project: []rules.Rule{allow("process.execute", "*")}}, ""},
	} {
		offered, withheld := rules.Shape(c.layers, tools)
		if got := strings.Join(withheld, " "); got != c.withheld {
			t.Errorf("%s: withheld are %q, want %q", c.name, got, c.withheld)
		}
		if len(offered)+len(withheld) != len(tools) || !slices.Contains(offered, "ask") {
			t.Errorf("%s: %q are offered", c.name, offered)
		}
	}
}

func entry(key string, value any) rules.Entry {
	e := rules.Entry{Key: key, Line: 7}
	switch v := value.(type) {
	case string:
		e.Kind, e.Text = rules.Text, v
	case bool:
		e.Kind, e.Text = rules.Bool, "false"
		if v {
			e.Text = "true"
		}
	case []rules.Entry:
		e.Kind, e.Items = rules.Object, v
		if key == "rules" {
			e.Kind = rules.List
		}
	}
	return e
}

// The three forms of a settings file become one list in the order written, the list of
// rules last.
func TestNormalize(t *testing.T) {
	got, problems := rules.Normalize(rules.FromUser, entry("permissions", []rules.Entry{
		entry("rules", []rules.Entry{
			entry("", []rules.Entry{entry("capability", "mcp.call"), entry("action", "deny")}),
			entry("", []rules.Entry{entry("action", "allow"), entry("pattern", "a*b"), entry("exact", true), entry("capability", "file.*")}),
		}),
		entry("process.execute", []rules.Entry{entry("*", "ask"), entry("git push *", "allow"), entry("*", "deny")}),
		entry("file.read", "allow"),
	}))
	want := []rules.Rule{
		{Capability: "process.execute", Pattern: "*", Action: rules.Ask, Source: rules.FromUser, Position: 1},
		{Capability: "process.execute", Pattern: "git push *", Action: rules.Allow, Source: rules.FromUser, Position: 2},
		{Capability: "process.execute", Pattern: "*", Action: rules.Deny, Source: rules.FromUser, Position: 3},
		{Capability: "file.read", Pattern: "*", Action: rules.Allow, Source: rules.FromUser, Position: 4},
		{Capability: "mcp.call", Pattern: "*", Action: rules.Deny, Source: rules.FromUser, Position: 5},
		{Capability: "file.*", Pattern: "a*b", Exact: true, Action: rules.Allow, Source: rules.FromUser, Position: 6},
	}
	if !slices.Equal(got, want) || len(problems) > 0 {
		t.Errorf("%+v\n%v", got, problems)
	}
}

// What is wrong is said with its place, and then there is no rule at all.
func TestNormalizeProblems(t *testing.T) {
	rule := func(members ...rules.Entry) rules.Entry {
		return entry("permissions", []rules.Entry{entry("file.read", "deny"), entry("rules", []rules.Entry{entry("", members)})})
	}
	for _, c := range []struct {
		permissions rules.Entry
		want        string
	}{
		{entry("permissions", "allow"), "line 7: permissions: it must be an object"},
		{entry("permissions", []rules.Entry{entry("file.raed", "allow")}), `line 7: permissions."file.raed": "file.raed" is no capability and stands for none`},
		{entry("permissions", []rules.Entry{entry("files.*", "allow")}), `"files.*" is no capability`},
		{entry("permissions", []rules.Entry{entry("file.read", "alow")}), `permissions."file.read": "alow" is no action`},
		{entry("permissions", []rules.Entry{entry("file.read", "silent")}), `"silent" is no action`},
		{entry("permissions", []rules.Entry{entry("file.read", true)}), "it must be an action"},
		{entry("permissions", []rules.Entry{entry("file.read", []rules.Entry{entry("*", true)})}), `permissions."file.read"."*": a pattern must have an action`},
		{entry("permissions", []rules.Entry{entry("file.read", []rules.Entry{entry("", "ask")})}), "a pattern has from 1 to 4096 bytes, and this has 0"},
		{entry("permissions", []rules.Entry{{Key: "rules", Kind: rules.Object}}), "permissions.rules: it must be a list"},
		{entry("permissions", []rules.Entry{{Key: "rules", Kind: rules.List, Items: []rules.Entry{entry("", "x")}}}), "permissions.rules[0]: a rule must be an object"},
		{rule(entry("action", "ask")), "permissions.rules[0]: the rule has no capability"},
		{rule(entry("capability", "*")), "permissions.rules[0]: the rule has no action"},
		{rule(entry("capability", true)), "permissions.rules[0].capability: it must be a string"},
		{rule(entry("exact", "yes")), "permissions.rules[0].exact: it must be true or false"},
		{rule(entry("patern", "x")), "permissions.rules[0].patern: a rule has no such member"},
		{rule(entry("action", "ask"), entry("action", "deny")), "permissions.rules[0].action: it stands there twice"},
	} {
		got, problems := rules.Normalize(rules.FromUser, c.permissions)
		if len(got) > 0 || len(problems) != 1 || !strings.Contains(problems[0].String(), c.want) {
			t.Errorf("want %s, have %v and %d rules", c.want, problems, len(got))
		}
	}
	many := make([]rules.Entry, rules.MaxRules+1)
	for i := range many {
		many[i] = entry("*", "ask")
	}
	if got, problems := rules.Normalize(rules.FromProject, entry("permissions", []rules.Entry{entry("file.read", many)})); len(got) > 0 || len(problems) != 1 {
		t.Errorf("%d rules and %v", len(got), problems)
	}
	if p := (rules.Problem{Where: "a", Text: "b"}); p.String() != "a: b" {
		t.Error(p.String())
	}
}
