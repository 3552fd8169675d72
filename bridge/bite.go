package bridge

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"tenet/bridge/engine"
	"tenet/laws/law"
)

// Bite is how one named mutant was caught.
type Bite string

// The bites. Empty means that the mutant survived.
const (
	ByLaw        Bite = "law"        // the law it names broke on the model
	ByPanic      Bite = "panic"      // the mutated step itself panicked while the law was searched
	ByProduction Bite = "production" // production beside the model showed it
	ByDeadline   Bite = "deadline"   // it never came back: caught, but not by what it names
)

// Try says how the gates catch the active mutant, which names a law of an area and
// stands in file (a path in the repository). A mutant of an adapter must be seen on
// production; any other must break its law on the model. Where the model is an
// algorithm of its own, core is production too: a mutant of it is looked for there
// first, and on the model when that shows nothing.
func Try(area, lawID, file string) (by Bite, saw string) {
	for _, a := range Areas() {
		if a.Name == area {
			return a.try(lawID, file)
		}
	}
	return "", "no area " + area + " is registered"
}

func (a Area) try(lawID, file string) (by Bite, saw string) {
	if !slices.ContainsFunc(a.Laws, func(l law.Info) bool { return l.ID == lawID }) {
		return "", "area " + a.Name + " has no law " + lawID
	}
	switch {
	case IsAdapter(file):
		return biteProduction(a)
	case isCore(file) && a.Relation != Same && a.Quick != nil:
		if by, saw = biteProduction(a); by != "" {
			return by, saw
		}
	}
	return biteModel(a, lawID)
}

// IsAdapter is true for a file of the room that acts.
func IsAdapter(file string) bool { return strings.HasPrefix(file, "adapters/") }

func isCore(file string) bool { return strings.HasPrefix(file, "core/") }

// biteModel searches the area's model with the one law and says how that caught
// the active mutant, and what was seen. A search that breaks another law, is
// truncated or panics inside a law has caught nothing.
func biteModel(a Area, lawID string) (by Bite, saw string) {
	defer func() {
		if p := recover(); p != nil {
			by, saw = "", fmt.Sprintf("panic in a law or an engine: %v", p)
			if panickedInStep() {
				by, saw = ByPanic, fmt.Sprintf("panic: %v", p)
			}
		}
	}()
	_, err := a.Exhaust(lawID)
	var f *engine.Failure
	switch {
	case err == nil:
		return "", "the law holds on every state and step"
	case errors.As(err, &f) && f.Law == lawID:
		return ByLaw, f.Err.Error()
	default:
		return "", "not by this law: " + firstLine(err.Error())
	}
}

// biteProduction runs the area's quick check of production with the active mutant.
func biteProduction(a Area) (by Bite, saw string) {
	if a.Quick == nil {
		return "", "area " + a.Name + " has no check of production"
	}
	defer func() {
		if p := recover(); p != nil {
			by, saw = ByProduction, fmt.Sprintf("panic: %v", p)
		}
	}()
	if err := a.Quick(); err != nil {
		return ByProduction, firstLine(err.Error())
	}
	return "", "production behaves as the model"
}

// inOrder makes the checks until one fails. A mutant that a cheap one shows is not looked
// for in the others.
func inOrder(checks ...func() error) error {
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// panickedInStep is true when the panic that is being recovered rose in code that
// the laws speak about, core or a model, and no law stands between it and the
// engine: a law that calls a helper of its model with nonsense is a broken law.
func panickedInStep() bool {
	pc := make([]uintptr, 256)
	frames := runtime.CallersFrames(pc[:runtime.Callers(1, pc)])
	raised, inStep := false, false
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		switch name := f.Function; {
		case name == "runtime.gopanic":
			raised = true
		case !raised:
		case strings.HasPrefix(name, "tenet/laws"):
			return false
		case strings.HasPrefix(name, "tenet/core/"), strings.HasPrefix(name, "tenet/models/"):
			inStep = true
		case strings.HasPrefix(name, "tenet/bridge"):
			return inStep
		}
	}
	return false
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
