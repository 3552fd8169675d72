package shell

import (
	"path"
	"slices"
	"strings"
	"syscall"

	"tenet/core/event"
	"tenet/core/jobs"
)

// Mark is the name of a call in the environment of everything that it starts. It is the
// same in every process of tenet that takes the session up, so that what a dead one has
// left behind is known again.
func Mark(session, call string) string { return session + "." + call }

// isOf reports whether a mark in an environment is that of a call.
func isOf(mark, name string) bool { return name != "" && strings.HasSuffix(mark, "."+name) }

// Orphans are the machine's processes as one finds them who has started none of them.
type Orphans struct{}

// Look is what stands under the number of a group that was started in the machine's run
// boot, by the call with the mark.
func (Orphans) Look(boot string, g event.Group, mark string) jobs.Sight {
	now := members(g.PID)
	start, leader := started(g.PID)
	return jobs.Sight{
		Boot: boot == Boot(), Members: len(now) > 0, Leader: leader, Same: leader && start == g.Start,
		Marked: slices.ContainsFunc(now, func(m member) bool { return isOf(callOf(m.pid), mark) }),
	}
}

// Find lists the groups with a process that has the mark, in the order of their numbers.
// Where environments cannot be read it finds nothing.
func (Orphans) Find(mark string) (out []event.Group) {
	everyone(func(m member, group int) {
		known := slices.ContainsFunc(out, func(g event.Group) bool { return g.PID == group })
		if known || !isOf(callOf(m.pid), mark) {
			return
		}
		start, _ := started(group)
		out = append(out, event.Group{PID: group, Start: start, Name: m.name})
	})
	slices.SortFunc(out, func(a, b event.Group) int { return a.PID - b.PID })
	return out
}

// Started is when a process began, in the system's own unit, as Group.Start has it; 0 for
// one that does not exist.
func Started(pid int) int64 {
	start, _ := started(pid)
	return start
}

// Signal asks a whole group to end, or ends it when kill is true. The own group and
// those of the system are never meant.
func (Orphans) Signal(group int, kill bool) {
	if group <= 1 || group == syscall.Getpgrp() {
		return
	}
	if kill {
		syscall.Kill(-group, syscall.SIGKILL)
		return
	}
	syscall.Kill(-group, syscall.SIGTERM)
	syscall.Kill(-group, syscall.SIGCONT) // a stopped process takes TERM only when it goes on
}

// base is a program's name as it is shown.
func base(argv []string) string {
	if len(argv) == 0 {
		return ""
	}
	return path.Base(argv[0])
}
