package session

import (
	"encoding/json"
	"fmt"

	"tenet/core/event"
)

// Set records a setting of this session, such as its name or its model; who takes the
// session up goes on with it. The value is a text.
func (s *Session) Set(key, value string) error {
	b, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("set %s: %w", key, err)
	}
	return s.rec.Record(event.Setting{Key: key, Value: b})
}

// Post is Submit for a message with images.
func (s *Session) Post(sub event.Submission) (string, error) {
	return s.submit(event.Submission{Text: sub.Text, Images: sub.Images, How: sub.How})
}
