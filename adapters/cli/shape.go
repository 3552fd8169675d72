package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"tenet/adapters/schema"
	"tenet/adapters/session"
	"tenet/core/event"
	"tenet/core/turn"
)

// shapeTries is how often the model is asked again when its answer does not fit.
const shapeTries = 2

// shape is the schema of --output-schema, nil without one.
func (o Options) shape() (*schema.Schema, error) {
	if o.OutputSchema == "" {
		return nil, nil
	}
	info, err := os.Stat(o.OutputSchema)
	switch {
	case err != nil:
		return nil, Usage("--output-schema: %w; name a file with a JSON schema", err)
	case !info.Mode().IsRegular() || info.Size() > schema.MaxSchema:
		return nil, Usage("--output-schema: %s is no file of at most %d KiB; name a file with a JSON schema", o.OutputSchema, schema.MaxSchema>>10)
	}
	text, err := os.ReadFile(o.OutputSchema)
	if err != nil {
		return nil, Usage("--output-schema: %w", err)
	}
	s, err := schema.Compile(text)
	if err != nil {
		return nil, Usage("--output-schema: %s: %w", o.OutputSchema, err)
	}
	return s, nil
}

// shaped is the prompt of a run whose answer must fit a schema.
func shaped(prompt string, s *schema.Schema) string {
	if s == nil {
		return prompt
	}
	return prompt + "\n\nYour last message must be one JSON value that fits this JSON schema, and nothing else:\n" + s.String()
}

// fitted checks the answer of a turn, and asks again with what is wrong while it does not
// fit. The answer that fits is printed as it is; a session that gives none fails.
func (o Options) fitted(ctx context.Context, s *session.Session, e event.Ending, want *schema.Schema) (event.Ending, string, error) {
	for try := 0; ; try++ {
		if want == nil || e.How != turn.Answered.String() {
			return e, s.Answer(), nil
		}
		answer := unfenced(s.Answer())
		wrong := want.Validate(json.RawMessage(answer))
		if wrong == nil {
			return e, answer, nil
		}
		if try == shapeTries {
			return e, "", fmt.Errorf("the answer does not fit the schema after %d tries: %w", try+1, wrong)
		}
		var err error
		if e, err = s.Prompt(ctx, fmt.Sprintf("Your answer does not fit the JSON schema: %v. Answer again with the JSON value alone.", wrong)); err != nil {
			return e, "", err
		}
	}
}

// unfenced is a text without the code fence that models put around JSON.
func unfenced(text string) string {
	text = strings.TrimSpace(text)
	body, fenced := strings.CutPrefix(text, "```")
	if !fenced || !strings.HasSuffix(body, "```") {
		return text
	}
	_, body, _ = strings.Cut(strings.TrimSuffix(body, "```"), "\n")
	return strings.TrimSpace(body)
}
