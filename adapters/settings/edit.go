package settings

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"tenet/core/rules"
)

// site is where one rule stands in the text, in the order of the rules.
type site struct {
	// member is the index of the member of permissions; inner the index inside of a
	// nested form or of the list, -1 for a shorthand.
	member, inner int
	// list is true for an element of the list that comes after all other forms.
	list bool
}

// permissions is the object of that name, nil when the file has none.
func (d *document) permissions() (*container, error) {
	root := d.container(d.root)
	if root == nil || d.root.Value.Kind() != '{' {
		return nil, fmt.Errorf("line %d: the file is not an object; it begins with { and ends with }", d.line(d.root.StartOffset))
	}
	k := root.find("permissions")
	if k == nil {
		return nil, nil
	}
	if k.value.Value.Kind() != '{' {
		return nil, fmt.Errorf("line %d: permissions is not an object; docs/rules.md shows its forms", d.line(k.start))
	}
	return d.container(k.value), nil
}

// list is the container of permissions.rules, nil when there is none.
func (d *document) list(permissions *container) (*container, error) {
	k := permissions.find("rules")
	if k == nil {
		return nil, nil
	}
	if k.value.Value.Kind() != '[' {
		return nil, fmt.Errorf("line %d: permissions.rules is not a list", d.line(k.start))
	}
	return d.container(k.value), nil
}

// sites lists the rules in their order: shorthand and nested forms as they stand,
// then the list.
func (d *document) sites() ([]site, error) {
	p, err := d.permissions()
	if p == nil || err != nil {
		return nil, err
	}
	var out, listed []site
	for i, k := range p.kids {
		inner := d.container(k.value)
		switch {
		case k.name == "rules":
			if _, err := d.list(p); err != nil {
				return nil, err
			}
			for j := range inner.kids {
				listed = append(listed, site{i, j, true})
			}
		case inner == nil:
			out = append(out, site{member: i, inner: -1})
		default:
			for j := range inner.kids {
				out = append(out, site{member: i, inner: j})
			}
		}
	}
	return append(out, listed...), nil
}

// at is the container and the index of a site.
func (d *document) at(s site) (*container, int) {
	p, err := d.permissions()
	if err != nil || p == nil {
		panic("settings: a site outlived its text") // sites are asked for again after every edit
	}
	if s.inner < 0 {
		return p, s.member
	}
	return d.container(p.kids[s.member].value), s.inner
}

// add puts a rule at the end of the list, and makes what is missing around it.
func (d *document) add(r rules.Rule) error {
	body, err := element(r)
	if err != nil {
		return err
	}
	p, err := d.permissions()
	if err != nil {
		return err
	}
	if p == nil {
		return d.addMember(d.container(d.root), "permissions", nest{'{', nest{'[', leaf(body), ""}, "rules"})
	}
	l, err := d.list(p)
	if err != nil {
		return err
	}
	if l == nil {
		return d.addMember(p, "rules", nest{'[', leaf(body), ""})
	}
	return l.put(len(l.kids), piece{body: body})
}

// element is a rule as an element of the list.
func element(r rules.Rule) (string, error) {
	for _, s := range []string{r.Capability, r.Pattern} {
		if !utf8.ValidString(s) {
			return "", fmt.Errorf("%q is not UTF-8, so that no settings file can hold it", s)
		}
	}
	if r.Action < rules.Allow {
		return "", errors.New("a rule allows, asks or denies")
	}
	exact := ""
	if literal(r) {
		exact = `, "exact": true`
	}
	return fmt.Sprintf(`{ "capability": %s, "pattern": %s, "action": %q%s }`,
		quoted(r.Capability), quoted(r.Pattern), r.Action, exact), nil
}

func quoted(s string) string { return string(hujson.String(s)) }

// rendered is text that can be written over lines or in one.
type rendered interface {
	over(indent, unit, newline string) string
	line() string
}

// leaf is text that is the same in both.
type leaf string

func (l leaf) over(string, string, string) string { return string(l) }
func (l leaf) line() string                       { return string(l) }

// nest is an object with one member, or a list with one element.
type nest struct {
	bracket byte
	inner   rendered
	// key is the member's name; empty in a list.
	key string
}

func (n nest) shut() string {
	if n.bracket == '[' {
		return "]"
	}
	return "}"
}

func (n nest) name() string {
	if n.key == "" {
		return ""
	}
	return quoted(n.key) + ": "
}

func (n nest) over(indent, unit, newline string) string {
	in := indent + unit
	return string(n.bracket) + newline + in + n.name() + n.inner.over(in, unit, newline) + newline + indent + n.shut()
}

func (n nest) line() string {
	return string(n.bracket) + " " + n.name() + n.inner.line() + " " + n.shut()
}

// addMember puts a member at the end of an object, over lines unless the object
// stands in one line.
func (d *document) addMember(c *container, name string, value rendered) error {
	text := value.over(c.inner(), d.unit(), d.newline())
	if len(c.kids) > 0 && !strings.Contains(string(d.text[c.open:c.shut]), "\n") {
		text = value.line()
	}
	return c.put(len(c.kids), piece{body: quoted(name) + ": " + text})
}

// remove takes the rule at a position out.
func (d *document) remove(position int) error {
	_, err := d.take(position)
	return err
}

// take takes the rule at a position out, with the comments that speak about it. With
// the last rule of a nested form the form goes as well, unless a comment stands in it.
func (d *document) take(position int) (piece, error) {
	s, err := d.sites()
	if err != nil {
		return piece{}, err
	}
	if position < 1 || position > len(s) {
		return piece{}, noPosition(position, len(s))
	}
	at := s[position-1]
	c, i := d.at(at)
	p := c.piece(i)
	if err := c.cut(i); err != nil || at.inner < 0 || at.list {
		return p, err
	}
	if c, _ = d.at(at); len(c.kids) > 0 || len(d.comments(c.open, c.shut)) > 0 {
		return p, nil
	}
	form, i := d.at(site{member: at.member, inner: -1})
	f := form.piece(i)
	p.lead = append(append(f.lead, d.comments(form.kids[i].start, form.kids[i].end)...), p.lead...)
	if f.tail != "" {
		p.lead = append(p.lead, f.tail)
	}
	return p, form.cut(i)
}

func noPosition(position, n int) error {
	if n == 0 {
		return fmt.Errorf("there is no rule at position %d: the file has no rules", position)
	}
	return fmt.Errorf("there is no rule at position %d; the file has 1 to %d, as 'tenet rules list' shows", position, n)
}
