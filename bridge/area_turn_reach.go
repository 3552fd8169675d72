package bridge

import (
	"context"
	"fmt"
	"os"
	"strings"

	"tenet/adapters/docs"
	paths "tenet/adapters/pathpolicy"
	"tenet/bridge/engine"
	"tenet/core/call"
	"tenet/core/gate"
	core "tenet/core/pathpolicy"
	"tenet/core/surface"
	"tenet/laws"
	"tenet/models/pathpolicy"
	"tenet/models/turn"
)

// reachHistories bends the links of real disks and has every document tool take the
// paths of the model.
func reachHistories() error { return engine.Many(60, 60, 1, reachHistory) }

func reachHistory(src engine.Source) error {
	d, err := newReachDisk()
	if err != nil {
		return err
	}
	defer os.RemoveAll(d.top)
	for src.More() {
		if src.Pick(3, "bend") == 0 {
			err = d.bend(pathpolicy.Slots[src.Pick(len(pathpolicy.Slots), "slot")], pathpolicy.Targets[src.Pick(len(pathpolicy.Targets), "target")])
		} else {
			err = d.name(src.Pick(len(turn.Paths), "path"), src.Pick(len(reachTools), "tool"))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// reachDisk is the world of links on a disk: its root is the folder top.
type reachDisk struct {
	top  string
	docs *docs.Docs
}

func newReachDisk() (*reachDisk, error) {
	top, err := tempDir()
	if err != nil {
		return nil, err
	}
	for _, dir := range []string{"/w/d", "/h/s", "/o/w", "/wx"} {
		if err := os.MkdirAll(top+dir, 0o755); err != nil {
			return nil, err
		}
	}
	judge := paths.New(paths.Options{Root: top + "/w", TenetHome: top + "/tenet", Env: []string{"HOME=" + top + "/home"}})
	return &reachDisk{top: top, docs: docs.New(docs.Options{Root: top + "/w", Judge: judge})}, nil
}

// bend makes a slot a link to a target, or nothing.
func (d *reachDisk) bend(slot, target string) error {
	if err := os.RemoveAll(d.top + slot); err != nil || target == "" {
		return err
	}
	if strings.HasPrefix(target, "/") {
		target = d.top + target
	}
	return os.Symlink(target, d.top+slot)
}

// Read is the disk by the system's own calls, for the naive walk.
func (d *reachDisk) Read(path string) (target string, kind core.Kind) {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return "", core.Missing
	case info.Mode()&os.ModeSymlink == 0:
		return "", core.Present
	}
	if target, err = os.Readlink(path); err != nil {
		return "", core.Missing
	}
	return target, core.Link
}

// reachTools are the tools that take a path. None of them gets past its gate.
var reachTools = []string{"read", "list_dir", "grep", "glob", "write", "search_replace"}

// name has a tool take a path, and judges the law on what became of it.
func (d *reachDisk) name(path, tool int) error {
	asked := turn.Paths[path].Path
	if strings.HasPrefix(asked, "/") {
		asked = d.top + asked
	}
	out := turn.Reached{Root: d.top + "/w"}
	out.Real.Path, out.Real.Looped = pathpolicy.Naive(d, out.Root, asked)
	g := &deafGate{}
	_, err := d.docs.Run(context.Background(), g, reachTools[tool], reachArgs(asked))
	if out.Reach, err = reachOf(out, g.at, err); err != nil {
		return fmt.Errorf("%s of %s: %w", reachTools[tool], asked, err)
	}
	if v := laws.TurnReach.PathReachIsDeliberate.Func(turn.Named{Path: uint8(path)}, out); v.Err != nil {
		return fmt.Errorf("law path_reach_is_deliberate: %s of %s: %w", reachTools[tool], asked, v.Err)
	}
	return nil
}

func reachArgs(path string) surface.Args {
	return surface.Args{"path": path, "pattern": "x", "content": "x", "old": "x", "new": "y"}
}

// reachOf tells from what a tool did how it took its path: what came to the gate came
// under its real name, and everything else was refused with a reason.
func reachOf(out turn.Reached, at string, err error) (core.Reach, error) {
	text := fmt.Sprint(err)
	switch {
	case at == "" && strings.Contains(text, "lead in a circle"):
		return core.Looped, nil
	case at == "" && strings.Contains(text, "leaves the workspace"):
		return core.Escapes, nil
	case at == "" && strings.Contains(text, "names a directory"):
		return core.Within, nil // the workspace itself is no file
	case at != out.Real.Path:
		return 0, fmt.Errorf("the gate was asked about %q, and it leads to %q (%w)", at, out.Real.Path, err)
	case at == out.Root || strings.HasPrefix(at, out.Root+"/"):
		return core.Within, nil
	}
	return core.Deliberate, nil
}

// deafGate lets nothing through, and notes what it was asked about.
type deafGate struct{ at string }

// Permit refuses.
func (g *deafGate) Permit(_ context.Context, plan func() []call.Step) gate.Outcome {
	for _, s := range plan() {
		g.at = s.Paths[0].Real
	}
	return gate.Outcome{Verdict: gate.Deny, Refusal: "nothing gets past this gate"}
}

// Confirm refuses.
func (g *deafGate) Confirm(call.Step, string) gate.Outcome { return gate.Outcome{} }

// Start refuses.
func (g *deafGate) Start(context.Context) error { return fmt.Errorf("nothing was permitted") }
