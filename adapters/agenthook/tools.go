package agenthook

// shape says where a tool's arguments hold what the gate must see.
type shape struct {
	kind Kind
	// keys name the arguments that hold the command, the paths or the address. Each one
	// that is there is judged; at least one must be, unless optional is set.
	keys []string
	// optional is true for a tool that falls back to the directory it is in.
	optional bool
	// globs name arguments that hold a pattern of names below the path.
	globs []string
	// content names the argument with the new text of a file.
	content string
}

var (
	shellKeys = []string{"command", "cmd"}
	pathKeys  = []string{"file_path", "filePath", "absolute_path", "path", "target_file", "notebook_path"}
	dirKeys   = []string{"path", "dir_path", "directory", "target_directory"}
	patchKeys = []string{"command", "input", "patch", "patchText", "patch_text"}

	shell     = shape{kind: Shell, keys: shellKeys}
	read      = shape{kind: Read, keys: pathKeys}
	readSome  = shape{kind: Read, keys: pathKeys, optional: true}
	readMany  = shape{kind: Read, keys: []string{"paths", "include", "file_paths"}}
	list      = shape{kind: List, keys: dirKeys, optional: true}
	glob      = shape{kind: List, keys: dirKeys, optional: true, globs: []string{"pattern", "glob_pattern"}}
	search    = shape{kind: Search, keys: dirKeys, optional: true, globs: []string{"glob", "include", "include_pattern"}}
	write     = shape{kind: Write, keys: pathKeys, content: "content"}
	create    = shape{kind: Write, keys: pathKeys, content: "file_text"}
	edit      = shape{kind: Edit, keys: pathKeys}
	fetch     = shape{kind: Fetch, keys: []string{"url", "urls"}}
	fetchText = shape{kind: Fetch, keys: []string{"url", "urls", "prompt"}}
	searchWeb = shape{kind: Fetch, keys: []string{"query", "search_term", "objective"}}
)

// shapes are the tools of all agents by their exact names. Agents share names with the
// same meaning; an argument of any spelling is judged wherever it stands.
var shapes = map[string]shape{
	"Bash": shell, "bash": shell, "shell": shell, "Shell": shell, "run_shell_command": shell, "exec_command": shell,
	"local_shell": shell, "shell_command": shell, "run_terminal_command": shell, "run_terminal_cmd": shell, "container.exec": shell,

	"Read": read, "read": read, "read_file": read, "view": read, "view_image": read, "NotebookRead": read, "read_many_files": readMany,
	"lsp_diagnostics": readSome, "lsp_references": readSome, "diagnostics": readSome,

	"LS": list, "ls": list, "list": list, "list_dir": list, "list_directory": list, "Glob": glob, "glob": glob,
	"Grep": search, "grep": search, "rg": search, "grep_search": search, "grep_files": search, "search_file_content": search,

	"Write": write, "write": write, "write_file": write, "create": create, "Delete": edit, "delete": edit,
	"Edit": edit, "MultiEdit": edit, "NotebookEdit": edit, "edit": edit, "multiedit": edit, "replace": edit, "edit_file": edit, "search_replace": edit,

	"WebFetch": fetch, "webfetch": fetch, "fetch": fetch, "web_fetch": fetchText,
	"WebSearch": searchWeb, "web_search": searchWeb, "websearch": searchWeb, "google_web_search": searchWeb, "codesearch": searchWeb, "sourcegraph": searchWeb,
}

// special tools are read by a function of their own.
var special = map[string]func(*reading){
	"apply_patch": (*reading).patch, "applypatch": (*reading).patch, "patch": (*reading).patch,
	"download":      (*reading).download,
	"Monitor":       (*reading).monitor,
	"monitor":       (*reading).monitor,
	"write_stdin":   (*reading).typed,
	"write_bash":    (*reading).typed,
	"Agent":         (*reading).spawn,
	"Task":          (*reading).spawn,
	"agent":         (*reading).spawn,
	"task":          (*reading).spawn,
	"spawn_agent":   (*reading).spawn,
	"agentic_fetch": (*reading).spawnFetch,
}

// free are the tools of each agent that touch nothing: they keep lists, ask the
// person, or look at what runs already. One that carries a path or a command all the
// same is judged as a tool that nobody knows.
var free = [numAgents][]string{
	ClaudeCode: {
		"TodoWrite", "TaskCreate", "TaskGet", "TaskUpdate", "TaskList", "TaskOutput", "TaskStop", "BashOutput", "AgentOutputTool", "KillShell", "KillBash",
		"ExitPlanMode", "EnterPlanMode", "AskUserQuestion", "ToolSearch", "ReportFindings", "StructuredOutput", "ReadNotifications", "CronList",
	},
	Codex:    {"update_plan", "request_user_input", "wait", "wait_agent", "send_input", "close_agent", "resume_agent", "list_agents", "tool_search"},
	Gemini:   {"write_todos", "ask_user", "enter_plan_mode", "exit_plan_mode", "get_internal_docs", "complete_task", "update_topic"},
	Qwen:     {"todo_write", "exit_plan_mode", "ask_user_question", "task_stop", "tool_search"},
	Crush:    {"todos", "job_output", "job_kill", "lsp_restart"},
	OpenCode: {"todowrite", "todoread", "question", "plan_enter", "plan_exit", "invalid"},
	Copilot:  {"report_intent", "update_todo", "ask_user", "read_bash", "stop_bash", "list_bash"},
}
