package laws

import (
	"slices"
	"strings"

	core "tenet/core/childenv"
	"tenet/laws/law"
	"tenet/models/childenv"
)

type childenvLaw = law.Law[struct{}, childenv.In, []string]

// Childenv: what a child process may know of tenet's own environment (G3).
var Childenv = struct {
	// NeverAProviderCredential: no child gets a variable that a provider's client reads its credential from, in any case of letters.
	NeverAProviderCredential childenvLaw `law:"env_never_a_provider_credential" rule:"G3"`
	// NeverASecretName: an external process gets no variable whose name marks a credential.
	NeverASecretName childenvLaw `law:"env_never_a_secret_name" rule:"G3"`
	// KernelKeepsMCPOnly: of the credentials a kernel gets those that the user's MCP configuration names, and no other, and never a provider's.
	KernelKeepsMCPOnly childenvLaw `law:"env_kernel_keeps_mcp_only" rule:"G3"`
	// KeepsTheRest: every other variable passes unchanged, the session's values are set, its defaults fill in, and nothing else is there.
	KeepsTheRest childenvLaw `law:"env_keeps_the_rest" rule:"G3"`
}{
	NeverAProviderCredential: childenvLaw{Func: func(in childenv.In, out []string) law.Verdict {
		if !slices.ContainsFunc(given(in), provided) {
			return law.Idle
		}
		at := slices.IndexFunc(out, provided)
		return law.Check(at < 0, "from %q a %v gets %q", given(in), in.Child, out)
	}},
	NeverASecretName: childenvLaw{Func: func(in childenv.In, out []string) law.Verdict {
		if in.Child != core.Process || !slices.ContainsFunc(given(in), marked) {
			return law.Idle
		}
		return law.Check(!slices.ContainsFunc(out, marked), "from %q a %v gets %q", given(in), in.Child, out)
	}},
	KernelKeepsMCPOnly: childenvLaw{Func: func(in childenv.In, out []string) law.Verdict {
		if in.Child != core.Kernel || !slices.ContainsFunc(given(in), marked) {
			return law.Idle
		}
		for _, kv := range given(in) {
			named := slices.Contains(in.Session.MCP, name(kv)) && !provided(kv)
			if marked(kv) && named != slices.ContainsFunc(out, called(name(kv))) {
				return law.Broken("%q, in the MCP configuration: %v, from %q the kernel gets %q", kv, named, given(in), out)
			}
		}
		return law.Holds
	}},
	KeepsTheRest: childenvLaw{Func: func(in childenv.In, out []string) law.Verdict {
		free := func(kv string) bool { return !marked(kv) && !provided(kv) }
		var want []string
		for _, kv := range given(in) {
			if name(kv) != "" && free(kv) && !slices.ContainsFunc(want, called(name(kv))) {
				want = append(want, kv)
			}
		}
		got := slices.DeleteFunc(slices.Clone(out), func(kv string) bool { return !free(kv) })
		slices.Sort(got)
		slices.Sort(want)
		return law.Check(slices.Equal(got, want), "from %q a %v gets %q, want %q", given(in), in.Child, got, want)
	}},
}

// ChildenvBook lists them.
var ChildenvBook = law.Book[struct{}, childenv.In, []string]("childenv", &Childenv)

// given is all that may become a variable, the first of a name before the others.
func given(in childenv.In) []string {
	return slices.Concat(in.Session.Set, in.Env, in.Session.Default)
}

// name is the variable of an entry, empty when the entry is none.
func name(kv string) string {
	n, _, ok := strings.Cut(kv, "=")
	if !ok {
		return ""
	}
	return n
}

func called(n string) func(string) bool { return func(kv string) bool { return name(kv) == n } }

func provided(kv string) bool { return childenv.Provided(name(kv)) }

func marked(kv string) bool { return childenv.Marked(name(kv)) }
