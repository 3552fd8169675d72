package guard

import (
	"strings"

	"tenet/core/call"
)

// destructive judges each command by its program.
func (v *view) destructive() (why, next string) {
	return v.each(func(l line) (why, next string) {
		if judge, ok := destroyers[l.name()]; ok {
			return judge(l)
		}
		return "", ""
	})
}

// destroyers are the programs that can throw something away for good.
var destroyers = map[string]func(line) (why, next string){
	"git": gitDestroys,
	"rm":  rmDestroys, "grm": rmDestroys,
	"find": findDestroys, "gfind": findDestroys, "fd": fdDestroys, "fdfind": fdDestroys,
	"shred": shredDestroys, "srm": shredDestroys,
	"dd": ddDestroys, "truncate": truncateDestroys, "rsync": rsyncDestroys,
	"wipefs": deviceDestroys, "blkdiscard": deviceDestroys,
	"docker": dockerDestroys, "podman": dockerDestroys, "nerdctl": dockerDestroys,
	"kubectl": kubectlDestroys, "oc": kubectlDestroys,
	"terraform": terraformDestroys, "tofu": terraformDestroys, "terragrunt": terraformDestroys,
	"pulumi": pulumiDestroys,
	"dropdb": dropdbDestroys, "mysqladmin": mysqladminDestroys,
	"psql": sqlDestroys, "mysql": sqlDestroys, "mariadb": sqlDestroys, "sqlcmd": sqlDestroys, "cockroach": sqlDestroys, "clickhouse-client": sqlDestroys,
	"mongosh": mongoDestroys, "mongo": mongoDestroys, "redis-cli": redisDestroys,
	"crontab": crontabDestroys,
	"aws":     awsDestroys, "gsutil": gsutilDestroys, "gcloud": gcloudDestroys, "gh": ghDestroys,
}

const elsewhere = "Move it into a temporary directory instead, or ask the user to remove it."

// rmDestroys: removing a tree. Single files are for the rules to judge.
func rmDestroys(l line) (why, next string) {
	p := grammar{}.parse(l.args())
	if !p.has("rR", "recursive") {
		return "", ""
	}
	return l.lost("rm -r removes", p.operands())
}

// lost is about the first operand whose removal loses something.
func (l line) lost(verb string, operands []call.Word) (why, next string) {
	for _, w := range operands {
		at, ok := l.place(w)
		if !ok {
			continue // unknown words are for the floor and the rules, which ask
		}
		if what := l.p.loss(at); what != "" {
			return verb + " " + what, elsewhere
		}
	}
	return "", ""
}

// findDestroys: -delete, or an -exec that removes, on everything below its roots.
func findDestroys(l line) (why, next string) {
	words := l.args()
	roots, rest := findRoots(words)
	removes := findRemoves(rest)
	if removes < 0 {
		return "", ""
	}
	if len(roots) == 0 {
		roots = []call.Word{{Text: "."}}
	}
	narrow := findNarrows(rest[:removes])
	for _, w := range roots {
		at, ok := l.place(w)
		if !ok || narrow && (l.p.inside(at) && !repository(at)) {
			continue
		}
		if what := l.p.loss(at); what != "" {
			return "find removes what is below " + what, "Run it with -print first and name what should go, below the workspace; for everything else ask the user."
		}
	}
	return "", ""
}

// findRoots splits off the places: the words before the first that begins with a
// dash, a parenthesis or an exclamation mark.
func findRoots(words []call.Word) (roots, rest []call.Word) {
	i := 0
	for i < len(words) && isFindOption(plain(words[i])) {
		i++
	}
	from := i
	for i < len(words) {
		if t := plain(words[i]); strings.HasPrefix(t, "-") || t == "(" || t == "!" || t == ")" || t == "," {
			break
		}
		i++
	}
	return words[from:i], words[i:]
}

func isFindOption(t string) bool {
	return t == "-H" || t == "-L" || t == "-P" || t == "-E" || t == "-X" || t == "-x" || t == "-d" || t == "-s" || strings.HasPrefix(t, "-O") || t == "--"
}

// findRemoves is where the expression removes, -1 when it does not.
func findRemoves(expr []call.Word) int {
	for i, w := range expr {
		switch plain(w) {
		case "-delete":
			return i
		case "-exec", "-execdir", "-ok", "-okdir":
			if i+1 < len(expr) && removers[baseName(plain(expr[i+1]))] {
				return i
			}
		}
	}
	return -1
}

var removers = map[string]bool{"rm": true, "unlink": true, "shred": true, "rmdir": true, "grm": true}

func baseName(t string) string { return t[strings.LastIndexByte(t, '/')+1:] }

