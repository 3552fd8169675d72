package effect

import (
	"strings"

	"tenet/core/call"
)

// readRows are the commands that only read, as long as no option says otherwise.
// An option stands here only when its meaning was read in the manuals of GNU and BSD; a
// value stays a path unless it can never be one.
var readRows = []row{
	{names: "true false :", does: reads, free: true},
	{names: "echo", does: reads, free: true},
	{names: "cd", does: reads, opts: "-L -P -e -@"},
	{names: "pwd", does: reads, opts: "-L -P --logical --physical"},
	{names: "cat", does: reads, opts: "-A -b -e -E -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting"},
	{names: "ls dir vdir", does: reads, cwd: always, more: lsMore, opts: "-a -A -b -B -c -C -d -D -f -F -g -G -h -H -i -I= -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -T= -u -U -v -w= -x -X -Z -1 -O -W -y" +
		" --all --almost-all --author --escape --block-size= --ignore-backups --color? --directory --dired --classify? --file-type --format= --full-time --group-directories-first --no-group --human-readable --si" +
		" --dereference --dereference-command-line --dereference-command-line-symlink-to-dir --hide= --hyperlink? --indicator-style= --inode --ignore= --kibibytes --numeric-uid-gid --literal --hide-control-chars" +
		" --show-control-chars --quote-name --quoting-style= --reverse --recursive --size --sort= --time= --time-style= --tabsize= --width= --context --zero"},
	{names: "head", does: reads, opts: "-# -c= -n= -q -v -z --bytes= --lines= --quiet --silent --verbose --zero-terminated"},
	{names: "tail", does: reads, opts: "-# -b= -c= -f -F -n= -q -r -s= -v -z --bytes= --lines= --follow? --pid= --quiet --silent --sleep-interval= --max-unchanged-stats= --retry --verbose --zero-terminated"},
	{names: "wc", does: reads, opts: "-c -m -l -L -w --bytes --chars --lines --words --max-line-length --files0-from=!x --total="},
	{names: "grep egrep fgrep", does: reads, cwd: recursive, more: grepMore, opts: "-# -E -F -G -P -e=!t -f= -i -y -v -w -x -z -s -V -m= -b -n -H -h -o -q -a -I -d= -D= -r -R -L -l -c -T -Z -A= -B= -C= -u -U" +
		" --extended-regexp --fixed-strings --basic-regexp --perl-regexp --regexp=!t --file= --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --null-data --no-messages --max-count= --byte-offset" +
		" --line-number --line-buffered --with-filename --no-filename --label= --only-matching --quiet --silent --binary-files= --text --directories= --devices= --recursive --dereference-recursive --include= --exclude=" +
		" --exclude-from= --exclude-dir= --files-without-match --files-with-matches --count --initial-tab --null --after-context= --before-context= --context= --color? --colour? --binary --unix-byte-offsets"},
	{names: "rg", does: reads, cwd: always, more: rgMore, opts: "-# -e=!t -f= -s -i -S -F -x -w -v -a -b -c -o -l -n -N -H -I -h -q -p -L -u -U -P -V -z!x -0 -A= -B= -C= -E= -g=!t -j= -m= -M= -r=!t -t= -T= -d= -." +
		" --regexp=!t --file= --case-sensitive --ignore-case --smart-case --fixed-strings --line-regexp --word-regexp --invert-match --text --no-text --byte-offset --count --count-matches --only-matching --files-with-matches" +
		" --files-without-match --files --line-number --no-line-number --with-filename --no-filename --quiet --pretty --follow --no-follow --unrestricted --multiline --multiline-dotall --pcre2 --auto-hybrid-regex --engine= --null" +
		" --null-data --after-context= --before-context= --context= --context-separator= --no-context-separator --encoding= --glob=!t --iglob=!t --glob-case-insensitive --threads= --max-count= --max-columns= --max-columns-preview" +
		" --replace=!t --type= --type-not= --type-add=!t --type-clear= --type-list --max-depth= --maxdepth= --max-filesize= --hidden --no-hidden --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global" +
		" --no-ignore-parent --no-ignore-vcs --no-ignore-messages --no-messages --ignore-file= --ignore-file-case-insensitive --one-file-system --sort= --sortr= --stats --trim --vimgrep --column --no-column --heading --no-heading" +
		" --json --no-json --color= --colors= --crlf --dfa-size-limit= --regex-size-limit= --debug --trace --passthru --passthrough --mmap --no-mmap --no-config --no-require-git --path-separator= --field-context-separator=" +
		" --field-match-separator= --include-zero --line-buffered --block-buffered --binary --no-binary --no-unicode --pcre2-version --hyperlink-format= --search-zip!x --pre=!x --pre-glob=!x --hostname-bin=!x --generate="},
	{names: "du", does: reads, cwd: always, more: duMore, opts: "-0 -a -A -b -B= -c -d= -D -h -H -I= -k -l -L -m -n -P -r -S -s -t= -x -X= --all --apparent-size --block-size= --bytes --total --dereference --dereference-args --max-depth= --files0-from=!x" +
		" --human-readable --inodes --count-links --no-dereference --separate-dirs --si --summarize --threshold= --time? --time-style= --exclude-from= --exclude= --one-file-system --null"},
	{names: "df", does: reads, opts: "-a -B= -h -H -i -k -l -m -P -t= -T -x= --all --block-size= --human-readable --si --inodes --local --no-sync --output? --portability --total --type= --print-type --exclude-type="},
	{names: "stat", does: reads, opts: "-L -f -c=!t -t -x -q -r -s -F -l -n --dereference --file-system --format=!t --printf=!t --terse --cached="},
	{names: "date", does: reads, more: dateMore, opts: "-d=!t -f= -I? -R -r= -j -n -u -v=!t -s=!x --date=!t --debug --file= --iso-8601? --resolution --rfc-email --rfc-2822 --rfc-3339= --reference= --set=!x --utc --universal"},
	{names: "cut", does: reads, opts: "-b= -c= -d=!t -f= -n -s -z -w --bytes= --characters= --delimiter=!t --fields= --complement --only-delimited --output-delimiter=!t --zero-terminated"},
	{names: "tr", does: reads, text: true, opts: "-c -C -d -s -t -u --complement --delete --squeeze-repeats --truncate-set1"},
	{names: "diff", does: reads, more: diffMore, opts: "-# -a -b -B -c -C= -d -D= -e -E -f -F= -h -H -i -I= -l!x -L= -n -N -p -P -q -r -s -S= -t -T -u -U= -v -w -W= -x= -X= -y -Z --normal --brief --report-identical-files --context? --unified? --ed --rcs --side-by-side" +
		" --width= --left-column --suppress-common-lines --show-c-function --show-function-line= --label= --expand-tabs --initial-tab --tabsize= --suppress-blank-empty --paginate!x --recursive --no-dereference --new-file" +
		" --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case --exclude= --exclude-from= --starting-file= --from-file= --to-file= --ignore-case --ignore-tab-expansion --ignore-trailing-space" +
		" --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --text --strip-trailing-cr --ifdef= --minimal --horizon-lines= --speed-large-files --color? --palette="},
	{names: "cmp", does: reads, opts: "-b -i= -l -n= -s -h -x -z --print-bytes --ignore-initial= --verbose --bytes= --quiet --silent"},
	{names: "comm", does: reads, opts: "-1 -2 -3 -f -i -z --check-order --nocheck-order --output-delimiter=!t --total --zero-terminated"},
	{names: "join", does: reads, opts: "-a= -e= -i -j= -o= -t=!t -v= -1= -2= -z --ignore-case --check-order --nocheck-order --header --zero-terminated"},
	{names: "paste", does: reads, opts: "-d=!t -s -z --delimiters=!t --serial --zero-terminated"},
	{names: "nl", does: reads, opts: "-b= -d=!t -f= -h= -i= -l= -n= -p -s=!t -v= -w= --body-numbering= --section-delimiter=!t --footer-numbering= --header-numbering= --line-increment= --join-blank-lines= --number-format= --no-renumber --number-separator=!t --starting-line-number= --number-width="},
	{names: "fold", does: reads, opts: "-# -b -s -w= --bytes --spaces --width="},
	{names: "fmt", does: reads, opts: "-# -c -d= -g= -l= -m -n -p= -s -t -u -w= --crown-margin --prefix= --split-only --tagged-paragraph --uniform-spacing --width= --goal="},
	{names: "tac", does: reads, opts: "-b -r -s=!t --before --regex --separator=!t"},
	{names: "rev", does: reads, opts: ""},
	{names: "expand unexpand", does: reads, opts: "-# -a -i -t= --all --first-only --initial --tabs="},
	{names: "column", does: reads, opts: "-c= -d -e -E= -H= -J -l= -L -n= -N= -o=!t -O= -r= -R= -s=!t -S= -t -T= -W= -x --table --separator=!t --output-separator=!t --fillrows --json --output-width= --table-columns= --table-right= --table-hide= --table-name= --table-noheadings"},
	{names: "basename", does: reads, opts: "-a -s=!t -z --multiple --suffix=!t --zero"},
	{names: "dirname", does: reads, opts: "-z --zero"},
	{names: "realpath", does: reads, opts: "-e -m -L -P -q -s -z --canonicalize-existing --canonicalize-missing --logical --physical --quiet --relative-to= --relative-base= --strip --no-symlinks --zero"},
	{names: "readlink", does: reads, opts: "-f -e -m -n -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero"},
	{names: "od hd hexdump", does: reads, opts: "-A= -a -b -c -C -d -e= -f -i -j= -l -L -n= -N= -o -s= -S= -t= -v -w? -x --address-radix= --skip-bytes= --read-bytes= --strings? --format= --output-duplicates --width? --traditional --endian= --canonical --length= --skip= --no-squeezing"},
	{names: "strings", does: reads, opts: "-# -a -d -e= -f -n= -o -s= -t= -T= -w --all --data --print-file-name --bytes= --radix= --target= --encoding= --output-separator= --include-all-whitespace"},
	{names: "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum shasum cksum sum", does: reads, opts: "-a= -b -c!x -l= -o= -q -r -s -t -U -w -z -0 -1 -p --binary --check!x --tag --text --zero --ignore-missing --quiet --status --strict --warn --length= --algorithm= --untagged --raw --base64 --debug --sysv"},
	{names: "base64 base32", does: reads, opts: "-b= -d -D -i -o=!w -w= --break= --decode --ignore-garbage --input= --output=!w --wrap="},
	{names: "sort", does: reads, opts: "-b -c -C -d -f -g -h -i -k= -m -M -n -o=!w -r -R -s -S= -t=!t -T=!w -u -V -z --ignore-leading-blanks --check? --dictionary-order --ignore-case --general-numeric-sort --human-numeric-sort" +
		" --ignore-nonprinting --key= --merge --month-sort --numeric-sort --output=!w --reverse --random-sort --random-source= --stable --buffer-size= --field-separator=!t --temporary-directory=!w --unique --version-sort" +
		" --zero-terminated --batch-size= --compress-program=!x --debug --files0-from=!x --parallel= --sort= --mmap"},
	{names: "uniq", does: reads, more: secondIsOutput, opts: "-# -c -d -D -f= -i -s= -u -w= -z --count --repeated --all-repeated? --skip-fields= --group? --ignore-case --skip-chars= --unique --zero-terminated --check-chars="},
	{names: "file", does: reads, more: fileMore, opts: "-b -c -C!w -d -D -e= -E -f=!x -F=!t -h -i -I -k -l -L -m= -M= -n -N -p!w -P= -r -s -S -v -z!x -Z!x -0 --brief --checking-printout --compile!w --debug --exclude= --exclude-quiet= --extension --files-from=!x --separator=!t" +
		" --no-dereference --mime --mime-type --mime-encoding --apple --keep-going --list --dereference --magic-file= --no-buffer --no-pad --preserve-date!w --parameter= --raw --special-files --no-sandbox --uncompress!x --uncompress-noreport!x --print0"},
	{names: "less more", does: reads, more: lessMore, opts: "-# -a -A -b= -B -c -C -d -D= -e -E -f -F -g -G -h= -i -I -j= -J -k=!x -K -l -L -m -M -n -N -o=!w -O=!w -p= -P= -q -Q -r -R -s -S -t= -T= -u -U -V -w -W -x= -X -y= -z= -~ --log-file=!w --LOG-FILE=!w" +
		" --chop-long-lines --no-init --quit-if-one-screen --quit-at-eof --QUIT-AT-EOF --RAW-CONTROL-CHARS --raw-control-chars --LINE-NUMBERS --line-numbers --ignore-case --IGNORE-CASE --pattern= --prompt= --squeeze-blank-lines --quiet --silent --tabs= --window= --lesskey-file=!x --lesskey-src=!x --lesskey-content=!x"},
	{names: "seq", does: reads, text: true, free: true},
	{names: "sleep", does: reads, text: true, opts: ""},
	{names: "yes", does: reads, free: true},
	{names: "which", does: reads, opts: "-a -s --all --skip-dot --skip-tilde --show-dot --show-tilde --tty-only"},
	{names: "type", does: reads, opts: "-a -f -p -P -t"},
	{names: "uname arch nproc", does: reads, opts: "-a -s -n -r -v -m -p -i -o --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system --ignore="},
	{names: "whoami groups logname tty uptime", does: reads, opts: "-p -s --pretty --since --silent --quiet"},
	{names: "id", does: reads, opts: "-a -g -G -n -r -u -z -Z --context --group --groups --name --real --user --zero"},
	{names: "hostname", does: reads, more: anyOperandRuns, opts: "-a -A -d -f -i -I -s -y --alias --all-fqdns --all-ip-addresses --domain --fqdn --long --ip-address --short --yp --nis"},
}

