package surface

import (
	"math"
	"strconv"
	"strings"
)

// jsonKind is what a JSON value is.
type jsonKind uint8

// The kinds of JSON values.
const (
	aString jsonKind = iota
	aNumber
	aBoolean
	aList
	anObject
	aNull
)

var kindWords = [...]string{"string", "number", "boolean", "list", "object", "null"}

func article(k jsonKind) string {
	switch k {
	case anObject:
		return "an object"
	case aNull:
		return "null"
	case aString, aNumber, aBoolean, aList:
	}
	return "a " + kindWords[k]
}

// kindOf is the kind of one value of a sound text.
func kindOf(raw string) jsonKind {
	switch raw[0] {
	case '"':
		return aString
	case '{':
		return anObject
	case '[':
		return aList
	case 't', 'f':
		return aBoolean
	case 'n':
		return aNull
	}
	return aNumber
}

// takes reports whether a type takes a kind of JSON.
func takes(t Type, k jsonKind) bool {
	switch t {
	case String:
		return k == aString
	case Integer, Number:
		return k == aNumber
	case Boolean:
		return k == aBoolean
	case Strings, List:
		return k == aList
	case Object:
		return k == anObject
	}
	return false
}

// number reads an Integer as an int64 and a Number as a float64, within the bounds. A
// whole number may be written as one with a fraction of zero, as JSON schema has it;
// nothing is rounded.
func (c *checker) number(p Param, path, raw string) any {
	f, err := strconv.ParseFloat(raw, 64)
	if err != nil || math.IsInf(f, 0) {
		c.fault(Fault{Kind: OutOfRange, Path: path, Param: p, Got: raw})
		return nil
	}
	var val any = f
	if p.Type == Integer {
		n, ok := whole(raw, f)
		if !ok {
			kind := WrongType
			if f == math.Trunc(f) {
				kind = OutOfRange
			}
			c.fault(Fault{Kind: kind, Path: path, Param: p, Got: raw})
			return nil
		}
		val = n
	}
	if s := p.shape(); s.Min != nil && f < *s.Min || s.Max != nil && f > *s.Max {
		c.fault(Fault{Kind: OutOfRange, Path: path, Param: p, Got: raw})
	}
	return val
}

// exact is the largest whole number up to which every one has a float64 of its own.
const exact = 1 << 53

// whole is a number as an int64; ok is false for a fraction and for one that no int64
// is.
func whole(raw string, f float64) (n int64, ok bool) {
	if !strings.ContainsAny(raw, ".eE") {
		n, err := strconv.ParseInt(raw, 10, 64)
		return n, err == nil
	}
	return int64(f), f == math.Trunc(f) && math.Abs(f) <= exact
}
