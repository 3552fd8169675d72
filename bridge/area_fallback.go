package bridge

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tenet/adapters/provider/catalog"
	"tenet/bridge/engine"
	core "tenet/core/fallback"
	"tenet/core/settings"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/fallback"
)

var fallbackMachine = engine.Machine[fallback.State, fallback.Op, fallback.Out]{Step: fallback.Step, Ops: fallback.Ops}

func fallbackArea() Area {
	return Area{
		Name:       "fallback",
		Relation:   Same,
		Bound:      "two purposes, eight names of which four hold a key, every set of the six reasons, sessions of two rows, opened again at any time",
		Laws:       law.Infos(laws.FallbackBook),
		Production: []any{core.Decide, core.Told.Due, core.Shown, catalog.Load, (*catalog.Auxiliary).Choose},
		Exhaust: func(names ...string) (engine.Report, error) {
			return engine.Exhaust(fallbackMachine, Pick(laws.FallbackBook, names))
		},
		Quick: fallbackQuick,
	}
}

// fallbackQuick has real catalogs choose: every summary of the bound, in one session
// that is then opened again, against files and keys that really are as the reasons say.
func fallbackQuick() (err error) {
	w, err := newShelf()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(w.dir)) }()
	var s fallback.State
	session := w.session()
	for range 2 {
		for range 2 {
			for o := range fallback.Ops(fallback.State{}) {
				if o.Reopen {
					continue
				}
				if s, err = w.judged(s, o, session); err != nil {
					return err
				}
			}
		}
		s, session = fallback.State{}, w.session()
	}
	return nil
}

// need is what a summary takes, in tokens; small is less.
const need, small = 1000, 999

// shelf holds the homes in which catalogs are read: one for each way in which a file
// and a key may stand.
type shelf struct {
	dir      string
	catalogs map[[4]bool]*catalog.Catalog
}

// newShelf writes the homes: the file is broken or not, knows the models or not, there
// is a key or none, the window is too small or not.
func newShelf() (*shelf, error) {
	dir, err := os.MkdirTemp("", "tenet-fallback-")
	if err != nil {
		return nil, err
	}
	w := &shelf{dir: dir, catalogs: map[[4]bool]*catalog.Catalog{}}
	for n := range 16 {
		is := [4]bool{n&1 != 0, n&2 != 0, n&4 != 0, n&8 != 0}
		if w.catalogs[is], err = w.home(n, is); err != nil {
			return nil, errors.Join(err, os.RemoveAll(dir))
		}
	}
	return w, nil
}

func (w *shelf) home(n int, is [4]bool) (*catalog.Catalog, error) {
	home := filepath.Join(w.dir, fmt.Sprint(n))
	if err := os.Mkdir(home, 0o700); err != nil {
		return nil, err
	}
	context := need
	if is[3] {
		context = small
	}
	var models, away strings.Builder
	for _, s := range fallback.Selectors[1:] {
		if id, ok := strings.CutPrefix(s, "away/"); ok {
			fmt.Fprintf(&away, `{"id": %q, "context": %d},`, id, context)
			continue
		}
		fmt.Fprintf(&models, `{"id": %q, "context": %d},`, strings.TrimPrefix(s, "home/"), context)
	}
	text := fmt.Sprintf(`{"providers": {
		"home": {"baseUrl": "http://h.invalid/v1", "keyVar": "THE_API_KEY", "models": [%s]},
		"away": {"baseUrl": "http://a.invalid/v1", "keyVar": "THE_API_KEY", "models": [%s]}}}`, models.String(), away.String())
	if is[1] {
		text = `{"providers": {}}`
	}
	if is[0] {
		text = "{" + text
	}
	err := errors.Join(os.WriteFile(filepath.Join(home, catalog.Name), []byte(text), 0o600),
		os.WriteFile(filepath.Join(home, "auth.json"), []byte(fmt.Sprintf(`{"ollama": %q}`, fallback.Secret)), 0o600))
	c, _ := catalog.Load(home, func(name string) string {
		if name == "THE_API_KEY" && !is[2] {
			return fallback.Secret
		}
		return ""
	})
	return c, err
}

// session is a session of its own; each summary gives it the world that it needs.
func (w *shelf) session() *catalog.Auxiliary {
	return &catalog.Auxiliary{Session: fallback.Session, Catalog: w.catalogs[[4]bool{}]}
}

// judged is one summary in production, held against the laws and against the model.
func (w *shelf) judged(s fallback.State, o fallback.Op, a *catalog.Auxiliary) (fallback.State, error) {
	not := o.Facts().Not
	a.Catalog = w.catalogs[[4]bool{not[core.Unreadable], not[core.Unnamed], not[core.NoKey], not[core.TooSmall]}]
	a.Use.Run = settings.DefaultRun()
	a.Use.Run.AuxiliaryModel = fallback.Selectors[o.Selector]
	a.Use.Run.Allowed = settings.Allowed{Set: not[core.NotAllowed], List: []string{fallback.Session}}
	a.Listed = nil
	if not[core.NotListed] {
		a.Listed = []string{fallback.Session}
	}
	choice := a.Choose(o.Purpose, need)
	out := fallback.Out{Used: choice.Provider != nil, Noticed: choice.Notice != nil}
	after := s
	if out.Noticed {
		out.Text, out.Key = choice.Notice.Text, choice.Notice.Key
		why, _ := core.Decide(o.Facts())
		if why != core.None {
			after = s.With(fallback.Row(o.Purpose, o.Selector, why))
		}
	}
	for _, l := range laws.FallbackBook {
		if v := l.Step(s, o, out, after); v.Err != nil {
			return s, fmt.Errorf("law %s: the catalog's choice: %w", l.ID, v.Err)
		}
	}
	if _, want := fallback.Step(s, o); want != out {
		return s, fmt.Errorf("law fallback_is_reported: %+v gives %+v, the model says %+v", o, out, want)
	}
	return after, nil
}
