package auth

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/limits"
	"heartward/api/platform/mailaddr"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Attempts to sign in are counted in budgets per browser, per network (an IPv4 address
// or an IPv6 /64, see also allowSite) and per mailbox, however its address is written. A wider budget is many times the narrower one
// and refills steadily, so that it limits many sources together and one source cannot
// exhaust it. A known browser, in which the same member was signed in before, has
// separate budgets, which others cannot exhaust.
var (
	// Requests for any email address. Many members share an IPv4 address behind a
	// carrier's NAT.
	codesPerBrowser   = limits.Rule{Name: "codes-browser", Count: 20, Per: time.Hour}
	codesPerNetwork   = limits.Rule{Name: "codes-network", Count: 120, Per: time.Hour, Burst: 200}
	signInsPerBrowser = limits.Rule{Name: "sign-in-browser", Count: 30, Per: time.Hour}
	signInsPerNetwork = limits.Rule{Name: "sign-in-network", Count: 240, Per: time.Hour, Burst: 400}

	// Mails with codes to one address: 300 at once, then one in five minutes.
	mailsPerBrowser = limits.Rule{Name: "mails-browser", Count: 10, Per: 24 * time.Hour, Message: codeLimitMessage}
	mailsPerNetwork = limits.Rule{Name: "mails-network", Count: 10, Per: 24 * time.Hour, Message: codeLimitMessage}
	mailsPerAddress = limits.Rule{Name: "mails-address", Count: 288, Per: 24 * time.Hour, Burst: 300, Message: codeLimitMessage}

	// Passwords tried for one address.
	passwordsPerBrowser = limits.Rule{Name: "passwords-browser", Count: 20, Per: time.Hour, Message: passwordLimitMessage}
	passwordsPerNetwork = limits.Rule{Name: "passwords-network", Count: 20, Per: time.Hour, Message: passwordLimitMessage}
	passwordsPerAddress = limits.Rule{Name: "passwords-address", Count: 100, Per: time.Hour, Message: passwordLimitMessage}

	// Wrong codes on all nodes together. Above the cap, unknown browsers also count in two
	// smaller budgets: one per network for one address, one per network for all addresses.
	wrongCodes               = limits.Rule{Name: "wrong-codes", Count: 500, Per: time.Hour}
	throttledCodesPerNetwork = limits.Rule{Name: "throttled-codes-network", Count: 60, Per: time.Hour}
	throttledCodesPerAddress = limits.Rule{Name: "throttled-codes-address", Count: 5, Per: time.Hour}
)

const (
	codeLimitMessage = "Many codes were asked for already. Please use the last one you received, or try again later. " +
		"You can also sign in with your password or in a browser you used before."
	passwordLimitMessage = "Many passwords were tried already. Please sign in with a code instead, or try again later."
)

// visitor is a browser and the email address that it signs in with.
type visitor struct {
	Browser
	typed    mailaddr.Address
	email    string // where codes go: that of the mailbox's account, or the typed one
	identity string // identity key of email
	known    bool   // the browser was used before to sign in to the account
	ownKey   string // key of the budgets that no other visitor shares
}

// newVisitor checks the address and queries the account of its mailbox and whether the browser is known, with the same
// query for a mailbox without an account. It returns Invalid for an invalid address.
func (s *Service) newVisitor(ctx context.Context, browser Browser, email string) (visitor, error) {
	typed, err := mailaddr.Parse("email", email)
	if err != nil {
		return visitor{}, err
	}
	v := visitor{Browser: browser, typed: typed, ownKey: typed.Abuse + " " + cmp.Or(browser.ID, browser.Token)}
	return v, findAccount(ctx, s.pool, &v)
}

// networkKey returns the key of the budgets that all browsers of a network share for
// one mailbox.
func (v visitor) networkKey() string { return v.typed.Abuse + " " + v.Client }

// scaled applies Config.RateLimitScale to a rule.
func (s *Service) scaled(rule limits.Rule) limits.Rule { return rule.Scaled(s.config.RateLimitScale) }

// allowRequest counts a request by browser, and by network unless the browser
// is known.
func (s *Service) allowRequest(ctx context.Context, v visitor, perBrowser, perNetwork limits.Rule) error {
	if v.ID != "" {
		if err := limits.Allow(ctx, s.pool, s.scaled(perBrowser), v.ID); err != nil {
			return err
		}
	}
	if v.known {
		return nil
	}
	if err := limits.Allow(ctx, s.pool, s.scaled(perNetwork), v.Client); err != nil {
		return err
	}
	return s.allowSite(ctx, v, perNetwork)
}

// allowSite counts a request of an IPv6 client in the /48 of its network, with ten times the
// limit: one customer of a provider can use all 65,536 networks of a /48.
func (s *Service) allowSite(ctx context.Context, v visitor, perNetwork limits.Rule) error {
	if !strings.Contains(v.Client, ":") {
		return nil
	}
	perSite := s.scaled(perNetwork).Scaled(10)
	perSite.Name += "-48"
	return limits.Allow(ctx, s.pool, perSite, web.CoarseAddress(v.Client))
}

// budget is a rule and the key that is counted.
type budget struct {
	rule limits.Rule
	key  string
}

// mailBudgets returns the budgets in which a mail with a code is counted. A repeated mail
// of a code is not counted for the address, because others may have exhausted its budget.
func (v visitor) mailBudgets(resend bool) []budget {
	budgets := []budget{{mailsPerBrowser, v.ownKey}}
	if !v.known {
		budgets = append(budgets, budget{mailsPerNetwork, v.networkKey()})
	}
	if !v.known && !resend {
		budgets = append(budgets, budget{mailsPerAddress, v.typed.Abuse})
	}
	return budgets
}

// passwordBudgets returns the budgets in which an attempt with a password is
// counted, the narrowest first.
func (v visitor) passwordBudgets() []budget {
	if v.known {
		return []budget{{passwordsPerBrowser, v.ownKey}}
	}
	return []budget{{passwordsPerNetwork, v.networkKey()}, {passwordsPerAddress, v.typed.Abuse}}
}

// spend counts one call in each budget and stops at the first that is exhausted.
// Earlier counts are undone only if db is a transaction that is rolled back.
func spend(ctx context.Context, db pg.DB, budgets []budget) error {
	for _, b := range budgets {
		if err := limits.Allow(ctx, db, b.rule, b.key); err != nil {
			return err
		}
	}
	return nil
}

// refund returns one call to each budget.
func refund(ctx context.Context, db pg.DB, budgets []budget) error {
	for _, b := range budgets {
		if err := limits.Refund(ctx, db, b.rule, b.key); err != nil {
			return err
		}
	}
	return nil
}

// findAccount sets the address of the account, and whether the browser was used before to sign in to it. A session's row
// counts as well, even if the session has expired. The account is that of the typed address or, without one, of the same mailbox,
// the oldest if it has several.
func findAccount(ctx context.Context, db pg.DB, v *visitor) error {
	err := db.QueryRow(ctx, `
		SELECT
			coalesce(c.email, $3),
			coalesce(c.identity_key, $1),
			EXISTS (SELECT FROM known_browsers k WHERE k.user_id = c.user_id AND k.browser_hash = $4)
				OR EXISTS (SELECT FROM sessions s WHERE s.user_id = c.user_id AND s.token_hash = $5)
		FROM (VALUES (1)) AS one
		LEFT JOIN LATERAL (
			SELECT user_id, email, identity_key
			FROM credentials
			WHERE identity_key = $1
				OR abuse_key = $2
			ORDER BY identity_key = $1 DESC, mailbox_number
			LIMIT 1) AS c ON true`,
		v.typed.Identity, v.typed.Abuse, v.typed.Typed, hashOf(v.ID), hashOf(v.Token)).
		Scan(&v.email, &v.identity, &v.known)
	return pg.Fault(err)
}

// rememberBrowser stores the browser as one of the member's known browsers and deletes all
// but the ten most recently used. It reports whether it was known before. The caller must
// hold the lock of the member's row.
func rememberBrowser(ctx context.Context, tx pgx.Tx, member uuid.UUID, browserID string) (known bool, err error) {
	if browserID == "" {
		return false, nil
	}
	err = tx.QueryRow(ctx, `
		WITH before AS (
			SELECT FROM known_browsers
			WHERE user_id = $1
				AND browser_hash = $2
		), remembered AS (
			INSERT INTO known_browsers (user_id, browser_hash, used_at)
			VALUES ($1, $2, clock_timestamp())
			ON CONFLICT (user_id, browser_hash) DO UPDATE SET used_at = excluded.used_at
		)
		SELECT EXISTS (SELECT FROM before)`, member, hashOf(browserID)).Scan(&known)
	if err != nil {
		return known, err
	}
	_, err = tx.Exec(ctx, `
		DELETE FROM known_browsers
		WHERE user_id = $1 AND browser_hash IN (
			SELECT browser_hash FROM known_browsers
			WHERE user_id = $1
			ORDER BY used_at DESC
			OFFSET 10)`, member)
	return known, err
}

// forgetBrowser deletes the browser with this hash from the member's known browsers.
func forgetBrowser(ctx context.Context, tx pgx.Tx, member uuid.UUID, browser []byte) error {
	_, err := tx.Exec(ctx, `DELETE FROM known_browsers WHERE user_id = $1 AND browser_hash = $2`, member, browser)
	return err
}
