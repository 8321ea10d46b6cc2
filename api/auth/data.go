package auth

import "heartward/api/platform/feature"

// Data is what happens to the data of this feature.
var Data = feature.Data{
	Tables: []string{
		"sessions", "session_activity", "revoked_sessions", "login_codes", "known_browsers", "security_notices",
		"passkeys", "passkey_challenges", "authenticator_apps", "factor_setup_codes", "recovery_codes", "job_page_links", "email_changes", "earlier_addresses",
		"age_refusals",
	},
	Export: Export,
	Retention: []feature.Retention{
		// Sessions are deleted at their absolute end, even if they were idle for too long before: an index to find idle
		// sessions would be updated once a minute for each session in use. Those of admins, which are few, are deleted
		// when they have ended, with their devices for push.
		{Table: "sessions", What: "sessions", End: feature.At("expires_at", feature.In(memberLifetime)+" after the sign-in")},
		{
			Table: "sessions", What: "sessions of admins and moderators, with their device for push",
			Rows: `id IN (SELECT session_id FROM ended_admin_sessions)`,
			End:  feature.When("when one of an admin or moderator is idle for 15 minutes, or " + feature.In(staffLifetime) + " old"),
		},
		{Table: "session_activity", End: feature.With("sessions", "its session")},
		{Table: "revoked_sessions", What: "hashes of sessions that were ended", End: feature.At("expires_at", "when the session would have ended, "+feature.In(memberLifetime)+" after the sign-in at most")},
		{Table: "login_codes", What: "sign-in codes", End: feature.After(feature.Day, "expires_at", "their end")},
		{Table: "known_browsers", What: "known browsers", End: feature.After(browserCookieLifetime, "used_at", "the last sign-in")},
		{
			Table: "security_notices", What: "mails about sign-ins, passwords, passkeys and changes of the address: device, time, hash of the link",
			End: feature.After(noticeLifetime, "created_at", "the mail"),
		},
		{Table: "email_changes", What: "changes of the e-mail address that are not confirmed", End: feature.At("expires_at", feature.In(emailCodesLifetime)+" after the request, or when the wait of seven days ends")},
		{
			Table: "earlier_addresses", What: "addresses that members replaced, whose mailboxes can undo that",
			End: feature.At("expires_at", feature.In(undoLifetime)+" after the change, or when it is undone"),
		},
		{Table: "passkeys", What: "passkeys: public key, name, times", End: feature.WithAccount().Or("when the member removes one")},
		{Table: "passkey_challenges", What: "challenges of passkeys", End: feature.At("expires_at", feature.In(challengeLifetime)+" after they were made")},
		{Table: "authenticator_apps", What: "secrets of authenticator apps", End: feature.WithAccount().Or("when the admin removes the app")},
		{Table: "factor_setup_codes", What: "setup codes", End: feature.At("expires_at", feature.In(setupCodeLifetime)+" after they were made")},
		{Table: "recovery_codes", What: "recovery codes", End: feature.WithAccount().Or("when they are used or replaced")},
		{
			Table: "job_page_links", What: "links to the job pages",
			End: feature.At("expires_at", feature.In(JobLinkLifetime)+" after they were made; cookies "+feature.In(JobCookieLifetime)+" after the link was used"),
		},
		{Table: "age_refusals", What: "refused ages: keyed hash of a browser or address", End: feature.At("expires_at", feature.In(ageWait)+" after the refusal")},
	},
}
