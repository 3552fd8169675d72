package host

import (
	"context"
)

// ProbeModel asks the server of a model before any session is open, as the start screen
// does.
func ProbeModel(ctx context.Context, dir, selector string) (text string, ok bool, err error) {
	return "", false, errLater
}
