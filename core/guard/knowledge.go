package guard

import (
	"tenet/core/call"
	"tenet/core/doc"
)

// Knowledge is what a session knows of one file: the versions that it saw whole, and
// those of which it saw a part. It moves by results alone, never by calls: a call that
// was refused or failed shows nothing (law knowledge_from_results_only). The zero value
// knows nothing.
type Knowledge struct {
	whole, part doc.Versions
}

// Deed is what a successful call did to a file.
type Deed uint8

// The deeds.
const (
	ReadWhole Deed = iota // showed all of it
	ReadPart              // showed some of it: a range, a search, a page that was cut
	WroteAll              // replaced it whole
	EditedIt              // changed a part of it
)

// Result is how a call on one file ended.
type Result struct {
	// OK is false for a call that was refused, failed or was stopped.
	OK   bool
	Deed Deed
	// Version names the bytes that stood there afterwards, Before those that stood
	// there when an edit began.
	Version, Before uint64
}

// After is what is known after a result.
func (k Knowledge) After(r Result) Knowledge {
	if !r.OK {
		return k
	}
	switch r.Deed {
	case ReadWhole, WroteAll:
		k.whole = k.whole.Saw(r.Version)
	case ReadPart:
		k.part = k.part.Saw(r.Version)
	case EditedIt:
		// Whoever did not know the rest before the edit does not know it after.
		if k.whole.Has(r.Before) {
			k.whole = k.whole.Saw(r.Version)
		} else {
			k.part = k.part.Saw(r.Version)
		}
	}
	return k
}

// Join adds what is known of another name of the same file, for one that was moved.
func (k Knowledge) Join(other Knowledge) Knowledge {
	return Knowledge{whole: k.whole.Join(other.whole), part: k.part.Join(other.part)}
}

// Of is what is known of the file as it is now: whether one stands there, and which
// version.
func (k Knowledge) Of(exists bool, onDisk uint64) call.Knowledge {
	switch {
	case !exists:
		return call.New
	case k.whole.Has(onDisk):
		return call.Known
	case k.part.Has(onDisk):
		return call.Partial
	case k.whole.Any() || k.part.Any():
		return call.Stale
	}
	return call.Unknown
}

// MayWrite reports whether a whole-file write loses nothing that the session does not
// know (laws write_never_loses_unseen, write_writes_seen).
func (k Knowledge) MayWrite(exists bool, onDisk uint64) bool { return k.whole.MayWrite(exists, onDisk) }

// MayEdit reports whether an edit may change a part: everywhere but in a file that
// changed since the session saw it (law stale_refuses_both).
func (k Knowledge) MayEdit(exists bool, onDisk uint64) bool {
	return k.Of(exists, onDisk) != call.Stale
}
