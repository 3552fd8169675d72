package floor

import (
	"slices"
	"strconv"
	"strings"

	"tenet/core/call"
)

// wipes: rm -r, find -delete, find -exec rm and mv, of / or the home.
func wipes(place Place, c call.Command) bool {
	switch {
	case is(c, "rm"):
		a := split(rest(c))
		return a.flag("rR", "--recursive") && some(place, c, a.operands)
	case is(c, "mv"):
		return some(place, c, moved(rest(c)))
	case is(c, "find"):
		return findWipes(place, c)
	}
	return false
}

func some(place Place, c call.Command, words []call.Word) bool {
	return slices.ContainsFunc(words, func(w call.Word) bool { return targets(place, c.Dir, w) })
}

// moved is the operands of mv but the directory that they are moved to: the last, or
// the value of -t.
func moved(words []call.Word) []call.Word {
	for i, w := range words {
		t := w.Text
		switch {
		case t == "--":
		case strings.HasPrefix(t, "--t"):
			if !strings.Contains(t, "=") {
				words = slices.Delete(slices.Clone(words), i, min(i+2, len(words)))
			}
			return split(words).operands
		case len(t) > 1 && t[0] == '-' && t[1] != '-' && strings.Contains(t, "t"):
			if strings.HasSuffix(t, "t") {
				words = slices.Delete(slices.Clone(words), i, min(i+2, len(words)))
			}
			return split(words).operands
		}
	}
	operands := split(words).operands
	return operands[:max(0, len(operands)-1)]
}

// removers are the programs by which find removes what it finds.
var removers = []string{"rm", "unlink", "shred"}

// byName are the tests of find that choose by name, or take only what is empty. Those
// by age, size or kind leave little of a home.
var byName = strings.Fields("-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -empty -samefile -inum")

// findWipes: it starts at / or the home and removes what it finds, and what it finds
// is not chosen by name before it is removed.
func findWipes(place Place, c call.Command) bool {
	starts, tests := findWords(rest(c))
	if len(starts) == 0 {
		starts = []call.Word{{Text: "."}}
	}
	if !some(place, c, starts) {
		return false
	}
	named, loose := false, false
	for i := 0; i < len(tests); i++ {
		switch t := tests[i].Text; {
		case t == "-delete", strings.HasPrefix(t, "-exec") && removes(tests[i+1:]), strings.HasPrefix(t, "-ok") && removes(tests[i+1:]):
			return loose || !named
		case t == "!", t == "-not":
			i++ // the test behind it takes what it does not name
		case t == "-o", t == "-or", t == ",":
			named, loose = false, loose || !named
		case slices.Contains(byName, t):
			named = named || t == "-empty" || i+1 < len(tests) && strings.Trim(tests[i+1].Text, "*.?/") != ""
		}
	}
	return false
}

// findWords is where a find starts, and the tests and actions behind that.
func findWords(words []call.Word) (starts, tests []call.Word) {
	for len(words) > 0 && (slices.Contains([]string{"-H", "-L", "-P", "-D", "--"}, words[0].Text) || strings.HasPrefix(words[0].Text, "-O")) {
		n := 1
		if words[0].Text == "-D" {
			n = 2
		}
		words = words[min(n, len(words)):]
	}
	n := slices.IndexFunc(words, func(w call.Word) bool {
		return strings.HasPrefix(w.Text, "-") || w.Text == "(" || w.Text == "!"
	})
	if n < 0 {
		return words, nil
	}
	return words[:n], words[n:]
}

// removes reports whether the command of an -exec is or runs a remover.
func removes(words []call.Word) bool {
	for _, w := range words {
		if w.Text == ";" || w.Text == "+" {
			return false
		}
		if slices.Contains(removers, base(w.Text)) {
			return true
		}
	}
	return false
}

// opens: chmod, chown and chgrp -R of / in any mode, and chmod -R of the home in a
// mode that lets everybody write, or nobody do anything.
func opens(place Place, c call.Command) bool {
	a := split(rest(c))
	if !is(c, "chmod", "chown", "chgrp") || !a.flag("R", "--recursive") {
		return false
	}
	if some(Place{}, c, a.operands) {
		return true
	}
	return is(c, "chmod") && slices.ContainsFunc(a.operands, everybody) && some(place, c, a.operands)
}

// everybody reports whether a mode lets everybody write, or nobody anything.
func everybody(w call.Word) bool {
	if n, err := strconv.ParseUint(w.Text, 8, 16); err == nil {
		return n&0o002 != 0 || n&0o700 == 0
	}
	for clause := range strings.SplitSeq(w.Text, ",") {
		i := strings.IndexAny(clause, "+=")
		if i < 0 || strings.Trim(clause[:i], "ugoa") != "" {
			continue
		}
		who := clause[:i]
		if strings.Contains(clause[i:], "w") && strings.ContainsAny(who, "oa") {
			return true
		}
	}
	return false
}
