package digest

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

// The states of a digest.
const (
	stateQueued  = "queued"
	stateSending = "sending"
	stateSent    = "sent"
	stateFailed  = "failed"
	stateSkipped = "skipped"
)

// Reasons of failed and skipped digests. skipReason has those of skipped members.
const (
	reasonNothingNew  = "nothing_new" // the mail would have no contents
	reasonWithheld    = "withheld"    // the address takes no such mail
	reasonRefused     = "refused"     // the mail server refused it for good
	reasonUnavailable = "unavailable" // the mail server did not accept it in any attempt
	reasonInterrupted = "interrupted" // it may or may not have arrived
	reasonExpired     = "expired"     // it was not sent in time
)

// skipReason is an SQL expression on the profile u of a member and digest_settings n:
// the reason for which the member gets no digest; NULL for none.
const skipReason = `CASE
		WHEN u.profile_status <> 'active' OR NOT u.is_approved THEN 'not_active'
		WHEN u.is_graduated THEN 'graduated'
		WHEN u.is_paused THEN 'paused'
		WHEN NOT coalesce(n.wants_digest, true) THEN 'opted_out'
		WHEN (SELECT a.last_active_at FROM member_activities a WHERE a.user_id = u.id) < now() - interval '90 days' THEN 'inactive'
		WHEN u.created_at > now() - interval '1 day' THEN 'new_member'
	END`

// insertRun reports false if the week has a run already.
func insertRun(ctx context.Context, tx pgx.Tx, week Week) (bool, error) {
	tag, err := tx.Exec(ctx, `INSERT INTO digest_runs (week) VALUES ($1) ON CONFLICT DO NOTHING`, week)
	return tag.RowsAffected() == 1, err
}

type run struct {
	startedAt time.Time
	enqueued  bool // all mails are enqueued
}

func selectRun(ctx context.Context, db pg.DB, week Week) (r run, exists bool, err error) {
	err = db.QueryRow(ctx, `SELECT started_at, enqueued_at IS NOT NULL FROM digest_runs WHERE week = $1`, week).Scan(&r.startedAt, &r.enqueued)
	if errors.Is(err, pgx.ErrNoRows) {
		return r, false, nil
	}
	return r, err == nil, err
}

// count is the number of members with an outcome.
type count struct {
	State, Reason string
	Count         int
}

func selectCounts(ctx context.Context, db pg.DB, week Week) ([]count, error) {
	rows, _ := db.Query(ctx, `
		SELECT state, coalesce(reason, ''), count(*)
		FROM digest_mails
		WHERE week = $1
		GROUP BY 1, 2`, week)
	return pgx.CollectRows(rows, pgx.RowToStructByPos[count])
}

// lockRun locks a run until tx ends, and returns the last member, by id, whose mail is enqueued, or the zero id before the first.
// It returns pgx.ErrNoRows if all mails are enqueued.
func lockRun(ctx context.Context, tx pgx.Tx, week Week) (after uuid.UUID, err error) {
	err = tx.QueryRow(ctx, `
		SELECT coalesce(enqueued_to, '00000000-0000-0000-0000-000000000000')
		FROM digest_runs
		WHERE week = $1
			AND enqueued_at IS NULL
		FOR UPDATE`, week).Scan(&after)
	return after, err
}

// inserted is a digest that insertMails inserted.
type inserted struct {
	Member uuid.UUID
	State  string
}

// insertMails inserts the digests of the next limit members after a member, by id.
func insertMails(ctx context.Context, tx pgx.Tx, week Week, after uuid.UUID, limit int) ([]inserted, error) {
	rows, _ := tx.Query(ctx, `
		WITH batch AS (
			SELECT
				u.id,
				`+skipReason+` AS reason
			FROM profiles u
			LEFT JOIN digest_settings n ON n.user_id = u.id
			WHERE u.id > $2
			ORDER BY u.id
			LIMIT $3
			FOR KEY SHARE OF u -- so that a member who is being deleted is left out
		), added AS (
			INSERT INTO digest_mails (user_id, week, state, reason)
			SELECT
				id,
				$1,
				CASE WHEN reason IS NULL THEN 'queued' ELSE 'skipped' END,
				reason
			FROM batch
			RETURNING user_id, state
		)
		SELECT user_id, state
		FROM added
		ORDER BY user_id`, week, after, limit)
	return pgx.CollectRows(rows, pgx.RowToStructByPos[inserted])
}

