// Package permission says what must happen to requests under rules (seed 4): core's
// rules and core's floor, closed with an adversary who writes the settings of every
// layer and chooses the step. The reading of the rules that they are held to is in
// naive.go.
package permission

import (
	"fmt"
	"iter"
	"slices"

	"tenet/core/call"
	"tenet/core/floor"
	"tenet/core/rules"
)

// Root and Home are where the steps run.
const (
	Root = "/h/w"
	Home = "/h"
)

// None is the one state of a function.
type None struct{}

// Placed is one rule as somebody wrote it: the layer it stands in and what it says.
type Placed struct {
	Layer               rules.Source
	Capability, Pattern string
	Exact               bool
	Action              rules.Action
}

// Op is a step under the rules of somebody, in the order in which they were written.
type Op struct {
	// Rules are the rules; each stands in its layer behind the ones written before it.
	Rules []Placed
	// Trusted is whether the user trusts the project's rules.
	Trusted bool
	// Step is an index into Steps.
	Step uint8
}

// String is the operation as a run shows it.
func (o Op) String() string {
	return fmt.Sprintf("%s under %+v, trusted %v", Steps[o.Step].Name, o.Rules, o.Trusted)
}

// Out is what the rules and the floor say.
type Out struct {
	// All is the rules in the order in which they are in force.
	All []rules.Rule
	// Ruled and Covered are what the rules say of the step, Action the verdict over it.
	Ruled   []rules.Ruled
	Covered call.Effects
	Action  rules.Action
	// Floor is the rule of the floor that the step falls under.
	Floor string
	// Bare and BareCovered are Ruled and Covered without the project's rules.
	Bare        []rules.Ruled
	BareCovered call.Effects
	// Withheld are the tools of Tools that are not offered.
	Withheld []string
}

// Tools are the tools that rules may withhold; the last is one that joined late.
var Tools = []string{"read", "write", "bash", "job", "ask", "dyn", "srv__do"}

// Step answers one operation.
func (None) Step(o Op) (None, Out) {
	place := rules.Place{Root: Root, Home: Home}
	l, s := layers(o), Steps[o.Step]
	out := Out{All: l.All()}
	out.Ruled, out.Covered = rules.Step(place, l, s.Tool, s.Step)
	_, out.Withheld = rules.Shape(l, Tools)
	out.Bare, out.BareCovered = out.Ruled, out.Covered
	if len(l.Project) > 0 {
		l.Project = nil
		out.Bare, out.BareCovered = rules.Step(place, l, s.Tool, s.Step)
	}
	var actions []rules.Action
	for _, r := range out.Ruled {
		actions = append(actions, r.Decision.Action)
	}
	out.Action = rules.Combine(actions...)
	rule, _, hit := floor.Check(floor.Place{Root: Root, Home: Home}, s.Step)
	if out.Floor = rule; hit {
		out.Action = rules.Deny
	}
	return None{}, out
}

func layers(o Op) rules.Layers {
	l := rules.Layers{Trusted: o.Trusted}
	for _, p := range o.Rules {
		list := map[rules.Source]*[]rules.Rule{
			rules.FromDefault: &l.Default, rules.FromUser: &l.User, rules.FromProject: &l.Project, rules.FromSession: &l.Session,
		}[p.Layer]
		*list = append(*list, rules.Rule{
			Capability: p.Capability, Pattern: p.Pattern, Exact: p.Exact, Action: p.Action, Source: p.Layer, Position: len(*list) + 1,
		})
	}
	return l
}

// Known is one step of the adversary's choice, and what is known of it by eye.
type Known struct {
	Name, Tool string
	Step       call.Step
	// Catastrophe is true for what the floor must deny, Strange for what does more than
	// its commands say.
	Catastrophe, Strange bool
}

// words is a command by its words, known and in the workspace.
func words(effects call.Effects, texts ...string) call.Command {
	c := call.Command{Dir: Root, Effects: effects}
	for _, t := range texts {
		c.Words = append(c.Words, call.Word{Text: t})
	}
	return c
}

func via(c call.Command, v string) call.Command {
	c.Via = []string{v}
	return c
}

