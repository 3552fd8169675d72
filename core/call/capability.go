package call

import "fmt"

// Capability is what rules are written about: what a call wants to do, never the
// name of the tool that does it (seed 4 §1).
type Capability uint8

// The capabilities.
const (
	FileRead          Capability = iota // read a file or list names
	FileWriteProject                    // write below the project's root
	FileWriteOutside                    // write anywhere else
	ProcessExecute                      // run a command
	ProcessBackground                   // start, feed or stop a process that outlives the call
	NetworkAccess                       // talk to the network
	GitModify                           // change a git repository
	MCPCall                             // call a tool of another program's server
)

// numCapabilities is the size of the enum.
const numCapabilities = 8

var capabilityNames = [numCapabilities]string{
	"file.read", "file.write.project", "file.write.outsideProject", "process.execute",
	"process.background", "network.access", "git.modify", "mcp.call",
}

// String is the capability as settings and questions spell it.
func (c Capability) String() string {
	if int(c) < len(capabilityNames) {
		return capabilityNames[c]
	}
	return fmt.Sprintf("capability(%d)", uint8(c))
}

// Capabilities lists every capability, in the order of the constants.
func Capabilities() []Capability {
	out := make([]Capability, numCapabilities)
	for i := range out {
		out[i] = Capability(i)
	}
	return out
}

// Request is one capability that a step asks for (seed 4 §1.1).
type Request struct {
	Capability Capability
	// Subject is what the patterns of rules are matched against: a real path, or the
	// text of a command with its white space collapsed.
	Subject string
	// Display is the line for a person: "Run npm install".
	Display string
	// Covers is what an allow rule for this request lets the step do unasked. Secret is
	// never in it.
	Covers Effects
	// Patterns may be offered as a standing allow, most specific first; none for what
	// the analyzer did not fully read (seed 4 §3.3).
	Patterns []string
	// ExactOnly is true when only a rule that spells the whole subject may allow it:
	// the analyzer could not read all of it (law obfuscated_never_allowed_by_pattern).
	ExactOnly bool
	// Notes say what is unusual, one sentence each.
	Notes []string
}
