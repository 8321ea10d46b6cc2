package seed

import (
	"time"

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
