package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"tenet/adapters/store"
	"tenet/core/event"
)

// SessionsOptions is a question about recorded sessions, or an order to change one.
type SessionsOptions struct {
	// Dir is the project whose sessions are meant; All are those of every project.
	Dir string
	All bool
	// JSON prints for programs, Markdown for readers.
	JSON, Markdown bool
	// Yes deletes without asking, Purge for good instead of into the trash.
	Yes, Purge bool
	// At is the record that a fork begins at, 0 for the last turn's end; Name is its name.
	At   uint64
	Name string
	// Full shows results whole; File takes an export, empty is the output.
	Full bool
	File string
	In   *os.File
	Out  io.Writer
	// Now is the time that ages are counted to.
	Now time.Time
}

// SessionsCommand is 'tenet sessions': what was recorded, and what can be done with it.
func SessionsCommand(version string) *cobra.Command {
	c := &cobra.Command{
		Use:   "sessions",
		Short: "List, show, resume, fork, rename, delete and export sessions",
		Long: `A session is one log in $TENET_HOME/sessions (~/.tenet/sessions). These commands look
at the sessions, go on with one, or take one away; docs/sessions.md explains all of
it. SESSION is a session's id, a beginning of it that is unique, its name, or the path
of a log (./FILE).`,
		Args: onlySubcommands,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(sessionsListCommand(), sessionsShowCommand(), sessionsResumeCommand(version), sessionsForkCommand(),
		sessionsRenameCommand(), sessionsDeleteCommand(), sessionsExportCommand())
	return c
}

// on fills in what a command works with.
func (o *SessionsOptions) on(c *cobra.Command) {
	o.In, o.Out, o.Now = os.Stdin, c.OutOrStdout(), time.Now()
}

// oneSession makes a command take one session, which the shell completes.
func oneSession(c *cobra.Command, do func(path string) error) *cobra.Command {
	c.Args = takes(1, "one session")
	c.ValidArgsFunction = completeSessions
	c.RunE = func(_ *cobra.Command, args []string) error {
		path, err := sessionOf(args[0])
		if err != nil {
			return err
		}
		return do(path)
	}
	return c
}

func completeSessions(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return SessionIDs(), cobra.ShellCompDirectiveNoFileComp
}

func sessionsListCommand() *cobra.Command {
	var o SessionsOptions
	c := &cobra.Command{
		Use:   "list",
		Short: "List this project's sessions, the one that was used last first",
		Long: `List the sessions whose workspace is this directory, by its real path; --all lists
those of every project. A log that is damaged is listed with what is wrong with it.`,
		Args: takes(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error { o.on(c); return ListSessions(o) },
	}
	c.Flags().StringVar(&o.Dir, "dir", ".", "the project")
	c.Flags().BoolVar(&o.All, "all", false, "the sessions of every project")
	c.Flags().BoolVar(&o.JSON, "json", false, "print one JSON object a line")
	return c
}

func sessionsShowCommand() *cobra.Command {
	var o SessionsOptions
	c := &cobra.Command{Use: "show SESSION", Short: "Print a session's transcript and what is open in it"}
	oneSession(c, func(path string) error { o.on(c); return ShowSession(o, path) })
	return c
}

func sessionsResumeCommand(version string) *cobra.Command {
	var o Options
	c := &cobra.Command{
		Use:   "resume SESSION [PROMPT] [-]",
		Short: "Go on with a session, as 'tenet run --resume' does",
		Long: `Go on with a session: with a prompt after its last turn, or without one with the turn
that was interrupted. Calls that were interrupted are not run again. The flags are those
of 'tenet run'.`,
		ValidArgsFunction: completeSessions,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return Usage("%s takes a session; see '%s --help'", c.CommandPath(), c.CommandPath())
			}
			path, err := sessionOf(args[0])
			if err != nil {
				return err
			}
			if !c.Flags().Changed("auto") {
				o.Auto = nil
			}
			o.Resume, o.Version, o.In, o.Out, o.Err = path, version, os.Stdin, c.OutOrStdout(), c.ErrOrStderr()
			return o.run(c.Context(), args[1:])
		},
	}
	o.flags(c)
	for _, other := range []string{"continue", "resume", "dir"} { // the session says all of it
		_ = c.Flags().MarkHidden(other)
	}
	return c
}

