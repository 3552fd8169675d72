package patch

import (
	"errors"
	"strings"
	"testing"

	"tenet/core/doc"
)

// faults is every way to write a patch that is refused: the file, where it matters, and a
// part of what is to be written instead.
var faults = []struct {
	reason         Reason
	in, file, says string
}{
	{NoPatch, "", "", "[path#TAG]\nPUT 3.=5:"},
	{NoPatch, "\n# nothing\n", "", "[path#TAG]\nPUT 3.=5:"},
	{NoPatch, header + "*** Abort\n", "", "[path#TAG]"},
	{Headerless, "PUT 3:\n+a\n", "", "[path#TAG]\nPUT 3.=5:"},
	{Headerless, "foo\n", "", "no file is named"},
	{Headerless, "f.go#1A2B\nCUT 3\n", "", "Write [f.go#1A2B]"},
	{Headerless, "[#1A2B]\nCUT 3\n", "", "names no file"},
	{NoTag, "[f.go]\nCUT 3\n", "", "Write [f.go#TAG]"},
	{NoTag, header + "CUT 3\n[f.go]\nCUT 4\n", "", "Write [f.go#TAG]"},
	{BadTag, "[f.go#12]\nCUT 3\n", "", "four hex digits"},
	{BadTag, "[f.go#TAG]\nCUT 3\n", "", "[f.go#1A2B]"},
	{BadTag, "[f.go#12345]\nCUT 3\n", "", "A new file is made with write"},
	{EmptySection, header, "", "leave the header out"},
	{EmptySection, header + "[g.go#0000]\nREM\n", "", "Write PUT, CUT, REM or MV below it"},
	{TagConflict, header + "CUT 3\n[./f.go#0000]\nCUT 9\n", "", "1A2B and 0000"},
	{UnknownRow, header + "hello\n", "", "Write PUT 3.=5:"},
	{UnknownRow, header + "CUT 3\nCUT it out\n", "", "CUT it out is no operation"},
	{UnknownRow, "[f.go#1A2B] PUT 3:\n+a\n", "", "on rows of their own"},
	{UnknownRow, header + "REM f.go\n", "", "Write REM alone"},
	{OldVerb, header + "SWAP 3.=5:\n+a\n", "", "Write PUT 3.=5:"},
	{OldVerb, header + "DEL 3..5\n", "", "Write CUT 3.=5"},
	{OldVerb, header + "INS.PRE 3:\n+a\n", "", "Write PUT <3:"},
	{OldVerb, header + "INS.POST 3:\n+a\n", "", "Write PUT >3:"},
	{OldVerb, header + "INS.HEAD:\n+a\n", "", "Write PUT <1:"},
	{OldVerb, header + "INS.TAIL:\n+a\n", "", "Write PUT >$:"},
	{OldVerb, header + "SWAP.BLK 3:\n+a\n", "", "Write PUT 3*:"},
	{OldVerb, header + "INS.BLK 3:\n+a\n", "", "Write PUT >3*:"},
	{OldVerb, header + "replace 3..5:\n+a\n", "", "Write PUT 3.=5:"},
	{OldVerb, header + "delete lines 3-5\n", "", "Write CUT 3.=5"},
	{OldVerb, header + "insert before 3:\n+a\n", "", "Write PUT <3:"},
	{BadTarget, header + "PUT 0:\n+a\n", "", "Write PUT <1:"},
	{BadTarget, header + "CUT >3\n", "", "Write CUT 3, CUT 3.=5 or CUT 3*"},
	{BadTarget, header + "PUT $:\n+a\n", "", "PUT >$:"},
	{BadTarget, header + "PUT 3.=$:\n+a\n", "", "the number of the last line"},
	{BadTarget, header + "PUT <$:\n+a\n", "", "PUT >$:"},
	{BadTarget, header + "PUT >3.=4:\n+a\n", "", "PUT >3: to insert there, or PUT 3.=4: to replace"},
	{BadTarget, header + "PUT 3.=4*:\n+a\n", "", "PUT 3* for the block"},
	{BadTarget, header + "PUT 3+2:\n+a\n", "", "PUT 3.=4 for 2 lines"},
	{BadTarget, header + "PUT 3 quickly\n", "", "quickly cannot stand behind PUT 3"},
	{BadTarget, header + "CUT 3,5\n", "", "CUT 3.=M for all lines to M"},
	{BadTarget, header + "CUT 3 @a-b\n", "", "of letters, digits and _"},
	{EndBeforeStart, header + "PUT 5.=3:\n+a\n", "", "For 3 lines from line 5 write PUT 5.=7: (or PUT 3.=5: if those are the lines)"},
	{EndBeforeStart, header + "CUT 5-3\n", "", "write CUT 5.=7 (or CUT 3.=5"},
	{TooLong, header + "PUT 1.=100001:\n+a\n", "", "100001 lines"},
	{Overlap, header + "PUT 3.=5:\n+a\nCUT 5.=6\n", "", "both take line 5 away"},
	{Overlap, header + "CUT 5.=8\nPUT 3.=6:\n+a\n", "", "Write one PUT 3.=8:"},
	{Overlap, header + "PUT 3:\n+a\nPUT 3:\n+b\n", "", "both take line 3 away"},
	{Overlap, header + "PUT 3.=5:\n+a\nPUT >4:\n+b\n", "", "Write one PUT 3.=5:"},
	{Overlap, header + "PUT <4:\n+b\nCUT 3.=5\n", "", "move the insert to <3 or >5"},
	{Overlap, header + "PUT 3*:\n+a\nPUT 4:\n+b\n", "1\n2\n3\n4\n5\n6\n", "both take line 4 away"},
	{StrayBody, header + "+a\n", "", "PUT 3.=5: (replace)"},
	{StrayBody, header + "CUT 3\n+a\n", "", "write PUT 3:"},
	{StrayBody, header + "CUT 3\n-a\n", "", "leave the row out"},
	{StrayBody, header + "PUT >3\n+a\n", "", "end the row with a colon: PUT >3:"},
	{StrayBody, header + "3:foo\n+bar\n", "", "Write PUT 3: with all the new lines"},
	{StrayBody, header + "REM\n+bar\n", "", "stands below no operation"},
	{InlineBody, header + "PUT 3: a\n", "", "Write PUT 3:\n+a\n"},
	{InlineBody, header + "PUT >3: +a\n", "", "Write PUT >3:\n+a\n"},
	{EmptyInsert, header + "PUT >3:\n", "", "a + alone is a blank line"},
	{EmptyInsert, header + "PUT <1:\n\nCUT 3\n", "", "leave out the colon"},
	{UnclearBody, header + "PUT 3:\n4:foo\n", "", "Write +foo without the number"},
	{UnclearBody, header + "3:\nCUT 4\n", "", "Write CUT 3 to delete it"},
	{UnclearBody, header + "3.=4:\nCUT 9\n", "", "or CUT 3.=4 to delete"},
	{UnclearBody, header + "PUT 3:\n...\nCUT 9\n", "", "no lines stand below PUT 3:"},
	{UnclearBody, header + "PUT 3.=50:\n+a\n...\n+z\n", "", "would delete them"},
	{UnclearBody, header + "PUT 3:\n+a\n[g.go]\nCUT 3\n", "", "a header has a tag"},
	{UnclearBody, header + "PUT 3:\n+a\n[Makefile]\nCUT 3\n", "", "a header has a tag"},
	{UnclearBody, header + "PUT 3:\n+a\n# now the rest\nCUT 4\n", "", "a comment on the patch"},
	{UnclearBody, header + "PUT 3:\n ctx\n+a\n", "", "a context row of a diff"},
	{UnclearBody, header + "PUT 3:\n-b\n+a\nc\n", "", "a context row of a diff"},
	{UnclearBody, header + "PUT 3:\n-foo\n", "", "Write CUT 3 alone to delete the lines, or +-foo"},
	{UnclearBody, header + "PUT 3:\n- one\n- two\n", "", "+- one"},
	{UnclearBody, header + "PUT >3:\n-foo\n", "", "takes no line away"},
	{UnclearBody, header + "PUT >3:\n- foo\n+bar\n", "", "takes no line away"},
	{UnclearBody, header + "PUT 1:\n-bullet\n+x\n", "a\n", "is not one of the lines"},
	{UnclearBody, header + "PUT 2:\n+func main() {\n+\treturn nil\n", "func main() {\nx\n\treturn nil\n", "Write PUT 1.=3:"},
	{SameNumber, header + "3:a\n3:b\n", "", "Write PUT 3:"},
	{SameNumber, header + "3:a\n3:a\n", "", "Write PUT 3:"},
	{UnifiedDiff, header + "@@ -1,2 +1,2 @@\n", "", "PUT 3.=5:"},
	{UnifiedDiff, header + "PUT 3:\n+x\n@@\n", "", "PUT 3.=5:"},
	{UnifiedDiff, "--- a/f.go\n+++ b/f.go\n", "", "CUT 3.=5 deletes"},
	{UnifiedDiff, "diff --git a/f.go b/f.go\n", "", "[path#TAG]"},
	{Directive, "*** Begin Patch\n*** Update File: f.go\n", "", "[f.go#TAG]\nPUT 3.=5:"},
	{Directive, "*** Add File: f.go\n+x\n", "", "the tool write, path f.go"},
	{Directive, header + "CUT 3\n*** Delete File: g.go\n", "", "[g.go#TAG]\nREM"},
	{Directive, header + "CUT 3\n*** Move to: a b.go\n", "", "MV \"a b.go\""},
	{ColonOnPaste, header + "CUT 1 @r\nPUT 3 @r:\n+a\n", "", "Write PUT 3 @r to paste"},
	{ColonOnPaste, header + "CUT 1 @r\nPUT >3: @r\n", "", "Write PUT >3 @r to paste"},
	{NameNeeded, header + "PUT 3\n+a\n", "", "Write PUT 3: and the new lines"},
	{NameNeeded, header + "CUT 1\nPUT 3.=4\n", "", "PUT 3.=4 @name"},
	{EmptyRegister, header + "PUT 3.=4 @r\n", "", "would only delete"},
	{EmptyRegister, header + "PUT >3 @r\nCUT 5 @r\n", "", "CUT 3.=5 @r, with the lines to move, on a row above it"},
	{EmptyRegister, header + "CUT 5 @_\nPUT >3 @_\n", "", "deleted for good"},
	{NoPendingCut, header + "PUT >3\n", "", "Write PUT >3: (with a colon)"},
	{NoPendingCut, header + "CUT 1\nPUT >3\nPUT >4\n", "", "CUT 3.=5 @a and PUT >4 @a"},
	{SeveralPending, header + "CUT 1\nCUT 5\nCUT 7\nPUT >3\n", "", "3 cuts stand above it (patch lines 2, 3 and 4)"},
	{RegisterTwice, header + "CUT 1 @r\nCUT 5 @r\nPUT >9 @r\n", "", "would be lost"},
	{Interleaved, header + "CUT 3 @r\n[g.go#0000]\nPUT >1 @r\n[f.go#1A2B]\nPUT >9 @r\n", "", "below one header"},
	{RemoveWithOps, header + "CUT 3\nREM\n", "", "Write REM alone"},
	{RemoveWithOps, header + "REM\nCUT 3\n", "", "Write REM alone"},
	{TwoFileOps, header + "REM\nMV g.go\n", "", "already has REM"},
	{TwoFileOps, header + "MV g.go\n[h.go#0000]\nREM\n[f.go#1A2B]\nMV i.go\n", "", "already has MV g.go"},
	{BadDestination, header + "MV\n", "", "here is none"},
	{BadDestination, header + "MV a b.go\n", "", "MV \"new name\""},
	{BadDestination, header + "MV [g.go#1A2B]\n", "", "without brackets"},
	{MoveOntoItself, header + "MV ./f.go\n", "", "onto itself"},
	{DestinationTaken, header + "MV g.go\n[g.go#0000]\nREM\n", "", "both lead to"},
	{DestinationTaken, header + "MV h.go\n[g.go#0000]\nMV h.go\n", "", "both lead to"},
	{PastEnd, header + "PUT 99999999999999999999:\n+a\n", "", "before the colon"},
	{PastEnd, header + "PUT 9:\n+x\n", "one\ntwo\n", "past the end: the file has 2 lines"},
	{PastEnd, header + "PUT >2:\n+x\n", "one\n", "past the end: the file has 1 line."},
	{PastEnd, header + "PUT 1:\n+x\n", "\ufeff", "PUT <1:"},
	{NoBlock, header + "PUT 1*:\n+x\n", "}\n", "line 1 closes the block of line 0"},
	{NoOp, header + "PUT 1:\n+one\n", "one\ntwo\n", "no-op"},
	{NoOp, header + "CUT 1 @a\nPUT <1 @a\n", "one\ntwo\n", "no-op"},
}

