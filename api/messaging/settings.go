package messaging

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/matching"
	"heartward/api/platform/bus"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// maxPinned is how many conversations a member may keep at the top.
const maxPinned = 5

// Mute is for how long nothing of a conversation makes a sound.
type Mute string

// mutes are how long each lasts; the empty one leaves things as they are.
var mutes = map[Mute]time.Duration{"off": 0, "hour": time.Hour, "day": 24 * time.Hour, "week": 7 * 24 * time.Hour}

const muteAlways Mute = "always"

// Settings is what a member sets for the own side of a conversation; the other
// never learns of it. Nil and empty leave things as they are.
type Settings struct {
	Pinned *bool
	Mute   Mute
}

// Set changes the actor's side of the conversation that other names. Fails with
// NotFound, Invalid and, for a sixth pinned conversation, Conflict.
func (s *Service) Set(ctx context.Context, actor web.Actor, other uuid.UUID, settings Settings) (Conversation, error) {
	if _, known := mutes[settings.Mute]; !known && settings.Mute != "" && settings.Mute != muteAlways {
		return Conversation{}, fault.InvalidField("mute", "Choose off, an hour, a day, a week or always.")
	}
	err := pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		// The lock makes the calls of one member count each other's pins.
		if _, err := tx.Exec(ctx, `SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE`, actor.ID); err != nil {
			return err
		}
		h, err := hold(ctx, tx, actor.ID, other)
		if err != nil {
			return err
		}
		if settings.Pinned != nil && *settings.Pinned {
			if err := roomForPin(ctx, tx, actor.ID, h.ID); err != nil {
				return err
			}
		}
		return updateSettings(ctx, tx, actor.ID, h.ID, settings)
	})
	if err != nil {
		return Conversation{}, err
	}
	s.publishSync(actor.ID)
	return s.ConversationWith(ctx, actor, other)
}

func roomForPin(ctx context.Context, tx pgx.Tx, me, conversation uuid.UUID) error {
	var others int
	err := tx.QueryRow(ctx, `SELECT count(*) FROM conversations c WHERE $1 IN (c.user_a, c.user_b) AND c.id <> $2
		AND CASE c.user_a WHEN $1 THEN c.a_pinned_at ELSE c.b_pinned_at END IS NOT NULL AND`+shown, me, conversation).Scan(&others)
	if err == nil && others >= maxPinned {
		return fault.New(fault.Conflict, "Five conversations are pinned already. Unpin one first.")
	}
	return err
}

func updateSettings(ctx context.Context, tx pgx.Tx, me, conversation uuid.UUID, settings Settings) error {
	_, err := tx.Exec(ctx, `UPDATE conversations c SET
			a_pinned_at = CASE WHEN user_a = $1 THEN new.pinned_at ELSE a_pinned_at END,
			b_pinned_at = CASE WHEN user_b = $1 THEN new.pinned_at ELSE b_pinned_at END,
			a_muted_until = CASE WHEN user_a = $1 THEN new.muted_until ELSE a_muted_until END,
			b_muted_until = CASE WHEN user_b = $1 THEN new.muted_until ELSE b_muted_until END,
			`+ownSideChanged("$1")+`
		FROM (SELECT
				CASE WHEN $3::bool IS NULL THEN pinned_at WHEN $3 THEN coalesce(pinned_at, now()) END AS pinned_at,
				CASE $4 WHEN '' THEN muted_until WHEN 'off' THEN NULL WHEN 'always' THEN 'infinity' ELSE now() + $5::interval END AS muted_until
			FROM (SELECT CASE user_a WHEN $1 THEN a_pinned_at ELSE b_pinned_at END AS pinned_at,
				CASE user_a WHEN $1 THEN a_muted_until ELSE b_muted_until END AS muted_until
				FROM conversations WHERE id = $2) old) new
		WHERE c.id = $2`, me, conversation, settings.Pinned, string(settings.Mute), mutes[settings.Mute])
	return err
}

// touchSide has the devices of one member of the conversation sync, and nobody
// else's.
func touchSide(ctx context.Context, tx pgx.Tx, member, conversation uuid.UUID) error {
	_, err := tx.Exec(ctx, `UPDATE conversations SET `+ownSideChanged("$1")+` WHERE id = $2`, member, conversation)
	return err
}

// ownSideChanged is the part of an UPDATE of conversations that has the devices
// of the member in that parameter sync, and nobody else's.
func ownSideChanged(member string) string {
	return `a_changed_xid = CASE user_a WHEN ` + member + ` THEN pg_current_xact_id() ELSE a_changed_xid END,
			b_changed_xid = CASE user_b WHEN ` + member + ` THEN pg_current_xact_id() ELSE b_changed_xid END`
}

// Leave ends the conversation of that id for good, and the match with it: both
// lose it and are told. From a request that waits for the actor's answer it is
// no more than declining, of which the other hears nothing. It is no error when
// it has ended already. NotFound unless it is one of the actor's.
func (s *Service) Leave(ctx context.Context, actor web.Actor, id uuid.UUID) error {
	type result struct {
		declined bool
		ended    matching.Ended // unless declined
	}
	left, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (result, error) {
		var peer uuid.UUID
		err := tx.QueryRow(ctx, `SELECT CASE user_a WHEN $1 THEN user_b ELSE user_a END
			FROM conversations WHERE id = $2 AND $1 IN (user_a, user_b)`, actor.ID, id).Scan(&peer)
		if err != nil {
			return result{}, err
		}
		if err := matching.LockPair(ctx, tx, actor.ID, peer); err != nil {
			return result{}, err
		}
		declined, err := decline(ctx, tx, actor.ID, id)
		if err != nil || declined {
			return result{declined: declined}, err
		}
		ended, err := matching.End(ctx, tx, actor.ID, peer)
		return result{ended: ended}, err
	})
	switch {
	case err != nil:
		return err
	case left.declined:
		s.publishSync(actor.ID)
	default:
		s.matches.AnnounceEnd(left.ended)
	}
	return nil
}

// publishSync has the devices of these members look for what changed.
func (s *Service) publishSync(who ...uuid.UUID) {
	event := bus.Event("", struct {
		Type string `json:"type"`
	}{"sync"})
	for _, member := range who {
		s.events.Publish(bus.MemberSubject(member), event)
	}
}