func sessionsForkCommand() *cobra.Command {
	var o SessionsOptions
	c := &cobra.Command{
		Use:   "fork SESSION",
		Short: "Begin a new session with the turns of another",
		Long: `Make a new session whose log begins with the records of another, up to the end of its
last turn, or of the last one that ended at or before record --at. The other is only
read. Its jobs, its waiting messages and its grants are not the new one's. Files are
not touched: the workspace is as it is now.`,
		Example: `  tenet sessions fork 20260102-150405-a1b2c3
  tenet sessions fork --at 120 --name "the other way" 2026`,
	}
	c.Flags().Uint64Var(&o.At, "at", 0, "the record that must still be in it (0: the last)")
	c.Flags().StringVar(&o.Name, "name", "", "the new session's name")
	oneSession(c, func(path string) error { o.on(c); return ForkSession(o, path) })
	return c
}

func sessionsRenameCommand() *cobra.Command {
	c := &cobra.Command{
		Use:               "rename SESSION NAME",
		Short:             "Give a session a name; an empty one takes it away",
		Args:              takes(2, "a session and a name"),
		ValidArgsFunction: completeSessions,
		RunE: func(c *cobra.Command, args []string) error {
			path, err := sessionOf(args[0])
			if err != nil {
				return err
			}
			return RenameSession(c.OutOrStdout(), path, args[1])
		},
	}
	return c
}

func sessionsDeleteCommand() *cobra.Command {
	var o SessionsOptions
	c := &cobra.Command{
		Use:   "delete SESSION",
		Short: "Move a session to the trash, or delete it for good",
		Long: `Move a session with everything that belongs to it to $TENET_HOME/trash, or with --purge
delete it for good. It asks first, unless --yes is given. A session that a process
holds is refused.`,
	}
	c.Flags().BoolVar(&o.Yes, "yes", false, "do not ask")
	c.Flags().BoolVar(&o.Purge, "purge", false, "delete for good instead of moving to the trash")
	oneSession(c, func(path string) error { o.on(c); return DeleteSession(o, path) })
	return c
}

func sessionsExportCommand() *cobra.Command {
	var o SessionsOptions
	c := &cobra.Command{
		Use:   "export SESSION --markdown|--json",
		Short: "Write a session as Markdown or JSON",
		Long: `Write a session as Markdown that a person reads, or as one JSON object (its form is in
docs/sessions.md). What the log holds is exported as it is: look through it for secrets
before you give it to anybody.`,
	}
	c.Flags().BoolVar(&o.Markdown, "markdown", false, "write Markdown")
	c.Flags().BoolVar(&o.JSON, "json", false, "write JSON")
	c.Flags().BoolVar(&o.Full, "full", false, "results whole in Markdown; without it the first lines of each (JSON has them whole)")
	c.Flags().StringVarP(&o.File, "output", "o", "", "write to this new file instead of standard output")
	oneSession(c, func(path string) error { o.on(c); return ExportSession(o, path) })
	return c
}

// sessionOf finds a session's log by its id, by a beginning of it that is unique, by its
// name, or by the path of the file.
func sessionOf(word string) (string, error) {
	if word == "" {
		return "", Usage("name a session: its id, a beginning of it, or its name; tenet sessions list --all lists them")
	}
	path, err := logOf(word)
	if err == nil {
		return path, nil
	}
	if named, others := byName(word); others == nil && named != "" {
		return named, nil
	} else if others != nil {
		return "", others
	}
	return "", err
}

// byName is the log of the one session that has a name; the error is that several have.
func byName(name string) (path string, err error) {
	infos, _, err := sessions()
	if err != nil {
		return "", nil //nolint:nilerr // logOf has said it
	}
	for _, i := range infos {
		s, _, err := store.State(i.Path)
		if err != nil || nameIn(s) != name {
			continue
		}
		if path != "" {
			return "", Usage("several sessions are named %q; give the id (tenet sessions list --all)", name)
		}
		path = i.Path
	}
	return path, nil
}

// nameIn is the name that a person gave a session, empty without one.
func nameIn(s event.State) string { return settingIn(s, "name") }

// modelIn is the model that a session uses now.
func modelIn(s event.State) string {
	if m := settingIn(s, "model"); m != "" {
		return m
	}
	return s.Opening.Model
}

// soundly refuses a log that is damaged.
func soundly(r store.Report, todo string) error {
	if r.Tail == event.Broken || r.Unreadable != nil {
		return fmt.Errorf("%w; %s needs a sound one", unsound(r), todo)
	}
	return nil
}
