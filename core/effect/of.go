package effect

import (
	"strings"

	"tenet/core/call"
	"tenet/core/pathpolicy"
)

// Of is what one simple command may do: every effect of its name, its options, the
// paths it names and its redirections (S7.8). A name the table does not have is exec.
func Of(c Command, look Look) Finding {
	s := scene{look: look}
	s.fed, s.input = c.Fed, c.Input
	if len(c.Assigns) > 0 {
		s.exec("an assignment can make a command run another program")
		s.loose(assigned(c.Assigns))
		s.assigns(c.Assigns)
	}
	for _, r := range c.Redirs {
		w := planned(r.Path)
		s.redirect(r.Op, w)
		s.written(r.Op, w)
	}
	s.perform(s.orNothing(c.argv()))
	return s.finding()
}

func (s *scene) finding() Finding {
	return Finding{Effects: Join(s.part), Relinks: s.relinks, Notes: s.notes, Class: s.classed(), Commands: s.commands, Paths: append(s.paths, s.more...), Hazards: s.hazards}
}

// assigns keeps the variables that stand before a command: whoever allows the command
// must see them.
func (s *scene) assigns(assigns []string) {
	s.given = map[string]value{}
	for _, a := range assigns {
		s.around(a)
		name, text, _ := strings.Cut(a, "=")
		s.given[name] = value{text: text, known: !strings.Contains(text, call.Hole)}
	}
}

// written keeps the file that a redirection writes.
func (s *scene) written(op RedirOp, w word) {
	switch op {
	case Dup, In:
	case Out, Append, Both, ErrOut, ErrAppend, ReadWrite:
		if w.sure != exact || !w.sink() {
			s.outs = append(s.outs[:len(s.outs):len(s.outs)], w)
		}
	}
}

// orNothing is the command that a redirection without one stands for.
func (s *scene) orNothing(argv []word) []word {
	if len(argv) == 0 && len(s.outs) > 0 {
		return []word{{text: ":"}}
	}
	return argv
}

func assigned(assigns []string) []word {
	out := make([]word, 0, len(assigns))
	for _, a := range assigns {
		_, value, _ := strings.Cut(a, "=")
		out = append(out, word{text: value})
	}
	return out
}

// runs judges a command by its words.
func (s *scene) runs(argv []word) {
	if len(argv) == 0 || s.over {
		return
	}
	name := argv[0]
	base := baseName(name.text)
	r := table()[base]
	switch {
	case name.sure != exact:
		s.exec("the program is known only when it runs")
		r = nil
	case base != name.text:
		s.exec("%q is run as the file it names, whatever its name", cited(name.text))
	case r == nil:
		s.exec("%q is not in the effect table", cited(name.text))
	}
	if r != nil {
		r.judge(s, argv)
		return
	}
	s.loose(argv[1:])
	if changes(base) {
		s.changed(base, argv[1:])
	}
	s.wraps(base, argv)
}

// changed judges the words of a program that is known to write what it names, and whose
// options nobody vouches for. Only the last word of one that copies is written.
func (s *scene) changed(base string, words []word) {
	for i, w := range words {
		if w = named(base, w); w.text == "" && w.sure == exact {
			continue
		}
		if _, isURL := w.url(); !isURL {
			s.asRead = copies(base) && i < len(words)-1
			s.writes(w)
		}
	}
	s.asRead = false
}

func copies(base string) bool {
	return base == "install" || base == "rsync" || base == "link" || base == "scp"
}

// redirect judges one redirection's target.
func (s *scene) redirect(op RedirOp, w word) {
	switch op {
	case Dup:
	case In:
		s.add(reads)
		s.names(w)
	case ReadWrite:
		s.add(both)
		s.writes(w)
	case Out, Append, Both, ErrOut, ErrAppend:
		if w.sink() {
			return
		}
		s.add(writes)
		s.writes(w)
	}
	if strings.HasPrefix(w.text, "/dev/tcp/") || strings.HasPrefix(w.text, "/dev/udp/") {
		s.add(net)
		s.note("%q is a connection to the network in bash", cited(w.text))
	}
}

// in is the same scene in another directory; dir is as written, "" for this one.
func (s *scene) in(dir string) *scene {
	if dir != "" {
		s.look = shifted{Look: s.look, dir: dir}
	}
	return s
}

// shifted is a Look from another directory.
type shifted struct {
	Look
	dir string
}

// Word judges the word from the other directory.
func (l shifted) Word(w string) pathpolicy.Target { return l.Look.Word(join(l.dir, w)) }

// Pattern judges the pattern from the other directory.
func (l shifted) Pattern(w string) pathpolicy.Target { return l.Look.Pattern(join(l.dir, w)) }

// Tree judges the tree from the other directory.
func (l shifted) Tree(w string) pathpolicy.Target { return l.Look.Tree(join(l.dir, w)) }

// Exists asks from the other directory.
func (l shifted) Exists(w string) bool { return l.Look.Exists(join(l.dir, w)) }

// Dir judges the other directory.
func (l shifted) Dir() pathpolicy.Target { return l.Look.Word(l.dir) }

// join is a path written from a directory: nothing is cleaned, since what ".."
// means is for the resolution to say.
func join(dir, path string) string {
	if dir == "" || strings.HasPrefix(path, "/") {
		return path
	}
	return dir + "/" + path
}

// nowhere is the Look for questions about a command alone: every path is inside.
type nowhere struct{}

func (nowhere) Word(string) pathpolicy.Target    { return pathpolicy.Target{Class: pathpolicy.Inside} }
func (nowhere) Pattern(string) pathpolicy.Target { return pathpolicy.Target{Class: pathpolicy.Inside} }
func (nowhere) Tree(string) pathpolicy.Target    { return pathpolicy.Target{Class: pathpolicy.Inside} }
func (nowhere) Exists(string) bool               { return false }
func (nowhere) Dir() pathpolicy.Target           { return pathpolicy.Target{Class: pathpolicy.Inside} }
func (nowhere) Var(string) (string, bool)        { return "", false }
func (nowhere) Home(string) (string, bool)       { return "", false }
