package conversations

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// maxPinned is the number of conversations that a member may pin.
const maxPinned = 5

// Mute is the time for which a conversation causes no notifications. An empty value changes
// nothing.
type Mute string

var muteDurations = map[Mute]time.Duration{"off": 0, "hour": time.Hour, "day": 24 * time.Hour, "week": 7 * 24 * time.Hour}

const muteAlways Mute = "always"

// Settings are a member's settings of a conversation, which are hidden from the other
// member. Nil, empty and false values change nothing.
type Settings struct {
	Pinned        *bool
	Mute          Mute
	PicturesShown bool
	Archived      *bool  // an archived conversation is not pinned
	TurnEnded     bool   // the newest message waits for no answer
	LastSeq       *int64 // the newest message that the member saw when they archived it or ended the turn; nil: the newest now
}

// Set changes the actor's settings of the conversation that other identifies. It returns
// NotFound, Invalid and, for a sixth pinned conversation, Conflict.
func (s *Service) Set(ctx context.Context, actor web.Actor, other uuid.UUID, settings Settings) (Conversation, error) {
	if _, known := muteDurations[settings.Mute]; !known && settings.Mute != "" && settings.Mute != muteAlways {
		return Conversation{}, fault.InvalidField("mute", "Choose off, an hour, a day, a week or always.")
	}
	err := pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		// The lock serializes the calls of one member, so that all pins are counted.
		if err := members.Lock(ctx, tx, actor.ID); err != nil {
			return err
		}
		c, err := Lock(ctx, tx, actor.ID, other)
		if err != nil {
			return err
		}
		if settings.Pinned != nil && *settings.Pinned {
			if err := checkPins(ctx, tx, actor.ID, c.ID); err != nil {
				return err
			}
		}
		return updateSettings(ctx, tx, actor.ID, c.ID, settings)
	})
	if err != nil {
		return Conversation{}, err
	}
	s.PublishSync(actor.ID)
	return s.Get(ctx, actor, other)
}

// checkPins returns Conflict if the member has already pinned the maximum of other
// conversations.
func checkPins(ctx context.Context, tx pgx.Tx, me, conversation uuid.UUID) error {
	var others int
	err := tx.QueryRow(ctx, `
		SELECT count(*)
		FROM conversations c
		WHERE $1 IN (c.user_a, c.user_b)
			AND c.id <> $2
			AND CASE c.user_a WHEN $1 THEN c.a_pinned_at ELSE c.b_pinned_at END IS NOT NULL
			AND `+ShownSQL, me, conversation).Scan(&others)
	if err == nil && others >= maxPinned {
		return fault.New(fault.Conflict, "Five conversations are pinned already. Unpin one first.")
	}
	return err
}

// updateSettings writes settings for member $1 of conversation $2. A message that the member has not seen is neither archived
// nor answered by them, and a device that has not seen the newest one takes nothing back.
func updateSettings(ctx context.Context, tx pgx.Tx, me, conversation uuid.UUID, settings Settings) error {
	_, err := tx.Exec(ctx, `
		WITH change (pinned, mute, mute_duration, pictures_shown, archived, turn_ended, seen_seq) AS (
			VALUES ($3::bool, $4::text, $5::interval, $6::bool, $7::bool, $8::bool, $9::bigint)
		), old AS (
			SELECT
				least(change.seen_seq, last_seq) AS seen_seq,
				CASE user_a WHEN $1 THEN a_archived_seq ELSE b_archived_seq END AS archived_seq,
				CASE user_a WHEN $1 THEN a_pinned_at ELSE b_pinned_at END AS pinned_at,
				CASE user_a WHEN $1 THEN a_muted_until ELSE b_muted_until END AS muted_until,
				CASE user_a WHEN $1 THEN a_pictures_shown_at ELSE b_pictures_shown_at END AS pictures_shown_at,
				CASE user_a WHEN $1 THEN a_turn_ended_seq ELSE b_turn_ended_seq END AS turn_ended_seq
			FROM conversations
			CROSS JOIN change
			WHERE id = $2
		), new AS (
			SELECT
				CASE
					WHEN change.archived THEN NULL
					WHEN change.pinned IS NULL THEN old.pinned_at
					WHEN change.pinned THEN coalesce(old.pinned_at, now())
				END AS pinned_at,
				CASE
					WHEN change.archived THEN greatest(old.archived_seq, old.seen_seq)
					WHEN change.archived IS NULL AND change.pinned IS NOT TRUE THEN old.archived_seq
				END AS archived_seq,
				CASE change.mute
					WHEN '' THEN old.muted_until
					WHEN 'off' THEN NULL
					WHEN 'always' THEN 'infinity'
					ELSE now() + change.mute_duration
				END AS muted_until,
				CASE
					WHEN change.pictures_shown THEN coalesce(old.pictures_shown_at, now())
					ELSE old.pictures_shown_at
				END AS pictures_shown_at,
				CASE
					WHEN change.turn_ended THEN greatest(old.turn_ended_seq, old.seen_seq)
					ELSE old.turn_ended_seq
				END AS turn_ended_seq
			FROM old
			CROSS JOIN change
		)
		UPDATE conversations c SET
			a_pinned_at = CASE user_a WHEN $1 THEN new.pinned_at ELSE a_pinned_at END,
			b_pinned_at = CASE user_b WHEN $1 THEN new.pinned_at ELSE b_pinned_at END,
			a_muted_until = CASE user_a WHEN $1 THEN new.muted_until ELSE a_muted_until END,
			b_muted_until = CASE user_b WHEN $1 THEN new.muted_until ELSE b_muted_until END,
			a_pictures_shown_at = CASE user_a WHEN $1 THEN new.pictures_shown_at ELSE a_pictures_shown_at END,
			b_pictures_shown_at = CASE user_b WHEN $1 THEN new.pictures_shown_at ELSE b_pictures_shown_at END,
			a_archived_seq = CASE user_a WHEN $1 THEN new.archived_seq ELSE a_archived_seq END,
			b_archived_seq = CASE user_b WHEN $1 THEN new.archived_seq ELSE b_archived_seq END,
			a_turn_ended_seq = CASE user_a WHEN $1 THEN new.turn_ended_seq ELSE a_turn_ended_seq END,
			b_turn_ended_seq = CASE user_b WHEN $1 THEN new.turn_ended_seq ELSE b_turn_ended_seq END,
			`+setSideChanged+`
		FROM new
		WHERE c.id = $2`, me, conversation, settings.Pinned, string(settings.Mute), muteDurations[settings.Mute], settings.PicturesShown,
		settings.Archived, settings.TurnEnded, settings.LastSeq)
	return err
}

// EndTurn stores that the newest message of a conversation, such as the one that accepts a date, waits for no answer of the
// member.
func EndTurn(ctx context.Context, tx pgx.Tx, member, conversation uuid.UUID) error {
	_, err := tx.Exec(ctx, `
		UPDATE conversations
		SET
			a_turn_ended_seq = CASE user_a WHEN $1 THEN last_seq ELSE a_turn_ended_seq END,
			b_turn_ended_seq = CASE user_b WHEN $1 THEN last_seq ELSE b_turn_ended_seq END,
			`+setSideChanged+`
		WHERE id = $2`, member, conversation)
	return err
}
