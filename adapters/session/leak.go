package session

import (
	"tenet/core/event"
	"tenet/core/recovery"
)

// leak is what a reply's text holds of tool calls in markup.
type leak struct {
	Markup recovery.Markup
	Reason string
}

// rebuild turns calls that stand as markup in the text into calls, when every one of them
// can be read and names a tool that is offered; what is left is a leak (H4.8.3).
func (d *driver) rebuild(r *event.Reply) leak {
	return leak{}
}
