package auth

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{
		"sessions", "session_activity", "revoked_sessions", "login_codes", "known_browsers", "security_notices",
		"passkeys", "passkey_challenges", "authenticator_apps", "factor_setup_codes", "recovery_codes", "job_page_links", "email_changes",
		"age_refusals",
	},
	Export: Export,
	Expired: []feature.Expired{
		// Sessions are deleted at their absolute end, even if they were idle for too long before: an index to find idle
		// sessions would be updated once a minute for each session in use. Those of admins, which are few, are deleted
		// when they have ended, with their devices for push.
		{Table: "sessions", Where: `expires_at < now()`},
		{Table: "sessions", Where: `id IN (SELECT session_id FROM ended_admin_sessions)`},
		{Table: "revoked_sessions", Where: `expires_at < now()`},
		{Table: "passkey_challenges", Where: `expires_at < now()`},
		{Table: "factor_setup_codes", Where: `expires_at < now()`},
		{Table: "job_page_links", Where: `expires_at < now()`},
		// Codes are stored for a day after their end, known browsers for the lifetime of their cookie.
		{Table: "login_codes", Where: `expires_at < now() - interval '1 day'`},
		{Table: "known_browsers", Where: `used_at < now() - interval '400 days'`},
		{Table: "email_changes", Where: `expires_at < now()`},
		{Table: "age_refusals", Where: `expires_at < now()`},
		{Table: "security_notices", Where: `created_at < now() - interval '7 days'`},
	},
}
