package patch

// Description teaches the language to a model.
const Description = `Change, move or remove files that you have read. One call may hold any number of files; if one of them cannot be changed as asked, nothing is written.

A section begins with the header that read or grep showed, [path#TAG], alone on its line. Below it stand operations. They name lines by the numbers of those rows, before the change, whatever the other operations do:

PUT 12.=14:      replace lines 12 to 14 (first and last line, not a count) by the rows below
PUT 12:          replace line 12
PUT <12:         insert before line 12        PUT >12:  insert after it
PUT <1:          insert at the start          PUT >$:   insert at the end
PUT 12*:         replace the whole block (function, class, loop ...) that opens on line 12
PUT >12*:        insert after that block
CUT 12.=14       delete lines; also CUT 12 and CUT 12*
REM              remove the file (alone in its section)
MV new/path      rename the file, after its other changes; never over another file

New lines follow a PUT that ends in a colon, each with + before it: "+text" is text with its blanks as they are, "+" alone an empty line, "++x" the line "+x". Write new lines only: no old lines, no - rows, no context, no line numbers. Lines around a range stay, so do not repeat them.
To move lines, CUT them and paste them with a PUT without colon, in any file of the call: CUT 3.=5 @a, then PUT >20 @a below it. Without a name, PUT >20 pastes the one CUT above it that has none. PUT 7.=9 @a pastes over lines.
Only lines that you were shown can be changed. Ranges may not overlap. After a change use the tag and the numbers of the reply. Make new files with write.

Example: read showed
[src/app.go#1A2B]
3:import "fmt"
4:
5:func main() {
6:	fmt.Println("helo")
7:}
and this imports os, says hello, adds a function, and renames a second file after adding a line at its end:
[src/app.go#1A2B]
PUT 3:
+import (
+	"fmt"
+	"os"
+)
PUT 6:
+	fmt.Fprintln(os.Stderr, "hello")
PUT >5*:
+
+func two() int { return 2 }
[docs/old.md#77F0]
PUT >$:
+The end.
MV docs/new.md`
