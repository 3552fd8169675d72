package host

import "tenet/adapters/prompts"

// Prompts are the prompts that people keep in files, as they were found when the session
// opened; commands are the names that none of them takes.
func (h *Host) Prompts(commands []string) *prompts.Library {
	return prompts.Of(h.held.Skills, commands)
}
