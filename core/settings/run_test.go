package settings

import (
	"strings"
	"testing"
	"time"
)

func num(s string) Node { return Node{Kind: Number, Text: s, Line: 2} }

func file(ms ...Member) Node { return Node{Kind: Object, Members: ms, Line: 1} }

func set(name string, v Node) Member { return Member{Name: name, Value: v, Line: 2} }

// Without a file a run has the defaults of the table.
func TestARunWithoutSettings(t *testing.T) {
	r := DefaultRun()
	if r.Retry != (Retry{Enabled: true, MaxRetries: 3, BaseDelay: 2 * time.Second, StreamIdle: 2 * time.Minute, MaxDelay: time.Minute}) {
		t.Errorf("retry %+v", r.Retry)
	}
	if r.MaxToolRounds != 250 || r.ToolBlockingBudget != 30*time.Second || r.Compaction != (Compaction{true, 16384, 20000}) {
		t.Errorf("turn %+v", r)
	}
	if !r.Allowed.Allows("anybody", "any model") || r.Model != "" || r.StopHooks != nil {
		t.Errorf("models %+v", r)
	}
}

func TestARunOfTheUser(t *testing.T) {
	v, problems := ReadUser(file(
		set("model", text("ollama/qwen3:8b")), set("maxToolRounds", num("0")), set("allowedModels", list(text("ollama/*"))),
		set("retry", file(set("enabled", Node{Kind: Bool, Text: "false"}), set("maxRetries", num("5")), set("provider", file(set("streamIdleTimeoutMs", num("9e4")))))),
		set("hooks", file(set("stop", list(text("go vet ./..."))))), set("thinking", text("low")),
	))
	r := v.Run
	if len(problems) > 0 || r.Model != "ollama/qwen3:8b" || r.MaxToolRounds != 250 || r.Retry.Retries() != 0 || r.Retry.MaxRetries != 5 ||
		r.Retry.StreamIdle != 90*time.Second || r.StopHooks[0] != "go vet ./..." || r.Thinking != "low" {
		t.Errorf("%+v, %v", r, problems)
	}
	if !r.Allowed.Allows("ollama", "qwen3:8b") || r.Allowed.Allows("openai", "gpt-5") {
		t.Errorf("allowed %+v", r.Allowed)
	}
}

// What cannot be read counts as unset, with a warning that names its line and key.
func TestARunSettingThatCannotBeRead(t *testing.T) {
	for _, m := range []Member{
		set("model", num("7")), set("model", text("")), set("model", text("a\x00b")), set("model", text(" a")), set("model", list()),
		set("maxToolRounds", text("250")), set("maxToolRounds", num("-1")), set("maxToolRounds", num("10001")), set("maxToolRounds", num("1.5")), set("maxToolRounds", num("1e300")),
		set("retry", text("no")), set("retry", file(set("provider", num("1")))), set("retry", file(set("enabled", text("true")))),
		set("hooks", file(set("stop", list(num("1"))))), set("hooks", file(set("stop", list(text(""))))), set("thinking", text("hard")), set("skills", text("x")),
		set("retry", file(set("provider", file(set("streamIdleTimeoutMs", num("5")))))),
	} {
		v, problems := ReadUser(file(m))
		if len(problems) != 1 || problems[0].Refuses || !strings.HasPrefix(problems[0].Key, m.Name) || problems[0].Line == 0 {
			t.Errorf("%+v is told as %v", m, problems)
		}
		if got, want := v.Run, DefaultRun(); got.Model != want.Model || got.MaxToolRounds != want.MaxToolRounds || got.Retry != want.Retry || got.StopHooks != nil || got.Skills != nil || got.Thinking != "" {
			t.Errorf("%+v reads as %+v", m, got)
		}
	}
}

// A list of allowed models that cannot be read, or of which one element cannot, allows
// no model: what it was to keep out is not known.
func TestAllowedModelsFailClosed(t *testing.T) {
	for _, n := range []Node{text("openai/*"), num("1"), list(text("openai/gpt-5"), num("1")), list(text("")), file()} {
		v, problems := ReadUser(file(set("allowedModels", n)))
		if len(problems) != 1 || v.Run.Allowed.Allows("openai", "gpt-5") {
			t.Errorf("%+v allows, told %v", n, problems)
		}
	}
	if v, problems := ReadUser(file(set("allowedModels", list()))); len(problems) > 0 || v.Run.Allowed.Allows("a", "b") {
		t.Error("an empty list allows none")
	}
}

