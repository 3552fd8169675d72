package laws

import (
	"strings"

	"tenet/core/call"
	core "tenet/core/pathpolicy"
	"tenet/laws/law"
	"tenet/models/pathpolicy"
)

type (
	pathLaw = law.Law[links, move, pathOut]
	links   = pathpolicy.World
	move    = pathpolicy.Op
	pathOut = pathpolicy.Out
)

// Pathpolicy: what a path is, is decided by where it really leads, and a secret is
// reached only on a yes (G1).
var Pathpolicy = struct {
	// RealHasNoLink: without a loop no prefix of the real path is a symlink.
	RealHasNoLink pathLaw `law:"path_real_has_no_link" rule:"G1.1"`
	// SecretWins: a real path under a secret entry is Secret.
	SecretWins pathLaw `law:"path_secret_wins" rule:"G1.2"`
	// InsideIsSafe: Inside only without a loop, uncovered by any secret or protected rule, not an ancestor of an entry, under a root.
	InsideIsSafe pathLaw `law:"path_inside_is_safe" rule:"G1.2"`
	// AncestorGuarded: an ancestor of a protected or secret entry is Protected or Secret.
	AncestorGuarded pathLaw `law:"path_ancestor_guarded" rule:"G1.2"`
	// WriteAutoNeverSecret: a write without a yes never reaches a secret.
	WriteAutoNeverSecret pathLaw `law:"gate_write_auto_never_secret" rule:"G1.6"`
	// SecretReadNeedsYes: a secret is read only on a yes.
	SecretReadNeedsYes pathLaw `law:"gate_secret_read_needs_yes" rule:"G1.6"`
	// YesRuns: a yes runs each access.
	YesRuns pathLaw `law:"gate_yes_runs" rule:"G1.6"`
	// InsideWriteRuns: with write in the auto set an Inside write runs unasked.
	InsideWriteRuns pathLaw `law:"gate_inside_write_runs" rule:"G1.6"`
	// SecretsNeedYes: no sequence of agent writes without a yes changes a secret, symlinks included.
	SecretsNeedYes pathLaw `law:"secrets_need_yes" rule:"G1.6 G1.7"`
	// RealIsWhereItLeads: the real path is where a walk of one component at a time ends, and it loops exactly when that does.
	RealIsWhereItLeads pathLaw `law:"path_real_is_where_it_leads" rule:"G1.1"`
	// FirstClassWins: the class is the first of Secret, Protected, Inside and Outside that applies, and a directory holds a secret exactly when an entry lies below it.
	FirstClassWins pathLaw `law:"path_first_class_wins" rule:"G1.2"`
	// SpellingChangesNothing: on a disk that does not tell upper from lower case, a path in another case is the same path with the same class.
	SpellingChangesNothing pathLaw `law:"path_spelling_changes_nothing" rule:"G1.1 G1.2"`
}{
	RealHasNoLink: pathLaw{Step: func(w links, op move, out pathOut, _ links) law.Verdict {
		if op.Bend || out.Target.Real.Looped {
			return law.Idle
		}
		for i, slot := range pathpolicy.Slots {
			if w.To[i] > 0 && inside(out.Target.Real.Path, slot) {
				return law.Broken("%s is real and %s is a link", out.Target.Real.Path, slot)
			}
		}
		return law.Check(strings.HasPrefix(out.Target.Real.Path, "/"), "%q is not absolute", out.Target.Real.Path)
	}},
	SecretWins: pathLaw{Func: func(op move, out pathOut) law.Verdict {
		if op.Bend || !secretPath(out.Target.Real.Path) {
			return law.Idle
		}
		return law.Check(out.Target.Class == core.Secret, "%s is %v", out.Target.Real.Path, out.Target.Class)
	}},
	InsideIsSafe: pathLaw{Func: func(op move, out pathOut) law.Verdict {
		if op.Bend || out.Target.Class != core.Inside {
			return law.Idle
		}
		real := out.Target.Real
		safe := !real.Looped && !secretPath(real.Path) && !guardedPath(real.Path) && !ancestorPath(real.Path) && inside(real.Path, "/w")
		return law.Check(safe, "%+v is Inside", real)
	}},
	AncestorGuarded: pathLaw{Func: func(op move, out pathOut) law.Verdict {
		if op.Bend || !ancestorPath(out.Target.Real.Path) {
			return law.Idle
		}
		return law.Check(out.Target.Class <= core.Protected, "%s is %v", out.Target.Real.Path, out.Target.Class)
	}},
	WriteAutoNeverSecret: pathLaw{Func: func(op move, out pathOut) law.Verdict {
		if op.Bend || op.Access != core.Writing || op.Yes || !out.Ran {
			return law.Idle
		}
		return law.Check(!secretPath(out.Target.Real.Path), "%s was written unasked", out.Target.Real.Path)
	}},
	SecretReadNeedsYes: pathLaw{Func: func(op move, out pathOut) law.Verdict {
		path := out.Target.Real.Path
		if op.Bend || op.Access == core.Writing || !secretPath(path) && (op.Access == core.Reading || !holdsPath(path)) {
			return law.Idle
		}
		return law.Check(!out.Ran || out.Asked && op.Yes, "%v of %s ran without a yes", op.Access, path)
	}},
	YesRuns: pathLaw{Func: func(op move, out pathOut) law.Verdict {
		if op.Bend || !op.Yes {
			return law.Idle
		}
		return law.Check(out.Ran, "a yes did not run it")
	}},
	InsideWriteRuns: pathLaw{Func: func(op move, out pathOut) law.Verdict {
		if op.Bend || op.Access != core.Writing || !op.Auto.Has(call.Write) || out.Target.Class != core.Inside {
			return law.Idle
		}
		return law.Check(out.Ran && !out.Asked, "%s inside the workspace was asked about", out.Target.Real.Path)
	}},
	SecretsNeedYes: pathLaw{Step: func(w links, op move, out pathOut, after links) law.Verdict {
		if w.Harmed || op.Bend || op.Access != core.Writing || op.Yes {
			return law.Idle
		}
		return law.Check(!after.Harmed, "a write of %s without a yes changed the secret", out.Target.Real.Path)
	}},
	RealIsWhereItLeads: pathLaw{Func: func(op move, out pathOut) law.Verdict {
		if op.Bend || op.Loud {
			return law.Idle
		}
		return law.Check(out.Target.Real == out.Naive.Real, "it is %+v and leads to %+v", out.Target.Real, out.Naive.Real)
	}},
	FirstClassWins: pathLaw{Func: func(op move, out pathOut) law.Verdict {
		if op.Bend || op.Loud || out.Target.Real != out.Naive.Real {
			return law.Idle
		}
		same := out.Target.Class == out.Naive.Class && out.Target.Holds == out.Naive.Holds
		return law.Check(same, "%s is %v and holds a secret: %v; the rules say %v, %v", out.Target.Real.Path, out.Target.Class, out.Target.Holds, out.Naive.Class, out.Naive.Holds)
	}},
	SpellingChangesNothing: pathLaw{Func: func(op move, out pathOut) law.Verdict {
		if !op.Loud {
			return law.Idle
		}
		loud, quiet := out.Target, out.Naive
		same := strings.EqualFold(loud.Real.Path, quiet.Real.Path) && loud.Real.Looped == quiet.Real.Looped && loud.Class == quiet.Class && loud.Holds == quiet.Holds
		return law.Check(same, "in another case it is %+v, and %+v as it stands", loud, quiet)
	}},
}

// PathpolicyBook lists the laws of Pathpolicy.
var PathpolicyBook = law.Book[links, move, pathOut]("pathpolicy", &Pathpolicy)

// secretPath, guardedPath, holdsPath and ancestorPath are the world's policy as a
// reader writes it down: /h/s, names beginning with .env, and what process 7 has are secret; /w/p, what
// is called .git in /w, and /h/bin with its entries are protected.
func secretPath(path string) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	return inside(path, "/h/s") || name == ".env" || path == "/proc/7/environ" || inside(path, "/proc/7/root")
}

func guardedPath(path string) bool {
	return inside(path, "/w/p") || inside(path, "/w/sk") || strings.Contains(path, "/.git") && inside(path, "/w") || path == "/h/bin" || path == "/h/bin/t"
}

func holdsPath(path string) bool { return path == "/" || path == "/h" }

func ancestorPath(path string) bool { return holdsPath(path) || path == "/w" }

func inside(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }
