package delivery

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"heartward/api/platform/mailaddr"
)

// providers are domains whose mail servers are the same, so that they have one rate. A domain that is not listed has a rate
// of its own, also if a provider serves it: then the provider's answers lower it.
var providers = [][]string{
	{"gmail.com", "googlemail.com"},
	{"outlook.com", "hotmail.com", "hotmail.co.uk", "hotmail.de", "hotmail.fr", "live.com", "msn.com"},
	{"yahoo.com", "ymail.com", "rocketmail.com", "aol.com", "yahoo.co.uk", "yahoo.de", "yahoo.fr"},
	{"icloud.com", "me.com", "mac.com"},
	{"gmx.net", "gmx.de", "gmx.at", "gmx.ch", "web.de"},
	{"proton.me", "protonmail.com", "pm.me"},
}

// domainOf returns the domain whose rate counts for an address.
func domainOf(address mailaddr.Address) string {
	domain := mailaddr.Domain(address.Identity)
	for _, p := range providers {
		if slices.Contains(p, domain) {
			return p[0]
		}
	}
	return domain
}

// burst is the time for which mails may be sent ahead of an even rate.
const burst = 10 * time.Second

// strikes is an SQL expression: the strikes of a domain now.
const strikes = `least(10, greatest(0, r.strikes - floor(extract(epoch FROM now() - r.struck_at) / 600)::integer))`

// takeRate counts a mail to a domain. If it has to wait, takeRate returns for how long, and does not count it. An urgent
// mail never waits.
func (s *Service) takeRate(ctx context.Context, tx pgx.Tx, domain string, isUrgent bool) (wait time.Duration, err error) {
	tag, err := tx.Exec(ctx, `
		INSERT INTO mail_rates AS r (domain, tat)
		VALUES ($1, statement_timestamp() + $2::interval)
		ON CONFLICT (domain) DO UPDATE SET
			tat = greatest(r.tat, statement_timestamp()) + $2::interval * (2 ^ `+strikes+`)
		WHERE $4
			OR r.paused_until <= statement_timestamp()
			AND r.tat <= statement_timestamp() + CASE WHEN `+strikes+` = 0 THEN $3::interval ELSE '0' END`,
		domain, time.Minute/time.Duration(s.config.PerMinute), burst, isUrgent)
	if err != nil || tag.RowsAffected() == 1 {
		return 0, err
	}
	err = tx.QueryRow(ctx, `
		SELECT greatest(interval '1 second', r.paused_until - statement_timestamp(),
			r.tat - statement_timestamp() - CASE WHEN `+strikes+` = 0 THEN $2::interval ELSE '0' END)
		FROM mail_rates r
		WHERE r.domain = $1`, domain, burst).Scan(&wait)
	return wait, err
}

// strike lowers the rate of a domain that asked for fewer mails, and pauses it. It returns the pause: 30 seconds, doubled by
// each strike, of at most an hour.
func strike(ctx context.Context, tx pgx.Tx, domain string) (pause time.Duration, err error) {
	err = tx.QueryRow(ctx, `
		UPDATE mail_rates r
		SET
			strikes = `+strikes+` + 1,
			struck_at = now(),
			paused_until = statement_timestamp() + least(interval '1 hour', interval '30 seconds' * 2 ^ `+strikes+`)
		WHERE r.domain = $1
		RETURNING r.paused_until - statement_timestamp()`, domain).Scan(&pause)
	return pause, err
}
