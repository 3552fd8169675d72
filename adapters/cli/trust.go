package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"tenet/adapters/settings"
	"tenet/adapters/wait"
	"tenet/core/call"
	"tenet/core/rules"
	corewait "tenet/core/wait"
)

// TrustOptions is what 'tenet trust' was asked for.
type TrustOptions struct {
	// Dir is the project.
	Dir string
	// Yes answers the question in advance, Remove takes the trust away.
	Yes, Remove bool
	In          *os.File
	Out, Err    io.Writer
}

// Trust shows the rules of a project and asks whether they may count whole. Enter
// alone is no.
func Trust(ctx context.Context, o TrustOptions) error {
	opts, err := placed(o.Dir)
	if err != nil {
		return err
	}
	e := settings.Editor{Options: opts}
	offer, err := e.Offer()
	if err != nil {
		return Usage("%w", err)
	}
	o.show(offer)
	if offer.Trusted {
		fmt.Fprintln(o.Out, "\nYou trust this file already; nothing was changed.")
		return nil
	}
	if err := o.ask(ctx); err != nil {
		return err
	}
	if err := e.Trust(ctx, offer); err != nil {
		return &Error{Code: ExitUsage, Err: err}
	}
	fmt.Fprintf(o.Out, "Trusted, until %s changes. 'tenet trust --remove' takes it back.\n", offer.ProjectFile)
	return nil
}

// show prints what would count.
func (o TrustOptions) show(offer settings.Offer) {
	for _, w := range offer.Warnings {
		fmt.Fprintf(o.Err, "warning: %s\n", call.OneLine(w, 1000))
	}
	fmt.Fprintf(o.Out, "%s has these rules:\n", offer.ProjectFile)
	loosen := 0
	for _, r := range offer.Project {
		how := loosens(r, offer.User)
		if how != "" {
			loosen++
			how = "   <- " + how
		}
		fmt.Fprintf(o.Out, "  %d  %s%s\n", r.Position, ruleShown(r), how)
	}
	switch {
	case len(offer.Project) == 0:
		fmt.Fprintln(o.Out, "  none")
	case loosen == 0:
		fmt.Fprintln(o.Out, "None of them loosens anything: they count without your trust as well.")
	case loosen == 1:
		fmt.Fprintln(o.Out, "One of them loosens what would hold without it, and counts only if you trust this file.")
	default:
		fmt.Fprintf(o.Out, "%d of them loosen what would hold without them, and count only if you trust this file.\n", loosen)
	}
	if len(offer.Waiting) > 0 {
		fmt.Fprintln(o.Out, "It also sets these, which count only if you trust this file:")
	}
	for _, w := range offer.Waiting {
		fmt.Fprintf(o.Out, "  %s\n", w)
	}
}

// loosens says how a project's rule may let more happen than without it; empty when it
// cannot.
func loosens(r rules.Rule, user []rules.Rule) string {
	switch r.Action {
	case rules.Allow:
		return "lets it happen unasked"
	case rules.Ask:
		for _, u := range user {
			if u.Action == rules.Deny && meet(r, u) {
				return "asks where a rule of yours may deny"
			}
		}
	case rules.Deny, rules.Silent:
	}
	return ""
}

// meet reports whether two rules may speak of the same capability.
func meet(a, b rules.Rule) bool {
	for _, c := range call.Capabilities() {
		if rules.Match(a.Capability, c.String()) && rules.Match(b.Capability, c.String()) {
			return true
		}
	}
	return false
}

// ask asks the person; without one there is no yes. The error is a no.
func (o TrustOptions) ask(ctx context.Context) error {
	if o.Yes {
		return nil
	}
	if !interactive(o.In) {
		return Usage("nobody can be asked here, so nothing was trusted; read the rules above and use --yes")
	}
	dropTyped(o.In) // before the question shows: what is typed at it is an answer
	fmt.Fprint(o.Out, "\nTrust exactly this file? y = yes, Enter = no: ")
	typed := make(chan line, 1)
	go func() {
		text, err := bufio.NewReader(o.In).ReadString('\n')
		typed <- line{text, err}
	}()
	l, how := wait.Race(ctx, typed, 0)
	if how != corewait.Event {
		fmt.Fprintln(o.Out)
		return &Error{Code: ExitInterrupted, Err: context.Cause(ctx)}
	}
	if l.err == nil && isYes(l.text) {
		return nil
	}
	fmt.Fprintln(o.Out, "Not trusted; nothing was changed.")
	return &Error{Code: ExitFailed, Err: errors.New("not trusted"), Said: true}
}

// Untrust takes the trust in a project away, also of one whose directory is gone.
func Untrust(ctx context.Context, o TrustOptions) error {
	opts, err := placed(o.Dir)
	if err != nil {
		home, homeErr := Home()
		abs, absErr := filepath.Abs(o.Dir)
		if homeErr != nil || absErr != nil {
			return err
		}
		opts = settings.Options{Home: home, Root: abs}
	}
	was, err := settings.Editor{Options: opts}.Untrust(ctx)
	switch {
	case err != nil:
		return &Error{Code: ExitUsage, Err: err}
	case !was:
		return Usage("%s is not trusted; 'tenet trust list' shows the projects that are", opts.Root)
	}
	fmt.Fprintf(o.Out, "%s is not trusted any more; its rules only make things stricter.\n", opts.Root)
	return nil
}

// ListTrust prints the projects that the user trusts.
func ListTrust(o TrustOptions) error {
	home, err := Home()
	if err != nil {
		return err
	}
	list, err := settings.Projects(settings.Options{Home: home})
	if err != nil {
		return Usage("%w", err)
	}
	if len(list) == 0 {
		fmt.Fprintln(o.Out, "No project is trusted.")
	}
	for _, p := range list {
		fmt.Fprintf(o.Out, "%-13s  %s\n", p.State, call.OneLine(p.Root, 400))
	}
	return nil
}

// TrustCommand is 'tenet trust': whose rules may let more happen.
func TrustCommand() *cobra.Command {
	var o TrustOptions
	c := &cobra.Command{
		Use:   "trust [DIR]",
		Short: "Show a project's rules, and let them count whole if you agree",
		Long: `A project's rules can always make things stricter. They may also let things happen
unasked, but only while you trust the project's settings file as it is now: any
change of it ends the trust, except a rule that you yourself add with tenet.

tenet trust shows the rules, marks those that loosen, and asks; Enter is no.`,
		Example: `  tenet trust
  tenet trust ~/src/app --yes
  tenet trust --remove
  tenet trust list`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return Usage("%s takes one directory, got %d; see '%s --help'", c.CommandPath(), len(args), c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return o.run(c, args) },
	}
	c.Flags().BoolVar(&o.Yes, "yes", false, "trust without a question")
	c.Flags().BoolVar(&o.Remove, "remove", false, "take the trust away")
	c.AddCommand(&cobra.Command{
		Use: "list", Short: "List the projects that you trust, and whether their files changed",
		Args: takes(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error { o.Out = c.OutOrStdout(); return ListTrust(o) },
	})
	return c
}

func (o TrustOptions) run(c *cobra.Command, args []string) error {
	o.In, o.Out, o.Err, o.Dir = os.Stdin, c.OutOrStdout(), c.ErrOrStderr(), "."
	if len(args) == 1 {
		o.Dir = args[0]
	}
	switch {
	case o.Yes && o.Remove:
		return Usage("--yes and --remove contradict each other; give one of them")
	case o.Remove:
		return Untrust(c.Context(), o)
	}
	return Trust(c.Context(), o)
}
