package tui

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"tenet/adapters/approvals"
	"tenet/adapters/cli"
	"tenet/adapters/host"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/tui/status"
)

// lines is the interface without a screen: everything is a line that stays, so that a screen
// reader reads it once and a slow line carries it once. Nothing moves and nothing is erased.
type lines struct {
	ctx  context.Context
	out  io.Writer
	host *host.Host
	show *cli.Transcript
	work work

	activity status.Activity
	asked    []approvals.Approval
	inquired []event.Inquiry
	shown    string // the question that was read out last
	closed   bool   // the input has ended
	last     string // the call that was made last
	o        Options
}

// maxLine bounds one typed line.
const maxLine = 1 << 20

const plainHelp = `A line is a message: it begins a turn, or steers the one that runs.
  !COMMAND            run a command of your own, through the gate
  /queue MESSAGE      a message for after the turn      /take   take the last one back
  /stop               interrupt the turn                /continue  go on with one that a crash left open
  /why [CALL]         explain a verdict                 /audit  judge every call again
  /diff               what this session changed         /undo PATH  take the last change back; /redo PATH  put it back
  /jobs               what runs beside the turn         /kill JOB  stop one
  /permissions        the rules                         /context   what fills the model's context
  /rename NAME        name the session                  /export [markdown | json]
  /help               this                              /quit`

// plain shows a session as lines until the input or the session ends.
func plain(ctx context.Context, o Options) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	h, err := host.Open(ctx, o.Host)
	var missing *host.NoModel
	if errors.As(err, &missing) {
		return cli.Usage("%s", missing.Text)
	}
	if err != nil {
		return err
	}
	l := &lines{ctx: ctx, out: o.Out, host: h, show: cli.NewTranscript(o.Out), o: o}
	for _, said := range h.Info().Said {
		l.say("note: " + call.OneLine(said, 1000))
	}
	l.say("/help lists what there is.")
	err = l.follow(ctx)
	if cerr := h.Close(); err == nil {
		err = cerr
	}
	return interrupted(ctx, err)
}

// follow reads what happens and what is typed, in the order in which they come.
func (l *lines) follow(ctx context.Context) error {
	feed := l.host.Feed(0)
	defer feed.Close()
	happened, typed := make(chan []host.Event), make(chan string)
	ended := make(chan error, 1)
	go func() { ended <- pump(ctx, feed, happened) }()
	go read(ctx, l.o.In, typed)
	for !l.over() {
		select {
		case events := <-happened:
			for _, e := range events {
				l.event(e)
			}
			l.pose()
		case text, ok := <-typed:
			if ok && l.line(text) {
				return nil
			}
			if !ok {
				typed, l.closed = nil, true
			}
		case err := <-ended:
			if errors.Is(err, host.ErrClosed) || ctx.Err() != nil {
				return nil
			}
			return err
		}
	}
	return nil
}

// over: when nobody can type any more, what was begun ends, and a question has nobody.
func (l *lines) over() bool {
	if !l.closed {
		return false
	}
	return len(l.asked)+len(l.inquired) > 0 || !l.activity.Busy() && !l.host.Running() && len(l.host.State().Queue) == 0
}

