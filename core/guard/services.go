package guard

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// The services: what one command removes there, no version control brings back.

func dockerDestroys(l line) (why, next string) {
	p := grammar{letters: "Hlc", longs: "host log-level context config filter"}.parse(l.args())
	if p.word(1) != "prune" {
		return "", ""
	}
	switch {
	case p.word(0) == "system" && p.has("", "volumes"):
		return l.name() + " system prune --volumes removes every volume that no container uses, with its data", "Leave --volumes out."
	case p.word(0) == "volume":
		return l.name() + " volume prune removes every volume that no container uses, with its data", "Remove one volume by its name, when the user asked for it."
	}
	return "", ""
}

var kubectlGrammar = grammar{letters: "nsvlfko", longs: "namespace context cluster user kubeconfig server token as as-group selector filename kustomize output field-selector timeout grace-period"}

func kubectlDestroys(l line) (why, next string) {
	p := kubectlGrammar.parse(l.args())
	if dry, ok := p.long("dry-run"); p.word(0) != "delete" || ok && dry != "none" {
		return "", ""
	}
	kind, _, _ := strings.Cut(p.word(1), "/")
	for k := range strings.SplitSeq(strings.ToLower(kind), ",") {
		if k == "ns" || k == "namespace" || k == "namespaces" || k == "project" {
			return l.name() + " delete " + k + " removes everything in it", "Delete single objects by name, or ask the user."
		}
	}
	if all, ok := p.long("all"); ok && all != "false" || p.has("A", "all-namespaces") {
		return l.name() + " delete --all removes every object of the kind", "Name the objects."
	}
	return "", ""
}

// terraformDestroys: with -auto-approve nobody sees the plan. Go's flags take one
// dash or two.
func terraformDestroys(l line) (why, next string) {
	sub, destroys, unseen := "", false, false
	for _, w := range l.args() {
		t := plain(w)
		name, value, _ := strings.Cut(strings.TrimLeft(t, "-"), "=")
		on := value == "" || value == "true" || value == "1"
		switch {
		case !strings.HasPrefix(t, "-"):
			if sub == "" || sub == "run-all" || sub == "run" {
				sub = t
			}
		case name == "auto-approve" || name == "non-interactive" || name == "terragrunt-non-interactive":
			unseen = unseen || on
		case name == "destroy":
			destroys = destroys || on
		}
	}
	if unseen && (sub == "destroy" || sub == "apply" && destroys) {
		return l.name() + " destroy -auto-approve takes down what the state names, with nobody looking at the plan", "Make a plan (plan -destroy -out=FILE) and let the user apply it."
	}
	return "", ""
}

func pulumiDestroys(l line) (why, next string) {
	p := grammar{letters: "sCmtpv", longs: "stack cwd message target"}.parse(l.args())
	if p.word(0) == "destroy" && p.has("yf", "yes", "skip-preview") {
		return "pulumi destroy --yes takes down the stack, with nobody looking at the plan", "Run pulumi preview, and let the user destroy it."
	}
	return "", ""
}

const backUp = "Make a dump first and ask the user, or work in a database of your own under another name."

func dropdbDestroys(l line) (why, next string) {
	p := grammar{letters: "hpUT", longs: "host port username maintenance-db"}.parse(l.args())
	if len(p.operands()) == 0 {
		return "", ""
	}
	return "dropdb removes the database " + plain(p.operands()[0]), backUp
}

func mysqladminDestroys(l line) (why, next string) {
	p := grammar{letters: "huPS", longs: "host user port socket"}.parse(l.args())
	if p.word(0) != "drop" {
		return "", ""
	}
	return "mysqladmin drop removes the database " + p.word(1), backUp
}

// dropSQL is a statement that removes a whole database or schema; a comment is white
// space to SQL.
var dropSQL = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?is)(?:\b|^-[a-z])drop(\s|/\*.*?\*/)+(database|schema)\b`)
})

func sqlDestroys(l line) (why, next string) {
	for _, w := range l.args() {
		if m := dropSQL().FindString(plain(w)); m != "" {
			return "the statement " + strings.ToUpper(strings.Join(strings.Fields(m), " ")) + " removes all that is in it", backUp
		}
	}
	return "", ""
}

func mongoDestroys(l line) (why, next string) {
	for _, w := range l.args() {
		if strings.Contains(strings.ToLower(plain(w)), ".dropdatabase(") {
			return "dropDatabase removes all that is in it", backUp
		}
	}
	return "", ""
}

func redisDestroys(l line) (why, next string) {
	for _, w := range l.args() {
		if t := strings.ToLower(plain(w)); t == "flushall" || t == "flushdb" {
			return "redis " + t + " removes every key", "Delete keys by name."
		}
	}
	return "", ""
}

// The clouds: the words that make the command, wherever its options stand.

func awsDestroys(l line) (why, next string) {
	p := grammar{longs: "profile region output endpoint-url exclude include"}.parse(l.args())
	if p.word(0) == "s3" && !p.has("", "dryrun") && (p.word(1) == "rm" && p.has("", "recursive") || p.word(1) == "rb" && p.has("", "force")) {
		return "aws s3 " + p.word(1) + " removes every object below " + p.word(2), "List what is there, and let the user remove it."
	}
	return "", ""
}

func gsutilDestroys(l line) (why, next string) {
	p := grammar{letters: "oh"}.parse(l.args())
	if p.word(0) == "rm" && p.has("rR") || p.word(0) == "rb" {
		return "gsutil " + p.word(0) + " removes every object below " + p.word(1), "List what is there, and let the user remove it."
	}
	return "", ""
}

func gcloudDestroys(l line) (why, next string) {
	p := grammar{longs: "project region zone account format"}.parse(l.args())
	if p.word(0) == "projects" && p.word(1) == "delete" {
		return "gcloud projects delete takes down the whole project", "Ask the user to do it."
	}
	return "", ""
}

func ghDestroys(l line) (why, next string) {
	p := grammar{letters: "R", longs: "repo"}.parse(l.args())
	if p.word(0) == "repo" && p.word(1) == "delete" {
		return "gh repo delete removes the repository with its issues", "Ask the user to do it; gh repo archive keeps it."
	}
	return "", ""
}

// among reports whether a text is one of the words.
func among(text string, words ...string) bool { return slices.Contains(words, text) }
