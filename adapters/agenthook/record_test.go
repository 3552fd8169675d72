package agenthook

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestTheLogKeepsNoCredential(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"curl -H 'Authorization: Bearer abc.def' https://a.example", "curl -H 'Authorization: Bearer [masked]' https://a.example"},
		{"mysql --password=hunter2 db", "mysql --password=[masked] db"},
		{"export API_KEY=hunter2; make", "export API_KEY=[masked]; make"},
		{"git clone https://me:hunter2@host/x", "git clone https://me:[masked]@host/x"},
		{"curl -u me:hunter2 host", "curl -u me:[masked] host"},
		{"echo sk-ant-api03-abcdefghijklmnopqrst", "echo [masked]"},
		{"echo ghp_abcdefghijklmnopqrstuvwxyz0123456789", "echo [masked]"},
		{"go test ./... && git status --short", "go test ./... && git status --short"},
		{"cat /home/user/projects/a-long-name/internal/service/handler/file.go", "cat /home/user/projects/a-long-name/internal/service/handler/file.go"},
		{"curl http://localhost:8080/health", "curl http://localhost:8080/health"},
	} {
		if got := Masked(c.in); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

// The quick look never spares a text that a pattern would mask.
func TestTheQuickLookSparesNoCredential(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := []string{"-p", "-u", "a:b", " ", "@", "://", "x", "TOKEN", "=", "sk-", "ghp_", "eyJ", ".", "0123456789abcdef", "Bearer", "-----BEGIN PRIVATE KEY-----", "AKIA", "SG", "\n", "é"}
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 12).Draw(t, "parts"), "")
		masked := s
		for _, c := range credentials() {
			masked = c.pattern.ReplaceAllString(masked, c.kept)
		}
		if masked != s && !suspicious(s) {
			t.Fatalf("%q is kept as it is, and would be %q", s, masked)
		}
	})
}

func TestRecordsOfManyGuardsDoNotMix(t *testing.T) {
	home, at := t.TempDir(), time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			err := Append(home, Record{Time: at, Agent: "codex", Verdict: "allow", What: strings.Repeat("é\n", 5000+i)})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	data, err := os.ReadFile(filepath.Join(home, "guard", "2026-05-01.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for l := range strings.Lines(string(data)) {
		var r Record
		if err := json.Unmarshal([]byte(l), &r); err != nil || len(l) > 4096 {
			t.Fatalf("%d bytes, %v: %s", len(l), err, l)
		}
		n++
	}
	if n != 20 {
		t.Errorf("%d records", n)
	}
	info, _ := os.Stat(filepath.Join(home, "guard", "2026-05-01.jsonl"))
	if info.Mode().Perm() != 0o600 {
		t.Errorf("others may read it: %v", info.Mode())
	}
}

func TestOldDaysGoWhenANewOneComes(t *testing.T) {
	home := t.TempDir()
	at := func(d int) time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, d) }
	for _, d := range []int{0, 50, 100} {
		if err := Append(home, Record{Time: at(d), Verdict: "allow"}); err != nil {
			t.Fatal(err)
		}
	}
	entries, _ := os.ReadDir(LogDir(home))
	if len(entries) != 2 || entries[0].Name() != "2026-02-20.jsonl" {
		t.Errorf("%v", entries)
	}
}
