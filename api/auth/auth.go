// Package auth proves who someone is: codes sent by mail, passwords, and the
// sessions that remember it.
package auth

import (
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/members"
	"heartward/api/platform/bus"
	"heartward/api/platform/fault"
	"heartward/api/platform/mail"
	"heartward/api/platform/nilcheck"
)

// Config is what the server knows and this package needs.
type Config struct {
	Secret         []byte  // key of the codes' HMAC; the same on all nodes
	Secure         bool    // the public address is https
	RateLimitScale float64 // multiplies the limits per network
}

// Service signs members up, in and out. Safe for use by many goroutines.
type Service struct {
	pool    *pgxpool.Pool
	mail    mail.Sender
	events  bus.Publisher
	members *members.Service
	config  Config

	checkHash func(password, hash string) (bool, *argon2id.Params, error) // replaced by tests that count calls
}

// New returns a Service. It panics when a dependency is nil or the secret is
// shorter than 32 bytes.
func New(pool *pgxpool.Pool, sender mail.Sender, events bus.Publisher, m *members.Service, config Config) *Service {
	nilcheck.Must("auth.New", nilcheck.Deps{"pool": pool, "sender": sender, "events": events, "members": m})
	if len(config.Secret) < 32 {
		panic("auth: the secret must have at least 32 bytes")
	}
	return &Service{pool: pool, mail: sender, events: events, members: m, config: config, checkHash: argon2id.CheckHash}
}

// SessionSubject is where the end of a session is announced, so that its
// sockets are closed on every node.
func SessionSubject(session uuid.UUID) string { return "session." + session.String() }

// Browser is what a call shows of the browser it comes from.
type Browser struct {
	Token     string // of its session, may be empty or worthless
	ID        string // binds codes to the browser that asked; empty before the first
	UserAgent string
	Client    string // its network for limits: an IPv4 address or an IPv6 /64
}

// SignedIn is a new session. Token is known to nobody but the browser it is
// sent to.
type SignedIn struct {
	Token     string
	ExpiresAt time.Time
	Me        members.Me
}

// errCredentials is the one answer to whatever did not prove an account, so
// that nobody learns which addresses have one.
var errCredentials = fault.New(fault.Unauthenticated, "Invalid credentials. Please try again.")

var address = regexp.MustCompile("^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@" +
	`[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$`)

// cleanEmail is the form in which an address is stored and compared.
func cleanEmail(email string) (string, error) {
	email = strings.ToLower(strings.TrimSpace(email))
	if len(email) > 254 || !address.MatchString(email) {
		return "", fault.InvalidField("email", "Please enter a valid email address")
	}
	return email, nil
}

// CookieName is the session cookie's: under https with the prefix that keeps
// other hosts of the domain from setting it.
func (s *Service) CookieName() string { return s.cookiePrefix() + "sid" }

func (s *Service) browserCookieName() string { return s.cookiePrefix() + "bid" }

func (s *Service) cookiePrefix() string {
	if s.config.Secure {
		return "__Host-"
	}
	return ""
}

// browserLife is how long a browser stays known after the member's last sign-in;
// browsers keep no cookie longer.
const browserLife = 400 * 24 * time.Hour

// browserCookie names the browser and proves nothing else. It outlives the
// session, so that the next sign-in has the budgets of a known browser.
func (s *Service) browserCookie(browser Browser) http.Cookie {
	return s.cookie(s.browserCookieName(), browser.ID, browserLife)
}

func (s *Service) cookie(name, value string, life time.Duration) http.Cookie {
	return http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: int(life.Seconds()),
		HttpOnly: true, Secure: s.config.Secure, SameSite: http.SameSiteLaxMode,
	}
}
