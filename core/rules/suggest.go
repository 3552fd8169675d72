package rules

import (
	"strings"

	"tenet/core/call"
)

// interpreters run code that stands in their words or in their input: no pattern over
// them says what they do.
var interpreters = strings.Fields("sh bash dash ash zsh ksh mksh fish csh tcsh busybox toybox python python2 python3 pypy pypy3 ipython node nodejs deno bun perl ruby php lua luajit tclsh osascript Rscript awk gawk mawk nawk sqlite3 psql mysql ssh sudo doas su env xargs parallel watch eval source . trap exec")

// Suggest is the patterns that may be offered as a standing allow for a command, most
// specific first; each matches the command. It is none for what is not plain.
func Suggest(place Place, c call.Command) []string {
	if !plain(place, c) {
		return nil
	}
	return exactly(c.Text())
}
