package provider_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"tenet/adapters/provider"
	"tenet/adapters/provider/sse"
)

// Streams of real providers, recorded by another project and read from the module
// cache (testdata/cassettes says from which). They are what this package is for:
// a dozen servers, each with its own idea of the format.

// cassette is one recorded stream.
type cassette struct {
	name, url, body string
}

// numCassettes is how many streams of each format version v0.41.2 of the module has:
// another number means that the reader of the recordings went blind, or that the version
// changed.
var numCassettes = map[string]int{"chat": 152, "anthropic": 28, "responses": 39}

var cassettes = sync.OnceValues(loadCassettes)

// recorded is every recorded chat completion stream.
func recorded(t *testing.T) []cassette { return recordedAs(t, "chat") }

// recordedAs is every recorded stream of a format. Without the module in the cache the
// test is skipped, but not where CI runs.
func recordedAs(t *testing.T, format string) []cassette {
	t.Helper()
	all, err := cassettes()
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatalf("the recorded streams are missing in CI: %v", err)
	}
	if err != nil {
		t.Skipf("SKIPPED, no recorded stream was replayed: %v\nrun: make cassettes   (go -C testdata/cassettes mod download)", err)
	}
	if len(all[format]) != numCassettes[format] {
		t.Fatalf("%d recorded streams of %s were found, want %d", len(all[format]), format, numCassettes[format])
	}
	return all[format]
}

func loadCassettes() (map[string][]cassette, error) {
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "charm.land/fantasy")
	cmd.Dir = filepath.Join("..", "..", "testdata", "cassettes")
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=readonly", "GOPROXY=off", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	dir := strings.TrimSpace(string(out))
	if err != nil || dir == "" {
		return nil, fmt.Errorf("charm.land/fantasy is not in the module cache: %v %s", err, dir)
	}
	root := filepath.Join(dir, "providertests", "testdata")
	all := map[string][]cassette{}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".yaml" {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		return extract(name, string(b), all)
	})
	return all, err
}

// formatOf is the wire format of a recorded exchange, empty for one that is no stream of
// ours.
func formatOf(url, request string) string {
	path, _, _ := strings.Cut(url, "?")
	switch streams := strings.Contains(request, `"stream":true`); {
	case streams && strings.HasSuffix(path, "/chat/completions"):
		return "chat"
	case streams && strings.HasSuffix(path, "/v1/messages"), strings.HasSuffix(path, ":streamRawPredict"):
		return "anthropic"
	case streams && strings.HasSuffix(path, "/responses"):
		return "responses"
	}
	return ""
}

// extract sorts the streams of one recording into all. The recordings are YAML of one
// shape: mappings with an indent, and bodies as quoted or block scalars. What has another
// shape is an error, never left out.
func extract(name, text string, all map[string][]cassette) error {
	var url, request string
	n := 0
	lines := strings.Split(text, "\n")
	inResponse := false
	for i := 0; i < len(lines); i++ {
		key, value, _ := strings.Cut(strings.TrimLeft(lines[i], " -"), ":")
		value = strings.TrimSpace(value)
		switch key {
		case "request", "response":
			inResponse = key == "response"
		case "url":
			url = value
		case "body":
			indent := len(lines[i]) - len(strings.TrimLeft(lines[i], " "))
			body, next, err := scalar(value, lines[i+1:], indent)
			if err != nil {
				return fmt.Errorf("%s:%d: %w", name, i+1, err)
			}
			i += next
			if !inResponse {
				request = body
				continue
			}
			if format := formatOf(url, request); format != "" {
				all[format] = append(all[format], cassette{fmt.Sprintf("%s#%d", name, n), url, body})
				n++
			}
		}
	}
	return nil
}

// scalar is the value of a key: quoted on the line, or a block of the lines after
// it, of which it also gives the number.
func scalar(value string, after []string, indent int) (string, int, error) {
	switch {
	case strings.HasPrefix(value, `"`):
		s, err := strconv.Unquote(strings.ReplaceAll(value, `\/`, "/"))
		return s, 0, err
	case strings.HasPrefix(value, "'") && strings.HasSuffix(value, "'") && len(value) > 1:
		return strings.ReplaceAll(value[1:len(value)-1], "''", "'"), 0, nil
	case value == "|", value == "|-", value == "|+", value == "!!binary |":
		s, n := block(after, indent)
		if value != "|+" {
			s = strings.TrimRight(s, "\n")
		}
		if value == "|" {
			s += "\n"
		}
		return s, n, nil
	}
	return "", 0, fmt.Errorf("a body of unknown shape: %.40s", value)
}

func block(lines []string, indent int) (string, int) {
	var b strings.Builder
	n, inner := 0, 0
	for _, l := range lines {
		lead := len(l) - len(strings.TrimLeft(l, " "))
		if strings.TrimSpace(l) != "" && lead <= indent {
			break
		}
		if inner == 0 && strings.TrimSpace(l) != "" {
			inner = lead
		}
		b.WriteString(l[min(inner, len(l)):] + "\n")
		n++
	}
	return b.String(), n
}

