package shell

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tenet/core/call"
	"tenet/core/gate"
)

// cancelled runs a script and cancels it when it has written the file ready.
func cancelled(t *testing.T, d, src string) Result {
	t.Helper()
	ready := filepath.Join(d, "ready")
	if err := syscall.Mkfifo(ready, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		if f, err := os.Open(ready); err == nil { // waits for the script
			f.Close()
		}
		cancel(errUser)
	}()
	sh := newShell(d, func(c *Config) { c.Limits.Grace = 100 * time.Millisecond })
	return sh.Run(ctx, &recorder{}, src)
}

var errUser = errors.New("the user stopped it")

// A cancel ends every process of the call's groups, whatever their shape, and says
// which process left its group.
func TestCancelLeavesNobody(t *testing.T) {
	for name, src := range map[string]string{
		"a process":               `sh -c ': > ready; exec sleep 987'`,
		"a child of a process":    `sh -c 'sleep 987 & : > ready; sleep 987; true'`,
		"a process that will not": `sh -c 'trap "" TERM INT HUP; echo > ready; sleep 987; sleep 987'`,
		"a stopped process":       `sh -c ': > ready; kill -STOP $$; sleep 987'`,
		"a pipeline":              `yes | cat | sh -c ': > ready; sleep 987; true'`,
		"built-ins in a pipe":     `cat /dev/zero | cat | sh -c ': > ready; exec sleep 987'`,
		"a script":                `for i in 1; do sleep 987 & (: > ready; sleep 987) ; done`,
		"left by an earlier step": `sh -c 'sleep 987 &'; sh -c ': > ready; exec sleep 987'`,
		"a reader of nothing":     `sh -c ': > ready; exec sleep 987' | grep x | head -n 1`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := cancelled(t, t.TempDir(), src)
			if r.End.Kind != Cancelled || !errors.Is(r.End.Err, errUser) || r.Status != 130 {
				t.Errorf("%v, status %d", r.End, r.Status)
			}
			if len(r.Survivors) != 0 {
				t.Errorf("left over: %v", r.Survivors)
			}
			if !strings.Contains(r.Text(), "cancelled after") {
				t.Errorf("%s", r.Text())
			}
		})
	}
}

// A process that left its group is out of reach; the result names it.
func TestCancelNamesWhoLeft(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("SKIPPED: no /proc on this machine to find processes in")
	}
	d := t.TempDir()
	// The one that leaves is there as itself once it says ready, and then waits in a
	// FIFO that nobody opens. It opens ready and writes nothing: whoever waits for it is
	// gone at once, and a write would end it.
	r := cancelled(t, d, `mkfifo f; sh -c 'sleep 987 & setsid sh -c ": > ready; read x < f; true"'`)
	if r.End.Kind != Cancelled || len(r.Survivors) == 0 || r.Survivors[0].Name != "sh" {
		t.Errorf("%v %+v", r.End, r.Survivors)
	}
	for _, s := range r.Survivors {
		if !strings.Contains(r.Text(), "process "+strconv.Itoa(s.PID)+" (sh) left its group") {
			t.Errorf("%s", r.Text())
		}
		if err := syscall.Kill(s.PID, syscall.SIGKILL); err != nil {
			t.Error(err)
		}
	}
}

// A cancel releases what waits without a process: a built-in on a pipe, the opening
// of a FIFO that nobody else opens, a question that nobody answers.
func TestCancelReleasesBuiltins(t *testing.T) {
	for name, src := range map[string]string{
		"opening a FIFO to read":  `cat < fifo`,
		"opening a FIFO to write": `true > fifo`,
		"in a pipeline":           `cat < fifo | head -n 1`,
		"a lone redirection":      `> fifo`,
	} {
		t.Run(name, func(t *testing.T) {
			d := t.TempDir()
			if err := syscall.Mkfifo(d+"/fifo", 0o600); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			r := newShell(d).Run(ctx, &starter{cancel: cancel}, src)
			if r.End.Kind != Cancelled {
				t.Errorf("%v", r.End)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	if r := newShell(t.TempDir()).Run(ctx, &asker{cancel: cancel}, "touch x"); r.End.Kind != Cancelled || len(r.Steps) != 0 {
		t.Errorf("a question: %v, %v", r.End, r.Steps)
	}
}

// starter cancels shortly after the first pipeline was let go.
type starter struct {
	recorder
	cancel func()
}

func (g *starter) Start(context.Context) error {
	time.AfterFunc(20*time.Millisecond, g.cancel)
	return nil
}

// asker waits for an answer until the call is cancelled.
type asker struct {
	recorder
	cancel func()
}

func (g *asker) Permit(ctx context.Context, _ func() []call.Step) gate.Outcome {
	g.cancel()
	<-ctx.Done()
	return gate.Outcome{Answer: gate.Unanswered}
}

// Two stages meet at a FIFO: opening one end must not keep the other from opening.
func TestStagesMeetAtFIFO(t *testing.T) {
	d := t.TempDir()
	if err := syscall.Mkfifo(d+"/fifo", 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	if r := newShell(d).Run(ctx, &recorder{}, `cat < fifo | echo met > fifo; true`); r.End.Kind != Finished {
		t.Errorf("%v", r.End)
	}
}
