package agenthook

import (
	"encoding/json"
	"strings"
)

// pluginName is the file of the plugin: OpenCode has no command hooks.
const pluginName = "tenet-guard.js"

// plugin runs the guard and throws unless it ended well. It imports only what is part of
// the runtime: a plugin that fails while it is loaded is dropped without a word.
const plugin = `// Written by "tenet guard install opencode"; "tenet guard uninstall opencode" removes it.
// It asks tenet's gate before each tool call. Every failure stops the call.
import { spawn } from "node:child_process";

const program = PROGRAM;
const args = ARGS;
const limit = LIMIT; // milliseconds

function ask(call) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["pipe", "ignore", "pipe"] });
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error("tenet did not answer in time, so the call is blocked"));
    }, limit);
    let reason = "";
    child.stderr.on("data", (chunk) => {
      if (reason.length < 4096) reason += chunk;
    });
    child.stdin.on("error", () => {});
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(new Error("tenet could not run, so the call is blocked: " + error.message));
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      if (code === 0) resolve();
      else reject(new Error(reason.trim() || "tenet could not judge this call, so it is blocked; a person can find out why with: MARKER opencode"));
    });
    child.stdin.end(JSON.stringify(call));
  });
}

export const TenetGuard = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    await ask({
      hook_event_name: "PreToolUse",
      session_id: input.sessionID,
      tool_use_id: input.callID,
      cwd: directory,
      tool_name: input.tool,
      tool_input: output.args,
    });
  },
});
`

// pluginText is the plugin for a program.
func pluginText(program string, headless bool) string {
	args := []string{"guard", OpenCode.String()}
	if headless {
		args = append(args, "--headless")
	}
	list, err := json.Marshal(args)
	if err != nil {
		panic(err) // strings
	}
	return strings.NewReplacer("PROGRAM", jsonText(program), "ARGS", string(list), "LIMIT", "10000", "MARKER", marker).Replace(plugin)
}

// pluginProgram is the program that a plugin runs; ok is false for another file.
func pluginProgram(text []byte) (program string, ok bool) {
	for l := range strings.Lines(string(text)) {
		if rest, found := strings.CutPrefix(l, "const program = "); found {
			err := json.Unmarshal([]byte(strings.TrimSuffix(strings.TrimSpace(rest), ";")), &program)
			return program, err == nil && strings.Contains(string(text), marker)
		}
	}
	return "", false
}
