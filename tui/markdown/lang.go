package markdown

import (
	"strings"
	"sync"
)

// language is what the highlighter knows of one.
type language struct {
	words       map[string]bool
	line        []string // what begins a comment to the line's end
	open, close string   // a comment within signs
	quotes      string   // texts that end on their line
	multi       []string // signs of texts that may go on over lines
	short       bool     // a single quote is a character, or no text at all
	keys        bool     // a word before a colon at the line's start is a key
	diff        bool     // lines are told apart by their first sign
}

// languageOf is the language of a fence's info; nil for one that it does not know.
func languageOf(info string) *language {
	name, _, _ := strings.Cut(strings.ToLower(info), " ")
	name, _, _ = strings.Cut(strings.TrimLeft(name, "{."), "}")
	if name == "" {
		return nil
	}
	return languages()[name]
}

func words(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

// languages is made when the first block of code is drawn.
var languages = sync.OnceValue(func() map[string]*language {
	slashes := []string{"//"}
	golang := &language{line: slashes, open: "/*", close: "*/", quotes: `"'`, multi: []string{"`"}, words: words(`break case chan const continue default defer else
		fallthrough for func go goto if import interface map package range return select struct switch type var nil true false iota`)}
	python := &language{line: []string{"#"}, quotes: `"'`, multi: []string{`"""`, `'''`}, words: words(`and as assert async await break class continue def del
		elif else except finally for from global if import in is lambda match case nonlocal not or pass raise return try while with yield None True False self`)}
	script := &language{line: slashes, open: "/*", close: "*/", quotes: `"'`, multi: []string{"`"}, words: words(`abstract any as async await boolean break case
		catch class const continue default delete do else enum export extends false finally for from function if implements import in instanceof
		interface let new null number of private protected public readonly return static string super switch this throw true try type typeof
		undefined var void while yield`)}
	shell := &language{line: []string{"#"}, quotes: `"'`, words: words(`case do done elif else esac fi for function if in select then until while
		break continue return exit export local readonly set unset shift source eval exec trap cd echo`)}
	rust := &language{line: slashes, open: "/*", close: "*/", quotes: `"'`, short: true, words: words(`as async await break const continue crate dyn else
		enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use
		where while`)}
	c := &language{line: slashes, open: "/*", close: "*/", quotes: `"'`, words: words(`auto bool break case char class const constexpr continue default
		delete do double else enum extern false float for goto if inline int long namespace new nullptr private protected public register return
		short signed sizeof static struct switch template this throw true try typedef typename union unsigned using virtual void volatile while
		NULL include define ifdef ifndef endif final import package extends implements interface super var null`)}
	json := &language{line: slashes, open: "/*", close: "*/", quotes: `"`, words: words("true false null")}
	yaml := &language{line: []string{"#"}, quotes: `"'`, keys: true, words: words("true false null yes no on off")}
	sql := &language{line: []string{"--"}, open: "/*", close: "*/", quotes: `'"`, words: words(`select from where and or not insert into values update set
		delete create table index drop alter join left right inner outer on group by order having limit as distinct null primary key SELECT FROM
		WHERE AND OR NOT INSERT INTO VALUES UPDATE SET DELETE CREATE TABLE INDEX DROP ALTER JOIN LEFT RIGHT INNER OUTER ON GROUP BY ORDER HAVING
		LIMIT AS DISTINCT NULL PRIMARY KEY`)}
	diff := &language{diff: true}
	m := map[string]*language{}
	for l, names := range map[*language]string{
		golang: "go golang", python: "python py python3", script: "js javascript jsx ts typescript tsx mjs", shell: "sh bash zsh shell console fish make makefile dockerfile",
		rust: "rust rs", c: "c h cpp c++ cc hpp java cs csharp kotlin swift", json: "json jsonc json5", yaml: "yaml yml toml ini", sql: "sql", diff: "diff patch",
	} {
		for name := range strings.FieldsSeq(names) {
			m[name] = l
		}
	}
	return m
})
