// Package auth proves who someone is: codes sent by mail, passwords, and the
// sessions that remember it.
package auth

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/members"
	"heartward/api/platform/bus"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/mail"
)

// Config is what the server knows and this package needs.
type Config struct {
	Secret         []byte  // key of the codes' HMAC; the same on all nodes
	Secure         bool    // the public address is https
	RateLimitScale float64 // multiplies the limits per client address
}

// Service signs members up, in and out. Safe for use by many goroutines.
type Service struct {
	pool    *pgxpool.Pool
	mail    mail.Sender
	events  bus.Publisher
	members *members.Service
	config  Config
}

// New returns a Service. The secret must be at least 32 bytes.
func New(pool *pgxpool.Pool, sender mail.Sender, events bus.Publisher, m *members.Service, config Config) *Service {
	if len(config.Secret) < 32 {
		panic("auth: the secret must have at least 32 bytes")
	}
	return &Service{pool: pool, mail: sender, events: events, members: m, config: config}
}

// SessionSubject is where the end of a session is announced, so that its
// sockets are closed on every node.
func SessionSubject(session uuid.UUID) string { return "session." + session.String() }

// Browser is what a call shows of the browser it comes from.
type Browser struct {
	Token     string // of its session, may be empty or worthless
	ID        string // binds codes to the browser that asked; empty before the first
	UserAgent string
	Client    string // network address, for limits
}

// SignedIn is a new session. Token is known to nobody but the browser it is
// sent to.
type SignedIn struct {
	Token     string
	ExpiresAt time.Time
	Me        members.Me
}

var (
	codesPerClient      = limits.Rule{Name: "codes-client", Count: 20, Per: time.Hour}
	signInsPerClient    = limits.Rule{Name: "sign-in-client", Count: 30, Per: time.Hour}
	passwordsPerAddress = limits.Rule{Name: "password-address", Count: 20, Per: time.Hour}
	wrongCodes          = limits.Rule{Name: "wrong-codes", Count: 500, Per: time.Hour}
	slowLane            = limits.Rule{Name: "codes-slow", Count: 3, Per: time.Hour}
)

func (s *Service) allowClient(ctx context.Context, rule limits.Rule, client string) error {
	return limits.Allow(ctx, s.pool, rule.Scaled(s.config.RateLimitScale), client)
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

func (s *Service) cookie(name, value string, life time.Duration) http.Cookie {
	return http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: int(life.Seconds()),
		HttpOnly: true, Secure: s.config.Secure, SameSite: http.SameSiteLaxMode,
	}
}
