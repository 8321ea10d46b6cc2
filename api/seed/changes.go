package seed

import (
	"bytes"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

// messageChange is what a message of a story has besides its line: a reply reference and reactions.
type messageChange struct {
	replyTo      int64  // the seq of the message it replies to
	mine, theirs string // reactions of the demo member and of the other member
}

// messageChanges by first name of the other member and seq.
var messageChanges = map[string]map[int]messageChange{
	"Maya":   {2: {theirs: "❤️"}, 3: {replyTo: 2}, 4: {theirs: "👍"}},
	"Elijah": {1: {theirs: "😂"}, 3: {mine: "😍"}, 5: {replyTo: 4}, 6: {theirs: "🥐"}},
	"Clara":  {2: {mine: "🦉"}, 3: {replyTo: 2}},
	"Grace":  {6: {theirs: "❤️"}, 7: {replyTo: 6}},
}

// columns returns the last five values of a row of messageColumns: reply_to, sender_reaction,
// receiver_reaction, deleted_at and rev. byDemo is whether the demo member sent the message. A message with
// reactions, or that is deleted, increments lastRev and has it as its rev; others have 0.
func (c messageChange) columns(byDemo, deleted bool, at time.Time, lastRev *int64) []any {
	var reply *int64
	if c.replyTo > 0 {
		reply = &c.replyTo
	}
	sender, receiver := optional(c.theirs), optional(c.mine)
	if byDemo {
		sender, receiver = receiver, sender
	}
	var deletedAt *time.Time
	if deleted {
		soon := at.Add(time.Minute / 2)
		deletedAt = &soon
	}
	rev := int64(0)
	if sender != nil || receiver != nil || deleted {
		*lastRev++
		rev = *lastRev
	}
	return []any{reply, sender, receiver, deletedAt, rev}
}

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
		at, other := w.ago(r.ago), w.find(r.with).id
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

// nowIf returns the time of the dataset if set, and nil otherwise.
func (w *dataset) nowIf(set bool) *time.Time {
	if !set {
		return nil
	}
	return &w.now
}

// infinityIf returns infinity if set, and NULL otherwise.
func infinityIf(set bool) pgtype.Timestamptz {
	return pgtype.Timestamptz{InfinityModifier: pgtype.Infinity, Valid: set}
}
