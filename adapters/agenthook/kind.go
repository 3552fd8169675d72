package agenthook

import "fmt"

// Kind is what a call of an agent's tool does, as far as the gate is concerned.
type Kind uint8

// The kinds.
const (
	Shell   Kind = iota // a script for a shell
	Read                // the content of a file
	List                // the names in a directory
	Search              // the lines that match, below a directory
	Write               // a whole file, new or replaced
	Edit                // a part of a file
	Fetch               // something from the network
	Foreign             // a tool of an MCP server, or one that nobody here knows
)

// numKinds is the size of the enum.
const numKinds = 8

// The names of the tools that a Judge is asked about; a Foreign call has its own.
var judgeTools = [numKinds]string{"bash", "read", "list_dir", "grep", "write", "edit", "fetch", ""}

// String is the name of the tool that a Judge is asked about for this kind.
func (k Kind) String() string {
	if int(k) < len(judgeTools) && judgeTools[k] != "" {
		return judgeTools[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Call is one thing that the gate is asked about. A tool of an agent becomes one or
// more of them: a patch is a write for each file, a download a fetch and a write.
type Call struct {
	Kind Kind
	// Tool is the name that the Judge knows: bash, read, list_dir, grep, write, edit,
	// fetch; for Foreign the agent's own.
	Tool string
	// Dir is the absolute directory that the call starts in.
	Dir string
	// Args are the arguments of Tool: command; path; path and content; path and
	// pattern; url. A Foreign call has those of the agent.
	Args map[string]any
}

// MaxCalls is the most calls that one tool call may become; more are blocked.
const MaxCalls = 512

// What names what the call touches: the script, the path, the address or the tool.
func (c Call) What() string {
	for _, key := range []string{"command", "path", "url"} {
		if s, ok := c.Args[key].(string); ok && c.Kind != Foreign {
			return s
		}
	}
	return c.Tool
}
