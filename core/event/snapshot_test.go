package event

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"
)

// fill gives every member of a value, also those that only the fold sees, something
// that is not its zero value, another one each time.
func fill(v reflect.Value, n *int) {
	*n++
	if v.Type() == reflect.TypeFor[json.RawMessage]() {
		v.SetBytes(fmt.Appendf(nil, `{"n":%d}`, *n))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprint("text <", *n, "> é"))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(uint64(*n % 256))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, n)
		fill(value, n)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			fill(reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem(), n)
		}
	default:
		panic(fmt.Sprint("a state has a member of kind ", v.Kind(), ": teach this test to fill it"))
	}
}

// TestASnapshotHoldsEveryMember: a member that is added to the state, or to what it is
// made of, and that a snapshot forgets, is found here.
func TestASnapshotHoldsEveryMember(t *testing.T) {
	var s State
	n := 0
	fill(reflect.ValueOf(&s).Elem(), &n)
	if s.held == nil || s.Calls[1].allowed == nil || !s.Calls[0].interrupted || s.Jobs[0].allowed == nil {
		t.Fatal("the members that only the fold sees were not filled: the test shows nothing")
	}
	for from := range len(s.Messages) + 1 {
		got, err := Restore(string(s.Snapshot(nil, from)), s.Messages[:from:from])
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, s) {
			t.Errorf("from message %d:\ngot  %+v\nwant %+v", from, got, s)
		}
	}
}

// A state that was folded from memory may hold what no log does, bytes that are no
// UTF-8: its snapshot is that of the state that the log folds to.
func TestASnapshotIsOfWhatTheLogHolds(t *testing.T) {
	b := Reply{Text: "\xffa\xff\xfe", Calls: []ToolCall{{ID: "c", Args: "\x80"}}, Thinking: "\xc3", Thoughts: []Thought{{Wire: "w", Raw: json.RawMessage("{ \"a\" : 1 }")}}}
	line, _ := Encode(nil, NoSum, 1, time.Unix(0, 0), b)
	h, _ := Cut(line[:len(line)-1])
	want, err := Fold([]Record{h.Record()})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Restore(string(State{}.With(1, b).Snapshot(nil, 0)), nil)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v (%v)\nwant %+v", got, err, want)
	}
}

// Damage is an error and never a state, or is a state that re-reads as itself; no
// damage makes room for what is not there.
func TestADamagedSnapshotIsNoState(t *testing.T) {
	var s State
	n := 0
	fill(reflect.ValueOf(&s).Elem(), &n)
	whole := string(s.Snapshot(nil, 0))
	for cut := range len(whole) {
		if _, err := Restore(whole[:cut], nil); !errors.Is(err, errSnapshot) {
			t.Fatalf("cut at byte %d of %d: %v", cut, len(whole), err)
		}
	}
	for _, bad := range []string{"", "\xff", strings.Repeat("\xff", 20), "\xff\xff\xff\xff\xff\xff\xff\xff\x01{}", "\x01\x00\x04user\x01\xff\xff\xff\xff\x0f{}"} {
		if _, err := Restore(bad, nil); !errors.Is(err, errSnapshot) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func FuzzRestore(f *testing.F) {
	var s State
	n := 0
	fill(reflect.ValueOf(&s).Elem(), &n)
	f.Add(string(s.Snapshot(nil, 0)))
	f.Add(string(State{}.Snapshot(nil, 0)))
	f.Fuzz(func(t *testing.T, b string) {
		s, err := Restore(b, nil)
		if err != nil {
			return
		}
		again, err := Restore(string(s.Snapshot(nil, 0)), nil)
		if err != nil || len(again.Messages) != len(s.Messages) {
			t.Fatalf("a state that was restored does not keep: %v", err)
		}
	})
}
