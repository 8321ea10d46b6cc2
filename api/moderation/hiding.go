package moderation

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/members"
	"heartward/api/platform/pg"
)

const (
	// hidingTerm is the time after which a hiding ends if nobody has decided.
	hidingTerm = 72 * time.Hour
	underage   = Reason("underage")
)

// hiding is what an urgent report does to the profile of the reported member.
type hiding struct {
	hides    bool       // the report keeps the profile under review
	until    *time.Time // nil until the decision
	wasShown bool       // the profile was shown before the report
}

// hidingOf returns what a report does to the profile of the reported member, by the rules of decision 61. The caller
// must hold the locks of both members.
func hidingOf(ctx context.Context, tx pgx.Tx, reporter uuid.UUID, in ReportInput) (h hiding, err error) {
	if in.Reason.priority() > 0 {
		return h, nil
	}
	var mayHide bool
	if h.wasShown, mayHide, err = selectHidable(ctx, tx, in.UserID); err != nil || !mayHide {
		return h, err
	}
	if credible, err := isCredible(ctx, tx, reporter, in.UserID); err != nil || !credible {
		return h, err
	}
	past, err := selectPastHidings(ctx, tx, in.UserID)
	if err != nil {
		return h, err
	}
	if h.hides, err = past.allow(ctx, tx, reporter, in); err != nil {
		return h, err
	}
	if h.hides && in.Reason != underage { // a member who may be under 18 is hidden until the decision
		h.until = cmp.Or(past.endsAt, new(time.Now().Add(hidingTerm).UTC().Truncate(time.Microsecond)))
	}
	return h, nil
}

// isCredible reports whether reporter may hide the member at all: not after two urgent reports that a moderator found
// unfounded, and only with a match, a conversation or a message from the member, or with a complete profile
// and an account older than 48 hours. A request by the reporter is no conversation.
func isCredible(ctx context.Context, tx pgx.Tx, reporter, member uuid.UUID) (credible bool, err error) {
	err = tx.QueryRow(ctx, `
		SELECT
			(
				SELECT count(*)
				FROM reports r
				WHERE r.reporter_id = u.id
					AND r.priority = 0
					AND r.action_taken = 'no_action'
					AND r.reported_user_id IS NOT NULL
			) < 2
			AND (
				EXISTS (SELECT FROM match_sides m WHERE m.member_id = u.id AND m.peer_id = @member)
				OR EXISTS (
					SELECT
					FROM conversation_sides c
					WHERE c.member_id = u.id
						AND c.peer_id = @member
						AND (c.requested_by IS NULL OR c.requested_by = @member)
				)
				OR (
					u.created_at < now() - interval '48 hours'
					AND (SELECT c.percent = 100 FROM member_completeness c WHERE c.user_id = u.id)
				)
			)
		FROM profiles u
		WHERE u.id = @reporter`, pgx.NamedArgs{"reporter": reporter, "member": member}).Scan(&credible)
	return credible, err
}

// pastHidings are the earlier urgent reports about a member.
type pastHidings struct {
	clearedAt *time.Time // when a moderator found one unfounded, within 30 days and without a sanction since
	endsAt    *time.Time // when the present hiding ends; nil without one that ends by itself
	endedAt   *time.Time // when the last hiding ended without a decision, on which there still is none
}

func selectPastHidings(ctx context.Context, tx pgx.Tx, member uuid.UUID) (p pastHidings, err error) {
	var sanctionedAt *time.Time
	err = tx.QueryRow(ctx, `
		SELECT
			max(reviewed_at) FILTER (WHERE priority = 0 AND action_taken = 'no_action' AND reviewed_at > now() - interval '30 days'),
			max(reviewed_at) FILTER (WHERE action_taken <> 'no_action'),
			min(hides_until) FILTER (WHERE status = 'pending' AND hides_profile),
			max(hides_until) FILTER (WHERE status = 'pending' AND NOT hides_profile)
		FROM reports
		WHERE reported_user_id = $1
			AND source = 'member'`, member).Scan(&p.clearedAt, &sanctionedAt, &p.endsAt, &p.endedAt)
	if p.clearedAt != nil && sanctionedAt != nil && sanctionedAt.After(*p.clearedAt) {
		p.clearedAt = nil
	}
	return p, err
}

