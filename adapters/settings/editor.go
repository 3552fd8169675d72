package settings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"tenet/core/rules"
	"tenet/core/settings"
)

// Editor changes the settings of a user and of one project. Each change reads the
// file, edits its text and puts the new one in its place under a lock, so that
// writers at the same time lose nothing, comments stay, and a crash leaves the old
// file or the new one.
type Editor struct {
	Options
	// FS is the file system; nil is the real one.
	FS FS
}

func (e Editor) disk() FS {
	if e.FS == nil {
		return Disk{}
	}
	return e.FS
}

// Done says what a change did.
type Done struct {
	// File is the file that was written, where it really lies.
	File string
	// Rule is the rule that was added, removed or moved, with its new position; a removed
	// one has the position that it had.
	Rule rules.Rule
	// Trusted is true when the rules of the file count whole: the user's own, or a
	// project's that the user trusts.
	Trusted bool
}

// NotTrustedError says that a project's file holds rules that the user does not
// trust: an allow that was written there would not count.
type NotTrustedError struct {
	// File is the project's settings file.
	File string
}

// Error says what to do.
func (e *NotTrustedError) Error() string {
	return fmt.Sprintf("%s holds rules that you have not trusted, or keys that wait for your trust, so that an allow in it would not count; 'tenet trust' shows them and asks", e.File)
}

// Always makes a rule stand in the project's file from now on: what a person answered
// with always. When it returns nil the rule is in force after a restart. Any error
// leaves the files as they were; the caller then holds the grant for the session and
// says why (seed 4 §6.2).
func (e Editor) Always(ctx context.Context, r rules.Rule) (Done, error) {
	return e.Add(ctx, rules.FromProject, r)
}

// Add puts a rule at the end of the user's or the project's rules, where it wins over
// those before it; one that stands there already is not written twice. An allow is not
// written into a project's file that is not trusted: see NotTrustedError.
func (e Editor) Add(ctx context.Context, scope rules.Source, r rules.Rule) (Done, error) {
	return e.change(ctx, scope, r.Action == rules.Allow, func(d *document, all []rules.Rule) (rules.Rule, []rules.Rule, error) {
		if n := len(all); n > 0 && says(all[n-1], r) {
			return all[n-1], all, nil
		}
		r.Source, r.Position = scope, len(all)+1
		return r, append(slices.Clone(all), r), d.add(r)
	})
}

// Remove takes the rule at a position out, counted as Settings and 'tenet rules list'
// count, with the comments right above it and behind it in its line.
func (e Editor) Remove(ctx context.Context, scope rules.Source, position int) (Done, error) {
	return e.change(ctx, scope, false, func(d *document, all []rules.Rule) (rules.Rule, []rules.Rule, error) {
		if position < 1 || position > len(all) {
			return rules.Rule{}, nil, noPosition(position, len(all))
		}
		r := all[position-1]
		return r, slices.Delete(slices.Clone(all), position-1, position), d.remove(position)
	})
}

// Move makes the rule at one position the rule number to.
func (e Editor) Move(ctx context.Context, scope rules.Source, from, to int) (Done, error) {
	return e.change(ctx, scope, false, func(d *document, all []rules.Rule) (rules.Rule, []rules.Rule, error) {
		for _, p := range []int{from, to} {
			if p < 1 || p > len(all) {
				return rules.Rule{}, nil, noPosition(p, len(all))
			}
		}
		r := all[from-1]
		want := slices.Insert(slices.Delete(slices.Clone(all), from-1, from), to-1, r)
		r.Position = to
		return r, want, d.move(from, to, all)
	})
}

// A ruleChange edits a document and says which rule it was about and which rules the
// file has then.
type ruleChange func(d *document, all []rules.Rule) (about rules.Rule, want []rules.Rule, err error)

func (e Editor) change(ctx context.Context, scope rules.Source, allow bool, c ruleChange) (Done, error) {
	var about rules.Rule
	name, trusted, err := e.within(ctx, scope, allow, func(d *document) (*document, error) {
		return edited(d, func(d *document, all []rules.Rule) (want []rules.Rule, err error) {
			about, want, err = c(d, all)
			return want, err
		})
	})
	about.Source = scope
	return Done{File: name, Rule: about, Trusted: trusted}, err
}

// within puts the next document in the place of the user's file or the project's, under
// its lock: every change of a file goes through here. allow is true for what must count
// in the file. It says which file that was, and whether that counts whole.
func (e Editor) within(ctx context.Context, scope rules.Source, allow bool, next func(*document) (*document, error)) (name string, trusted bool, err error) {
	e.FS = e.disk()
	for range maxAgain {
		name, trusted, err = e.once(ctx, scope, allow, next)
		if !errors.Is(err, errMeanwhile) {
			return name, trusted, err
		}
	}
	return "", false, errMeanwhile
}

// once is one try of a change; the locks are let go when it ends.
func (e Editor) once(ctx context.Context, scope rules.Source, allow bool, next func(*document) (*document, error)) (name string, trusted bool, err error) {
	user := scope == rules.FromUser || same(UserFile(e.Home), ProjectFile(e.Root))
	name, mode := real(ProjectFile(e.Root)), projectMode
	if user {
		name, mode = real(UserFile(e.Home)), userMode
	}
	f, unlock, err := open(ctx, e.FS, name, mode)
	if err != nil {
		return name, false, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	d, err := f.document()
	if err != nil {
		return name, false, err
	}
	n, err := next(d)
	switch {
	case err != nil:
		return name, false, fmt.Errorf("%s: %w", name, err)
	case user:
		return name, true, f.update(n.bytes())
	}
	trusted, err = e.trusting(ctx, f, d, n.bytes(), allow)
	return name, trusted, err
}

// The modes of files that are made: the user's says which projects are trusted.
const (
	userMode    fs.FileMode = 0o600
	projectMode fs.FileMode = 0o644
)

// trusting writes a project's file and moves the user's trust with it, in the order
// that core/settings.Granting gives and explains. An allow, for which the file must
// count, is refused where it cannot; a stricter rule counts in any file.
func (e Editor) trusting(ctx context.Context, f *file, was *document, b []byte, allow bool) (bool, error) {
	trusted, err := e.trusts(f.old)
	if err != nil {
		return false, err
	}
	tree := was.tree()
	perms, _ := tree.Member("permissions")
	waiting := len(settings.Waiting(tree)) > 0
	switch {
	case trusted && bytes.Equal(b, f.old):
		return true, nil
	case !settings.Grantable(trusted, perms, waiting) && allow:
		return false, &NotTrustedError{File: f.name}
	case !settings.Grantable(trusted, perms, waiting):
		return false, f.update(b)
	}
	first, after := settings.Granting(trusted)
	old := []string{}
	if first == settings.Both {
		old = append(old, settings.Digest(f.old))
	}
	if err := e.setTrust(ctx, append(old, settings.Digest(b))); err != nil {
		return false, fmt.Errorf("%s was left as it is: the user's settings cannot name it as trusted: %w", f.name, err)
	}
	if err := f.publish(b); err != nil {
		return false, errors.Join(err, e.setTrust(ctx, old))
	}
	if after {
		// Should this fail, the rule stands and counts all the same; the file of before
		// stays trusted beside it until the next change.
		_ = e.setTrust(ctx, []string{settings.Digest(b)})
	}
	return true, nil
}
