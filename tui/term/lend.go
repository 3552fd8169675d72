package term

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Lent says whether another program has the terminal at the moment: an editor, or the
// shell that stopped us. Ctrl+C is then meant for that program.
func Lent() bool {
	p := running.Load()
	return p != nil && p.lent.Load()
}

// lend gives the terminal away for as long as run takes. The loop goes on meanwhile:
// what the session does is followed, and painted when the terminal is ours again.
func (p *program) lend(run tea.Cmd) tea.Cmd {
	if p.lent.Swap(true) {
		return nil
	}
	p.in.pause()
	p.tty.leave()
	return guarded(func() tea.Msg { return backMsg{run()} })
}

// back takes the terminal again.
func (p *program) back(then tea.Msg) tea.Cmd {
	p.in.resume()
	p.lent.Store(false)
	cmds := []tea.Cmd{p.continued()}
	if then != nil {
		cmds = append(cmds, p.update(then))
	}
	cmds = append(cmds, p.update(Resumed{}), p.changed(time.Now(), true))
	return tea.Batch(cmds...)
}

// continued puts the terminal in order after anybody may have changed it, and paints
// the whole screen.
func (p *program) continued() tea.Cmd {
	if p.lent.Load() {
		return nil
	}
	if err := p.tty.again(); err != nil {
		p.end(fmt.Errorf("%w: %w", ErrGone, err)) // a hang-up continues the process as well
		return nil
	}
	p.paint.forget()
	return tea.Batch(p.resize(), p.changed(time.Now(), true))
}

// again enters the screen whether or not we think that we are inside: a shell may have
// taken it in the meantime.
func (t *tty) again() error {
	t.mu.Lock()
	if t.inside {
		t.write.queue("\x1b[<u") // entering pushes the keyboard's mode again
	}
	t.inside = false
	t.mu.Unlock()
	return t.enter()
}

// Suspend stops the process until its shell continues it; Resumed follows.
func Suspend() tea.Msg { return lendMsg{run: stopSelf} }

// stopWait is how long a stop may take to act. Where no shell could continue us the
// system ignores it, and the interface goes on.
const stopWait = 200 * time.Millisecond

// stopSelf stops the whole job, as a terminal's Ctrl+Z does, until it is continued. The
// signal is never caught: the runtime does not give back what a caught one did by
// itself, and an editor that is stopped must stop us with it, or the shell waits on.
func stopSelf() tea.Msg {
	cont := make(chan os.Signal, 1)
	signal.Notify(cont, syscall.SIGCONT)
	defer signal.Stop(cont)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return nil
	}
	select {
	case <-cont:
	case <-time.After(stopWait): // while stopped, no time passes for us
	}
	return nil
}

// Exec runs another program on the terminal, in place of the interface; then's message
// follows, and Resumed.
func Exec(cmd *exec.Cmd, then func(error) tea.Msg) tea.Cmd {
	return func() tea.Msg { return lendMsg{run: func() tea.Msg { return then(onTerminal(cmd)) }} }
}

// onTerminal runs a program with the terminal as its input and output. It ends with the
// interface.
func onTerminal(cmd *exec.Cmd) error {
	p := running.Load()
	if p == nil {
		return errors.New("no terminal to run it on")
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.tty.in, p.tty.out, p.tty.out
	if err := cmd.Start(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go Guard(func() { done <- cmd.Wait() })
	select {
	case err := <-done:
		return err
	case <-p.over:
		_ = cmd.Process.Signal(syscall.SIGHUP)
		return <-done
	}
}

// Edited is what the person's editor left of a text.
type Edited struct {
	// Text is what was saved, without the newline at its end; the old text after an error.
	Text string
	Err  error
}

// Edit opens text in the person's editor ($VISUAL, $EDITOR, vi), as a file below dir
// that nobody else may read and that is removed; "" is the directory for temporary
// files. Edited follows.
func Edit(text, dir string) tea.Cmd {
	return func() tea.Msg {
		return lendMsg{run: func() tea.Msg {
			got, err := edit(text, dir, onTerminal)
			if err != nil {
				return Edited{text, err}
			}
			return Edited{got, nil}
		}}
	}
}

// edit writes the file, runs the editor on it and reads what it left.
func edit(text, dir string, run func(*exec.Cmd) error) (string, error) {
	own, err := os.MkdirTemp(dir, "tenet-edit-")
	if err != nil {
		return "", fmt.Errorf("make a file for the editor: %w", err)
	}
	defer func() { _ = os.RemoveAll(own) }() // with the copies that editors keep
	path := filepath.Join(own, "message.md")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("make a file for the editor: %w", err)
	}
	name := editor(os.Getenv)
	// The variable may hold arguments and quotes: a shell reads it, as git has it read.
	if err := run(exec.Command("sh", "-c", name+` "$@"`, "sh", path)); err != nil {
		return "", fmt.Errorf("the editor %q: %w; the text is as it was. Set $VISUAL or $EDITOR to another one", name, err)
	}
	return readBack(path)
}

func readBack(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("read what the editor left: %w", err)
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, pasteMax+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("read what the editor left: %w", err)
	case len(b) > pasteMax:
		return "", fmt.Errorf("the editor left more than %d MiB", pasteMax>>20)
	}
	return strings.TrimSuffix(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n"), nil
}

// editor is the command of the person's editor.
func editor(getenv func(string) string) string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if v := strings.TrimSpace(getenv(name)); v != "" {
			return v
		}
	}
	return "vi"
}
