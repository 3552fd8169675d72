package guard_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tenet/core/call"
	"tenet/core/guard"
)

// Each rule has a name of its own and says all that a person needs.
func TestRulesSayWhatTheyDo(t *testing.T) {
	names := map[string]bool{}
	for _, r := range guard.Book() {
		if names[r.Name] || strings.Trim(r.Name, "abcdefghijklmnopqrstuvwxyz-") != "" {
			t.Errorf("%q is no name, or is given twice", r.Name)
		}
		names[r.Name] = true
		for _, s := range []string{r.Refuses, r.Because, r.Instead} {
			if !strings.HasSuffix(s, ".") {
				t.Errorf("%s: %q is no sentence", r.Name, s)
			}
		}
	}
	if got := slices.Sorted(maps.Keys(names)); !reflect.DeepEqual(got, slices.Sorted(slices.Values(guard.Rules()))) {
		t.Errorf("the book and the list differ: %v", got)
	}
}

// A rule that is off leaves the call to the next ones.
func TestSwitchedOff(t *testing.T) {
	p := policy()
	p.Off = []string{guard.Destructive}
	holds(t, p, guard.Persistence, "git config core.hooksPath x", "git reset --hard\nrm -rf ~/x")
	p.Off = guard.Rules()
	holds(t, p, "", "", "printenv\ngit reset --hard\necho x > ~/.bashrc")
}

func TestEveryRefusalSaysWhatToDo(t *testing.T) {
	for _, line := range []string{"git reset --hard", "rm -rf ~", "printenv", "echo x > ~/.bashrc", "echo x > a.pem", "crontab x"} {
		b, _ := guard.Check(policy(), "bash", step(line))
		if b.Why == "" || !strings.HasSuffix(b.Next, ".") || strings.HasSuffix(b.Why, ".") {
			t.Errorf("%q: %+v", line, b)
		}
	}
}

func TestRegistration(t *testing.T) {
	registered := []string{"read", "bash"}
	for _, c := range []struct {
		name    string
		named   []string
		readErr string
		says    []string
	}{
		{"fits", []string{"bash"}, "", nil},
		{"names none", nil, "", nil},
		{"names one that is not there", []string{"bash", "shell", "shell", "exec"}, "", []string{"shell, exec", "read, bash"}},
		{"cannot be read", nil, "no answer", []string{"no answer"}},
		{"cannot be read, and names none", []string{}, "no answer", []string{"every call is denied"}},
	} {
		got := guard.Registration(c.named, registered, c.readErr)
		if (got == "") != (c.says == nil) {
			t.Errorf("%s: %q", c.name, got)
		}
		for _, s := range c.says {
			if !strings.Contains(got, s) {
				t.Errorf("%s: %q does not say %q", c.name, got, s)
			}
		}
	}
}

func TestModes(t *testing.T) {
	for _, m := range []guard.Mode{guard.ByRules, guard.DenyAll} {
		if got, ok := guard.ParseMode(m.String()); !ok || got != m {
			t.Errorf("%v reads back as %v", m, got)
		}
	}
	if _, ok := guard.ParseMode("off"); ok {
		t.Error("off is a mode")
	}
}

func TestPatch(t *testing.T) {
	args := map[string]any{"command": "ls"}
	if got := guard.Patch(true, args); got[guard.TimeoutKey] != int64(guard.DefaultTimeout) || len(args) != 1 {
		t.Errorf("allowed: %v, and the call's own %v", got, args)
	}
	if got := guard.Patch(false, args); !reflect.DeepEqual(got, args) {
		t.Errorf("denied: %v", got)
	}
	own := map[string]any{guard.TimeoutKey: int64(5)}
	if got := guard.Patch(true, own); !reflect.DeepEqual(got, own) {
		t.Errorf("its own: %v", got)
	}
	if got := guard.Patch(true, nil); got[guard.TimeoutKey] != int64(guard.DefaultTimeout) {
		t.Errorf("no arguments: %v", got)
	}
}

func TestKnowledge(t *testing.T) {
	var k guard.Knowledge
	saw := func(d guard.Deed, version, before uint64) {
		k = k.After(guard.Result{OK: true, Deed: d, Version: version, Before: before})
	}
	is := func(exists bool, version uint64, want call.Knowledge) {
		t.Helper()
		if got := k.Of(exists, version); got != want {
			t.Errorf("version %d is %v, want %v", version, got, want)
		}
		if got := k.MayWrite(exists, version); got != (want == call.New || want == call.Known) {
			t.Errorf("version %d may be written: %v", version, got)
		}
		if got := k.MayEdit(exists, version); got != (want != call.Stale) {
			t.Errorf("version %d may be edited: %v", version, got)
		}
	}
	is(false, 0, call.New)
	is(true, 1, call.Unknown)
	k = k.After(guard.Result{Deed: guard.ReadWhole, Version: 1})
	is(true, 1, call.Unknown) // a failed read shows nothing
	saw(guard.ReadPart, 1, 0)
	is(true, 1, call.Partial)
	is(true, 2, call.Stale)
	saw(guard.EditedIt, 2, 1)
	is(true, 2, call.Partial) // an edit shows no more than was known
	saw(guard.ReadWhole, 2, 0)
	is(true, 2, call.Known)
	saw(guard.EditedIt, 3, 2)
	is(true, 3, call.Known)
	saw(guard.ReadPart, 3, 0)
	is(true, 3, call.Known) // what was seen whole stays so
	saw(guard.WroteAll, 4, 3)
	is(true, 4, call.Known)
	is(true, 9, call.Stale)
}

// No words, however odd, may make the guard panic: a panic is no verdict.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{"git", "git -C", "git -c", "git --", "rm -rf", "rm -rf /", "find", "find -exec", "ps -", "curl --", "ssh -p", "env -", "a\x00b", "git config", "dd of=", "kubectl -n", "fd -x", "> [", "wget ://", "curl [::1]:x", "terraform -", "scp :", "rsync --delete x :"} {
		f.Add(seed, "/home/u/proj/.git/hooks/[", uint8(3))
	}
	f.Fuzz(func(t *testing.T, text, at string, bits uint8) {
		s := step(text)
		s.Paths = []call.Path{{Real: at, Written: at, Use: call.Use(bits & 1), Class: "inside", Holds: bits&2 != 0}}
		s.Commands = append(s.Commands, call.Command{}, call.Command{Words: []call.Word{{Text: at}, {Text: text, Real: at}}, Outs: []call.Word{{Text: text}}, Fed: text})
		p := denied("h", "*.x:1", "")
		p.Fragments, p.WriteRoots, p.HookDirs = []string{at, "", "["}, []string{at, ""}, []string{"", at}
		if bits&4 != 0 {
			p.Root, p.Home = at, ""
		}
		b, blocked := guard.Check(p, text, s)
		if blocked != (b.Rule != "") || blocked && (b.Why == "" || !slices.Contains(guard.Rules(), b.Rule)) {
			t.Errorf("%v, %+v", blocked, b)
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	p := policy()
	for name, line := range map[string]string{"test": "go test ./...", "status": "git status", "rm": "rm -rf node_modules", "pipe": "cat a.txt | grep x | sort > out/b.txt"} {
		s := step(line)
		s.Paths = []call.Path{{Real: root + "/out/b.txt", Use: call.Writes, Class: "inside"}}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				guard.Check(p, "bash", s)
			}
		})
	}
}
