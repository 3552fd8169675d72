package skills

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"tenet/adapters/textfile"
	"tenet/core/call"
	core "tenet/core/skills"
)

// The bounds of files, in bytes.
const (
	MaxFile   = 256 << 10 // a SKILL.md, a template
	maxFront  = 16 << 10  // its front matter
	maxIgnore = 64 << 10  // an ignore file
)

// read reads a whole file that may be taken up without a question.
func (f *finder) read(real string, limit int64) (textfile.Text, error) {
	switch {
	case f.within != "" && !textfile.Under(real, f.within):
		return textfile.Text{}, fmt.Errorf("it leads out of the repository, to %s", real)
	case f.secret(real):
		return textfile.Text{}, fmt.Errorf("it is a secret (%s), which is never read without a question", real)
	}
	t, err := textfile.Read(real, limit)
	if err == nil && t.Cut {
		err = fmt.Errorf("it has %d bytes; at most %d are taken", t.Size, limit)
	}
	return t, err
}

// file makes one candidate of a file that is meant to be a skill or a template.
func (f *finder) file(path, name string) {
	c := core.Candidate{Kind: f.kind, Scope: f.scope, Path: path, Fallback: name}
	real, err := textfile.Real(path)
	if err == nil {
		c.Real = real
		var t textfile.Text
		if t, err = f.read(real, MaxFile); err == nil {
			err = frontOf(&c, t.Text)
		}
	}
	if err != nil {
		c.Fault = err.Error()
	}
	f.add(c)
}

// frontOf reads the front matter of a candidate.
func frontOf(c *core.Candidate, text string) error {
	front, body, err := split(text)
	if err != nil {
		return err
	}
	c.First = firstLine(body)
	c.Front, err = frontMatter(front)
	return err
}

func firstLine(body string) string {
	for line := range strings.Lines(body) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

// fence stands before and after the front matter.
const fence = "---"

// split parts a file into front matter and body. A file that does not begin with a fence
// has none.
func split(text string) (front, body string, err error) {
	rest, ok := strings.CutPrefix(text, fence+"\n")
	if !ok {
		return "", text, nil
	}
	at := 0
	for line := range strings.Lines(rest) {
		if strings.TrimRight(line, " \t\n") == fence {
			return rest[:at], rest[at+len(line):], nil
		}
		if at += len(line); at > maxFront {
			return "", "", fmt.Errorf("its front matter is longer than %d bytes, or has no end (a line of ---)", maxFront)
		}
	}
	return "", "", errors.New("its front matter has no end (a line of ---)")
}

// frontMatter reads YAML that a stranger may have written. Only the tree is built and the
// fields that are used are taken out of it: what the library would make of the rest takes
// it 43 seconds for 16 KB of one name, and what is not used opens nothing here, allowed-tools
// above all. A panic of the library is an error of the file.
func frontMatter(text string) (front core.Front, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = badYAML("%v", p)
		}
	}()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return front, badYAML("%s", strings.Join(strings.Fields(err.Error()), " "))
	}
	if len(doc.Content) == 0 { // nothing but blanks and comments
		return front, nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return front, badYAML("it is no list of names with values")
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		name := root.Content[i].Value
		if seen[name] {
			return front, badYAML("line %d: %s stands there twice", root.Content[i].Line, call.OneLine(name, core.MaxName))
		}
		seen[name] = true
		if err := field(&front, name, root.Content[i+1]); err != nil {
			return front, err
		}
	}
	return front, nil
}

func badYAML(format string, args ...any) error {
	return fmt.Errorf("invalid YAML front matter: "+format, args...)
}

// field takes one field, when it is one that is used.
func field(front *core.Front, name string, v *yaml.Node) error {
	var to *string
	switch name {
	case "name":
		to = &front.Name
	case "description":
		to = &front.Description
	case "argument-hint":
		to = &front.Hint
	case "disable-model-invocation":
		if v.ShortTag() != "!!bool" && v.ShortTag() != "!!null" {
			return badYAML("%s is neither true nor false", name)
		}
		front.Hidden = strings.EqualFold(v.Value, "true")
		return nil
	default:
		return nil
	}
	switch {
	case v.Kind == yaml.ScalarNode && v.ShortTag() == "!!str":
		*to = v.Value
	case v.Kind != yaml.ScalarNode || v.ShortTag() != "!!null":
		return badYAML("%s is no text (write it in quotes)", name)
	}
	return nil
}
