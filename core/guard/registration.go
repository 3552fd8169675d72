package guard

import (
	"fmt"
	"slices"
	"strings"
)

// Registration is the first stage: why every call is denied, empty for a policy that
// fits the tools (law unknown_policy_tool_denies_all). A policy that names a tool
// nobody registered is otherwise a silent no-op: it compiles, loads and never fires.
// readErr says why the list of tools could not be read, empty when it was: "could not
// check" must not pass for "checked, fine".
func Registration(named, registered []string, readErr string) (reason string) {
	if readErr != "" {
		return fmt.Sprintf("every call is denied: the list of registered tools cannot be read (%s), so nobody knows whether the policy fits it. Start the session again, or ask the user to", readErr)
	}
	var unknown []string
	for _, n := range named {
		if !slices.Contains(registered, n) && !slices.Contains(unknown, n) {
			unknown = append(unknown, n)
		}
	}
	if len(unknown) == 0 {
		return ""
	}
	return fmt.Sprintf("every call is denied: the policy names tools that are not registered: %s. Ask the user to correct the names; registered are %s", strings.Join(unknown, ", "), strings.Join(registered, ", "))
}
