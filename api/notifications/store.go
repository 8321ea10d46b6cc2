package notifications

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/members"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
	"heartward/push"
)

// saveSubscription stores a subscription and deletes a member's oldest ones above
// maxDevices. The lock on the member serialises concurrent calls. A session is one
// device, so a new endpoint gets the settings of the session's previous one. showsContent is
// the device's choice, nil for none.
func saveSubscription(ctx context.Context, pool *pgxpool.Pool, actor web.Actor, to push.Subscription, showsContent *bool) (stored StoredSubscription, err error) {
	id, err := uuid.NewV7()
	if err != nil {
		return stored, err
	}
	return pg.Tx(ctx, pool, func(tx pgx.Tx) (stored StoredSubscription, err error) {
		if err := members.Lock(ctx, tx, actor.ID); err != nil {
			return stored, err
		}
		err = tx.QueryRow(ctx, `
			WITH previous AS (
				SELECT categories, shows_content
				FROM push_subscriptions
				WHERE user_id = $2
					AND session_id = $3
				ORDER BY created_at DESC, id DESC
				LIMIT 1
			)
			INSERT INTO push_subscriptions AS s (id, user_id, session_id, endpoint, p256dh, auth, categories, shows_content)
			VALUES (
				$1,
				$2,
				$3,
				$4,
				$5,
				$6,
				(SELECT categories FROM previous),
				coalesce(
					$7,
					(SELECT shows_content FROM previous),
					NOT EXISTS (SELECT FROM shared_sessions WHERE session_id = $3)
				)
			)
			ON CONFLICT (endpoint) DO UPDATE SET
				user_id = excluded.user_id,
				session_id = excluded.session_id,
				p256dh = excluded.p256dh,
				auth = excluded.auth,
				categories = CASE WHEN s.user_id = excluded.user_id THEN s.categories ELSE excluded.categories END,
				shows_content = CASE WHEN s.user_id = excluded.user_id THEN coalesce($7, s.shows_content) ELSE excluded.shows_content END
			RETURNING id = $1, shows_content`, id, actor.ID, actor.SessionID, to.Endpoint, to.P256dh, to.Auth, showsContent).
			Scan(&stored.Created, &stored.ShowsContent)
		if err != nil {
			return stored, err
		}
		_, err = tx.Exec(ctx, `
			DELETE FROM push_subscriptions
			WHERE id IN (
				SELECT id
				FROM push_subscriptions
				WHERE user_id = $1
					AND endpoint <> $2
				ORDER BY created_at DESC, id DESC
				OFFSET $3
			)`, actor.ID, to.Endpoint, maxDevices-1)
		return stored, err
	})
}

// deleteDevice deletes a subscription, unless its endpoint has changed.
func deleteDevice(ctx context.Context, db pg.DB, id uuid.UUID, endpoint string) error {
	_, err := db.Exec(ctx, `DELETE FROM push_subscriptions WHERE id = $1 AND endpoint = $2`, id, endpoint)
	return err
}

// hasCategory is an SQL condition on s, a subscription: it has category $1.
const hasCategory = `(s.categories IS NULL OR $1 = '' OR $1 = ANY (s.categories))`

// ofEndedAdmin is an SQL condition on s, a subscription: its session is one of an admin that has ended.
const ofEndedAdmin = `EXISTS (SELECT FROM ended_admin_sessions e WHERE e.session_id = s.session_id)`

// devicesFor returns the ids of the member's devices with a category, without those of
// sessions of admins that have ended.
func devicesFor(ctx context.Context, db pg.DB, member uuid.UUID, category Category) ([]uuid.UUID, error) {
	rows, err := db.Query(ctx, `
		SELECT s.id
		FROM push_subscriptions s
		WHERE s.user_id = $2
			AND `+hasCategory+`
			AND NOT `+ofEndedAdmin, string(category), member)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// device is a subscription with the setting of its device.
type device struct {
	push.Subscription
	showsContent bool
}

// readDevice returns a device. It returns pgx.ErrNoRows if the device does
// not exist, belongs to another member or to a session of an admin that has ended, or does
// not have the category.
func readDevice(ctx context.Context, db pg.DB, id, member uuid.UUID, category Category) (d device, err error) {
	err = db.QueryRow(ctx, `
		SELECT
			s.endpoint,
			s.p256dh,
			s.auth,
			s.shows_content
		FROM push_subscriptions s
		WHERE s.id = $2
			AND s.user_id = $3
			AND `+hasCategory+`
			AND NOT `+ofEndedAdmin, string(category), id, member).Scan(&d.Endpoint, &d.P256dh, &d.Auth, &d.showsContent)
	return d, err
}
