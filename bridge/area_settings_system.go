package bridge

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	production "tenet/adapters/settings"
	"tenet/bridge/engine/crash"
	"tenet/core/rules"
	"tenet/models/settings"
)

// grantSystem is the editor of settings as the machine of grants sees it.
type grantSystem struct {
	mem  *crash.Mem
	disk *grantDisk
	// first and second are what a person was told and nobody has undone since.
	first, second bool
}

func newGrantSystem() *grantSystem { return newGrantSystemOn(crash.NewMem()) }

func newGrantSystemOn(mem *crash.Mem) *grantSystem {
	return &grantSystem{mem: mem, disk: newGrantDisk(mem)}
}

func (s *grantSystem) editor() production.Editor { return editorOn(s.disk) }

func editorOn(disk *grantDisk) production.Editor {
	return production.Editor{Options: production.Options{Home: grantHome, Root: grantRoot}, FS: disk}
}

// grantRules are the machine's rules as production knows them.
var grantRules = map[settings.Rule]rules.Rule{
	settings.Theirs: {Capability: "network.access", Pattern: "*", Action: rules.Allow},
	settings.First:  {Capability: "process.execute", Pattern: "npm test", Action: rules.Allow},
	settings.Second: {Capability: "process.execute", Pattern: "go test *", Action: rules.Allow},
}

// grantText is a content as the file that holds it: others write as tenet does, so
// that the same rules are the same bytes.
func grantText(c settings.Content) string {
	var list []string
	for _, r := range c.List() {
		g := grantRules[r]
		list = append(list, fmt.Sprintf(`      { "capability": %q, "pattern": %q, "action": "allow" }`, g.Capability, g.Pattern))
	}
	return "{\n  \"permissions\": {\n    \"rules\": [\n" + strings.Join(list, ",\n") + "\n    ]\n  }\n}\n"
}

// Do performs one operation; after a kill another process goes on.
func (s *grantSystem) Do(op settings.Op) settings.Out {
	switch op.Kind {
	case settings.Grant:
		return s.grant(op)
	case settings.Foreign:
		name := flat(production.ProjectFile(grantRoot))
		_ = s.mem.Remove(name) // it may not be there
		if op.Content != 0 {
			put(s.mem, name, []byte(grantText(op.Content)))
		}
		s.first, s.second = false, false
	case settings.Trust:
		if o, err := s.editor().Offer(); err == nil {
			_ = s.editor().Trust(context.Background(), o) // the view shows it
		}
	case settings.Untrust:
		_, _ = s.editor().Untrust(context.Background()) // the view shows it
		s.first, s.second = false, false
	}
	return settings.None
}

func (s *grantSystem) grant(op settings.Op) settings.Out {
	s.disk.left = int(op.Writes)
	_, err := s.editor().Always(context.Background(), grantRules[op.Rule])
	dead := s.disk.dead || errors.Is(err, crash.ErrCrash)
	s.disk = newGrantDisk(s.mem)
	var not *production.NotTrustedError
	switch {
	case errors.As(err, &not):
		return settings.Refused
	case dead || err != nil:
		return settings.Died
	}
	s.first = s.first || op.Rule == settings.First
	s.second = s.second || op.Rule == settings.Second
	return settings.Done
}

// View is what a new process finds.
func (s *grantSystem) View() settings.State {
	return settings.State{File: grantContent(s.mem), Trusted: grantTrusted(s.mem), First: s.first, Second: s.second}
}

// grantTexts are all contents with the bytes that hold them.
var grantTexts = sync.OnceValue(func() map[string]settings.Content {
	out := map[string]settings.Content{}
	for _, c := range settings.Contents() {
		out[grantText(c)] = c
	}
	return out
})

// grantContent is the content of the project's file, Torn when it is none of them.
func grantContent(mem *crash.Mem) settings.Content {
	b, err := mem.ReadFile(flat(production.ProjectFile(grantRoot)))
	if err != nil {
		return 0
	}
	if c, ok := grantTexts()[string(b)]; ok {
		return c
	}
	return settings.Torn
}

// grantTrusted is the contents that production trusts by the user's file.
func grantTrusted(mem *crash.Mem) (set settings.Set) {
	s, err := editorOn(newGrantDisk(mem)).Load()
	if err != nil {
		return settings.Only(0) // no machine is ever there
	}
	for text, c := range grantTexts() {
		if s.Trusts([]byte(text)) {
			set |= settings.Only(c)
		}
	}
	if c := grantContent(mem); c != 0 && s.Trusted != set.Has(c) {
		set |= settings.Only(0) // what is said to count is not what is trusted
	}
	return set
}

// grantCrashes stops a grant at every call it makes and judges every disk that may
// survive: the project's file is the old one or the new one and counts, an
// acknowledged grant is in force, nothing else is trusted, and the next grant works
// and leaves nothing behind.
func grantCrashes(loss crash.Loss, from settings.Content) (crash.Seen, error) {
	start := crash.NewMem()
	if from != 0 {
		put(start, flat(production.ProjectFile(grantRoot)), []byte(grantText(from)))
		newGrantSystemOn(start).Do(settings.Op{Kind: settings.Trust})
	}
	next := from.With(settings.First)
	return crash.Exploration[bool]{
		Start: start, Loss: loss,
		Work: func(disk crash.FS) bool {
			_, err := editorOn(newGrantDisk(disk)).Always(context.Background(), grantRules[settings.First])
			return err == nil
		},
		Law: func(after *crash.Mem, acked bool) error {
			s, err := editorOn(newGrantDisk(after)).Load()
			if err != nil {
				return fmt.Errorf("the settings do not load: %w", err)
			}
			c, trusted := grantContent(after), grantTrusted(after)
			switch {
			case c != from && c != next:
				return fmt.Errorf("the project's file is neither the old one nor the new one")
			case acked && !(c == next && s.Trusted):
				return fmt.Errorf("the grant was acknowledged and is not in force")
			case c != 0 && !s.Trusted:
				return fmt.Errorf("%v stands there and counts no more", c.List())
			case trusted.Minus(settings.Only(from)).Minus(settings.Only(next)) != 0:
				return fmt.Errorf("trusted is %b", trusted)
			}
			return grantsAgain(after)
		},
	}.Run()
}

// grantsAgain grants on a disk that survived.
func grantsAgain(disk *crash.Mem) error {
	e := editorOn(newGrantDisk(disk))
	if _, err := e.Always(context.Background(), grantRules[settings.Second]); err != nil {
		return fmt.Errorf("after a crash no grant can be written: %w", err)
	}
	s, err := e.Load()
	if err != nil || !s.Trusted {
		return fmt.Errorf("the grant after a crash is not in force (%v)", err)
	}
	names, err := disk.List()
	if err != nil || len(names) != 2 {
		return fmt.Errorf("left behind: %v (%v)", names, err)
	}
	return nil
}
