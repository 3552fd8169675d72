package agenthook

import (
	"slices"
	"strings"
)

const patchBegin = "*** Begin Patch"

// patchHeads start the lines of a patch that name a file.
var patchHeads = []string{"*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:"}

// patchMarks are its other lines of that form.
var patchMarks = []string{patchBegin, "*** End Patch", "*** End of File"}

// patch reads a patch of several files: each file that it adds, changes, deletes or
// moves to is written.
func (in *reading) patch() {
	found := in.texts(patchKeys)
	if len(found) == 0 {
		in.fail("it holds no patch")
	}
	for _, text := range found {
		in.patchText(text, in.req.Cwd)
	}
}

func (in *reading) patchText(text, dir string) {
	paths, bad := patchPaths(text)
	if bad != "" {
		in.fail("the patch %s", bad)
	}
	in.patched(paths, dir)
}

// patchIn judges the patch that a script may hand to apply_patch: some agents take that
// command out of a script and apply the patch themselves.
func (in *reading) patchIn(script, dir string) {
	if !strings.Contains(script, patchBegin) {
		return
	}
	paths, bad := patchPaths(script)
	if bad != "" && (strings.Contains(script, "apply_patch") || strings.Contains(script, "applypatch")) {
		in.fail("the patch %s", bad)
	}
	in.patched(paths, dir)
}

func (in *reading) patched(paths []string, dir string) {
	for _, p := range paths {
		for _, m := range meanings(p, in.home) {
			in.add(Edit, dir, map[string]any{"path": m})
		}
	}
}

// patchPaths are the files that a patch names. Blanks around a line are ignored, as
// the agents that apply patches ignore them: a line of the new text that looks like a
// head is then judged as well, which costs a question and loses nothing. bad says what
// is wrong, empty when nothing is.
func patchPaths(text string) (paths []string, bad string) {
	if !strings.Contains(text, patchBegin) {
		return nil, "does not begin with " + patchBegin
	}
	for line := range strings.Lines(text) {
		path, isHead := patchHead(strings.TrimSpace(line))
		switch {
		case isHead && path == "":
			return paths, "has a head without a file"
		case isHead:
			paths = append(paths, path)
		case strings.HasPrefix(line, "*** ") && !isMark(line):
			return paths, "has a line of an unknown form"
		}
	}
	if len(paths) == 0 {
		return nil, "names no file"
	}
	return paths, ""
}

// patchHead is the file that a line names.
func patchHead(line string) (path string, ok bool) {
	for _, h := range patchHeads {
		if rest, ok := strings.CutPrefix(line, h); ok {
			return strings.TrimSpace(rest), true
		}
	}
	return "", false
}

func isMark(line string) bool {
	return slices.ContainsFunc(patchMarks, func(m string) bool { return strings.HasPrefix(line, m) })
}
