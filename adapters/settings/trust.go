package settings

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"tenet/core/settings"
)

// user reads what the user's file says, without its warnings.
func (e Editor) user() (settings.Values, error) {
	name := real(UserFile(e.Home))
	b, _, there, err := e.FS.Read(name)
	if err != nil || !there {
		return settings.Values{}, err
	}
	d, err := parse(b)
	if err != nil {
		return settings.Values{}, fmt.Errorf("%s: %w", name, err)
	}
	v, _ := settings.ReadUser(d.tree())
	return v, nil
}

func (e Editor) trusts(file []byte) (bool, error) {
	v, err := e.user()
	return err == nil && v.Trusted.Trusts(e.Root, file), err
}

// setTrust makes the digests those that the user trusts for the project; without any
// the project is taken out of the user's file.
func (e Editor) setTrust(ctx context.Context, digests []string) (err error) {
	for range maxAgain {
		if err = e.setTrustOnce(ctx, digests); !errors.Is(err, errMeanwhile) {
			return err
		}
	}
	return err
}

func (e Editor) setTrustOnce(ctx context.Context, digests []string) (err error) {
	f, unlock, err := open(ctx, e.FS, real(UserFile(e.Home)), userMode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	d, err := f.document()
	if err != nil {
		return err
	}
	before := d.tree()
	if err := d.trust(e.Root, digests); err != nil {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	after := d.tree()
	v, _ := settings.ReadUser(after)
	if !slices.Equal(v.Trusted[e.Root], digests) || !alike(before, after, "trustedProjects") {
		return fmt.Errorf("%s: trustedProjects cannot be changed without changing something else in the file; edit it by hand", f.name)
	}
	return f.update(d.bytes())
}

// trust edits trustedProjects.
func (d *document) trust(root string, digests []string) error {
	if _, err := d.permissions(); err != nil {
		return err
	}
	if k := d.container(d.root).find("trustedProjects"); k != nil && k.value.Value.Kind() != '{' {
		return fmt.Errorf("line %d: trustedProjects is not an object", d.line(k.start))
	}
	value := digestText(digests)
	if k := d.trustedAt(root); k != nil && len(digests) > 0 && d.trustedTimes(root) == 1 {
		return d.splice(k.value.StartOffset, k.end, value)
	}
	for k := d.trustedAt(root); k != nil; k = d.trustedAt(root) {
		c := d.projects()
		if err := c.cut(slices.IndexFunc(c.kids, func(k kid) bool { return k.name == root })); err != nil {
			return err
		}
	}
	if len(digests) == 0 {
		return nil
	}
	if d.projects() == nil {
		return d.addMember(d.container(d.root), "trustedProjects", nest{'{', leaf(value), root})
	}
	return d.projects().put(len(d.projects().kids), piece{body: quoted(root) + ": " + value})
}

// projects is the object of that name, nil when the file has none.
func (d *document) projects() *container {
	k := d.container(d.root).find("trustedProjects")
	if k == nil {
		return nil
	}
	return d.container(k.value)
}

func (d *document) trustedAt(root string) *kid {
	if c := d.projects(); c != nil {
		return c.find(root)
	}
	return nil
}

func (d *document) trustedTimes(root string) (n int) {
	for _, k := range d.projects().kids {
		if k.name == root {
			n++
		}
	}
	return n
}

func digestText(digests []string) string {
	if len(digests) == 1 {
		return `"` + digests[0] + `"`
	}
	return `["` + strings.Join(digests, `", "`) + `"]`
}

// Offer is a project's file as a person is shown it before it is trusted.
type Offer struct {
	*Settings
	// Digest names the bytes that were shown.
	Digest string
}

// Offer reads what would be trusted. It is an error when there is nothing to trust.
func (e Editor) Offer() (Offer, error) {
	s, err := e.Load()
	if err != nil {
		return Offer{}, err
	}
	switch {
	case same(s.UserFile, s.ProjectFile):
		return Offer{}, fmt.Errorf("%s is your own settings file; its rules count already", s.UserFile)
	case s.ProjectState == Absent:
		return Offer{}, fmt.Errorf("there is no %s; a project without rules of its own needs no trust", s.ProjectFile)
	case s.ProjectState == Unreadable:
		return Offer{}, errors.New(s.Warnings[len(s.Warnings)-1])
	}
	return Offer{s, settings.Digest(s.project)}, nil
}

// Trust makes the user trust the bytes that an offer showed; what the file holds now
// counts only if it is still those.
func (e Editor) Trust(ctx context.Context, o Offer) error {
	e.FS = e.disk()
	return e.setTrust(ctx, []string{o.Digest})
}

// Untrust takes the user's trust away; was is false when there was none.
func (e Editor) Untrust(ctx context.Context) (was bool, err error) {
	e.FS = e.disk()
	v, err := e.user()
	if err != nil {
		return false, err
	}
	if _, was = v.Trusted[e.Root]; !was {
		return false, nil
	}
	return true, e.setTrust(ctx, nil)
}

// Project is one that the user trusts, or trusted.
type Project struct {
	// Root is its real path.
	Root string
	// State says how its file stands to the trust: "trusted", "changed since", "gone".
	State string
}

// Projects lists the projects that the user's file names, by path.
func Projects(o Options) ([]Project, error) {
	s, err := Load(Options{Home: o.Home})
	if err != nil {
		return nil, err
	}
	var out []Project
	for _, root := range slices.Sorted(maps.Keys(s.trusted)) {
		out = append(out, Project{root, standing(s.trusted, root)})
	}
	return out, nil
}

func standing(t settings.Trusted, root string) string {
	f, err := read(ProjectFile(root))
	switch {
	case err == nil && !f.there, errors.Is(err, os.ErrNotExist):
		return "gone"
	case err == nil && t.Trusts(root, f.bytes):
		return "trusted"
	}
	return "changed since"
}
