package provider

import (
	"fmt"
	"strings"

	"tenet/core/call"
)

// The values of event.Reply.Stop.
const (
	StopEnd    = "stop"    // the model had said all
	StopLength = "length"  // the output limit cut it
	StopTools  = "toolUse" // it waits for the results of its calls
)

// ending is what a finish reason says of a reply.
type ending uint8

const (
	unknown  ending = iota // no server documents it
	complete               // the model had said all, or waits for its calls
	limited                // the output limit cut it
	filtered               // somebody other than the model ended it
	filled                 // the model's context is full
	broken                 // the server could not go on
)

// endings are the finish reasons that servers document, in lower case. The set is
// closed: a reason that nobody documents may mean that the reply is not whole, and
// then it must not pass for an answer.
var endings = map[string]ending{
	"stop": complete, "tool_calls": complete, "function_call": complete, // the protocol's own
	"end_turn": complete, "tool_use": complete, "stop_sequence": complete, // from behind routers
	"eos": complete, "eos_token": complete, // text-generation servers
	"length": limited, "max_tokens": limited, "model_length": limited,
	"model_context_window_exceeded": filled,
	"content_filter":                filtered, "refusal": filtered, "safety": filtered, "sensitive": filtered, "recitation": filtered,
	"error": broken, "abort": broken, "network_error": broken, "insufficient_system_resource": broken,
}

func endingOf(reason string) ending { return endings[strings.ToLower(reason)] }

// badFinish is the error of a finish reason with which no reply is whole, nil for
// one that ends a reply.
func badFinish(reason string) error {
	shown := call.OneLine(reason, 60)
	switch endingOf(reason) {
	case filtered:
		return &Error{Class: Rejected, Message: fmt.Sprintf("the provider's content filter stopped the reply (finish reason %s): what came of it is no answer; say it in another way or use another model", shown)}
	case filled:
		return overfull()
	case broken:
		return &Error{Class: Overload, Message: fmt.Sprintf("the server broke the reply off and did not say why (finish reason %s)", shown)}
	case unknown:
		return &Error{Class: Malformed, Message: fmt.Sprintf("the reply ended with the finish reason %q, which is not known: whether it is whole cannot be told; use a server that says stop, length or tool_calls", shown)}
	case complete, limited:
	}
	return nil
}

// stop reads a finish reason, which is a hint: servers say "stop" for replies with
// calls and "tool_calls" for replies without. Only a limit is believed, since calls
// of a reply cut at a limit may be cut themselves.
func stop(finish string, calls bool) string {
	switch {
	case endingOf(finish) == limited:
		return StopLength
	case calls:
		return StopTools
	}
	return StopEnd
}
