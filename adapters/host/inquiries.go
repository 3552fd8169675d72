package host

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"tenet/core/call"
	"tenet/core/event"
)

// inquiries are the model's own questions that wait for a person.
type inquiries struct {
	mu   sync.Mutex
	open []event.Inquiry
	said map[string]chan string
	// early are answers to questions that are in the log, and that nobody waits for yet.
	early  map[string]string
	closed chan struct{}
	over   bool
}

func newInquiries() *inquiries {
	return &inquiries{said: map[string]chan string{}, early: map[string]string{}, closed: make(chan struct{})}
}

// Inquire waits for a person's answer. No passage of time is one.
func (q *inquiries) Inquire(ctx context.Context, i event.Inquiry) (text, by string, ok bool) {
	answer := make(chan string, 1)
	q.mu.Lock()
	if before, ok := q.early[i.ID]; ok {
		answer <- before
	} else {
		q.open, q.said[i.ID] = append(q.open, i), answer
	}
	q.mu.Unlock()
	defer q.drop(i.ID)
	select {
	case text = <-answer:
		return text, "terminal", text != ""
	case <-ctx.Done():
	case <-q.closed:
	}
	return "", "", false
}

func (q *inquiries) drop(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.said, id)
	delete(q.early, id)
	q.open = slices.DeleteFunc(q.open, func(i event.Inquiry) bool { return i.ID == id })
}

// GoneError is why an answer to a question of the model was refused: another came first, or
// nobody waits for one any more.
type GoneError struct{ ID string }

// Error names the question.
func (e *GoneError) Error() string {
	return fmt.Sprintf("question %s has its answer, or its turn is over; drop it", call.OneLine(e.ID, 100))
}

// reply gives the first answer to whoever waits, or will in a moment: logged is true for a
// question that stands open in the log.
func (q *inquiries) reply(id, text string, logged bool) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	text = strings.TrimSpace(text)
	answer, waits := q.said[id]
	_, given := q.early[id]
	switch {
	case waits && answer != nil:
		q.said[id] = nil
		q.open = slices.DeleteFunc(q.open, func(i event.Inquiry) bool { return i.ID == id })
		answer <- text // there is room: it is the first
	case !waits && !given && logged:
		q.early[id] = text
	default:
		return &GoneError{id}
	}
	return nil
}

func (q *inquiries) waiting() []event.Inquiry {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.open)
}

func (q *inquiries) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.over {
		q.over = true
		close(q.closed)
	}
}