func shell(name string, class call.Class, effects call.Effects, commands ...call.Command) Known {
	return Known{Name: name, Tool: "bash", Step: call.Step{N: 1, Text: name, Class: class, Effects: effects, Commands: commands}}
}

var (
	x    = call.Of(call.Exec)
	r    = call.Of(call.Read)
	rwo  = call.Of(call.Read, call.Write, call.Outside)
	test = words(x, "npm", "test")
	mk   = words(x, "make", "all")
)

// Obscure is the text of the step that nobody can read whole.
const Obscure = "npm $(x)"

// Steps are the steps that the adversary may choose.
var Steps = []Known{
	catastrophe("rm -rf /", words(rwo, "rm", "-rf", "/")),
	catastrophe("rm -rf ~", words(rwo, "rm", "-r", "--", "x", Home)),
	catastrophe("sudo reboot", via(words(x, "reboot"), "sudo")),
	catastrophe("npm test; git push -f o main", test, words(x, "git", "push", "-f", "o", "main")),
	shell("npm test", call.Simple, x, test),
	shell("npm run x '*'", call.Simple, x, words(x, "npm", "run", "x", "*")),
	shell("npm test; make all", call.Compound, x, test, mk),
	shell("npm test; ls", call.Compound, x.With(r), test, words(r, "ls")),
	shell("npm test; make all, of which nothing is said", call.Compound, x, test, words(0, "make", "all")),
	strange("{ PATH=.; npm test; make all; }", test, mk),
	strange("npm test; [[ -v 'a[$(x)]' ]]; make all", test, mk),
	shell(Obscure, call.Obfuscated, x, words(x, "npm", call.Hole), words(x, "x")),
	shell("sudo npm test", call.Simple, x, via(test, "sudo")),
	shell("PATH=. npm test", call.Simple, x, via(test, "PATH=.")),
	shell("git -C d push", call.Simple, x.With(call.Of(call.Net)), words(x.With(call.Of(call.Net)), "git", "-C", "d", "push")),
	copied(),
	{Name: "write .git/config", Tool: "write", Step: call.Step{N: 1, Effects: call.Of(call.Write, call.Protected), Paths: []call.Path{{Real: Root + "/.git/config", Use: call.Writes, Class: "protected"}}}},
	{Name: "read a secret", Tool: "read", Step: call.Step{N: 1, Effects: call.Of(call.Read, call.Secret), Paths: []call.Path{{Real: Home + "/.ssh/k", Class: "secret"}}}},
	{Name: "srv__do", Tool: "srv__do", Step: call.Step{N: 1, Effects: call.Of(call.Exec, call.Net)}},
}

func copied() Known {
	k := shell("cp a /etc/b", call.Simple, rwo, words(rwo, "cp", "a", "/etc/b"))
	k.Step.Paths = []call.Path{{Real: Root + "/a", Class: "inside"}, {Real: "/etc/b", Use: call.Writes, Class: "outside"}}
	return k
}

func strange(name string, commands ...call.Command) Known {
	k := shell(name, call.Compound, x, commands...)
	k.Strange = true
	return k
}

func catastrophe(name string, commands ...call.Command) Known {
	k := shell(name, call.Simple, rwo.With(x), commands...)
	if len(commands) > 1 {
		k.Step.Class = call.Compound
	}
	k.Catastrophe = true
	return k
}

// spoken is what a rule may speak of.
var spoken = []Placed{
	{Capability: "*", Pattern: "*"},
	{Capability: "process.execute", Pattern: "*"},
	{Capability: "process.execute", Pattern: "npm *"},
	{Capability: "process.execute", Pattern: "npm test"},
	{Capability: "process.execute", Pattern: Obscure, Exact: true},
	{Capability: "file.write.*", Pattern: "*"},
}

// written is every rule of every layer.
func written() []Placed {
	var out []Placed
	for layer := rules.FromDefault; layer <= rules.FromSession; layer++ {
		for _, p := range spoken {
			for a := rules.Allow; a <= rules.Deny; a++ {
				p.Layer, p.Action = layer, a
				out = append(out, p)
			}
		}
	}
	return out
}

