package docs

import (
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"

	"tenet/core/doc"
)

func TestReadShowsNumberedLines(t *testing.T) {
	r := newRig(t)
	r.put("a.txt", "one\ntwo\nthree\nfour\n")
	want(t, r.ok("read", "path", "a.txt"), "[a.txt#6E02]\n1:one\n2:two\n3:three\n4:four\n")
	for _, tt := range []struct {
		path string
		kv   []any
		want string
	}{
		{"a.txt:3", nil, " 2:two\n3:three\n 4:four\n[the file has 4 lines]\n"},
		{"a.txt:2-3", nil, " 1:one\n2:two\n3:three\n 4:four\n[the file has 4 lines]\n"},
		{"a.txt:3+9", nil, " 2:two\n3:three\n4:four\n[the file ends with line 4]\n"},
		{"a.txt:3-", nil, "3:three\n4:four\n"},
		{"a.txt:4,1-2", nil, "1:one\n2:two\n...\n4:four\n"},
		{"a.txt:1-2,3", nil, "1:one\n2:two\n3:three\n[the file has 4 lines]\n"},
		{"a.txt:1,3-9,20", nil, "1:one\n...\n3:three\n4:four\n[the file ends with line 4]\n"},
		{"a.txt", []any{"line", 3}, "3:three\n4:four\n"},
		{"a.txt", []any{"limit", 1}, "1:one\n[the file has 4 lines]\n"},
		{"a.txt", []any{"line", 2, "limit", 2}, "2:two\n3:three\n[the file has 4 lines]\n"},
		{"a.txt", []any{"offset", 5}, "[line 2, from byte 5 of the file]\n2:wo\n3:three\n4:four\n"},
	} {
		want(t, r.ok("read", append([]any{"path", tt.path}, tt.kv...)...), "[a.txt#6E02]\n"+tt.want)
	}
}

// The bare text has no header and no numbers, and shows what is no text as that.
func TestReadRaw(t *testing.T) {
	r := newRig(t)
	r.put("a.txt", "\xef\xbb\xbfone\r\ntwo\nthree\n")
	r.put("b.bin", "a\x00\xffb")
	r.put("empty", "")
	for path, wanted := range map[string]string{
		"a.txt:raw":     "one\ntwo\nthree\n",
		"a.txt:2:raw":   "two",
		"a.txt:3-4:raw": "three\n",
		"a.txt:4:raw":   "[line 4 is empty]",
		"a.txt:1,2:raw": "one\n...\ntwo",
		"a.txt:3-9:raw": "three\n[the file ends with line 4]",
		"b.bin:raw":     "a\uFFFD\uFFFDb\n[the file is not UTF-8 text: \uFFFD stands for what cannot be shown]",
		"empty:raw":     "[empty is an empty file]",
	} {
		want(t, r.ok("read", "path", path), wanted)
	}
	r.fails("read", []any{"path", "a.txt:5:raw"}, "4 lines", "no line 5")
}

// What a raw read showed whole was seen, also when it is no text.
func TestReadRawSees(t *testing.T) {
	r := newRig(t)
	r.put("b.bin", "a\x00\xffb")
	r.fails("write", []any{"path", "b.bin", "content", "x"}, "b.bin:raw")
	r.ok("read", "path", "b.bin:raw")
	holds(t, r.ok("write", "path", "b.bin", "content", "x"), "was not UTF-8")
	r.put("c.bin", strings.Repeat("\xff\n", 40_000))
	holds(t, r.ok("read", "path", "c.bin:raw"), "go on with c.bin:1991-:raw")
	r.fails("write", []any{"path", "c.bin", "content", "x"}, "not seen all of it")
}

func TestReadLiteralNameWinsOverSelector(t *testing.T) {
	r := newRig(t)
	r.put("log:2", "a\nb\nc\n")
	want(t, r.ok("read", "path", "log:2"), "[log:2#6234]\n1:a\n2:b\n3:c\n")
	want(t, r.ok("read", "path", "log:2:3"), "[log:2#6234]\n 2:b\n3:c\n")
	r.put("x:raw", "raw\n")
	holds(t, r.ok("read", "path", "x:raw"), "1:raw\n")
}

func TestReadLineModel(t *testing.T) {
	r := newRig(t)
	r.put("crlf", "\xef\xbb\xbfone\r\ntwo\rhalf\r\n")
	holds(t, r.ok("read", "path", "crlf"), "]\n1:one\n2:two\rhalf\n[lines end in CRLF]\n")
	r.put("mixed", "a\r\nb\nc")
	holds(t, r.ok("read", "path", "mixed"), "]\n1:a\n2:b\n3:c\n[1 lines end in CRLF, 1 in LF]\n")
}

