package turn

// The defaults of Room, in tokens.
const (
	ReserveTokens    = 16_384
	KeepRecentTokens = 20_000
)

// Room is how much context the model has, in tokens, and how a compaction makes room.
type Room struct {
	// Window is the model's whole context; 0 is unknown, and then only the provider's
	// own word that a request is too long leads to a compaction.
	Window int
	// Reserve is what stays free for the reply, Keep how much of the newest messages
	// stays word for word; 0 is the default. Neither is taken for more than a quarter of
	// the window, so that a small one still has room for the work.
	Reserve, Keep int
}

func (r Room) reserve() int { return r.quarter(r.Reserve, ReserveTokens) }

func (r Room) keep() int { return r.quarter(r.Keep, KeepRecentTokens) }

func (r Room) quarter(n, fallback int) int {
	if n <= 0 {
		n = fallback
	}
	if r.Window > 0 {
		n = min(n, max(r.Window/4, 1))
	}
	return n
}

// Full reports whether so little room is left that a compaction comes before the next
// request (Input.Full): used is the tokens of the last request and its reply, as the
// provider counted them, since an estimate of what the context grew by after it.
func (r Room) Full(used, since int) bool {
	return r.Window > 0 && used+since > r.Window-r.reserve()
}

// Said is whose words a message of the context is, as far as a cut must know.
type Said uint8

// The speakers.
const (
	ByUser    Said = iota // a person: a prompt, a steer
	ByHarness             // tenet: an older summary, a settled job
	ByModel               // a reply, with or without calls
	ByTool                // the result of a call of the nearest reply before it
)

var saidNames = [...]string{"user", "harness", "model", "tool"}

// String names the speaker.
func (s Said) String() string { return saidNames[s] }

// Item is a message as a cut sees it: whose it is, and its size in tokens.
type Item struct {
	Said   Said
	Tokens int
}

// Cut is where a context is cut: the items before Kept give way to a summary.
type Cut struct {
	// Kept is the first item that stays; the number of items when none does.
	Kept int
	// Carried is the last thing that a person said when it is not among what stays: the
	// summary's text must hold it word for word, since it is what the work is about. -1
	// when nothing need be carried.
	Carried int
}

// Cut says where to cut a context that must become shorter, for which reason. ok is
// false when nothing can be left out (Nothing): when what would go is only older
// summaries, or too little for a summary to be shorter. What stays is at most Keep, or
// after an overflow half of all if that is less, and
//   - no result stays without its call, and no call without its result;
//   - a person's message at the end stays whatever its size: it is the question;
//   - the person's last message is never lost: it stays or is carried.
//
// A round that alone is more than Keep goes too: it would never fit again.
func (r Room) Cut(items []Item, why Reason) (Cut, bool) {
	keep := r.keep()
	if why == Overflow {
		keep = min(keep, total(items)/2)
	}
	c := Cut{Kept: kept(items, keep), Carried: -1}
	carried := 0
	if u := lastUser(items); u >= 0 && u < c.Kept {
		c.Carried, carried = u, items[u].Tokens
	}
	gone := items[:c.Kept]
	return c, anything(gone) && total(gone)-carried > r.least(keep, why)
}

// least is what must go beyond what is carried. A summary is about a tenth of what is
// kept; and one for want of room that frees less than an eighth of the window would be
// made again at every round.
func (r Room) least(keep int, why Reason) int {
	summary := keep / 10
	if why == Threshold {
		return max(summary, r.Window/8)
	}
	return summary
}

// kept is the smallest index from which all is at most keep, and which parts no call
// from its result. It never passes a person's message at the end.
func kept(items []Item, keep int) int {
	at, size := len(items), 0
	answers := false // a result stands between here and the reply it belongs to
	for i := len(items) - 1; i >= 0; i-- {
		size += max(items[i].Tokens, 0)
		switch items[i].Said {
		case ByTool:
			answers = true
		case ByModel:
			answers = false
		case ByUser, ByHarness:
		}
		if size > keep && !asked(items[i:]) {
			break
		}
		if !answers {
			at = i
		}
	}
	return at
}

// asked reports whether the items are what a person said last, and nothing after it.
func asked(items []Item) bool {
	for _, it := range items {
		if it.Said != ByUser {
			return false
		}
	}
	return true
}

func lastUser(items []Item) int {
	for i := len(items) - 1; i >= 0; i-- {
		if items[i].Said == ByUser {
			return i
		}
	}
	return -1
}

// anything reports whether a summary would say anything new.
func anything(gone []Item) bool {
	for _, it := range gone {
		if it.Said != ByHarness {
			return true
		}
	}
	return false
}

func total(items []Item) int {
	n := 0
	for _, it := range items {
		n += max(it.Tokens, 0)
	}
	return n
}
