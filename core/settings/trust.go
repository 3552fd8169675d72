package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// Trusted maps the real path of a project to the digests of the settings files that
// the user trusts there. It is one digest; two while tenet itself adds a rule to the
// file: the file's before and the file's after, so that a crash in between leaves no
// project untrusted. Both are the user's word.
type Trusted map[string][]string

// Digest names the bytes of a settings file.
func Digest(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:])
}

// Trusts reports whether a project's file is one that the user trusts: this very file
// at this very place (DESIGN, "Who may loosen").
func (t Trusted) Trusts(root string, file []byte) bool {
	return slices.Contains(t[root], Digest(file))
}

// maxDigests is how many files of one project may be trusted at once.
const maxDigests = 2

// trusted reads the projects. What cannot be read trusts nothing.
func (r *reader) trusted(key string, n Node) Trusted {
	if n.Kind != Object {
		r.warn(n, key, "it is %s and should be an object; no project is trusted", n.Kind)
		return nil
	}
	t := Trusted{}
	for _, m := range n.Members {
		digests, ok := digestsOf(m.Value)
		if _, twice := t[m.Name]; twice || !ok {
			r.warn(m.Value, key+"."+m.Name, "it should stand here once, with the sha256 of the project's settings; 'tenet trust' writes it. The project is not trusted")
			t[m.Name] = nil
			continue
		}
		t[m.Name] = digests
	}
	return t
}

func digestsOf(n Node) (out []string, ok bool) {
	all := []Node{n}
	if n.Kind == List {
		all = n.Elements
	}
	for _, e := range all {
		if raw, err := hex.DecodeString(e.Text); e.Kind != String || err != nil || len(raw) != sha256.Size {
			return nil, false
		}
		out = append(out, e.Text)
	}
	return out, len(out) > 0 && len(out) <= maxDigests
}

// Named is which of a project's files the user's file names while a grant is written.
type Named uint8

// What may be named.
const (
	New  Named = iota // the file that is about to stand there
	Both              // the one that stands there as well
)

// Granting says how the trust moves with a grant that tenet writes into a project's
// file, so that the grant counts after a restart and no crash leaves more trust than
// the person gave. First the user's file names what Named says; then the project's
// file is put in place; then, if after is true, the user's file names the new one
// only. Whatever was reached, the project's file is one that is named, when it was
// before; and only what the person trusted before and says now is named.
//
// trusted is whether the file counts now. A file without any rule need not: all that
// can count in it afterwards is the grant.
func Granting(trusted bool) (first Named, after bool) {
	if trusted {
		return Both, true
	}
	return New, false
}

// Grantable reports whether a person's allow may be written into a project's file: it
// would not count in one that holds rules of others. waiting is true when the file
// holds keys that count only with trust: a grant that trusted the file would switch
// them on, and nobody was shown them.
func Grantable(trusted bool, permissions Node, waiting bool) bool {
	return trusted || len(permissions.Members) == 0 && !waiting
}
