package bridge

import (
	"testing"
	"testing/synctest"

	"tenet/bridge/engine"
	"tenet/core/turn"
)

// TestRunQuick plays every short story of a model and a person on real sessions.
func TestRunQuick(t *testing.T) {
	defer report.Time("run")()
	if err := runQuick(); err != nil {
		t.Fatal(err)
	}
}

// TestRunStories plays stories with failures that pass: their waits are virtual.
func TestRunStories(t *testing.T) {
	defer report.Time("run")()
	synctest.Test(t, func(t *testing.T) {
		limits := turn.Config{Rounds: 3, Retries: 2, Notes: 2, Compactions: 1, Polls: 2}
		n, err := engine.Every(3, func(src engine.Source) error { return playStory(src, limits, stories) })
		if err != nil {
			t.Fatal(err)
		}
		const many = 500
		if err := engine.Many(many, 20, 7, func(src engine.Source) error { return playStory(src, limits, stories) }); err != nil {
			t.Fatal(err)
		}
		report.Histories("run", n+many)
	})
}
