package matching

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// First keys of the advisory locks, by kind.
const (
	actorLock = 0x61637472 // "actr"
	pairLock  = 0x70616972 // "pair"
	likesLock = 0x6c6b6573 // "lkes"
)

// LockActor serialises the calls of one member until tx ends. It is an advisory lock
// rather than a row lock, so that it blocks neither profile changes nor foreign keys.
// Calls of two members whose ids have the same hash are serialised as well.
func LockActor(ctx context.Context, tx pgx.Tx, actor uuid.UUID) error {
	_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1, hashtext($2))`, actorLock, actor.String())
	return err
}

// LockPair serialises the calls between two members until tx ends. A transaction that
// needs both locks calls LockActor first.
func LockPair(ctx context.Context, tx pgx.Tx, x, y uuid.UUID) error {
	a, b := pair(x, y)
	_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1, hashtext($2))`, pairLock, a.String()+b.String())
	return err
}

// lockLikesShared locks a recipient's likes until the commit. It must be called before
// the time of the like is set. The lock is shared, so that likes to one member do not wait
// for each other.
func lockLikesShared(ctx context.Context, tx pgx.Tx, to uuid.UUID) error {
	_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock_shared($1, hashtext($2))`, likesLock, to.String())
	return err
}

// LockLikes waits for uncommitted likes to a member and blocks further ones until tx ends.
// A job that reads the likes, records the time and completes itself in tx misses no like:
// each like is either committed before and read, or later than the recorded time with
// another job.
func LockLikes(ctx context.Context, tx pgx.Tx, to uuid.UUID) error {
	_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1, hashtext($2))`, likesLock, to.String())
	return err
}

// pair returns the two ids in order, the smaller first, as tables of pairs store them.
func pair(x, y uuid.UUID) (a, b uuid.UUID) {
	if bytes.Compare(x[:], y[:]) < 0 {
		return x, y
	}
	return y, x
}

// relation is the state between an actor and another member, with the likes that the
// actor sent recently.
type relation struct {
	ActorShown     bool
	ActorPaused    bool
	Visible        bool       // the other member to the actor
	Premium        bool       // of the actor
	SentID         *uuid.UUID // of the actor's like; nil without one, as SentKind
	SentKind       *Kind
	SentToday      bool  // in the last 24 hours, as MatchedToday
	ReceivedKind   *Kind // of the other member's like; nil without one
	PassedOn       bool  // by the other member, in the last 30 days
	MatchID        *uuid.UUID
	MatchedAt      *time.Time
	MatchedToday   bool
	ConversationID *uuid.UUID
	Unmatched      bool
	sentRow
}

// recentLikes is a subquery that counts the likes that @viewer sent in the last day.
const recentLikes = `(
	SELECT
		count(*) AS day,
		min(l.created_at) AS day_oldest,
		count(*) FILTER (WHERE l.created_at > now() - interval '1 minute') AS minute,
		min(l.created_at) FILTER (WHERE l.created_at > now() - interval '1 minute') AS minute_oldest,
		count(*) FILTER (WHERE l.like_type = 'super_like') AS supers,
		min(l.created_at) FILTER (WHERE l.like_type = 'super_like') AS supers_oldest
	FROM user_likes l
	WHERE l.from_user_id = @viewer
		AND l.created_at > now() - interval '1 day'
) sent`

// sentRow has the columns of recentLikes.
type sentRow struct {
	Day          int
	DayOldest    *time.Time
	Minute       int
	MinuteOldest *time.Time
	Supers       int
	SupersOldest *time.Time
}

func (r sentRow) likes() sentLikes {
	return sentLikes{
		minute: window{r.Minute, r.MinuteOldest}, day: window{r.Day, r.DayOldest}, supers: window{r.Supers, r.SupersOldest},
	}
}

const relationSQL = `
	SELECT
		(SELECT v.is_searched FROM profiles v WHERE v.id = @viewer) AS actor_shown,
		(SELECT v.is_paused FROM profiles v WHERE v.id = @viewer) AS actor_paused,
		EXISTS (SELECT FROM visible_members(@viewer) v WHERE v.id = u.id) AS visible,
		(SELECT coalesce(v.premium_until > now(), false) FROM profiles v WHERE v.id = @viewer) AS premium,
		own.id AS sent_id,
		own.like_type AS sent_kind,
		coalesce(own.created_at > now() - interval '1 day', false) AS sent_today,
		(SELECT l.like_type FROM user_likes l WHERE l.from_user_id = u.id AND l.to_user_id = @viewer) AS received_kind,
		EXISTS (SELECT FROM active_passes p WHERE p.from_user_id = u.id AND p.to_user_id = @viewer) AS passed_on,
		m.id AS match_id,
		m.created_at AS matched_at,
		coalesce(m.created_at > now() - interval '1 day', false) AS matched_today,
		c.conversation_id,
		m.unmatched_at IS NOT NULL AS unmatched,
		sent.*
	FROM profiles u
	LEFT JOIN user_likes own
		ON own.from_user_id = @viewer
		AND own.to_user_id = @to
	LEFT JOIN matches m
		ON m.user_a = @a
		AND m.user_b = @b
	LEFT JOIN conversation_sides c
		ON c.member_id = @viewer
		AND c.peer_id = @to
	CROSS JOIN LATERAL ` + recentLikes + `
	WHERE u.id = @to`

