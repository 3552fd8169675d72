package agenthook

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// A hook that Codex does not trust is skipped without a word, and the call runs. Its
// own server says what it thinks of each hook; that is the only way to know.

// CodexHook is a hook as Codex sees it.
type CodexHook struct {
	Key     string `json:"key"`
	Command string `json:"command"`
	Enabled bool   `json:"enabled"`
	// Hash is of the whole entry: any change of it makes the hook untrusted.
	Hash string `json:"currentHash"`
	// Trust is managed, trusted, untrusted or modified.
	Trust string `json:"trustStatus"`
}

// Runs reports whether Codex runs the hook.
func (h CodexHook) Runs() bool { return h.Enabled && (h.Trust == "trusted" || h.Trust == "managed") }

// codexWait is how long Codex's server may take for all its answers.
const codexWait = 15 * time.Second

// CodexHooks asks the Codex of a program for the guard's hooks in a directory. With
// trust, it tells Codex to trust those that it does not, and looks again.
func CodexHooks(ctx context.Context, program, dir string, trust bool) (hooks []CodexHook, err error) {
	ctx, cancel := context.WithTimeout(ctx, codexWait)
	defer cancel()
	s, err := dialCodex(ctx, program, dir)
	if err != nil {
		return nil, err
	}
	defer s.close()
	if hooks, err = s.guards(dir); err != nil || !trust {
		return hooks, err
	}
	state := map[string]any{}
	for _, h := range hooks {
		if !h.Runs() {
			state[h.Key] = map[string]any{"trusted_hash": h.Hash}
		}
	}
	if len(state) > 0 {
		edit := map[string]any{"keyPath": "hooks.state", "mergeStrategy": "upsert", "value": state}
		if err := s.call("config/batchWrite", map[string]any{"edits": []any{edit}}, nil); err != nil {
			return nil, err
		}
	}
	return s.guards(dir)
}

// codexServer speaks JSON lines with `codex app-server`.
type codexServer struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
	id  int
}

func dialCodex(ctx context.Context, program, dir string) (*codexServer, error) {
	cmd := exec.CommandContext(ctx, program, "app-server")
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start codex app-server: %w", err)
	}
	s := &codexServer{cmd: cmd, in: in, out: bufio.NewScanner(out)}
	s.out.Buffer(nil, MaxInput)
	err = s.call("initialize", map[string]any{"clientInfo": map[string]any{"name": "tenet", "version": "1"}}, nil)
	if err == nil {
		err = s.send(map[string]any{"method": "initialized"})
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// close ends the server: its input ends, and WaitDelay bounds how long it may take.
func (s *codexServer) close() {
	_ = s.in.Close()
	_ = s.cmd.Cancel()
	_ = s.cmd.Wait()
}

func (s *codexServer) send(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err = s.in.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("codex app-server: %w", err)
	}
	return nil
}

// call sends a request and reads until its answer comes; notices are passed over.
func (s *codexServer) call(method string, params, into any) error {
	s.id++
	if err := s.send(map[string]any{"id": s.id, "method": method, "params": params}); err != nil {
		return err
	}
	for s.out.Scan() {
		var r struct {
			ID     int             `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  *struct{ Message string }
		}
		if json.Unmarshal(s.out.Bytes(), &r) != nil || r.ID != s.id {
			continue
		}
		if r.Error != nil {
			return fmt.Errorf("codex app-server, %s: %s", method, r.Error.Message)
		}
		if into == nil {
			return nil
		}
		return json.Unmarshal(r.Result, into)
	}
	return fmt.Errorf("codex app-server gave no answer to %s: %w", method, errors.Join(s.out.Err(), io.ErrUnexpectedEOF))
}

// guards are the guard's own hooks.
func (s *codexServer) guards(dir string) (out []CodexHook, err error) {
	var r struct {
		Data []struct{ Hooks []CodexHook }
	}
	if err := s.call("hooks/list", map[string]any{"cwds": []string{dir}}, &r); err != nil {
		return nil, err
	}
	for _, d := range r.Data {
		for _, h := range d.Hooks {
			if strings.Contains(h.Command, marker) && strings.Contains(h.Command, " guard "+Codex.String()) {
				out = append(out, h)
			}
		}
	}
	return out, nil
}
