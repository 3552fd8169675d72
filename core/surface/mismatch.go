package surface

import (
	"fmt"
	"strconv"
	"strings"

	"tenet/core/call"
)

// FaultKind is how an argument does not fit. The set is closed.
type FaultKind uint8

// The faults.
const (
	Missing    FaultKind = iota // a required field did not come
	WrongType                   // it is a value of another type
	OutOfRange                  // it is a number outside its bounds
	NotOneOf                    // it is none of the strings that may be
	Undeclared                  // no field of this name is declared
)

// Fault is one thing about the arguments that does not fit.
type Fault struct {
	Kind FaultKind
	// Path names the field as a person writes it: edits[2].old.
	Path string
	// Param is what is declared there.
	Param Param
	// Got is the JSON that came; the message shows its start.
	Got string
	// Near is the declared name that was probably meant, empty when none is near.
	Near string
	// Known are the names that there are, for an undeclared one.
	Known []string
}

// Mismatch is why the arguments of a call were refused.
type Mismatch struct {
	Tool string
	// Whole says what is wrong with the text as a whole; empty when it is about fields.
	Whole string
	// Faults are the first that were found, More how many more there are.
	Faults []Fault
	More   int
}

// Error says all of it in one line, for the model to send the call again.
func (m *Mismatch) Error() string {
	if m.Whole != "" {
		return fmt.Sprintf("the arguments of %s are not one JSON object: %s; send them again as one object", m.Tool, m.Whole)
	}
	out := make([]string, len(m.Faults))
	for i, f := range m.Faults {
		out[i] = f.text(m.Tool)
	}
	if m.More > 0 {
		out = append(out, fmt.Sprintf("and %d more do not fit", m.More))
	}
	return strings.Join(out, "; ")
}

func (f Fault) text(tool string) string {
	path := strconv.Quote(call.OneLine(f.Path, 2*maxGot))
	switch f.Kind {
	case Missing:
		return fmt.Sprintf("%s needs the argument %s (%s): %s", tool, path, f.Param.wants(), f.Param.Description)
	case Undeclared:
		meant := ""
		if f.Near != "" {
			meant = fmt.Sprintf(" (did you mean %q?)", f.Near)
		}
		return fmt.Sprintf("%s has no argument %s; it takes %s%s", tool, path, strings.Join(f.Known, ", "), meant)
	case NotOneOf:
		meant := ""
		if f.Near != "" {
			meant = fmt.Sprintf(" (did you mean %q?)", f.Near)
		}
		return fmt.Sprintf("argument %s of %s: expected one of %s, got %s%s", path, tool, strings.Join(f.Param.shape().Enum, ", "), f.got(), meant)
	case WrongType, OutOfRange:
	}
	return fmt.Sprintf("argument %s of %s: expected %s, got %s", path, tool, f.Param.wants(), f.got())
}

func (f Fault) got() string { return call.OneLine(f.Got, maxGot) }

// wants is a declared type in words.
func (p Param) wants() string {
	s := p.shape()
	switch p.Type {
	case String:
		if len(s.Enum) > 0 {
			return "string, one of " + strings.Join(s.Enum, ", ")
		}
	case Integer, Number:
		return p.Type.String() + within(s)
	case Strings:
		return "array of strings"
	case List:
		return "array of " + item(s).Type.String() + "s"
	case Object:
		if len(s.Fields) > 0 {
			return "object with the fields " + strings.Join(namesOf(s.Fields), ", ")
		}
	case Boolean:
	}
	return p.Type.String()
}

func within(s Shape) string {
	n := func(f *float64) string { return strconv.FormatFloat(*f, 'f', -1, 64) }
	switch {
	case s.Min != nil && s.Max != nil:
		return " from " + n(s.Min) + " to " + n(s.Max)
	case s.Min != nil:
		return " of at least " + n(s.Min)
	case s.Max != nil:
		return " of at most " + n(s.Max)
	}
	return ""
}

func namesOf(ps []Param) []string {
	out := make([]string, len(ps))
	for i, p := range ps {
		out[i] = p.Name
	}
	return out
}

func indexed(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

func nearest(name string, fields []Param) string { return nearestOf(name, namesOf(fields)) }

// nearestOf is the known name that was probably meant: the same letters but for case
// and separators, one that the other holds, or the one that the fewest changes lead to.
func nearestOf(name string, known []string) string {
	best, least := "", 1+max(1, (min(len(name), maxNear)+1)/3)
	for _, k := range known {
		a, b := plain(name), plain(k)
		d := call.Distance(a, b)
		if len(a) > 2 && len(b) > 2 && (strings.Contains(a, b) || strings.Contains(b, a)) {
			d = min(d, 1)
		}
		if d < least {
			best, least = k, d
		}
	}
	return best
}

// maxNear bounds the names whose distance is taken.
const maxNear = 64

func plain(s string) string {
	if len(s) > maxNear {
		s = s[:maxNear]
	}
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(s))
}
