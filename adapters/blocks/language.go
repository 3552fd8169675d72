package blocks

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"tenet/core/doc"
)

// language is how the texts of one language are read.
type language struct {
	name string
	read func(*text) (grammar, error)
	// checks is true where reading tells a text that parses from one that does not.
	checks bool
	// guess is true where a block is told by its indentation and nothing else.
	guess bool
}

// note is the honest word about an answer.
func (l language) note(t *text, s doc.Span) string {
	if l.guess {
		return "the block was told by its indentation only, since tenet does not know the language of " + t.path + "; look at its first and last line"
	}
	from, _ := t.indent(int(s.From))
	if to, _ := t.indent(int(s.To)); l.checks && to != from && shutsFirst(t, int(s.To)) {
		return "the brackets end the block on a line that is indented otherwise than its first; look at both"
	}
	return ""
}

// shutsFirst is true for a line that begins with a closing bracket.
func shutsFirst(t *text, n int) bool {
	l := t.trimmed(n)
	return len(l) > 0 && strings.IndexByte(")]}", l[0]) >= 0
}

// unknown is a language that has no row.
var unknown = language{name: "indented text", read: readIndented, guess: true}

// languageOf goes by the name's ending, then the whole name, then the first line.
func languageOf(path string, text []byte) language {
	base := strings.ToLower(filepath.Base(path))
	ext := strings.TrimPrefix(filepath.Ext(base), ".")
	if l, ok := byName(names()[base]); ok {
		return l
	}
	if l, ok := byName(extensions()[ext]); ok {
		return l
	}
	if l, ok := byName(interpreter(text)); ok && ext == "" {
		return l
	}
	return unknown
}

func byName(name string) (language, bool) {
	if read, checks, ok := readerOf(name); ok {
		return language{name: name, read: read, checks: checks}, true
	}
	if syn, ok := syntaxes()[name]; ok {
		return language{name: name, read: syn.read, checks: true}, true
	}
	return language{}, false
}

// expr is a regular expression that is compiled when it is first asked for.
type expr func() *regexp.Regexp

func lazy(s string) expr {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(s) })
}

var bang = lazy(`^#! *(?:/\S*/)?(?:env +(?:-S +)?)?([a-z]+)`)

// interpreter is the language that the first line of a script names.
func interpreter(text []byte) string {
	first, _, _ := bytes.Cut(text[:min(len(text), 256)], []byte{'\n'})
	if m := bang().FindSubmatch(first); m != nil {
		return interpreters()[string(m[1])]
	}
	return ""
}

var interpreters = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"python": "Python", "pypy": "Python", "sh": "shell", "bash": "shell", "dash": "shell", "ksh": "shell",
		"node": "JavaScript", "deno": "TypeScript", "bun": "TypeScript", "ruby": "Ruby", "lua": "Lua", "php": "PHP",
	}
})

// names are whole file names, in lower case.
var names = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"rakefile": "Ruby", "gemfile": "Ruby", "vagrantfile": "Ruby", "podfile": "Ruby", "brewfile": "Ruby",
		".bashrc": "shell", ".bash_profile": "shell", ".profile": "shell", "jenkinsfile": "Groovy", "go.mod": "go.mod",
		".eslintrc": "JSON", ".prettierrc": "YAML", ".clang-format": "YAML",
	}
})

// extensions are the endings of names, in lower case without the dot.
var extensions = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"go": "Go", "sh": "shell", "bash": "shell", "bats": "shell", "ksh": "shell",
		"py": "Python", "pyi": "Python", "pyw": "Python", "bzl": "Python", "star": "Python",
		"yaml": "YAML", "yml": "YAML", "md": "Markdown", "markdown": "Markdown", "mdx": "Markdown",
		"html": "HTML", "htm": "HTML", "xhtml": "XML", "xml": "XML", "svg": "XML", "vue": "Vue", "svelte": "Vue",
		"csproj": "XML", "xsd": "XML", "xsl": "XML", "plist": "XML",
		"toml": "TOML", "ini": "INI", "cfg": "INI", "properties": "INI", "editorconfig": "INI",
		"json": "JSON", "jsonc": "JSON", "json5": "JSON", "geojson": "JSON", "ipynb": "JSON", "webmanifest": "JSON",
		"js": "JavaScript", "mjs": "JavaScript", "cjs": "JavaScript", "jsx": "JSX",
		"ts": "TypeScript", "mts": "TypeScript", "cts": "TypeScript", "tsx": "TSX",
		"c": "C", "h": "C++", "cc": "C++", "cpp": "C++", "cxx": "C++", "hh": "C++", "hpp": "C++", "hxx": "C++", "ino": "C++", "cu": "C++", "cuh": "C++",
		"java": "Java", "cs": "C#", "rs": "Rust", "php": "PHP", "phtml": "PHP", "dart": "Dart", "swift": "Swift",
		"kt": "Kotlin", "kts": "Kotlin", "scala": "Scala", "sc": "Scala", "groovy": "Groovy", "gradle": "Groovy",
		"proto": "Protocol Buffers", "graphql": "GraphQL", "gql": "GraphQL", "tf": "HCL", "hcl": "HCL", "tfvars": "HCL", "nomad": "HCL",
		"css": "CSS", "scss": "SCSS", "less": "SCSS", "zig": "Zig", "r": "R",
		"rb": "Ruby", "rake": "Ruby", "gemspec": "Ruby", "ru": "Ruby", "cr": "Ruby", "lua": "Lua", "ex": "Elixir", "exs": "Elixir",
		"clj": "Lisp", "cljs": "Lisp", "cljc": "Lisp", "edn": "Lisp", "el": "Lisp", "lisp": "Lisp", "scm": "Lisp", "rkt": "Lisp",
	}
})

// readers are the languages with a reader of their own; the rest stand in syntaxes.
func readerOf(name string) (read func(*text) (grammar, error), checks, ok bool) {
	switch name {
	case "Go":
		return readGo, true, true
	case "shell":
		return readShell, true, true
	case "Python":
		return readPython, true, true
	case "HTML":
		return readHTML, true, true
	case "XML":
		return readXML, true, true
	case "Vue":
		return readVue, true, true
	case "YAML":
		return readYAML, false, true // what is no YAML cannot be told from what is
	case "TOML":
		return readTOML, true, true
	case "INI":
		return readINI, false, true
	case "Markdown":
		return readMarkdown, false, true // any text is Markdown
	}
	return nil, false, false
}