// updateRun stores the last member, by id, whose mail is enqueued, and whether all mails are.
func updateRun(ctx context.Context, tx pgx.Tx, week Week, to uuid.UUID, all bool) error {
	_, err := tx.Exec(ctx, `
		UPDATE digest_runs
		SET
			enqueued_to = $2,
			enqueued_at = CASE WHEN $3 THEN now() END
		WHERE week = $1`, week, to, all)
	return err
}

// recipient is a member with the row of the digest.
type recipient struct {
	state      string
	reader     mail.Reader
	startedAt  time.Time // of the run
	isExpired  bool      // the mail has waited for too long
	skipReason string    // why the member gets no digest; empty if there is one
}

// selectRecipient returns pgx.ErrNoRows if there is no such digest, such as after the deletion
// of the member.
func selectRecipient(ctx context.Context, db pg.DB, member uuid.UUID, week Week) (recipient, error) {
	type row struct {
		State, Email, FirstName, TimeZone string
		IsPrivate, IsDiscreet             bool
		StartedAt                         time.Time
		IsExpired                         bool
		SkipReason                        string
	}
	rows, _ := db.Query(ctx, `
		SELECT
			d.state,
			c.email,
			u.first_name,
			coalesce(n.time_zone, 'UTC') AS time_zone,
			coalesce(n.is_private, false) AS is_private,
			coalesce(n.is_discreet, false) AS is_discreet,
			r.started_at,
			r.started_at < now() - $3::interval AS is_expired,
			coalesce(`+skipReason+`, '') AS skip_reason
		FROM profiles u
		JOIN credentials c ON c.user_id = u.id
		JOIN digest_mails d ON d.user_id = u.id
		JOIN digest_runs r ON r.week = d.week
		LEFT JOIN digest_settings n ON n.user_id = u.id
		WHERE u.id = $1
			AND d.week = $2`, member, week, lateness)
	found, err := pgx.CollectOneRow(rows, pgx.RowToStructByName[row])
	return recipient{
		state: found.State, startedAt: found.StartedAt, isExpired: found.IsExpired, skipReason: found.SkipReason,
		reader: mail.Reader{
			Address: found.Email, Name: found.FirstName, Zone: members.ZoneOfMail(found.TimeZone),
			Manner: mail.Manner{IsPrivate: found.IsPrivate, IsDiscreet: found.IsDiscreet},
		},
	}, err
}

// setState changes the state of a digest if it is from, and reports whether it was.
func setState(ctx context.Context, db pg.DB, args SendArgs, from, to, reason string) (bool, error) {
	tag, err := db.Exec(ctx, `
		UPDATE digest_mails
		SET
			state = $4,
			reason = nullif($5, ''),
			changed_at = now()
		WHERE user_id = $1
			AND week = $2
			AND state = $3`, args.MemberID, args.Week, from, to, reason)
	return tag.RowsAffected() == 1, err
}

// FailStale marks as failed at most limit digests that will not be sent: those that have been
// sending for ten minutes, whose worker was interrupted, and those that wait for 48 hours after
// the start of their run. It returns the number of digests.
func FailStale(ctx context.Context, db pg.DB, limit int) (int, error) {
	tag, err := db.Exec(ctx, `
		UPDATE digest_mails
		SET
			state = 'failed',
			reason = CASE state WHEN 'sending' THEN 'interrupted' ELSE 'expired' END,
			changed_at = now()
		WHERE ctid = ANY (ARRAY(
			SELECT d.ctid
			FROM digest_mails d
			JOIN digest_runs r ON r.week = d.week
			WHERE d.state = 'sending' AND d.changed_at < now() - interval '10 minutes'
				OR d.state = 'queued' AND r.started_at < now() - $1::interval
			LIMIT $2
			FOR UPDATE OF d SKIP LOCKED))`, lateness, limit)
	return int(tag.RowsAffected()), err
}
