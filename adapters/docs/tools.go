package docs

import (
	"tenet/core/doc/patch"
	"tenet/core/surface"
)

// Tools are the declarations of the document tools.
func Tools() []surface.Tool {
	return []surface.Tool{readTool, writeTool, editTool, replaceTool, grepTool, globTool, listTool}
}

var readTool = surface.Tool{
	Name: "read",
	Description: "Read a text file. The header [path#TAG] names the version, for edit; rows are LINE:TEXT. At most 32 KiB a call; the result says how to go on. " +
		"A path may end in a selector: f.go:10, f.go:10-20, f.go:10+5, f.go:10-, f.go:3-5,40-60, and :raw for the text alone. Directories are listed, images named.",
	Params: []surface.Param{
		{Name: "path", Type: surface.String, Required: true, Description: "The file, from the workspace."},
		{Name: "line", Type: surface.Integer, Description: "The first line to show, from 1."},
		{Name: "limit", Type: surface.Integer, Description: "How many lines to show."},
		{Name: "offset", Type: surface.Integer, Description: "Go on inside a long line, at this byte of the file."},
	},
}

var writeTool = surface.Tool{
	Name: "write",
	Description: "Create a file, or replace one that you have read. At most 256 KiB. Missing directories are made. " +
		"A replaced file keeps its mode, line endings and byte order mark. To change a part of a file use search_replace.",
	Params: []surface.Param{
		{Name: "path", Type: surface.String, Required: true, Description: "The file, from the workspace."},
		{Name: "content", Type: surface.String, Required: true, Description: "The whole new content, byte for byte."},
	},
}

var editTool = surface.Tool{
	Name:        "edit",
	Description: patch.Description,
	Params: []surface.Param{
		{Name: "patch", Type: surface.String, Required: true, Description: "The sections, as described."},
	},
}

var replaceTool = surface.Tool{
	Name: "search_replace",
	Description: "Replace a text of a file that occurs exactly once. Every other byte stays. " +
		"A line end in old matches LF and CRLF. Nothing is replaced when old is not there exactly, or more than once.",
	Params: []surface.Param{
		{Name: "path", Type: surface.String, Required: true, Description: "The file, from the workspace."},
		{Name: "old", Type: surface.String, Required: true, Description: "The exact text to replace, without line numbers."},
		{Name: "new", Type: surface.String, Required: true, Description: "The text to put there; empty to remove it."},
		{Name: "all", Type: surface.Boolean, Description: "Replace every occurrence."},
	},
}

var grepTool = surface.Tool{
	Name: "grep",
	Description: "Search files for lines that match an RE2 pattern. Each file's rows stand under [path#TAG]: *LINE:TEXT matches, ' LINE:TEXT' is context. " +
		"A page has 20 files with matches, in the order of their paths, and 20 matches of each; one file alone shows 200. The result says how to go on. " +
		"Hidden files are searched; .git and what .gitignore leaves out are not, unless named. What was skipped is told at the end.",
	Params: []surface.Param{
		{Name: "pattern", Type: surface.String, Required: true, Description: "What to look for, one line at a time."},
		{Name: "path", Type: surface.String, Description: "A file or directory; the whole workspace without it. A file may have lines behind it: f.go:300-."},
		{Name: "paths", Type: surface.Strings, Description: "More files or directories."},
		{Name: "glob", Type: surface.String, Description: "Search only files whose name (with a slash: whose path) matches, such as *.go."},
		{Name: "type", Type: surface.String, Description: "Search only files of a type, such as go, py, js, ts, rust, c, cpp, java, md, json, yaml, sh."},
		{Name: "literal", Type: surface.Boolean, Description: "The pattern is plain text."},
		{Name: "ignore_case", Type: surface.Boolean, Description: "Upper and lower case are the same."},
		{Name: "context", Type: surface.Integer, Description: "Lines to show before and after each match, up to 10."},
		{Name: "skip", Type: surface.Integer, Description: "Go on after this many files with matches."},
		{Name: "limit", Type: surface.Integer, Description: "How many matches to show of all files together, up to 200; each file gets one before any gets a second."},
		{Name: "no_ignore", Type: surface.Boolean, Description: "Search ignored files too."},
	},
}

var globTool = surface.Tool{
	Name: "glob",
	Description: "List the paths that match a pattern, newest first, directories with a slash. ** stands for any directories: **/*.go. " +
		"At most 200 a call. Ignore rules as for grep.",
	Params: []surface.Param{
		{Name: "pattern", Type: surface.String, Required: true, Description: "Such as src/**/*.{ts,tsx}; a slash at the end asks for directories."},
		{Name: "path", Type: surface.String, Description: "The directory to start in; the workspace without it."},
		{Name: "limit", Type: surface.Integer, Description: "How many paths to show, up to 200."},
		{Name: "skip", Type: surface.Integer, Description: "Go on after this many paths."},
		{Name: "no_ignore", Type: surface.Boolean, Description: "List ignored paths too."},
	},
}

var listTool = surface.Tool{
	Name:        "list_dir",
	Description: "List one directory: names in order, directories with a slash, links with their target. At most 500 a call.",
	Params: []surface.Param{
		{Name: "path", Type: surface.String, Description: "The directory; the workspace without it."},
		{Name: "skip", Type: surface.Integer, Description: "Go on after this many names."},
	},
}
