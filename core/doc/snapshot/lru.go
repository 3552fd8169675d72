package snapshot

import "container/list"

// recent is a map of the keys that were touched last; the one not touched for the
// longest time goes first.
type recent[V any] struct {
	at    map[string]*list.Element
	order *list.List // of *kept[V], the latest touched first
}

type kept[V any] struct {
	key   string
	value V
}

func newRecent[V any]() *recent[V] {
	return &recent[V]{at: map[string]*list.Element{}, order: list.New()}
}

// peek gives a value without touching it.
func (r *recent[V]) peek(key string) (v V, ok bool) {
	if e, ok := r.at[key]; ok {
		return e.Value.(*kept[V]).value, true
	}
	return v, false
}

// touch gives a value and makes its key the latest.
func (r *recent[V]) touch(key string) (v V, ok bool) {
	if e, ok := r.at[key]; ok {
		r.order.MoveToFront(e)
	}
	return r.peek(key)
}

// put sets a value and makes its key the latest.
func (r *recent[V]) put(key string, v V) {
	if e, ok := r.at[key]; ok {
		e.Value.(*kept[V]).value = v
		r.order.MoveToFront(e)
		return
	}
	r.at[key] = r.order.PushFront(&kept[V]{key, v})
}

func (r *recent[V]) drop(key string) {
	if e, ok := r.at[key]; ok {
		r.order.Remove(e)
		delete(r.at, key)
	}
}

// last is the key that goes first; there must be one.
func (r *recent[V]) last() (key string, v V) {
	k := r.order.Back().Value.(*kept[V])
	return k.key, k.value
}

func (r *recent[V]) len() int { return r.order.Len() }
