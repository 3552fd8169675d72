package effect

import (
	"slices"
	"strings"

	"tenet/core/call"
)

// gitRow is what the table says of one git subcommand. A repository's own
// configuration can make git run programs: only subcommands that can be kept from it
// by arguments (see Harden) are here, each other one is exec.
type gitRow struct {
	does call.Effects
	opts options
	cwd  func(*args) bool
	more func(*scene, *args) call.Effects
}

const revisionOptions = "-# -n= -i -E -F -P -g -L= --max-count= --skip= --since= --after= --until= --before= --author=!t --committer=!t --grep=!t --grep-reflog=!t --all-match --invert-grep --regexp-ignore-case --basic-regexp --extended-regexp" +
	" --fixed-strings --perl-regexp --remove-empty --merges --no-merges --min-parents= --max-parents= --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --not --all --branches? --tags? --remotes?" +
	" --glob= --exclude= --exclude-hidden= --reflog --single-worktree --ignore-missing --stdin --cherry-mark --cherry-pick --left-only --right-only --cherry --walk-reflogs --merge --boundary --use-bitmap-index" +
	" --simplify-by-decoration --show-pulls --full-history --dense --sparse --simplify-merges --ancestry-path? --date-order --author-date-order --topo-order --reverse --no-walk? --do-walk --pretty?!t --format=!t" +
	" --abbrev-commit --no-abbrev-commit --oneline --encoding= --expand-tabs? --no-expand-tabs --notes? --no-notes --show-notes? --relative-date --date=!t --parents --children --left-right --graph --no-graph" +
	" --show-linear-break? --count --timestamp --header --objects --objects-edge --in-commit-order --unpacked --filter= --no-filter --filter-print-omitted --missing= --disk-usage? --quiet --bisect --follow" +
	" --no-decorate --decorate? --decorate-refs= --decorate-refs-exclude= --clear-decorations --source --mailmap --use-mailmap --no-mailmap --no-use-mailmap --log-size --full-diff --show-signature!x --no-show-signature"

const diffOptions = " -p -u -s -U= -t -X? -z -B? -M? -C? -D -l= -S=!t -G=!t -O= -R -a -b -w -I=!t -W -m -c --patch --no-patch --unified= --output=!w --output-indicator-new= --output-indicator-old= --output-indicator-context= --raw" +
	" --patch-with-raw --indent-heuristic --no-indent-heuristic --minimal --patience --histogram --anchored= --diff-algorithm= --stat? --stat-width= --stat-name-width= --stat-count= --stat-graph-width= --compact-summary" +
	" --numstat --shortstat --dirstat? --cumulative --dirstat-by-file? --summary --patch-with-stat --name-only --name-status --color? --no-color --color-moved? --no-color-moved --color-moved-ws= --no-color-moved-ws" +
	" --word-diff? --word-diff-regex=!t --color-words? --no-renames --rename-empty --no-rename-empty --check --ws-error-highlight= --full-index --binary --abbrev? --no-abbrev --break-rewrites? --find-renames?" +
	" --find-copies? --find-copies-harder --irreversible-delete --diff-filter= --find-object= --pickaxe-all --pickaxe-regex --skip-to= --rotate-to= --relative? --no-relative --text --ignore-cr-at-eol --ignore-space-at-eol" +
	" --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines=!t --inter-hunk-context= --function-context --exit-code --ext-diff!x --no-ext-diff --textconv!x --no-textconv" +
	" --ignore-submodules? --src-prefix= --dst-prefix= --no-prefix --default-prefix --line-prefix= --ita-invisible-in-index --cc --combined-all-paths --diff-merges= --no-diff-merges --cached --staged --merge-base"

const refOptions = "-s -p --count= --shell --perl --python --tcl --sort=!t --format=!t --color? --points-at= --merged? --no-merged? --contains? --no-contains? --ignore-case --omit-empty --exclude= --stdin --include-root-refs --start-after="

