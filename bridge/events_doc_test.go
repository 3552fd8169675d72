package bridge

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tenet/bridge/engine/golden"
	"tenet/core/event"
)

// TestEventsPage holds docs/events.md to core/event: the page is made of its kinds, the
// members of their bodies, and the comments on both.
func TestEventsPage(t *testing.T) {
	if err := golden.Check("../docs/events.md", eventsPage(t)); err != nil {
		t.Error(err)
	}
}

const eventsHead = `# Events: the stream of a session

This page is made of ` + "`core/event`" + ` by ` + "`TestEventsPage`" + `; do not edit it.

` + "`tenet run --json`" + ` writes a session as JSON, one object a line; every client of a session reads the same stream.
There are three sorts of lines, told apart by their first member:

| first member | the line is |
|---|---|
| ` + "`stream`" + ` | the first line: the version of the stream, %d, the session's name and its log |
| ` + "`seq`" + ` | a record, byte for byte as the log has it, once it is durable ([log.md](log.md) says what seq, prev, at and sum are) |
| ` + "`live`" + ` | a sign of what goes on between two records; a client that missed it has missed nothing that stands |

A client that connects later reads the log from the record after the last one that it has, then goes on with the stream.
The version grows when a member goes or changes its meaning; a new kind or a new member does not change it, so a client
passes over kinds and members that it does not know. A member that is empty may be left out where the table says *optional*.

`

func eventsPage(t *testing.T) string {
	types := typesOf(t, "../core/event")
	var b strings.Builder
	fmt.Fprintf(&b, eventsHead, event.Version)
	b.WriteString("## Records\n\nThe body of a record by its kind.\n")
	for _, k := range event.Kinds() {
		body, err := event.Decode(event.Record{Kind: k, Body: json.RawMessage("{}")})
		if err != nil {
			t.Fatal(err)
		}
		valueSection(&b, types, string(k), reflect.TypeOf(body))
	}
	b.WriteString("\n## Live signs\n\nThe member `live` is the kind: " + liveKinds(types) + ".\n")
	valueSection(&b, types, "live", reflect.TypeFor[event.Live]())
	b.WriteString("\n## Values inside bodies\n")
	for _, v := range []any{event.Image{}, event.ToolCall{}, event.Thought{}, event.Ruling{}, event.JudgedStep{}, event.JudgedRequest{}, event.Rule{}, event.Grant{}, event.Group{}, event.Side{}, event.Content{}} {
		valueSection(&b, types, reflect.TypeOf(v).Name(), reflect.TypeOf(v))
	}
	return b.String()
}

func valueSection(b *strings.Builder, types map[string]declared, title string, t reflect.Type) {
	d := types[t.Name()]
	says := d.doc
	if first := t.Name() + " is "; strings.HasPrefix(says, first) {
		says = strings.ToUpper(says[len(first):len(first)+1]) + says[len(first)+1:]
	}
	fmt.Fprintf(b, "\n### %s\n\n%s\n", title, says)
	if t.NumField() == 0 {
		return
	}
	b.WriteString("\n| member | type | meaning |\n|---|---|---|\n")
	members(b, types, t)
}

func members(b *strings.Builder, types map[string]declared, t reflect.Type) {
	for f := range t.Fields() {
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			fmt.Fprintf(b, "| | | and the members of %s, in the same object |\n", f.Type.Name())
			continue
		}
		says := types[t.Name()].fields[f.Name]
		if strings.Contains(rest, "omitempty") {
			says = strings.TrimSpace("*optional.* " + says)
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", name, jsonType(f.Type), says)
	}
}

// jsonType is a Go type as a reader of JSON knows it.
func jsonType(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[json.RawMessage]():
		return "any JSON"
	case t == reflect.TypeFor[[]byte]():
		return "base64"
	}
	switch t.Kind() {
	case reflect.Slice:
		return "list of " + jsonType(t.Elem())
	case reflect.Pointer:
		return jsonType(t.Elem())
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return "number"
	case reflect.Struct:
		return t.Name()
	default:
		return "text"
	}
}

// declared is a type of the package with its comments.
type declared struct {
	doc    string
	fields map[string]string
	// consts are the constants of the type with theirs.
	consts []string
}

func typesOf(t *testing.T, dir string) map[string]declared {
	out := map[string]declared{}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok {
				declare(out, g)
			}
		}
	}
	return out
}

func declare(out map[string]declared, g *ast.GenDecl) {
	for _, s := range g.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			st, ok := s.Type.(*ast.StructType)
			d := declared{doc: oneLineOf(g.Doc), fields: map[string]string{}, consts: out[s.Name.Name].consts}
			for i := 0; ok && i < len(st.Fields.List); i++ {
				f := st.Fields.List[i]
				for _, n := range f.Names {
					d.fields[n.Name] = strings.TrimSpace(oneLineOf(f.Doc) + " " + oneLineOf(f.Comment))
				}
			}
			out[s.Name.Name] = d
		case *ast.ValueSpec:
			id, typed := s.Type.(*ast.Ident)
			if !typed || len(s.Values) != 1 {
				continue
			}
			if lit, ok := s.Values[0].(*ast.BasicLit); ok {
				d := out[id.Name]
				d.consts = append(d.consts, fmt.Sprintf("`%s` (%s)", strings.Trim(lit.Value, `"`), oneLineOf(s.Comment)))
				out[id.Name] = d
			}
		}
	}
}

func liveKinds(types map[string]declared) string { return strings.Join(types["LiveKind"].consts, ", ") }

// oneLineOf is a comment in one line.
func oneLineOf(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }
