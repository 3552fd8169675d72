package rules_test

import (
	"slices"
	"strings"
	"testing"

	"tenet/core/call"
	"tenet/core/rules"
)

var place = rules.Place{Root: "/home/u/proj", Home: "/home/u"}

// command is a plain command in the workspace; $ is a part that is not known, a word
// with * a pattern.
func command(text string) call.Command {
	c := call.Command{Dir: "/home/u/proj", Effects: call.Of(call.Exec)}
	for f := range strings.FieldsSeq(text) {
		c.Words = append(c.Words, call.Word{Text: strings.ReplaceAll(f, "$", call.Hole), Pattern: strings.Contains(f, "*")})
	}
	return c
}

func step(commands ...call.Command) call.Step {
	s := call.Step{Commands: commands}
	for _, c := range commands {
		s.Effects = s.Effects.With(c.Effects)
		s.Text += "; " + c.Text()
	}
	s.Text = strings.TrimPrefix(s.Text, "; ")
	if len(commands) > 1 {
		s.Class = call.Compound
	}
	return s
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"git status", "git status", true},
		{"git status", "git status -s", false},
		{"git status*", "git status -s", true},
		{"git push *", "git push", false},
		{"git push *", "git push origin main", true},
		{"*", "", true},
		{"*", "a/b c", true},
		{"", "", true},
		{"", "a", false},
		{"/a/*", "/a/b/c", true},
		{"/a/*", "/a", false},
		{"*.pem", "/x/k.pem", true},
		{"*.pem", "/x/k.pem.bak", false},
		{"*.pem*", "/x/k.pem.bak", true},
		{"a*b*c", "aXbYbZc", true},
		{"a*b*c", "acb", false},
		{"a*ab", "aab", true},
		{"a*a", "a", false},
		{"**a**", "xax", true},
		{"Git *", "git push", false},
		{"file.write.*", "file.write.project", true},
		{"a?c", "abc", false},
		{"[a]", "a", false},
	} {
		if got := rules.Match(c.pattern, c.text); got != c.want {
			t.Errorf("Match(%q, %q) = %v, want %v", c.pattern, c.text, got, c.want)
		}
	}
}

// A pattern of a hostile project costs no more than reading both texts a few times,
// and a decision allocates nothing.
func TestDecideAllocatesNothing(t *testing.T) {
	l := rules.Layers{Project: []rules.Rule{{Capability: "*", Pattern: strings.Repeat("*a", 1000) + "b", Action: rules.Deny}}}
	q := call.Request{Capability: call.ProcessExecute, Subject: strings.Repeat("a", 20000)}
	if n := testing.AllocsPerRun(10, func() { rules.Decide(l, q) }); n > 0 {
		t.Errorf("a decision allocates %v times", n)
	}
}

func BenchmarkDecideHostile(b *testing.B) {
	l := rules.Layers{Project: []rules.Rule{{Capability: "*", Pattern: strings.Repeat("*a", 2000) + "b", Action: rules.Deny}}}
	q := call.Request{Capability: call.ProcessExecute, Subject: strings.Repeat("a", 64000)}
	for b.Loop() {
		rules.Decide(l, q)
	}
}