// Longest are settings of more rules, in which what was said is said again.
var longest = [][]Placed{
	{{Layer: rules.FromUser, Capability: "process.execute", Pattern: "make *", Action: rules.Allow}, {Layer: rules.FromProject, Capability: "process.execute", Pattern: "npm *", Action: rules.Allow}, {Layer: rules.FromUser, Capability: "process.execute", Pattern: "*", Action: rules.Ask}, {Layer: rules.FromUser, Capability: "process.execute", Pattern: "npm *", Action: rules.Allow}},
	{{Layer: rules.FromUser, Capability: "process.execute", Pattern: "make *", Action: rules.Allow}, {Layer: rules.FromUser, Capability: "process.execute", Pattern: "npm *", Action: rules.Allow}, {Layer: rules.FromUser, Capability: "file.write.outsideProject", Pattern: "/etc/*", Action: rules.Allow}},
	{{Layer: rules.FromUser, Capability: "*", Pattern: "*", Action: rules.Deny}, {Layer: rules.FromUser, Capability: "file.write.project", Pattern: Root + "/.git/config", Action: rules.Allow}, {Layer: rules.FromSession, Capability: "process.execute", Pattern: "sudo npm test", Exact: true, Action: rules.Allow}},
	{{Layer: rules.FromUser, Capability: "process.execute", Pattern: "git push", Action: rules.Deny}, {Layer: rules.FromProject, Capability: "mcp.call", Pattern: "srv__*", Action: rules.Deny}, {Layer: rules.FromSession, Capability: "process.execute", Pattern: "npm run x *", Exact: true, Action: rules.Allow}, {Layer: rules.FromDefault, Capability: "process.background", Pattern: "**", Action: rules.Deny}},
	{{Layer: rules.FromUser, Capability: "process.execute", Pattern: "npm *es", Action: rules.Deny}, {Layer: rules.FromUser, Capability: "process.execute", Pattern: "npm", Action: rules.Deny}},
	{{Layer: rules.FromUser, Capability: "process.execute", Pattern: "n*zz*t", Action: rules.Deny}, {Layer: rules.FromUser, Capability: "process.execute", Pattern: "npm *", Exact: true, Action: rules.Deny}},
	{{Layer: rules.FromUser, Capability: "process.execute", Pattern: "npm test; make all", Exact: true, Action: rules.Allow}},
	{{Layer: rules.FromUser, Capability: "process.execute", Pattern: "n*t*t", Action: rules.Allow}, {Layer: rules.FromUser, Capability: "mcp.call", Pattern: "srv__do", Action: rules.Deny}, {Layer: rules.FromUser, Capability: "mcp.call", Pattern: "*", Action: rules.Deny}, {Layer: rules.FromUser, Capability: "mcp.call", Pattern: "other", Action: rules.Allow}},
}

// Ops is every step under no rule, every rule, every two rules, and some more.
func Ops(None) iter.Seq[Op] {
	all := written()
	return func(yield func(Op) bool) {
		for s := range Steps {
			if op := (Op{Step: uint8(s)}); !yield(op) || !some(op, all, yield) {
				return
			}
		}
	}
}

func some(op Op, all []Placed, yield func(Op) bool) bool {
	for _, a := range all {
		if !both(op, yield, a) {
			return false
		}
		for _, b := range all {
			if !both(op, yield, a, b) {
				return false
			}
		}
	}
	for _, l := range longest {
		if !both(op, yield, l...) {
			return false
		}
	}
	return true
}

// both is the rules under a project that nobody trusts and, where that is another
// question, under one that is trusted.
func both(op Op, yield func(Op) bool, in ...Placed) bool {
	op.Rules = in
	if !yield(op) {
		return false
	}
	ours := func(p Placed) bool { return p.Layer == rules.FromProject }
	op.Trusted = true
	return !slices.ContainsFunc(in, ours) || yield(op)
}

// Any is a step under up to eight rules, each choice made by pick.
func Any(pick func(n int, what string) int) Op {
	all := written()
	for _, l := range longest {
		all = append(all, l...)
	}
	op := Op{Trusted: pick(2, "trusted") == 1, Step: uint8(pick(len(Steps), "step"))}
	for range pick(9, "rules") {
		p := all[pick(len(all), "rule")]
		p.Layer = rules.Source(pick(4, "layer"))
		op.Rules = append(op.Rules, p)
	}
	return op
}