// Every refusal names the row and says what to write instead; and every reason has one.
// With -v they are shown, to be read as a model would.
func TestFaults(t *testing.T) {
	met := map[Reason]bool{}
	for _, c := range faults {
		err := refusal(c.in, c.file)
		var f *Fault
		if !errors.As(err, &f) {
			t.Errorf("%q: %v", c.in, err)
			continue
		}
		if met[f.Reason] = true; f.Reason != c.reason || !strings.Contains(plainly(f.Error()), c.says) {
			t.Errorf("%q: the fault\n%v\nis of %v, not %v, or does not say %q", c.in, err, f.Reason, c.reason, c.says)
		}
		if f.Instead == "" || f.Row < 1 || strings.Contains(f.Error(), "..") && !strings.Contains(c.in, "..") {
			t.Errorf("%q: the fault %v has no row, no way out or an odd stop", c.in, err)
		}
		t.Logf("\n%s\n%v", c.in, err)
	}
	for r := range Reason(len(reasonNames)) {
		if !met[r] {
			t.Errorf("nothing shows the reason %v", r)
		}
	}
}

// plainly leaves out the marks around what is to be written.
func plainly(text string) string { return strings.ReplaceAll(text, "`", "") }

// refusal is why a patch is not read, or not applied to a file of which each block opens
// on its line and has three lines.
func refusal(text, file string) error {
	p, err := Parse(text, "/w")
	if err != nil {
		return err
	}
	texts := make([][]byte, len(p.Sections))
	for i := range p.Sections {
		texts[i] = []byte(file)
		if p.Sections[i], err = p.Sections[i].Resolve(threeLines); err != nil {
			return err
		}
	}
	_, err = Apply(p, texts)
	return err
}

func threeLines(line int64) (doc.Span, error) {
	if line == 1 {
		return doc.Span{}, errors.New("line 1 closes the block of line 0")
	}
	return doc.Span{From: line, To: line + 2}, nil
}

// A block that nobody looked up is refused, and a section without its file stays whole.
func TestABlockThatIsNotKnown(t *testing.T) {
	p, err := Parse(header+"PUT 1*:\n+x\n", "")
	if err != nil {
		t.Fatal(err)
	}
	var f *Fault
	if _, err = Apply(p, [][]byte{[]byte("a\n")}); !errors.As(err, &f) || f.Reason != NoBlock {
		t.Errorf("%v", err)
	}
}
