package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"
)

// MaxPrompt is the most bytes that a prompt may have; what is longer belongs into a file
// that the model reads.
const MaxPrompt = 1 << 20

// PromptFrom is the prompt of a command line: its words, standard input for "-" or for
// no words when nobody types there, or both: the words, then what was piped in. It
// returns when ctx ends, whatever standard input does.
func PromptFrom(ctx context.Context, args []string, in *os.File) (string, error) {
	piped := len(args) > 0 && args[len(args)-1] == "-"
	if piped {
		args = args[:len(args)-1]
	}
	switch {
	case len(args) > 1:
		return "", Usage("run takes one prompt, got %d arguments; quote it: tenet run \"fix the test\"", len(args))
	case len(args) == 1 && !piped:
		return args[0], nil
	case len(args) == 0 && !piped && interactive(in):
		return "", Usage("run needs a prompt: tenet run \"fix the test\", or pipe one in")
	}
	text, err := readPrompt(ctx, in)
	if err != nil {
		return "", err
	}
	if len(args) == 1 {
		return args[0] + "\n\n" + text, nil
	}
	return text, nil
}

// pipedIn reports whether a file or a pipe stands at standard input: a device holds no
// prompt, such as a terminal or /dev/null.
func pipedIn(in *os.File) bool {
	if in == nil {
		return false
	}
	info, err := in.Stat()
	return err == nil && (info.Mode().IsRegular() || info.Mode()&os.ModeNamedPipe != 0)
}

// readPrompt reads standard input to its end, or until ctx ends: a pipe that nobody
// closes is no reason to hang.
func readPrompt(ctx context.Context, in *os.File) (string, error) {
	if in == nil {
		return "", Usage("standard input is closed and there is no prompt; say what the model should do")
	}
	type read struct {
		b   []byte
		err error
	}
	done := make(chan read, 1)
	go func() {
		b, err := io.ReadAll(io.LimitReader(in, MaxPrompt+1))
		done <- read{b, err}
	}()
	select {
	case r := <-done:
		return checkPrompt(r.b, r.err)
	case <-ctx.Done():
		return "", stoppedBy(ctx)
	}
}

func checkPrompt(b []byte, err error) (string, error) {
	switch {
	case err != nil:
		return "", Usage("the prompt could not be read from standard input: %w", err)
	case len(b) > MaxPrompt:
		return "", Usage("the prompt on standard input is longer than %d KiB; put it into a file and let the model read that", MaxPrompt>>10)
	case !utf8.Valid(b):
		return "", Usage("the prompt on standard input is not UTF-8 text; put the bytes into a file and name it in the prompt")
	}
	return strings.TrimRight(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n"), nil
}

// stoppedBy is the error of a command that its context ended before a turn began.
func stoppedBy(ctx context.Context) error {
	cause := context.Cause(ctx)
	code := ExitInterrupted
	switch {
	case errors.Is(cause, ErrTerminated):
		code = ExitTerminated
	case errors.Is(cause, ErrTimeout):
		code = ExitTimeout
	}
	return &Error{Code: code, Err: fmt.Errorf("nothing was sent: %w", cause)}
}