// selectRelation must run after the locks, as a separate statement, to see the changes of
// the previous holder. It returns NotFound for an unknown member.
func selectRelation(ctx context.Context, tx pgx.Tx, actor, to uuid.UUID) (relation, error) {
	a, b := pair(actor, to)
	rows, _ := tx.Query(ctx, relationSQL, pgx.NamedArgs{"viewer": actor, "to": to, "a": a, "b": b})
	s, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[relation])
	if errors.Is(err, pgx.ErrNoRows) {
		return s, notFound()
	}
	return s, err
}

const sentSQL = `
	SELECT
		coalesce(u.premium_until > now(), false) AS premium,
		sent.*
	FROM profiles u
	CROSS JOIN LATERAL ` + recentLikes + `
	WHERE u.id = @viewer`

func selectSent(ctx context.Context, db pg.DB, actor uuid.UUID) (sent sentLikes, premium bool, err error) {
	type row struct {
		Premium bool
		sentRow
	}
	rows, _ := db.Query(ctx, sentSQL, pgx.NamedArgs{"viewer": actor})
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[row])
	return r.likes(), r.Premium, err
}

// checkSubject returns Invalid unless the liked photo or answer is on the profile.
func checkSubject(ctx context.Context, tx pgx.Tx, in LikeInput) error {
	photo, prompt, err := members.HasPhotoAndPrompt(ctx, tx, in.To, in.PhotoID, in.Prompt)
	switch {
	case err != nil:
		return err
	case in.PhotoID != uuid.Nil && !photo:
		return fault.InvalidField("photoId", "This photo is no longer on the profile.")
	case in.Prompt != "" && !prompt:
		return fault.InvalidField("prompt", "This question is no longer answered on the profile.")
	}
	return nil
}

// insertLike inserts the like and deletes a pass. It uses clock_timestamp(), because
// now() of transactions that waited for the same lock may be out of order.
func insertLike(ctx context.Context, tx pgx.Tx, from uuid.UUID, in LikeInput) (uuid.UUID, error) {
	if err := checkSubject(ctx, tx, in); err != nil {
		return uuid.Nil, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return id, err
	}
	_, err = tx.Exec(ctx, `
		WITH deleted_pass AS (DELETE FROM user_passes WHERE from_user_id = $2 AND to_user_id = $3)
		INSERT INTO user_likes (id, from_user_id, to_user_id, like_type, comment, photo_id, prompt, created_at)
		VALUES ($1, $2, $3, $4, $5, nullif($6, '00000000-0000-0000-0000-000000000000'::uuid), nullif($7, ''), clock_timestamp())`,
		id, from, in.To, in.Kind, in.Comment, in.PhotoID, in.Prompt)
	return id, err
}

// SentLike is a like as its sender sent it.
type SentLike struct {
	LikeType string
	Comment  string
	PhotoID  *uuid.UUID
	Prompt   *string
	LikedAt  time.Time
}

