package bridge

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// modelServer KIND NAME starts a model's server on this machine for one story, and puts
// its address, without a version, into the variable NAME. It has the model qwen3, calls
// the tool that it is told to call, and else answers "All is well."
//
// KIND is ollama (a window that is cut in silence), llamacpp (started without --jinja),
// vllm (writes its calls as text), or plain.
func modelServer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: server KIND NAME")
	}
	s := httptest.NewServer(modelMux(args[0]))
	ts.Defer(s.Close)
	ts.Setenv(args[1], s.URL)
}

func modelMux(kind string) http.Handler {
	mux := http.NewServeMux()
	answer := func(path, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) })
	}
	switch kind {
	case "ollama":
		answer("POST /api/show", `{"parameters": "temperature 0.6", "model_info": {"qwen3.context_length": 40960}, "capabilities": ["completion", "tools", "thinking"]}`)
		answer("GET /api/ps", `{"models": [{"name": "qwen3:latest", "context_length": 4096}]}`)
		answer("GET /v1/models", `{"object": "list", "data": [{"id": "qwen3:latest"}]}`)
	case "llamacpp":
		answer("GET /props", `{"default_generation_settings": {"n_ctx": 32768}}`)
		answer("GET /v1/models", `{"object": "list", "data": [{"id": "qwen3.gguf", "meta": {"n_ctx": 32768}}]}`)
	default:
		answer("GET /v1/models", `{"object": "list", "data": [{"id": "qwen3", "max_model_len": 65536}]}`)
	}
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) { modelReply(kind, w, r) })
	return mux
}

func modelReply(kind string, w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Model string            `json:"model"`
		Tools []json.RawMessage `json:"tools"`
	}
	bad := json.NewDecoder(r.Body).Decode(&asked)
	toldToCall := len(asked.Tools) == 1 && strings.Contains(string(asked.Tools[0]), `"say"`)
	switch {
	case bad != nil:
		fixed(400, "application/json", `{"error": {"message": "no JSON"}}`)(w, r)
	case asked.Model != "qwen3":
		fixed(404, "application/json", `{"error": {"message": "model not found"}}`)(w, r)
	case kind == "llamacpp" && len(asked.Tools) > 0:
		fixed(500, "application/json", `{"error": {"code": 500, "message": "tools param requires --jinja flag", "type": "server_error"}}`)(w, r)
	case toldToCall && kind == "vllm":
		sse(`{"choices":[{"index":0,"delta":{"content":"<tool_call>{\"name\":\"say\",\"arguments\":{\"word\":\"ready\"}}</tool_call>"}}]}`, finish)(w, r)
	case toldToCall:
		sse(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"say","arguments":"{\"word\":\"ready\"}"}}]},"finish_reason":"tool_calls"}]}`,
			`{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":20}}`)(w, r)
	default:
		sse(say, finish)(w, r)
	}
}
