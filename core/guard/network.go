package guard

import (
	"strings"

	"tenet/core/call"
)

// network judges each command at its command position; the word curl in another
// place is a word.
func (v *view) network() (why, next string) {
	if v.p.Network != DenyAll {
		return "", ""
	}
	allowed := false
	why, next = v.each(func(l line) (string, string) {
		what, ok := l.talks()
		allowed = allowed || what != "" && ok
		if what == "" || ok {
			return "", ""
		}
		return what + ", and the network is denied here", v.offline()
	})
	if why == "" && !allowed && v.step.Effects.Has(call.Net) {
		return v.tool + " talks to the network, and the network is denied here", v.offline()
	}
	return why, next
}

func (v *view) offline() string {
	if len(v.p.Hosts) == 0 {
		return "Work with what is on the disk, or ask the user to allow the host."
	}
	return "Write out the address of an allowed host (" + strings.Join(v.p.Hosts, ", ") + "), or work with what is on the disk."
}

// talks says how a command talks to the network, empty when it does not; ok is true
// when every host it names may be reached.
func (l line) talks() (what string, ok bool) {
	for _, w := range l.c.Outs {
		if device(w.Text) {
			return "the redirection to " + plain(w) + " opens a connection", false
		}
	}
	for _, w := range l.c.Words {
		if device(w.Text) {
			return plain(w) + " opens a connection", false
		}
	}
	name, args := l.name(), l.args()
	if module, ok := pythonModule(name, args); ok {
		name, args = module, args[2:]
	}
	switch addresses, known := talkers[name]; {
	case known:
		hosts, talking := addresses(l)
		if !talking {
			return "", true
		}
		return name + " talks to the network", l.p.reach(hosts)
	case offline.has(name):
		return name + " talks to the network", false
	}
	if verb := talkingVerb(subTalkers[name], args); verb != "" {
		return name + " " + verb + " talks to the network", false
	}
	return "", true
}

// pythonModule is the program that python -m NAME stands for.
func pythonModule(name string, args []call.Word) (module string, ok bool) {
	if !strings.HasPrefix(name, "python") || len(args) < 2 || plain(args[0]) != "-m" {
		return "", false
	}
	return plain(args[1]), true
}

// talkingVerb is the first of two operands that is one of the subcommands: an option
// that nobody knows may have taken the first one.
func talkingVerb(subs list, args []call.Word) string {
	seen := 0
	for _, w := range args {
		if t := plain(w); subs.has(t) {
			return t
		} else if !strings.HasPrefix(t, "-") {
			if seen++; seen == 2 {
				break
			}
		}
	}
	return ""
}

// device: bash opens a connection for a redirection to such a name.
func device(t string) bool {
	return strings.HasPrefix(t, "/dev/tcp/") || strings.HasPrefix(t, "/dev/udp/")
}

// offline are the programs that do nothing without the network, and whose addresses
// are not read.
const offline list = "npx bunx uvx http.server nc ncat netcat socat ftp lftp telnet ping ping6 dig nslookup host drill whois traceroute tracepath mtr nmap masscan tftp mosh aria2c axel http https httpie xh curlie lynx w3m links elinks rclone s3cmd gsutil aws gcloud az gh glab doctl heroku vercel netlify fly flyctl rdesktop xfreerdp smbclient sshfs sshuttle autossh ssh-copy-id ssh-keyscan openvpn wg-quick tor torsocks proxychains proxychains4 youtube-dl yt-dlp wscat websocat grpcurl mosquitto_pub mosquitto_sub mail mailx sendmail msmtp mutt ntpdate speedtest cloudflared ngrok tailscale"

// talkers are the programs whose addresses are read.
var talkers = map[string]func(line) (hosts []string, talking bool){
	"curl": curlHosts, "wget": wgetHosts, "git": gitHosts,
	"ssh": sshHosts, "scp": copyHosts, "sftp": copyHosts, "rsync": rsyncHosts,
}

// subTalkers are programs that talk to the network for some of their subcommands.
var subTalkers = map[string]list{
	"npm": "install i add ci update up upgrade publish login whoami view info search outdated audit exec x create init", "pnpm": "install i add update up publish dlx exec create outdated audit fetch",
	"yarn": "install add upgrade up publish dlx create outdated audit", "bun": "install i add update x create",
	"pip": "install download search index wheel", "pip3": "install download search index wheel", "uv": "pip sync add lock tool run publish python", "pipx": "install run upgrade inject", "poetry": "install add update publish lock",
	"cargo": "install fetch add update publish search login generate-lockfile", "go": "get install mod", "gem": "install update push search fetch", "bundle": "install update", "composer": "install update require global",
	"brew": "install upgrade update fetch tap search", "apt": "install update upgrade download search full-upgrade", "apt-get": "install update upgrade download dist-upgrade source", "dnf": "install update upgrade makecache search", "yum": "install update upgrade search", "apk": "add update upgrade fetch", "pacman": "-S -Sy -Syu",
	"docker": "pull push login search run build buildx compose", "podman": "pull push login search run build compose", "helm": "pull push repo install upgrade dependency",
	"openssl": "s_client s_time ocsp", "busybox": "wget nc telnet ftpget ftpput ping nslookup tftp",
}

// cannotVouch: a program that is named only when it runs may be any, and so may what
// a shell is fed.
func (v *view) cannotVouch() (why, next string) {
	if v.p.Network != DenyAll {
		return "", ""
	}
	return v.each(func(l line) (string, string) {
		switch {
		case len(l.c.Words) > 0 && !l.c.Words[0].Known():
			return "cannot vouch for it: the program is named only when it runs, and the network is denied here", "Write the program's name out."
		case l.c.Fed != "" && shells.has(l.name()):
			return "cannot vouch for it: " + l.name() + " runs what " + l.c.Fed + " writes, and the network is denied here", "Write the commands out instead of piping them into a shell."
		}
		return "", ""
	})
}

const shells list = "sh bash dash ash zsh ksh mksh fish"
