package provider_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"tenet/adapters/provider"
	"tenet/adapters/provider/sse"
)

// A second of a fast model: 1,000 pieces of a word, as servers frame them.
func thousand() string {
	var b strings.Builder
	for range 1000 {
		b.WriteString(`data: {"id":"chatcmpl-123","object":"chat.completion.chunk","created":1694268190,"model":"m1","system_fingerprint":"fp_44709d6fcb","choices":[{"index":0,"delta":{"content":" word"},"logprobs":null,"finish_reason":null}]}` + "\n\n")
	}
	return b.String() + end("stop") + done
}

// BenchmarkAccumulate1000 is what 1,000 pieces cost to read: the CPU that a model at
// 1,000 pieces a second takes of each second.
func BenchmarkAccumulate1000(b *testing.B) {
	s := thousand()
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := accumulate(s, 4096); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParse1000 is the share of the stream's framing alone.
func BenchmarkParse1000(b *testing.B) {
	s := []byte(thousand())
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		var p sse.Parser
		if err := p.Feed(s, func(sse.Event) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReply1000 is a whole reply with its clocks and the kept bytes, without a
// network.
func BenchmarkReply1000(b *testing.B) {
	s := thousand()
	c, err := provider.NewChat(provider.Options{Model: "m", Transport: transport(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(&smallReads{strings.NewReader(s)})}, nil
	})})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Reply(b.Context(), hello, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// smallReads gives one event a read, as a live stream does.
type smallReads struct{ r io.Reader }

func (s *smallReads) Read(b []byte) (int, error) { return s.r.Read(b[:min(len(b), 240)]) }

// BenchmarkArguments is one call whose arguments are a file of 1 MiB in 16,384 pieces.
func BenchmarkArguments(b *testing.B) {
	var s strings.Builder
	s.WriteString(tool(`{"index":0,"id":"c","function":{"name":"write","arguments":"{\"text\":\""}}`))
	for range 16384 {
		s.WriteString(tool(`{"index":0,"id":"c","function":{"name":"write","arguments":"` + strings.Repeat("x", 64) + `"}}`))
	}
	s.WriteString(tool(`{"index":0,"function":{"arguments":"\"}"}}`) + end("tool_calls"))
	b.SetBytes(1 << 20)
	for b.Loop() {
		if r, err := accumulate(s.String(), 4096); err != nil || len(r.Calls) != 1 {
			b.Fatal(err)
		}
	}
}
