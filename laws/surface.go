package laws

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"tenet/core/surface"
	"tenet/laws/law"
	model "tenet/models/surface"
)

type surfaceLaw = law.Law[struct{}, surface.Tool, model.Built]

// Surface: what a request tells the model about a tool (S7.3).
var Surface = struct {
	// SchemaHasIntent: every schema sent has the optional parameter i, first unless the tool declares its own.
	SchemaHasIntent surfaceLaw `law:"schema_has_intent" rule:"S7.3"`
	// SchemaVersioned: every schema sent has a version of at least 1, the declared one when that is valid.
	SchemaVersioned surfaceLaw `law:"schema_versioned" rule:"S7.3"`
	// SchemaKeepsParams: building keeps each declared parameter in its place.
	SchemaKeepsParams surfaceLaw `law:"schema_keeps_params" rule:"S7.3"`
	// SchemaBuildIdempotent: building a built schema changes nothing.
	SchemaBuildIdempotent surfaceLaw `law:"schema_build_idempotent" rule:"S7.3"`
}{
	SchemaHasIntent: surfaceLaw{Func: func(t surface.Tool, b model.Built) law.Verdict {
		sent := read(b.Schema)
		at := slices.Index(sent.names, "i")
		own := slices.ContainsFunc(t.Params, func(p surface.Param) bool { return p.Name == "i" })
		return law.Check(at >= 0 && (own || at == 0) && !slices.Contains(sent.Required, "i"), "%v is sent as %s", t.Params, b.Schema)
	}},
	SchemaVersioned: surfaceLaw{Func: func(t surface.Tool, b model.Built) law.Verdict {
		want := fmt.Sprintf("v%d", max(t.Version, 1))
		return law.Check(read(b.Schema).Title == want, "version %d is sent as %s", t.Version, b.Schema)
	}},
	SchemaKeepsParams: surfaceLaw{Func: func(t surface.Tool, b model.Built) law.Verdict {
		if len(t.Params) == 0 {
			return law.Idle
		}
		var declared, required []string
		for _, p := range t.Params {
			declared = append(declared, p.Name)
			if p.Required {
				required = append(required, p.Name)
			}
		}
		sent := read(b.Schema)
		kept := sent.names[len(sent.names)-min(len(declared), len(sent.names)):]
		return law.Check(slices.Equal(kept, declared) && slices.Equal(sent.Required, required), "%v is sent as %s", t.Params, b.Schema)
	}},
	SchemaBuildIdempotent: surfaceLaw{Func: func(t surface.Tool, b model.Built) law.Verdict {
		same := b.Once.Version == b.Twice.Version && slices.Equal(b.Once.Params, b.Twice.Params)
		return law.Check(same, "%+v built again is %+v", b.Once, b.Twice)
	}},
}

// SurfaceBook lists them.
var SurfaceBook = law.Book[struct{}, surface.Tool, model.Built]("surface", &Surface)

// sentSchema is a schema as a provider reads it.
type sentSchema struct {
	Title      string
	Properties json.RawMessage
	Required   []string
	names      []string // of the properties, in the order sent
}

// read takes a schema apart with its member order; one that is no JSON has nothing,
// and every law breaks on it.
func read(schema string) (s sentSchema) {
	if json.Unmarshal([]byte(schema), &s) != nil {
		return sentSchema{}
	}
	d := json.NewDecoder(strings.NewReader(string(s.Properties)))
	for depth, key := 0, true; ; {
		tok, err := d.Token()
		if err != nil {
			return s
		}
		switch v := tok.(type) {
		case json.Delim:
			if v == '{' || v == '[' {
				depth++
			} else {
				depth--
			}
			key = true
		case string:
			if depth == 1 && key {
				s.names = append(s.names, v)
			}
		}
	}
}
