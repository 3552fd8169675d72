// Package tui is the terminal interface: it shows a session and hands on what a person
// does. It decides nothing: the session, its gate and its log stand behind adapters/host,
// and a crash of the interface loses nothing of them.
package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"tenet/adapters/cli"
	"tenet/adapters/host"
	"tenet/tui/keys"
	"tenet/tui/term"
	"tenet/tui/theme"
)

// Options is what a person asked for on the command line.
type Options struct {
	// Host is which session is opened, and how.
	Host host.Options
	// Theme is a name of core/settings.Themes, empty for what the settings say.
	Theme string
	// Plain is the line mode: no screen is drawn, each thing is a line of text.
	Plain bool
	In    *os.File
	Out   *os.File
	Err   io.Writer
	// Now is the clock; nil is the real one.
	Now func() time.Time
}

// keptLines is how much of the transcript stands on the normal screen after the end.
const keptLines = 40

// Run shows a session until the person leaves. What was shown last is printed to the
// normal screen, so that it stays in the terminal's own history.
func Run(ctx context.Context, o Options) error {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Plain {
		return plain(ctx, o)
	}
	if !cli.IsTerminal(o.In) || !cli.IsTerminal(o.Out) {
		return cli.Usage("tenet opens a full screen and needs a terminal; use 'tenet run \"prompt\"' for a single turn, or 'tenet --plain' for lines")
	}
	look, err := cli.Look(o.Host.Dir)
	if err != nil {
		return err
	}
	if _, ok := theme.Named(o.Theme); o.Theme != "" && !ok {
		return cli.Usage("there is no theme %q; there are %s", o.Theme, strings.Join(theme.Names(), ", "))
	}
	look.Theme = cmp.Or(o.Theme, look.Theme)
	home, err := cli.Home()
	if err != nil {
		return err
	}
	bound, problems, err := keys.Load(keysFile(home))
	term.UseColours(os.Getenv) // before the first style is taken
	m := newModel(ctx, o, home, look, bound)
	for _, p := range problems {
		m.problems = append(m.problems, keysFile(home)+": "+p.String())
	}
	if err != nil {
		m.problems = append(m.problems, err.Error())
	}
	err = term.Run(ctx, m, term.Options{In: o.In, Out: o.Out, Mouse: look.Mouse, Restore: m.leaving})
	if cerr := m.close(errors.Is(err, term.ErrGone) || errors.Is(context.Cause(ctx), cli.ErrTerminated)); err == nil {
		err = cerr
	}
	if m.fatal != nil && err == nil {
		err = m.fatal
	}
	return interrupted(ctx, err)
}

// interrupted: a signal that ended the interface is the reason, whatever it broke off.
func interrupted(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	switch {
	case errors.Is(cause, cli.ErrInterrupted):
		return &cli.Error{Code: cli.ExitInterrupted, Err: cause, Said: true}
	case errors.Is(cause, cli.ErrTerminated):
		return &cli.Error{Code: cli.ExitTerminated, Err: cause, Said: true}
	case err != nil:
		return fmt.Errorf("the interface: %w", err)
	}
	return nil
}
