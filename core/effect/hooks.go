package effect

import (
	"slices"
	"strings"
)

// hook is the options of a program whose values are commands.
type hook struct {
	opts options
	// behind is what must stand in a value before the command, empty for nothing.
	behind string
	// words are options of another form, separated by spaces: the command is the next word.
	words string
}

// hooked finds the options of programs that run texts besides their work.
var hooked = map[string][]hook{
	"tar":       {{opts: parseOptions("-I= -F= --use-compress-program= --to-command= --info-script= --new-volume-script= --rsh-command= --rmt-command=")}, {opts: parseOptions("--checkpoint-action="), behind: "exec="}},
	"zip":       {{opts: parseOptions("--unzip-command="), words: "-TT"}},
	"man":       {{opts: parseOptions("-P= --pager= -H? --html?")}},
	"split":     {{opts: parseOptions("--filter=")}},
	"sort":      {{opts: parseOptions("--compress-program=")}},
	"rg":        {{opts: parseOptions("--pre= --hostname-bin=")}},
	"rsync":     {{opts: parseOptions("-e= --rsh= --rsync-path=")}},
	"ssh":       {{opts: parseOptions("-o="), behind: "ProxyCommand="}, {opts: parseOptions("-o="), behind: "LocalCommand="}},
	"scp":       {{opts: parseOptions("-S=")}, {opts: parseOptions("-o="), behind: "ProxyCommand="}},
	"fzf":       {{opts: parseOptions("--preview=")}, {opts: parseOptions("--bind="), behind: "execute("}},
	"wget":      {{opts: parseOptions("--use-askpass=")}},
	"nix-shell": {{opts: parseOptions("--run= --command=")}},
	"vim":       {{opts: parseOptions("-c= --cmd="), behind: "!"}},
	"sqlite3":   {{words: "-cmd", behind: ".shell "}},
}

// hooks keeps the commands in a program's options, and those that git runs by its
// configuration and its subcommands.
func (s *scene) hooks(base string, argv []word) {
	kind := base
	switch base {
	case "git":
		s.gitHooks(argv)
		return
	case "source", ".":
		s.sourced(argv)
		return
	case "ed", "ex", "vi", "nvim", "emacs", "view":
		kind = "vim"
	case "bsdtar", "gtar":
		kind = "tar"
	}
	for _, h := range hooked[kind] {
		a := h.opts.parse(argv[1:])
		for _, g := range a.opts {
			if g.has {
				s.hookText(base, g.value, h.behind)
			}
		}
		for i, w := range argv[:len(argv)-1] {
			if h.words != "" && hasField(h.words, w.text) {
				s.hookText(base, argv[i+1], h.behind)
			}
		}
	}
	if kind == "vim" {
		s.editorLines(base, argv)
	}
	if slices.Contains(interpreters, base) {
		s.calledTexts(base, argv)
	}
}

// hookText keeps the command in a value.
func (s *scene) hookText(name string, v word, behind string) {
	if behind != "" {
		_, after, ok := v.cut(behind)
		if !ok {
			return
		}
		v = after
	}
	if v.text != "" || v.sure != exact {
		s.interpret(name, v, nil)
	}
}

// editorLines keeps the commands of lines that an editor reads: behind a ! stands one
// for the shell.
func (s *scene) editorLines(base string, argv []word) {
	for _, w := range argv[1:] {
		if text, ok := strings.CutPrefix(w.text, "+"); ok && w.sure == exact {
			s.hookText(base, word{text: text}, "!")
		}
	}
	for line := range strings.Lines(s.input) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), "!"); ok {
			s.interpret(base, word{text: text}, nil)
		}
	}
}

// runners are the names of functions that hand a text to a shell or start a program,
// in the languages of the interpreters.
var runners = strings.Fields("system popen exec execSync shell_exec passthru run call check_output check_call Popen getoutput getstatusoutput spawn spawnSync execute os.execute")

// calledTexts keeps the texts that a program in another language hands to a shell,
// where they stand there in quotes: system("…").
func (s *scene) calledTexts(base string, argv []word) {
	texts := append([]word(nil), argv[1:]...)
	if s.input != "" {
		texts = append(texts, word{text: s.input})
	}
	for _, w := range texts {
		if w.sure != exact {
			continue
		}
		for _, text := range quotedCalls(w.text) {
			s.interpret(base, word{text: text}, nil)
		}
	}
}

// quotedCalls is the quoted texts that stand right behind one of the runners and a
// bracket.
func quotedCalls(program string) (out []string) {
	for i := 0; i < len(program) && len(out) < maxRuns; i++ {
		if program[i] != '(' {
			continue
		}
		name := strings.TrimRight(program[:i], " ")
		name = name[strings.LastIndexFunc(name, func(r rune) bool { return !letter(byte(r)) && r != '_' })+1:]
		rest := strings.TrimLeft(program[i+1:], " \n\t[")
		if rest == "" || !slices.Contains(runners, name) || strings.IndexByte("\"'`", rest[0]) < 0 {
			continue
		}
		if end := strings.IndexByte(rest[1:], rest[0]); end > 0 {
			out = append(out, rest[1:1+end])
		}
	}
	return out
}
