package effect

import "strings"

// runPs: e without a dash, -E, and a format that names the environment show other
// processes' variables.
func runPs(s *scene, argv []word) {
	s.add(reads)
	for i, w := range argv[1:] {
		dash := strings.HasPrefix(w.text, "-")
		bare := !dash && !takesFormat(argv[i]) && !strings.Contains(w.text, ",")
		if w.sure != exact || bare && strings.Contains(w.text, "e") || dash && strings.Contains(w.text, "E") || strings.Contains(strings.ToLower(w.text), "env") {
			s.environ()
		}
		s.names(w)
	}
}

// takesFormat reports whether the next word of ps is a format: behind --format, or a
// group of options that ends in o and has none before it that would take the o.
func takesFormat(w word) bool {
	if w.text == "--format" {
		return true
	}
	group, ok := strings.CutPrefix(w.text, "-")
	group, format := strings.CutSuffix(group, "o")
	return ok && format && strings.Trim(group, "AadefFlLmMjcwTxHNyPVZ") == ""
}

// runXxd: the second operand is the file that is written, so that a word wrongly taken
// for an option's value would hide a write. Only the spellings of the manual are known.
func runXxd(s *scene, argv []word) {
	s.add(reads)
	var operands []word
	for i := 1; i < len(argv); i++ {
		w := argv[i]
		if !w.option() {
			operands = append(operands, w)
			continue
		}
		known, value := xxdOption(w.text)
		if !known || w.sure != exact {
			s.exec("xxd has an option that the effect table does not know")
		}
		if value {
			i++
		}
	}
	judge := s.names
	if len(operands) > 1 {
		s.add(writes)
		judge = s.writes
	}
	for _, w := range operands {
		judge(w)
	}
}

// xxdOption reads one option: a letter or a full name, its value in the next word, or
// a number right behind the letter.
func xxdOption(text string) (known, value bool) {
	t := strings.TrimPrefix(strings.TrimPrefix(text, "-"), "-")
	switch t {
	case "a", "autoskip", "b", "bits", "C", "capitalize", "d", "E", "EBCDIC", "e", "i", "include", "p", "ps", "postscript", "plain", "r", "revert", "u", "h", "help", "v", "version":
		return true, false
	case "c", "cols", "g", "groupsize", "l", "len", "n", "name", "o", "offset", "s", "seek":
		return true, true
	case "":
		return false, false
	}
	return strings.IndexByte("cglos", t[0]) >= 0 && strings.Trim(strings.TrimLeft(t[1:], "+-"), "0123456789abcdefxABCDEFX") == "" && strings.ContainsAny(t[1:2], "+-0123456789"), false
}
