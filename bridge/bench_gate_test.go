package bridge

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tenet/adapters/judge"
	production "tenet/adapters/pathpolicy"
	"tenet/adapters/shell"
	"tenet/core/gate"
)

// BenchmarkGateDecision parses, classifies and gates 1,000 mixed scripts in process,
// as a session does for each call: the median and the 99th percentile of one script,
// in microseconds. A warm decision asks the kernel nothing; the benchmark fails if one does.
func BenchmarkGateDecision(b *testing.B) {
	d := newDecider(b)
	scripts := mixedScripts()
	for _, s := range scripts {
		d.decide(s)
	}
	warm := d.judge.Calls()
	took := make([]time.Duration, 0, 1<<20)
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range scripts {
			start := time.Now()
			d.decide(s)
			took = append(took, time.Since(start))
		}
	}
	calls := d.judge.Calls() - warm
	if calls != 0 {
		b.Fatalf("warm decisions asked the kernel %d times", calls)
	}
	slices.Sort(took)
	b.ReportMetric(micros(took[len(took)/2]), "p50-us/script")
	b.ReportMetric(micros(took[len(took)*99/100]), "p99-us/script")
	b.ReportMetric(float64(calls)/float64(len(took)), "kernel-calls/script")
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }

// decider is the path of a decision without its session: no question is asked.
type decider struct {
	b      testing.TB
	shell  *shell.Shell
	policy *gate.Policy
	judge  *production.Judge
}

func newDecider(b testing.TB) *decider {
	top := b.TempDir()
	root := filepath.Join(top, "home", "proj")
	if err := os.MkdirAll(filepath.Join(root, "src"), 0o755); err != nil {
		b.Fatal(err)
	}
	env := []string{"HOME=" + filepath.Join(top, "home"), "PATH=/usr/local/bin:/usr/bin:/bin"}
	paths := production.New(production.Options{Root: root, TenetHome: filepath.Join(top, "home", ".tenet"), Env: env})
	a, err := judge.Assemble(judge.Setup{Root: root, TenetHome: filepath.Join(top, "home", ".tenet"), Env: env, Roster: []string{"bash"}})
	if err != nil {
		b.Fatal(err)
	}
	return &decider{b: b, judge: paths, policy: a.Policy, shell: shell.New(shell.Config{Dir: root, Env: env, Judge: paths})}
}

// decide takes one script from its text to its verdict.
func (d *decider) decide(text string) gate.Ruling {
	steps, err := d.shell.Plan(text)
	if err != nil {
		d.b.Fatal(err)
	}
	return d.policy.Judge("bash", steps)
}

// mixedScripts is what agents run: mostly reading, some of it in pipelines, some
// edits, builds and git, and a few scripts that bash must run.
func mixedScripts() []string {
	forms := []string{
		"ls -la src", "cat src/a%d.go", "grep -rn TODO%d src | head -n 20", "rg -n 'func .*%d' src", "git log --oneline -n %d", "git diff --cached --stat",
		"git status --short", "find . -name '*_%d.go' -type f", "sed -n '%d,200p' src/a.go", "wc -l src/a%d.go src/b.go", "head -n %d README.md && tail -n 5 README.md",
		"mkdir -p out/%d && touch out/%d/x", "rm -rf out/%d", "cp src/a.go src/a%d.go", "mv src/a%d.go src/b.go", "go build ./... 2>&1 | tail -n %d",
		"go test ./pkg%d -run 'TestA|TestB' -count=1", "make -j4 test%d", "echo done%d > out/log", "sort -u src/words%d | uniq -c | sort -rn | head",
		"git show HEAD~%d:src/a.go", "git add src/a%d.go && git commit -q -m 'change %d'", "npm run build -- --mode=p%d", "python3 scripts/gen%d.py --out src/gen.go",
		"cd src && ls && cat a%d.go", "sed -i 's/a%d/b/g' src/a.go", "awk '{print $%d}' src/table", "curl -sS https://example.org/x%d -o out/x", "stat src/a%d.go; file src/a.go",
		"test -f src/a%d.go && cat src/a%d.go || echo none", "for f in src/*.go; do gofmt -l \"$f\"; done", "if [ -d out%d ]; then rm -r out%d; fi", "echo \"$(git rev-parse HEAD)\" > out/%d",
		"cat src/a%d.go | tr a-z A-Z | cut -d: -f1 | sort | uniq", "du -sh . && df -h .", "tar czf out/%d.tgz src", "FOO=%d make", "diff -u src/a%d.go src/b.go", "printf '%%s\\n' a b c%d | tee out/x",
		"ps aux | grep go%d | grep -v grep",
	}
	out := make([]string, 1000)
	for i := range out {
		f := forms[i%len(forms)]
		args := make([]any, strings.Count(f, "%d"))
		for k := range args {
			args[k] = i % 97
		}
		out[i] = fmt.Sprintf(f, args...)
	}
	return out
}
