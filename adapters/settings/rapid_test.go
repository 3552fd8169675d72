package settings

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
	"pgregory.net/rapid"

	"tenet/core/rules"
	"tenet/core/settings"
)

// Whatever a person's file looks like, an edit changes the one rule that it is about:
// an added or moved rule loses no comment, a removed one none that is not its own,
// and strict JSON stays strict JSON. edited itself fails when a rule or a key changes
// that should not, and that failure is one of this test.
func TestEditsOfAnyFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, err := parse([]byte(anyFile(t)))
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 4).Draw(t, "edits") {
			d = anyEdit(t, d)
		}
	})
}

func anyEdit(t *rapid.T, d *document) *document {
	perms, _ := d.tree().Member("permissions")
	all, _ := settings.Rules(perms, rules.FromUser)
	what := rapid.SampledFrom([]string{"add", "remove", "move"}).Draw(t, "edit")
	if len(all) == 0 {
		what = "add"
	}
	from := rapid.IntRange(1, max(1, len(all))).Draw(t, "from")
	to := rapid.IntRange(1, max(1, len(all))).Draw(t, "to")
	before := string(d.bytes())
	n, err := edited(d, func(d *document, all []rules.Rule) ([]rules.Rule, error) {
		switch what {
		case "add":
			return append(all, npm), d.add(npm)
		case "remove":
			return removes(from)(d, all)
		default:
			return moved(all, from, to), d.move(from, to, all)
		}
	})
	if err != nil {
		t.Fatalf("%s %d %d of\n%s\n%v", what, from, to, before, err)
	}
	was, is := d.comments(0, len(d.text)), n.comments(0, len(n.text))
	for _, c := range is {
		i := slices.Index(was, c)
		if i < 0 {
			t.Fatalf("%s %d %d made the comment %q of\n%s\n%s", what, from, to, c, before, n.bytes())
		}
		was = slices.Delete(was, i, i+1)
	}
	if len(was) > 0 && what != "remove" {
		t.Fatalf("%s %d %d lost %q of\n%s\n%s", what, from, to, was, before, n.bytes())
	}
	if strict(d) && !strict(n) {
		t.Fatalf("%s %d %d left a last comma in\n%s\n%s", what, from, to, before, n.bytes())
	}
	return n
}

// strict reports whether no last element has a comma behind it.
func strict(d *document) bool {
	for v := range d.root.All() {
		if c := d.container(*v); c != nil && len(c.kids) > 0 && c.kids[len(c.kids)-1].comma >= 0 {
			return false
		}
	}
	return true
}

// anyFile is a settings file as a person may have written it: comments of both kinds
// in every place, any line breaks, any indentation, last commas or none.
func anyFile(t *rapid.T) string {
	w := &writer{t: t, last: rapid.Bool().Draw(t, "last comma")}
	perms := []string{}
	for i := range rapid.IntRange(0, 3).Draw(t, "forms") {
		perms = append(perms, w.form(i))
	}
	if rapid.Bool().Draw(t, "list") {
		var list []string
		for range rapid.IntRange(0, 3).Draw(t, "elements") {
			list = append(list, w.object([]string{`"capability": "file.read"`, `"pattern": "` + w.word() + `"`, `"action": "ask"`}))
		}
		perms = slices.Insert(perms, rapid.IntRange(0, len(perms)).Draw(t, "at"), `"rules":`+w.extra()+w.group('[', ']', list))
	}
	members := []string{`"profile":` + w.extra() + `"open"`}
	if rapid.IntRange(0, 4).Draw(t, "permissions") > 0 {
		at := rapid.IntRange(0, 1).Draw(t, "before")
		members = slices.Insert(members, at, `"permissions": `+w.object(perms))
	}
	return w.extra() + w.object(members) + w.extra()
}

type writer struct {
	t    *rapid.T
	n    int
	last bool
}

func (w *writer) word() string { w.n++; return fmt.Sprintf("w%d", w.n) }

func (w *writer) form(i int) string {
	name := fmt.Sprintf(`"%s":`, []string{"file.read", "process.*", "network.access"}[i%3])
	if rapid.Bool().Draw(w.t, "short") {
		return name + ` "ask"`
	}
	var inner []string
	for range rapid.IntRange(0, 3).Draw(w.t, "subjects") {
		inner = append(inner, `"`+w.word()+`": "deny"`)
	}
	return name + " " + w.object(inner)
}

func (w *writer) object(members []string) string { return w.group('{', '}', members) }

func (w *writer) group(open, shut byte, kids []string) string {
	var b strings.Builder
	b.WriteByte(open)
	for i, k := range kids {
		b.WriteString(w.extra() + k + w.extra())
		if i < len(kids)-1 || w.last {
			b.WriteByte(',')
		}
	}
	b.WriteString(w.extra())
	b.WriteByte(shut)
	return b.String()
}

// extra is any white space and comments.
func (w *writer) extra() string {
	var b strings.Builder
	for range rapid.SampledFrom([]int{0, 0, 1, 1, 2, 3}).Draw(w.t, "extra") {
		switch rapid.SampledFrom([]string{" ", "nl", "empty", "line", "block", "lines"}).Draw(w.t, "kind") {
		case " ":
			b.WriteString(" ")
		case "nl":
			b.WriteString("\n  ")
		case "empty":
			b.WriteString("\n\n\t")
		case "line":
			b.WriteString(" // " + w.word() + " {[\"\n")
		case "block":
			b.WriteString(" /* " + w.word() + " */ ")
		case "lines":
			b.WriteString("\n /* " + w.word() + "\n\n  ]} */\n ")
		}
	}
	return b.String()
}

// The library gives back what it read, byte for byte; the offsets rest on that.
func TestTheTreeIsTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyFile(t)
		v, err := hujson.Parse([]byte(text))
		if err != nil || string(v.Pack()) != text {
			t.Fatalf("%q became %q (%v)", text, v.Pack(), err)
		}
	})
}
