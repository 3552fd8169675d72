package settings

import (
	"fmt"
	"strings"
	"testing"

	"tenet/core/call"
	"tenet/core/guard"
	"tenet/core/rules"
)

func text(s string) Node { return Node{Kind: String, Text: s, Line: 2} }

func list(es ...Node) Node { return Node{Kind: List, Elements: es, Line: 2} }

func object(key string, v Node, more ...Member) Node {
	return Node{Kind: Object, Members: append([]Member{{Name: key, Value: v, Line: 2}}, more...), Line: 2}
}

// odd are values of every kind that no key of strings or lists takes.
var odd = []Node{
	{Kind: Bool, Text: "true", Line: 2}, {Kind: Number, Text: "7", Line: 2}, text("\x1b[2J"), list(Node{Kind: Number, Text: "1", Line: 2}),
	object("x", Node{Kind: Number, Text: "1", Line: 2}), list(), object("network", list()),
}

// Whatever stands at a key, more never runs than without the file: what cannot be read
// holds at its strictest or refuses the file.
func TestNothingOpensByAMistake(t *testing.T) {
	for _, v := range odd {
		for _, at := range []Node{
			object("profile", v), object("permissions", v), object("guard", v), object("shell", v), object("trustedProjects", v),
			object("shell", object("autoEffects", v)), object("guard", object("off", v)), object("guard", object("network", v)),
			object("guard", object("hosts", v)), object("guard", object("writeRoots", v)), object("guard", object("protected", v)),
		} {
			opens(t, at)
		}
	}
}

func opens(t *testing.T, file Node) {
	t.Helper()
	got, problems := ReadUser(file)
	_, more := Rules(got.Permissions, rules.FromUser)
	for _, p := range append(problems, more...) {
		if p.Line != 2 || p.Key == "" || strings.ContainsRune(p.String(), '\x1b') {
			t.Errorf("%+v is told as %q", file, p)
		}
		if p.Refuses {
			return // nothing runs
		}
	}
	switch {
	case got.Profile != "" && got.Profile != "strict":
		t.Errorf("%+v has the profile %q", file, got.Profile)
	case got.Auto != nil && *got.Auto != 0:
		t.Errorf("%+v has the auto set %v", file, *got.Auto)
	case len(got.Guard.Off)+len(got.Guard.Hosts) > 0 && got.Guard.Network == guard.ByRules:
		t.Errorf("%+v opens the guard: %+v", file, got.Guard)
	}
	for root := range got.Trusted {
		if got.Trusted.Trusts(root, nil) {
			t.Errorf("%+v trusts %s", file, root)
		}
	}
}

func TestValues(t *testing.T) {
	digest := Digest([]byte("x"))
	v, problems := ReadUser(Node{Kind: Object, Members: []Member{
		{Name: "profile", Value: text("open")},
		{Name: "unknown", Value: odd[0]},
		{Name: "shell", Value: object("autoEffects", list(text("read"), text("net")))},
		{Name: "guard", Value: object("off", list(text("destructive")), Member{Name: "network", Value: text("deny")}, Member{Name: "hosts", Value: list(text("a.example"))},
			Member{Name: "writeRoots", Value: list(text("/src"))}, Member{Name: "protected", Value: list(text("infra"))})},
		{Name: "trustedProjects", Value: object("/src/app", text(digest), Member{Name: "/src/b", Value: list(text(digest), text(digest))})},
	}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	g := v.Guard
	if v.Profile != "open" || *v.Auto != call.Of(call.Read, call.Net) || g.Off[0] != "destructive" || g.Network != guard.DenyAll || g.Hosts[0] != "a.example" || g.WriteRoots[0] != "/src" || g.Fragments[0] != "infra" {
		t.Errorf("read %+v", v)
	}
	if !v.Trusted.Trusts("/src/app", []byte("x")) || v.Trusted.Trusts("/src/app", []byte("y")) || v.Trusted.Trusts("/src", []byte("x")) || !v.Trusted.Trusts("/src/b", []byte("x")) {
		t.Errorf("trusted %v", v.Trusted)
	}
}

// A digest that is none, one that stands twice, or more of them than two, trust nothing.
func TestTrustThatCannotBeRead(t *testing.T) {
	digest := text(Digest(nil))
	for _, projects := range []Node{
		object("/p", digest, Member{Name: "/p", Value: digest}), object("/p", list(digest, digest, digest)), object("/p", list()),
		object("/p", text(digest.Text[1:])), object("/p", text(strings.Repeat("x", 64))), object("/p", list(digest, odd[0])),
	} {
		v, problems := ReadUser(object("trustedProjects", projects))
		if v.Trusted.Trusts("/p", nil) || len(problems) == 0 {
			t.Errorf("%+v: %v, %v", projects, v.Trusted, problems)
		}
	}
}

// A project sets its rules and nothing else, and one line says what it tried.
func TestAProjectSetsNothingElse(t *testing.T) {
	v, problems := ReadProject(Node{Kind: Object, Members: []Member{
		{Name: "$schema", Value: text("https://a.example")}, {Name: "profile", Value: text("open"), Line: 3}, {Name: "guard", Value: odd[0], Line: 4},
		{Name: "permissions", Value: object("file.read", text("deny"))}, {Name: "profile", Value: text("open"), Line: 5},
	}}, DefaultRun(), true)
	if v.Profile != "" || v.Auto != nil || v.Trusted != nil || len(v.Guard.Off) > 0 || v.Permissions.Kind != Object {
		t.Errorf("read %+v", v)
	}
	if len(problems) != 1 || problems[0].Key != "profile, guard" || problems[0].Line != 3 || problems[0].Refuses {
		t.Errorf("told %+v", problems)
	}
}

// However many keys a project tries, the warning stays one line of some length, and
// costs no more than reading them.
func TestManyWithheldKeys(t *testing.T) {
	var file Node
	for i := range 100_000 {
		file.Members = append(file.Members, Member{Name: fmt.Sprint("key", i), Value: odd[0], Line: i + 1})
	}
	_, problems := ReadProject(file, DefaultRun(), false)
	if len(problems) != 1 || !strings.Contains(problems[0].Key, "key19, and 99980 more") {
		t.Errorf("told %.400v", problems)
	}
}

// Rules come with the line they stand in; with one mistake there are none.
func TestRules(t *testing.T) {
	perms := object("file.read", text("allow"), Member{Name: "rules", Value: list(object("capability", text("*"), Member{Name: "action", Value: text("ask")}))})
	all, problems := Rules(perms, rules.FromProject)
	if len(problems) > 0 || len(all) != 2 || all[1].Position != 2 || all[1].Source != rules.FromProject || all[1].Pattern != "*" {
		t.Errorf("read %+v, %v", all, problems)
	}
	all, problems = Rules(object("file.read", text("dney"), perms.Members...), rules.FromUser)
	if len(all) > 0 || len(problems) != 1 || !problems[0].Refuses || problems[0].Line != 2 {
		t.Errorf("read %+v, %v", all, problems)
	}
	if all, problems = Rules(Node{}, rules.FromUser); all != nil || problems != nil {
		t.Errorf("nothing is %v, %v", all, problems)
	}
}
