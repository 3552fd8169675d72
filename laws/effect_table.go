package laws

import (
	"tenet/core/call"
	"tenet/laws/law"
	"tenet/models/effect"
)

type tableLaw = law.Law[effect.None, effect.Pair, effect.Effects]

// EffectTable: how a command is written does not change what it may do (S7.8).
var EffectTable = struct {
	// QuotingKeeps: a word quoted in another way has the same effects.
	QuotingKeeps tableLaw `law:"effect_quoting_keeps" rule:"S7.8"`
	// AddingKeeps: a command has all its effects beside, behind and inside of any other.
	AddingKeeps tableLaw `law:"effect_adding_keeps" rule:"S7.8"`
	// AbbreviationKeeps: a long option cut short has at least the effects that matter of the whole one.
	AbbreviationKeeps tableLaw `law:"effect_abbreviation_keeps" rule:"S7.8"`
	// AttachingKeeps: an option's value has the same effects attached to it and apart from it.
	AttachingKeeps tableLaw `law:"effect_attaching_keeps" rule:"S7.8"`
	// MatchingKeeps: a path with a part written as a pattern that matches it has all its effects, or is secret instead of protected or outside.
	MatchingKeeps tableLaw `law:"effect_matching_keeps" rule:"S7.8"`
	// LinkKeeps: a path written through links has every effect of the path itself.
	LinkKeeps tableLaw `law:"effect_link_keeps" rule:"G1.1"`
	// WrapperKeeps: a command behind a program that runs it, with any of that program's options or one that nobody knows, has all its effects; in a container, whose files are its own, it is exec.
	WrapperKeeps tableLaw `law:"effect_wrapper_keeps" rule:"S7.8"`
	// CommandsStay: quoted in another way, added to or wrapped, every command is still among the commands.
	CommandsStay tableLaw `law:"effect_commands_stay" rule:"S7.8"`
	// UnknownIsExec: a name or an option that the table does not have, a name with a slash and an assignment are exec.
	UnknownIsExec tableLaw `law:"effect_unknown_is_exec" rule:"S7.8"`
}{
	QuotingKeeps: tableLaw{Func: func(p effect.Pair, e effect.Effects) law.Verdict {
		if p.Change != effect.Quote {
			return law.Idle
		}
		return law.Check(e.Before == e.Then, "%v became %v", e.Before, e.Then)
	}},
	AddingKeeps: tableLaw{Func: func(p effect.Pair, e effect.Effects) law.Verdict {
		if p.Change != effect.Add {
			return law.Idle
		}
		return law.Check(e.Before.Within(e.Then), "%v became %v", e.Before, e.Then)
	}},
	AbbreviationKeeps: tableLaw{Func: func(p effect.Pair, e effect.Effects) law.Verdict {
		if p.Change != effect.Abbreviate {
			return law.Idle
		}
		kept := e.Then.Has(call.Exec) || e.Before.Within(e.Then)
		return law.Check(kept, "%v became %v", e.Before, e.Then)
	}},
	AttachingKeeps: tableLaw{Func: func(p effect.Pair, e effect.Effects) law.Verdict {
		if p.Change != effect.Attach {
			return law.Idle
		}
		return law.Check(e.Before == e.Then, "%v became %v", e.Before, e.Then)
	}},
	MatchingKeeps: tableLaw{Func: func(p effect.Pair, e effect.Effects) law.Verdict {
		if p.Change != effect.Match {
			return law.Idle
		}
		kept := e.Then
		if kept.Has(call.Secret) {
			kept = kept.With(call.Of(call.Protected, call.Outside))
		}
		return law.Check(e.Before.Within(kept), "%v became %v", e.Before, e.Then)
	}},
	LinkKeeps: tableLaw{Func: func(p effect.Pair, e effect.Effects) law.Verdict {
		if p.Change != effect.Link {
			return law.Idle
		}
		return law.Check(e.Before.Within(e.Then), "%v became %v", e.Before, e.Then)
	}},
	WrapperKeeps: tableLaw{Func: func(p effect.Pair, e effect.Effects) law.Verdict {
		switch p.Change {
		case effect.Wrap, effect.Odd:
			return law.Check(e.Before.Within(e.Then), "%v became %v", e.Before, e.Then)
		case effect.Ship:
			return law.Check(e.Then.Has(call.Exec), "it may only %v", e.Then)
		case effect.Quote, effect.Add, effect.Abbreviate, effect.Attach, effect.Estrange, effect.Match, effect.Link:
		}
		return law.Idle
	}},
	CommandsStay: tableLaw{Func: func(p effect.Pair, e effect.Effects) law.Verdict {
		switch p.Change {
		case effect.Quote, effect.Add, effect.Wrap, effect.Ship:
			return law.Check(e.Lost == "", "%s is not among the commands", e.Lost)
		case effect.Abbreviate, effect.Attach, effect.Estrange, effect.Match, effect.Link, effect.Odd:
		}
		return law.Idle
	}},
	UnknownIsExec: tableLaw{Func: func(p effect.Pair, e effect.Effects) law.Verdict {
		if p.Change != effect.Estrange {
			return law.Idle
		}
		return law.Check(e.Then.Has(call.Exec), "it may only %v", e.Then)
	}},
}

// EffectTableBook lists the laws of EffectTable.
var EffectTableBook = law.Book[effect.None, effect.Pair, effect.Effects]("effect", &EffectTable)
