package guard_test

import (
	"testing"

	"tenet/core/guard"
)

func TestAnAgentDoesNotChangeItsOwnRules(t *testing.T) {
	holds(t, policy(), guard.OwnRules, `
tenet trust
tenet trust --yes .
/usr/local/bin/tenet rules add --user process.execute x allow
tenet --dir x rules remove --project 3
tenet rules move 1 2
tenet guard install codex --yes
tenet guard uninstall codex
`, `
tenet why ls
tenet rules list
tenet rules test ls
tenet log show
tenet guard stats
tenet laws check
`)
}
