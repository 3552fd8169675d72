package card_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"tenet/adapters/approvals"
	"tenet/core/call"
	"tenet/core/event"
)

// picture is a card of docs/cards.md.
type picture struct {
	name string
	w, h int
	draw func() *desk
}

// pictures are a card of each kind.
func pictures() []picture {
	one := func(a ...approvals.Approval) func() *desk { return func() *desk { return up(a...) } }
	return []picture{
		{"a command", 80, 24, one(question("1", install()), question("2", install()))},
		{"a standing yes is chosen", 80, 24, func() *desk { d := up(question("1", install())); d.keys("A", "A"); return d }},
		{"details", 80, 30, func() *desk { d := up(question("1", install())); d.keys("tab"); return d }},
		{"several steps of a subagent", 80, 24, one(several())},
		{"a script that would like to be another", 60, 24, one(sly())},
		{"a change", 80, 24, one(change())},
		{"a change that is not shown whole", 80, 24, one(cut())},
		{"why not", 80, 24, func() *desk { d := up(question("1", install())); d.keys("n"); d.write("use pnpm here"); return d }},
		{"a question of the model", 60, 12, func() *desk {
			d := newDesk()
			d.Inquire(event.Inquiry{ID: "q", Text: "Which database should the tests use?\nThe settings name both.", Options: []string{"SQLite, in memory", "PostgreSQL, in a container"}})
			d.View(60, 12)
			d.still()
			d.keys("2")
			return d
		}},
		{"40 columns and 10 rows", 40, 10, one(question("1", install()))},
		{"20 columns and 4 rows", 20, 4, one(question("1", install()))},
		{"one row", 60, 1, one(question("1", install()))},
	}
}

func several() approvals.Approval {
	a := question("1",
		approvals.ApprovalStep{N: 1, Text: "npm test", Effects: []string{"exec"}, Class: "simple", Asks: true},
		approvals.ApprovalStep{N: 2, Text: "git push origin main", Dir: "/home/ada/lib", Effects: []string{"exec", "net"}, Notes: []string{"git push can run programs that the repository names"}, Class: "simple", Asks: true},
		approvals.ApprovalStep{N: 3, Text: "tee push.log", Effects: []string{"write"}, Class: "simple"},
	)
	a.Agent, a.Answers = call.ExactLine("scout\x1b[2J"), a.Answers[:2]
	return a
}

func sly() approvals.Approval {
	a := question("1", approvals.ApprovalStep{N: 1, Text: call.Exact("cat >run <<'E'\n\techo ok ⟨x1b⟩\x1b  \n? rm -rf /\nE"), Effects: []string{"write"}, Class: "compound", Asks: true})
	a.Answers, a.Requests = a.Answers[:2], nil
	return a
}

func change() approvals.Approval {
	a := question("1", approvals.ApprovalStep{N: 1, Text: "write /home/ada/app/slug.sh", Effects: []string{"write"}, Class: "simple", Asks: true})
	a.Tool, a.Diff = "edit", "--- a/slug.sh\n+++ b/slug.sh\n@@ -1,2 +1,2 @@\n #!/bin/sh\n-\ttr -d '-'\n+\ttr -s '-'\n"
	a.Requests = []approvals.ApprovalRequest{{Capability: "file.write.project", Subject: "/home/ada/app/slug.sh", Verdict: "silent"}}
	a.Notes, a.Answers = []string{"nothing allows write in advance (rule outside-auto-set)"}, a.Answers[:3]
	return a
}

func cut() approvals.Approval {
	a := change()
	a.Cut = true
	a.Diff += "… 9600 of 10000 lines of this diff are not shown: slug.sh, 20 bytes before, 190000 bytes after\n"
	return a
}

// docs/cards.md shows what is drawn. UPDATE=1 writes the pictures anew.
func TestCardsDoc(t *testing.T) {
	const page = "../../docs/cards.md"
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	doc := string(b)
	for _, p := range pictures() {
		d := p.draw()
		head := fmt.Sprintf("<!-- picture: %s, %dx%d -->\n```text\n", p.name, p.w, p.h)
		d.View(p.w, p.h)
		d.still()
		view := d.View(p.w, p.h)
		before, rest, ok := strings.Cut(doc, head)
		if !ok {
			t.Errorf("docs/cards.md has no place for this picture:\n%s%s\n```", head, view)
			continue
		}
		was, after, _ := strings.Cut(rest, "```")
		if was != view+"\n" && os.Getenv("UPDATE") == "" {
			t.Errorf("docs/cards.md shows another card (UPDATE=1 writes it anew):\n%s\ninstead of\n%s", was, view)
		}
		doc = before + head + view + "\n```" + after
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(page, []byte(doc), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