// What each step asks for: the capability, the subject, and what an allow covers.
func TestRequests(t *testing.T) {
	net := command("curl -s http://h/x")
	net.Effects = call.Of(call.Net)
	away := command("npm test")
	away.Dir = "/tmp/other"
	sudo := command("npm test")
	sudo.Via = []string{"sudo"}
	timed := command("npm test")
	timed.Via = []string{"timeout", "CI=1"}
	hijacked := command("npm test")
	hijacked.Via = []string{"PATH=./bin"}
	piped := command("sh")
	piped.Fed = "curl"
	background := step(command("npm run dev"))
	background.Background = true
	named := step(command("stdin:x y"))
	named.Background = true
	strange := step(command("$ -rf x"))
	strange.Class, strange.Text = call.Obfuscated, "$(echo rm) -rf x"
	elsewhere := step(away)
	elsewhere.Dir = "/tmp/other"
	for _, c := range []struct {
		name, tool string
		step       call.Step
		want       []string
	}{
		{"a program", "bash", step(command("npm test")), []string{"process.execute npm test: read+write+exec"}},
		{"two programs", "bash", step(command("npm test"), command("make")), []string{"process.execute npm test: read+write+exec", "process.execute make: read+write+exec"}},
		{"the network", "bash", step(net), []string{"process.execute curl -s http://h/x: read+write+exec", "network.access curl -s http://h/x: net"}},
		{"git that changes", "bash", step(command("git commit -m x")), []string{"process.execute git commit -m x: read+write+exec", "git.modify git commit -m x: read+write+exec"}},
		{"git that shows", "bash", step(command("git log")), []string{"process.execute git log: read+write+exec"}},
		{"git in a directory", "bash", step(command("git -C sub push")), []string{"process.execute git -C sub push: read+write+exec", "process.execute git push: read+write+exec", "git.modify git -C sub push: read+write+exec", "git.modify git push: read+write+exec"}},
		{"git out of the workspace", "bash", step(command("git -C ../other status")), []string{"process.execute git -C ../other status: read+write+exec", "process.execute git status: none, exactly"}},
		{"git with a program set", "bash", step(command("git -c core.pager=x status")), []string{"process.execute git -c core.pager=x status: read+write+exec", "process.execute git status: none, exactly"}},
		{"a program by its path", "bash", step(command("/tmp/npm test")), []string{"process.execute /tmp/npm test: read+write+exec", "process.execute npm test: none, exactly"}},
		{"a harmless wrapper", "bash", step(timed), []string{"process.execute npm test: read+write+exec"}},
		{"as another user", "bash", step(sudo), []string{"process.execute npm test: none, exactly", "process.execute npm test: read+write+exec, exactly"}},
		{"another PATH", "bash", step(hijacked), []string{"process.execute npm test: none, exactly", "process.execute npm test: read+write+exec, exactly"}},
		{"in another directory", "bash", elsewhere, []string{"process.execute npm test: none, exactly", "process.execute cd /tmp/other && npm test: read+write+exec, exactly"}},
		{"what a pipe brings", "bash", step(piped), []string{"process.execute sh: none, exactly", "process.execute sh: read+write+exec, exactly"}},
		{"an unknown program", "bash", strange, []string{"process.execute … -rf x: none, exactly", "process.execute $(echo rm) -rf x: read+write+exec, exactly"}},
		{"in the background", "bash", background, []string{"process.execute npm run dev: read+write+exec", "process.background npm run dev: read+write+exec"}},
		{"a program that looks like input", "bash", named, []string{"process.execute stdin:x y: read+write+exec", "process.background stdin:x y: none, exactly"}},
		{"input", "job", call.Step{Text: "yes", Background: true, Effects: call.Of(call.Exec)}, []string{"process.background stdin:yes: read+write+exec"}},
		{"a cell", "ipython", call.Step{Text: "import os", Effects: call.Of(call.Exec)}, []string{"process.execute import os: read+write+exec, exactly"}},
		{"a read", "read", call.Step{Effects: call.Of(call.Read), Paths: []call.Path{{Real: "/etc/hosts", Class: "outside"}}}, []string{"file.read /etc/hosts: read"}},
		{"a write", "write", call.Step{Paths: []call.Path{{Real: "/home/u/proj/a", Use: call.Writes, Class: "inside"}}}, []string{"file.write.project /home/u/proj/a: write"}},
		{"a write outside", "edit", call.Step{Paths: []call.Path{{Real: "/home/u/projects/a", Use: call.Writes, Class: "outside"}}}, []string{"file.write.outsideProject /home/u/projects/a: write+outside"}},
		{"a protected place", "edit", call.Step{Paths: []call.Path{{Real: "/home/u/proj/.git/config", Use: call.Writes, Class: "protected"}}}, []string{"file.write.project /home/u/proj/.git/config: write+protected"}},
		{"a place nobody knows", "bash", call.Step{Paths: []call.Path{{Use: call.Writes, Class: "protected"}}}, []string{"file.write.outsideProject : none, exactly"}},
		{"a late tool", "linear__create", call.Step{}, []string{"mcp.call linear__create: exec+net"}},
		{"a question", "ask", call.Step{}, nil},
	} {
		var got []string
		for _, r := range rules.Requests(place, c.tool, c.step) {
			line := r.Capability.String() + " " + r.Subject + ": " + r.Covers.String()
			if r.ExactOnly {
				line += ", exactly"
			}
			got = append(got, line)
			if r.Display == "" {
				t.Errorf("%s: %s has no line for a person", c.name, line)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s asks for\n\t%s, want\n\t%s", c.name, strings.Join(got, "\n\t"), strings.Join(c.want, "\n\t"))
		}
	}
}

// What a rule lets a step do: by its parts, and never more than was spelled.
func TestStepCovers(t *testing.T) {
	allow := func(rs ...string) (out []rules.Rule) {
		for _, r := range rs {
			capability, pattern, _ := strings.Cut(r, " ")
			out = append(out, rules.Rule{Capability: capability, Pattern: pattern, Action: rules.Allow})
		}
		return out
	}
	reads := command("ls")
	reads.Effects = call.Of(call.Read)
	copies := call.Command{Dir: "/home/u/proj", Words: []call.Word{{Text: "cp"}, {Text: "a"}, {Text: "/etc/b"}}, Effects: call.Of(call.Read, call.Write, call.Outside)}
	copying := step(copies)
	copying.Paths = []call.Path{{Real: "/home/u/proj/a", Class: "inside"}, {Real: "/etc/b", Use: call.Writes, Class: "outside"}}
	two := copying
	two.Paths = append(slices.Clone(copying.Paths), call.Path{Real: "/srv/b", Use: call.Writes, Class: "outside"})
	beside := copying
	beside.Paths = append(slices.Clone(copying.Paths), call.Path{Real: "/home/u/proj/b", Use: call.Writes, Class: "inside"})
	hole := copying
	hole.Commands = []call.Command{copies}
	hole.Commands[0].Words = append(slices.Clone(copies.Words), call.Word{Text: call.Hole})
	guarded := call.Step{Effects: call.Of(call.Write, call.Protected), Paths: []call.Path{{Real: "/home/u/proj/.git/config", Use: call.Writes, Class: "protected"}}}
	secret := call.Step{Effects: call.Of(call.Read, call.Secret), Paths: []call.Path{{Real: "/home/u/.ssh/k", Class: "secret"}}}
	mute := command("make")
	mute.Effects = 0
	quiet := step(command("npm test"), mute)
	for _, c := range []struct {
		name  string
		tool  string
		step  call.Step
		rules []rules.Rule
		want  call.Effects
	}{
		{"nothing without a rule", "bash", step(command("npm test")), nil, 0},
		{"an allowed program", "bash", step(command("npm test")), allow("process.execute npm *"), call.Of(call.Exec)},
		{"one of two", "bash", step(command("npm test"), command("make")), allow("process.execute npm *"), 0},
		{"both", "bash", step(command("npm test"), command("make")), allow("process.execute npm *", "process.execute make"), call.Of(call.Exec)},
		{"one, and one that is vouched for", "bash", step(command("npm test"), reads), allow("process.execute npm *"), call.Of(call.Exec)},
		{"one, and one of which nothing is said", "bash", quiet, allow("process.execute npm *"), 0},
		{"a copy, not where it goes", "bash", copying, allow("process.execute cp *"), call.Of(call.Read, call.Write)},
		{"where it goes", "bash", copying, allow("file.write.outsideProject /etc/*"), call.Of(call.Write, call.Outside)},
		{"one of the places", "bash", two, allow("process.execute cp *", "file.write.outsideProject /etc/*"), call.Of(call.Read, call.Write)},
		{"a place outside beside one inside", "bash", beside, allow("process.execute cp *", "file.write.outsideProject /etc/*"), call.Of(call.Read, call.Write, call.Outside)},
		{"a place that is not known", "bash", hole, allow("file.write.outsideProject *"), 0},
		{"a protected place by pattern", "edit", guarded, allow("file.write.* *"), call.Of(call.Write)},
		{"a protected place by its path", "edit", guarded, allow("file.write.project /home/u/proj/.git/config"), call.Of(call.Write, call.Protected)},
		{"a secret", "read", secret, allow("* *"), call.Of(call.Read)},
	} {
		_, got := rules.Step(place, rules.Layers{User: c.rules}, c.tool, c.step)
		if got != c.want {
			t.Errorf("%s: %v is covered, want %v", c.name, got, c.want)
		}
	}
}

// The patterns that may be offered, most specific first.
func TestSuggest(t *testing.T) {
	for text, want := range map[string]string{
		"npm test":                   "npm test",
		"npm install left-pad":       "npm install left-pad|npm install *",
		"npm run dev":                "npm run dev",
		"npm run dev --port 3":       "npm run dev --port 3|npm run dev *",
		"npm --prefix x run dev":     "npm --prefix x run dev",
		"git push origin main":       "git push origin main|git push *",
		"git status":                 "git status",
		"git -C sub push origin":     "git -C sub push origin",
		"git remote add o u":         "git remote add o u|git remote add *",
		"git add *":                  "git add *",
		"go test ./...":              "go test ./...|go test *",
		"go run ./cmd":               "go run ./cmd",
		"cargo build --release":      "cargo build --release|cargo build *",
		"make -j4 test":              "make -j4 test",
		"make test V=1":              "make test V=1|make test *",
		"python x.py":                "python x.py",
		"node -e 1":                  "node -e 1",
		"bash -c ls":                 "bash -c ls",
		"poetry run pytest -q":       "poetry run pytest -q|poetry run pytest *",
		"poetry run python x.py":     "poetry run python x.py",
		"uv run python":              "uv run python",
		"npx eslint src":             "npx eslint src|npx eslint *",
		"npx node x":                 "npx node x",
		"npm exec sh x":              "npm exec sh x",
		"bundle exec rspec a":        "bundle exec rspec a|bundle exec rspec *",
		"docker ps -a":               "docker ps -a|docker ps *",
		"docker run x sh":            "docker run x sh",
		"docker compose up -d":       "docker compose up -d|docker compose up *",
		"docker compose exec web sh": "docker compose exec web sh",
		"kubectl exec p -- sh":       "kubectl exec p -- sh",
		"kubectl get pods":           "kubectl get pods|kubectl get *",
		"gh pr view 1":               "gh pr view 1|gh pr view *",
		"gh api x":                   "gh api x",
		"pytest -q":                  "pytest -q|pytest *",
		"./gradlew test --info":      "./gradlew test --info|./gradlew test *",
		"./scripts/build.sh --prod":  "./scripts/build.sh --prod|./scripts/build.sh *",
		"../build.sh --prod":         "../build.sh --prod",
		"/home/u/proj/x a":           "/home/u/proj/x a|/home/u/proj/x *",
		"/usr/bin/npm install x":     "/usr/bin/npm install x",
		"frobnicate a b":             "frobnicate a b",
		"eslint src/*.js":            "eslint *",
		"find . -delete":             "find . -delete",
		"rm -r build":                "rm -r build",
		"npm run $":                  "",
		strings.Repeat("x", 300):     "",
		"npm run " + strings.Repeat("x", 300) + " y": "",
	} {
		c := command(text)
		got := rules.Suggest(place, c)
		if text == "git add *" {
			want = "git add *" // the arity grant, which is what the words happen to spell
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%.60s: %q, want %q", text, got, want)
		}
		for _, p := range got {
			if !rules.Match(p, c.Text()) {
				t.Errorf("%.60s: %q does not match it", text, p)
			}
		}
	}
}

// A compound step, one behind sudo and one in another directory are offered nothing.
func TestNothingIsOffered(t *testing.T) {
	sudo := command("npm install x")
	sudo.Via = []string{"sudo"}
	away := command("npm install x")
	away.Dir = "/tmp"
	sub := command("./run.sh x")
	sub.Dir = "/home/u/proj/sub"
	obscure := step(command("npm install x"))
	obscure.Class = call.Obfuscated
	for name, s := range map[string]call.Step{
		"compound": step(command("npm install x"), command("make")), "sudo": step(sudo), "away": step(away),
		"obfuscated": obscure, "a script of a subdirectory": step(sub),
	} {
		for _, r := range rules.Requests(place, "bash", s) {
			if len(r.Patterns) > 0 {
				t.Errorf("%s: %s is offered %q", name, r.Subject, r.Patterns)
			}
		}
	}
}

// A script that sets what decides over programs, or evaluates a text outside of any
// command, is allowed by no rule for its parts; the words of one command are only words.
func TestRebindingScriptIsNotCovered(t *testing.T) {
	allow := rules.Layers{User: []rules.Rule{{Capability: "process.execute", Pattern: "npm *", Action: rules.Allow}}}
	for script, covered := range map[string]bool{
		"if true; then npm test; fi":                true,
		"for f in a b; do npm test; done":           true,
		"x=1; npm test":                             true,
		"CI=1; npm test":                            true,
		"npm test --x=PATH=1":                       true,
		"PATH=./bin; npm test":                      false,
		"if true; then\tPATH+=:./bin; npm test; fi": false,
		"{ NODE_OPTIONS=--require=./x; npm test; }": false,
		"for PATH in ./bin; do npm test; done":      false,
		"for \\\nPATH in ./bin; do npm test; done":  false,
		"PATH[0]=./bin; npm test":                   false,
		"exec {PATH}>f; npm test":                   false,
		"coproc P { npm test; }":                    false,
		"npm_config_prefix=x; npm test":             false,
		"(IFS=x; npm test)":                         false,
	} {
		s := step(command("npm test"), command("npm run x"))
		s.Text = script
		if _, got := rules.Step(place, allow, "bash", s); (got != 0) != covered {
			t.Errorf("%q: %v is covered", script, got)
		}
		s.Class, s.Commands = call.Simple, s.Commands[:1]
		if _, got := rules.Step(place, allow, "bash", s); (got != 0) != covered {
			t.Errorf("%q with one command: %v is covered", script, got)
		}
	}
}

// What changes a repository asks for git.modify, what shows it does not.
func TestGitModify(t *testing.T) {
	for modifies, texts := range map[bool]string{
		true:  "add .|commit -m x|push|stash|stash pop|tag v1|tag -d v1|branch x|branch -D x|branch --delete x|remote add a b|remote set-url a b|reflog expire|config a.b c|worktree add x|submodule update|notes add|bisect start|symbolic-ref HEAD x|symbolic-ref -d HEAD|-C d commit|-c a=b commit|clean -n|pull|rm x|checkout x|init|clone u",
		false: "status|log|diff|show x|stash list|stash show -p|tag|tag -l v*|tag --list|branch|branch -a|branch --contains x|remote -v|remote get-url a|reflog|reflog show|config a.b|config --get a.b|config --list|worktree list|submodule status|submodule|notes list|notes|bisect log|symbolic-ref HEAD|symbolic-ref --short HEAD|fetch|ls-files|--version",
	} {
		for text := range strings.SplitSeq(texts, "|") {
			asks := slices.ContainsFunc(rules.Requests(place, "bash", step(command("git "+text))), func(q call.Request) bool { return q.Capability == call.GitModify })
			if asks != modifies {
				t.Errorf("git %s: asks for git.modify: %v", text, asks)
			}
		}
	}
}
