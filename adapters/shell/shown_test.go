package shell

import (
	"reflect"
	"testing"

	"tenet/core/script"
)

// FuzzShown: what a person is shown is what runs. Any script of the grammar is
// expanded and shown; the shown text, read again, is the same command. It also keeps
// the expansion from failing on any text that the grammar lets in.
func FuzzShown(f *testing.F) {
	for _, src := range corpus {
		f.Add(src)
	}
	d := tree(f)
	f.Fuzz(func(t *testing.T, src string) {
		src, err := script.Canonical(src)
		if err != nil {
			return
		}
		for _, st := range stages(d, src) {
			if st.bad != "" || hasBad(st.redirs) {
				continue
			}
			if sc, err := script.Parse(st.text()); err == nil && sc.Whole {
				continue // a name or an option that came out of an expansion, and that bash alone serves
			}
			again := stages(d, st.text())
			if len(again) != 1 {
				t.Fatalf("%q shows %q, which is no command", src, st.text())
			}
			got := again[0]
			if !reflect.DeepEqual(got.argv, st.argv) || !reflect.DeepEqual(got.assigns, st.assigns) || !reflect.DeepEqual(got.redirs, st.redirs) {
				t.Fatalf("%q: runs %q %q %v, but shows %q, which is %q %q %v", src, st.assigns, st.argv, st.redirs, st.text(), got.assigns, got.argv, got.redirs)
			}
		}
	})
}

func hasBad(rds []redirect) bool {
	for _, r := range rds {
		if r.bad != "" {
			return true
		}
	}
	return false
}

// stages expands every command of a script that is in the grammar.
func stages(dir, src string) (out []stage) {
	sc, err := script.Parse(src)
	if err != nil || sc.Whole {
		return nil
	}
	r := newRun(newShell(dir), &recorder{}, sc, Call{})
	for _, p := range sc.Pipelines {
		for _, s := range p.Stages {
			var st stage
			r.expand(&st, s)
			if st.argv == nil && len(st.assigns)+len(st.redirs) == 0 {
				continue // words that expanded to nothing
			}
			out = append(out, st)
		}
	}
	return out
}
