package skills

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"tenet/adapters/textfile"
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

// frontMatter reads YAML that a stranger may have written: the library bounds aliases, the
// size is bounded here, and a panic of it is an error of the file. What is not used stays
// unread: allowed-tools above all, which opens nothing here.
func frontMatter(text string) (front core.Front, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("invalid YAML front matter: %v", p)
		}
	}()
	var fields map[string]any
	if err := yaml.Unmarshal([]byte(text), &fields); err != nil {
		return front, fmt.Errorf("invalid YAML front matter: %s", strings.Join(strings.Fields(err.Error()), " "))
	}
	for name, to := range map[string]*string{"name": &front.Name, "description": &front.Description, "argument-hint": &front.Hint} {
		if err := textField(fields, name, to); err != nil {
			return front, err
		}
	}
	hidden, isBool := fields["disable-model-invocation"].(bool)
	if v, ok := fields["disable-model-invocation"]; ok && v != nil && !isBool {
		return front, errors.New("invalid YAML front matter: disable-model-invocation is neither true nor false")
	}
	front.Hidden = hidden
	return front, nil
}

// textField reads one field that must be text.
func textField(fields map[string]any, name string, to *string) error {
	v, ok := fields[name]
	if !ok || v == nil {
		return nil
	}
	s, ok := v.(string)
	if !ok {
		return fmt.Errorf("invalid YAML front matter: %s is no text (write it in quotes)", name)
	}
	*to = s
	return nil
}
