package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tenet/adapters/agenthook"
)

// GuardNow answers one call of another agent without building the command line: a
// guard runs before every tool call of its agent. ok is false when the arguments are
// anything but `guard AGENT [--headless]`, which the command line then reads.
func GuardNow(ctx context.Context, args []string) (code int, ok bool) {
	if len(args) < 2 || len(args) > 3 || args[0] != "guard" || len(args) == 3 && args[2] != "--headless" {
		return 0, false
	}
	a, ok := agenthook.ParseAgent(args[1])
	if !ok {
		return 0, false
	}
	return serveGuard(ctx, a, len(args) == 3, os.Stdin, os.Stdout, os.Stderr), true
}

// serveGuard judges one call by this user's settings.
func serveGuard(ctx context.Context, a agenthook.Agent, headless bool, in io.Reader, out, errs io.Writer) int {
	home, homeErr := Home()
	user, err := os.UserHomeDir()
	if err != nil {
		user = ""
	}
	dir, err := os.Getwd()
	if err != nil {
		dir = "" // the agents that need it are blocked with that reason
	}
	o := agenthook.Options{
		Agent: a, Headless: headless, In: in, Out: out, Err: errs, Around: agenthook.Surroundings{Getenv: os.Getenv, Dir: dir}, Home: user, Now: time.Now,
		Open: func(r agenthook.Request) (agenthook.Judge, error) {
			if homeErr != nil {
				return nil, homeErr
			}
			return openJudge(r, home)
		},
	}
	if homeErr == nil {
		o.Log = func(r agenthook.Record) { _ = agenthook.Append(home, r) } // doctor and stats say when it fails
	}
	return agenthook.Serve(ctx, o)
}

// GuardCommand is `tenet guard` with all that belongs to it.
func GuardCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "guard AGENT",
		Short: "Judge the tool calls of another agent by tenet's rules",
		Long: `Read one tool call of another agent on standard input, judge it by the same gate and
settings as tenet's own calls, and answer in that agent's protocol: silence lets the
call go on, exit 2 with a reason blocks it. Agents run this as a hook; install it
with 'tenet guard install AGENT'.

Agents: ` + agentNames() + `.
What each of them does not show its hooks is in docs/agents.md.`,
		Example: `  tenet guard install claude-code
  tenet guard doctor claude-code
  tenet guard stats --days 7`,
		Args:      cobra.ArbitraryArgs,
		ValidArgs: strings.Split(agentNames(), ", "),
	}
	headless := c.Flags().Bool("headless", false, "block where a person would be asked: nobody is there")
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return Usage("guard takes one agent, one of %s, or a command; see '%s --help'", agentNames(), c.CommandPath())
		}
		a, err := agentOf(c, args)
		if err != nil {
			return err
		}
		if code := serveGuard(c.Context(), a, *headless, c.InOrStdin(), c.OutOrStdout(), c.ErrOrStderr()); code != ExitOK {
			return &Error{Code: code, Err: errors.New("blocked"), Said: true}
		}
		return nil
	}
	c.AddCommand(guardInstall(), guardUninstall(), guardTrust(), guardDoctor(), guardStats())
	return c
}

func agentNames() string {
	var names []string
	for _, a := range agenthook.Agents() {
		names = append(names, a.String())
	}
	return strings.Join(names, ", ")
}

// agentOf reads the one argument of a guard command.
func agentOf(c *cobra.Command, args []string) (agenthook.Agent, error) {
	if len(args) != 1 {
		return 0, Usage("%s takes one agent, got %d arguments; agents: %s", c.CommandPath(), len(args), agentNames())
	}
	a, ok := agenthook.ParseAgent(args[0])
	if !ok {
		return 0, Usage("there is no agent %q; agents: %s", args[0], agentNames())
	}
	return a, nil
}

