package blocks

import "sync"

// syntaxes are built when they are first asked for: most starts need none of them.
var syntaxes = sync.OnceValue(func() map[string]*syntax {
	m := map[string]*syntax{
		"JavaScript": javascript(), "TypeScript": javascript(), "JSX": javascript().but(prose), "TSX": javascript().but(prose),
		"C": cpp(), "C++": cpp(), "Zig": zig(), "Rust": rust(), "Java": java(), "C#": csharp(), "Dart": dart(), "PHP": php(),
		"Swift": swift(), "Kotlin": kotlin(), "Scala": scala(), "Groovy": groovy(),
		"Protocol Buffers": curly(terminated).but(func(s *syntax) { s.clauses = nil }), "HCL": hcl(), "GraphQL": graphql(),
		"JSON": data(), "CSS": css(), "SCSS": css().but(func(s *syntax) { s.lineComments = slashes }), "go.mod": goMod(), "R": r(),
		"Ruby": ruby(), "Lua": lua(), "Elixir": elixir(), "Lisp": lisp(), "Python": pythonTokens(), "TOML": tomlTokens(),
	}
	return m
})

func prose(s *syntax) { s.prose = true }

func javascript() *syntax {
	return curly(newline).but(func(s *syntax) {
		s.quotes = append([]quote{backtick.long().with("${")}, s.quotes...)
		s.special = []func(*scanner) bool{pattern}
		s.at, s.signs = true, true
	})
}

func cpp() *syntax {
	return curly(terminated).but(func(s *syntax) {
		s.special = []func(*scanner) bool{preprocess, cppString}
		s.typeLines, s.digitMarks = true, true
	})
}

func zig() *syntax {
	return curly(terminated).but(func(s *syntax) { s.special = []func(*scanner) bool{zigString} })
}

func rust() *syntax {
	return curly(terminated).but(func(s *syntax) {
		s.nested, s.clauses = true, nil
		s.special = []func(*scanner) bool{rustString, charOrLife}
		s.quotes = []quote{double.long()}
	})
}

func java() *syntax {
	return curly(terminated).but(func(s *syntax) {
		s.quotes = []quote{triple, double, single}
		s.at = true
	})
}

func csharp() *syntax {
	return curly(terminated).but(func(s *syntax) {
		s.special = []func(*scanner) bool{preprocess, csharpString}
		verbatim := quote{raw: true, doubled: true, lines: true, close: `"`}
		for _, begin := range []string{`@$"`, `$@"`, `@"`} {
			verbatim.open = begin
			s.quotes = append([]quote{verbatim}, s.quotes...)
		}
		s.square = true
	})
}

func dart() *syntax {
	return curly(terminated).but(func(s *syntax) {
		raw := quote{open: "r'", close: "'", raw: true}
		raw2 := quote{open: `r"`, close: `"`, raw: true}
		triple2 := quote{open: "'''", close: "'''", lines: true}
		s.quotes = []quote{raw, raw2, triple.with("${"), triple2.with("${"), double.with("${"), single.with("${")}
		s.at, s.nested = true, true
	})
}

func php() *syntax {
	return curly(terminated).but(func(s *syntax) {
		s.start, s.special = phpStart, []func(*scanner) bool{phpText, phpDoc}
		s.lineComments, s.noComment = []string{"//", "#"}, "#["
		s.quotes = []quote{double.long(), single.long(), backtick.long()}
		s.follow["elseif"] = true
	})
}

func swift() *syntax {
	return curly(newline).but(func(s *syntax) {
		s.nested, s.at = true, true
		hash := quote{open: `#"`, close: `"#`, raw: true}
		s.quotes = []quote{hash, triple.with(`\(`), double.with(`\(`)}
	})
}

func kotlin() *syntax {
	return curly(newline).but(func(s *syntax) {
		s.nested, s.at, s.clauses = true, true, nil
		raw := triple
		raw.raw = true
		s.special = []func(*scanner) bool{charOrLife}
		s.quotes = []quote{raw.with("${"), double.with("${")}
	})
}

