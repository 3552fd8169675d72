package bridge

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tenet/adapters/store"
	"tenet/core/event"
)

// chunk is one event of a chat completion stream.
func chunk(body string) string { return "data: " + body + "\n\n" }

const (
	say    = `{"choices":[{"index":0,"delta":{"content":"All is well."},"finish_reason":null}]}`
	finish = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
)

func toolCall(args string) string {
	quoted, _ := json.Marshal(args)
	return fmt.Sprintf(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_0","type":"function","function":{"name":"bash","arguments":%s}}]},"finish_reason":"tool_calls"}]}`, quoted)
}

// serve answers each request with the next body; the last one stays.
func serve(t *testing.T, answers ...http.HandlerFunc) (url string, asked *int) {
	asked = new(int)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := min(*asked, len(answers)-1)
		*asked++
		answers[n](w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1", asked
}

func sse(events ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range events {
			fmt.Fprint(w, chunk(e))
		}
	}
}

func fixed(status int, kind, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// live runs the program against an endpoint and returns how it ended.
func live(t *testing.T, url string) (code int, stdout, stderr string, records []event.Record) {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(buildTenet(t), "run", "--model", "m", "--auto", "read,write,exec", "is all well?")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "TENET_HOME="+filepath.Join(dir, "th"), "OPENAI_BASE_URL="+url, "OPENAI_API_KEY=sk-very-secret-key", "HTTP_PROXY=", "http_proxy=")
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // the exit code is what is judged
	logs, err := store.List(filepath.Join(dir, "th", "sessions"))
	if err != nil || len(logs) != 1 {
		t.Fatalf("logs %v, %v\n%s", logs, err, errs.String())
	}
	records, report, err := store.Read(logs[0].Path)
	if err != nil || !report.OK() {
		t.Fatalf("log: %v\n%s", err, report.Text())
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String(), records
}

// TestALiveModelRunsToolsAndAnswers is the whole slice against a server on this
// machine: request, call, effect, result, answer.
func TestALiveModelRunsToolsAndAnswers(t *testing.T) {
	url, asked := serve(t, sse(toolCall(`{"command":"echo made > made"}`)), sse(say, finish))
	code, stdout, stderr, _ := live(t, url)
	if code != 0 || strings.TrimSpace(stdout) != "All is well." || *asked != 2 {
		t.Errorf("exit %d after %d requests, answer %q\n%s", code, *asked, stdout, stderr)
	}
}

// TestAnEndpointThatMisbehavesIsNeverTakenForAnAnswer: each bad answer ends the run
// with exit code 1, a message a person can act on, and no answer on standard output.
func TestAnEndpointThatMisbehavesIsNeverTakenForAnAnswer(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		says   string
	}{
		{"HTML", fixed(200, "text/html", "<html><body>Sign in to the proxy</body></html>"), "HTML"},
		{"a key that is refused", fixed(401, "application/json", `{"error":{"message":"Invalid API Key"}}`), "Invalid API Key"},
		{"too many requests, for an hour", fixed(429, "application/json", `{"error":{"message":"slow down"}}`, "Retry-After", "3600"), "1h0m0s"},
		{"no such model", fixed(404, "application/json", `{"error":{"message":"model m not found"}}`), "not found"},
		{"a request that is refused", fixed(400, "application/json", `{"error":{"message":"Unrecognized schema"}}`), "Unrecognized schema"},
	} {
		t.Run(c.name, func(t *testing.T) {
			url, _ := serve(t, c.answer)
			code, stdout, stderr, records := live(t, url)
			if code != 1 || stdout != "" || !strings.Contains(stderr, c.says) {
				t.Errorf("exit %d, answer %q, want a message with %q:\n%s", code, stdout, c.says, stderr)
			}
			if strings.Contains(stderr, "very-secret") {
				t.Error("the key was shown")
			}
			for _, r := range records {
				if strings.Contains(string(r.Body), "very-secret") {
					t.Errorf("the key is in the log: %s", r.Body)
				}
				if r.Kind == event.Replied {
					t.Errorf("a reply was recorded: %s", r.Body)
				}
			}
		})
	}
}
