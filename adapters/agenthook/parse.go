package agenthook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// MaxInput is the largest description of a call that is read, in bytes. A larger one
// is blocked: what was not read was not judged.
const MaxInput = 8 << 20

// maxDepth bounds how deep the values of a call may nest.
const maxDepth = 64

// parse reads one JSON object, strictly: a second value, a key that stands twice and
// bytes that are no UTF-8 are errors. Two readers of such a text may see two
// different calls, and only one of them would have been judged.
func parse(data []byte) (map[string]any, error) {
	if len(data) > MaxInput {
		return nil, fmt.Errorf("the input is larger than %d MiB", MaxInput>>20)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errors.New("the input is empty")
	}
	if !utf8.Valid(data) {
		return nil, errors.New("the input is no UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	v, err := value(d, 0)
	if err != nil {
		return nil, fmt.Errorf("the input is no JSON that can be read: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the JSON of the input")
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("the input is no JSON object")
	}
	return m, nil
}

func value(d *json.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("it nests deeper than %d", maxDepth)
	}
	t, err := d.Token()
	if errors.Is(err, io.EOF) {
		return nil, io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('{'):
		return object(d, depth)
	case json.Delim('['):
		return array(d, depth)
	}
	return t, nil
}

func object(d *json.Decoder, depth int) (any, error) {
	m := map[string]any{}
	for d.More() {
		k, err := d.Token()
		if err != nil {
			return nil, err
		}
		key, ok := k.(string)
		if _, twice := m[key]; !ok || twice {
			return nil, fmt.Errorf("the key %.40q stands twice", key)
		}
		if m[key], err = value(d, depth+1); err != nil {
			return nil, err
		}
	}
	_, err := d.Token() // the closing bracket
	return m, err
}

func array(d *json.Decoder, depth int) (any, error) {
	out := []any{}
	for d.More() {
		v, err := value(d, depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	_, err := d.Token() // the closing bracket
	return out, err
}
