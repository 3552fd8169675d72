package effect

import (
	"strings"

	"tenet/core/call"
	"tenet/core/childenv"
)

// specialRows are the commands whose words need a reading of their own.
func specialRows() []row {
	return []row{
		{names: "find", run: runFind},
		{names: "git", run: runGit},
		{names: "sed", run: runSed},
		{names: "awk mawk gawk nawk", run: runAwk},
		{names: "test [", run: runTest},
		{names: "printf", run: runPrintf},
		{names: "xxd", run: runXxd},
		{names: "printenv", run: runPrintenv},
		{names: "ps", run: runPs},
		{names: "jq", run: runJq},
		{names: "set", run: runSet},
		{names: "export declare typeset readonly local", run: runDeclare},
		{names: "compgen", run: runCompgen},
		{names: "command", run: runCommand},
	}
}

// runTest vouches for test and [: -v and -R look a variable up by a name whose
// index a shell evaluates, commands in it included.
func runTest(s *scene, argv []word) {
	s.add(reads)
	for _, w := range argv[1:] {
		if w.text == "-v" || w.text == "-R" || w.sure == unknown && w.text == "" {
			s.exec("%s evaluates the text of its operand", argv[0].text)
		}
		s.perhaps(w)
	}
}

// runPrintf: with -v the name it stores into is evaluated; it has no other option.
func runPrintf(s *scene, argv []word) {
	s.add(reads)
	if len(argv) > 1 && argv[1].option() && (argv[1].text != "--" || argv[1].sure != exact) {
		s.exec("printf -v evaluates the name it stores into")
	}
	s.unnamed(func() {
		for _, w := range argv[1:] {
			s.names(w)
		}
	})
}

// runPrintenv: without a name it prints every variable; with one that looks like a
// credential it prints that.
func runPrintenv(s *scene, argv []word) {
	a := printenvOptions.parse(argv[1:])
	s.add(reads)
	if a.strange {
		s.exec("printenv has an option that the effect table does not know")
	}
	for _, w := range a.operands {
		if w.sure != exact || childenv.Of(w.text) != childenv.Plain {
			s.environ()
		}
	}
	if len(a.operands) == 0 {
		s.environ()
	}
}

var printenvOptions = parseOptions("-0 --null")

// runJq: a filter may read the environment; it runs no program and writes nothing.
func runJq(s *scene, argv []word) {
	a := jqOptions.parse(argv[1:])
	s.add(reads)
	if a.strange {
		s.exec("jq has an option that the effect table does not know")
	}
	for _, w := range a.operands {
		if w.sure != exact || strings.Contains(w.text, "env") || strings.Contains(w.text, "ENV") {
			s.environ()
		}
		if strings.Contains(w.text, "import") || strings.Contains(w.text, "include") {
			s.exec("the jq filter loads a module")
		}
	}
	for i, w := range append(values(&a), a.operands...) {
		s.mute = i <= len(values(&a)) && !pathlike(w.text)
		s.names(w)
	}
	s.mute = false
}

var jqOptions = parseOptions("-n -r -j -a -s -S -c -C -M -e -R -h --null-input --raw-input --slurp --compact-output --raw-output --raw-output0 --join-output --ascii-output --sort-keys --color-output --monochrome-output --tab --indent= --unbuffered --seq --stream --stream-errors --exit-status --arg= --argjson= --slurpfile= --rawfile= --args --jsonargs")

// runSet: alone it prints every variable; with a word it changes how the shell reads
// the rest of the script.
func runSet(s *scene, argv []word) {
	if len(argv) == 1 {
		s.environ()
		return
	}
	s.exec("set changes how the shell runs what follows")
	s.loose(argv[1:])
}

// runDeclare: with a value the builtin evaluates it and the environment of later
// commands changes; without one, or with -p or -x alone, it prints variables.
func runDeclare(s *scene, argv []word) {
	operands := false
	for _, w := range argv[1:] {
		operands = operands || !w.option() || w.sure != exact
	}
	if operands {
		s.exec("%s with an operand changes the environment of what follows", argv[0].text)
		s.loose(argv[1:])
	}
	if !operands || printsValues(argv) {
		s.environ()
	}
}

func printsValues(argv []word) bool {
	for _, w := range argv[1:] {
		if strings.HasPrefix(w.text, "-") && strings.Contains(w.text, "p") {
			return true
		}
	}
	return false
}

// runCompgen lists names, variables among them, and can run a command with -C or -F.
func runCompgen(s *scene, argv []word) {
	s.exec("compgen is not in the effect table")
	s.environ()
	s.add(call.Of(call.Read))
	s.loose(argv[1:])
}

// runCommand: with -v and -V it says what a name means; else it runs what stands behind.
func runCommand(s *scene, argv []word) {
	a, names := commandOptions.leading(argv[1:])
	if !a.strange && a.has("v", "V") {
		s.add(reads)
		s.loose(names)
		return
	}
	s.exec("command runs the program that it names")
	s.loose(argv[1:])
	s.wraps("command", argv)
}

var commandOptions = parseOptions("-p -v -V")