func pump(ctx context.Context, feed *host.Feed, to chan<- []host.Event) error {
	for {
		events, err := feed.Next(ctx)
		if err != nil {
			return err
		}
		select {
		case to <- events:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// read hands each line on. A blocked read of a terminal cannot be stopped: it ends with the
// process.
func read(ctx context.Context, in io.Reader, to chan<- string) {
	defer close(to)
	s := bufio.NewScanner(in)
	s.Buffer(nil, maxLine)
	for s.Scan() {
		select {
		case to <- s.Text():
		case <-ctx.Done():
			return
		}
	}
}

func (l *lines) say(text string) { fmt.Fprintln(l.out, text) }

func (l *lines) event(e host.Event) {
	switch {
	case e.Record != nil:
		l.record(*e.Record)
	case e.Live != nil:
		before := l.activity.Phase
		l.activity.Live(*e.Live, l.o.Now())
		if p := l.activity.Phase; p != before && (p == status.Queued || p == status.Retrying || p == status.Polling) {
			l.say("… " + l.activity.Does(l.o.Now()))
		}
	case e.Asked != nil:
		l.asked = append(l.asked, *e.Asked)
	case e.Settled != nil:
		l.drop(*e.Settled)
	case e.Missed:
		l.asked = l.host.Questions()
	}
}

func (l *lines) record(r event.Record) {
	if r.Kind != event.Submitted || l.activity.Busy() { // a message that begins its turn at once needs no second line
		l.show.Show(r)
	}
	l.activity.Record(r)
	b, err := event.Decode(r)
	if err != nil {
		return
	}
	l.work.take(b)
	switch b := b.(type) {
	case event.Call:
		l.last = b.Call
	case event.Inquiry:
		l.inquired = append(l.inquired, b)
	case event.Answer:
		l.inquired = slices.DeleteFunc(l.inquired, func(q event.Inquiry) bool { return q.ID == b.ID })
	case event.Ending:
		l.say(fmt.Sprintf("\nReady. %s tokens so far.", status.Tokens(l.activity.Input+l.activity.Output)))
	}
}

func (l *lines) drop(s approvals.Settled) {
	l.asked = slices.DeleteFunc(l.asked, func(q approvals.Approval) bool { return q.ID == s.ID })
	if l.shown == s.ID {
		l.say(fmt.Sprintf("(settled: %s, %s)", s.How, s.Why))
	}
}

// pose reads the oldest question out, once.
func (l *lines) pose() {
	switch {
	case len(l.asked) > 0 && l.shown != l.asked[0].ID:
		l.shown = l.asked[0].ID
		fmt.Fprint(l.out, cli.Card(l.asked[0], len(l.asked)-1))
	case len(l.asked) == 0 && len(l.inquired) > 0 && l.shown != l.inquired[0].ID:
		q := l.inquired[0]
		l.shown = q.ID
		l.say("? The model asks: " + call.Visible(q.Text))
		for i, o := range q.Options {
			l.say(fmt.Sprintf("  %d  %s", i+1, call.OneLine(o, 500)))
		}
	}
}

// line does what one typed line means; over is true when it ends the session.
func (l *lines) line(text string) (over bool) {
	word := strings.TrimSpace(text)
	command, rest, _ := strings.Cut(strings.TrimPrefix(word, "/"), " ")
	switch {
	case len(l.asked) > 0 && !strings.HasPrefix(word, "/"):
		q := l.asked[0]
		l.failed(l.host.Answer(cli.AnswerOf(text, q)))
	case word == "":
	case strings.HasPrefix(word, "/"):
		return l.command(command, strings.TrimSpace(rest))
	case len(l.inquired) > 0:
		l.reply(word)
	case strings.HasPrefix(word, "!"):
		l.failed(l.host.Shell(strings.TrimSpace(word[1:])))
	default:
		l.failed(l.host.Send(text, nil))
	}
	return false
}

func (l *lines) reply(word string) {
	q := l.inquired[0]
	if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= len(q.Options) {
		word = q.Options[n-1]
	}
	l.failed(l.host.Reply(q.ID, word))
}

func (l *lines) failed(err error) {
	if err != nil {
		l.say("! " + err.Error())
	}
}

func (l *lines) command(name, args string) (over bool) {
	h := l.host
	switch name {
	case "quit", "exit", "q":
		return true
	case "help":
		l.say(plainHelp)
	case "stop":
		if !h.Stop() {
			l.say("nothing runs")
		}
	case "continue":
		l.failed(h.Continue())
	case "queue":
		_, err := h.Queue(args, nil)
		l.failed(err)
	case "take":
		l.take()
	case "jobs", "diff", "permissions", "context", "why", "audit", "undo", "redo", "kill", "rename", "export":
		text, err := l.told(name, args)
		l.failed(err)
		if text != "" {
			l.say(strings.TrimRight(call.Visible(text), "\n"))
		}
	default:
		l.say("there is no command /" + call.OneLine(name, 60) + "; /help lists what there is")
	}
	return false
}

// take takes the last waiting message back and reads it out.
func (l *lines) take() {
	if len(l.work.Queue) == 0 {
		l.say("no message waits")
		return
	}
	q := l.work.Queue[len(l.work.Queue)-1]
	if err := l.host.Withdraw(q.ID); err != nil {
		l.failed(err)
		return
	}
	l.say("taken back: " + call.Visible(q.Text))
}

// told is what a command that answers with text says.
func (l *lines) told(name, args string) (string, error) {
	h := l.host
	switch name {
	case "permissions":
		return h.RulesText()
	case "why":
		return h.Why(cmp.Or(args, l.last))
	case "audit":
		return h.Audit(l.ctx)
	case "undo":
		d, err := h.Undo(args)
		return d.Text, err
	case "redo":
		d, err := h.Redo(args)
		return d.Text, err
	case "kill":
		return h.Kill(l.ctx, args)
	case "rename":
		return "", h.Rename(args)
	case "export":
		path, err := h.Export(cmp.Or(args, "markdown"))
		return "written to " + path, err
	case "context":
		return contextText(h.Context(), func(n int) string { return "" }), nil
	case "jobs":
		return jobsText(h.Jobs()), nil
	}
	return changesText(h.Changes()), nil
}

func jobsText(jobs []host.Job) string {
	var b strings.Builder
	for _, j := range jobs {
		fmt.Fprintf(&b, "%s %s %s: %s\n", j.ID, j.Status, cli.Age(j.For), call.OneLine(j.Command, 200))
	}
	if b.Len() == 0 {
		return "no job runs"
	}
	return b.String()
}

func changesText(files []host.FileChange) string {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "%s\n%s\n", fileLine(f), f.Diff)
	}
	if b.Len() == 0 {
		return "this session changed no file"
	}
	return b.String()
}
