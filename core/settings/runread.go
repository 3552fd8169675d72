package settings

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// run reads the settings of a run into r. What cannot be read counts as unset, with a
// warning: what holds already stays. Keys of a wider scope than most are left out.
func (r *reader) run(file Node, most Scope, run *Run) {
	r.object("", file, r.group("", most, run))
}

// group is how the members of one object are read: its own keys, and the objects in it.
func (r *reader) group(prefix string, most Scope, run *Run) map[string]func(string, Node) {
	known := map[string]func(string, Node){}
	for _, k := range keys {
		rest, ok := strings.CutPrefix(k.Name, prefix)
		if !ok || k.show == nil || k.Scope > most {
			continue
		}
		first, _, deeper := strings.Cut(rest, ".")
		switch {
		case !deeper:
			known[first] = func(key string, n Node) { r.one(k, key, n, run) }
		case known[first] == nil:
			known[first] = func(key string, n Node) { r.nested(key, n, most, run) }
		}
	}
	return known
}

func (r *reader) nested(key string, n Node, most Scope, run *Run) {
	if n.Kind != Object {
		r.warn(n, key, "it is %s and should be an object; it counts as unset", n.Kind)
		return
	}
	r.object(key+".", n, r.group(key+".", most, run))
}

// one reads the value of one key.
func (r *reader) one(k Key, key string, n Node, run *Run) {
	switch {
	case k.Name == "allowedModels":
		run.Allowed = r.allowed(key, n)
	case n.Kind != k.Kind:
		r.warn(n, key, "it is %s and should be %s; it counts as unset", n.Kind, k.Kind)
	case k.num != nil:
		r.number(k, key, n, run)
	case k.flag != nil:
		k.flag(run, n.Text == "true")
	case k.text != nil:
		r.word(k, key, n, run)
	case k.list != nil:
		r.texts(k, key, n, run)
	}
}

func (r *reader) number(k Key, key string, n Node, run *Run) {
	v, ok := whole(n.Text)
	switch {
	case ok && v == 0 && k.Zero:
		k.num(run, k.Default)
	case ok && v >= k.Min && v <= k.Max:
		k.num(run, v)
	default:
		r.warn(n, key, "%s is not in the range of %s; it counts as unset", n.Text, k.Range())
	}
}

// whole is a number without a fraction, however it is written.
func whole(s string) (int64, bool) {
	if v, err := strconv.ParseInt(s, 10, 64); err == nil {
		return v, true
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// Range says which numbers a key takes.
func (k Key) Range() string {
	out := number(k.Min) + " to " + number(k.Max)
	if k.Zero {
		out += " (0 is the default of " + number(k.Default) + ")"
	}
	return out
}

func (r *reader) word(k Key, key string, n Node, run *Run) {
	switch {
	case k.Words != nil && !slices.Contains(k.Words, n.Text):
		r.warn(n, key, "there is no %q, only %s; it counts as unset", n.Text, strings.Join(k.Words, ", "))
	case !plainText(n.Text):
		r.warn(n, key, "it is %s; it counts as unset", kindOrOdd(n))
	default:
		k.text(run, n.Text)
	}
}

func (r *reader) texts(k Key, key string, n Node, run *Run) {
	out := []string{}
	for _, e := range n.Elements {
		if e.Kind != String || e.Text == "" || strings.ContainsRune(e.Text, 0) {
			r.warn(e, key, "an element of it is %s and should be a string; the whole list counts as unset", kindOrOdd(e))
			return
		}
		out = append(out, e.Text)
	}
	k.list(run, out)
}

// mayProject is whose a member of a project's file is: WithTrust and UserOnly ones are
// withheld, and so is what nobody knows.
func mayProject(member string) Scope {
	for _, k := range keys {
		if first, _, _ := strings.Cut(k.Name, "."); first == member {
			return k.Scope
		}
	}
	return UserOnly
}

// Waiting names the keys of a project's file that count only with trust.
func Waiting(file Node) (out []string) {
	for _, m := range file.Members {
		if mayProject(m.Name) == WithTrust && m.Value.Kind != Null && !slices.Contains(out, m.Name) {
			out = append(out, m.Name)
		}
	}
	return out
}

// Sets names the settings of a run that a file sets and that count there, those of no wider
// scope than most, by the order of the table. A value that cannot be read sets nothing.
func Sets(file Node, most Scope) (out []string) {
	for _, k := range keys {
		n, ok := file.Path(k.Name)
		if !ok || k.show == nil || k.Scope > most {
			continue
		}
		r, run := &reader{}, DefaultRun()
		if r.one(k, k.Name, n, &run); len(r.problems) == 0 || k.Name == "allowedModels" {
			out = append(out, k.Name)
		}
	}
	return out
}
