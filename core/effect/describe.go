package effect

import (
	"maps"
	"slices"
	"strings"

	"tenet/core/call"
)

// Described is what the table says of one command, for those who read it: the page of
// effects, and the test that no row is untried.
type Described struct {
	// Names are the command's names; a git subcommand has "git " before it.
	Names []string
	// Effects is what it does whatever its words are; none where Reading decides all.
	Effects call.Effects
	// Options are the options that it is vouched for, as written, those that add an
	// effect with it. Any other option makes the command exec.
	Options []DescribedOption
	// Text is true when its operands never name files.
	Text bool
	// Free is true when a word that begins with a dash is an operand like any other.
	Free bool
	// Directory is true when it may read the working directory without naming a path.
	Directory bool
	// Relinks is true when it changes where names lead.
	Relinks bool
	// Reading is the function that reads its words beyond the options, nil for none: its
	// comment says what it does.
	Reading any
}

// DescribedOption is one option of a command.
type DescribedOption struct {
	// Name is the option as written: -o, --output, or a primary of find.
	Name string
	// Value is true when it takes a value.
	Value bool
	// Adds is what it adds to the command's effects.
	Adds call.Effects
}

// Describe lists every command of the table in the order of its rows, then the
// subcommands of git by name.
func Describe() []Described {
	var out []Described
	table() // the rows are parsed when the table is first used
	for _, rows := range [][]row{readRows, writeRows, specialRows()} {
		for i := range rows {
			out = append(out, rows[i].describe())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(gitTable)) {
		out = append(out, gitTable[name].describe(name))
	}
	return out
}

func (r *row) describe() Described {
	d := Described{
		Names: strings.Fields(r.names), Effects: r.does, Options: parseOptions(r.opts).describe(),
		Text: r.text, Free: r.free, Directory: r.cwd != nil, Relinks: r.relinks,
	}
	switch {
	case r.run != nil:
		d.Reading = r.run
		d.Options = specialOptions(d.Names[0])
	case r.more != nil:
		d.Reading = r.more
	}
	return d
}

func (r *gitRow) describe(name string) Described {
	d := Described{Names: []string{"git " + name}, Effects: r.does, Options: r.opts.describe(), Directory: r.cwd != nil}
	if r.more != nil {
		d.Reading = r.more
	}
	for i := range d.Options {
		if d.Options[i].Name == "--help" {
			d.Options[i].Adds = call.Of(call.Exec) // it starts the reader of manuals
		}
	}
	return d
}

// specialOptions are the options of a command whose words are read by a function.
func specialOptions(name string) []DescribedOption {
	switch name {
	case "printenv":
		return printenvOptions.describe()
	case "jq":
		return jqOptions.describe()
	case "find":
		return describePrimaries()
	}
	return nil
}

func describePrimaries() []DescribedOption {
	var out []DescribedOption
	for _, name := range slices.Sorted(maps.Keys(primaries())) {
		p := primaries()[name]
		out = append(out, DescribedOption{Name: name, Value: p.takes > 0, Adds: p.adds})
	}
	return out
}

// describe is the options, short ones first, each kind by name. Every command has
// --help and --version.
func (o options) describe() []DescribedOption {
	var out []DescribedOption
	for _, c := range slices.Sorted(maps.Keys(o.known().short)) {
		out = append(out, DescribedOption{Name: "-" + string(c), Value: o.known().short[c].takes != none, Adds: o.known().short[c].adds})
	}
	long := slices.Clone(o.known().long)
	slices.SortFunc(long, func(a, b option) int { return strings.Compare(a.name, b.name) })
	for _, opt := range long {
		out = append(out, DescribedOption{Name: "--" + opt.name, Value: opt.takes != none, Adds: opt.adds})
	}
	return out
}

// DescribeRunners lists the commands that the table does not vouch for and that run
// another command which stands in their words: all of them are exec, and what they run
// counts as well.
func DescribeRunners() (wrapping, shell, interpreting []string) {
	return slices.Sorted(slices.Values(wrappers)), slices.Sorted(slices.Values(shells)), slices.Sorted(slices.Values(interpreters))
}
