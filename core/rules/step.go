package rules

import "tenet/core/call"

// Ruled is one request with what the rules say of it.
type Ruled struct {
	Request  call.Request
	Decision Decision
}

// Step is what the rules say of one step: each of its requests with its decision, and
// the effects of the step that the allows among them cover. An effect is covered only
// where every command that may have it is allowed, and every place it touches is (law
// compound_allows_by_parts); secret never is.
func Step(place Place, layers Layers, tool string, s call.Step) (ruled []Ruled, covered call.Effects) {
	reqs := requests(place, tool, s)
	c := cover{step: s, by: make([]call.Effects, len(s.Commands))}
	for _, r := range reqs {
		d := Decide(layers, r.Request)
		ruled = append(ruled, Ruled{r.Request, d})
		c.take(r, d)
	}
	return ruled, c.effects()
}

// cover gathers what is allowed, by what it was allowed for.
type cover struct {
	step call.Step
	// by is what each command is allowed, whole what the step is by its text.
	by    []call.Effects
	whole call.Effects
	// places is what some place is allowed, lacking what some place needs and is not.
	places, lacking call.Effects
}

func (c *cover) take(r request, d Decision) {
	got := d.Covers(r.Request)
	switch r.command {
	case forStep:
		c.whole = c.whole.With(got)
	case forPlace:
		c.places = c.places.With(got)
		c.lacking = c.lacking.With(r.needs.Minus(got))
	default:
		c.by[r.command] = c.by[r.command].With(got)
	}
}

// effects is what the step is covered for.
func (c *cover) effects() call.Effects {
	var out call.Effects
	for _, e := range (c.step.Effects & call.Grantable).List() {
		if c.covers(e) {
			out = out.With(call.Of(e))
		}
	}
	return out
}

func (c *cover) covers(e call.Effect) bool {
	placed := c.places.Has(e) && !c.lacking.Has(e) && c.knowsPlaces()
	return c.whole.Has(e) || placed || c.allCommands(e)
}

// knowsPlaces reports whether the places of the step are all that it touches: no word
// of it is known only when it runs.
func (c *cover) knowsPlaces() bool {
	if c.step.Class == call.Obfuscated {
		return false
	}
	for _, cmd := range c.step.Commands {
		for _, w := range append(cmd.Words[:len(cmd.Words):len(cmd.Words)], cmd.Outs...) {
			if !w.Known() {
				return false
			}
		}
	}
	return true
}

// allCommands reports whether every command is either allowed the effect or vouched
// for not having it, and at least one is allowed it. Of a command that says nothing of
// its effects the step's own are taken. In a script that does more than its commands
// say nothing is allowed by them.
func (c *cover) allCommands(e call.Effect) bool {
	some := false
	if strange(c.step) {
		return false
	}
	for i, cmd := range c.step.Commands {
		if c.by[i].Has(e) {
			some = true
			continue
		}
		if cmd.Effects == 0 || cmd.Effects.Has(e) {
			return false
		}
	}
	return some
}
