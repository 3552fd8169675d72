package settings

import "tenet/core/rules"

// Rules reads the rules of a file's permissions, each with the position that 'tenet
// rules list' shows. With any problem there are no rules and the file is refused: a
// deny that was misspelt must not leave a gate open in silence.
func Rules(permissions Node, source rules.Source) ([]rules.Rule, []Problem) {
	if permissions.Kind == Null {
		return nil, nil
	}
	list, wrong := rules.Normalize(source, entry("", 0, permissions))
	var out []Problem
	for _, p := range wrong {
		out = append(out, Problem{Line: p.Line, Key: p.Where, Text: p.Text, Refuses: true})
	}
	return list, out
}

// entry is a value as core/rules reads it. A member stands where its key stands.
func entry(key string, line int, n Node) rules.Entry {
	if line == 0 {
		line = n.Line
	}
	e := rules.Entry{Key: key, Kind: kinds[n.Kind], Text: n.Text, Line: line}
	for _, m := range n.Members {
		e.Items = append(e.Items, entry(m.Name, m.Line, m.Value))
	}
	for _, v := range n.Elements {
		e.Items = append(e.Items, entry("", 0, v))
	}
	return e
}

var kinds = [...]rules.Kind{Null: rules.Other, Number: rules.Other, Bool: rules.Bool, String: rules.Text, List: rules.List, Object: rules.Object}
