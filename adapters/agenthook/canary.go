package agenthook

import "strings"

// CanaryWord makes every command that holds it blocked, whatever the settings say. A
// client that runs such a command was not guarded; the command itself is harmless.
const CanaryWord = "tenet-guard-canary"

var canaryAnswer = block("canary", "the command holds the word "+CanaryWord+", with which `tenet guard doctor` shows that the guard blocks", "nothing is wrong: use another word")

// Canary reports whether a command is one of the doctor's.
func Canary(command any) bool {
	s, ok := command.(string)
	return ok && strings.Contains(s, CanaryWord)
}
