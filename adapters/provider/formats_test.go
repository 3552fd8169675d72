package provider_test

import "testing"

// One conversation in each wire format: the same reply, however the bytes are cut.
func TestEveryFormatSaysTheSameReply(t *testing.T) {
	const want = `"hello" read#c1({"a":1}) write#c2({"b":2}) toolUse`
	for _, f := range formats {
		s := f.begin + f.say("hel") + f.say("lo") + f.work(0, "c1", "read", `{"a":1}`) + f.work(1, "c2", "write", `{"b":2}`) + f.end(true)
		for _, n := range []int{1, 7, len(s)} {
			a := f.new()
			if got := show(assemble(a, s, n)); got != want || a.Ignored() != 0 {
				t.Errorf("%s in reads of %d: got %s, %d left out", f.name, n, got, a.Ignored())
			}
		}
		if got := show(wireClient(t, f, raw(streamHead+s)).Reply(t.Context(), hello, nil)); got != want {
			t.Errorf("%s over HTTP: got %s", f.name, got)
		}
	}
}
