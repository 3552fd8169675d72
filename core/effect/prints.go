package effect

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"tenet/core/call"
)

// maxInput bounds the text that is followed through a pipe, maxTraced how often one is:
// beyond it nobody knows what a shell reads.
const (
	maxInput  = 1 << 14
	maxTraced = 4000
)

// Pipe says of each stage of a pipeline what it reads: the program before it, and the
// text that surely arrives. The stages are changed in place.
func Pipe(stages []Command) {
	for i := 1; i < len(stages); i++ {
		before := &stages[i-1]
		stages[i].Fed = call.Hole
		if argv := before.argv(); len(argv) > 0 && argv[0].sure == exact && argv[0].text != "" {
			stages[i].Fed = baseName(argv[0].text)
		}
		stages[i].Input = ""
		if text, ok := prints(before.argv(), before.Input); ok && !movesOutput(before.Redirs) {
			stages[i].Input = text
		}
	}
}

// movesOutput reports whether a redirection sends the output elsewhere.
func movesOutput(redirs []Redirect) bool {
	for _, r := range redirs {
		switch r.Op {
		case Out, Append, Both, In, ReadWrite:
			return true
		case ErrOut, ErrAppend, Dup:
		}
	}
	return false
}

// prints is the text that a command prints, given the text that it reads; ok is false
// for one of which that is not known.
func prints(argv []word, input string) (text string, ok bool) {
	if len(argv) == 0 {
		return "", false
	}
	for _, w := range argv {
		if w.sure != exact {
			return "", false
		}
	}
	switch argv[0].text {
	case "echo":
		text, ok = echoes(argv[1:])
	case "printf":
		text, ok = formats(argv[1:])
	case "cat":
		text, ok = input, len(argv) == 1 && input != ""
	case "tee":
		text, ok = input, input != ""
	}
	if !ok || len(text) > maxInput {
		return "", false
	}
	return text, true
}

// echoes is what bash's echo prints.
func echoes(words []word) (string, bool) {
	end, escapes := "\n", false
	for len(words) > 0 && len(words[0].text) > 1 && words[0].text[0] == '-' && strings.Trim(words[0].text[1:], "neE") == "" {
		if strings.Contains(words[0].text, "n") {
			end = ""
		}
		escapes = strings.LastIndexByte(words[0].text, 'e') > strings.LastIndexByte(words[0].text, 'E')
		words = words[1:]
	}
	text := joined(words) + end
	if escapes {
		return escapesOf(text), true
	}
	return text, true
}

// formats is what printf prints for the directives that keep a word as it is.
func formats(words []word) (string, bool) {
	if len(words) > 0 && words[0].text == "--" {
		words = words[1:]
	}
	if len(words) == 0 || words[0].option() {
		return "", false
	}
	format, args := escapesOf(words[0].text), words[1:]
	var b strings.Builder
	for first := true; first || len(args) > 0; first = false {
		rest, ok := formatOnce(&b, format, args)
		if !ok || len(rest) == len(args) && len(args) > 0 || b.Len() > maxInput {
			return "", false
		}
		args = rest
	}
	return b.String(), true
}

func formatOnce(b *strings.Builder, format string, args []word) (rest []word, ok bool) {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			b.WriteByte(format[i])
			continue
		}
		i++
		if i == len(format) {
			return nil, false
		}
		arg := ""
		if format[i] != '%' && len(args) > 0 {
			arg, args = args[0].text, args[1:]
		}
		switch format[i] {
		case '%':
			b.WriteByte('%')
		case 's':
			b.WriteString(arg)
		case 'b':
			b.WriteString(escapesOf(arg))
		case 'd', 'i':
			if _, err := strconv.Atoi(arg); err != nil {
				return nil, false
			}
			b.WriteString(arg)
		default:
			return nil, false
		}
	}
	return args, true
}

// escapesOf is a text with the escapes of printf and echo -e decoded. Those that only
// one of them knows are decoded as well: what is judged twice is judged.
func escapesOf(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	return ansi(text)
}

// output is the text that a statement of a script prints.
func (w *walker) output(st *syntax.Stmt) (text string, ok bool) {
	if w.traced++; w.traced > maxTraced || st == nil || st.Negated || st.Background {
		return "", false
	}
	input := ""
	for _, r := range st.Redirs {
		if r.Op != syntax.Hdoc && r.Op != syntax.DashHdoc && r.Op != syntax.WordHdoc {
			return "", false
		}
		input = w.hereText(r)
	}
	switch c := st.Cmd.(type) {
	case *syntax.CallExpr:
		var argv []word
		for _, a := range c.Args {
			argv = append(argv, w.fields(a)...)
		}
		if input == "" {
			input = w.input
		}
		return prints(argv, input)
	case *syntax.Block:
		return w.outputs(c.Stmts)
	case *syntax.Subshell:
		return w.outputs(c.Stmts)
	case *syntax.BinaryCmd:
		return w.outputOfBoth(c)
	}
	return "", false
}

func (w *walker) outputOfBoth(c *syntax.BinaryCmd) (string, bool) {
	switch c.Op {
	case syntax.AndStmt:
		return w.outputs([]*syntax.Stmt{c.X, c.Y})
	case syntax.Pipe:
		text, ok := w.output(c.X)
		if !ok {
			return "", false
		}
		around := w.site
		w.input = text
		text, ok = w.output(c.Y)
		w.site = around
		return text, ok
	case syntax.OrStmt, syntax.PipeAll:
	}
	return "", false
}

func (w *walker) outputs(stmts []*syntax.Stmt) (string, bool) {
	all := ""
	for _, st := range stmts {
		text, ok := w.output(st)
		if !ok {
			return "", false
		}
		all += text
	}
	return all, len(all) <= maxInput
}

// hereText is the text of a here-document or a here-string, empty when it is not known.
func (w *walker) hereText(r *syntax.Redirect) string {
	words := []word(nil)
	if r.Hdoc != nil {
		words = w.document(r.Hdoc)
	} else if r.Word != nil {
		words = w.fields(r.Word)
	}
	if len(words) != 1 || words[0].sure != exact {
		return ""
	}
	return words[0].text
}

// substituted says that a shell among the words reads what a process substitution
// prints.
func (w *walker) substituted(c *syntax.CallExpr) {
	for _, a := range c.Args {
		w.substitutedInput(a)
	}
}

func (w *walker) substitutedInput(a *syntax.Word) {
	if a == nil || len(a.Parts) != 1 {
		return
	}
	sub, ok := a.Parts[0].(*syntax.ProcSubst)
	if !ok || sub.Op != syntax.CmdIn {
		return
	}
	w.site.fed = call.Hole
	if c := lastCall(sub.Stmts); c != nil && len(c.Args) > 0 {
		if name := baseName(plainText(c.Args[0])); name != "" {
			w.site.fed = name
		}
	}
	w.guessed(func() { w.site.input, _ = w.outputs(sub.Stmts) })
}

// lastCall is the simple command at the end of a list, nil for another end.
func lastCall(stmts []*syntax.Stmt) *syntax.CallExpr {
	if len(stmts) == 0 {
		return nil
	}
	switch c := stmts[len(stmts)-1].Cmd.(type) {
	case *syntax.CallExpr:
		return c
	case *syntax.BinaryCmd:
		return lastCall([]*syntax.Stmt{c.Y})
	}
	return nil
}