// allow reports whether a credible reporter hides the member once more:
//   - always, if no hiding has ended without a decision, and no moderator has cleared the member;
//   - after a hiding without a decision, with new evidence or for the reason underage;
//   - after a moderator has cleared the member, with new evidence or if another credible reporter, who does not know this one, has
//     reported the member since.
//
// New evidence is a message that the member wrote to the reporter later.
func (p pastHidings) allow(ctx context.Context, tx pgx.Tx, reporter uuid.UUID, in ReportInput) (bool, error) {
	undecided := p.endedAt != nil && in.Reason != underage
	if p.clearedAt == nil && !undecided {
		return true, nil
	}
	since := p.clearedAt
	if undecided && (since == nil || p.endedAt.After(*since)) {
		since = p.endedAt
	}
	var isNew bool
	err := tx.QueryRow(ctx, `SELECT coalesce(last_message_to($1, $2) > $3, false)`, in.UserID, reporter, since).Scan(&isNew)
	if err != nil || isNew || undecided {
		return isNew, err
	}
	others, err := selectStrangerReporters(ctx, tx, reporter, in.UserID, *since)
	if err != nil {
		return false, err
	}
	for _, other := range others {
		if credible, err := isCredible(ctx, tx, other, in.UserID); err != nil || credible {
			return credible, err
		}
	}
	return false, nil
}

// selectStrangerReporters returns who has a pending urgent report about the member since a time and does not know
// reporter: the two have no match, conversation or couple, neither invited the other, and they have not used the same browser.
func selectStrangerReporters(ctx context.Context, tx pgx.Tx, reporter, member uuid.UUID, since time.Time) ([]uuid.UUID, error) {
	rows, _ := tx.Query(ctx, `
		SELECT DISTINCT r.reporter_id
		FROM reports r
		WHERE r.reported_user_id = @member
			AND r.reporter_id <> @reporter
			AND r.status = 'pending'
			AND r.priority = 0
			AND r.created_at > @since
			AND NOT have_same_browser(r.reporter_id, @reporter)
			AND NOT EXISTS (SELECT FROM match_sides m WHERE m.member_id = @reporter AND m.peer_id = r.reporter_id)
			AND NOT EXISTS (SELECT FROM conversation_sides c WHERE c.member_id = @reporter AND c.peer_id = r.reporter_id)
			AND NOT EXISTS (SELECT FROM couple_sides c WHERE c.member_id = @reporter AND c.peer_id = r.reporter_id)
			AND NOT EXISTS (
				SELECT
				FROM joined_referrals j
				WHERE (j.referrer_id, j.referred_id) IN ((@reporter, r.reporter_id), (r.reporter_id, @reporter)))`,
		pgx.NamedArgs{"member": member, "reporter": reporter, "since": since})
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// HidingEndArgs are the arguments of the job that ends the hiding by a report.
type HidingEndArgs struct {
	ReportID uuid.UUID `json:"reportId" river:"unique"`
	// The end, because a report can hide again after new evidence.
	At time.Time `json:"at" river:"unique"`
}

// Kind returns the name of the job in River.
func (HidingEndArgs) Kind() string { return "hiding_end" }

// InsertOpts allow one job per report and end. River retries it for months, because the profile must be shown again.
func (HidingEndArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 50, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// startHiding puts the profile under review, and enqueues what follows: the end, and what tells the member if the
// profile was shown before.
func (s *Service) startHiding(ctx context.Context, tx pgx.Tx, report, member uuid.UUID, h hiding) error {
	if err := members.PutUnderReview(ctx, tx, member); err != nil {
		return err
	}
	if h.until != nil {
		if _, err := s.jobs.InsertTx(ctx, tx, HidingEndArgs{report, *h.until}, &river.InsertOpts{ScheduledAt: *h.until}); err != nil {
			return err
		}
	}
	if !h.wasShown {
		return nil
	}
	if _, err := s.jobs.InsertTx(ctx, tx, HiddenMailArgs{report}, nil); err != nil {
		return err
	}
	_, err := s.jobs.InsertTx(ctx, tx, HiddenArgs{report}, nil)
	return err
}

// EndHiding ends the hiding by a pending report whose time is over, and shows the profile again unless another report
// hides it. The report stays pending. It does nothing if the report was decided.
func (s *Service) EndHiding(ctx context.Context, report uuid.UUID) error {
	shown, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (*uuid.UUID, error) { return endHiding(ctx, tx, report) })
	if err == nil && shown != nil {
		s.notifyStatusChange(ctx, *shown)
	}
	return pg.Fault(err)
}

// endHiding returns the member whose profile is shown again; nil if there is none.
func endHiding(ctx context.Context, tx pgx.Tx, report uuid.UUID) (*uuid.UUID, error) {
	// A minute for clocks that differ: the end is from the clock of the server that stored the report.
	const due = `
			id = $1
			AND status = 'pending'
			AND hides_profile
			AND hides_until <= now() + interval '1 minute'`
	var member uuid.UUID
	err := tx.QueryRow(ctx, `SELECT reported_user_id FROM reports WHERE reported_user_id IS NOT NULL AND `+due, report).Scan(&member)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := members.Lock(ctx, tx, member); err != nil {
		return nil, err
	}
	if _, err := tx.Exec(ctx, `UPDATE reports SET hides_profile = false WHERE `+due, report); err != nil {
		return nil, err
	}
	if shown, err := members.EndReview(ctx, tx, member); err != nil || !shown {
		return nil, err
	}
	return &member, nil
}
