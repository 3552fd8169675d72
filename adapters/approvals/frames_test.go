package approvals_test

import (
	"reflect"
	"testing"

	"tenet/adapters/approvals"
)

func TestFramesGoOverALinkAndBack(t *testing.T) {
	for text, f := range map[string]approvals.Frame{
		`{"type":"shell_approval","id":"s/c:1","session":"s","agent":"scout","call":"c","tool":"bash","dir":"/w","steps":[],"requests":[],"notes":[],"answers":[],"digest":"d"}`: &approvals.Approval{
			ID: "s/c:1", Session: "s", Agent: "scout", Call: "c", Tool: "bash", Dir: "/w", Digest: "d",
			Steps: []approvals.ApprovalStep{}, Requests: []approvals.ApprovalRequest{}, Notes: []string{}, Answers: []approvals.ApprovalAnswer{},
		},
		`{"type":"shell_approval_settled","id":"s/c:1","how":"denied","why":"answered","by":"terminal"}`: &approvals.Settled{ID: "s/c:1", How: "denied", Why: "answered", By: "terminal"},
		`{"type":"shell_approval_missed","frames":3}`:                                                    &approvals.Missed{Frames: 3},
	} {
		b, err := approvals.EncodeFrame(f)
		if err != nil || string(b) != text {
			t.Errorf("%s, %v\nwant %s", b, err, text)
		}
		if back, err := approvals.DecodeFrame(b); err != nil || !reflect.DeepEqual(back, f) {
			t.Errorf("%s comes back as %+v, %v", b, back, err)
		}
	}
	for _, text := range []string{``, `{}`, `{"type":"turn"}`, `{"type":"shell_approval","id":1}`} {
		if f, err := approvals.DecodeFrame([]byte(text)); err == nil {
			t.Errorf("%q is read as %+v", text, f)
		}
	}
}
