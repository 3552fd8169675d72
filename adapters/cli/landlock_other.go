//go:build !linux

package cli

// landlockABI: other systems have none.
func landlockABI() int { return 0 }
