package effect

import (
	"strings"
	"sync"

	"tenet/core/call"
)

// primary is one word of a find expression: how many words it takes and what it adds.
type primary struct {
	takes int
	adds  call.Effects
	// text is true when the words never name files.
	text bool
	// program is true when a command up to ; or + follows.
	program bool
}

var primaries = sync.OnceValue(buildPrimaries)

func buildPrimaries() map[string]primary {
	m := map[string]primary{}
	put := func(names string, p primary) {
		for n := range strings.FieldsSeq(names) {
			m[n] = p
		}
	}
	put("( ) ! , -a -and -o -or -not -d -depth -daystart -follow -mount -xdev -noleaf -ignore_readdir_race -noignore_readdir_race -nogroup -nouser -empty -executable -readable -writable -false -true -ls -print -print0 -prune -quit -warn -nowarn -help --help -version --version -E -x -X -s -H -L -P", primary{})
	put("-amin -atime -cmin -ctime -mmin -mtime -Bmin -Btime -fstype -gid -group -inum -links -maxdepth -mindepth -perm -printf -regextype -size -type -uid -used -user -xtype -context -flags -D", primary{takes: 1, text: true})
	put("-anewer -cnewer -ilname -iname -ipath -iregex -iwholename -lname -name -newer -path -regex -samefile -wholename", primary{takes: 1})
	put("-delete", primary{adds: writes})
	put("-fls -fprint -fprint0", primary{takes: 1, adds: writes})
	put("-fprintf", primary{takes: 2, adds: writes})
	put("-exec -execdir -ok -okdir", primary{adds: call.Of(call.Exec), program: true})
	put("-files0-from", primary{takes: 1, adds: call.Of(call.Exec)})
	for _, a := range "aBcm" {
		for _, b := range "aBcmt" {
			put("-newer"+string(a)+string(b), primary{takes: 1})
		}
	}
	return m
}

// runFind judges find: where it starts, and every primary that runs or writes.
func runFind(s *scene, argv []word) {
	starts, expr := findStarts(argv[1:])
	does, words, outs, programs := findExpression(s, expr)
	s.add(does)
	s.relinks = s.relinks || does.Has(call.Write)
	findFollows(s, argv[1:], does)
	if len(starts) == 0 {
		s.cwd()
		starts = []word{{text: "."}}
	}
	judge := s.names
	if does.Has(call.Write) {
		judge = s.replaces
	}
	s.asRead = !mentions(expr, "-delete")
	for _, w := range starts {
		judge(w)
	}
	s.asRead = false
	for _, w := range outs {
		judge(w)
	}
	s.unnamed(func() {
		for _, w := range words {
			judge(w)
		}
	})
	if foundTooMuch(starts, programs) {
		s.strictest()
		return
	}
	s.guessed(func() {
		for _, p := range programs {
			s.runs(withStarts(p, starts))
		}
	})
}

// maxFound bounds the words that the starting points make of the programs of one find.
const maxFound = 4096

func foundTooMuch(starts []word, programs [][]word) bool {
	n := 0
	for _, p := range programs {
		n += len(p)
	}
	return n > maxFound/max(1, len(starts))
}

// findStarts splits the words before the expression off: the options that come
// first, then the starting points.
func findStarts(words []word) (starts, expr []word) {
	i := 0
	for ; i < len(words); i++ {
		t := words[i].text
		if t == "-D" && i+1 < len(words) {
			i++
			continue
		}
		if t != "-H" && t != "-L" && t != "-P" && !strings.HasPrefix(t, "-O") && t != "--" && t != "-E" && t != "-X" && t != "-x" && t != "-s" {
			break
		}
	}
	for ; i < len(words); i++ {
		w := words[i]
		if w.option() || w.text == "(" || w.text == "!" || w.text == ")" || w.text == "," {
			break
		}
		starts = append(starts, w)
	}
	return starts, words[i:]
}

// findExpression walks the expression. words are the values of its primaries, outs those
// that it writes; each program is a command that find runs.
func findExpression(s *scene, expr []word) (does call.Effects, words, outs []word, programs [][]word) {
	does = reads
	for i := 0; i < len(expr); i++ {
		p, ok := primaries()[expr[i].text]
		if !ok || expr[i].sure != exact {
			s.exec("find has a test or an action that the effect table does not know: %q", cited(expr[i].text))
			words = append(words, expr[i])
			continue
		}
		does = does.With(p.adds)
		if p.program {
			s.note("find %s runs a program", expr[i].text)
			n := programEnd(expr[i+1:])
			programs = append(programs, expr[i+1:i+1+n])
			i += n
			continue
		}
		n := min(p.takes, len(expr)-i-1)
		switch {
		case p.text:
		case p.adds.Has(call.Write):
			outs = append(outs, expr[i+1:i+1+n]...)
		default:
			words = append(words, expr[i+1:i+1+n]...)
		}
		i += n
	}
	return does, words, outs, programs
}

// programEnd is the number of words before ; or {} +.
func programEnd(words []word) int {
	for i, w := range words {
		if w.text == ";" || w.text == "+" && i > 0 && words[i-1].text == "{}" {
			return i
		}
	}
	return len(words)
}

// withStarts puts the starting points where find puts what it found: below them, so
// what the program does to {} it does to them.
func withStarts(program, starts []word) []word {
	var out []word
	for _, w := range program {
		if !strings.Contains(w.text, "{}") {
			out = append(out, w)
			continue
		}
		for _, at := range starts {
			out = append(out, word{text: strings.ReplaceAll(w.text, "{}", at.text), sure: at.sure})
		}
	}
	return out
}
