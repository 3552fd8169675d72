package bridge

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"tenet/bridge/engine"
	"tenet/core/doc"
	"tenet/core/surface"
	"tenet/laws"
	"tenet/models/docsearch"
)

// searchQuery is one search of a tree, and how the reference matches a line and a name.
type searchQuery struct {
	args  surface.Args
	line  *regexp.Regexp
	takes func(name string) bool
}

// searchTree makes a tree, searches it page after page, and judges what was shown.
func searchTree(src engine.Source, n engine.Premises) error {
	root, err := tempDir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	plantTree(src, root)
	d := newDocDir(root)
	defer d.close()
	for range 6 {
		q := drawQuery(src)
		in := docsearch.In{Kind: docsearch.List, Budget: docsearch.Budget}
		in.Skip, in.Limit = src.Pick(12, "skip"), []int{0, 1, 3, 7, 30}[src.Pick(5, "limit")]
		if in.Limit > 0 {
			q.args["limit"] = int64(in.Limit)
		}
		in.Scope = scopeOf(in)
		lines := listTree(root, q, &in)
		out, err := d.searchPages(q, in, lines)
		if err != nil {
			return fmt.Errorf("%v: %w", q.args, err)
		}
		if err := judgeSearch(in, out, n); err != nil {
			return fmt.Errorf("%v skip=%d: %w", q.args, in.Skip, err)
		}
	}
	return nil
}

// scopeOf is the scope of a search of a directory, in plain numbers.
func scopeOf(in docsearch.In) doc.GrepScope {
	s := doc.GrepScope{Several: true, PerFile: 20, Limit: 200, Page: doc.Page{Skip: in.Skip, Size: 20}}
	if in.Limit > 0 {
		s.Limit, s.Size = in.Limit, in.Limit+1
	}
	return s
}

var searchWords = strings.Fields("needle Needle NEEDLE hay haystack fixme x1.2.3 naïve straße")

// plantTree makes files of every kind that a search meets.
func plantTree(src engine.Source, root string) {
	dirs := []string{"", "a/", "a-b/", "a/b/", "z/", "out/"}
	for i := range 25 + src.Pick(40, "files") {
		name := dirs[src.Pick(len(dirs), "dir")] + fmt.Sprintf("f%02d", i) + []string{".go", ".txt", ".log", ".py"}[src.Pick(4, "ending")]
		must(os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755))
		must(os.WriteFile(filepath.Join(root, name), searchText(src), 0o644))
	}
	must(os.WriteFile(filepath.Join(root, ".gitignore"), []byte("*.log\n/out/\n"), 0o644))
	must(os.MkdirAll(filepath.Join(root, ".git"), 0o755))
	must(os.WriteFile(filepath.Join(root, ".tenet-tmp-00-1-1"), []byte("needle\n"), 0o644))
	must(os.WriteFile(filepath.Join(root, ".env"), []byte("needle\n"), 0o644))
	must(os.Symlink("a", filepath.Join(root, "link")))
	must(unix.Mkfifo(filepath.Join(root, "pipe"), 0o644))
	big, err := os.Create(filepath.Join(root, "sparse"))
	must(err)
	must(big.Truncate(doc.OversizeBytes + 1))
	must(big.Close())
}

// searchText is a file: lines of words with all endings, and now and then bytes that
// are no text.
func searchText(src engine.Source) []byte {
	var b bytes.Buffer
	b.WriteString([]string{"", "", doc.BOM}[src.Pick(3, "mark")])
	for range src.Pick(60, "lines") {
		for range src.Pick(3, "words") {
			b.WriteString(searchWords[src.Pick(len(searchWords), "word")] + " ")
		}
		b.WriteString([]string{"\n", "\n", "\r\n", "\r", "\xff\n", "\n\n"}[src.Pick(6, "ending")])
	}
	if src.Pick(12, "binary") == 0 {
		b.WriteByte(0)
	}
	return b.Bytes()
}

// drawQuery is a pattern of each way to search, with and without filters.
func drawQuery(src engine.Source) searchQuery {
	expr := []string{"needle", "needle|fixme", `\bhay\b`, `n\w+e\s`, `[0-9]\.[0-9]\.[0-9]`, `stra.e`, `^\s*$`, `\w+ \w+`}[src.Pick(8, "pattern")]
	q := searchQuery{args: surface.Args{"pattern": expr}, takes: func(string) bool { return true }}
	if src.Pick(2, "case") == 0 {
		q.args["ignore_case"] = true
		expr = "(?i)" + expr
	}
	q.line = regexp.MustCompile(expr)
	switch src.Pick(4, "filter") {
	case 0:
		q.args["glob"] = "*.go"
		q.takes = func(name string) bool { return strings.HasSuffix(name, ".go") }
	case 1:
		q.args["type"] = "py"
		q.takes = func(name string) bool { return strings.HasSuffix(name, ".py") }
	}
	return q
}