var gitTable = map[string]*gitRow{
	"log":           {does: reads, opts: parseOptions(revisionOptions + diffOptions), more: gitFormat},
	"show":          {does: reads, opts: parseOptions(revisionOptions + diffOptions), more: gitFormat},
	"diff":          {does: reads, opts: parseOptions("-# -q --quiet" + diffOptions), more: gitDiff},
	"rev-list":      {does: reads, opts: parseOptions(revisionOptions), more: gitFormat},
	"shortlog":      {does: reads, opts: parseOptions("-s -e -c -w? --numbered --summary --email --committer --group= " + revisionOptions), more: gitFormat},
	"for-each-ref":  {does: reads, opts: parseOptions(refOptions), more: gitFormat},
	"cat-file":      {does: reads, opts: parseOptions("-e -p -t -s -z -Z --batch? --batch-check? --batch-command? --batch-all-objects --buffer --unordered --follow-symlinks --allow-unknown-type --mailmap --no-mailmap --use-mailmap --no-use-mailmap --textconv!x --filters!x --path=")},
	"count-objects": {does: reads, opts: parseOptions("-v -H --verbose --human-readable")},
	"describe":      {does: reads, opts: parseOptions("--all --tags --contains --abbrev? --no-abbrev --candidates= --exact-match --debug --long --match= --exclude= --always --first-parent --dirty?!x --broken?!x")},
	"grep": {does: reads, cwd: noPathspec, more: gitGrepMore, opts: parseOptions("-# -a -i -I -r -w -v -h -H -E -G -P -F -n -l -L -O?!x -z -o -c -p -W -A= -B= -C= -m= -f= -e=!t -q --cached --untracked --no-index --exclude-standard --no-exclude-standard --recurse-submodules" +
		" --parent-basename= --text --textconv!x --no-textconv --ignore-case --max-depth= --recursive --no-recursive --word-regexp --invert-match --full-name --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number" +
		" --column --files-with-matches --name-only --files-without-match --open-files-in-pager?!x --null --only-matching --count --color? --no-color --break --heading --show-function --function-context --after-context=" +
		" --before-context= --context= --max-count= --threads= --and --or --not --all-match --quiet")},
	"ls-files": {does: reads, cwd: always, opts: parseOptions("-c -d -m!x -o -i -s -u -k -z -t -v -f -x=!t -X= --cached --deleted --modified!x --others --ignored --stage --directory --no-empty-directory --unmerged --killed --resolve-undo --deduplicate" +
		" --exclude=!t --exclude-from= --exclude-per-directory= --exclude-standard --error-unmatch --with-tree= --full-name --recurse-submodules --abbrev? --debug --eol --sparse --format=!t")},
	"ls-tree":    {does: reads, opts: parseOptions("-d -r -t -l -z --long --name-only --name-status --object-only --full-name --full-tree --abbrev? --format=!t")},
	"merge-base": {does: reads, opts: parseOptions("-a --all --octopus --is-ancestor --independent --fork-point")},
	"name-rev":   {does: reads, opts: parseOptions("--tags --refs= --exclude= --all --annotate-stdin --stdin --name-only --no-undefined --undefined --always")},
	"rev-parse": {does: reads, opts: parseOptions("-q --sq-quote --revs-only --no-revs --flags --no-flags --default= --prefix= --verify --quiet --sq --short? --not --abbrev-ref? --symbolic --symbolic-full-name --output-object-format= --all" +
		" --branches? --tags? --remotes? --glob= --exclude= --disambiguate= --git-dir --absolute-git-dir --git-common-dir --is-inside-git-dir --is-inside-work-tree --is-bare-repository --is-shallow-repository --resolve-git-dir=" +
		" --local-env-vars --path-format= --git-path= --show-toplevel --show-superproject-working-tree --show-prefix --show-cdup --show-object-format? --show-ref-format --shared-index-path --since= --after= --until= --before=")},
	"show-ref":     {does: reads, opts: parseOptions("-d -s? -q --head --heads --branches --tags --dereference --hash? --verify --exists --abbrev? --quiet --exclude-existing?")},
	"version":      {does: reads, opts: parseOptions("--build-options")},
	"symbolic-ref": {does: reads, opts: parseOptions("-q -d!w -m=!wt --quiet --short --recurse --no-recurse --delete!w"), more: gitSymbolic},
	"branch": {does: reads, more: gitBranch, opts: parseOptions("-a -r -v -q -l -i -d!w -D!w -m!w -M!w -c!w -C!w -f!w -t?!w -u=!w --all --remotes --verbose --quiet --list --show-current --abbrev? --no-abbrev --color? --no-color --column? --no-column" +
		" --sort=!t --format=!t --points-at= --contains? --no-contains? --merged? --no-merged? --ignore-case --omit-empty --delete!w --move!w --copy!w --force!w --track?!w --no-track!w --set-upstream-to=!w --unset-upstream!w --create-reflog!w --recurse-submodules!w --edit-description!x")},
	"update-ref": {does: writes, opts: parseOptions("-m=!t -d -z --no-deref --deref --stdin --create-reflog")},
	"init":       {does: writes, more: initHere, opts: parseOptions("-q -b= --quiet --bare --template=!x --separate-git-dir= --object-format= --ref-format= --initial-branch= --shared?")},
}

