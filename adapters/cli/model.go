package cli

import (
	"cmp"
	"fmt"
	"os"

	"tenet/adapters/provider"
	"tenet/adapters/provider/catalog"
	"tenet/adapters/rehearsal"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/fallback"
)

// model is who works in a session.
type model struct {
	provider provider.Provider
	// context is its window in tokens, 0 when nobody knows.
	context int
	// price is what its tokens cost.
	price catalog.Price
	// auxiliary chooses who writes summaries; nil is the model itself.
	auxiliary *catalog.Auxiliary
}

// summariser is who writes a summary, with the row that is due when it is another than the
// settings name (H7.1).
func (m *model) summariser() func(purpose string, tokens int) (provider.Provider, *event.Notice) {
	if m.auxiliary == nil {
		return nil
	}
	return func(_ string, tokens int) (provider.Provider, *event.Notice) {
		c := m.auxiliary.Choose(fallback.Compaction, tokens)
		return c.Provider, c.Notice
	}
}

// model is the rehearsal of --script, else the model that the command line, the session
// that is taken up, or the settings name, in this order.
func (o Options) model(dir string) (*model, error) {
	if o.Script != "" {
		return o.rehearsal()
	}
	p, err := Pick(dir, o.selector(), o.Version)
	if err != nil {
		return nil, err
	}
	for _, n := range p.Notes {
		fmt.Fprintln(o.Err, "models:", call.OneLine(n, 1000))
	}
	return &model{provider: p.Provider, context: p.Info.Context, price: p.Info.Price, auxiliary: p.Auxiliary()}, nil
}

// selector is the model that was asked for, empty for the settings' own. A session that
// is taken up goes on with its model where nobody says otherwise.
func (o Options) selector() string {
	return cmp.Or(o.Model, modelIn(o.past))
}

func (o Options) rehearsal() (*model, error) {
	if info, err := os.Stat(o.Script); err == nil && !info.Mode().IsRegular() {
		return nil, Usage("--script: %s is not a file; name a rehearsal file (docs/rehearsal.md says how to write one)", o.Script)
	}
	f, err := os.Open(o.Script)
	if err != nil {
		return nil, Usage("--script: %w; name a rehearsal file (docs/rehearsal.md says how to write one)", err)
	}
	defer f.Close()
	s, err := rehearsal.Parse(f, o.Script)
	if err != nil {
		return nil, Usage("--script: %w", err)
	}
	return &model{provider: s.Play()}, nil
}
