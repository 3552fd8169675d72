package doc

import (
	"maps"
	"slices"
	"strings"
)

// fileTypes are the names of the types that a search can be narrowed to, with the
// endings of their files' names; a name without a dot is a whole name.
var fileTypes = map[string]string{
	"asm":        ".s .S .asm",
	"bazel":      ".bzl .bazel BUILD WORKSPACE",
	"c":          ".c .h",
	"cmake":      ".cmake CMakeLists.txt",
	"cpp":        ".cc .cpp .cxx .c++ .C .h .hh .hpp .hxx .h++ .inl .ipp",
	"cs":         ".cs",
	"css":        ".css .scss .sass .less",
	"csv":        ".csv .tsv",
	"dart":       ".dart",
	"docker":     ".dockerfile Dockerfile Containerfile",
	"elixir":     ".ex .exs .heex",
	"erlang":     ".erl .hrl",
	"go":         ".go",
	"graphql":    ".graphql .gql",
	"haskell":    ".hs .lhs",
	"html":       ".html .htm .xhtml",
	"java":       ".java",
	"js":         ".js .jsx .mjs .cjs",
	"json":       ".json .jsonl .ndjson .json5",
	"julia":      ".jl",
	"kotlin":     ".kt .kts",
	"lua":        ".lua",
	"make":       ".mk .mak Makefile makefile GNUmakefile",
	"md":         ".md .markdown .mdx",
	"nix":        ".nix",
	"ocaml":      ".ml .mli",
	"perl":       ".pl .pm .t",
	"php":        ".php",
	"proto":      ".proto",
	"py":         ".py .pyi .pyw",
	"r":          ".r .R .Rmd",
	"ruby":       ".rb .rake .gemspec Gemfile Rakefile",
	"rust":       ".rs",
	"scala":      ".scala .sc .sbt",
	"sh":         ".sh .bash .zsh .ksh .fish",
	"sql":        ".sql",
	"svelte":     ".svelte",
	"swift":      ".swift",
	"tex":        ".tex .bib .sty .cls",
	"tf":         ".tf .tfvars",
	"toml":       ".toml",
	"ts":         ".ts .tsx .mts .cts",
	"txt":        ".txt .text",
	"vue":        ".vue",
	"xml":        ".xml .xsd .xsl .svg",
	"yaml":       ".yaml .yml",
	"zig":        ".zig",
	"javascript": ".js .jsx .mjs .cjs",
	"markdown":   ".md .markdown .mdx",
	"python":     ".py .pyi .pyw",
	"typescript": ".ts .tsx .mts .cts",
}

// FileTypes are the names of the types in order.
func FileTypes() []string { return slices.Sorted(maps.Keys(fileTypes)) }

// FileType is the endings of a type; ok is false for a name that is none.
func FileType(name string) (endings []string, ok bool) {
	list, ok := fileTypes[name]
	return strings.Fields(list), ok
}

// OfType reports whether a file's name has one of the endings.
func OfType(name string, endings []string) bool {
	for _, e := range endings {
		if name == e || e[0] == '.' && strings.HasSuffix(name, e) {
			return true
		}
	}
	return false
}
