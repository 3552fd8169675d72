package shell

import (
	"os"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// special is a built-in that no program can stand in for, because it speaks about the
// shell itself.
func (r *run) special(name string, p *plan, st *stage) act {
	switch name {
	case "true", "false":
		return func(*desk) int {
			if name == "false" {
				return 1
			}
			return 0
		}
	case "cd":
		home := r.with(st.assigns, "HOME")
		return func(d *desk) int { return d.cd(p.args, home) }
	case "export":
		return func(d *desk) int { return d.export(p.args) }
	case "exit":
		return func(d *desk) int { return d.exit(p.args) }
	}
	return nil
}

func (r *run) with(over []assign, name string) string {
	r.vars.over = over
	defer func() { r.vars.over = nil }()
	return r.vars.value(name)
}

// cd changes the script's directory. Like bash it keeps the way it came, links
// included, so that cd .. goes back.
func (d *desk) cd(args []string, home string) int {
	to, show, fault := d.run.destination(args, home)
	switch {
	case strings.HasSuffix(fault, invalidOption):
		d.say("%s", fault)
		return 2
	case fault != "":
		return d.say("%s", fault)
	case to == "":
		return 0
	}
	dir, status := d.enterable(to)
	if status == 0 && show {
		d.puts(dir + "\n")
	}
	if status == 0 && !d.sub {
		d.run.enter(dir)
	}
	return d.end(status)
}

const invalidOption = ": invalid option"

// destination is where a cd goes, and whether it prints that; empty for cd "". fault
// is what bash says of one that goes nowhere.
func (r *run) destination(args []string, home string) (to string, show bool, fault string) {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	switch {
	case len(args) > 1:
		return "", false, "too many arguments"
	case len(args) == 0 && home == "":
		return "", false, "HOME not set"
	case len(args) == 0:
		return home, false, ""
	case args[0] == "-":
		old, ok := r.vars.get("OLDPWD")
		if !ok {
			return "", false, "OLDPWD not set"
		}
		return old.value, true, ""
	case strings.HasPrefix(args[0], "-"):
		return "", false, args[0] + invalidOption
	default:
		return args[0], false, ""
	}
}

// enter moves the script to a directory.
func (r *run) enter(dir string) {
	r.vars.export("OLDPWD", r.dir)
	r.vars.export("PWD", dir)
	r.dir = dir
}

// enterable is the directory to go to, if one may.
func (d *desk) enterable(to string) (dir string, status int) {
	raw := absIn(d.dir, to)
	fi, err := os.Stat(raw)
	dir = path.Clean(raw)
	switch {
	case err != nil:
		return "", d.say("%s: %s", to, unixText(err))
	case !fi.IsDir():
		return "", d.say("%s: Not a directory", to)
	case unix.Access(dir, unix.X_OK) != nil:
		return "", d.say("%s: Permission denied", to)
	}
	return dir, 0
}

// export marks names for the environment of what runs later.
func (d *desk) export(args []string) int {
	status := 0
	for _, a := range args {
		if name, _, _ := strings.Cut(a, "="); !validName(name) {
			status = d.say("`%s': not a valid identifier", a)
		}
	}
	if !d.sub {
		d.run.export(args)
	}
	return status
}

// export marks and sets the names that are names.
func (r *run) export(args []string) {
	for _, a := range args {
		name, value, has := strings.Cut(a, "=")
		switch {
		case !validName(name):
		case has:
			r.vars.export(name, value)
		default:
			r.vars.mark(name)
		}
	}
}

func validName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// exit ends the script with a status, by default that of the last command.
func (d *desk) exit(args []string) int {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	status := d.run.status
	if len(args) > 0 {
		n, err := strconv.ParseInt(strings.TrimSpace(args[0]), 10, 64)
		switch {
		case err != nil:
			d.say("%s: numeric argument required", args[0])
			n = 2
		case len(args) > 1:
			n = 1
			d.say("too many arguments")
		}
		status = int(n & 255)
	}
	if !d.sub {
		d.run.exited = true
	}
	return status
}

func planPwd(p *plan) act {
	if len(p.args) > 0 {
		return nil
	}
	return func(d *desk) int {
		d.puts(d.dir + "\n")
		return d.end(0)
	}
}

// planEcho takes what bash's echo and the C one print alike: no -e, which reads
// escapes.
func planEcho(p *plan) act {
	args, newline := p.args, "\n"
	for len(args) > 0 && isEchoOption(args[0]) {
		if strings.Contains(args[0], "e") {
			return nil
		}
		if strings.Contains(args[0], "n") {
			newline = ""
		}
		args = args[1:]
	}
	return func(d *desk) int {
		d.puts(strings.Join(args, " ") + newline)
		return d.end(0)
	}
}

func isEchoOption(s string) bool {
	return len(s) > 1 && s[0] == '-' && strings.Trim(s[1:], "neE") == ""
}
