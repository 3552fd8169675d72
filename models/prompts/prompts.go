// Package prompts lists templates and what is put into them, and says in another way than
// core which places a template has (H7.3).
package prompts

import (
	"iter"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"tenet/core/prompts"
)

// In is a template's body with arguments, or prompts beside commands.
type In struct {
	Body            string
	Args            []string
	Commands, Names []string
}

// Out is what becomes of it.
type Out struct {
	// Text is the body with the arguments in it, Marked with Mark(i) in the place of the
	// i-th, Bare without any.
	Text, Marked, Bare string
	// Split is what is read of the arguments as a person writes them.
	Split []string
	// Calls are the names by which the prompts are called.
	Calls []string
}

// Step asks core: the relation is same. There is one state.
func Step(s struct{}, in In) (struct{}, Out) {
	return s, Out{
		Text:   prompts.Expand(in.Body, in.Args),
		Marked: prompts.Expand(in.Body, Marks(len(in.Args))),
		Bare:   prompts.Expand(in.Body, nil),
		Split:  prompts.Arguments(Quoted(in.Args)),
		Calls:  prompts.Calls(in.Commands, in.Names),
	}
}

// Marks are n arguments that stand nowhere else.
func Marks(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = Mark(i)
	}
	return out
}

// Mark is the i-th of them, counted from 0.
func Mark(i int) string { return "\x01" + strconv.Itoa(i) + "\x02" }

// Quoted are arguments as a person writes them in one line.
func Quoted(args []string) string {
	var out []string
	for _, a := range args {
		out = append(out, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(a)+`"`)
	}
	return strings.Join(out, " ")
}

var places = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\$(?:\$|@|ARGUMENTS|\{@:[0-9]+(?::[0-9]+)?\}|[1-9][0-9]?|0[1-9])`)
})

// Filled is a body with its places filled, by a search for all of them at once.
func Filled(body string, args []string) string {
	return places().ReplaceAllStringFunc(body, func(p string) string { return stands(p[1:], args) })
}

// stands is what stands for a place.
func stands(p string, args []string) string {
	switch {
	case p == "$":
		return "$"
	case p == "@" || p == "ARGUMENTS":
		return strings.Join(args, " ")
	case p[0] != '{':
		n, _ := strconv.Atoi(p)
		return strings.Join(window(args, n, 1), " ")
	}
	first, count, counted := strings.Cut(strings.Trim(p, "{@:}"), ":")
	n, _ := strconv.Atoi(first)
	if !counted {
		return strings.Join(window(args, max(n, 1), len(args)), " ")
	}
	c, _ := strconv.Atoi(count)
	return strings.Join(window(args, max(n, 1), c), " ")
}

// window is count arguments from the nth on, one by one.
func window(args []string, n, count int) (out []string) {
	for i, a := range args {
		if i+1 >= n && len(out) < count {
			out = append(out, a)
		}
	}
	return out
}

// The pieces of bodies, and what is put into them: what looks like a place above all.
var (
	pieces  = []string{"$", "$$", "$1", "$2", "$12", "$0", "1", "$@", "$ARGUMENTS", "${@:2}", "${@:1:1}", "${@:0}", "${@:1", "{@:1}", "x ", "\n"}
	argues  = [][]string{nil, {"a"}, {"$1", "b"}, {"$2", "$1"}, {"$@", "$2", "x y"}, {"$$", "${@:1}", "", `"'\`}, strings.Fields("a b c d e f g h i j k l m")}
	names   = [][]string{{"help", "x"}, {"x", "help"}, {"x", "prompt:x"}, {"prompt:x", "x"}, {"help", "prompt:help", "prompt:prompt:help"}, {"quit"}, {"Help", "quit"}}
	builtin = [][]string{nil, {"help"}, {"x", "quit"}, {"help", "x", "quit"}}
)

// Ops lists every body of up to three pieces with each of the arguments, and names of
// prompts beside names of commands.
func Ops(struct{}) iter.Seq[In] {
	return func(yield func(In) bool) {
		for body := range bodies() {
			for _, args := range argues {
				if !yield(In{Body: body, Args: args}) {
					return
				}
			}
		}
		for _, n := range names {
			for _, commands := range builtin {
				if !yield(In{Commands: commands, Names: n}) {
					return
				}
			}
		}
	}
}

func bodies() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, a := range append([]string{""}, pieces...) {
			for _, b := range append([]string{""}, pieces...) {
				for _, c := range pieces {
					if !yield(a + b + c) {
						return
					}
				}
			}
		}
	}
}
