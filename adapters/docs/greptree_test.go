package docs

import (
	"os"
	"os/exec"
	"testing"
)

// BenchmarkGrepTree stands beside ripgrep on a large tree, in the same run:
//
//	TENET_BENCH_TREE=/path/of/a/tree TENET_BENCH_RG=/path/of/rg go test -run - -bench GrepTree ./adapters/docs
func BenchmarkGrepTree(b *testing.B) {
	tree, rg := os.Getenv("TENET_BENCH_TREE"), os.Getenv("TENET_BENCH_RG")
	if tree == "" || rg == "" {
		b.Skip("TENET_BENCH_TREE and TENET_BENCH_RG name the tree and the ripgrep to compare with; without them nothing is measured")
	}
	r := rigAt(b, tree)
	for _, p := range []struct {
		name, pattern string
		fold          bool
	}{
		{"rare", "ReadDirent", false},
		{"none", "ZQXJKVBPWY", false},
		{"common", "return nil", false},
		{"fold", "readdirent", true},
		{"foldtodo", "todo", true},
		{"required", `func \(\w+ \*\w+\) Close\(`, false},
		{"requirednone", `func \(\w+ \*\w+\) CloseZQ\w+\(`, false},
		{"suffix", `[A-Z]\w+Error\b`, false},
		{"alternation", `panicwrap|unreachable|FIXME`, false},
		{"alternationnone", `panicwrapz|unreachablez|FIXMEZ`, false},
		{"nolit", `\b[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\b`, false},
		{"nolitnone", `\b[0-9]{1,3}x[0-9]{1,3}y[0-9]{1,3}\.[0-9]{1,3}z\b`, false},
		{"words", `\w+\s+\w+\s+\w+\s+\w+zq`, false},
	} {
		b.Run(p.name+"/tenet", func(b *testing.B) {
			self(b, func() { r.ok("grep", "pattern", p.pattern, "ignore_case", p.fold) })
		})
		b.Run(p.name+"/rg", func(b *testing.B) {
			args := []string{"-nH", "--no-heading", "--hidden", "-e", p.pattern, tree}
			if p.fold {
				args = append([]string{"-i"}, args...)
			}
			child(b, func() { exec.Command(rg, args...).Output() })
		})
	}
}
