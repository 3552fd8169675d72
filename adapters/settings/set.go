package settings

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tenet/core/rules"
	"tenet/core/settings"
)

// Set gives a setting a value, JSON text, in the user's file or the project's. Comments
// and order stay. A value that the setting does not take is refused with what it takes,
// and so is a key that is not the project's to set.
func (e Editor) Set(ctx context.Context, scope rules.Source, key settings.Key, value string) (file string, err error) {
	n, err := Parse([]byte(value))
	if err != nil {
		return "", fmt.Errorf("%s: the value is no JSON: %w", key.Name, err)
	}
	if err := accepts(key, n); err != nil {
		return "", err
	}
	path := strings.Split(key.Name, ".")
	return e.edit(ctx, scope, key, key.Scope == settings.WithTrust, func(d *document) error {
		if err := d.set(path, strings.TrimSpace(value)); err != nil {
			return err
		}
		if got, ok := d.tree().Path(key.Name); !ok || got.JSON() != n.JSON() {
			return fmt.Errorf("%s cannot be set without changing something else in the file; edit it by hand", key.Name)
		}
		return nil
	})
}

// Unset takes a setting out, so that its default holds again. was is false when the
// file did not set it.
func (e Editor) Unset(ctx context.Context, scope rules.Source, key settings.Key) (file string, was bool, err error) {
	path := strings.Split(key.Name, ".")
	file, err = e.edit(ctx, scope, key, false, func(d *document) error {
		var err error
		was, err = d.unset(path)
		return err
	})
	return file, was, err
}

// accepts is nil when a setting takes a value, else the error that says what it takes.
func accepts(key settings.Key, value settings.Node) error {
	path := strings.Split(key.Name, ".")
	for at := len(path) - 1; at >= 0; at-- {
		value = settings.Node{Kind: settings.Object, Members: []settings.Member{{Name: path[at], Value: value}}}
	}
	_, problems := settings.ReadUser(value)
	for _, p := range problems {
		return fmt.Errorf("%s: %s", p.Key, strings.TrimSuffix(p.Text, "; it counts as unset"))
	}
	return nil
}

// edit changes the settings of one scope by one key.
func (e Editor) edit(ctx context.Context, scope rules.Source, key settings.Key, allow bool, change func(*document) error) (string, error) {
	if scope == rules.FromProject && key.Scope == settings.UserOnly {
		return "", fmt.Errorf("%s is not a project's to set; it counts in your own settings only", key.Name)
	}
	name, _, err := e.within(ctx, scope, allow, func(d *document) (*document, error) { return changed(d, key, change) })
	return name, err
}

// changed is a document after a change of one key, which is checked by reading it
// again: everything else must be what it was.
func changed(d *document, key settings.Key, change func(*document) error) (*document, error) {
	before := d.tree()
	if before.Kind != settings.Object {
		return nil, fmt.Errorf("line %d: the file is not an object; it begins with { and ends with }", before.Line)
	}
	n, err := parse(d.bytes())
	if err != nil {
		return nil, err
	}
	if err := change(n); err != nil {
		return nil, err
	}
	first, _, _ := strings.Cut(key.Name, ".")
	if !alike(before, n.tree(), first) {
		return nil, fmt.Errorf("%s cannot be changed without changing something else in the file; edit it by hand", key.Name)
	}
	return n, nil
}

// set gives the value at a path another text, and makes what is missing on the way.
func (d *document) set(path []string, value string) error {
	c := d.container(d.root)
	for at, name := range path {
		k := c.find(name)
		last := at == len(path)-1
		switch {
		case k == nil:
			var body rendered = leaf(value)
			for i := len(path) - 1; i > at; i-- {
				body = nest{'{', body, path[i]}
			}
			return d.addMember(c, name, body)
		case last:
			return d.splice(k.value.StartOffset, k.end, value)
		case k.value.Value.Kind() != '{':
			return fmt.Errorf("line %d: %s is not an object", d.line(k.start), strings.Join(path[:at+1], "."))
		}
		c = d.container(k.value)
	}
	return nil
}

// unset takes the member at a path out, and the objects around it that are empty then
// and hold no comment.
func (d *document) unset(path []string) (was bool, err error) {
	for n := len(path); n > 0; n-- {
		c, at := d.member(path[:n])
		if at < 0 {
			return was, nil
		}
		if inner := d.container(c.kids[at].value); n < len(path) && (inner == nil || len(inner.kids) > 0 || len(d.comments(inner.open, inner.shut)) > 0) {
			return was, nil
		}
		if err := c.cut(at); err != nil {
			return was, err
		}
		was = true
	}
	return was, nil
}

// member is the container and the index of the member at a path; -1 for none.
func (d *document) member(path []string) (*container, int) {
	c := d.container(d.root)
	for at, name := range path {
		if c == nil {
			return nil, -1
		}
		found := slices.IndexFunc(c.kids, func(k kid) bool { return k.name == name })
		if found < 0 || at == len(path)-1 {
			return c, found
		}
		c = d.container(c.kids[found].value)
	}
	return nil, -1
}
