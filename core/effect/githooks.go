package effect

import "strings"

// gitHooks keeps the commands that git is told to run: by a setting before the
// subcommand, by an option, or as the words of a subcommand.
func (s *scene) gitHooks(argv []word) {
	i := 1
	for ; i < len(argv); i++ {
		w := argv[i]
		switch {
		case w.text == "-c" && i+1 < len(argv):
			i++
			s.gitSetting(argv[i])
		case w.text == "-C" || w.text == "--git-dir" || w.text == "--work-tree" || w.text == "--namespace":
			i++
		case !w.option():
			s.gitRuns(w.text, argv[i+1:])
			return
		}
	}
}

// gitSetting keeps the command in a setting: an alias with a !, or one whose name says
// that its value is a program.
func (s *scene) gitSetting(w word) {
	name, v, _ := w.cut("=")
	lower := strings.ToLower(name.text)
	if strings.HasPrefix(lower, "alias.") {
		if text, ok := strings.CutPrefix(v.text, "!"); ok {
			s.interpret("git", word{text: text, sure: v.sure}, nil)
		}
		return
	}
	for _, part := range []string{"pager", "editor", "command", "external", "fsmonitor", "helper", "program", "textconv", "driver", "process", "clean", "smudge", "askpass", "packobjectshook", "filter"} {
		if strings.Contains(lower, part) {
			s.hookText("git", v, "")
			return
		}
	}
}

// gitRuns keeps what a subcommand runs.
func (s *scene) gitRuns(sub string, words []word) {
	switch sub {
	case "bisect", "submodule":
		s.gitWords(sub, words)
	case "rebase":
		s.gitOption(words, "-x= --exec=")
	case "filter-branch":
		s.gitOption(words, "--env-filter= --tree-filter= --index-filter= --parent-filter= --msg-filter= --commit-filter= --tag-name-filter=")
	case "grep":
		s.gitOption(words, "-O? --open-files-in-pager?")
	case "difftool", "mergetool":
		s.gitOption(words, "-x= --extcmd=")
	case "ls-remote", "clone", "fetch", "pull", "push":
		s.gitOption(words, "-u= --upload-pack= --receive-pack= --exec=")
	}
	for _, w := range words {
		if text, ok := strings.CutPrefix(w.text, "ext::"); ok {
			s.interpret("git", word{text: text, sure: w.sure}, nil)
		}
	}
}

// gitWords keeps the command of git bisect run and git submodule foreach.
func (s *scene) gitWords(sub string, words []word) {
	for i, w := range words {
		if w.option() {
			continue
		}
		rest := words[i+1:]
		switch {
		case w.text == "run" && sub == "bisect":
			s.through("git", func() { s.recorded(rest) })
		case w.text == "foreach" && sub == "submodule":
			for len(rest) > 0 && rest[0].option() {
				rest = rest[1:]
			}
			s.through("git", func() { s.joinedScript(rest) })
		}
		return
	}
}

func (s *scene) gitOption(words []word, spec string) {
	a := parseOptions(spec).parse(words)
	for _, g := range a.opts {
		if g.has {
			s.hookText("git", g.value, "")
		}
	}
}
