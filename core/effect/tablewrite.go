package effect

import "tenet/core/call"

// writeRows are the commands that write what they name, and the clients of the
// network. Every word of theirs counts by its class.
var writeRows = []row{
	{names: "mkdir", does: writes, relinks: true, opts: "-m= -p -v -Z --mode= --parents --verbose --context?"},
	{names: "rmdir", does: writes, entry: true, relinks: true, opts: "-p -v --ignore-fail-on-non-empty --parents --verbose"},
	{names: "rm", does: writes, entry: true, relinks: true, opts: "-d -f -i -I -P -r -R -v -W -x --force --interactive? --one-file-system --no-preserve-root --preserve-root? --recursive --dir --verbose"},
	{names: "unlink", does: writes, entry: true, relinks: true, opts: ""},
	{names: "touch", does: writes, opts: "-a -A= -c -d=!t -f -h -m -r= -t=!t --no-create --date=!t --no-dereference --reference= --time="},
	{names: "cp", does: both, more: copyMore, opts: "-a -b -c -d -f -H -i -l -L -n -p -P -r -R -s -S= -t=!w -T -u -v -x -X -Z --archive --attributes-only --backup? --copy-contents --debug --force --interactive --link --dereference --no-clobber --no-dereference" +
		" --preserve? --no-preserve= --parents --recursive --reflink? --remove-destination --sparse= --strip-trailing-slashes --symbolic-link --suffix= --target-directory=!w --no-target-directory --update? --verbose --keep-directory-symlink --one-file-system --context?"},
	{names: "mv", does: both, entry: true, more: moveMore, opts: "-b -f -h -i -n -S= -t=!w -T -u -v -Z --backup? --debug --exchange --force --interactive --no-clobber --no-copy --strip-trailing-slashes --suffix= --target-directory=!w --no-target-directory --update? --verbose --context"},
	{names: "ln", does: writes, entry: true, more: linkMore, opts: "-b -d -f -F -h -i -L -n -P -r -s -S= -t=!w -T -v -w --backup? --directory --force --interactive --logical --no-dereference --physical --relative --symbolic --suffix= --target-directory=!w --no-target-directory --verbose"},
	{names: "chmod", does: writes, entry: true, more: ownerMore, opts: "-c -f -h -H -L -P -R -v -r -w -x -X -s -t -u -g -o -a --changes --quiet --silent --verbose --no-preserve-root --preserve-root --reference= --recursive"},
	{names: "chown chgrp", does: writes, entry: true, more: ownerMore, opts: "-c -f -h -H -L -P -R -v -x --changes --quiet --silent --verbose --dereference --no-dereference --from= --no-preserve-root --preserve-root --reference= --recursive"},
	{names: "tee", does: both, opts: "-a -i -p --append --ignore-interrupts --output-error?"},
	{names: "truncate", does: writes, opts: "-c -o -r= -s= --no-create --io-blocks --reference= --size="},
	{names: "mktemp", does: writes, more: tempMore, opts: "-d -q -u -t -p=!w --directory --dry-run --quiet --suffix= --tmpdir?!w"},
	{names: "split", does: both, more: splitMore, opts: "-# -a= -b= -C= -d -e -l= -n= -p=!t -t=!t -u -x --suffix-length= --additional-suffix= --bytes= --line-bytes= --numeric-suffixes? --hex-suffixes? --elide-empty-files --filter=!x --lines= --number= --separator=!t --unbuffered --verbose"},
	{names: "dd", does: both, free: true, more: ddMore},
	{names: "curl", does: net, more: curlMore, opts: "-# -0 -1 -2 -3 -4 -6 -a -A=!t -b= -B -c=!w -C= -d= -D=!w -e=!t -E= -f -F= -g -G -h? -H= -i -I -j -J!w -k -K=!wx -l -L -m= -M -n -N -o=!w -O!w -p -P= -q -Q= -r= -R -s -S -t= -T= -u=!t -U=!t -v -V -w= -x= -X=!t -y= -Y= -z= -:" +
		" --request=!t --header= --data= --data-ascii= --data-binary= --data-raw=!t --data-urlencode= --json= --url= --url-query= --form= --form-string=!t --get --head --include --location --location-trusted --silent --show-error --fail" +
		" --fail-with-body --fail-early --insecure --compressed --compressed-ssh --max-time= --connect-timeout= --max-redirs= --max-filesize= --retry= --retry-delay= --retry-max-time= --retry-all-errors --retry-connrefused --user=!t" +
		" --user-agent=!t --referer=!t --cookie= --cookie-jar=!w --config=!wx --output=!w --output-dir=!w --create-dirs!w --remote-name!w --remote-name-all!w --remote-header-name!w --remote-time --dump-header=!w --trace=!w --trace-ascii=!w" +
		" --trace-time --trace-ids --stderr=!w --hsts=!w --alt-svc=!w --etag-save=!w --etag-compare= --libcurl=!w --ssl-sessions=!w --write-out= --upload-file= --range= --continue-at= --proxy= --noproxy= --interface= --resolve= --connect-to=" +
		" --cacert= --capath= --cert= --key= --cert-type= --key-type= --pinnedpubkey= --ciphers= --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --tls-max= --http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 --ipv4 --ipv6 --verbose" +
		" --progress-bar --no-progress-meter --no-buffer --globoff --parallel --parallel-max= --parallel-immediate --rate= --limit-rate= --speed-limit= --speed-time= --keepalive-time= --no-keepalive --tcp-nodelay --unix-socket= --netrc" +
		" --netrc-optional --netrc-file= --oauth2-bearer=!t --basic --digest --anyauth --negotiate --ntlm --proto= --proto-redir=!x --proto-default=!x --path-as-is --next --disable --doh-url= --dns-servers= --request-target=!t --time-cond="},
	{names: "wget", does: net.With(writes), more: wgetMore, opts: "-4 -6 -a=!w -A=!t -b -B= -c -C= -d -D=!t -e=!x -E -F -g= -h -H -i= -I= -k -K -l= -L -m -n= -N -nc -o=!w -O=!w -p -P=!w -q -Q= -r -R=!t -S -t= -T= -U=!t -v -V -w= -x -X=" +
		" --output-document=!w --output-file=!w --append-output=!w --directory-prefix=!w --input-file= --quiet --verbose --no-verbose --continue --timeout= --tries= --wait= --user-agent=!t --header=!t --post-data=!t --post-file= --body-file= --body-data=!t" +
		" --method= --no-check-certificate --spider --recursive --level= --mirror --page-requisites --convert-links --no-parent --no-clobber --timestamping --progress= --show-progress --content-disposition --trust-server-names --max-redirect=" +
		" --limit-rate= --user=!t --password=!t --ask-password --load-cookies= --save-cookies=!w --certificate= --private-key= --ca-certificate= --server-response --no-directories --force-directories --no-host-directories --cut-dirs=" +
		" --accept=!t --reject=!t --domains=!t --retry-connrefused --inet4-only --inet6-only --execute=!x --use-askpass=!x --config=!x --warc-file=!w --delete-after --restrict-file-names= --compression= --connect-timeout= --read-timeout= --dns-timeout="},
}

// modeFirst: the first operand is a mode or an owner, unless a reference file gives it.
func modeFirst(_ *scene, a *args) call.Effects {
	if len(a.operands) > 0 && !a.has("reference") {
		a.operands = a.operands[1:]
	}
	return 0
}

// tempMore: without a template or with -t or -p the file lands in the directory for
// temporary files.
func tempMore(_ *scene, a *args) call.Effects {
	if len(a.operands) == 0 || a.has("t", "tmpdir") {
		return call.Of(call.Outside)
	}
	return 0
}

// ddMore: operands are name=value; if and of name files.
func ddMore(_ *scene, a *args) call.Effects {
	written := make([]bool, len(a.operands))
	for i, w := range a.operands {
		name, value, _ := w.cut("=")
		a.operands[i], written[i] = value, name.text == "of"
	}
	a.source = func(i int) bool { return !written[i] }
	return 0
}
