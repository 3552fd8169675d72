package guard

import (
	"strings"

	"tenet/core/call"
)

// reach reports whether every address may be reached. No address at all, and one that
// cannot be read, may not.
func (p *Policy) reach(hosts []string) bool {
	if len(p.Hosts) == 0 || len(hosts) == 0 {
		return false
	}
	for _, h := range hosts {
		if !p.reaches(h) {
			return false
		}
	}
	return true
}

func (p *Policy) reaches(hostport string) bool {
	host, port := splitPort(hostport)
	for _, allow := range p.Hosts {
		name, only := splitPort(strings.ToLower(allow))
		if only != "" && only != port {
			continue
		}
		under, wild := strings.CutPrefix(name, "*.")
		if host == name || wild && strings.HasSuffix(host, "."+under) {
			return true
		}
	}
	return false
}

func splitPort(hostport string) (host, port string) {
	if i := strings.LastIndexByte(hostport, ':'); i >= 0 && strings.IndexByte(hostport, ']') < i && strings.Count(hostport[:i], ":") == strings.Count(hostport[:strings.IndexByte(hostport, ']')+1], ":") {
		return strings.TrimSuffix(hostport[:i], "."), hostport[i+1:]
	}
	return strings.TrimSuffix(hostport, "."), ""
}

// unreadable stands for an address that nobody can read; no list of hosts has it.
const unreadable = "?"

