package floor

import (
	"slices"
	"strings"

	"tenet/core/call"
)

// formats: every program that makes a file system, whatever it is told to make it on.
func formats(_ Place, c call.Command) bool {
	maker := func(n string) bool {
		return n == "mkfs" || strings.HasPrefix(n, "mkfs.") || n == "mke2fs" || strings.HasPrefix(n, "newfs")
	}
	return called(c, maker, "mkfs") && !onlyTells(c)
}

// overwrites: a redirection to a disk, dd of=, and the copiers and erasers of a disk.
func overwrites(_ Place, c call.Command) bool {
	if slices.ContainsFunc(c.Outs, func(w call.Word) bool { return disk(c.Dir, w) }) {
		return true
	}
	switch {
	case is(c, "dd"):
		return slices.ContainsFunc(c.Words, func(w call.Word) bool { return ddWrites(c.Dir, w) })
	case is(c, "tee", "shred", "wipefs", "blkdiscard", "truncate"):
		return slices.ContainsFunc(rest(c), func(w call.Word) bool { return disk(c.Dir, w) })
	case is(c, "cp", "mv", "install"):
		operands := split(rest(c)).operands
		n := len(operands)
		return n > 0 && disk(c.Dir, operands[n-1])
	}
	return false
}

// ddWrites: of= a device that is more than a place for bytes to vanish in.
func ddWrites(dir string, w call.Word) bool {
	to, ok := strings.CutPrefix(w.Text, "of=")
	p, known := absolute(dir, strings.ReplaceAll(to, call.Hole, ""))
	if !ok || !known || !within(p, "/dev") {
		return false
	}
	switch p {
	case "/dev/null", "/dev/zero", "/dev/full", "/dev/stdout", "/dev/stderr", "/dev/tty":
		return false
	}
	return !within(p, "/dev/fd") && !within(p, "/dev/shm") && !within(p, "/dev/pts")
}

// disks are how the names of disks begin, below /dev.
var disks = strings.Fields("sd hd vd xvd nvme mmcblk disk rdisk dm- md mapper/ loop nbd zd ram")

func disk(dir string, w call.Word) bool {
	places := []string{w.Real}
	if p, ok := absolute(dir, strings.ReplaceAll(w.Text, call.Hole, "")); ok {
		places = append(places, p)
	}
	return slices.ContainsFunc(places, func(p string) bool {
		device, ok := strings.CutPrefix(p, "/dev/")
		return ok && slices.ContainsFunc(disks, func(d string) bool { return strings.HasPrefix(device, d) })
	})
}

// ends are the words by which a service manager stops the machine.
var ends = strings.Fields("poweroff reboot halt kexec soft-reboot poweroff.target reboot.target halt.target kexec.target shutdown.target")

// stops: the programs that stop the machine, and what asks the first process to.
func stops(_ Place, c call.Command) bool {
	switch {
	case is(c, "shutdown", "reboot", "halt", "poweroff"):
		return !onlyTells(c)
	case is(c, "systemctl", "loginctl"):
		return slices.ContainsFunc(rest(c), func(w call.Word) bool { return slices.Contains(ends, w.Text) })
	case is(c, "init", "telinit"):
		operands := split(rest(c)).operands
		return len(operands) > 0 && (operands[0].Text == "0" || operands[0].Text == "6")
	}
	return false
}
