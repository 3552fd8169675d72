package recovery

import (
	"bytes"
	"encoding/json"
	"strings"

	"tenet/core/surface"
)

// Canonical is a call's arguments in the one spelling that tells calls apart: keys
// sorted at every depth, without the blanks between tokens and without the intent at the
// top, numbers exactly as they were written. No text is an empty object. Text that is
// not one JSON value stands for itself: cut arguments are the same only when they were
// cut at the same place.
func Canonical(args string) string {
	if strings.TrimSpace(args) == "" {
		return "{}"
	}
	v, ok := decoded(args)
	if !ok {
		return args
	}
	if object, is := v.(map[string]any); is {
		delete(object, surface.Intent.Name)
	}
	return encoded(v)
}

func decoded(text string) (v any, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil, false
	}
	return v, strings.TrimSpace(text[d.InputOffset():]) == ""
}

// encoded writes a decoded value; a map's keys come out sorted.
func encoded(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return "" // decoded values always encode
	}
	return strings.TrimSuffix(b.String(), "\n")
}
