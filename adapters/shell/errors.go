package shell

import (
	"errors"
	"strings"
	"syscall"
)

// unixText is an error in the words of the C library, as every Unix tool prints it.
func unixText(err error) string {
	var no syscall.Errno
	if !errors.As(err, &no) {
		return err.Error()
	}
	t := no.Error()
	return strings.ToUpper(t[:1]) + t[1:]
}
