package blocks

import "strings"

// syntax is what the scanner knows of a language.
type syntax struct {
	lineComments []string
	// noComment is a longer sign that begins like a line comment and is none.
	noComment     string
	blockComments [][2]string
	nested        bool
	quotes        []quote // the longer opening before the shorter
	// special take what needs more than a table, in order, before anything else.
	special []func(*scanner) bool
	start   func(*scanner)
	// wordBytes are signs that names may hold; bracketWord tells words that open or close.
	wordBytes   string
	bracketWord func(*scanner, string) kind
	style       style
	// follow are words that continue a statement after its body; middles the words
	// inside a block of words; heads the words of declarations, whose lists go on over
	// lines; tails the words that go on with a head; bodies the words whose body may stand on the next line without braces;
	// clauses the words that begin a branch of a switch.
	follow, middles, heads, tails, bodies, clauses map[string]bool
	// chains: .x may follow a body. commas: a head goes on after any comma.
	// ownLine: a body's brace may stand on a line of its own. typeLines: a result type
	// may. signs: a line may begin with an arithmetic operator.
	chains, commas, ownLine, typeLines, signs bool
	// at and square: what begins an annotation. prose: apostrophes stand in text.
	at, square, prose, digitMarks bool
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

var (
	slashes  = []string{"//"}
	stars    = [][2]string{{"/*", "*/"}}
	double   = quote{open: `"`, close: `"`}
	single   = quote{open: `'`, close: `'`}
	backtick = quote{open: "`", close: "`"}
	triple   = quote{open: `"""`, close: `"""`, lines: true}
)

// with is a quote with code inside it.
func (q quote) with(interp string) quote { q.interp = interp; return q }

// long is a quote that may go on over lines.
func (q quote) long() quote { q.lines = true; return q }

const (
	curlyFollow = "else catch finally while"
	curlyHeads  = `class interface struct enum union trait impl record extends implements permits where throws
		public private protected internal abstract final static export sealed template const let var`
	curlyTails  = "extends implements permits where throws noexcept override requires const"
	curlyBodies = "if for while else foreach do"
)

// curly is what the languages after C share.
func curly(s style) *syntax {
	return &syntax{
		lineComments: slashes, blockComments: stars, quotes: []quote{double, single}, style: s,
		follow: set(curlyFollow), heads: set(curlyHeads), tails: set(curlyTails), bodies: set(curlyBodies), clauses: set("case default"), chains: true, ownLine: true,
	}
}

// but is a syntax with changes.
func (syn *syntax) but(change func(*syntax)) *syntax { change(syn); return syn }
