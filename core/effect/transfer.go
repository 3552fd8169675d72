package effect

import (
	"strings"

	"tenet/core/call"
)

// curlMore judges the URLs, the values that carry a path behind a sign, and the
// files that an option writes or reads without naming them.
func curlMore(s *scene, a *args) call.Effects {
	var add call.Effects
	for _, g := range a.opts {
		add = add.With(curlOption(s, a, g))
		if g.has && !g.text {
			s.mute = g.adds.Has(call.Write)
			s.loose([]word{g.value})
			s.mute = false
		}
	}
	add = add.With(curlOutputs(s, a))
	a.operands = remotes(s, a.operands)
	return add
}

// curlOption judges one option whose value is more than a path.
func curlOption(s *scene, a *args, g given) call.Effects {
	v := g.value.text
	switch g.name {
	case "K", "config":
		s.note("a curl config file may name any option and any file")
		return call.Of(call.Outside)
	case "w", "write-out":
		if strings.Contains(v, "%output{") || strings.HasPrefix(v, "@") {
			return call.Of(call.Write, call.Outside)
		}
	case "F", "form":
		return curlForm(s, g.value)
	case "T", "upload-file":
		if strings.ContainsAny(v, "[]{}") && !a.has("g", "globoff") {
			s.note("curl makes names of %q by itself", cited(v))
			return call.Of(call.Exec)
		}
	case "o", "output":
		if strings.Contains(v, "#") {
			s.note("curl makes the name it writes of %q by itself", cited(v))
			return call.Of(call.Exec)
		}
	case "url":
		if strings.HasPrefix(v, "@") {
			s.note("curl reads what it fetches from a file")
			return call.Of(call.Exec)
		}
	case "J", "remote-header-name":
		s.note("the server chooses the name that curl writes")
		return call.Of(call.Outside)
	case "n", "netrc", "netrc-optional":
		s.home(".netrc")
	}
	return 0
}

// curlForm judges a form field: @ and < name files, quotes may stand around each.
func curlForm(s *scene, w word) call.Effects {
	plain := strings.NewReplacer(`"`, "", "<", "@", ";", ",").Replace(w.text)
	s.loose([]word{{text: plain, sure: w.sure}})
	if strings.Contains(w.text, `\`) {
		s.note("a form field has an escape that may hide a name")
		return call.Of(call.Exec)
	}
	return 0
}

// curlOutputs judges the files that are written in the output directory: those of -o,
// and for -O the last name of each URL.
func curlOutputs(s *scene, a *args) call.Effects {
	s.relinks = s.relinks || a.has("create-dirs")
	var add call.Effects
	var names []word
	dirs := []word{{text: "."}}
	urls := append([]word(nil), a.operands...)
	for _, g := range a.opts {
		switch g.name {
		case "o", "output":
			names = append(names, g.value)
		case "output-dir":
			dirs = append(dirs, g.value)
		case "url":
			urls = append(urls, g.value)
		}
	}
	if a.has("O", "remote-name", "remote-name-all") {
		for _, u := range urls {
			if strings.ContainsAny(u.text, "[]{}") && !a.has("g", "globoff") || u.sure != exact {
				s.note("the name that curl writes is known only when it runs")
				add = add.With(call.Of(call.Outside))
			}
			names = append(names, remoteName(u))
		}
	}
	for _, d := range dirs {
		for _, n := range names {
			if d.text != "." || !strings.HasPrefix(n.text, "/") {
				s.writes(under(d, n))
			}
		}
	}
	return add
}

// remoteName is the name that a URL's last part gives a file.
func remoteName(u word) word {
	t, _, _ := strings.Cut(u.text, "#")
	t, _, _ = strings.Cut(t, "?")
	if _, rest, ok := strings.Cut(t, "://"); ok {
		t = rest
	}
	if !strings.Contains(t, "/") {
		return word{text: "index.html", sure: u.sure}
	}
	t = strings.TrimRight(t, "/")
	return word{text: t[strings.LastIndexByte(t, '/')+1:], sure: u.sure}
}

// wgetMore: without -O each URL's last name, or that name with a number, lands in the
// directory of -P. What is fetched besides the URLs is named by the server.
func wgetMore(s *scene, a *args) call.Effects {
	s.relinks = true // a link on an FTP server becomes one here
	urls := a.operands
	a.operands = remotes(s, a.operands)
	var add call.Effects
	if a.has("i", "input-file", "r", "recursive", "m", "mirror", "p", "page-requisites", "x", "force-directories", "content-disposition", "trust-server-names") {
		s.note("the names that wget writes are known only when it runs")
		add = call.Of(call.Outside)
	}
	if a.has("O", "output-document") {
		return add
	}
	dir := word{text: "."}
	for _, g := range a.opts {
		if (g.name == "P" || g.name == "directory-prefix") && g.has {
			dir = g.value
		}
	}
	for _, u := range urls {
		s.writes(under(dir, word{text: remoteName(u).text, sure: u.sure}))
		s.writes(numbered(dir, u))
	}
	if len(urls) == 0 {
		s.writes(under(dir, word{text: "index.html"}))
	}
	return add
}

// numbered is every name that begins as the URL's last part does: .1, .2, or a query.
func numbered(dir, u word) word {
	w := under(dir, word{text: remoteName(u).text, sure: u.sure})
	if w.sure == unknown {
		return w
	}
	return word{text: escaped(w) + "*", sure: pattern}
}

// remotes judges operands that are URLs: only one of a file names a path here, and
// an operand without a scheme is a host.
func remotes(s *scene, operands []word) []word {
	for _, w := range operands {
		if path, _ := w.url(); path.text != "" {
			s.names(path)
		}
		if strings.HasPrefix(w.text, "@") {
			s.exec("%q may be a file of URLs", cited(w.text))
		}
	}
	return nil
}
