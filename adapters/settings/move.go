package settings

import "tenet/core/rules"

// move takes the rule at one position to another: afterwards it is the rule number
// to. Rules of one form are put in another order where they stand. A move from one
// form into another cannot keep them: then every rule from the earlier position on
// becomes an element of the list, in the same order, and is moved there.
func (d *document) move(from, to int, all []rules.Rule) error {
	s, err := d.sites()
	if err != nil {
		return err
	}
	for _, p := range []int{from, to} {
		if p < 1 || p > len(s) {
			return noPosition(p, len(s))
		}
	}
	if from == to {
		return nil
	}
	if !together(s[from-1], s[to-1]) {
		if err := d.listed(min(from, to), s, all); err != nil {
			return err
		}
		if s, err = d.sites(); err != nil {
			return err
		}
	}
	c, i := d.at(s[from-1])
	p := c.piece(i)
	if err := c.cut(i); err != nil {
		return err
	}
	c, i = d.at(s[to-1])
	return c.put(i, p)
}

// together reports whether two rules stand in one container.
func together(a, b site) bool {
	if a.list || b.list || a.inner >= 0 || b.inner >= 0 {
		return a.member == b.member && a.inner >= 0 && b.inner >= 0
	}
	return true
}

// listed turns each rule from a position on into an element of the list, with the
// comments that speak about it.
func (d *document) listed(from int, s []site, all []rules.Rule) error {
	forms := len(s)
	for i, at := range s {
		if at.list {
			forms = i
			break
		}
	}
	for position := forms; position >= from; position-- {
		c, i := d.at(s[position-1])
		inside := d.comments(c.kids[i].start, c.kids[i].end)
		p, err := d.take(position)
		if err != nil {
			return err
		}
		p.lead = append(p.lead, inside...)
		if p.body, err = element(all[position-1]); err != nil {
			return err
		}
		if err := d.prepend(p); err != nil {
			return err
		}
	}
	return nil
}

// prepend puts a piece at the front of the list, and makes the list.
func (d *document) prepend(p piece) error {
	perms, err := d.permissions()
	if err != nil {
		return err
	}
	l, err := d.list(perms)
	if err != nil {
		return err
	}
	if l == nil {
		if err := d.addMember(perms, "rules", leaf("[]")); err != nil {
			return err
		}
		if perms, err = d.permissions(); err != nil {
			return err
		}
		if l, err = d.list(perms); err != nil {
			return err
		}
	}
	return l.put(0, p)
}
