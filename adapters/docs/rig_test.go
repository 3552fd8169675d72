package docs

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"tenet/adapters/pathpolicy"
	"tenet/core/call"
	"tenet/core/gate"
	"tenet/core/surface"
)

// openGate lets everything through but secrets, and remembers what it was asked.
type openGate struct {
	mu       sync.Mutex
	steps    []string
	last     call.Step
	all      []call.Step
	started  int
	deny     string // the verb that is refused
	denyAll  bool
	onPermit func()
	onStart  func() error
}

func (g *openGate) Permit(_ context.Context, plan func() []call.Step) gate.Outcome {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, s := range plan() {
		g.last = s
		g.all = append(g.all, s)
		g.steps = append(g.steps, s.Text+" "+s.Effects.String())
		if g.onPermit != nil {
			g.onPermit()
		}
		if s.Effects.Has(call.Secret) || g.denyAll || g.deny != "" && strings.HasPrefix(s.Text, g.deny) {
			r := (&gate.Policy{Guard: gate.GuardPolicy{Roster: []string{"read"}}}).Judge("read", []call.Step{s})
			return gate.Outcome{Answer: gate.Unanswered, Refusal: gate.Refusal(r, gate.Unanswered, "")}
		}
	}
	return gate.Outcome{Runs: true}
}

// plans runs a call and gives the steps that it asked for.
func (g *openGate) plans(run func()) []call.Step {
	from := len(g.all)
	run()
	return g.all[from:]
}

func (g *openGate) Confirm(call.Step, string) gate.Outcome { return gate.Outcome{Runs: true} }

func (g *openGate) Start(context.Context) error {
	g.started++
	if g.onStart != nil {
		return g.onStart()
	}
	return nil
}

// rig is a workspace with its tools.
type rig struct {
	t    testing.TB
	root string
	d    *Docs
	gate *openGate
}

func newRig(t testing.TB) *rig {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return rigAt(t, root)
}

func rigAt(t testing.TB, root string) *rig {
	j := pathpolicy.New(pathpolicy.Options{Root: root, TenetHome: root + ".tenet", Env: []string{"HOME=" + root + ".home"}})
	return &rig{t: t, root: root, d: New(Options{Root: root, Judge: j}), gate: &openGate{}}
}

func (r *rig) path(name string) string { return filepath.Join(r.root, name) }

func (r *rig) put(name, content string) {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(r.path(name)), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(r.path(name), []byte(content), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) link(target, name string) {
	r.t.Helper()
	if err := os.Symlink(target, r.path(name)); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) disk(name string) string {
	r.t.Helper()
	b, err := os.ReadFile(r.path(name))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(b)
}

// run calls a tool with alternating names and values.
func (r *rig) run(tool string, kv ...any) (string, error) {
	args := surface.Args{}
	for i := 0; i < len(kv); i += 2 {
		v := kv[i+1]
		if n, ok := v.(int); ok {
			v = int64(n)
		}
		args[kv[i].(string)] = v
	}
	return r.d.Run(context.Background(), r.gate, tool, args)
}

// ok runs a tool that must succeed.
func (r *rig) ok(tool string, kv ...any) string {
	r.t.Helper()
	out, err := r.run(tool, kv...)
	if err != nil {
		r.t.Fatalf("%s %v: %v", tool, kv, err)
	}
	return out
}

// fails runs a tool that must fail with an error that holds each text.
func (r *rig) fails(tool string, kv []any, texts ...string) {
	r.t.Helper()
	out, err := r.run(tool, kv...)
	if err == nil {
		r.t.Fatalf("%s %v: no error, but %q", tool, kv, out)
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			r.t.Errorf("%s %v: the error %q does not say %q", tool, kv, err, text)
		}
	}
}

// ctx0 is a context that never ends.
var ctx0 = context.Background()

func want(t testing.TB, got, wanted string) {
	t.Helper()
	if got != wanted {
		t.Errorf("got\n%s\nwant\n%s", got, wanted)
	}
}

func holds(t testing.TB, got string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(got, text) {
			t.Errorf("%q does not hold %q", got, text)
		}
	}
}
