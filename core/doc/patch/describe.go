package patch

// Description teaches the language to a model.
const Description = `Change, move or remove files that you have read. One call may hold any number of files; either all are as you saw them, or nothing is written.

A section begins with the header that read or grep showed, [path#TAG], and names lines by the numbers of that version, whatever the other operations do:

PUT 12.=14:      replace lines 12 to 14 by the rows below (both ends count)
PUT 12:          replace line 12
PUT <12:         insert before line 12        PUT >12:  insert after it
PUT <1:          insert at the start          PUT >$:   insert at the end
PUT 12*:         replace the whole block (function, class, loop ...) that opens on line 12
PUT >12*:        insert after that block
CUT 12.=14       remove lines; also CUT 12*
REM              remove the file (alone in its section)
MV new/path      rename the file after the changes; never over another file

New lines follow a PUT that ends in a colon, each with + before it: "+text" is text with its blanks as they are, "+" alone an empty line, "++x" the line "+x".
To move lines, CUT them and paste them elsewhere, also in another file: CUT 3.=5 @a, then PUT >20 @a (no colon). Without a name a paste takes the one cut before it. PUT 7.=9 @a pastes over lines.
Only lines that you were shown can be changed. Ranges may not overlap. Use write for new files.

Example:
[src/app.go#1A2B]
PUT 3.=4:
+import "os"
+
PUT >10:
+	defer f.Close()
CUT 21.=25
[docs/old.md#77F0]
PUT >$:
+The end.
MV docs/new.md`
