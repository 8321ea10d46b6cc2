package admin

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/auth"
	"heartward/api/members"
	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
)

// EndSessions ends all sessions of a member, such as those of a stranger who uses the account, closes
// their sockets on every node, and records this with its reason in the audit log. The account keeps its status, so the
// member can sign in again. Without sessions it changes and records nothing.
//
// Errors: Invalid without a reason; NotFound for an unknown member; Forbidden for admins and
// moderators, the own account included.
func (s *Service) EndSessions(ctx context.Context, admin, id uuid.UUID, reason string) error {
	reason, err := moderation.CleanReason(reason)
	if err != nil {
		return err
	}
	ended, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) ([]uuid.UUID, error) {
		standing, err := members.LockStanding(ctx, tx, id)
		if err != nil {
			return nil, err
		}
		if standing.IsStaff {
			return nil, fault.New(fault.Forbidden, "The sessions of an admin or a moderator are ended on the command line.")
		}
		ended, err := auth.RevokeAllTx(ctx, tx, id)
		if err != nil || len(ended) == 0 {
			return nil, err
		}
		return ended, moderation.Audit(ctx, tx, admin, "member.end_sessions", id, reason, map[string]any{"sessions": len(ended)})
	})
	if err == nil {
		auth.PublishEnded(s.events, ended...)
	}
	return err
}
