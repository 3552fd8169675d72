package term

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// ErrGone says that the terminal went away: its window was closed, its connection was
// lost. The session is whole.
var ErrGone = errors.New("the terminal is gone")

// endWait is how long the loop may take to end after it was told to: after a panic
// elsewhere it may wait for what the goroutine that panicked held.
const endWait = 3 * time.Second

// program is one run of the interface: the framework's loop around the model, our own
// reader and painter at both ends of it.
type program struct {
	tea   *tea.Program
	tty   *tty
	in    *input
	model tea.Model
	size  tea.WindowSizeMsg

	paint painter
	pace  pace
	lent  atomic.Bool // another program has the terminal: nothing is painted

	start tea.Cmd // what the model wants of its first size
	end   context.CancelCauseFunc
	got   chan os.Signal
	over  chan struct{} // closed when Run has given the terminal back
}

// Messages of the loop to itself.
type (
	frameMsg  struct{}              // a promised frame is due
	resizeMsg struct{}              // the size may have changed
	contMsg   struct{}              // the process was continued
	idleMsg   struct{}              // the terminal took the last frame
	mouseMsg  bool                  // SetMouse
	redrawMsg struct{}              // Redraw
	lendMsg   struct{ run tea.Cmd } // give the terminal away for as long as run takes
	backMsg   struct{ then tea.Msg }
	titleMsg  string // SetTitle
)

// Run shows a model on the terminal until it quits, ctx ends, or the terminal goes
// away, and then gives the terminal back, whatever happened. The model is told the size
// before Init, so that its first frame can be whole; that frame is painted at once.
//
// The error is the cause of ctx, ErrGone, or a *Crash; nil when the model quit.
func Run(ctx context.Context, m tea.Model, o Options) error {
	t, err := openTTY(o)
	if err != nil {
		return err
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	UseColours(os.Getenv)
	p := &program{tty: t, model: m, end: end, over: make(chan struct{}), got: make(chan os.Signal, 8)}
	p.tea = tea.NewProgram(p, tea.WithContext(ctx), tea.WithInput(nil), tea.WithoutRenderer(),
		tea.WithoutSignalHandler(), tea.WithoutCatchPanics(), tea.WithFilter(p.filter))
	t.write = newWriter(o.Out, func() { p.tea.Send(idleMsg{}) })
	if p.in, err = newInput(o.In, p.tea.Send); err != nil {
		return err
	}
	running.Store(p)
	defer running.Store(nil)
	err = p.run(ctx)
	if o.Restore != nil {
		t.write.queue(rest(o.Restore))
	}
	t.write.close(drainWait)
	return err
}

// rest is what the interface leaves on the normal screen. A panic in it is not worth
// losing why the interface ended.
func rest(text func() string) (s string) {
	defer func() { _ = recover() }()
	return text()
}

// errQuit ends the program because the model quit.
var errQuit = errors.New("quit")

func (p *program) run(ctx context.Context) error {
	defer close(p.over)
	defer p.tty.leave()
	if err := p.tty.enter(); err != nil {
		return err
	}
	Guard(p.first)
	defer p.signals()()
	go Guard(p.read)
	defer p.in.stop()
	done := make(chan struct{})
	go Guard(func() {
		defer close(done)
		_, _ = p.tea.Run()
		p.end(errQuit)
	})
	<-ctx.Done()
	select {
	case <-done:
	case <-time.After(endWait): // a loop that hangs does not keep the terminal
	}
	if cause := context.Cause(ctx); !errors.Is(cause, errQuit) {
		return cause
	}
	return nil
}

// first tells the model the size and paints it, before the loop runs.
func (p *program) first() {
	p.size.Width, p.size.Height = p.tty.size()
	p.start = p.update(p.size)
	p.frame(time.Now())
}

func (p *program) read() {
	if err := p.in.run(); err != nil {
		p.end(ErrGone)
	}
}

// signals turns the signals of a terminal into messages, until the result is called.
func (p *program) signals() (stop func()) {
	quit := make(chan struct{})
	signal.Notify(p.got, syscall.SIGWINCH, syscall.SIGCONT)
	go Guard(func() {
		for {
			select {
			case s := <-p.got:
				p.tea.Send(signalled(s))
			case <-quit:
				return
			}
		}
	})
	return func() {
		signal.Stop(p.got)
		close(quit)
	}
}

func signalled(s os.Signal) tea.Msg {
	if s == syscall.SIGCONT {
		return contMsg{}
	}
	return resizeMsg{}
}
