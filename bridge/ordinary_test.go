package bridge

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenet/adapters/judge"
	"tenet/bridge/engine/golden"
	"tenet/core/gate"
	"tenet/core/rules"
)

// ordinary is one command as developers write them all day, and what each profile says
// of it: testdata/cases/ordinary.tsv. False alarms count as failures do: a question that
// is asked too often is answered without being read.
type ordinary struct {
	command string
	// verdicts are what each profile says, in the order of ordinaryProfiles.
	verdicts []string
	// rule is what decided in the balanced profile, where that is no plain yes.
	rule string
	// note says why the question or the refusal is right.
	note string
}

var ordinaryProfiles = []string{"open", "balanced", "strict"}

const ordinaryHead = `# Ordinary commands, as developers write them, and what each profile says of them. The
# columns: command (⏎ is a new line), open, balanced, strict, the stage and rule that
# decided in balanced where that is no plain yes, and why that is right. The verdicts are
# those of the code (UPDATE=1 go test ./bridge -run TestOrdinaryCommands); the last column
# is written by hand, and everything that balanced asks about or denies must have it.
`

// TestOrdinaryCommands holds the verdicts of every profile to the file, each question and
// each refusal of the balanced profile to a reason, and how many there are to a bound.
func TestOrdinaryCommands(t *testing.T) {
	const path = "../testdata/cases/ordinary.tsv"
	place := newOrdinaryPlace(t)
	var out strings.Builder
	out.WriteString(ordinaryHead)
	counts := map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(readText(t, path)), "\n") {
		switch {
		case strings.HasPrefix(line, "# ") && strings.Contains(ordinaryHead, line+"\n"):
		case line == "" || strings.HasPrefix(line, "#"):
			out.WriteString(line + "\n")
		default:
			o := place.judged(t, readOrdinary(line))
			counts[o.verdicts[1]]++
			if o.verdicts[1] != "allow" && o.note == "" {
				t.Errorf("%q: balanced says %s by %s, and nobody wrote down why that is right", o.command, o.verdicts[1], o.rule)
			}
			out.WriteString(o.line())
		}
	}
	if err := golden.Check(path, out.String()); err != nil {
		t.Error(err)
	}
	t.Logf("balanced: %v", counts)
	if counts["allow"]+counts["ask"]+counts["deny"] < 300 {
		t.Errorf("only %v commands are left", counts)
	}
}

func readOrdinary(line string) ordinary {
	cells := append(strings.Split(line, "\t"), "", "", "", "", "")
	return ordinary{command: cells[0], note: cells[5]}
}

func (o ordinary) line() string {
	cells := slices.Concat([]string{o.command}, o.verdicts, []string{o.rule, o.note})
	return strings.TrimRight(strings.Join(cells, "\t"), "\t") + "\n"
}

// ordinaryPlace is a workspace of many languages, and a judge of each profile.
type ordinaryPlace struct{ judges []*judge.Judge }

func newOrdinaryPlace(t *testing.T) ordinaryPlace {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home, root := top+"/home", top+"/home/src/proj"
	for _, name := range strings.Fields(".git/HEAD .git/config node_modules/x/index.js .venv/bin/activate web/package.json package.json go.mod main.go README.md src/main.go build/o scripts/run.sh manage.py Makefile") {
		if err := os.MkdirAll(filepath.Dir(root+"/"+name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(root+"/"+name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{"HOME=" + home, "PATH=/usr/bin:/bin", "TMPDIR=/var/tmp"}
	var p ordinaryPlace
	for _, profile := range ordinaryProfiles {
		if !slices.Contains(rules.Profiles(), profile) {
			t.Fatalf("there is no profile %s", profile)
		}
		a, err := judge.Assemble(judge.Setup{Root: root, TenetHome: home + "/.tenet", Env: env, Profile: profile, Roster: []string{"bash"}})
		if err != nil {
			t.Fatal(err)
		}
		p.judges = append(p.judges, judge.New(judge.Options{Root: root, TenetHome: home + "/.tenet", Env: env, Policy: a.Policy}))
	}
	return p
}

func (p ordinaryPlace) judged(t *testing.T, o ordinary) ordinary {
	for i, j := range p.judges {
		r := ruling(t, j, elsewhere.Replace(o.command))
		o.verdicts = append(o.verdicts, r.Verdict.String())
		if ordinaryProfiles[i] == "balanced" && r.Verdict != gate.Allow {
			o.rule = r.Stage.String() + ": " + r.Rule.Name
		}
	}
	return o
}

// elsewhere is a command as it is judged. The test's own home lies in /tmp, which so
// holds a home's secrets; a developer's does not.
var elsewhere = strings.NewReplacer("⏎", "\n", "/tmp", "/var/tmp")

// ruling is what the gate says of a script.
func ruling(t *testing.T, j *judge.Judge, script string) gate.Ruling {
	args, err := json.Marshal(map[string]string{"command": script})
	if err != nil {
		t.Fatal(err)
	}
	return j.Judge(context.Background(), judge.Call{Tool: "bash", Args: args})
}
