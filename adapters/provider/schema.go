package provider

import (
	"encoding/json"
	"slices"

	"github.com/tailscale/hujson"
)

// strictSchema makes every argument of a schema required, and lets those be null that
// were optional: what OpenAI calls strict. null counts as left out when the call is
// read. ok is false for a schema that cannot be strict, as one with a free object is;
// members keep their order.
func strictSchema(schema json.RawMessage) (out json.RawMessage, ok bool) {
	v, err := hujson.Parse(schema)
	if err != nil || !strict(&v) {
		return schema, false
	}
	return json.RawMessage(v.Pack()), true
}

// strict changes an object, a list's items, or leaves another value as it is.
func strict(v *hujson.Value) bool {
	if items := member(v, "items"); items != nil {
		return strict(items)
	}
	if kind := member(v, "type"); kind == nil || literal(kind) != "object" {
		return true
	}
	props, required := member(v, "properties"), member(v, "required")
	if props == nil || required == nil {
		return false
	}
	object, isObject := props.Value.(*hujson.Object)
	list, isList := required.Value.(*hujson.Array)
	if !isObject || !isList {
		return false
	}
	return everyRequired(object, list)
}

func everyRequired(props *hujson.Object, required *hujson.Array) bool {
	var was []string
	for _, e := range required.Elements {
		was = append(was, literal(&e))
	}
	required.Elements = nil
	for i := range props.Members {
		m := &props.Members[i]
		if !strict(&m.Value) {
			return false
		}
		name := literal(&m.Name)
		if !slices.Contains(was, name) {
			orNull(&m.Value)
		}
		required.Elements = append(required.Elements, hujson.Value{Value: hujson.String(name)})
	}
	return true
}

// orNull lets a value be null.
func orNull(v *hujson.Value) {
	null := hujson.Value{Value: hujson.Literal("null")}
	if kind := member(v, "type"); kind != nil {
		kind.Value = &hujson.Array{Elements: []hujson.Value{{Value: hujson.String(literal(kind))}, {Value: hujson.String("null")}}}
	}
	if enum := member(v, "enum"); enum != nil {
		if list, ok := enum.Value.(*hujson.Array); ok {
			list.Elements = append(list.Elements, null)
		}
	}
}

func member(v *hujson.Value, name string) *hujson.Value {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	for i := range object.Members {
		if literal(&object.Members[i].Name) == name {
			return &object.Members[i].Value
		}
	}
	return nil
}

func literal(v *hujson.Value) string {
	if l, ok := v.Value.(hujson.Literal); ok {
		return l.String()
	}
	return ""
}
