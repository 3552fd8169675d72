package skills

import (
	"path"
	"strings"
)

// Within is a path under a skill's folder, cleaned: its segments walk from the folder
// down, .. goes up one, . and an empty one do not move. One that leaves the folder, and
// be it for a moment, or that starts at the root of the file system, escapes: it is
// rejected, never clamped (S7.6). An empty path is the folder itself.
func Within(name string) (clean string, escapes bool) {
	if strings.HasPrefix(name, "/") || strings.ContainsRune(name, 0) {
		return "", true
	}
	depth := 0
	for _, segment := range strings.Split(name, "/") {
		switch segment {
		case "", ".":
		case "..":
			if depth--; depth < 0 {
				return "", true
			}
		default:
			depth++
		}
	}
	return path.Clean(name), false
}
