package settings

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"tenet/core/rules"
	"tenet/core/settings"
)

func key(t *testing.T, name string) settings.Key {
	t.Helper()
	k, ok := settings.Find(name)
	if !ok {
		t.Fatalf("there is no setting %s", name)
	}
	return k
}

// A value is put where it belongs; comments, order and everything else stay.
func TestSetKeepsTheFile(t *testing.T) {
	for _, c := range []struct{ before, key, value, after string }{
		{"", "model", `"a"`, "{\n  \"model\": \"a\"\n}\n"},
		{"{}", "retry.provider.streamIdleTimeoutMs", "9000", "{\n  \"retry\": {\n    \"provider\": {\n      \"streamIdleTimeoutMs\": 9000\n    }\n  }\n}\n"},
		{"{\n  // the model\n  \"model\": \"a\", // fast\n  \"x\": 1,\n}\n", "model", `"b"`, "{\n  // the model\n  \"model\": \"b\", // fast\n  \"x\": 1,\n}\n"},
		{"{\"retry\": {\"enabled\": true}}\n", "retry.maxRetries", "5", "{\"retry\": {\"enabled\": true, \"maxRetries\": 5}}\n"},
		{"{\n\t\"retry\": {\n\t\t\"enabled\": true // yes\n\t}\n}\n", "retry.maxRetries", "5", "{\n\t\"retry\": {\n\t\t\"enabled\": true, // yes\n\t\t\"maxRetries\": 5\n\t}\n}\n"},
		{"\xef\xbb\xbf{\r\n  \"model\": \"a\"\r\n}\r\n", "thinking", `"low"`, "\xef\xbb\xbf{\r\n  \"model\": \"a\",\r\n  \"thinking\": \"low\"\r\n}\r\n"},
		{"{\"model\": null}\n", "model", `"b"`, "{\"model\": \"b\"}\n"},
	} {
		e := newEditor(t)
		if c.before != "" {
			put(t, UserFile(e.Home), c.before)
		}
		file, err := e.Set(context.Background(), rules.FromUser, key(t, c.key), c.value)
		if err != nil || file != real(UserFile(e.Home)) || get(t, file) != c.after {
			t.Errorf("%s = %s in %q gives %q, %v", c.key, c.value, c.before, get(t, UserFile(e.Home)), err)
		}
	}
}

// A key is taken out with the comments that speak of it and what is empty around it.
func TestUnset(t *testing.T) {
	for _, c := range []struct{ before, key, after string }{
		{"{\n  // the model\n  \"model\": \"a\",\n  \"x\": 1\n}\n", "model", "{\n  \"x\": 1\n}\n"},
		{"{\n  \"retry\": {\n    \"provider\": {\n      \"streamIdleTimeoutMs\": 9000\n    }\n  },\n  \"x\": 1\n}\n", "retry.provider.streamIdleTimeoutMs", "{\n  \"x\": 1\n}\n"},
		{"{\n  \"retry\": {\n    // keep\n    \"enabled\": true,\n    \"maxRetries\": 1\n  }\n}\n", "retry.maxRetries", "{\n  \"retry\": {\n    // keep\n    \"enabled\": true\n  }\n}\n"},
		{"{\"x\": 1}\n", "model", "{\"x\": 1}\n"},
		{"{\"retry\": 7}\n", "retry.maxRetries", "{\"retry\": 7}\n"},
	} {
		e := newEditor(t)
		put(t, UserFile(e.Home), c.before)
		_, was, err := e.Unset(context.Background(), rules.FromUser, key(t, c.key))
		if err != nil || was != (c.before != c.after) || get(t, UserFile(e.Home)) != c.after {
			t.Errorf("%s out of %q leaves %q, %v, %v", c.key, c.before, get(t, UserFile(e.Home)), was, err)
		}
	}
}