// treeLines are the lines of the files of a search that match, by path and number.
type treeLines map[string]map[int]string

// listTree lists every entry with its class and every matching line, in the plainest way.
func listTree(root string, q searchQuery, in *docsearch.In) treeLines {
	lines := treeLines{}
	must(filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		f := docsearch.File{Path: strings.TrimPrefix(path, root+"/"), Passed: true}
		skip := error(nil)
		if e.IsDir() {
			skip = fs.SkipDir
		}
		name := e.Name()
		switch {
		case name == ".git":
			f.Why = doc.GitDir
		case strings.HasPrefix(name, ".tenet-tmp-"):
			f.Why = doc.TempFile
		case f.Path == "out" || strings.HasSuffix(name, ".log"):
			f.Why = doc.Ignored
		case e.IsDir():
			return nil
		case e.Type()&fs.ModeSymlink != 0:
			f.Why = doc.Symlink
		case !e.Type().IsRegular():
			f.Why = doc.Special
		case !q.takes(name):
			f.Why = doc.Excluded
		case name == ".env":
			f.Why = doc.SecretFile
		case name == "sparse":
			f.Why = doc.OversizeFile
		default:
			lines.list(root, q, &f)
		}
		in.Files = append(in.Files, f)
		return skip
	}))
	slices.SortFunc(in.Files, func(a, b docsearch.File) int { return strings.Compare(a.Path, b.Path) })
	for i := range in.Files {
		in.Order = append(in.Order, i)
	}
	return lines
}

func (t treeLines) list(root string, q searchQuery, f *docsearch.File) {
	b, err := os.ReadFile(filepath.Join(root, f.Path))
	must(err)
	if bytes.IndexByte(b, 0) >= 0 {
		f.Why = doc.BinaryFile
		return
	}
	f.Passed = false
	t[f.Path] = map[int]string{}
	text := strings.TrimPrefix(string(b), doc.BOM)
	all := strings.Split(text, "\n")
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	for i, line := range all {
		if i < len(all)-1 || strings.HasSuffix(text, "\n") {
			line = strings.TrimSuffix(line, "\r")
		}
		if q.line.MatchString(line) {
			f.Matches++
			t[f.Path][i+1] = strings.ToValidUTF8(line, "\uFFFD")
		}
	}
}

// searchPages follows the tool's continuations to the end and says what each page showed.
func (d *docDir) searchPages(q searchQuery, in docsearch.In, lines treeLines) (out docsearch.Out, err error) {
	for skip := in.Skip; len(out.Pages) < len(in.Files)+2; {
		q.args["skip"] = int64(skip)
		p, err := d.searchPage(q, in, lines, skip)
		if err != nil {
			return out, err
		}
		out.Pages = append(out.Pages, p)
		if skip = p.Next; skip == 0 {
			break
		}
	}
	return out, nil
}

