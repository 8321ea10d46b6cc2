package delivery

import (
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

// The states of a mail to a recipient.
const (
	stateSending    = "sending"
	stateWaiting    = "waiting"
	stateUnknown    = "unknown"
	stateSent       = "sent"
	stateFailed     = "failed"
	stateWithheld   = "withheld"
	stateBounced    = "bounced"
	stateComplained = "complained"
)

// maxAnswer is the number of characters that are stored of an answer.
const maxAnswer = 500

// delivery is a row of mail_deliveries.
type delivery struct {
	id        uuid.UUID
	member    *uuid.UUID // nil without an account
	mac       []byte     // of the address
	messageID string     // empty for a mail that is sent once only
	kind      mail.Kind
	state     string
	outcome   string // of the last attempt; empty for none
	attempts  int
}

// lockDelivery inserts the row of a mail to an address unless there is one, locks it, and returns it. A mail without a
// messageID always gets a new row.
func lockDelivery(ctx context.Context, tx pgx.Tx, d delivery) (delivery, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return d, err
	}
	err = tx.QueryRow(ctx, `
		INSERT INTO mail_deliveries AS d (id, user_id, address_mac, message_id, kind, state)
		VALUES ($1, $2, $3, nullif($4, ''), $5, 'waiting')
		ON CONFLICT (message_id, address_mac) DO UPDATE SET user_id = excluded.user_id
		RETURNING
			d.id,
			d.state,
			coalesce(d.outcome, ''),
			d.attempts`, id, d.member, d.mac, d.messageID, string(d.kind)).Scan(&d.id, &d.state, &d.outcome, &d.attempts)
	return d, err
}

// startAttempt sets the state to sending and counts the attempt.
func startAttempt(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `
		UPDATE mail_deliveries
		SET
			state = 'sending',
			attempts = attempts + 1,
			changed_at = now()
		WHERE id = $1`, id)
	return err
}

func setState(ctx context.Context, tx pgx.Tx, id uuid.UUID, state string) error {
	_, err := tx.Exec(ctx, `
		UPDATE mail_deliveries
		SET
			state = $2,
			changed_at = now()
		WHERE id = $1`, id, state)
	return err
}

func setResult(ctx context.Context, tx pgx.Tx, id uuid.UUID, state string, outcome mail.Outcome, answer mail.Answer) error {
	_, err := tx.Exec(ctx, `
		UPDATE mail_deliveries
		SET
			state = $2,
			outcome = nullif($3, ''),
			status = nullif($4, ''),
			answer = nullif($5, ''),
			changed_at = now()
		WHERE id = $1`, id, state, string(outcome), answer.Status, shorten(answer.Text))
	return err
}

// shorten returns an answer in its stored form: valid UTF-8 without zero bytes, of at most maxAnswer characters.
func shorten(text string) string {
	valid := []rune{}
	for _, r := range text {
		if r == utf8.RuneError || r == 0 {
			continue
		}
		if valid = append(valid, r); len(valid) == maxAnswer {
			break
		}
	}
	return string(valid)
}

// fullFrom is the score from which optional mails are withheld from a full mailbox. Each refused mail adds 1 and the score
// decays, so three refused mails within a day or two reach it.
const fullFrom = 2.5

// score is an SQL expression: the score of a suppression now. It is halved each week.
const score = `s.score * 0.5 ^ (extract(epoch FROM now() - s.changed_at) / 604800)`

// probeAfter is the interval in which an address without a mailbox gets one urgent mail. If the server was wrong about the
// mailbox, its member could otherwise never sign in again.
const probeAfter = 24 * time.Hour

// withholdOrProbe returns the outcome with which the mail is withheld from the address, or an empty one if it is sent. An urgent
// mail is withheld only from an address without a mailbox, and once in each probeAfter it is sent there too: withholdOrProbe
// then starts the interval again.
func withholdOrProbe(ctx context.Context, tx pgx.Tx, d delivery) (outcome mail.Outcome, err error) {
	var reason string
	var isProbeDue bool
	err = tx.QueryRow(ctx, `
		SELECT
			s.reason,
			s.changed_at < now() - $4::interval
		FROM mail_suppressions s
		WHERE s.address_mac = $1
			AND (
				s.reason = 'no_mailbox'
				OR $3 AND s.reason = 'mailbox_full' AND `+score+` >= $5
				OR $3 AND s.reason = 'complaint' AND s.kind = $2)
		ORDER BY s.reason = 'no_mailbox' DESC
		LIMIT 1`, d.mac, string(d.kind), d.kind.IsOptional(), probeAfter, fullFrom).Scan(&reason, &isProbeDue)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return "", nil
	case err != nil:
		return "", err
	case reason == "complaint":
		return mail.Refused, nil
	case reason == "no_mailbox" && d.kind.IsUrgent() && isProbeDue:
		_, err = tx.Exec(ctx, `
			UPDATE mail_suppressions
			SET changed_at = now()
			WHERE address_mac = $1
				AND reason = 'no_mailbox'`, d.mac)
		return "", err
	}
	return mail.Outcome(reason), nil
}

