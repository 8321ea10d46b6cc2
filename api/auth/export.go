package auth

import (
	"context"

	"heartward/api/platform/archive"
)

const exportSessions = `
SELECT to_json(r)
FROM (
	SELECT
		s.user_agent,
		s.place,
		s.proved_at,
		s.factor_at,
		` + lastSeen + ` AS last_seen_at,
		s.expires_at,
		s.is_shared,
		s.created_at
	FROM ` + sessionsWithActivity + `
	WHERE s.user_id = @viewer
	ORDER BY s.created_at
) r`

const exportBrowsers = `
SELECT to_json(r)
FROM (
	SELECT used_at
	FROM known_browsers
	WHERE user_id = @viewer
	ORDER BY used_at
) r`

const exportNotices = `
SELECT to_json(r)
FROM (
	SELECT
		kind,
		user_agent,
		place,
		used_at,
		created_at
	FROM security_notices
	WHERE user_id = @viewer
	ORDER BY created_at
) r`

const exportPasskeys = `
SELECT to_json(r)
FROM (
	SELECT
		name,
		is_factor,
		transports,
		created_at,
		used_at
	FROM passkeys
	WHERE user_id = @viewer
	ORDER BY created_at
) r`

const exportApps = `
SELECT to_json(r)
FROM (
	SELECT
		is_confirmed,
		created_at
	FROM authenticator_apps
	WHERE user_id = @viewer
	ORDER BY created_at
) r`

const exportRecoveryCodes = `
SELECT to_json(r)
FROM (
	SELECT created_at
	FROM recovery_codes
	WHERE user_id = @viewer
	ORDER BY created_at
) r`

const exportEmailChange = `
SELECT to_json(r)
FROM (
	SELECT
		new_email,
		user_agent,
		place,
		new_confirmed_at,
		current_confirmed_at,
		waits_until,
		expires_at,
		created_at
	FROM email_changes
	WHERE user_id = @viewer
) r`

const exportEarlierAddresses = `
SELECT to_json(r)
FROM (
	SELECT
		email,
		changed_at,
		expires_at
	FROM earlier_addresses
	WHERE user_id = @viewer
	ORDER BY changed_at
) r`

const exportCodes = `
SELECT to_json(r)
FROM (
	SELECT
		c.email,
		c.tries,
		c.used_at,
		c.sent_at,
		c.expires_at,
		c.created_at
	FROM login_codes c
	JOIN credentials u ON u.identity_key = c.email
	WHERE u.user_id = @viewer
	ORDER BY c.created_at
) r`

// Export writes what this feature stores of the member, without tokens, codes, keys and their hashes.
func Export(ctx context.Context, w *archive.Writer) error {
	for name, sql := range map[string]string{
		"sign-in/sessions.json": exportSessions, "sign-in/known-browsers.json": exportBrowsers,
		"sign-in/notices.json": exportNotices, "sign-in/codes.json": exportCodes,
		"sign-in/email-change.json": exportEmailChange, "sign-in/earlier-addresses.json": exportEarlierAddresses,
		"sign-in/passkeys.json": exportPasskeys, "sign-in/authenticator-apps.json": exportApps,
		"sign-in/recovery-codes.json": exportRecoveryCodes,
	} {
		if err := w.WriteRows(ctx, name, sql); err != nil {
			return err
		}
	}
	return nil
}
