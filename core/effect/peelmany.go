package effect

import (
	"slices"
	"strings"

	"tenet/core/call"
)

// peelXargs: what it reads stands behind the command's own words, or where a token
// says.
func peelXargs(s *scene, base string, argv []word) bool {
	a, rest := wrapperOf(base).parsed.leading(argv[1:])
	if a.strange {
		return s.anyBeginning(base, argv)
	}
	if len(rest) == 0 {
		s.keep(argv)
		return false
	}
	token := ""
	for _, g := range a.opts {
		switch g.name {
		case "I", "J":
			token = g.value.text
		case "i", "replace":
			token = "{}"
			if g.has {
				token = g.value.text
			}
		}
	}
	inner := append(rest[:len(rest):len(rest)], holeWord)
	if token != "" {
		inner = replaced(rest, token, holeWord)
	}
	s.through(base, func() {
		s.fed, s.input = "", ""
		s.recorded(inner)
	})
	return false
}

// maxRuns bounds the commands that one template makes.
const maxRuns = 16

// peelParallel: words up to ::: are a template for a shell, those behind it fill it.
// Without a template each of those is a command.
func peelParallel(s *scene, base string, argv []word) bool {
	a, rest := wrapperOf(base).parsed.leading(argv[1:])
	if a.strange {
		return s.anyBeginning(base, argv)
	}
	at := slices.IndexFunc(rest, func(w word) bool { return strings.HasPrefix(w.text, ":::") })
	template, args := rest, []word{holeWord}
	if at >= 0 {
		template = rest[:at]
		if rest[at].text == ":::" && len(rest)-at-1 <= maxRuns {
			args = rest[at+1:]
		}
	}
	s.keepIf(len(rest) == 0, argv)
	for _, arg := range args {
		s.through(base, func() {
			s.fed, s.input = "", ""
			s.joinedScript(filled(template, arg))
		})
	}
	return false
}

func (s *scene) keepIf(yes bool, argv []word) {
	if yes {
		s.keep(argv)
	}
}

// filled is a template with an argument in its place, behind it where it has none.
func filled(template []word, arg word) []word {
	for _, token := range []string{"{}", "{.}", "{/}", "{//}", "{1}"} {
		if slices.ContainsFunc(template, func(w word) bool { return strings.Contains(w.text, token) }) {
			return replaced(template, token, arg)
		}
	}
	return append(template[:len(template):len(template)], arg)
}

// peelFind keeps find itself, and each program that it runs with what it finds.
func peelFind(s *scene, base string, argv []word) bool {
	s.keep(argv)
	starts, expr := findStarts(argv[1:])
	if len(starts) == 0 {
		starts = []word{{text: "."}}
	}
	if len(starts)*len(expr) > maxFound {
		s.obscure()
		return false
	}
	for i := 0; i < len(expr); i++ {
		if !primaries()[expr[i].text].program {
			continue
		}
		n := programEnd(expr[i+1:])
		program := expr[i+1 : i+1+n]
		for _, at := range starts {
			s.foundBy(base, program, at, expr, i+1+n < len(expr) && expr[i+1+n].text == "+")
		}
		i += n
	}
	return false
}

// foundBy keeps a program with what is found below one start: names that a test says,
// else the start itself and anything below it, together or one by one.
func (s *scene) foundBy(base string, program []word, start word, expr []word, together bool) {
	below := strings.TrimSuffix(start.shown(), "/") + "/"
	found := []word{start, planned(below + call.Hole)}
	if name, ok := namedIn(expr); ok {
		found = []word{{text: below + name.text, full: below + name.text, sure: pattern, signs: true}}
	} else if mentions(expr, "-mindepth") {
		found = found[1:]
	}
	s.through(base, func() {
		s.fed, s.input = "", ""
		if at := slices.IndexFunc(program, func(w word) bool { return w.text == "{}" }); together && at >= 0 {
			s.recorded(slices.Concat(program[:at], found, program[at+1:]))
			return
		}
		for _, f := range found {
			s.recorded(replaced(program, "{}", f))
		}
	})
}

// namedIn is the pattern of a -name test that holds for everything found.
func namedIn(expr []word) (word, bool) {
	if slices.ContainsFunc(expr, func(w word) bool {
		return w.text == "-o" || w.text == "-or" || w.text == "!" || w.text == "-not" || w.text == ","
	}) {
		return word{}, false
	}
	for i, w := range expr[:max(0, len(expr)-1)] {
		if (w.text == "-name" || w.text == "-iname") && expr[i+1].sure == exact && !strings.Contains(expr[i+1].text, "/") {
			return expr[i+1], true
		}
		if primaries()[w.text].program {
			break
		}
	}
	return word{}, false
}

