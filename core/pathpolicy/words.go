package pathpolicy

import "strings"

// within reports whether path is dir or lies under it. Both are absolute and clean.
func within(path, dir string) bool {
	return path == dir || below(path, dir)
}

// below reports whether path lies under dir and is not dir.
func below(path, dir string) bool {
	if dir == "/" {
		return len(path) > 1
	}
	return len(path) > len(dir) && path[len(dir)] == '/' && path[:len(dir)] == dir
}

// parent is the directory that holds path; of / it is /.
func parent(path string) string {
	if i := strings.LastIndexByte(path, '/'); i > 0 {
		return path[:i]
	}
	return "/"
}

// components is the names of a path; the root has none.
func components(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
}

// hasComponent reports whether any component of the path passes the test.
func hasComponent(path string, test func(string) bool) bool {
	for c := range strings.SplitSeq(path, "/") {
		if c != "" && test(c) {
			return true
		}
	}
	return false
}

// environ reports whether the path shows a process its environment, where
// credentials live: /proc/<pid>/environ, its tasks', and the spelling /proc/self
// that an environment dump stands for. The memory of a process holds it as well.
func environ(path string) bool {
	rest, ok := strings.CutPrefix(path, "/proc/")
	return ok && (strings.HasSuffix(rest, "/environ") || strings.HasSuffix(rest, "/mem"))
}

// foreign reports whether a real path still goes through a link of the kernel's to what
// another process has: its root, its directory, its open files. A resolution follows such
// a link; where it could not be trusted to say where it leads (a process of a container
// names its own root "/") it stays in the path, and what lies behind may be anything.
func foreign(path string) bool {
	rest, ok := strings.CutPrefix(path, "/proc/")
	if !ok {
		return false
	}
	pid, rest, _ := strings.Cut(rest, "/")
	if pid == "" || strings.Trim(pid, "0123456789") != "" {
		return false
	}
	if task, ok := strings.CutPrefix(rest, "task/"); ok {
		_, rest, _ = strings.Cut(task, "/")
	}
	link, _, _ := strings.Cut(rest, "/")
	return link == "root" || link == "cwd" || link == "fd" || link == "map_files"
}

// holdsEnviron reports whether a directory holds such a file.
func holdsEnviron(path string) bool {
	if path == "/" || path == "/proc" {
		return true
	}
	rest, ok := strings.CutPrefix(path, "/proc/")
	if !ok {
		return false
	}
	pid, task, deep := strings.Cut(rest, "/")
	if !process(pid) {
		return false
	}
	name, thread, _ := strings.Cut(task, "/")
	return !deep || name == "task" && !strings.Contains(thread, "/")
}

func process(name string) bool {
	if name == "self" || name == "thread-self" {
		return true
	}
	return name != "" && strings.Trim(name, "0123456789") == ""
}