// upsertSuppression stores that an address has no mailbox, or adds 1 to the score of a full one, and ends a check. It
// reports whether the address has a problem that it did not have before: no mailbox, or a score that has just reached fullFrom.
// A score that had reached it before is now at least fullFrom + 1, so one below fullFrom + 0.99 has just reached it; 0.01 is
// for the rounding of the type real.
func upsertSuppression(ctx context.Context, tx pgx.Tx, d delivery, reason mail.Outcome, answer mail.Answer) (isNewProblem bool, err error) {
	err = tx.QueryRow(ctx, `
		INSERT INTO mail_suppressions AS s (address_mac, reason, user_id, status, answer)
		VALUES ($1, $2, $3, nullif($4, ''), nullif($5, ''))
		ON CONFLICT (address_mac, reason, kind) DO UPDATE SET
			user_id = excluded.user_id,
			score = CASE s.reason WHEN 'mailbox_full' THEN `+score+` + 1 ELSE 1 END,
			status = excluded.status,
			answer = excluded.answer,
			changed_at = now(),
			checking_at = NULL
		RETURNING CASE s.reason WHEN 'mailbox_full' THEN s.score >= $6 AND s.score < $6 + 0.99 ELSE xmax = 0 END`,
		d.mac, string(reason), d.member, answer.Status, shorten(answer.Text), fullFrom).Scan(&isNewProblem)
	return isNewProblem, err
}

// insertComplaint suppresses a kind of mails for an address.
func insertComplaint(ctx context.Context, tx pgx.Tx, d delivery) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO mail_suppressions (address_mac, reason, kind, user_id)
		VALUES ($1, 'complaint', $2, $3)
		ON CONFLICT DO NOTHING`, d.mac, string(d.kind), d.member)
	return err
}

// deleteSuppressions deletes the suppressions of an address, except complaints.
func deleteSuppressions(ctx context.Context, tx pgx.Tx, mac []byte) error {
	_, err := tx.Exec(ctx, `
		DELETE FROM mail_suppressions
		WHERE address_mac = $1
			AND reason <> 'complaint'`, mac)
	return err
}

// startCheck stores that a mail checks the address. It reports false if the address has no suppression, and while a check that
// began in the last hour has no result.
func startCheck(ctx context.Context, tx pgx.Tx, mac []byte) (bool, error) {
	tag, err := tx.Exec(ctx, `
		UPDATE mail_suppressions s
		SET checking_at = now()
		WHERE s.address_mac = $1
			AND s.reason <> 'complaint'
			AND (s.checking_at IS NULL OR s.checking_at < now() - interval '1 hour')`, mac)
	return tag.RowsAffected() > 0, err
}

// endCheck stores that a check has a result.
func endCheck(ctx context.Context, tx pgx.Tx, mac []byte) error {
	_, err := tx.Exec(ctx, `
		UPDATE mail_suppressions
		SET checking_at = NULL
		WHERE address_mac = $1`, mac)
	return err
}

// selectProblem returns nil if the address takes mail.
func selectProblem(ctx context.Context, db pg.DB, mac []byte) (*MailProblem, error) {
	var p MailProblem
	err := db.QueryRow(ctx, `
		SELECT
			s.reason,
			coalesce(s.answer, ''),
			s.since,
			coalesce(s.checking_at > now() - interval '1 hour', false)
		FROM mail_suppressions s
		WHERE s.address_mac = $1
			AND (s.reason = 'no_mailbox' OR s.reason = 'mailbox_full' AND `+score+` >= $2)
		ORDER BY s.reason = 'no_mailbox' DESC
		LIMIT 1`, mac, fullFrom).Scan(&p.Reason, &p.Answer, &p.Since, &p.IsChecking)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // no problem is no error
	}
	return &p, err
}

// lockReported returns the mail that a report is about, locked, or pgx.ErrNoRows.
func lockReported(ctx context.Context, tx pgx.Tx, id uuid.UUID) (d delivery, err error) {
	d.id = id
	var kind string
	err = tx.QueryRow(ctx, `
		SELECT
			user_id,
			address_mac,
			kind,
			state,
			coalesce(outcome, '')
		FROM mail_deliveries
		WHERE id = $1
		FOR UPDATE`, id).Scan(&d.member, &d.mac, &kind, &d.state, &d.outcome)
	d.kind = mail.Kind(kind)
	return d, err
}

// countEnded returns the numbers of the mails that failed in the last hour, as FailureRatio counts them, and of those that
// ended.
func countEnded(ctx context.Context, db pg.DB) (failed, ended int, err error) {
	err = db.QueryRow(ctx, `
		SELECT
			count(*) FILTER (WHERE state IN ('failed', 'bounced', 'unknown', 'complained')),
			count(*)
		FROM mail_deliveries
		WHERE changed_at > now() - interval '1 hour'
			AND state IN ('sent', 'failed', 'bounced', 'unknown', 'complained')`).Scan(&failed, &ended)
	return failed, ended, err
}

// EndStale ends at most limit mails that will not be sent, and returns their number. A mail that has been sending for ten
// minutes, because its process was interrupted, becomes unknown. A mail that has waited for longer than Lifetime fails.
// Then EndStale logs an error if too many mails of the last hour failed.
func EndStale(ctx context.Context, db pg.DB, limit int) (int, error) {
	tag, err := db.Exec(ctx, `
		UPDATE mail_deliveries
		SET
			state = CASE state WHEN 'sending' THEN 'unknown' ELSE 'failed' END,
			outcome = CASE state WHEN 'sending' THEN outcome ELSE 'expired' END,
			changed_at = now()
		WHERE ctid = ANY (ARRAY(
			SELECT ctid
			FROM mail_deliveries
			WHERE state = 'sending' AND changed_at < now() - interval '10 minutes'
				OR state = 'waiting' AND created_at < now() - $1::interval AND changed_at < now() - interval '5 hours'
			LIMIT $2
			FOR UPDATE SKIP LOCKED))`, Lifetime, limit)
	if err != nil {
		return 0, err
	}
	return int(tag.RowsAffected()), alert(ctx, db)
}
