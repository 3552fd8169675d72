package call

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"
)

// Step is the unit that is judged, asked about and run. For the shell it is one
// simple command with its redirections; for a document tool it is one access;
// for a script outside the step grammar it is the whole script (S7.7, S7.8).
type Step struct {
	// N counts the steps of one call from 1, in the order they are judged.
	N int
	// Text is exactly what runs, with control and bidi characters escaped, as a
	// person is shown it and as the log keeps it. A pattern stands in it as written:
	// what it matches is decided when the step runs.
	Text string
	// Dir is the directory the step runs in; empty is the workspace. A cd of an earlier
	// step moves it, and the same text does another thing elsewhere.
	Dir string
	// Effects is everything the step may do.
	Effects Effects
	// Notes say why the effects are what they are, one sentence each.
	Notes []string
	// Class is how far the analyzer could read the step; Simple for a document access.
	Class Class
	// Commands are the commands that the step may run, de-obfuscated, wrappers peeled;
	// none for a document access.
	Commands []Command
	// Hazards name shapes of a script that its commands alone do not show, such as
	// HazardForkBomb.
	Hazards []string
	// Paths are the places that the step names.
	Paths []Path
	// Knowledge is what the session knows of the file that the step changes.
	Knowledge Knowledge
	// Diff is what a write changes, as a person reads it; empty for everything else.
	Diff string
	// Cut is true when Diff leaves a part of the change out.
	Cut bool
	// Content names the bytes that stand at the written path now, by a digest; empty
	// when nothing stands there. An answer is about these bytes (seed 5).
	Content string
	// Background is true for a step whose process outlives the call.
	Background bool
	// Failed says why the step could not be planned, as part of a sentence; empty for
	// one that was. What is not known to be harmless is denied (law
	// analyzer_failure_denies).
	Failed string
}

// HazardForkBomb is a function that starts itself twice at once, and is called.
const HazardForkBomb = "fork-bomb"

// Digest names exactly what a person is shown of a call: the text, the directory and
// the effects of each step, where its paths lead, and the bytes it would replace. An
// answer counts only while the digest is the same (law digest_spends_answer).
func Digest(tool string, steps []Step) string {
	h := sha256.New()
	put := func(s string) {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(s)))
		h.Write(n[:])
		h.Write([]byte(s))
	}
	put(tool)
	for _, s := range steps {
		put(s.Text)
		put(s.Dir)
		put(s.Effects.String())
		put(s.Content)
		put(s.Diff)
		put(strconv.Itoa(len(s.Paths)))
		for _, p := range s.Paths {
			put(p.Real)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}
