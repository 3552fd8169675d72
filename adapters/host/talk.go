package host

import (
	"tenet/adapters/approvals"
	"tenet/core/event"
)

// Send takes a person's message: an idle session begins a turn with it, a running turn gets
// it before its next request. While a question is open the error is a *session.Blocked and
// nothing was taken.
func (h *Host) Send(text string, images []event.Image) error { return errLater }

// Queue takes a message that begins a turn of its own when the running one is over.
func (h *Host) Queue(text string, images []event.Image) (id string, err error) { return "", errLater }

// Edit gives a waiting message other words, Withdraw takes it back.
func (h *Host) Edit(id, text string) error { return errLater }

// Withdraw takes a waiting message back; it will not be delivered.
func (h *Host) Withdraw(id string) error { return errLater }

// Stop ends the running turn at its next tool boundary, and with it the questions that it
// asked. It reports whether there was one.
func (h *Host) Stop() bool { return false }

// Continue goes on with the turn that the end of a process left open.
func (h *Host) Continue() error { return errLater }

// Answer answers a question of the gate. The error is an *approvals.AnswerError: the first
// answer won, or it is none that was offered.
func (h *Host) Answer(a approvals.AnswerApproval) error { return errLater }

// Questions are the questions of the gate that wait for a person, the oldest first.
func (h *Host) Questions() []approvals.Approval { return nil }

// Reply answers a question of the model itself; an empty text is no answer, which the model
// is told.
func (h *Host) Reply(inquiry, text string) error { return errLater }

// Inquiries are the questions of the model that wait, the oldest first.
func (h *Host) Inquiries() []event.Inquiry { return nil }

// Shell runs a person's own shell line, through the gate and into the log.
func (h *Host) Shell(line string) error { return errLater }
