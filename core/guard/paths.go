package guard

import (
	"path"
	"slices"
	"strings"

	"tenet/core/call"
)

// secretReader: a tool that nobody knows and that carries a path is a reader, whatever
// it says of itself (law reader_of_secret_denied). The roster's tools ask instead.
func (v *view) secretReader() (why, next string) {
	if slices.Contains(v.p.Roster, v.tool) {
		return "", ""
	}
	for _, p := range v.step.Paths {
		if p.Class == "secret" {
			return "the tool " + v.tool + " is not of the roster, and " + p.Real + " is a secret", "Use read or bash for it, which ask the user; or go on without it."
		}
		if p.Holds {
			return "the tool " + v.tool + " is not of the roster, and " + p.Real + " holds secrets", "Name a directory or file below it that holds none."
		}
	}
	if v.step.Effects.Has(call.Secret) {
		return "the tool " + v.tool + " is not of the roster, and the call touches a secret", "Use read or bash for it, which ask the user; or go on without it."
	}
	return "", ""
}

// written asks about every place that the step is known to write.
func (v *view) written(ask func(at string) (why, next string)) (why, next string) {
	for _, p := range v.step.Paths {
		at := p.Real
		if at == "" {
			at = p.Written
		}
		if p.Use != call.Writes || at == "" || sinks.has(at) {
			continue
		}
		if why, next = ask(path.Clean(at)); why != "" {
			return why, next
		}
	}
	return v.each(func(l line) (string, string) {
		for _, w := range l.c.Outs {
			at, ok := l.place(w)
			if !ok || sinks.has(at) {
				continue
			}
			if why, next := ask(at); why != "" {
				return why, next
			}
		}
		return "", ""
	})
}

// writeRoots: when the user named places, nothing else is written.
func (v *view) writeRoots() (why, next string) {
	roots := v.p.WriteRoots
	if len(roots) == 0 {
		return "", ""
	}
	next = "Write below one of: " + strings.Join(roots, ", ") + "."
	why, _ = v.written(func(at string) (string, string) {
		if slices.ContainsFunc(roots, func(r string) bool { return within(at, r) }) {
			return "", ""
		}
		return at + " is below none of the write roots", next
	})
	if why == "" {
		why = v.unknownOut()
	}
	return why, next
}

// unknownOut: a redirection to a name that is known only when it runs may leave the
// write roots.
func (v *view) unknownOut() (why string) {
	why, _ = v.each(func(l line) (string, string) {
		for _, w := range l.c.Outs {
			if !w.Known() {
				return "nobody can tell yet which file it writes, so it may be below none of the write roots", ""
			}
		}
		return "", ""
	})
	return why
}

// fragment: parts of paths that the user protected.
func (v *view) fragment() (why, next string) {
	if len(v.p.Fragments) == 0 {
		return "", ""
	}
	return v.written(func(at string) (string, string) {
		for _, f := range v.p.Fragments {
			if holdsFragment(at, f) {
				return at + " is protected by the fragment " + f, "Leave it as it is and tell the user what should change in it."
			}
		}
		return "", ""
	})
}

// holdsFragment reports whether the fragment's components stand in the path, one
// behind the other; each may be a pattern. Cases do not count: a file system that does
// not tell them apart would make .GITHUB of .github.
func holdsFragment(at, fragment string) bool {
	want := strings.Split(strings.Trim(strings.ToLower(fragment), "/"), "/")
	have := strings.Split(strings.Trim(strings.ToLower(at), "/"), "/")
	if want[0] == "" {
		return false
	}
	for i := 0; i+len(want) <= len(have); i++ {
		if slices.EqualFunc(want, have[i:i+len(want)], matchName) {
			return true
		}
	}
	return false
}

// matchName: a pattern that cannot be read matches, which is the strict side.
func matchName(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok || err != nil
}

// credential: names that keys and passwords have.
func (v *view) credential() (why, next string) {
	return v.written(func(at string) (string, string) {
		if !credentialName(path.Base(at)) {
			return "", ""
		}
		return path.Base(at) + " is named like a credential", "Ask the user to make or replace it; or give it another name if it is none."
	})
}

const credentialNames list = "id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk .netrc _netrc .pgpass .git-credentials .pypirc .htpasswd"

const credentialEndings list = ".pem .key .p12 .pfx .jks .keystore .kdbx .kdb .ppk"

// credentialName reports whether a file's name is one that a credential has. A public
// half and an example are none; a certificate in a .pem is none either.
func credentialName(name string) bool {
	name = strings.ToLower(name)
	if credentialNames.has(name) {
		return true
	}
	end := path.Ext(name)
	stem := strings.TrimSuffix(name, end)
	if !credentialEndings.has(end) || stem == "" {
		return false
	}
	return end != ".pem" || !slices.ContainsFunc(publicStems, func(s string) bool { return strings.Contains(stem, s) })
}

// publicStems are in the names of .pem files that anybody may see.
var publicStems = []string{"cert", "chain", "pub", "bundle", "dhparam"}
