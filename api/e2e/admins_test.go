package e2e_test

import (
	"regexp"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

var setupCode = regexp.MustCompile(`Setup code for the second factor, valid once within 24 hours: ((?:[A-Z2-7]{5}-){5}[A-Z2-7])\n`)

// The commands on a running public site: grant and reset-factor print a setup code, of which
// only the hash is stored.
func TestAdmin_CommandsPrintSetupCode(t *testing.T) {
	t.Parallel()
	p := newInstance(t)
	p.variables = publicSite
	p.serve("--no-work")
	conn := p.connect()
	ada, bea := uuid.New(), uuid.New()
	for id, email := range map[uuid.UUID]string{ada: "ada@example.test", bea: "bea@example.test"} {
		p.exec(conn, `INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
			VALUES ($1, $2, 'Someone Else', 'Someone', '1990-01-01', left($3, 8))`, id, email, id.String())
	}
	require.NoError(t, conn.Close(t.Context()))

	p.requireRefused(nil, "no admin and no moderator has the address ada@example.test", "admin", "reset-factor", "ada@example.test")
	granted := p.run(nil, "admin", "grant", "Ada@example.test")
	require.Zero(t, granted.code, granted.err)
	require.Contains(t, granted.out, "https://heartward.test/admin/login")
	first := setupCode.FindStringSubmatch(granted.out)
	require.Len(t, first, 2, granted.out)
	require.Zero(t, p.run(nil, "admin", "grant", "bea@example.test").code)
	require.Equal(t, 1, p.query(`SELECT count(*) FROM river_job WHERE kind = 'admin_notice' AND args->>'recipientId' = $1 AND args->>'event' = 'granted'`, ada.String()))

	p.query(`WITH added AS (
		INSERT INTO passkeys (id, user_id, credential_id, public_key, sign_count, flags, name) VALUES ($1, $1, 'c', 'k', 0, 0, 'lost') RETURNING 1
	), session AS (
		INSERT INTO sessions (id, token_hash, user_id, expires_at) VALUES ($1, sha256('t'), $1, now() + interval '1 hour') RETURNING 1
	) SELECT count(*) FROM added, session`, ada)
	reset := p.run(nil, "admin", "reset-factor", "ada@example.test")
	require.Zero(t, reset.code, reset.err)
	second := setupCode.FindStringSubmatch(reset.out)
	require.Len(t, second, 2, reset.out)
	require.NotEqual(t, first[1], second[1])
	require.Zero(t, p.query(`SELECT count(*) FROM passkeys`))
	require.Zero(t, p.query(`SELECT count(*) FROM sessions`))
	require.Equal(t, 1, p.query(`SELECT count(*) FROM audit_log WHERE action = 'admin.reset_factor' AND subject_id = $1`, ada))
	require.Equal(t, 1, p.query(`SELECT count(*) FROM factor_setup_codes WHERE user_id = $1`, ada))

	require.Zero(t, p.run(nil, "admin", "set-birth-date", "Ada@example.test", "1970-02-03", "--reason", "passport").code)
	require.Equal(t, 1, p.query(`SELECT count(*) FROM users WHERE id = $1 AND birth_date = '1970-02-03' AND birth_date_exact`, ada))
	require.Equal(t, 1, p.query(`SELECT count(*) FROM audit_log WHERE action = 'member.birth_date' AND subject_id = $1 AND reason = 'passport'`, ada))
	p.requireRefused(nil, "invalid: You must be at least 18", "admin", "set-birth-date", "ada@example.test", "2020-02-03", "--reason", "passport")

	for range 2 { // the second one changes nothing
		revoked := p.run(nil, "admin", "revoke", "bea@example.test")
		require.Zero(t, revoked.code, revoked.err)
		require.NotContains(t, revoked.out, "Setup code")
		require.Equal(t, 1, p.query(`SELECT count(*) FROM river_job WHERE kind = 'admin_notice' AND args->>'recipientId' = $1 AND args->>'event' = 'revoked'`, ada.String()))
	}

	require.Contains(t, p.run(nil, "admin", "address-collisions").out, "0 mailboxes with several accounts\n")
	p.query(`WITH old AS (
		INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code, created_at)
		VALUES ($1, 'k.i.m@gmail.com', 'Kim', 'Kim', '1990-01-01', 'OLDKIM01', now() - interval '2 days'),
			($2, 'kim+x@googlemail.com', 'Kim', 'Kim', '1990-01-01', 'OLDKIM02', now() - interval '1 day')
		RETURNING 1
	) SELECT count(*) FROM old`, uuid.New(), uuid.New())
	require.Regexp(t, `^kim@gmail\.com\n  \S+  joined \S+  active  k\.i\.m@gmail\.com\n  \S+  joined \S+  active  kim\+x@googlemail\.com\n1 mailboxes with several accounts\n$`,
		p.run(nil, "admin", "address-collisions").out)
}
