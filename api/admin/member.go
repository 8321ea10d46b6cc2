package admin

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/auth"
	"heartward/api/members"
	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// MemberDetail is a member as admins and moderators see them: without messages, the texts of the profile and
// the religion.
type MemberDetail struct {
	Member
	Email         string     `json:"email"`
	DeletionDueAt *time.Time `json:"deletionDueAt" nullable:"true" doc:"Null unless the member has asked for the deletion of the account"`
	VerifiedAt    *time.Time `json:"verifiedAt" nullable:"true"`
	PremiumUntil  *time.Time `json:"premiumUntil" nullable:"true"`
	Photos        int        `json:"photos"`
	Matches       int        `json:"matches" doc:"Open matches"`
	Conversations int        `json:"conversations" doc:"Open conversations, and requests"`

	Sessions []auth.DeviceSessions `json:"sessions" doc:"By kind of device, the most recently used first"`
	moderation.Record
}

// Member returns one member with the record of sanctions and reports, without reports by the admin. It returns NotFound
// for an unknown member.
func (s *Service) Member(ctx context.Context, admin, id uuid.UUID) (MemberDetail, error) {
	d, err := selectMember(ctx, s.pool, id)
	if err != nil {
		return d, pg.Fault(err)
	}
	d.CreatedAt, d.LastActiveAt = web.Time(d.CreatedAt), web.Time(d.LastActiveAt)
	for _, at := range []**time.Time{&d.SuspendedUntil, &d.DeletionDueAt, &d.VerifiedAt, &d.PremiumUntil} {
		if *at != nil {
			*at = new(web.Time(**at))
		}
	}
	if d.Sessions, err = auth.SessionsByDevice(ctx, s.pool, id); err != nil {
		return d, err
	}
	d.Record, err = moderation.RecordOf(ctx, s.pool, admin, id)
	return d, err
}

// SetFeatured sets whether a member precedes others of the same score, or turns the setting over if
// featured is nil, and records the change with its reason in the audit log. A repetition with a
// setting changes nothing.
//
// Errors: Invalid without a reason; NotFound for an unknown member; Forbidden for the admin's
// own account and for other admins and moderators.
func (s *Service) SetFeatured(ctx context.Context, admin, id uuid.UUID, featured *bool, reason string) error {
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		standing, err := members.LockStanding(ctx, tx, id)
		if err != nil {
			return err
		}
		if standing.IsStaff {
			return fault.New(fault.Forbidden, "The account of an admin or a moderator cannot be changed here.")
		}
		isFeatured, changed, err := members.SetFeatured(ctx, tx, id, featured)
		if err != nil || !changed {
			return err
		}
		return moderation.Audit(ctx, tx, admin, "member.featured", id, reason, map[string]any{"featured": isFeatured})
	})
}

func selectMember(ctx context.Context, db pg.DB, id uuid.UUID) (d MemberDetail, err error) {
	row := db.QueryRow(ctx, `
		SELECT `+memberColumns+`,
			u.email,
			u.deletion_due_at,
			u.verified_at,
			u.premium_until,
			(SELECT count(*) FROM profile_media p WHERE p.user_id = u.id AND p.slot = 'photo'),
			(SELECT count(*) FROM match_sides m WHERE m.member_id = u.id AND m.unmatched_at IS NULL),
			(SELECT count(*) FROM conversation_sides c WHERE c.member_id = u.id AND c.closed_at IS NULL)
		FROM managed_members u
		WHERE u.id = $1`, id)
	err = row.Scan(append(d.targets(), &d.Email, &d.DeletionDueAt, &d.VerifiedAt, &d.PremiumUntil, &d.Photos, &d.Matches, &d.Conversations)...)
	return d, err
}
