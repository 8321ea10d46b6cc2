package auth

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
)

// The budgets of signing in. Each is counted for the narrowest source first: a
// browser, then a network (an IPv4 address or an IPv6 /64), then the account's
// address. A wider budget is many times the narrower one and refills steadily,
// so that it slows many sources together down and one source cannot use it up.
// A known browser, in which this very member was signed in before, counts in
// budgets of its own: nothing that others do keeps it out.
var (
	// Requests from one network, whatever address they ask about. Many members
	// share an IPv4 address behind a carrier's NAT.
	codesPerBrowser   = limits.Rule{Name: "codes-browser", Count: 20, Per: time.Hour}
	codesPerNetwork   = limits.Rule{Name: "codes-network", Count: 120, Per: time.Hour, Burst: 200}
	signInsPerBrowser = limits.Rule{Name: "sign-in-browser", Count: 30, Per: time.Hour}
	signInsPerNetwork = limits.Rule{Name: "sign-in-network", Count: 240, Per: time.Hour, Burst: 400}

	// Mails with codes to one address. Refilled, so 300 at once are followed by
	// one in five minutes.
	mailsToBrowser = limits.Rule{Name: "mails-browser", Count: 10, Per: 24 * time.Hour, Message: manyCodes}
	mailsToNetwork = limits.Rule{Name: "mails-network", Count: 10, Per: 24 * time.Hour, Message: manyCodes}
	mailsToAddress = limits.Rule{Name: "mails-address", Count: 288, Per: 24 * time.Hour, Burst: 300, Message: manyCodes}

	// Passwords tried for one address.
	passwordsOfBrowser = limits.Rule{Name: "passwords-browser", Count: 20, Per: time.Hour, Message: manyPasswords}
	passwordsOfNetwork = limits.Rule{Name: "passwords-network", Count: 20, Per: time.Hour, Message: manyPasswords}
	passwordsOfAddress = limits.Rule{Name: "passwords-address", Count: 100, Per: time.Hour, Message: manyPasswords}

	// Wrong codes on all nodes together. Above the cap, strangers share two slower
	// budgets: one for the address they try, one for all addresses.
	wrongCodes         = limits.Rule{Name: "wrong-codes", Count: 500, Per: time.Hour}
	slowCodesOfNetwork = limits.Rule{Name: "slow-codes-network", Count: 60, Per: time.Hour}
	slowCodesOfAddress = limits.Rule{Name: "slow-codes-address", Count: 5, Per: time.Hour}
)

const (
	manyCodes = "Many codes were asked for already. Please use the last one you received, or try again later. " +
		"You can also sign in with your password or in a browser you used before."
	manyPasswords = "Many passwords were tried already. Please sign in with a code instead, or try again later."
)

// visitor is a browser and the address it wants to sign in with.
type visitor struct {
	Browser
	email string
	known bool   // the account of email was signed in to with this browser before
	own   string // key of the budgets that this visitor has alone
}

// visit cleans the address and looks up whether the browser is known. The same
// queries run for an address without an account. Invalid for what is no address.
func (s *Service) visit(ctx context.Context, browser Browser, email string) (visitor, error) {
	email, err := cleanEmail(email)
	if err != nil {
		return visitor{}, err
	}
	v := visitor{Browser: browser, email: email, own: email + " " + cmp.Or(browser.ID, browser.Token)}
	v.known, err = isKnownBrowser(ctx, s.pool, email, browser)
	return v, err
}

// network is the key of the budgets that everybody in the visitor's network
// shares when they ask about the same address.
func (v visitor) network() string { return v.email + " " + v.Client }

// scaled multiplies a rule that counts a network or a browser for all addresses.
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
	return limits.Allow(ctx, s.pool, s.scaled(perNetwork), v.Client)
}

// budget is one rule and what is counted under it.
type budget struct {
	rule limits.Rule
	key  string
}

// mailBudgets are those that a mail counts in. A code that is mailed again
// leaves the address's budget alone: it is what others may have used up.
func (v visitor) mailBudgets(again bool) []budget {
	budgets := []budget{{mailsToBrowser, v.own}}
	if !v.known {
		budgets = append(budgets, budget{mailsToNetwork, v.network()})
	}
	if !v.known && !again {
		budgets = append(budgets, budget{mailsToAddress, v.email})
	}
	return budgets
}

// passwordBudgets are those that a password counts in.
func (v visitor) passwordBudgets() []budget {
	if v.known {
		return []budget{{passwordsOfBrowser, v.own}}
	}
	return []budget{{passwordsOfNetwork, v.network()}, {passwordsOfAddress, v.email}}
}

// spend counts one call in every budget. The first that refuses ends it; given a
// transaction, its rollback then takes the earlier counts back.
func spend(ctx context.Context, db pg.DB, budgets []budget) error {
	for _, b := range budgets {
		if err := limits.Allow(ctx, db, b.rule, b.key); err != nil {
			return err
		}
	}
	return nil
}

// refund takes one call back from every budget.
func refund(ctx context.Context, db pg.DB, budgets []budget) error {
	for _, b := range budgets {
		if err := limits.Return(ctx, db, b.rule, b.key); err != nil {
			return err
		}
	}
	return nil
}

// isKnownBrowser reports whether the account of email was signed in to with the
// browser. A session, even an expired one, shows it as well.
func isKnownBrowser(ctx context.Context, db pg.DB, email string, browser Browser) (known bool, err error) {
	err = db.QueryRow(ctx, `
		SELECT EXISTS (
			SELECT FROM users u
			WHERE u.email = $1
				AND (EXISTS (SELECT FROM known_browsers k WHERE k.user_id = u.id AND k.browser_hash = $2)
					OR EXISTS (SELECT FROM sessions s WHERE s.user_id = u.id AND s.token_hash = $3)))`,
		email, hashOf(browser.ID), hashOf(browser.Token)).Scan(&known)
	return known, pg.Fault(err)
}

// rememberBrowser notes that the member is signed in with the browser. The ten
// used last are kept. The caller has locked the member's row.
func rememberBrowser(ctx context.Context, tx pgx.Tx, member uuid.UUID, browserID string) error {
	if browserID == "" {
		return nil
	}
	_, err := tx.Exec(ctx, `
		INSERT INTO known_browsers (user_id, browser_hash, used_at)
		VALUES ($1, $2, clock_timestamp())
		ON CONFLICT (user_id, browser_hash) DO UPDATE SET used_at = excluded.used_at`, member, hashOf(browserID))
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		DELETE FROM known_browsers
		WHERE user_id = $1 AND browser_hash IN (
			SELECT browser_hash FROM known_browsers
			WHERE user_id = $1
			ORDER BY used_at DESC
			OFFSET 10)`, member)
	return err
}
