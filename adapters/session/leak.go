package session

import (
	"tenet/core/event"
	"tenet/core/recovery"
)

// rebuild turns calls that stand as markup in the text into calls, when every one of them
// can be read and names a tool that is offered; what is left is a leak (H4.8.3). They are
// judged and run as any call.
func (d *driver) rebuild(r *event.Reply) recovery.Leak {
	if len(r.Calls) > 0 {
		return recovery.Leak{}
	}
	leak := recovery.Scan(r.Text, d.tools)
	if len(leak.Calls) > 0 {
		r.Text, r.Calls, r.Stop, r.Rebuilt = leak.Text, leak.Calls, "toolUse", string(leak.Markup)
	}
	return leak
}