var (
	shownHead = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\[([^#\] ]+)(?:#([0-9A-F]{4}))?\]$`) })
	shownCut  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\[(\d+) of (\d+) matches in .*; the path "(.*)" goes on\]$`)
	})
	shownNext = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\[files .* go on with skip=(\d+),`) })
	shownPast = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\[skip=\d+ is past the end by (\d+):`) })
)

// searchPage reads one page of the tool.
func (d *docDir) searchPage(q searchQuery, in docsearch.In, lines treeLines, skip int) (p docsearch.Page, err error) {
	text, err := d.tools.Run(context.Background(), openGate{}, "grep", q.args)
	if err != nil {
		return p, err
	}
	p = docsearch.Page{Skip: skip, Searched: -1}
	file, last := "", 0
	for row := range strings.Lines(text) {
		row = strings.TrimSuffix(row, "\n")
		head, cut, next, past := shownHead().FindStringSubmatch(row), shownCut().FindStringSubmatch(row), shownNext().FindStringSubmatch(row), shownPast().FindStringSubmatch(row)
		switch {
		case strings.HasPrefix(row, "*"):
			if last, err = lines.take(file, row, last); err != nil {
				return p, err
			}
			p.Shown[len(p.Shown)-1].Count++
		case cut != nil:
			s := &p.Shown[len(p.Shown)-1]
			s.Cut = true
			if s.Rest, err = d.searchRest(q, lines, file, cut[3], last); err != nil {
				return p, err
			}
		case next != nil:
			p.Next, _ = strconv.Atoi(next[1])
		case past != nil:
			p.PastTold = true
			p.Past, _ = strconv.Atoi(past[1])
		case strings.HasPrefix(row, "[skipped: "):
			readSkipped(row, &p)
		case head != nil:
			file, last = head[1], 0
			n := slices.IndexFunc(in.Files, func(f docsearch.File) bool { return f.Path == file })
			if n < 0 {
				return p, fmt.Errorf("%s is shown and is no file of the tree", file)
			}
			p.Window, p.Shown = append(p.Window, n), append(p.Shown, docsearch.Shown{File: n, Fetched: -1})
			if err := d.tagNames(file, head[2]); err != nil {
				return p, err
			}
		}
	}
	p.Window = behind(in, p.Window)
	return p, nil
}

// behind adds the files of a page that showed no match, for the limit was spent: the
// page does not name them.
func behind(in docsearch.In, shown []int) []int {
	if in.Limit == 0 || len(shown) == 0 {
		return shown
	}
	for i := shown[len(shown)-1] + 1; i < len(in.Files) && len(shown) < in.Scope.Size; i++ {
		if !in.Files[i].Passed && in.Files[i].Matches > 0 {
			shown = append(shown, i)
		}
	}
	return shown
}

// take checks one row against the reference: the line, its place, and the order.
func (t treeLines) take(file, row string, last int) (int, error) {
	number, text, _ := strings.Cut(strings.TrimPrefix(row, "*"), ":")
	line, err := strconv.Atoi(number)
	if err != nil || line <= last {
		return line, fmt.Errorf("law continuation_contiguous: %s: the row %q follows line %d", file, row, last)
	}
	if want, ok := t[file][line]; !ok || want != text {
		return line, fmt.Errorf("law grep_keeps_spec: %s: the row %q shows %q; it matches: %v", file, row, want, ok)
	}
	for n := range t[file] {
		if last < n && n < line {
			return line, fmt.Errorf("law continuation_contiguous: %s: line %d matches and is left out between %d and %d", file, n, last, line)
		}
	}
	return line, nil
}

// searchRest follows the line ranges of a cut file.
func (d *docDir) searchRest(q searchQuery, lines treeLines, file, path string, last int) (pieces []int, err error) {
	args := surface.Args{"path": path}
	for _, key := range []string{"pattern", "ignore_case", "limit"} {
		if v, ok := q.args[key]; ok {
			args[key] = v
		}
	}
	for len(pieces) < 200 {
		text, err := d.tools.Run(context.Background(), openGate{}, "grep", args)
		if err != nil {
			return nil, err
		}
		n, next := 0, ""
		for row := range strings.Lines(text) {
			row = strings.TrimSuffix(row, "\n")
			if cut := shownCut().FindStringSubmatch(row); cut != nil {
				next = cut[3]
			}
			if strings.HasPrefix(row, "*") {
				n++
				if last, err = lines.take(file, row, last); err != nil {
					return nil, err
				}
			}
		}
		pieces = append(pieces, n)
		if next == "" {
			return pieces, nil
		}
		args["path"] = next
	}
	return pieces, nil
}

// tagNames checks a header: its tag is that of the file's bytes, or the file has none.
func (d *docDir) tagNames(file, tag string) error {
	b, err := os.ReadFile(filepath.Join(d.root, file))
	must(err)
	want := ""
	if bytes.Equal(b, bytes.ToValidUTF8(b, nil)) {
		want = doc.Tag(doc.Digest(b))
	}
	if tag != want {
		return fmt.Errorf("law tag_names_shown_text: %s has the tag %q, its bytes %q", file, tag, want)
	}
	return nil
}

// readSkipped takes the counts of a notice apart by the words of its classes.
func readSkipped(row string, p *docsearch.Page) {
	for part := range strings.SplitSeq(strings.TrimPrefix(row, "[skipped: "), "; ") {
		number, _, _ := strings.Cut(part, " ")
		for c, word := range docsearch.Words {
			if strings.Contains(part, word) {
				p.Told[c] = true
				p.Counts[c], _ = strconv.Atoi(number)
				break
			}
		}
	}
}

// judgeSearch judges real pages by the laws and compares them with the model's.
func judgeSearch(in docsearch.In, out docsearch.Out, n engine.Premises) error {
	for _, l := range laws.DocSearchBook {
		if v := l.Func(in, out); v.Err != nil {
			return fmt.Errorf("law %s: %w", l.ID, v.Err)
		} else if v.Applies {
			n[l.ID]++
		}
	}
	_, want := docsearch.Step(struct{}{}, in)
	for i := range want.Pages {
		want.Pages[i].Searched = -1
		for k := range want.Pages[i].Shown {
			want.Pages[i].Shown[k].Fetched = -1
		}
		want.Pages[i].Window = nil
	}
	for i := range out.Pages {
		out.Pages[i].Window = nil
	}
	for i := range max(len(out.Pages), len(want.Pages)) {
		if i >= len(out.Pages) || i >= len(want.Pages) || !reflect.DeepEqual(out.Pages[i], want.Pages[i]) {
			return fmt.Errorf("law model: page %d of the tool is\n%+v\nof the model\n%+v", i, out.Pages[min(i, len(out.Pages)-1)], want.Pages[min(i, len(want.Pages)-1)])
		}
	}
	return nil
}
