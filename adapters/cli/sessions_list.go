package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"tenet/adapters/store"
	"tenet/core/call"
	"tenet/core/event"
)

// listed is one session as 'tenet sessions list' shows it, and its JSON.
type listed struct {
	Session   string `json:"session"`
	Name      string `json:"name,omitempty"`
	Workspace string `json:"workspace,omitempty"`
	Model     string `json:"model,omitempty"`
	// State is new, running, open question, interrupted, answered, failed or stopped.
	State string `json:"state"`
	Turns int    `json:"turns"`
	// Records is how many records stand, Bytes how long the log is.
	Records uint64 `json:"records"`
	Bytes   int64  `json:"bytes"`
	Began   string `json:"began,omitempty"`
	Used    string `json:"used"`
	Prompt  string `json:"prompt,omitempty"`
	// Holder is the process that holds it, 0 without one.
	Holder int `json:"holder,omitempty"`
	// Origin is the session it was forked from.
	Origin string `json:"forked_from,omitempty"`
	// Flaw is what is wrong with the log, empty when nothing is.
	Flaw string `json:"flaw,omitempty"`
	Log  string `json:"log"`
	used time.Time
}

// ListSessions prints the sessions of a project, or all of them, the newest first. A log
// that is damaged is one of them.
func ListSessions(o SessionsOptions) error {
	project := ""
	if !o.All {
		var err error
		if project, err = Workspace(o.Dir); err != nil {
			return err
		}
	}
	infos, dir, err := sessions()
	if err != nil {
		return err
	}
	out, elsewhere := listedOf(infos, project)
	if o.JSON {
		for _, l := range out {
			if err := writeLine(o.Out, l); err != nil {
				return err
			}
		}
		return nil
	}
	return o.table(out, elsewhere, project, dir)
}

// listedOf are the sessions of a project, or all of them without one, and how many others
// there are. Of those nothing more is read than where they work; one whose first record
// cannot be read may be of any project.
func listedOf(infos []store.Info, project string) (out []listed, elsewhere int) {
	for _, i := range infos {
		if project != "" && i.Workspace != "" && !sameDir(i.Workspace, project) {
			elsewhere++
			continue
		}
		if l := look(i); project == "" || l.Workspace != "" || l.Flaw != "" {
			out = append(out, l)
			continue
		}
		elsewhere++
	}
	return out, elsewhere
}

// sameDir: a project is its directory, never a name made of its path, so that /a/b_c and
// /a/b-c are two.
func sameDir(a, b string) bool {
	if a == b {
		return true
	}
	one, err1 := os.Stat(a)
	other, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(one, other)
}

// look reads what a list shows of a session.
func look(i store.Info) listed {
	l := listed{Session: i.ID, Began: i.Began, Bytes: i.Size, Used: i.Used.UTC().Format(time.RFC3339), Prompt: i.Prompt, Log: i.Path, used: i.Used}
	s, r, err := store.State(i.Path)
	if err != nil {
		l.State, l.Flaw = event.IsNew.String(), err.Error()
		return l
	}
	l.Name, l.Workspace, l.Model, l.Turns, l.Records = nameIn(s), s.Opening.Workspace, modelIn(s), s.Turns, r.Records
	l.State, l.Flaw = s.Standing(r.Holder != nil).String(), flawOf(r)
	if r.Holder != nil {
		l.Holder = r.Holder.PID
	}
	if s.Forked != nil {
		l.Origin = s.Forked.From
	}
	return l
}

// flawOf is what is wrong with a log in one line, empty when nothing is.
func flawOf(r store.Report) string {
	switch {
	case r.Tail == event.Broken:
		return fmt.Sprintf("broken at record %d: %v", r.Records+1, r.Flaw)
	case r.Unreadable != nil:
		return r.Unreadable.Error()
	case r.Tail == event.Torn && r.Holder == nil:
		return fmt.Sprintf("its last %d bytes are an unfinished record; the next start cuts them off and keeps them", r.Behind)
	case len(r.Disorders) > 0:
		return fmt.Sprintf("%d records contradict earlier ones, the first: %v", len(r.Disorders), r.Disorders[0])
	}
	return ""
}

func (o SessionsOptions) table(all []listed, elsewhere int, project, dir string) error {
	var b strings.Builder
	if len(all) == 0 && project != "" {
		fmt.Fprintf(&b, "no session of %s yet\n", call.OneLine(project, 400))
	} else if len(all) == 0 {
		fmt.Fprintf(&b, "no session in %s yet; tenet demo makes one\n", call.OneLine(dir, 400))
	}
	for _, l := range all {
		fmt.Fprintf(&b, "%s  %-8s  %-13s  %s  %s\n", l.Session, age(o.Now.Sub(l.used)), l.State, plural(l.Turns, "turn"), call.OneLine(title(l), 80))
		if l.Flaw != "" {
			fmt.Fprintf(&b, "    ! %s\n", call.OneLine(l.Flaw, 300))
		}
		if project == "" {
			fmt.Fprintf(&b, "    in %s\n", call.OneLine(cmp.Or(l.Workspace, "an unknown project"), 300))
		}
	}
	if elsewhere > 0 {
		fmt.Fprintf(&b, "%s of other projects: tenet sessions list --all\n", plural(elsewhere, "session"))
	}
	_, err := fmt.Fprint(o.Out, b.String())
	return err
}

// title is what a person knows a session by.
func title(l listed) string {
	first, _, _ := strings.Cut(strings.TrimSpace(l.Prompt), "\n")
	if l.Name != "" {
		return l.Name + ": " + first
	}
	return cmp.Or(first, "(no prompt)")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// age is a time that passed in one unit.
func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// settingIn is the text that a session's own setting has, empty without one or when it
// is no text.
func settingIn(s event.State, key string) string {
	var text string
	if json.Unmarshal(s.Settings[key], &text) != nil {
		return ""
	}
	return text
}