// guardSetup is where this process finds itself and the settings of agents.
func guardSetup(project bool) (agenthook.Setup, error) {
	self, err := os.Executable()
	if err != nil {
		return agenthook.Setup{}, fmt.Errorf("find this program: %w", err)
	}
	user, err := os.UserHomeDir()
	if err != nil {
		return agenthook.Setup{}, Usage("no home directory is known: %w; set HOME", err)
	}
	dir, err := os.Getwd()
	if err != nil {
		return agenthook.Setup{}, fmt.Errorf("find the working directory: %w", err)
	}
	home, err := Home()
	if err != nil {
		return agenthook.Setup{}, err
	}
	s := agenthook.Setup{Place: agenthook.Place{Home: user, Project: dir, Getenv: os.Getenv}, Program: self, TenetHome: home}
	if project {
		s.Scope = agenthook.ProjectScope
	}
	return s, nil
}

// onAgent is a guard command about one agent.
func onAgent(use, short, long string, do func(*cobra.Command, agenthook.Agent) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Long: long,
		ValidArgs: strings.Split(agentNames(), ", "),
		RunE: func(c *cobra.Command, args []string) error {
			a, err := agentOf(c, args)
			if err != nil {
				return err
			}
			return do(c, a)
		},
	}
}

func guardTrust() *cobra.Command {
	return onAgent("trust codex", "Tell Codex to trust the guard's hook",
		`Codex skips a hook that it does not trust, without a word, and every change of the
hook's entry ends the trust. This asks Codex's own server for the hook and tells it
to trust it, as /hooks in Codex does. The other agents have no such trust.`,
		func(c *cobra.Command, a agenthook.Agent) error {
			if a != agenthook.Codex {
				return Usage("%s has no trust to give; only codex does", a.Title())
			}
			program, err := exec.LookPath("codex")
			if err != nil {
				return Usage("codex is not on the PATH: %w; open codex and type /hooks instead", err)
			}
			dir, err := os.Getwd()
			if err != nil {
				return err
			}
			return trustCodex(c.Context(), c.OutOrStdout(), program, dir)
		})
}

func trustCodex(ctx context.Context, out io.Writer, program, dir string) error {
	hooks, err := agenthook.CodexHooks(ctx, program, dir, true)
	if err != nil {
		return err
	}
	if len(hooks) == 0 {
		return Usage("Codex sees no hook of tenet from here; install it first: tenet guard install codex")
	}
	for _, h := range hooks {
		if !h.Runs() {
			return fmt.Errorf("the hook %s is still %s; open codex and type /hooks", h.Key, h.Trust)
		}
		fmt.Fprintf(out, "Codex trusts %s\n", h.Key)
	}
	return nil
}

func guardDoctor() *cobra.Command {
	return onAgent("doctor AGENT", "Show that the guard of an agent works",
		`Look at the agent's settings, run the installed command line as the agent would (a
canary that is always blocked, a call that touches nothing, half an input, the
program away), and say what the agent does not show its hooks. Exits 1 when the
agent is not guarded, or may not be.`,
		func(c *cobra.Command, a agenthook.Agent) error {
			s, err := guardSetup(false)
			if err != nil {
				return err
			}
			d := agenthook.Doctor{Agent: a, Setup: s, Look: exec.LookPath}
			bad := 0
			for _, f := range d.Examine(c.Context()) {
				fmt.Fprintf(c.OutOrStdout(), "%-4s %s\n", f.Grade, f.Text)
				if f.Grade == agenthook.Bad {
					bad++
				}
			}
			if err := logTrouble(s.TenetHome); err != nil {
				fmt.Fprintf(c.OutOrStdout(), "%-4s %v\n", agenthook.Note, err)
			}
			if bad > 0 {
				return &Error{Code: ExitFailed, Err: fmt.Errorf("%d findings are bad", bad), Said: true}
			}
			return nil
		})
}

// logTrouble is why the guard's log may not be kept; nil when the trials left a record.
func logTrouble(home string) error {
	name := filepath.Join(agenthook.LogDir(home), time.Now().UTC().Format(time.DateOnly)+".jsonl")
	if _, err := os.Stat(name); err != nil {
		return fmt.Errorf("the guard keeps no log: %w", err)
	}
	return nil
}
