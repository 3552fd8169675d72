// Command side makes one call of a document tool in a process of its own, so that the
// memory of a search can be told apart and set beside another program's:
//
//	side [-times N] ROOT TOOL [NAME=VALUE...]
//
// The reply goes to standard output. Standard error gets the most memory that the
// process held, and with -times how long each call took after the first.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"tenet/adapters/docs"
	"tenet/adapters/pathpolicy"
	"tenet/core/call"
	"tenet/core/gate"
	"tenet/core/surface"
)

func main() {
	times := flag.Int("times", 1, "how many times to make the call")
	flag.Parse()
	if err := run(*times, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "side:", err)
		os.Exit(1)
	}
}

func run(times int, args []string) error {
	if len(args) < 2 {
		return fmt.Errorf("usage: side [-times N] ROOT TOOL [NAME=VALUE...]")
	}
	root, err := filepath.Abs(args[0])
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return err
	}
	judge := pathpolicy.New(pathpolicy.Options{Root: root, TenetHome: root + ".tenet", Env: []string{"HOME=" + root + ".home"}})
	d := docs.New(docs.Options{Root: root, Judge: judge})
	given := arguments(args[2:])
	for n := range times {
		began := time.Now()
		reply, err := d.Run(context.Background(), open{}, args[1], given)
		if err != nil {
			return err
		}
		if n == 0 {
			os.Stdout.WriteString(reply)
			continue
		}
		fmt.Fprintln(os.Stderr, "took", time.Since(began).Nanoseconds())
	}
	fmt.Fprintln(os.Stderr, "peak", peak())
	return nil
}

// arguments reads NAME=VALUE: a whole number, true or false, else a text.
func arguments(list []string) surface.Args {
	out := surface.Args{}
	for _, a := range list {
		name, value, _ := strings.Cut(a, "=")
		if n, err := strconv.ParseInt(value, 10, 64); err == nil {
			out[name] = n
		} else if value == "true" || value == "false" {
			out[name] = value == "true"
		} else {
			out[name] = value
		}
	}
	return out
}

// peak is the most memory in KiB that the process held, 0 where the system does not say.
func peak() int {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			n, _ := strconv.Atoi(strings.Fields(rest)[0])
			return n
		}
	}
	return 0
}

// open is a gate that lets everything through: the gate has figures of its own.
type open struct{}

func (open) Permit(_ context.Context, plan func() []call.Step) gate.Outcome {
	plan()
	return gate.Outcome{Runs: true}
}
func (open) Confirm(call.Step, string) gate.Outcome { return gate.Outcome{Runs: true} }
func (open) Start(context.Context) error            { return nil }