// A line of context that is long is left out, and takes no room of what was asked for.
func TestReadContextGivesWay(t *testing.T) {
	r := newRig(t)
	r.put("a", strings.Repeat("x", 2000)+"\n2\n3\n"+strings.Repeat("x", 2000)+"\n5\n")
	holds(t, r.ok("read", "path", "a:2"), "]\n2:2\n 3:3\n[the file has 5 lines]\n")
	r.put("b", "1\n"+strings.Repeat("x", PageBytes-3)+"\n3\n")
	holds(t, r.ok("read", "path", "b:2"), "]\n2:xxx", "x\n[the file has 3 lines]\n")
	r.fails("read", []any{"path", "a:6"}, "5 lines", "no line 6")
}

// read-004, read-005
func TestReadEmptyAndPastTheEnd(t *testing.T) {
	r := newRig(t)
	r.put("empty", "")
	r.put("bom", "\xef\xbb\xbf")
	r.put("ten", strings.Repeat("x\n", 10))
	want(t, r.ok("read", "path", "empty"), "[empty#E999]\n[empty is an empty file]\n")
	holds(t, r.ok("read", "path", "bom"), "[bom#", "]\n[bom is an empty file]\n")
	r.fails("read", []any{"path", "ten", "line", 50}, "10 lines", "no line 50")
	r.fails("read", []any{"path", "ten", "offset", 500}, "20 bytes", "offset 500")
	r.fails("read", []any{"path", "ten", "line", 0}, "counted from 1")
	r.fails("read", []any{"path", "ten:0"}, "counted from 1")
	r.fails("read", []any{"path", "ten:5-2"}, "is empty")
	r.fails("read", []any{"path", "ten:5", "line", 2}, "once")
}

// read-003: each call goes on where the one before was cut, and nothing is lost.
func TestReadGoesOnInsideALongLine(t *testing.T) {
	r := newRig(t)
	text := strings.Repeat("añb€𝄞", 30_000)
	r.put("min.js", text+"\nlast\n")
	got, offset := "", 0
	for n := 0; ; n++ {
		out := r.ok("read", "path", "min.js", "offset", offset)
		if len(out) > PageBytes+300 {
			t.Fatalf("a page of %d bytes", len(out))
		}
		_, out, _ = strings.Cut(out, "\n")
		out = strings.TrimPrefix(out, fmt.Sprintf("[line 1, from byte %d of the file]\n", offset))
		row, rest, _ := strings.Cut(out, "\n")
		got += strings.TrimPrefix(row, "1:")
		if _, err := fmt.Sscanf(rest[max(0, strings.Index(rest, "offset=")):], "offset=%d", &offset); err != nil {
			break
		}
		holds(t, rest, "or with min.js:2- for what follows it")
	}
	if got != text {
		t.Errorf("the pages put together are not the line: %d bytes of %d", len(got), len(text))
	}
	r.put("huge.js", strings.Repeat("x", 5_000_000)+"the end\n")
	want(t, r.ok("read", "path", "huge.js", "offset", 5_000_000),
		"[huge.js]\n[line 1, from byte 5000000 of the file]\n1:the end\n[the file is over 4 MiB and has no tag: read it in ranges and change it with write or bash]\n")
	// An offset inside a character begins with the next one.
	r.put("euro", "€€\n")
	holds(t, r.ok("read", "path", "euro", "offset", 1), "1:€\n")
}

// Each page names the selector of what is left.
func TestReadPagesBySize(t *testing.T) {
	r := newRig(t)
	for _, text := range []string{"line %d of a file that needs several pages", "%d"} {
		var b strings.Builder
		for i := range 5000 {
			fmt.Fprintf(&b, text+"\n", i+1)
		}
		r.put("long", b.String())
		n := 0
		for path := "long"; path != ""; {
			out := r.ok("read", "path", path)
			_, out, _ = strings.Cut(out, "\n")
			rows, notice, _ := strings.Cut(out, "[")
			for row := range strings.Lines(rows) {
				n++
				if wanted := fmt.Sprintf("%d:"+text+"\n", n, n); row != wanted {
					t.Fatalf("row %d is %q", n, row)
				}
			}
			_, path, _ = strings.Cut(strings.TrimSuffix(notice, "]\n"), "go on with ")
		}
		if n != 5000 {
			t.Errorf("%d rows", n)
		}
		holds(t, r.ok("read", "path", "long:3-1999,2100,4000-"), "go on with long:", ",4000-]\n")
	}
}

// counted counts the bytes that are read.
type counted struct {
	io.Reader
	n int64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n += int64(n)
	return n, err
}

// big is a file of a GiB that takes no disk: lines of 16 bytes, then a hole.
func (r *rig) big(lines int) (path string) {
	f, err := os.Create(r.path("big"))
	if err != nil {
		r.t.Fatal(err)
	}
	defer f.Close()
	block := strings.Repeat("0123456789abcde\n", 1<<12)
	for range lines >> 12 {
		f.WriteString(block)
	}
	if err := f.Truncate(1 << 30); err != nil {
		r.t.Fatal(err)
	}
	return f.Name()
}

