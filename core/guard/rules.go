package guard

import "slices"

// The rules' names: what settings switch off, what records and statistics count by.
const (
	AnalyzerFailure    = "analyzer-failure"
	Destructive        = "destructive"
	Network            = "network"
	NetworkCannotVouch = "network-cannot-vouch"
	OwnRules           = "own-rules"
	EnvironmentDump    = "environment-dump"
	SecretReader       = "secret-reader"
	WriteRoots         = "write-roots"
	ProtectedFragment  = "protected-fragment"
	Persistence        = "persistence"
	CredentialName     = "credential-name"
	KnowledgeOfTheFile = "knowledge"
	UnknownPolicyTool  = "unknown-policy-tool" // the first stage, see Registration
)

// Rule is what a person may know of one rule.
type Rule struct {
	// Name is the stable name.
	Name string
	// Refuses and Because are what it refuses and why, Instead what to do; sentences.
	Refuses, Because, Instead string
	// When says when it is on, where that is not always.
	When string
	// MayBeOff is true for a rule that the user's settings may switch off.
	MayBeOff bool

	check func(*view) (why, next string)
}

// order is the rules in the order they are tried (seed 3: the shell's denials, then
// the readers, then the writers).
var order = []Rule{
	{Name: AnalyzerFailure, check: (*view).failure,
		Refuses: "A step that could not be planned: the analyzer failed on it, or met something it cannot read.",
		Because: "What was not understood is not known to be harmless.",
		Instead: "Write the call in a simpler way: one plain command a step."},
	{Name: OwnRules, check: (*view).ownRules,
		Refuses: "A command of tenet that changes what tenet allows: rules add, remove and move, trust, guard install and uninstall.",
		Because: "An agent that widens its own rules has none.",
		Instead: "Tell the user which command to run in a terminal of their own."},
	{Name: Destructive, MayBeOff: true, check: (*view).destructive,
		Refuses: "Commands that throw away work or data for good: git's (reset --hard, clean -f, checkout -- FILE, restore FILE, switch -f, stash drop, branch -D, reflog expire, filter-branch, gc --prune=now, push --force, and their kin), " +
			"removing the workspace, its .git, a directory above it or anything outside it and outside temporary directories, shred, dd onto such places, and removing whole databases, namespaces, volumes or infrastructure.",
		Because: "Nobody can take it back, and an agent that is stuck reaches for it first.",
		Instead: "What each refusal names: git stash, git revert, --force-with-lease, a move into a temporary directory; or the user runs it."},
	{Name: Network, MayBeOff: true, check: (*view).network, When: `Only with "network": "deny".`,
		Refuses: "A program that talks to the network, wherever in a script it stands, unless every host it names is in hosts.",
		Because: "The user said that this machine's agent stays off the network.",
		Instead: "Work with what is on the disk, or ask the user to add the host."},
	{Name: NetworkCannotVouch, MayBeOff: true, check: (*view).cannotVouch, When: `Only with "network": "deny".`,
		Refuses: "A program whose name is known only when it runs, and text from a pipe that a shell runs.",
		Because: "Such a program may be any, also one that talks to the network.",
		Instead: "Name the program."},
	{Name: EnvironmentDump, MayBeOff: true, check: (*view).environment,
		Refuses: "Commands that show the whole environment: env, printenv, set, export -p, declare -p, compgen -v, ps e, /proc/*/environ.",
		Because: "The environment holds credentials, and what is shown goes to the model and into the log.",
		Instead: "Show one variable by its name: echo \"$NAME\"."},
	{Name: SecretReader, MayBeOff: true, check: (*view).secretReader,
		Refuses: "A tool that is not of the roster, on a path that is a secret or holds one.",
		Because: "A tool that nobody knows is a reader, whatever it is called. The roster's own tools ask instead.",
		Instead: "Use a tool of the roster, which asks the user."},
	{Name: WriteRoots, MayBeOff: true, check: (*view).writeRoots, When: "Only with writeRoots.",
		Refuses: "A write to a place that is below none of writeRoots.",
		Because: "The user named the only places that may change.",
		Instead: "Write below one of the write roots."},
	{Name: ProtectedFragment, MayBeOff: true, check: (*view).fragment, When: "Only with protected.",
		Refuses: "A write to a path that has one of the protected fragments in it.",
		Because: "The user said so.",
		Instead: "Leave the file as it is and tell the user what should change in it."},
	{Name: Persistence, MayBeOff: true, check: (*view).persistence,
		Refuses: "A write to what runs later by itself: shell profiles, cron, systemd and launchd units, autostart, git hooks and git settings that name programs, editors' task files and start-up files, ssh's authorized_keys, config and rc, settings of coding agents, .envrc.",
		Because: "What is planted there runs later, outside of every gate.",
		Instead: "Tell the user which lines to add, and where."},
	{Name: CredentialName, MayBeOff: true, check: (*view).credential,
		Refuses: "A write to a file that is named like a credential: id_rsa and its kin, *.pem, *.key, *.p12, *.pfx, *.jks, *.keystore, *.kdbx, .netrc, .pgpass, .git-credentials.",
		Because: "Overwriting a key locks its owner out, and a key that an agent made is known to its provider.",
		Instead: "Ask the user to make the credential, or give it another name if it is none."},
	{Name: KnowledgeOfTheFile, MayBeOff: true, check: (*view).knowledge,
		Refuses: "A write or an edit of a file that CHANGED since the session saw it; a whole-file write over one that the session never read, or read only a part of.",
		Because: "It would lose what the session does not know of.",
		Instead: "Read the file, the whole of it before a whole-file write."},
}

// Rules lists the rules' names in the order they are tried. Settings may switch off
// those that MayBeOff reports.
func Rules() []string {
	out := make([]string, len(order))
	for i, r := range order {
		out[i] = r.Name
	}
	return out
}

// MayBeOff reports whether the user's settings may switch a rule off. The rule about
// a failed analyzer stays on: it is no opinion about a command.
func MayBeOff(name string) bool {
	return slices.ContainsFunc(order, func(r Rule) bool { return r.Name == name && r.MayBeOff })
}

// Book is what a person may know of each rule, in the order they are tried.
func Book() []Rule { return slices.Clone(order) }
