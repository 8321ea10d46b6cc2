package messages

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/messaging/conversations"
	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

// React sets the actor's reaction to a message of the conversation that other identifies.
// emoji replaces an earlier reaction; an empty one removes it. The actor may react to their
// own messages as well.
//
// It returns Invalid unless emoji is one emoji, Forbidden if the actor's profile is not
// shown, NotFound, and Conflict for a deleted message and in a request, which must reveal
// nothing about its recipient.
func (s *Service) React(ctx context.Context, actor web.Actor, other uuid.UUID, seq int64, emoji string) (Message, error) {
	if emoji != "" && !isEmoji(emoji) {
		return Message{}, fault.InvalidField("emoji", "A reaction is one emoji.")
	}
	return s.Change(ctx, actor, other, seq, func(tx pgx.Tx, c conversations.Locked, m State) (Audience, error) {
		switch {
		case !c.MayWrite:
			return NoAudience, conversations.ErrNotShownYet()
		case c.IsRequest:
			return NoAudience, fault.New(fault.Conflict, "You can react once the request is accepted.")
		case m.Deleted && emoji == "":
			return NoAudience, nil
		case m.Deleted:
			return NoAudience, fault.New(fault.Conflict, "This message was taken back.")
		case m.Reaction == nil && emoji == "", m.Reaction != nil && emoji == *m.Reaction:
			return BothMembersAgain, nil
		}
		_, err := tx.Exec(ctx, `
			UPDATE messages SET
				sender_reaction = CASE sender_id WHEN $3 THEN nullif($4, '') ELSE sender_reaction END,
				receiver_reaction = CASE sender_id WHEN $3 THEN receiver_reaction ELSE nullif($4, '') END
			WHERE conversation_id = $1
				AND seq = $2`, c.ID, seq, actor.ID, emoji)
		return BothMembers, err
	})
}
