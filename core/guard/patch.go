package guard

import "maps"

// DefaultTimeout is how long a bash call runs, in seconds, when it names no time
// itself (seed 3, defaultBashTimeoutSeconds).
const DefaultTimeout = 120

// TimeoutKey is the argument that Patch fills in.
const TimeoutKey = "timeout"

// Patch is the input that a bash call runs with: its own, with the default timeout
// where it names none. It comes last and for allowed calls only: the input of a denied
// call is handed back as it came (law denied_input_unchanged). args itself is never
// changed: the log and the card hold it.
func Patch(allowed bool, args map[string]any) map[string]any {
	if !allowed {
		return args
	}
	if _, named := args[TimeoutKey]; named {
		return args
	}
	out := maps.Clone(args)
	if out == nil {
		out = map[string]any{}
	}
	out[TimeoutKey] = int64(DefaultTimeout)
	return out
}