func TestAllows(t *testing.T) {
	for _, c := range []struct {
		entry string
		want  string
	}{
		{"*", "a/m a/x/m b/m"}, {"m", "a/m b/m"}, {"a/m", "a/m"}, {"a/*", "a/m a/x/m"}, {"a/x/*", "a/x/m"}, {"a", ""}, {"a*", ""}, {"b/n*", ""},
	} {
		var got []string
		for _, m := range []string{"a/m", "a/x/m", "b/m"} {
			p, id, _ := strings.Cut(m, "/")
			if (Allowed{Set: true, List: []string{c.entry}}).Allows(p, id) {
				got = append(got, m)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q allows %v, want %s", c.entry, got, c.want)
		}
	}
}

// A project sets what does no harm; where the code is sent and what runs waits for the
// user's trust; how closely it is watched it never sets.
func TestARunOfAProject(t *testing.T) {
	user, _ := ReadUser(file(set("model", text("mine")), set("allowedModels", list(text("mine"), text("other"))), set("maxToolRounds", num("7"))))
	project := file(
		set("model", text("other")), set("allowedModels", list(text("other"), text("theirs"))), set("hooks", file(set("stop", list(text("make evil"))))),
		set("compaction", file(set("enabled", Node{Kind: Bool, Text: "false"}))), set("profile", text("open")),
	)
	v, problems := ReadProject(project, user.Run, false)
	if v.Run.Model != "mine" || v.Run.StopHooks != nil || !v.Run.Allowed.Allows("p", "mine") || v.Run.Compaction.Enabled || v.Run.MaxToolRounds != 7 || v.Profile != "" {
		t.Errorf("untrusted: %+v", v.Run)
	}
	if len(problems) != 1 || problems[0].Key != "model, allowedModels, hooks, profile" || !strings.Contains(problems[0].Text, "model, allowedModels, hooks count once you trust") {
		t.Errorf("told %v", problems)
	}
	v, problems = ReadProject(project, user.Run, true)
	if v.Run.Model != "other" || len(v.Run.StopHooks) != 1 || len(problems) != 1 || problems[0].Key != "profile" {
		t.Errorf("trusted: %+v, %v", v.Run, problems)
	}
	for id, want := range map[string]bool{"mine": false, "other": true, "theirs": false} {
		if v.Run.Allowed.Allows("p", id) != want {
			t.Errorf("%s allowed: %v", id, !want)
		}
	}
	if got := Waiting(project); strings.Join(got, " ") != "model allowedModels hooks" {
		t.Errorf("waiting %v", got)
	}
}

// A grant never switches on what a project's file holds beside rules.
func TestAGrantTrustsNoWaitingKeys(t *testing.T) {
	if Grantable(false, Node{}, true) || !Grantable(false, Node{}, false) || !Grantable(true, Node{}, true) {
		t.Error("a grant trusts keys that nobody was shown")
	}
}

// The table: every key has a sentence, every key of a run is read and shown.
func TestKeys(t *testing.T) {
	for _, k := range Keys() {
		if k.Says == "" || strings.HasSuffix(k.Says, ".") {
			t.Errorf("%s says %q", k.Name, k.Says)
		}
		if _, ok := Find(k.Name); !ok {
			t.Errorf("%s is not found", k.Name)
		}
		if k.show == nil {
			continue
		}
		word := append(k.Words, "x")[0]
		v := map[Kind]Node{Bool: {Kind: Bool, Text: "true"}, Number: num(number(max(k.Min, 1))), String: text(word), List: list(text("x"))}[k.Kind]
		for i := strings.Split(k.Name, "."); len(i) > 0; i = i[:len(i)-1] {
			v = file(set(i[len(i)-1], v))
		}
		read, problems := ReadUser(v)
		if len(problems) > 0 || k.Value(read.Run) == "" || strings.Join(Sets(v, UserOnly), " ") != k.Name {
			t.Errorf("%s reads as %q, sets %v: %v", k.Name, k.Value(read.Run), Sets(v, UserOnly), problems)
		}
	}
	if !Group("retry") || !Group("retry.provider") || Group("model") {
		t.Error("groups")
	}
}
