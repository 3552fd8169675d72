package docs

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"

	"tenet/core/doc/scan"
	"tenet/core/surface"
)

// newPattern is what grep looks for: one line at a time, without its ending.
func newPattern(args surface.Args) (*scan.Pattern, error) {
	text, literal := args.Str("pattern", ""), args.Bool("literal")
	switch {
	case text == "":
		return nil, errors.New("the pattern is empty and would match every line; give a text to look for")
	case strings.Contains(text, "\n"), !literal && onlyLineEnd(text):
		return nil, errors.New("the pattern holds a line end, but grep looks at one line at a time; look for one of its lines")
	}
	p, err := scan.Compile(text, scan.Options{Literal: literal, Fold: args.Bool("ignore_case")})
	if err != nil {
		return nil, badPattern(text, err)
	}
	return p, nil
}

// onlyLineEnd reports whether an expression is a text that holds \n, which no line does.
func onlyLineEnd(text string) bool {
	tree, err := syntax.Parse(text, syntax.Perl)
	return err == nil && tree.Op == syntax.OpLiteral && strings.ContainsRune(string(tree.Rune), '\n')
}

func badPattern(text string, err error) error {
	reason := err.Error()
	var se *syntax.Error
	if errors.As(err, &se) {
		reason = fmt.Sprintf("%s: %s", se.Code, se.Expr)
	}
	hint := `RE2 syntax, for example func \w+\( or (foo|bar)\b`
	if strings.HasPrefix(text, "(?") || strings.Contains(text, "(?=") || strings.Contains(text, "(?!") || strings.Contains(text, "(?<") {
		hint = "RE2 has no look-ahead or look-behind: search for the text around it"
	}
	return fmt.Errorf("the pattern %q is not valid (%s); %s. To look for it as plain text, set literal", text, reason, hint)
}