// What a setting does not take, and what is not the project's, is refused; the file stays.
func TestSetRefuses(t *testing.T) {
	e := newEditor(t)
	const text = "{\"retry\": 7}\n"
	put(t, UserFile(e.Home), text)
	for _, c := range []struct {
		scope           rules.Source
		key, value, say string
	}{
		{rules.FromUser, "maxToolRounds", "-1", "-1 is not in the range of 0 to 10000"}, {rules.FromUser, "maxToolRounds", `"5"`, "it is a string and should be a number"},
		{rules.FromUser, "thinking", `"hard"`, "only off, minimal"}, {rules.FromUser, "model", "{", "is no JSON"}, {rules.FromUser, "allowedModels", `["a", 1]`, "no model is allowed"},
		{rules.FromUser, "profile", `"stict"`, "there is no profile"}, {rules.FromUser, "guard.network", `"off"`, "it should be \"rules\" or \"deny\""},
		{rules.FromUser, "retry.maxRetries", "1", "retry is not an object"}, {rules.FromProject, "profile", `"open"`, "not a project's to set"},
	} {
		if _, err := e.Set(context.Background(), c.scope, key(t, c.key), c.value); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%s = %s: %v", c.key, c.value, err)
		}
	}
	if get(t, UserFile(e.Home)) != text {
		t.Error("the file was changed")
	}
	put(t, UserFile(e.Home), "{\"model\"")
	if _, err := e.Set(context.Background(), rules.FromUser, key(t, "model"), `"a"`); err == nil || get(t, UserFile(e.Home)) != "{\"model\"" {
		t.Error("a file that does not parse was written over")
	}
}

// In a project, a key that waits for trust takes trust along, where the file is the
// user's own doing; among rules of others it is refused.
func TestSetInAProject(t *testing.T) {
	e := newEditor(t)
	if _, err := e.Set(context.Background(), rules.FromProject, key(t, "model"), `"a"`); err != nil {
		t.Fatal(err)
	}
	if s := load(t, e.Options); s.Run.Model != "a" || !s.Trusted {
		t.Errorf("%+v", s.Run)
	}
	other := newEditor(t)
	put(t, other.projectFile(), `{"permissions": {"process.execute": "allow"}}`)
	_, err := other.Set(context.Background(), rules.FromProject, key(t, "model"), `"a"`)
	var not *NotTrustedError
	if !errors.As(err, &not) {
		t.Error(err)
	}
	if _, err := other.Set(context.Background(), rules.FromProject, key(t, "maxToolRounds"), "9"); err != nil {
		t.Error(err)
	}
	if s := load(t, other.Options); s.Trusted || s.Run.MaxToolRounds != 9 {
		t.Errorf("%+v", s.Run)
	}
}

// conf-003, conf-005: a link stays a link, and two who change at once lose nothing.
func TestManySetAtOnce(t *testing.T) {
	e := newEditor(t)
	target := e.Home + "/elsewhere.json"
	put(t, target, "{\n  // kept\n}\n")
	if err := os.Symlink(target, UserFile(e.Home)); err != nil {
		t.Fatal(err)
	}
	names := []string{"model", "auxiliaryModel", "retry.maxRetries", "retry.baseDelayMs", "maxToolRounds", "compaction.enabled", "thinking", "toolBlockingBudgetMs"}
	values := []string{`"a"`, `"b"`, "1", "100", "5", "false", `"low"`, "1000"}
	var wg sync.WaitGroup
	for i, name := range names {
		wg.Go(func() {
			if _, err := e.Set(context.Background(), rules.FromUser, key(t, name), values[i]); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	s := load(t, e.Options)
	if r := s.Run; r.Model != "a" || r.AuxiliaryModel != "b" || r.Retry.MaxRetries != 1 || r.Retry.BaseDelay != 100*time.Millisecond || r.MaxToolRounds != 5 ||
		r.Compaction.Enabled || r.Thinking != "low" || r.ToolBlockingBudget != time.Second {
		t.Errorf("one was lost: %+v", r)
	}
	if info, err := os.Lstat(UserFile(e.Home)); err != nil || info.Mode()&os.ModeSymlink == 0 || !strings.Contains(get(t, target), "// kept") {
		t.Errorf("the link or the comment is gone: %v", err)
	}
}