func scala() *syntax {
	return curly(newline).but(func(s *syntax) {
		s.nested, s.at = true, true
		raw := triple
		raw.raw = true
		s.special = []func(*scanner) bool{charOrLife}
		s.quotes = []quote{raw, double}
	})
}

func groovy() *syntax {
	return curly(newline).but(func(s *syntax) {
		s.quotes = []quote{triple, {open: "'''", close: "'''", lines: true}, double.with("${"), single}
		s.special = []func(*scanner) bool{pattern}
		s.at = true
	})
}

func hcl() *syntax {
	return curly(newline).but(func(s *syntax) {
		s.lineComments, s.clauses = []string{"#", "//"}, nil
		s.special = []func(*scanner) bool{hclDoc}
		s.quotes = []quote{double.with("${")}
	})
}

func graphql() *syntax {
	return curly(newline).but(func(s *syntax) {
		s.lineComments, s.clauses, s.blockComments = []string{"#"}, nil, nil
		s.quotes = []quote{triple, double}
	})
}

func data() *syntax {
	return &syntax{lineComments: slashes, blockComments: stars, quotes: []quote{double, single}, style: newline}
}

func css() *syntax {
	return &syntax{
		blockComments: stars, quotes: []quote{double, single}, style: terminated,
		special: []func(*scanner) bool{cssURL}, commas: true, wordBytes: "-",
	}
}

func goMod() *syntax {
	return &syntax{lineComments: slashes, style: newline, quotes: []quote{double, backtick}}
}

func r() *syntax {
	return curly(newline).but(func(s *syntax) {
		s.lineComments, s.blockComments, s.clauses = []string{"#"}, nil, nil
		s.quotes = []quote{double.long(), single.long(), backtick}
		s.wordBytes = "."
	})
}

func ruby() *syntax {
	return &syntax{
		lineComments: []string{"#"}, style: newline, bracketWord: rubyWord, wordBytes: "?!@", chains: true,
		special: []func(*scanner) bool{rubyLong, rubyText, pattern},
		quotes:  []quote{double.long().with("#{"), single.long(), backtick.long().with("#{")},
		middles: set("else elsif when in rescue ensure"),
	}
}

func lua() *syntax {
	return &syntax{
		lineComments: []string{"--"}, style: newline, bracketWord: luaWord, quotes: []quote{double, single},
		special: []func(*scanner) bool{luaComment, luaLong}, middles: set("else elseif"),
	}
}

func elixir() *syntax {
	triple2 := quote{open: "'''", close: "'''", lines: true}
	return &syntax{
		lineComments: []string{"#"}, style: newline, bracketWord: elixirWord, wordBytes: "?!", chains: true,
		special: []func(*scanner) bool{elixirSigil},
		quotes:  []quote{triple.with("#{"), triple2, double.long().with("#{"), single.long()},
		middles: set("else rescue catch after"),
	}
}

func lisp() *syntax {
	return &syntax{
		lineComments: []string{";"}, style: newline, quotes: []quote{double.long()}, special: []func(*scanner) bool{lispChar},
	}
}

// pythonTokens are the tokens of Python: its blocks go by indentation.
func pythonTokens() *syntax {
	s := &syntax{lineComments: []string{"#"}, style: newline}
	s.follow, s.bodies = set("else elif except finally"), set("def class if for while with try async match case")
	triple2 := quote{open: "'''", close: "'''", lines: true}
	s.quotes = []quote{triple, triple2, double, single}
	return s
}

// tomlTokens are the tokens of TOML: a table goes up to the next.
func tomlTokens() *syntax {
	raw := quote{open: "'", close: "'", raw: true}
	raw3 := quote{open: "'''", close: "'''", raw: true, lines: true}
	return &syntax{lineComments: []string{"#"}, style: newline, quotes: []quote{triple, raw3, double, raw}}
}