// remoteCommands talk to another repository and let its address choose programs.
var remoteCommands = strings.Fields("clone fetch ls-remote pull push submodule fetch-pack send-pack http-fetch http-push")

// calmGlobals are the options before the subcommand that set no configuration and
// no program. -C is read apart.
var calmGlobals = strings.Fields("--no-pager -P --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks --no-replace-objects --no-lazy-fetch")

// runGit judges git by its subcommand.
func runGit(s *scene, argv []word) {
	dir, rest, calm := gitGlobals(s, argv[1:])
	if !calm || len(rest) == 0 {
		s.exec("git has an option before the subcommand that may set a program")
		s.loose(argv[1:])
		return
	}
	s = s.in(dir)
	sub, words := rest[0].text, rest[1:]
	row := gitTable[sub]
	if sub == "--version" {
		row = gitTable["version"]
	}
	if row == nil || rest[0].sure != exact {
		gitOther(s, sub, words)
		return
	}
	row.judge(s, sub, words, dir == "")
}

// gitGlobals reads the options before the subcommand. dir is where -C leads.
func gitGlobals(s *scene, words []word) (dir string, rest []word, calm bool) {
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case w.sure != exact:
			return dir, words[i:], false
		case w.text == "-C" && i+1 < len(words) && words[i+1].sure == exact:
			i++
			dir = join(dir, words[i].text)
			s.names(word{text: dir})
		case w.text == "--version":
			return dir, words[i:], true
		case !w.option():
			return dir, words[i:], true
		case !slices.Contains(calmGlobals, w.text):
			return dir, words[i:], false
		}
	}
	return dir, nil, true
}

func (r *gitRow) judge(s *scene, sub string, words []word, here bool) {
	a := r.opts.parse(words)
	if a.strange {
		s.exec("git %s has an option that the effect table does not know", sub)
	}
	if a.has("help") {
		s.exec("git %s --help starts the reader of manuals", sub)
	}
	does := r.does.With(a.adds)
	if does.Has(call.Exec) {
		s.note("git %s runs a program that the repository names", sub)
	}
	if here && r.cwd != nil && r.cwd(&a) && (a.dashed > 0 || len(a.operands) == 0 || sub == "grep") {
		s.cwd()
	}
	if r.more != nil {
		does = does.With(r.more(s, &a))
	}
	s.add(does)
	if does.Has(call.Write) {
		s.gitWrites(sub, &a)
	}
	for _, g := range a.opts {
		if g.has && !g.text {
			s.asRead = !g.adds.Has(call.Write)
			s.gitWord(g.value, does)
		}
	}
	s.asRead = !r.does.Has(call.Write)
	for _, w := range a.operands {
		s.gitWord(w, does)
	}
	s.asRead = false
}

// gitWord judges a word that may be a revision, a path, or both with a colon.
func (s *scene) gitWord(w word, does call.Effects) {
	s.loose([]word{w})
	if !does.Has(call.Write) {
		return
	}
	mute := s.mute
	s.mute = mute || s.asRead && !pathlike(w.text)
	s.writes(w)
	s.mute = mute
}

// gitOther is every subcommand that the table does not vouch for.
func gitOther(s *scene, sub string, words []word) {
	s.exec("git %s can run programs that the repository names", cited(sub))
	switch {
	case slices.Contains(remoteCommands, sub), sub == "remote" && remoteTalks(words), sub == "archive" && mentions(words, "--remote"):
		s.add(net)
	case sub == "config" && !configReads(words):
		s.add(call.Of(call.Protected))
		s.note("git config names the programs that git runs later")
	}
	s.loose(words)
}

func remoteTalks(words []word) bool {
	for _, w := range words {
		if !w.option() {
			return w.sure != exact || w.text == "show" || w.text == "update" || w.text == "prune" || w.text == "set-head"
		}
	}
	return false
}

func mentions(words []word, option string) bool {
	return slices.ContainsFunc(words, func(w word) bool { return strings.HasPrefix(w.text, option) })
}

// configReads reports whether git config only shows values.
func configReads(words []word) bool {
	operands := 0
	for _, w := range words {
		switch {
		case w.text == "get" && operands == 0, w.text == "list" && operands == 0, w.text == "-l":
			return true
		case strings.HasPrefix(w.text, "--get"), strings.HasPrefix(w.text, "--list"):
			return true
		case !w.option():
			operands++
		}
	}
	return operands == 1
}
