package laws

import (
	"slices"
	"strings"

	core "tenet/core/prompts"
	"tenet/laws/law"
	"tenet/models/prompts"
)

type promptLaw = law.Law[struct{}, prompts.In, prompts.Out]

// Prompts: what a prompt from a file becomes (H7.3).
var Prompts = struct {
	// PromptExpandsOnce: an argument is put in as it is: what looks like a place in it is never expanded.
	PromptExpandsOnce promptLaw `law:"prompt_expands_once" rule:"H7.3"`
	// PromptKeepsTheRest: every byte of the template that is no place stays, in its order, and $$ is a dollar.
	PromptKeepsTheRest promptLaw `law:"prompt_keeps_the_rest" rule:"H7.3"`
	// PromptPlaceIsItsArgument: each place is the arguments that it names, and nothing where there are none.
	PromptPlaceIsItsArgument promptLaw `law:"prompt_place_is_its_argument" rule:"H7.3"`
	// PromptArgumentsComeBack: arguments in quotes are read as they are.
	PromptArgumentsComeBack promptLaw `law:"prompt_arguments_come_back" rule:"H7.3"`
	// PromptNeverShadows: no prompt is called as a command is; each has one name of its own, its file's unless a command has that.
	PromptNeverShadows promptLaw `law:"prompt_never_shadows" rule:"H7.3"`
}{
	PromptExpandsOnce: promptLaw{Func: func(in prompts.In, out prompts.Out) law.Verdict {
		if !strings.Contains(strings.Join(in.Args, ""), "$") || !strings.Contains(out.Marked, prompts.Mark(0)[:1]) {
			return law.Idle
		}
		var swap []string
		for i, a := range in.Args {
			swap = append(swap, prompts.Mark(i), a)
		}
		want := strings.NewReplacer(swap...).Replace(out.Marked)
		return law.Check(out.Text == want, "%q with %q is %q, want %q", in.Body, in.Args, out.Text, want)
	}},
	PromptKeepsTheRest: promptLaw{Func: func(in prompts.In, out prompts.Out) law.Verdict {
		want := prompts.Filled(in.Body, nil)
		return law.Verdict{Applies: in.Body != "", Err: law.Check(out.Bare == want, "%q without arguments is %q, want %q", in.Body, out.Bare, want).Err}
	}},
	PromptPlaceIsItsArgument: promptLaw{Func: func(in prompts.In, out prompts.Out) law.Verdict {
		want := prompts.Filled(in.Body, prompts.Marks(len(in.Args)))
		return law.Verdict{Applies: len(in.Args) > 0, Err: law.Check(out.Marked == want, "%q with %d marks is %q, want %q", in.Body, len(in.Args), out.Marked, want).Err}
	}},
	PromptArgumentsComeBack: promptLaw{Func: func(in prompts.In, out prompts.Out) law.Verdict {
		return law.Verdict{Applies: len(in.Args) > 0, Err: law.Check(slices.Equal(in.Args, out.Split), "%q are read as %q", in.Args, out.Split).Err}
	}},
	PromptNeverShadows: promptLaw{Func: func(in prompts.In, out prompts.Out) law.Verdict {
		if len(in.Names) == 0 {
			return law.Idle
		}
		for i, call := range out.Calls {
			own := !slices.Contains(in.Commands, in.Names[i]) && !strings.HasPrefix(in.Names[i], core.Prefix)
			switch {
			case slices.Contains(in.Commands, call):
				return law.Broken("the prompt %q is called as the command %q", in.Names[i], call)
			case slices.Contains(out.Calls[:i], call):
				return law.Broken("two of %q are called %q", in.Names, call)
			case own && call != in.Names[i] || !strings.HasSuffix(call, in.Names[i]):
				return law.Broken("the prompt %q is called %q", in.Names[i], call)
			}
		}
		return law.Check(len(out.Calls) == len(in.Names), "%q are called %q", in.Names, out.Calls)
	}},
}

// PromptsBook lists them.
var PromptsBook = law.Book[struct{}, prompts.In, prompts.Out]("prompts", &Prompts)
