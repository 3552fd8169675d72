package shell

import (
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"
)

// against measures a script here and in bash -c, in turns in the same run, and
// reports the ratio of their median times: a neighbour on the machine slows single
// runs of either. Lower is better. The floor of one program stands beside them.
func against(b *testing.B, dir, src string) {
	b.Helper()
	path, err := exec.LookPath("bash")
	if err != nil {
		b.Skip("SKIPPED: no bash on this machine to compare with")
	}
	sh := newShell(dir)
	var mine, theirs, kernel []time.Duration
	for b.Loop() {
		kernel = append(kernel, floor(b))
		start := time.Now()
		r := sh.Run(b.Context(), &recorder{}, src)
		mine = append(mine, time.Since(start))
		if r.End.Kind != Finished || r.Status != 0 {
			b.Fatalf("%+v", r)
		}
		c := exec.Command(path, "-c", src)
		c.Dir, c.Env = dir, env
		start = time.Now()
		if _, err := c.CombinedOutput(); err != nil {
			b.Fatal(err)
		}
		theirs = append(theirs, time.Since(start))
	}
	b.ReportMetric(float64(median(mine).Microseconds()), "us/shell")
	b.ReportMetric(float64(median(theirs).Microseconds()), "us/bash")
	b.ReportMetric(float64(median(mine))/float64(median(theirs)), "x-bash")
	b.ReportMetric(float64(median(kernel))/float64(median(theirs)), "floor-of-one")
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// floor is what the kernel takes to start one program and to see it end: no shell can
// be faster.
func floor(b *testing.B) time.Duration {
	start := time.Now()
	pid, err := syscall.ForkExec("/bin/true", []string{"/bin/true"}, &syscall.ProcAttr{Env: env})
	if err == nil {
		_, err = syscall.Wait4(pid, nil, 0, nil)
	}
	if err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

// The goals beside each are ratios: at most that part of bash's time.
func BenchmarkOneExternal(b *testing.B) { against(b, tree(b), `/bin/true`) } // 0.35

func BenchmarkThreeExternal(b *testing.B) { // 0.45
	against(b, tree(b), `/bin/echo hello | /bin/cat | /usr/bin/wc -c`)
}

func BenchmarkThreeBuiltins(b *testing.B) { against(b, tree(b), `echo hello | cat | wc -c`) } // 0.12

func BenchmarkYesHead(b *testing.B) { against(b, tree(b), `yes | head -n 3`) }

func BenchmarkThousandTrue(b *testing.B) { // 0.75
	src := ""
	for range 1000 {
		src += "/bin/true\n"
	}
	against(b, tree(b), src)
}

func BenchmarkBigPipe(b *testing.B) { // 1.0
	d := tree(b)
	if err := os.WriteFile(d+"/big", make([]byte, 100<<20), 0o644); err != nil {
		b.Fatal(err)
	}
	against(b, d, `cat big | cat | wc -c`)
}

// A gated script of built-ins, without bash beside it: what the shell itself costs.
func BenchmarkEcho(b *testing.B) {
	sh := newShell(tree(b))
	b.ReportAllocs()
	for b.Loop() {
		sh.Run(b.Context(), &recorder{}, `echo hi`)
	}
}
