package status

import (
	"fmt"
	"strings"
	"time"

	"tenet/core/call"
)

// spinner is drawn only while a turn runs: one sign, one meaning.
var spinner = []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

// Beat is how long one picture of the spinner stands.
const Beat = 120 * time.Millisecond

// Spin is the spinner's picture at a time; with still it does not move.
func Spin(now time.Time, still bool) string {
	if still {
		return "*"
	}
	return string(spinner[int(now.UnixMilli()/Beat.Milliseconds())%len(spinner)])
}

// Does is what the session does, in words, with the seconds that tell whether it is alive.
func (a *Activity) Does(now time.Time) string {
	switch a.Phase {
	case Idle:
		return "ready"
	case Preparing:
		return "preparing " + age(now, a.Since)
	case Queued:
		return because("queued by the provider "+age(now, a.Since), a.Cause)
	case Waiting:
		return "waiting for the first byte " + age(now, a.Since)
	case Thinking:
		return "thinking " + age(now, a.Since) + a.silence(now)
	case Streaming:
		return "writing " + age(now, a.Since) + a.silence(now)
	case Retrying:
		return because(a.retry(now), a.Cause)
	case Polling:
		return "the answer comes later" + until(now, a.Until, ", asked for again in ")
	case Judging:
		return "judging " + a.of()
	case Asking:
		return "waiting for you " + age(now, a.Since)
	case Running:
		return "running " + a.of() + " " + age(now, a.Since) + a.silence(now)
	case Stopping:
		return "stopping " + age(now, a.Since)
	}
	return ""
}

func (a *Activity) retry(now time.Time) string {
	n := ""
	if a.Try > 0 {
		n = fmt.Sprintf(" %d of %d", a.Try, a.Tries)
	}
	return "retry" + n + until(now, a.Until, " in ")
}

// of names the call: its tool and what a person knows it by.
func (a *Activity) of() string {
	if a.Tool == "" {
		return "a call"
	}
	if a.What == "" {
		return call.OneLine(a.Tool, 40)
	}
	return call.OneLine(a.Tool, 40) + " `" + call.OneLine(a.What, 60) + "`"
}

// silence is how long nothing came, once that is long enough to be worth a word.
func (a *Activity) silence(now time.Time) string {
	if a.Heard.IsZero() || now.Sub(a.Heard) < 3*time.Second {
		return ""
	}
	return ", silent " + age(now, a.Heard)
}

func because(what, why string) string {
	if why == "" {
		return what
	}
	return what + ": " + call.OneLine(why, 120)
}

func until(now, then time.Time, words string) string {
	if then.IsZero() {
		return ""
	}
	return words + seconds(max(0, then.Sub(now)))
}

func age(now, since time.Time) string { return seconds(max(0, now.Sub(since))) }

func seconds(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d m %02d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d h %02d m", int(d.Hours()), int(d.Minutes())%60)
}

// Facts are what the session stands at, in the order in which a narrow line keeps them.
type Facts struct {
	Profile, Model string
	// Window is the model's context in tokens, 0 when it is not known; Cost is in dollars,
	// negative when it is not known.
	Window int
	Cost   float64
	// Unseen counts the lines that came below what is shown.
	Unseen int
	// Quiet is a word about the interface: the mouse, a search.
	Quiet string
}

// Parts are the words of the right side, the most wanted first.
func (a *Activity) Parts(f Facts) []string {
	var out []string
	if f.Unseen > 0 {
		out = append(out, fmt.Sprintf("↓ %d new", f.Unseen))
	}
	if a.Queue > 0 {
		out = append(out, fmt.Sprintf("queue %d", a.Queue))
	}
	if a.Jobs > 0 {
		out = append(out, fmt.Sprintf("jobs %d", a.Jobs))
	}
	if a.Context > 0 && f.Window > 0 {
		out = append(out, fmt.Sprintf("context %d%%", min(999, (a.Context*100+f.Window/2)/f.Window)))
	}
	out = append(out, f.Profile, call.OneLine(f.Model, 30))
	if t := a.Input + a.Output; t > 0 {
		out = append(out, Tokens(t)+" tokens")
	}
	if f.Cost >= 0 {
		out = append(out, fmt.Sprintf("$%.2f", f.Cost))
	}
	return append(out, f.Quiet)
}

// Tokens is a number of tokens in few letters.
func Tokens(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 100_000:
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	case n < 1_000_000:
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprintf("%.1fM", float64(n)/1e6)
}

// Fit joins as many of the parts as the width has room for, the first ones first.
func Fit(parts []string, width int, cells func(string) int) string {
	var out []string
	used := 0
	for _, p := range parts {
		need := cells(p)
		if len(out) > 0 {
			need += 3
		}
		if p == "" || used+need > width {
			continue
		}
		out, used = append(out, p), used+need
	}
	return strings.Join(out, " · ")
}
