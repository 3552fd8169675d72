package runner_test

import (
	"testing"

	"tenet/core/runner"
)

func TestARunnerThatSaysNothingIsGatedByStep(t *testing.T) {
	var r runner.Runner
	if r.Gate != runner.EachStep || r.Gate.String() != "each step" || runner.EachCall.String() != "each call" {
		t.Errorf("%v", r.Gate)
	}
}
