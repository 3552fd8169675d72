package docs

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
)

func TestReadShowsNumberedLines(t *testing.T) {
	r := newRig(t)
	r.put("a.txt", "one\ntwo\nthree\nfour\n")
	want(t, r.ok("read", "path", "a.txt"), "1:one\n2:two\n3:three\n4:four\n")
	for _, tt := range []struct {
		path string
		kv   []any
		want string
	}{
		{"a.txt:2", nil, "2:two\n[lines 2-2 of 4; go on with line=3]\n"},
		{"a.txt:2-3", nil, "2:two\n3:three\n[lines 2-3 of 4; go on with line=4]\n"},
		{"a.txt:3+9", nil, "3:three\n4:four\n"},
		{"a.txt:3-", nil, "3:three\n4:four\n"},
		{"a.txt", []any{"line", 3}, "3:three\n4:four\n"},
		{"a.txt", []any{"limit", 1}, "1:one\n[lines 1-1 of 4; go on with line=2]\n"},
		{"a.txt", []any{"line", 2, "limit", 2}, "2:two\n3:three\n[lines 2-3 of 4; go on with line=4]\n"},
		{"a.txt", []any{"offset", 5}, "[line 2, from byte 5 of the file]\n2:wo\n3:three\n4:four\n"},
	} {
		want(t, r.ok("read", append([]any{"path", tt.path}, tt.kv...)...), tt.want)
	}
}

func TestReadLiteralNameWinsOverSelector(t *testing.T) {
	r := newRig(t)
	r.put("log:2", "a\nb\nc\n")
	want(t, r.ok("read", "path", "log:2"), "1:a\n2:b\n3:c\n")
	want(t, r.ok("read", "path", "log:2:3"), "3:c\n")
}

func TestReadLineModel(t *testing.T) {
	r := newRig(t)
	r.put("crlf", "\xef\xbb\xbfone\r\ntwo\rhalf\r\n")
	want(t, r.ok("read", "path", "crlf"), "1:one\n2:two\rhalf\n[lines end in CRLF]\n")
	r.put("mixed", "a\r\nb\nc")
	want(t, r.ok("read", "path", "mixed"), "1:a\n2:b\n3:c\n[1 lines end in CRLF, 1 in LF]\n")
}

// read-004, read-005
func TestReadEmptyAndPastTheEnd(t *testing.T) {
	r := newRig(t)
	r.put("empty", "")
	r.put("bom", "\xef\xbb\xbf")
	r.put("ten", strings.Repeat("x\n", 10))
	want(t, r.ok("read", "path", "empty"), "[empty is an empty file]")
	want(t, r.ok("read", "path", "bom"), "[bom is an empty file]")
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
		out = strings.TrimPrefix(out, fmt.Sprintf("[line 1, from byte %d of the file]\n", offset))
		row, rest, _ := strings.Cut(out, "\n")
		got += strings.TrimPrefix(row, "1:")
		if _, err := fmt.Sscanf(rest[strings.Index(rest, "offset=")+len("offset="):], "%d", &offset); !strings.Contains(rest, "offset=") || err != nil {
			break
		}
	}
	r.put("huge.js", strings.Repeat("x", 5_000_000)+"the end\n")
	want(t, r.ok("read", "path", "huge.js", "offset", 5_000_000),
		"[line 1, from byte 5000000 of the file]\n1:the end\n[the file is over 4 MiB: change it with bash]\n")
	if got != text {
		t.Errorf("the pages put together are not the line: %d bytes of %d", len(got), len(text))
	}
}

func TestReadPagesBySize(t *testing.T) {
	r := newRig(t)
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "line %d of a file that needs several pages\n", i+1)
	}
	r.put("long", b.String())
	got, line := "", 1
	for line > 0 {
		out := r.ok("read", "path", "long", "line", line)
		rows, notice, more := strings.Cut(out, "[lines ")
		got += rows
		line = 0
		if more {
			fmt.Sscanf(notice[strings.Index(notice, "line="):], "line=%d", &line)
		}
	}
	n := 0
	for row := range strings.Lines(got) {
		n++
		if wanted := fmt.Sprintf("%d:line %d of a file that needs several pages\n", n, n); row != wanted {
			t.Fatalf("row %d is %q", n, row)
		}
	}
	if n != 5000 {
		t.Errorf("%d rows", n)
	}
}

// A file of any size takes the memory of one page.
func TestReadLargeFileIsStreamed(t *testing.T) {
	r := newRig(t)
	f, err := os.Create(r.path("big"))
	if err != nil {
		t.Fatal(err)
	}
	block := strings.Repeat("0123456789abcde\n", 1<<16)
	for range 64 {
		f.WriteString(block)
	}
	f.Close()
	lines := 64 << 16
	res := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			out := r.ok("read", "path", "big", "line", lines)
			want(t, out, fmt.Sprintf("%d:0123456789abcde\n[the file is over 4 MiB: change it with bash]\n", lines))
		}
	})
	if res.AllocedBytesPerOp() > 24<<20 {
		t.Errorf("a read of a 64 MiB file allocated %d MiB", res.AllocedBytesPerOp()>>20)
	}
	r.fails("read", []any{"path", "big", "line", lines + 1}, fmt.Sprint(lines, " lines"))
}

// read-001: what could block or act is refused before it is opened.
func TestReadRefusesWhatIsNoFile(t *testing.T) {
	r := newRig(t)
	if err := syscall.Mkfifo(r.path("p"), 0o644); err != nil {
		t.Fatal(err)
	}
	r.put("dir/x", "")
	r.fails("read", []any{"path", "p"}, "pipe", "not opened")
	r.fails("read", []any{"path", "dir"}, "directory", "list_dir")
	r.fails("read", []any{"path", "none"}, "does not exist", "glob")
	r.fails("read", []any{"path", "dir/x/y"}, "dir/x/y")
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