// findNarrows reports whether a test before the removal picks some of the files. A
// negated one does not, nor does one on the other side of an -o.
func findNarrows(expr []call.Word) bool {
	narrow, depth := false, 0
	for i := 0; i < len(expr); i++ {
		t := plain(expr[i])
		switch {
		case t == "(":
			depth++
		case t == ")":
			depth--
		case depth == 0 && (t == "-o" || t == "-or" || t == ","):
			narrow = false
		case findTests.has(t):
			negated := i > 0 && (plain(expr[i-1]) == "!" || plain(expr[i-1]) == "-not")
			if i++; i < len(expr) && !negated && !everything(plain(expr[i])) {
				narrow = true
			}
		}
	}
	return narrow
}

const findTests list = "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -newermt -newerat -newerct -size -inum -samefile -user -group"

// fdDestroys: fd -x rm, with everything that matches.
func fdDestroys(l line) (why, next string) {
	words := l.args()
	for i, w := range words {
		t := plain(w)
		if t != "-x" && t != "-X" && t != "--exec" && t != "--exec-batch" || i+1 == len(words) || !removers[baseName(plain(words[i+1]))] {
			continue
		}
		p := grammar{letters: "tedEScjo", longs: "type extension max-depth exclude size changed-within changed-before base-directory search-path"}.parse(words[:i])
		if len(p.plain) == 0 || p.word(0) == "." || p.word(0) == "" {
			at, known := l.place(call.Word{Text: "."})
			if known && !p.has("e", "extension", "changed-within", "changed-before", "size") && l.p.loss(at) != "" {
				return "fd removes all that is below " + l.p.loss(at), "Give fd a pattern, and look at what it finds first."
			}
		}
		if len(p.plain) > 1 {
			return l.lost("fd removes what is below", p.plain[1:])
		}
	}
	return "", ""
}

// shredDestroys: the bytes are gone whatever becomes of the name.
func shredDestroys(l line) (why, next string) {
	p := grammar{letters: "ns", longs: "iterations size random-source"}.parse(l.args())
	for _, w := range p.operands() {
		if at, ok := l.place(w); ok && !l.p.temp(at) {
			return l.name() + " overwrites " + at + " so that nothing brings it back", "Remove it with rm if it should go; git still has what was committed."
		}
	}
	return "", ""
}

// sinks may be written by anything.
const sinks list = "/dev/null /dev/zero /dev/full /dev/stdout /dev/stderr /dev/tty /dev/fd/1 /dev/fd/2"

// ddDestroys: of= replaces a file or a device.
func ddDestroys(l line) (why, next string) {
	for _, w := range l.args() {
		value, ok := strings.CutPrefix(w.Text, "of=")
		if !ok {
			continue
		}
		real, _ := strings.CutPrefix(w.Real, "of=")
		at, known := l.place(call.Word{Text: value, Real: real})
		if known && !sinks.has(at) && !l.p.inside(at) && !l.p.temp(at) {
			return "dd writes over " + at + ", which is outside the workspace", "Write the image below the workspace or a temporary directory."
		}
	}
	return "", ""
}

// truncateDestroys: cutting files outside the workspace.
func truncateDestroys(l line) (why, next string) {
	p := grammar{letters: "sr", longs: "size reference"}.parse(l.args())
	for _, w := range p.operands() {
		if at, ok := l.place(w); ok && !l.p.inside(at) && !l.p.temp(at) && !sinks.has(at) {
			return "truncate cuts " + at + ", which is outside the workspace", elsewhere
		}
	}
	return "", ""
}

// rsyncDestroys: --delete removes from the destination what the source has not.
func rsyncDestroys(l line) (why, next string) {
	p := grammar{letters: "eBTfM", longs: "rsh exclude include filter files-from exclude-from include-from log-file temp-dir backup-dir suffix max-size min-size bwlimit timeout port compare-dest copy-dest link-dest chmod chown"}.parse(l.args())
	if p.has("n", "dry-run") || !p.has("", "delete-before", "delete-after", "delete-during", "delete-delay", "delete-excluded") || len(p.operands()) < 2 {
		return "", ""
	}
	dest := p.operands()[len(p.operands())-1]
	if remote(plain(dest)) {
		return "rsync --delete removes from " + plain(dest) + " whatever is not here", "Leave --delete out, or show the user what --dry-run lists."
	}
	return l.lost("rsync --delete removes from", []call.Word{dest})
}

// deviceDestroys: the whole device is gone.
func deviceDestroys(l line) (why, next string) {
	p := grammar{letters: "ot", longs: "offset types"}.parse(l.args())
	if p.has("n", "no-act") || l.name() == "wipefs" && !p.has("ao", "all", "offset") || len(p.operands()) == 0 {
		return "", ""
	}
	return l.name() + " erases " + plain(p.operands()[0]), "Ask the user to do it."
}

func crontabDestroys(l line) (why, next string) {
	if p := (grammar{letters: "u"}).parse(l.args()); p.has("r") {
		return "crontab -r removes every entry of the table", "Show the table with crontab -l and tell the user which lines should go."
	}
	return "", ""
}
