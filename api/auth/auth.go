// Package auth signs members up, in and out: by codes sent by mail, by password, by
// passkey, and with sessions; and it checks the second factor of admins.
package auth

import (
	"context"
	"net/http"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/members"
	"heartward/api/platform/bus"
	"heartward/api/platform/fault"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/limits"
	"heartward/api/platform/mail"
	"heartward/api/platform/nilcheck"
)

// Config holds the settings of a Service.
type Config struct {
	Secret         []byte  // key of the HMACs of codes and of links in mails, and of stored secrets; the same on all nodes
	Site           string  // public URL without a trailing slash, for links in mails
	Contact        string  // the mail address that members are told to write to
	Secure         bool    // the public address is https
	RateLimitScale float64 // multiplies the limits per network
	DemoPasswords  bool    // demo members may sign in by password
	RequireFactor  bool    // sessions of admins have an admin's rights only after a second factor
}

// Service signs members up, in and out. It is safe for concurrent use.
type Service struct {
	pool    *pgxpool.Pool
	mail    mail.Sender
	events  bus.Publisher
	members *members.Service
	jobs    jobqueue.Inserter
	config  Config
	clients limits.Majority    // of attempts to sign in
	party   *webauthn.WebAuthn // nil if the site's address is no domain, which passkeys need

	checkHash func(password, hash string) (bool, *argon2id.Params, error) // tests replace it to count calls
	onAddress AddressWatcher                                              // may be nil
	onSignUp  SignUpWatcher                                               // may be nil
	onNotice  func(member uuid.UUID)                                      // may be nil
	now       func() time.Time                                            // of the codes of authenticator apps; tests replace it
}

// New returns a Service. It panics when a dependency is nil or the secret is
// shorter than 32 bytes.
func New(pool *pgxpool.Pool, sender mail.Sender, events bus.Publisher, m *members.Service, jobs jobqueue.Inserter, config Config) *Service {
	nilcheck.Must("auth.New", nilcheck.Deps{"pool": pool, "sender": sender, "events": events, "members": m, "jobs": jobs})
	if len(config.Secret) < 32 {
		panic("auth: the secret must have at least 32 bytes")
	}
	return &Service{pool: pool, mail: sender, events: events, members: m, jobs: jobs, config: config, checkHash: argon2id.CheckHash,
		clients: limits.Majority{Window: 200}, party: newRelyingParty(config.Site), now: time.Now}
}

// AddressWatcher is called in the transaction that gives a member an address, which is proved and checked
// by mailaddr. An error of it, whose text is for the member, prevents the sign-up or change. The
// returned function is called after the commit.
type AddressWatcher func(ctx context.Context, tx pgx.Tx, member uuid.UUID, address string) (afterCommit func(), err error)

// WatchAddress sets the AddressWatcher. It must be called before the service is used.
func (s *Service) WatchAddress(fn AddressWatcher) { s.onAddress = fn }

// notifyAddress calls the AddressWatcher, if there is one.
func (s *Service) notifyAddress(ctx context.Context, tx pgx.Tx, member uuid.UUID, address string) (afterCommit func(), err error) {
	if s.onAddress == nil {
		return func() {}, nil
	}
	return s.onAddress(ctx, tx, member, address)
}

// SignUpWatcher is called in the transaction of a sign-up, after its browser is stored, with the code of
// the invitation link, as the client sent it. An error refuses the sign-up.
type SignUpWatcher func(ctx context.Context, tx pgx.Tx, member uuid.UUID, ref string) error

// WatchSignUp sets the SignUpWatcher. It must be called before the service is used.
func (s *Service) WatchSignUp(fn SignUpWatcher) { s.onSignUp = fn }

// WatchNotices sets a function that is called, before the mail of a security notice is sent, with its member. It must be
// called before the service is used.
func (s *Service) WatchNotices(fn func(member uuid.UUID)) { s.onNotice = fn }

// SessionSubject returns the subject of the bus to which the end of a session is
// published, so that every node closes its sockets.
func SessionSubject(session uuid.UUID) string { return "session." + session.String() }

// Browser identifies the browser that a request comes from.
type Browser struct {
	Token     string // session token; may be empty or invalid
	ID        string // browser cookie, to which codes are bound; empty if the browser has none
	UserAgent string
	Place     string // of the client, as web.PlaceOf
	Client    string // network for rate limits: an IPv4 address or an IPv6 /64
}

// hash returns the hash of the browser's id, or nil if it has none.
func (b Browser) hash() []byte {
	if b.ID == "" {
		return nil
	}
	return hashOf(b.ID)
}

// SignedIn is a new session. The server stores only a hash of Token.
type SignedIn struct {
	Token     string
	ExpiresAt time.Time
	Me        members.Me

	session uuid.UUID
}

// errCredentials is the error of every failed sign-in, so that it does not reveal which
// addresses have an account.
var errCredentials = fault.New(fault.Unauthenticated, "Invalid credentials. Please try again.")

// CookieName returns the name of the session cookie. Under https it has the prefix
// __Host-, so that other hosts of the domain cannot set it.
func (s *Service) CookieName() string { return s.cookiePrefix() + "sid" }

func (s *Service) browserCookieName() string { return s.cookiePrefix() + "bid" }

func (s *Service) cookiePrefix() string {
	if s.config.Secure {
		return "__Host-"
	}
	return ""
}

// browserCookieLifetime is the lifetime of the browser cookie after the last sign-in or
// request for a code. It is the maximum that browsers allow.
const browserCookieLifetime = 400 * 24 * time.Hour

// browserCookie returns the cookie with the browser's id, which gives no access.
// It outlives the session, so that the next sign-in uses the budgets of a known
// browser.
func (s *Service) browserCookie(browser Browser) http.Cookie {
	return s.cookie(s.browserCookieName(), browser.ID, browserCookieLifetime)
}

func (s *Service) cookie(name, value string, life time.Duration) http.Cookie {
	return http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: int(life.Seconds()),
		HttpOnly: true, Secure: s.config.Secure, SameSite: http.SameSiteLaxMode,
	}
}