// The recordings are somebody else's work: the page of dependencies names them, and
// at the version that is read.
func TestTheRecordingsAreNamedAmongTheDependencies(t *testing.T) {
	mod, err := os.ReadFile("../../testdata/cassettes/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	_, version, _ := strings.Cut(string(mod), "require charm.land/fantasy ")
	version = strings.TrimSpace(version)
	if want := "`charm.land/fantasy` " + version; version == "" || !strings.Contains(string(page), want) {
		t.Errorf("docs/dependencies.md does not name %s", want)
	}
}

// naive reads a stream in the simplest way that works on whole, well-formed
// recordings: what the accumulator must agree with.
func naive(body string) (text, finish string, args map[string]string) {
	args = map[string]string{}
	for _, line := range strings.Split(body, "\n") {
		var c struct {
			Choices []struct {
				Delta struct {
					Content string
					Calls   []struct {
						Index    int
						ID       string
						Function struct{ Name, Arguments string }
					} `json:"tool_calls"`
				}
				Finish string `json:"finish_reason"`
			}
		}
		if json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &c) != nil {
			continue
		}
		for _, ch := range c.Choices {
			text += ch.Delta.Content
			if ch.Finish != "" {
				finish = ch.Finish
			}
			for _, call := range ch.Delta.Calls {
				args[strconv.Itoa(call.Index)] += call.Function.Name + call.Function.Arguments
			}
		}
	}
	return text, finish, args
}

func TestRecordedStreamsAreWholeReplies(t *testing.T) {
	all := recorded(t)
	hosts := map[string]int{}
	calls, thoughts := 0, 0
	for _, c := range all {
		r, err := accumulate(c.body, 1000)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		text, finish, args := naive(c.body)
		if r.Text != text || len(r.Calls) != len(args) || (len(args) > 0) != (r.Stop == provider.StopTools) {
			t.Errorf("%s: got %s\nwant text %q, %d calls %v, finish %s", c.name, show(r, nil), text, len(args), args, finish)
		}
		for i, call := range r.Calls {
			if want := args[strconv.Itoa(i)]; call.Tool+call.Args != want && len(args) == len(r.Calls) && args["1"] != "" {
				t.Errorf("%s: call %d is %s%s, want %s", c.name, i, call.Tool, call.Args, want)
			}
			if !json.Valid([]byte(call.Args)) && call.Args != "" {
				t.Errorf("%s: the arguments of %s do not parse: %s", c.name, call.Tool, call.Args)
			}
		}
		hosts[strings.Split(c.url, "/")[2]]++
		calls += len(r.Calls)
		if r.Thinking != "" {
			thoughts++
		}
	}
	t.Logf("%d recorded streams of %d servers replayed whole, with %d calls, %d with thinking: %v", len(all), len(hosts), calls, thoughts, hosts)
}

// Cut after each event, a recorded stream is no reply until its finish reason came,
// and from then on it stays one.
func TestRecordedStreamsCutAfterEachEvent(t *testing.T) {
	cuts := 0
	for _, c := range recorded(t) {
		var p sse.Parser
		var a provider.Accumulator
		finished := false
		err := p.Feed([]byte(c.body), func(e sse.Event) error {
			if _, err := a.Reply(); !finished && class(err) != provider.Cut {
				t.Errorf("%s: cut before event %d it is a reply", c.name, p.Events)
			}
			cuts++
			finished = finished || bytes.Contains(bytes.ReplaceAll(e.Data, []byte(" "), nil), []byte(`"finish_reason":"`))
			_, _, err := a.Take(e)
			if _, rerr := a.Reply(); finished != (rerr == nil) {
				t.Errorf("%s: after event %d finished is %v, and the reply's error is %v", c.name, p.Events, finished, rerr)
			}
			return err
		})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	t.Logf("%d cuts", cuts)
}

// The same recordings with other line ends, with comments between all events, and
// in small reads are the same replies.
func TestRecordedStreamsThroughRoughHands(t *testing.T) {
	for _, c := range recorded(t) {
		want := show(accumulate(c.body, 4096))
		for name, body := range map[string]string{
			"CRLF":     strings.ReplaceAll(c.body, "\n", "\r\n"),
			"lone CR":  strings.ReplaceAll(c.body, "\n", "\r"),
			"comments": ": one\n: two\n\n" + strings.ReplaceAll(c.body, "\n\n", "\n\n: one\n: two\n\n"),
			"a mark":   "\ufeff" + c.body,
		} {
			if got := show(accumulate(body, 7)); got != want {
				t.Errorf("%s with %s: got %.200s\nwant %.200s", c.name, name, got, want)
			}
		}
	}
}

// The whole way through HTTP gives the same replies.
func TestRecordedStreamsOverHTTP(t *testing.T) {
	for _, c := range recorded(t) {
		want := show(accumulate(c.body, 4096))
		var said strings.Builder
		chat := chatWith(t, nil, func(o *provider.Options) {
			o.Transport = transport(func(*http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(strings.NewReader(c.body))}, nil
			})
		})
		r, err := chat.Reply(t.Context(), hello, func(d provider.Delta) { said.WriteString(d.Text) })
		if got := show(r, err); got != want || said.String() != r.Text {
			t.Errorf("%s: got %.200s, said %.100q\nwant %.200s", c.name, got, said.String(), want)
		}
	}
}
