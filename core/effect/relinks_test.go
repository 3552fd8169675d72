package effect_test

import (
	"strings"
	"testing"

	"tenet/core/effect"
)

// TestRelinks: a command that may change where names lead says so, for what stands
// beside it in a pipeline was judged before it ran.
func TestRelinks(t *testing.T) {
	moving := []string{"ln -s a b", "ln a b", "mv a b", "mkdir a", "rmdir a", "rm a", "unlink a", "cp -a a b", "cp -d a b", "cp -P a b", "cp -R a b", "cp -r a b", "cp -s a b", "cp -l a b",
		"cp --arch a b", "cp --preserve=links a b", "cp --remove-dest a b", "cp -b a b", "cp -f a b", "sed -i s/a/b/ f", "find src -delete", "git init sub", "git branch x", "wget ftp://h/x", "curl --create-dirs -o d/x http://h"}
	still := []string{"cp a b", "cp -v -i a b", "cat a", "tee a", "touch a", "sed s/a/b/ f", "find src", "git branch", "git log --output=x", "split a", "curl -O http://h/x", "sort -o a b", "truncate -s 0 a"}
	for _, line := range moving {
		if !effect.Of(effect.Command{Argv: strings.Fields(line)}, home).Relinks {
			t.Errorf("%s changes where names lead and does not say so", line)
		}
	}
	for _, line := range still {
		if effect.Of(effect.Command{Argv: strings.Fields(line)}, home).Relinks {
			t.Errorf("%s makes and moves no link and no directory", line)
		}
	}
}
