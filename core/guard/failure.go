package guard

import "tenet/core/call"

// failure: an analyzer that failed never yields an allow (law analyzer_failure_denies).
func (v *view) failure() (why, next string) {
	if v.step.Failed == "" {
		return "", ""
	}
	return "it could not be analyzed: " + v.step.Failed, "Write it in a simpler way, one plain command a step; do not try the same text again."
}

// wholeWriters are not these: an edit changes a part that it names by its text.
func edits(tool string) bool { return tool == "edit" || tool == "search_replace" }

// knowledge refuses what would lose a content that the session does not know.
func (v *view) knowledge() (why, next string) {
	switch k := v.step.Knowledge; k {
	case call.Stale:
		return "the file CHANGED since this session saw it", "Read it again, then make your change with those changes taken in."
	case call.Unknown, call.Partial:
		if edits(v.tool) {
			return "", ""
		}
		if k == call.Partial {
			return "the file exists and this session read only a part of it", "Read the rest of it first, or change a part of it with search_replace."
		}
		return "the file exists and this session has not read it", "Read it first, or change a part of it with search_replace."
	case call.NotAsked, call.New, call.Known:
	}
	return "", ""
}
