package settings

import (
	"testing"

	"tenet/core/rules"
	"tenet/core/settings"
)

// Any bytes may stand in a project's settings: reading them ends in values or in an
// error, and an edit of them changes the rule that it is about or nothing.
func FuzzSettings(f *testing.F) {
	for _, seed := range []string{
		"{}", forms, "[]", "7 // x", `{"permissions": []}`, `{"permissions": {"rules": {}}, "permissions": {"*": "ask"}}`,
		`{"permissions":{"rules":[],"file.read":"ask","rules":[{"capability":"*","action":"deny"}]}}`, "\xef\xbb\xbf{/**/\"permissions\"/* a */:/* b */{\"*\":{ \"a\":\"ask\" /*c*/,}//d\n,}}",
		`{"trustedProjects": {"/p": "x", "/p": []}}`, "{\"permissions\":{\"*\":\"ask\"\r\n,\r\n//\"\r\n\"git.*\":{}}}",
	} {
		f.Add([]byte(seed), uint8(1), uint8(2))
	}
	f.Fuzz(func(t *testing.T, b []byte, from, to uint8) {
		d, err := parse(b)
		if err != nil {
			return
		}
		settings.ReadUser(d.tree())
		settings.ReadProject(d.tree(), settings.DefaultRun(), true)
		all, err := rulesIn(d.tree())
		if err != nil {
			return
		}
		for _, change := range []func(*document, []rules.Rule) ([]rules.Rule, error){
			func(d *document, all []rules.Rule) ([]rules.Rule, error) { return append(all, npm), d.add(npm) },
			removes(1 + int(from)%max(1, len(all))),
			func(d *document, all []rules.Rule) ([]rules.Rule, error) {
				i, j := 1+int(from)%len(all), 1+int(to)%len(all)
				return moved(all, i, j), d.move(i, j, all)
			},
		} {
			// An edit that cannot be made is refused; edited checks each that is made.
			n, err := edited(d, change)
			if err == nil && len(n.bytes()) == 0 {
				t.Fatal("nothing is left")
			}
			if len(all) == 0 {
				break
			}
		}
		if n, err := parse(b); err == nil {
			_ = n.trust("/p", []string{settings.Digest(b)}) // checked by who calls it
		}
	})
}
