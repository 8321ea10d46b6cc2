package seed

import (
	"bytes"
	"time"

	"github.com/google/uuid"
)

// request is an unanswered message request between the demo member and another one.
type request struct {
	with   string // the first name of the other member
	byDemo bool   // the demo member wrote it
	ago    time.Duration
	text   string
}

var requests = []request{
	{with: "Priya", ago: 50 * time.Minute, text: "Hello! We have never liked each other here, and I still had to ask: what is the story behind your profile picture?"},
	{with: "Marcus", byDemo: true, ago: 20 * time.Hour, text: "Your answer about the small thing that makes your day made mine. Would you like to talk?"},
}

// addRequests inserts the unanswered requests.
func (w *dataset) addRequests(demo uuid.UUID) {
	for _, r := range requests {
		at, other := w.ago(r.ago), w.mustFind(r.with).id
		from := other
		if r.byDemo {
			from = demo
		}
		a, b := demo, other
		if bytes.Compare(other[:], demo[:]) < 0 {
			a, b = other, demo
		}
		byA := 0
		if from == a {
			byA = 1
		}
		conversation := w.id(at)
		w.messages = append(w.messages, append([]any{w.id(at), conversation, 1, from, w.id(at), "text", r.text, at, nil, nil},
			messageChange{}.columns(r.byDemo, false, at, new(int64))...))
		w.conversations = append(w.conversations, []any{conversation, a, b, nil, 1, byA, 1 - byA, byA, 1 - byA, 1, 1, &at, at,
			false, false, 0, from, from, nil, nil, nil, nil, nil, nil})
	}
}
