package conversations

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/bus"
)

// TouchSide makes the devices of one member of the conversation sync.
func TouchSide(ctx context.Context, tx pgx.Tx, member, conversation uuid.UUID) error {
	_, err := tx.Exec(ctx, `
		UPDATE conversations SET `+setSideChanged+`
		WHERE id = $2`, member, conversation)
	return err
}

// setSideChanged are assignments of an UPDATE of conversations that make only the devices
// of member $1 sync.
const setSideChanged = `
	a_changed_xid = CASE user_a WHEN $1 THEN pg_current_xact_id() ELSE a_changed_xid END,
	b_changed_xid = CASE user_b WHEN $1 THEN pg_current_xact_id() ELSE b_changed_xid END`

// PublishSync makes the devices of these members sync.
func (s *Service) PublishSync(recipients ...uuid.UUID) {
	event := bus.Event("", struct {
		Type string `json:"type"`
	}{"sync"})
	for _, member := range recipients {
		s.events.Publish(bus.MemberSubject(member), event)
	}
}