// A window of a file of any size reads up to its end, in chunks, and nothing more.
func TestReadWindowOfALargeFile(t *testing.T) {
	r := newRig(t)
	path := r.big(1 << 20)
	for _, from := range []int64{1, 1000, 100_000, 1_000_000} {
		f, st, err := openRegular(path)
		if err != nil {
			t.Fatal(err)
		}
		c := &counted{Reader: f}
		read := reading{d: r.d, real: path, size: st.Size, want: doc.Want{Spans: []doc.Span{{From: from, To: from + 99}}, Bytes: PageBytes, MaxRows: pageRows}}
		if err := read.load(ctx0, c, st); err != nil {
			t.Fatal(err)
		}
		f.Close()
		if n := len(read.view.Rows); n != 100 || !read.view.Follows {
			t.Errorf("from line %d: %d rows", from, n)
		}
		if need := (from + 99) * 16; c.n > need+nextChunk {
			t.Errorf("from line %d: %d bytes were read, %d were needed", from, c.n, need)
		}
	}
	want(t, r.ok("read", "path", "big:1000000,1048576"), "[big]\n1000000:0123456789abcde\n...\n1048576:0123456789abcde\n"+
		"[more lines follow; go on with big:1048577-; the file is over 4 MiB and has no tag: read it in ranges and change it with write or bash]\n")
	r.fails("read", []any{"path", "big:1048577"}, "line", "1048577", "not text")
}

// A file of any size takes the memory of one page.
func TestReadLargeFileTakesLittleMemory(t *testing.T) {
	r := newRig(t)
	r.big(1 << 20)
	res := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			holds(t, r.ok("read", "path", "big:1000000"), "\n1000000:0123456789abcde\n")
		}
	})
	if res.AllocedBytesPerOp() > 1<<20 {
		t.Errorf("a read of a file of 1 GiB allocated %d KiB", res.AllocedBytesPerOp()>>10)
	}
}

// read-001: what could block or act is refused before it is opened.
func TestReadRefusesWhatIsNoFile(t *testing.T) {
	r := newRig(t)
	if err := syscall.Mkfifo(r.path("p"), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", r.path("s"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	r.put("dir/x", "")
	r.fails("read", []any{"path", "p"}, "pipe", "not opened")
	r.fails("read", []any{"path", "s"}, "socket", "not opened")
	r.fails("read", []any{"path", "/dev/zero"}, "device", "not opened")
	r.fails("read", []any{"path", "none"}, "does not exist", "glob")
	r.fails("read", []any{"path", "dir/x/y"}, "dir/x/y")
}

// A directory is listed, as a listing that the gate judges.
func TestReadOfADirectoryListsIt(t *testing.T) {
	r := newRig(t)
	r.put("dir/x", "")
	r.put("dir/sub/y", "")
	want(t, r.ok("read", "path", "dir"), "[dir is a directory; these are its names, as list_dir shows them]\nsub/\nx\n")
	if last := r.gate.steps[len(r.gate.steps)-1]; len(r.gate.steps) != 1 || !strings.HasPrefix(last, "list ") {
		t.Errorf("the gate judged %q", r.gate.steps)
	}
	r.fails("read", []any{"path", "dir:3"}, "directory", "no lines")
}

// A file that is made while it is read says that it has no bytes.
func TestReadOfAMadeFile(t *testing.T) {
	const path = "/proc/meminfo"
	if _, err := os.Stat(path); err != nil {
		t.Skip("NO /proc HERE: nothing was tried")
	}
	r := newRig(t)
	r.fails("read", []any{"path", fmt.Sprintf("/proc/%d/status", os.Getpid())}, "process", "bash")
	holds(t, r.ok("read", "path", path), "["+path+"]\n1:", "has no tag")
}

// S8.10: not being UTF-8 is told first, then being binary, each with where.
func TestReadNamesTheEncoding(t *testing.T) {
	r := newRig(t)
	for name, tt := range map[string]struct{ bytes, text string }{
		"latin1": {"// Copyright \xa9 X\nint a;\n", "offset 13"},
		"latin2": {"caf\xe9 au lait\n", "Latin-1"},
		"utf16":  {"\xff\xfea\x00b\x00", "UTF-16LE"},
		"sjis":   {"\x82\xb1\x82\xf1\x82\xc9\x82\xbf\x82\xcd\n", "Shift_JIS"},
		"eucjp":  {"\xa4\xb3\xa4\xf3\xa4\xcb\xa4\xc1\xa4\xcf\n", "EUC-JP"},
		"nul":    {"abc\x00def", "binary file (NUL byte at offset 3)"},
		"both":   {"a\x00\xff", "not UTF-8"},
	} {
		r.put(name, tt.bytes)
		r.fails("read", []any{"path", name}, tt.text, name, "bash")
	}
}

// A window of 100 lines of a file of a GiB, at its start and 16 MB into it.
func BenchmarkReadWindow(b *testing.B) {
	r := newRig(b)
	r.big(1 << 20)
	for _, from := range []int{1, 1_000_000} {
		b.Run(fmt.Sprint("line=", from), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r.ok("read", "path", fmt.Sprintf("big:%d+100", from))
			}
		})
	}
}
