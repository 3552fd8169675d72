package judge

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tenet/adapters/settings"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/floor"
	"tenet/core/gate"
	"tenet/core/guard"
	"tenet/core/rules"
)

// Setup says what a policy is made of.
type Setup struct {
	// Root is the workspace, TenetHome tenet's own directory, Env the environment.
	Root, TenetHome string
	Env             []string
	// Profile and Auto are what a person asked for on the command line; empty and nil
	// leave it to the settings, and then to the balanced profile.
	Profile string
	Auto    *call.Effects
	// Roster are the names of the tools that are registered, Named those that the policy
	// knows by name: one that is not registered makes it deny every call.
	Roster, Named []string
	// Rules is a settings file that counts in place of all others; empty for the user's
	// and the project's own.
	Rules string
}

// DefaultProfile is in force while nobody names another.
const DefaultProfile = "balanced"

// Assembled is a policy with where it comes from.
type Assembled struct {
	Policy   *gate.Policy
	Profile  string
	Settings *settings.Settings
}

// Assemble reads the settings and makes the policy that calls are judged by. The error
// is about settings that cannot be read or a profile that does not exist: nothing may
// run then.
func Assemble(s Setup) (Assembled, error) {
	set, err := s.load()
	if err != nil {
		return Assembled{}, err
	}
	a := Assembled{Settings: set, Profile: cmp.Or(s.Profile, set.Profile, DefaultProfile)}
	base, auto, ok := rules.Default(a.Profile, s.Root)
	if !ok {
		return Assembled{}, fmt.Errorf("there is no profile %q; use %s", a.Profile, strings.Join(rules.Profiles(), ", "))
	}
	switch {
	case s.Auto != nil:
		auto = *s.Auto
	case s.Profile == "" && set.Auto != nil:
		auto = *set.Auto
	}
	home := home(s.Env)
	g := set.Guard
	g.Root, g.Home, g.Roster, g.Named = s.Root, home, s.Roster, s.Named
	if tmp := variable(s.Env, "TMPDIR"); tmp != "" {
		g.Temps = append(slices.Clip(g.Temps), real(tmp))
	}
	a.Policy = &gate.Policy{
		Registration: guard.Registration(g.Named, s.Roster, ""),
		Floor:        floor.Place{Home: home, Root: s.Root},
		Guard:        g, Place: rules.Place{Root: s.Root, Home: home},
		Layers: set.Layers(base), Auto: auto,
	}
	return a, nil
}

func (s Setup) load() (*settings.Settings, error) {
	if s.Rules != "" {
		return settings.Only(s.Rules, s.Root)
	}
	return settings.Load(settings.Options{Home: s.TenetHome, Root: s.Root})
}

// Judge is a judge of calls in the setup's workspace.
func (a Assembled) Judge(s Setup) *Judge {
	return New(Options{Root: s.Root, TenetHome: s.TenetHome, Settings: a.Settings.Files, Env: s.Env, Policy: a.Policy})
}

// Save writes the rules of a standing yes into the project's settings.
func (s Setup) Save(grants []event.Grant) error {
	e := settings.Editor{Options: settings.Options{Home: s.TenetHome, Root: s.Root}}
	for _, g := range grants {
		if _, err := e.Always(context.Background(), rules.Rule{Capability: g.Capability, Pattern: g.Pattern, Action: rules.Allow, Source: rules.FromProject}); err != nil {
			return err
		}
	}
	return nil
}

// home is the real home directory of the environment.
func home(env []string) string { return real(variable(env, "HOME")) }

func variable(env []string, name string) (value string) {
	for _, kv := range env {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			value = v
		}
	}
	return value
}

// real is where a directory really lies, or its name when nobody can tell.
func real(dir string) string {
	if dir == "" {
		return ""
	}
	if r, err := filepath.EvalSymlinks(dir); err == nil {
		return r
	}
	if abs, err := filepath.Abs(dir); err == nil {
		return abs
	}
	return dir
}
