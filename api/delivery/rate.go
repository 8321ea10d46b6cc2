package delivery

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"heartward/api/platform/mailaddr"
)

// providers are groups of domains with the same mail servers, which share one rate. Any other domain has a rate of its
// own. If such a provider serves it all the same, the provider's answers lower that rate.
var providers = [][]string{
	{"gmail.com", "googlemail.com"},
	{"outlook.com", "hotmail.com", "hotmail.co.uk", "hotmail.de", "hotmail.fr", "live.com", "msn.com"},
	{"yahoo.com", "ymail.com", "rocketmail.com", "aol.com", "yahoo.co.uk", "yahoo.de", "yahoo.fr"},
	{"icloud.com", "me.com", "mac.com"},
	{"gmx.net", "gmx.de", "gmx.at", "gmx.ch", "web.de"},
	{"proton.me", "protonmail.com", "pm.me"},
}

// domainOf returns the domain of an address, or the first one of its provider. It is the key of mail_rates.
func domainOf(address mailaddr.Address) string {
	domain := mailaddr.Domain(address.Identity)
	for _, p := range providers {
		if slices.Contains(p, domain) {
			return p[0]
		}
	}
	return domain
}

// burst is how far ahead of an even rate mails may be sent: at most as many as the rate allows in this time.
const burst = 10 * time.Second

// strikes is an SQL expression: the strikes of a domain r now, from 0 to 10. One expires every 600 seconds.
const strikes = `least(10, greatest(0, r.strikes - floor(extract(epoch FROM now() - r.struck_at) / 600)::integer))`

// reserveRate counts a mail to a domain against its rate (GCRA: tat is the theoretical arrival time of the next mail), and
// returns 0. If the mail has to wait, it returns for how long, and does not count it. An urgent mail is counted and never
// waits.
//
// Each strike doubles the time between mails, and the first one ends the burst.
func (s *Service) reserveRate(ctx context.Context, tx pgx.Tx, domain string, isUrgent bool) (wait time.Duration, err error) {
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

// strike adds a strike to a domain that asked for fewer mails, and pauses the mails to it. It returns the length of the
// pause: 30 seconds, doubled for each earlier strike, and at most an hour.
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
