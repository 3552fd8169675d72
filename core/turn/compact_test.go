package turn_test

import (
	"testing"

	"pgregory.net/rapid"

	"tenet/core/turn"
)

// context reads a context from letters: u a person, h tenet, m the model, t a result,
// each of so many tokens.
func context(says string, tokens ...int) (out []turn.Item) {
	who := map[rune]turn.Said{'u': turn.ByUser, 'h': turn.ByHarness, 'm': turn.ByModel, 't': turn.ByTool}
	for i, c := range says {
		out = append(out, turn.Item{Said: who[c], Tokens: tokens[i%len(tokens)]})
	}
	return out
}

func TestWhereAContextIsCut(t *testing.T) {
	room := turn.Room{Window: 100_000, Keep: 1000}
	for _, c := range []struct {
		name          string
		room          turn.Room
		items         []turn.Item
		why           turn.Reason
		kept, carried int
		ok            bool
	}{
		{"old turns go, the last stays whole", room, context("umumum", 9000, 9000, 9000, 9000, 400, 400), turn.Threshold, 4, -1, true},
		{"within one long turn the request is carried", room, context("umtmtmt", 500, 9000, 9000, 9000, 9000, 400, 400), turn.Threshold, 5, 0, true},
		{"a result never stays without its call", room, context("umtmt", 50, 20_000, 300, 9000, 400), turn.Threshold, 5, 0, true},
		{"nor does what stands between a call and its result", room, context("umtmtht", 50, 20_000, 300, 9000, 400, 1, 1), turn.Threshold, 7, 0, true},
		{"the question at the end stays whatever its size", room, context("umu", 9000, 9000, 5000), turn.Threshold, 2, -1, true},
		{"two messages of a person at the end stay", room, context("muu", 20_000, 5000, 5000), turn.Threshold, 1, -1, true},
		{"a question that is all there is", room, context("u", 50_000), turn.Overflow, 0, -1, false},
		{"nothing at all", room, nil, turn.Overflow, 0, -1, false},
		{"a summary of the summary makes no room", room, context("hum", 50_000, 300, 300), turn.Threshold, 1, -1, false},
		{"too little goes for want of room", room, context("umum", 4000, 4000, 300, 300), turn.Threshold, 2, -1, false},
		{"which after an overflow is something", room, context("umum", 4000, 4000, 300, 300), turn.Overflow, 2, -1, true},
		{"what is carried is not gained", room, context("umt", 80_000, 900, 900), turn.Overflow, 3, 0, true},
		{"and may be all", room, context("umt", 80_000, 20, 900), turn.Overflow, 1, 0, false},
		{"an overflow leaves half at the most", turn.Room{}, context("umum", 2000), turn.Overflow, 2, -1, true},
		{"a small window keeps a quarter", turn.Room{Window: 4000}, context("umum", 900), turn.Threshold, 3, 2, true},
		{"sizes below nothing are none", room, context("umum", -5, 20_000, -5, 20), turn.Threshold, 2, -1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := c.room.Cut(c.items, c.why)
			if ok != c.ok || ok && (got.Kept != c.kept || got.Carried != c.carried) {
				t.Errorf("%v is cut at %+v, %v; want %d, carried %d, %v", c.items, got, ok, c.kept, c.carried, c.ok)
			}
		})
	}
}

func TestAContextIsFullBeforeItsReserve(t *testing.T) {
	for _, c := range []struct {
		room        turn.Room
		used, since int
		full        bool
	}{
		{turn.Room{}, 1 << 40, 1, false},
		{turn.Room{Window: 128_000}, 111_000, 616, false},
		{turn.Room{Window: 128_000}, 111_000, 617, true},
		{turn.Room{Window: 128_000, Reserve: 28_000}, 100_000, 0, false},
		{turn.Room{Window: 128_000, Reserve: 28_000}, 100_000, 1, true},
		{turn.Room{Window: 4096}, 3072, 0, false},
		{turn.Room{Window: 4096}, 3072, 1, true},
		{turn.Room{Window: 1}, 0, 0, false},
	} {
		if got := c.room.Full(c.used, c.since); got != c.full {
			t.Errorf("%+v with %d and %d: full %v", c.room, c.used, c.since, got)
		}
	}
}

// items draws contexts that a session can have: every call with its result before the
// next reply, people and tenet in between.
func items(rt *rapid.T) (out []turn.Item) {
	size := rapid.IntRange(0, 4000)
	for range rapid.IntRange(0, 12).Draw(rt, "steps") {
		switch who := rapid.SampledFrom([]turn.Said{turn.ByUser, turn.ByHarness, turn.ByModel}).Draw(rt, "who"); who {
		case turn.ByModel:
			out = append(out, turn.Item{Said: who, Tokens: size.Draw(rt, "reply")})
			for range rapid.IntRange(0, 3).Draw(rt, "calls") {
				if rapid.IntRange(0, 5).Draw(rt, "between") == 0 {
					out = append(out, turn.Item{Said: turn.ByHarness, Tokens: 10})
				}
				out = append(out, turn.Item{Said: turn.ByTool, Tokens: size.Draw(rt, "result")})
			}
		case turn.ByUser, turn.ByHarness, turn.ByTool:
			out = append(out, turn.Item{Said: who, Tokens: size.Draw(rt, "words")})
		}
	}
	return out
}

func TestACutLosesNeitherAResultNorTheQuestion(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		in := items(rt)
		room := turn.Room{Window: rapid.SampledFrom([]int{0, 1, 4096, 32_000, 200_000}).Draw(rt, "window"), Keep: rapid.IntRange(0, 8000).Draw(rt, "keep")}
		why := rapid.SampledFrom([]turn.Reason{turn.Threshold, turn.Overflow}).Draw(rt, "why")
		c, ok := room.Cut(in, why)
		if !ok {
			return
		}
		for _, it := range in[c.Kept:] {
			if it.Said == turn.ByModel {
				break
			}
			if it.Said == turn.ByTool {
				rt.Fatalf("%v is cut at %d: a result stays without its call", in, c.Kept)
			}
		}
		last := -1
		for i, it := range in {
			if it.Said == turn.ByUser {
				last = i
			}
		}
		if lost := last >= 0 && last < c.Kept; lost != (c.Carried >= 0) || lost && c.Carried != last {
			rt.Fatalf("%v is cut at %+v: the person's last message is %d", in, c, last)
		}
		before, after := sum(in), sum(in[c.Kept:])
		if c.Carried >= 0 {
			after += in[c.Carried].Tokens
		}
		if after >= before {
			rt.Fatalf("%v is cut at %+v: %d tokens became %d before the summary", in, c, before, after)
		}
	})
}

// A cut never leaves what it would cut again for the same reason.
func TestACutContextIsNotCutAgain(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		in := items(rt)
		room := turn.Room{Window: rapid.SampledFrom([]int{4096, 32_000, 200_000}).Draw(rt, "window")}
		c, ok := room.Cut(in, turn.Threshold)
		if !ok || c.Carried >= 0 {
			return
		}
		left := append([]turn.Item{{Said: turn.ByHarness, Tokens: room.Window / 40}}, in[c.Kept:]...)
		if again, ok := room.Cut(left, turn.Threshold); ok {
			rt.Fatalf("%v, cut to %v, is cut again at %+v", in, left, again)
		}
	})
}

func sum(items []turn.Item) (n int) {
	for _, it := range items {
		n += it.Tokens
	}
	return n
}