// bwrapTakes is how many words an option of bwrap takes.
var bwrapTakes = map[string]int{
	"--bind": 2, "--bind-try": 2, "--dev-bind": 2, "--dev-bind-try": 2, "--ro-bind": 2, "--ro-bind-try": 2, "--symlink": 2, "--setenv": 2, "--file": 2, "--bind-data": 2, "--ro-bind-data": 2, "--chmod": 2, "--overlay": 3,
	"--args": 1, "--argv0": 1, "--userns": 1, "--userns2": 1, "--pidns": 1, "--uid": 1, "--gid": 1, "--hostname": 1, "--chdir": 1, "--unsetenv": 1, "--lock-file": 1, "--sync-fd": 1, "--proc": 1, "--dev": 1, "--tmpfs": 1, "--mqueue": 1, "--dir": 1,
	"--seccomp": 1, "--add-seccomp-fd": 1, "--block-fd": 1, "--userns-block-fd": 1, "--info-fd": 1, "--json-status-fd": 1, "--cap-add": 1, "--cap-drop": 1, "--perms": 1, "--size": 1, "--exec-label": 1, "--file-label": 1, "--remount-ro": 1, "--overlay-src": 1, "--tmp-overlay": 1, "--ro-overlay": 1,
	"--unshare-all": 0, "--share-net": 0, "--unshare-user": 0, "--unshare-user-try": 0, "--unshare-ipc": 0, "--unshare-pid": 0, "--unshare-net": 0, "--unshare-uts": 0, "--unshare-cgroup": 0, "--unshare-cgroup-try": 0, "--disable-userns": 0, "--clearenv": 0, "--new-session": 0, "--die-with-parent": 0, "--as-pid-1": 0,
}

func peelBwrap(s *scene, base string, argv []word) bool {
	i := 1
	for i < len(argv) && strings.HasPrefix(argv[i].text, "--") {
		n, ok := bwrapTakes[argv[i].text]
		if argv[i].text == "--" {
			i++
			break
		}
		if !ok || argv[i].sure != exact {
			return s.anyBeginning(base, argv)
		}
		i += 1 + n
	}
	if i >= len(argv) {
		s.keep(argv)
		return false
	}
	s.elsewhere(base, argv[i:])
	return false
}

// elsewhere keeps a command that runs on another machine or below another root.
func (s *scene) elsewhere(base string, argv []word) {
	away := s.away
	s.away = true
	s.through(base, func() { s.recorded(argv) })
	s.away = away
}

// The options of docker run and exec that take the next word; every other is a switch
// or has its value attached.
var (
	dockerGlobals = parseOptions("-D -l= -H= -c= --config= --context= --debug --host= --log-level= --tls --tlscacert= --tlscert= --tlskey= --tlsverify --connection= --identity= --url= --remote --root= --runroot= --storage-driver= --namespace= --address=")
	composeOpts   = parseOptions("-f= -p= --file= --project-name= --project-directory= --profile= --env-file= --ansi= --parallel= --progress= --compatibility --dry-run --verbose")
	dockerRun     = parseOptions("-i -t -d -P -q -T -a= -c= -e= -h= -l= -m= -p= -u= -v= -w= --add-host= --annotation= --attach= --blkio-weight= --cap-add= --cap-drop= --cgroup-parent= --cgroupns= --cidfile= --cpu-count= --cpu-period= --cpu-quota= --cpu-shares= --cpus= --cpuset-cpus= --cpuset-mems= --detach --detach-keys= --device= --device-cgroup-rule=" +
		" --disable-content-trust? --dns= --dns-option= --dns-search= --domainname= --entrypoint= --env= --env-file= --expose= --gpus= --group-add= --health-cmd= --health-interval= --health-retries= --health-start-period= --health-timeout= --hostname= --index= --init --interactive --ip= --ip6= --ipc= --isolation= --kernel-memory= --label= --label-file= --link=" +
		" --link-local-ip= --log-driver= --log-opt= --mac-address= --memory= --memory-reservation= --memory-swap= --memory-swappiness= --mount= --name= --net= --network= --network-alias= --no-deps --no-healthcheck --oom-kill-disable --oom-score-adj= --pid= --pids-limit= --platform= --privileged --publish= --publish-all --pull= --quiet --read-only --remove-orphans --replace --restart= --rm" +
		" --runtime= --security-opt= --service-ports --shm-size= --sig-proxy? --stop-signal= --stop-timeout= --storage-opt= --sysctl= --tmpfs= --tty --ulimit= --use-aliases --user= --userns= --uts= --volume= --volume-driver= --volumes-from= --workdir= --build --no-TTY --pod= --systemd= --tls-verify? --authfile= --arch= --os= --passwd --secret= --timezone= --umask= --variant=")
)

// peelDocker keeps the client, and what run and exec start in a container.
func peelDocker(s *scene, base string, argv []word) bool {
	s.keep(argv)
	a, rest := dockerGlobals.leading(argv[1:])
	if len(rest) > 0 && (rest[0].text == "compose" || rest[0].text == "container") {
		b, after := composeOpts.leading(rest[1:])
		a.strange, rest = a.strange || b.strange, after
	}
	if !a.strange && (len(rest) == 0 || rest[0].text != "run" && rest[0].text != "exec" && rest[0].text != "create") {
		return false
	}
	var b args
	if !a.strange {
		b, rest = dockerRun.leading(rest[1:])
	}
	if a.strange || b.strange {
		s.anyBeginning(base, argv)
		return false
	}
	if len(rest) == 0 {
		return false
	}
	command := rest[1:]
	if at := valuesOf(&b, "entrypoint"); len(at) > 0 {
		command = append([]word{at[len(at)-1]}, command...)
	}
	if len(command) > 0 {
		s.elsewhere(base, command)
	}
	return false
}

// peelKubectl keeps the client, and what exec runs behind --.
func peelKubectl(s *scene, base string, argv []word) bool {
	s.keep(argv)
	at := slices.IndexFunc(argv, func(w word) bool { return w.text == "--" })
	if at > 0 && at+1 < len(argv) && slices.ContainsFunc(argv[:at], func(w word) bool { return w.text == "exec" || w.text == "run" || w.text == "debug" }) {
		s.elsewhere(base, argv[at+1:])
	}
	return false
}
