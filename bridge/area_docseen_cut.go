package bridge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"tenet/adapters/docs"
	"tenet/core/doc"
	"tenet/core/doc/snapshot"
	"tenet/core/surface"
)

// docSeenCut compares, on replies so long that their middle is cut, the rows that came
// through with the lines that the session counts as seen: they are the same, whether a
// search, a read or a rejection showed them.
func docSeenCut() error {
	root, err := tempDir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	return errors.Join(cutRejection(root), cutPages(root))
}

// cutRejection sends an edit of several files with lines as wide as a rejection shows,
// none of them seen, until it applies: no line counts that was cut out of an answer.
func cutRejection(root string) error {
	const files = 4
	d := newSeenDir(root)
	wide := strings.Repeat(strings.Repeat("𝔸", snapshot.RevealChars)+"\n", snapshot.RevealAnchors)
	var patch strings.Builder
	for i := range files {
		name := fmt.Sprintf("wide%d", i)
		text := fmt.Sprintf("%send of %s\n", wide, name)
		must(os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
		reply, err := d.tools.Run(context.Background(), openGate{}, "read", surface.Args{"path": name, "line": int64(snapshot.RevealAnchors + 1)})
		if err != nil {
			return err
		}
		fmt.Fprintf(&patch, "[%s#%s]\nPUT 1.=%d:\n+new\n", name, anyTag().FindStringSubmatch(reply)[2], snapshot.RevealAnchors)
	}
	shown := map[string]snapshot.LineSet{}
	for i := range files {
		shown[fmt.Sprintf("wide%d", i)] = snapshot.Lines(doc.Span{From: snapshot.RevealAnchors + 1, To: snapshot.RevealAnchors + 1})
	}
	for range files + 1 {
		_, err := d.tools.Run(context.Background(), openGate{}, "edit", surface.Args{"patch": patch.String()})
		if err == nil {
			return nil
		}
		if fault := sameSeen(d.tools, err.Error(), shown); fault != nil {
			return fault
		}
	}
	return errors.New("law reveal_then_retry: an edit of lines that can all be shown never applies")
}

// cutPages reads and searches a file that takes many pages.
func cutPages(root string) error {
	d := newSeenDir(root)
	var b strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&b, "line %d %s\n", i, strings.Repeat("x", i%900))
	}
	must(os.WriteFile(filepath.Join(root, "long"), []byte(b.String()), 0o644))
	shown := map[string]snapshot.LineSet{"long": {}}
	for _, call := range []struct {
		tool string
		args surface.Args
	}{
		{"read", surface.Args{"path": "long"}},
		{"read", surface.Args{"path": "long:100-120,3000-"}},
		{"grep", surface.Args{"path": "long", "pattern": "line [0-9]*0 ", "context": int64(1)}},
	} {
		reply, err := d.tools.Run(context.Background(), openGate{}, call.tool, call.args)
		if err != nil {
			return err
		}
		if err := sameSeen(d.tools, reply, shown); err != nil {
			return fmt.Errorf("%s %v: %w", call.tool, call.args, err)
		}
	}
	return nil
}

var (
	anyTag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\[([^#\]\n]+)#([0-9A-F]{4})\]$`) })
	anyRow = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[* ]?([0-9]+):(.*)$`) })
)

// sameSeen adds the rows of a reply that are whole lines of their files to what was shown
// of each, and holds what the session counts as seen to that.
func sameSeen(tools *docs.Docs, reply string, shown map[string]snapshot.LineSet) error {
	tags := map[string]string{}
	var lines []string
	name := ""
	for _, row := range strings.Split(reply, "\n") {
		if head := anyTag().FindStringSubmatch(row); head != nil {
			name, tags[head[1]] = head[1], head[2]
			v, _, _ := tools.Snapshot(name, head[2])
			lines = strings.Split(string(v.Text), "\n")
			continue
		}
		m := anyRow().FindStringSubmatch(row)
		if m == nil || name == "" {
			continue
		}
		n, err := strconv.ParseInt(m[1], 10, 64)
		if err != nil || n < 1 || n > int64(len(lines)) {
			return fmt.Errorf("the row %.60q is no line of %s", row, name)
		}
		if m[2] == lines[n-1] {
			shown[name] = shown[name].Add(doc.Span{From: n, To: n})
		}
	}
	for name, tag := range tags {
		_, seen, _ := tools.Snapshot(name, tag)
		if got, want := fmt.Sprint(seen.Spans()), fmt.Sprint(shown[name].Spans()); got != want {
			return fmt.Errorf("law edit_only_seen_lines: of %s the lines %s were shown, and %s count as seen", name, want, got)
		}
	}
	return nil
}
