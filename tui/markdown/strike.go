package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// strikeKind is what is ~~struck out~~. goldmark has it in a package whose patterns cost
// every start of the program four milliseconds.
var strikeKind = ast.NewNodeKind("Strike")

type strike struct{ ast.BaseInline }

// Kind names the node.
func (*strike) Kind() ast.NodeKind { return strikeKind }

// Dump is for goldmark's debugging.
func (s *strike) Dump(source []byte, level int) { ast.DumpHelper(s, source, level, nil, nil) }

// strikes parses the signs of it: two of them, as people who mean it write.
type strikes struct{}

// IsDelimiter is part of parser.DelimiterProcessor.
func (strikes) IsDelimiter(b byte) bool { return b == '~' }

// CanOpenCloser is part of parser.DelimiterProcessor.
func (strikes) CanOpenCloser(a, b *parser.Delimiter) bool { return a.Char == b.Char }

// OnMatch is part of parser.DelimiterProcessor.
func (strikes) OnMatch(int) ast.Node { return &strike{} }

// Trigger is part of parser.InlineParser.
func (strikes) Trigger() []byte { return []byte{'~'} }

// Parse is part of parser.InlineParser.
func (s strikes) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	node := parser.ScanDelimiter(line, before, 2, s)
	if node == nil || node.OriginalLength != 2 || before == '~' {
		return nil
	}
	node.Segment = segment.WithStop(segment.Start + node.OriginalLength)
	block.Advance(node.OriginalLength)
	pc.PushDelimiter(node)
	return node
}
