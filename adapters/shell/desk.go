package shell

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// act is a built-in that was planned: what it does with its streams, and its status.
type act func(*desk) int

// desk is what a built-in works with.
type desk struct {
	ctx  context.Context
	run  *run
	name string
	dir  string
	line uint
	in   *os.File // nil reads as empty
	out  *bufio.Writer
	dest io.Writer // what out writes to
	err  io.Writer
	// sub is true in a pipeline, where a built-in changes nothing of the shell.
	sub bool
	// status is that of a failed write; 0 while all went well.
	status int
}

func (r *run) desk(ctx context.Context, st *stage, std *stdio, sub bool) *desk {
	dest := r.writer(std.out)
	return &desk{ctx: ctx, run: r, name: st.argv[0], dir: r.dir, line: st.line, in: std.in,
		out: bufio.NewWriterSize(dest, 16<<10), dest: dest, err: r.writer(std.err), sub: sub}
}

// sigpipe is the status of a command whose reader is gone: 128 + SIGPIPE.
const sigpipe = 141

// interrupted is the status of a built-in that a cancel stopped: 128 + SIGINT.
const interrupted = 130

// put writes and reports whether it is any use to go on.
func (d *desk) put(p []byte) bool {
	_, err := d.out.Write(p)
	return d.wrote(err)
}

func (d *desk) puts(s string) bool {
	_, err := d.out.WriteString(s)
	return d.wrote(err)
}

func (d *desk) wrote(err error) bool {
	switch {
	case err == nil && d.ctx.Err() == nil:
		return true
	case d.status != 0:
	case d.ctx.Err() != nil:
		d.status = interrupted
	case errors.Is(err, syscall.EPIPE):
		d.status = sigpipe
	default:
		d.status = 1
		fmt.Fprintf(d.err, "%s: write error: %s\n", d.name, unixText(err))
	}
	return false
}

// end flushes and returns the status: that of a failed write comes first.
func (d *desk) end(status int) int {
	if d.status == 0 {
		d.wrote(d.out.Flush())
	}
	if d.status != 0 {
		return d.status
	}
	return status
}

// complain prints what is out before it, so that the order of lines is kept.
func (d *desk) complain(format string, a ...any) int {
	d.wrote(d.out.Flush())
	fmt.Fprintf(d.err, d.name+": "+format+"\n", a...)
	return 1
}

// say is a message of the shell itself, in bash's form.
func (d *desk) say(format string, a ...any) int {
	d.wrote(d.out.Flush())
	fmt.Fprintf(d.err, "bash: line %d: %s: %s\n", d.line, d.name, fmt.Sprintf(format, a...))
	return 1
}

// Read reads the standard input of the built-in, until its cancel.
func (d *desk) Read(p []byte) (int, error) {
	if err := d.ctx.Err(); err != nil {
		return 0, err
	}
	if d.in == nil {
		return 0, io.EOF
	}
	n, err := d.in.Read(p)
	if err != nil && err != io.EOF && d.ctx.Err() != nil {
		return n, d.ctx.Err()
	}
	return n, err
}

// input is one operand that a reading built-in goes through.
type input struct {
	name string
	file *os.File // nil for the standard input
	d    *desk
}

// Read stops at a cancel.
func (i *input) Read(p []byte) (int, error) {
	if i.file == nil {
		return i.d.Read(p)
	}
	if err := i.d.ctx.Err(); err != nil {
		return 0, err
	}
	return i.file.Read(p)
}

func (i *input) close() {
	if i.file != nil {
		i.file.Close()
	}
}

// stat describes what is read; the zero size of a pipe says nothing.
func (i *input) stat() (fs.FileInfo, error) {
	switch {
	case i.file != nil:
		return i.file.Stat()
	case i.d.in != nil:
		return i.d.in.Stat()
	}
	return os.Stat(os.DevNull)
}

// open opens an operand; - is the standard input.
func (d *desk) open(name string) (*input, error) {
	if name == "-" {
		return &input{name: name, d: d}, nil
	}
	f, err := os.Open(absIn(d.dir, name))
	return &input{name: name, file: f, d: d}, err
}

// quoted is a name in a message of the C tools that always quote.
func quoted(name string) string {
	switch {
	case !strings.Contains(name, "'"):
		return "'" + name + "'"
	case !strings.ContainsAny(name, "\"`$\\!?"):
		return `"` + name + `"`
	default:
		return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
	}
}

// named is a name in a message of those that quote when they must.
func named(name string) string {
	if name == "" || strings.ContainsAny(name, " '\"\\$&*()[]{}|;<>?~#`!^=") {
		return quoted(name)
	}
	return name
}