// urlHost is the host, with the port when one is written, of a URL or of a host alone.
// What two programs read in two ways is unreadable: backslashes, blanks, brackets of
// curl's own, an unknown part.
func urlHost(w call.Word) string {
	t := strings.ToLower(w.Text)
	if !w.Known() || w.Pattern || strings.ContainsAny(t, "\\ \t\r\n{}'\"") {
		return unreadable
	}
	scheme, rest, ok := strings.Cut(t, "://")
	if !ok {
		rest = t
	} else if scheme == "" || strings.ContainsAny(scheme, "/?#@:") {
		return unreadable
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	if strings.Count(rest, "@") > 1 {
		return unreadable
	}
	if _, host, ok := strings.Cut(rest, "@"); ok {
		rest = host
	}
	if rest == "" || rest[0] == '-' {
		return unreadable
	}
	return withPort(scheme, rest, ok)
}

// withPort adds the port that a scheme stands for, so that "host:443" lets https in.
func withPort(scheme, host string, hasScheme bool) string {
	if _, port := splitPort(host); port != "" || !hasScheme {
		return host
	}
	if port := schemePorts[scheme]; port != "" {
		return host + ":" + port
	}
	return host
}

var schemePorts = map[string]string{"https": "443", "http": "80", "ssh": "22", "git+ssh": "22", "git": "9418", "ftp": "21"}

// scpHost is the host of user@host:path; ok is false for a local path.
func scpHost(w call.Word) (host string, ok bool) {
	t := plain(w)
	if strings.Contains(t, "://") {
		return urlHost(w), true
	}
	i := strings.IndexByte(t, ':')
	if i < 0 || strings.Contains(t[:i], "/") {
		return "", !w.Known() && !strings.HasPrefix(w.Text, "/") && !strings.HasPrefix(w.Text, ".")
	}
	host = t[strings.IndexByte(t[:i], '@')+1 : i]
	if !w.Known() || host == "" {
		return unreadable, true
	}
	return strings.ToLower(host), true
}

// remote reports whether a word is a place on another machine.
func remote(t string) bool {
	_, ok := scpHost(call.Word{Text: t})
	return ok
}

var curlGrammar = grammar{letters: "AbcCdDeEFHKmoPQrtTuUwxXyYzh", longs: "url user-agent cookie cookie-jar data data-raw data-binary data-urlencode data-ascii json dump-header referer cert key cacert capath form form-string header max-time connect-timeout output output-dir quote range upload-file user write-out request retry retry-delay retry-max-time max-redirs max-filesize limit-rate ciphers tls-max cert-type key-type pass interface keepalive-time oauth2-bearer aws-sigv4 time-cond continue-at stderr trace trace-ascii"}

// curlFlags are the long options that take nothing and name no host. Any other long
// option may take a value that is one, so that nobody can tell the addresses.
const curlFlags list = "silent show-error fail fail-with-body fail-early location head include verbose compressed get remote-name remote-name-all remote-time remote-header-name globoff no-buffer progress-bar no-progress-meter http1.0 http1.1 http2 http3 ipv4 ipv6 insecure create-dirs ssl ssl-reqd tlsv1 tlsv1.1 tlsv1.2 tlsv1.3 retry-connrefused retry-all-errors parallel raw path-as-is no-keepalive no-sessionid basic digest anyauth netrc netrc-optional compressed-ssh disable append list-only tcp-nodelay tcp-fastopen styled-output no-styled-output version help manual"

func curlHosts(l line) (hosts []string, talking bool) {
	p := curlGrammar.parse(l.args())
	if len(l.args()) == 1 && p.has("V", "version", "help", "manual") {
		return nil, false
	}
	if strings.ContainsAny(p.letters, "xK") || !knownLongs(p, curlGrammar, curlFlags) {
		return nil, true
	}
	for _, w := range p.operands() {
		hosts = append(hosts, urlHost(w))
	}
	for _, o := range p.longs {
		if o.name == "url" {
			hosts = append(hosts, urlHost(call.Word{Text: o.value}))
		}
	}
	return hosts, true
}

// knownLongs reports whether each long option is one of the lists, written whole.
func knownLongs(p parsed, g grammar, flags list) bool {
	for _, o := range p.longs {
		if !flags.has(o.name) && !g.takes(o.name) {
			return false
		}
	}
	return true
}

var wgetGrammar = grammar{letters: "oatOTwQPUlARDIBX", longs: "output-file append-output tries output-document timeout dns-timeout connect-timeout read-timeout wait waitretry quota directory-prefix user-agent header post-data method body-data level accept reject max-redirect limit-rate user password referer"}

const wgetFlags list = "quiet verbose no-verbose no-check-certificate continue timestamping server-response spider recursive no-parent mirror page-requisites convert-links no-clobber content-disposition inet4-only inet6-only show-progress https-only no-directories force-directories no-host-directories trust-server-names version help"

func wgetHosts(l line) (hosts []string, talking bool) {
	p := wgetGrammar.parse(l.args())
	if strings.ContainsAny(p.letters, "eiBH") || !knownLongs(p, wgetGrammar, wgetFlags) {
		return nil, true
	}
	for _, w := range p.operands() {
		hosts = append(hosts, urlHost(w))
	}
	return hosts, true
}

var sshGrammar = grammar{letters: "BbcDEeFIiJLlmOopPQRSWw"}

// sshHosts: the host, unless an option leads through another one. Words behind the
// host are options until the first that is none begins the command.
func sshHosts(l line) (hosts []string, talking bool) {
	p, rest := sshGrammar.leading(l.args())
	if len(rest) == 0 {
		return nil, !p.has("VQG")
	}
	more, _ := sshGrammar.leading(rest[1:])
	if ssh := p.letters + more.letters; strings.ContainsAny(ssh, "JoFWLRDw") {
		return nil, true
	}
	w := rest[0]
	switch host := plain(w); {
	case strings.Contains(host, "://"):
		return []string{urlHost(w)}, true
	case !w.Known():
		return nil, true
	default:
		return []string{strings.ToLower(host[strings.LastIndexByte(host, '@')+1:])}, true
	}
}

// copyHosts: scp and sftp, whose remote operands are host:path.
func copyHosts(l line) (hosts []string, talking bool) {
	p := sshGrammar.parse(l.args())
	if p.has("JoFS") {
		return nil, true
	}
	for i, w := range p.operands() {
		host, far := scpHost(w)
		if !far && l.name() == "sftp" && i == 0 {
			host, far = strings.ToLower(plain(w)[strings.LastIndexByte(plain(w), '@')+1:]), true
		}
		if far {
			hosts = append(hosts, host)
		}
	}
	return hosts, true
}

// rsyncHosts: without a remote operand rsync copies files here.
func rsyncHosts(l line) (hosts []string, talking bool) {
	p := grammar{letters: "eBTfM", longs: "rsh exclude include filter files-from exclude-from include-from"}.parse(l.args())
	for _, w := range p.operands() {
		if host, far := scpHost(w); far {
			hosts = append(hosts, host)
		}
	}
	if p.has("e", "rsh") && len(hosts) > 0 {
		return nil, true
	}
	return hosts, len(hosts) > 0
}

// gitHosts: the addresses that a command of git names. A remote's name stands for an
// address in the repository's settings, which nobody reads here.
func gitHosts(l line) (hosts []string, talking bool) {
	g, ok := asGit(l)
	if !ok {
		return nil, false
	}
	p := gitNetGrammar(g.sub).parse(g.args)
	switch g.sub {
	case "clone", "fetch", "pull", "push", "ls-remote", "fetch-pack", "send-pack":
	case "remote":
		return nil, among(p.word(0), "show", "update", "prune", "set-head")
	case "submodule":
		return nil, among(p.word(0), "update", "add")
	case "archive":
		_, far := p.long("remote")
		return nil, far
	case "lfs":
		return nil, among(p.word(0), "fetch", "pull", "push", "clone")
	case "svn", "p4", "send-email", "imap-send", "http-fetch", "http-push", "request-pull":
		return nil, true
	default:
		return nil, false
	}
	if g.sub == "clone" && p.has("uc") || len(p.operands()) == 0 || p.has("", "upload-pack", "receive-pack", "exec", "repo", "all", "multiple", "recurse-submodules", "config") || len(g.config) > 0 {
		return nil, true
	}
	return gitAddress(l, p.operands()[0])
}

func gitNetGrammar(sub string) grammar {
	longs := "branch origin depth upload-pack receive-pack exec reference template config shallow-since shallow-exclude jobs filter server-option push-option repo"
	if sub == "clone" {
		return grammar{letters: "bocju", longs: longs}
	}
	return grammar{letters: "oj", longs: longs}
}

func gitAddress(l line, w call.Word) (hosts []string, talking bool) {
	t := plain(w)
	if strings.HasPrefix(t, "/") || strings.HasPrefix(t, ".") || strings.HasPrefix(t, "file://") {
		return nil, false
	}
	if host, far := scpHost(w); far && !strings.Contains(t, "::") {
		return []string{host}, true
	}
	return nil, true
}
