package docs

import "sync"

// repeats counts how often in a row the same call failed.
type repeats struct {
	mu   sync.Mutex
	last uint64
	n    int
}

// again takes a failure of the call with a digest, and tells how many there were in a row.
func (r *repeats) again(digest uint64) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last != digest {
		r.last, r.n = digest, 0
	}
	r.n++
	return r.n
}

// forget ends the row: a call went well.
func (r *repeats) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n = 0
}
