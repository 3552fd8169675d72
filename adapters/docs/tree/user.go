package tree

import (
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"tenet/core/doc/ignore"
)

// maxIncludes bounds how deep configuration files include one another, as git does.
const maxIncludes = 10

// UserExcludes are the rules that the user set for every repository: the file that
// core.excludesFile names in the system's or the user's own git configuration, else
// git/ignore below $XDG_CONFIG_HOME. env is the environment in which they are looked
// for; an empty one has none. Conditional includes, and a repository's own core.excludesFile, are not read.
func UserExcludes(env []string) ignore.File {
	if len(env) == 0 {
		return ignore.File{}
	}
	path := excludesFile(environment(env))
	if !filepath.IsAbs(path) {
		return ignore.File{}
	}
	t, _ := readFollowing(path)
	return ignore.Parse(t, "")
}

// environment looks a variable up; of one that is set twice the last counts.
type environment []string

func (e environment) get(name string) (value string, set bool) {
	for _, v := range e {
		if rest, ok := strings.CutPrefix(v, name+"="); ok {
			value, set = rest, true
		}
	}
	return value, set
}

// below is a path below one variable's directory, or below a place in the home.
func (e environment) below(name, inHome, path string) string {
	if dir, _ := e.get(name); dir != "" {
		return filepath.Join(dir, path)
	}
	if home, _ := e.get("HOME"); home != "" {
		return filepath.Join(home, inHome, path)
	}
	return ""
}

// configs are git's configuration files for every repository; a later one wins.
func (e environment) configs() (paths []string) {
	if off, _ := e.get("GIT_CONFIG_NOSYSTEM"); off == "" || off == "0" || off == "false" {
		system, set := e.get("GIT_CONFIG_SYSTEM")
		if !set {
			system = "/etc/gitconfig"
		}
		paths = append(paths, system)
	}
	if own, set := e.get("GIT_CONFIG_GLOBAL"); set {
		return append(paths, own)
	}
	return append(paths, e.below("XDG_CONFIG_HOME", ".config", "git/config"), e.below("HOME", "", ".gitconfig"))
}

func excludesFile(e environment) string {
	path := e.below("XDG_CONFIG_HOME", ".config", "git/ignore")
	for _, config := range e.configs() {
		e.read(config, 0, &path)
	}
	return path
}

// read looks for the setting in one file and in those that it includes, in their places.
func (e environment) read(config string, depth int, found *string) {
	if config == "" || depth > maxIncludes {
		return
	}
	t, err := readFollowing(config)
	if err != nil {
		return
	}
	for s := range ignore.Settings(t) {
		switch s.Name {
		case "core.excludesfile":
			*found = e.expand(s.Value, config)
		case "include.path":
			e.read(e.expand(s.Value, config), depth+1, found)
		}
	}
}

// expand is a path of a configuration file: from the home, or from the file.
func (e environment) expand(path, config string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return e.below("HOME", "", rest)
	}
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(config), path)
}

// readFollowing reads a file of the user, which may well be a link to where they keep it.
func readFollowing(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return readAt(unix.AT_FDCWD, real)
}
