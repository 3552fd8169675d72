package settings

import (
	"fmt"

	"tenet/core/settings"
)

// Parse reads JSON with comments. The error names line and column.
func Parse(b []byte) (settings.Node, error) {
	d, err := parse(b)
	if err != nil {
		return settings.Node{}, err
	}
	return d.tree(), nil
}

// Tree reads a file of JSON with comments as the settings are read: through links, only
// a plain file, at most MaxSize bytes. there is false without one.
func Tree(name string) (tree settings.Node, there bool, err error) {
	f, err := read(name)
	if err != nil || !f.there {
		return settings.Node{}, false, err
	}
	if tree, err = Parse(f.bytes); err != nil {
		return settings.Node{}, false, fmt.Errorf("%s: %w", name, err)
	}
	return tree, true, nil
}
