package cli

import (
	"context"
	"encoding/json"
	"time"

	"tenet/adapters/approvals"
	"tenet/adapters/settings"
	"tenet/core/rules"
	core "tenet/core/settings"
)

// Look is how the terminal interface looks in a directory, by the person's own settings. A
// file that cannot be read is no reason to show nothing: the defaults hold, and opening the
// session says what is wrong.
func Look(dir string) (core.Interface, error) {
	opts, err := placed(dir)
	if err != nil {
		return core.Interface{}, err
	}
	s, err := settings.Load(opts)
	if err != nil {
		return core.DefaultRun().Interface, nil
	}
	return s.Run.Interface, nil
}

// Remember writes one of the person's own settings, a text, into their file.
func Remember(ctx context.Context, dir, key, value string) error {
	k, err := found(key)
	if err != nil {
		return err
	}
	opts, err := placed(dir)
	if err != nil {
		return err
	}
	text, err := json.Marshal(value)
	if err == nil {
		_, err = settings.Editor{Options: opts}.Set(ctx, rules.FromUser, k, string(text))
	}
	return err
}

// GuardHelp says how tenet judges the calls of an agent that somebody uses already.
func GuardHelp() string {
	c := GuardCommand()
	return c.Long + "\n\nExamples:\n" + c.Example + "\n"
}

// Age is a time that passed in one unit.
func Age(d time.Duration) string { return age(d) }

// Card is a question as lines.
func Card(q approvals.Approval, waiting int) string { return card(q, waiting) }

// AnswerOf reads one typed line as the answer to a question; Enter alone is no.
func AnswerOf(line string, q approvals.Approval) approvals.AnswerApproval { return answer(line, q) }
