package notifications

import (
	"context"

	"github.com/google/uuid"

	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

// mailSettings has, for each kind of mail that a link turns off, the key of its setting. The setting of requests to graduate is
// also that of their notifications, so the link turns off both. The setting of reminders is not in Preferences: only the link
// changes it.
var mailSettings = map[mail.Kind]string{mail.Digests: "digest", mail.Graduations: "graduation", mail.Reminders: "startReminder"}

// CheckUnsubscribe returns the kind of mail that the token of a link turns off, or NotFound for another token.
func CheckUnsubscribe(token string) (mail.Kind, error) {
	s, err := mail.ParseUnsubscribe(token)
	return s.Kind, err
}

// SetMail turns a kind of mail on or off for the member whose link has the token, and returns the kind. It can be
// repeated, and does nothing for a deleted member. It returns NotFound for another token.
func (s *Service) SetMail(ctx context.Context, token string, wanted bool) (mail.Kind, error) {
	subscription, err := mail.ParseUnsubscribe(token)
	if err != nil {
		return "", err
	}
	return subscription.Kind, setMail(ctx, s.pool, subscription.Member, subscription.Kind, wanted)
}

// TurnOffMail returns a function that turns a kind of mail off for a member. It can be repeated, and does nothing for a
// deleted member and for a kind without a setting.
func TurnOffMail(kind mail.Kind) func(ctx context.Context, db pg.DB, member uuid.UUID) error {
	return func(ctx context.Context, db pg.DB, member uuid.UUID) error {
		return setMail(ctx, db, member, kind, false)
	}
}

func setMail(ctx context.Context, db pg.DB, member uuid.UUID, kind mail.Kind, wanted bool) error {
	setting, ok := mailSettings[kind]
	if !ok {
		return nil
	}
	_, err := db.Exec(ctx, `
		INSERT INTO notification_settings AS n (user_id, preferences)
		SELECT
			id,
			jsonb_build_object($2::text, $3::boolean)
		FROM profiles
		WHERE id = $1
		ON CONFLICT (user_id) DO UPDATE SET
			preferences = n.preferences || excluded.preferences,
			updated_at = now()`, member, setting, wanted)
	return pg.Fault(err)
}