// FindLike returns the like of one member by another, or nil.
func FindLike(ctx context.Context, db pg.DB, from, to uuid.UUID) (*SentLike, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			like_type,
			comment,
			photo_id,
			prompt,
			created_at AS liked_at
		FROM user_likes
		WHERE from_user_id = $1
			AND to_user_id = $2`, from, to)
	likes, err := pgx.CollectRows(rows, pgx.RowToStructByName[SentLike])
	if err != nil || len(likes) == 0 {
		return nil, err
	}
	likes[0].LikedAt = web.Time(likes[0].LikedAt)
	return &likes[0], nil
}

// match is a new match.
type match struct {
	id, conversation, a, b uuid.UUID
	at                     time.Time
	kinds                  map[uuid.UUID]Kind // by the member who liked
}

// insertMatch inserts the pair's match and opens their conversation. An existing
// conversation, from a request, becomes the conversation of the match.
func insertMatch(ctx context.Context, tx pgx.Tx, x, y uuid.UUID) (m match, err error) {
	m.a, m.b = pair(x, y)
	if m.id, err = uuid.NewV7(); err != nil {
		return m, err
	}
	if m.conversation, err = uuid.NewV7(); err != nil {
		return m, err
	}
	err = tx.QueryRow(ctx, `
		INSERT INTO matches (id, user_a, user_b, created_at)
		VALUES ($1, $2, $3, clock_timestamp())
		RETURNING created_at`, m.id, m.a, m.b).Scan(&m.at)
	if err != nil {
		return m, err
	}
	err = tx.QueryRow(ctx, `SELECT open_conversation($1, $2, $3, $4)`, m.conversation, m.a, m.b, m.id).Scan(&m.conversation)
	return m, err
}

// upsertPass stores a pass of 30 days. It does nothing when the client id is already
// stored for the pair or was undone.
func upsertPass(ctx context.Context, tx pgx.Tx, from, to, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO user_passes AS p (from_user_id, to_user_id, client_id)
		SELECT $1, $2, nullif($3, '00000000-0000-0000-0000-000000000000'::uuid)
		WHERE NOT EXISTS (SELECT FROM undone_passes t WHERE t.from_user_id = $1 AND t.client_id = $3)
		ON CONFLICT (from_user_id, to_user_id) DO UPDATE SET
			created_at = now(),
			client_id = excluded.client_id
		WHERE p.client_id IS DISTINCT FROM excluded.client_id
			OR excluded.client_id IS NULL`, from, to, id)
	return err
}

func deletePass(ctx context.Context, tx pgx.Tx, from, to, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `DELETE FROM user_passes WHERE from_user_id = $1 AND to_user_id = $2`, from, to)
	if err != nil {
		return err
	}
	if id != uuid.Nil {
		_, err = tx.Exec(ctx, `INSERT INTO undone_passes (from_user_id, client_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`, from, id)
	}
	return err
}

// ending is what has ended between a pair: by this call, or by an earlier one.
type ending struct {
	MatchID        *uuid.UUID // nil if the pair had none, as ConversationID
	ConversationID *uuid.UUID
	EndedNow       bool // by this call
	EndedToday     bool // an earlier call of the same member has ended the match, in the last 24 hours
}

// endPair marks the pair's match as unmatched and closes their conversation, which waits for a
// message that is being stored; later messages are refused.
func endPair(ctx context.Context, tx pgx.Tx, by, other uuid.UUID) (ending, error) {
	a, b := pair(by, other)
	rows, _ := tx.Query(ctx, `
		WITH ended AS (
			UPDATE matches
			SET
				unmatched_at = clock_timestamp(),
				unmatched_by = $3
			WHERE user_a = $1
				AND user_b = $2
				AND unmatched_at IS NULL
			RETURNING id
		), closed AS MATERIALIZED (
			SELECT close_conversation($1, $2) AS id
		)
		SELECT
			(SELECT m.id FROM matches m WHERE m.user_a = $1 AND m.user_b = $2) AS match_id,
			(SELECT c.conversation_id FROM conversation_sides c WHERE c.member_id = $1 AND c.peer_id = $2) AS conversation_id,
			EXISTS (SELECT FROM ended) OR closed.id IS NOT NULL AS ended_now,
			EXISTS (
				SELECT
				FROM matches m
				WHERE m.user_a = $1
					AND m.user_b = $2
					AND m.unmatched_by = $3
					AND m.unmatched_at > now() - interval '1 day'
			) AS ended_today
		FROM closed`, a, b, by)
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[ending])
}

// selectPeer returns the other member of a match, ended or not.
func selectPeer(ctx context.Context, tx pgx.Tx, member, id uuid.UUID) (other uuid.UUID, err error) {
	err = tx.QueryRow(ctx, `
		SELECT CASE user_a WHEN $1 THEN user_b ELSE user_a END
		FROM matches
		WHERE id = $2
			AND $1 IN (user_a, user_b)`, member, id).Scan(&other)
	return other, err
}

func updateSeen(ctx context.Context, db pg.DB, member, id uuid.UUID) error {
	tag, err := db.Exec(ctx, `
		UPDATE matches
		SET
			seen_by_a = seen_by_a OR user_a = $1,
			seen_by_b = seen_by_b OR user_b = $1
		WHERE id = $2
			AND $1 IN (user_a, user_b)
			AND unmatched_at IS NULL`, member, id)
	if err == nil && tag.RowsAffected() == 0 {
		return noMatch()
	}
	return pg.Fault(err)
}