// recursive is the cwd of grep: with -r it searches the directory when it names none.
func recursive(a *args) bool {
	for _, g := range a.opts {
		if (g.name == "d" || g.name == "directories") && strings.HasPrefix("recurse", g.value.text) {
			return true
		}
	}
	return a.has("r", "R", "recursive", "dereference-recursive")
}

// patternFirst takes the first operand for the pattern unless an option gave one.
func patternFirst(_ *scene, a *args) call.Effects {
	if len(a.operands) > 0 && !a.has("e", "f", "regexp", "file") {
		a.operands = a.operands[1:]
	}
	return 0
}

// dateMore: an operand that is no format sets the clock.
func dateMore(s *scene, a *args) call.Effects {
	for _, w := range a.operands {
		if !strings.HasPrefix(w.text, "+") {
			s.note("date with an operand sets the clock")
			return call.Of(call.Exec)
		}
	}
	a.operands = nil
	return 0
}

// secondIsOutput: with two operands the second is the file that is written.
func secondIsOutput(_ *scene, a *args) call.Effects {
	if len(a.operands) > 1 {
		a.source = func(i int) bool { return i != 1 }
		return writes
	}
	return 0
}

// fileMore: -C writes the compiled magic file into the working directory.
func fileMore(s *scene, a *args) call.Effects {
	if a.has("C", "compile") {
		s.writes(word{text: "magic.mgc"})
	}
	return 0
}

// lessMore: a word that begins with + is a command that less starts with, and ! and
// | in it run a shell. Only moving and searching are vouched for.
func lessMore(s *scene, a *args) call.Effects {
	var add call.Effects
	for _, w := range append(values(a), a.operands...) {
		if c, ok := strings.CutPrefix(w.text, "+"); ok && !calm(c) {
			s.note("less runs a command when it starts")
			add = add.With(call.Of(call.Exec))
		}
	}
	return add
}

// calm reports whether a start command of less only moves or searches.
func calm(c string) bool {
	c = strings.TrimPrefix(c, "+")
	if strings.ContainsAny(c, "!|\n\r") {
		return false
	}
	return strings.Trim(c, "0123456789GgFp%") == "" || c[0] == '/' || c[0] == '?'
}

func values(a *args) []word {
	var out []word
	for _, g := range a.opts {
		if g.has {
			out = append(out, g.value)
		}
	}
	return out
}

// anyOperandRuns: an operand changes something that no other effect names.
func anyOperandRuns(_ *scene, a *args) call.Effects {
	if len(a.operands) > 0 {
		return call.Of(call.Exec)
	}
	return 0
}
