// Package config reads the configuration from the environment. Every variable has a
// default; an invalid value is an error of one line that names the variable.
package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/caarlos0/env/v11"
)

// Config is the configuration. docs/operating.md explains each variable.
type Config struct {
	Host              string  `env:"HOST"`
	Port              int     `env:"PORT" envDefault:"8080"`
	DataDir           string  `env:"DATA_DIR" envDefault:"./.data"`
	Public            string  `env:"PUBLIC_URL"`
	DatabaseURL       string  `env:"DATABASE_URL"`
	PlaintextHosts    string  `env:"PLAINTEXT_HOSTS"`
	DatabaseConns     int     `env:"DATABASE_CONNS" envDefault:"24"`
	PostgresBin       string  `env:"POSTGRES_BIN"`
	NATSURL           string  `env:"NATS_URL"`
	BlobURL           string  `env:"BLOB_URL"`
	FFmpeg            string  `env:"FFMPEG"`
	SMTP              string  `env:"SMTP_URL"`
	DevMailbox        string  `env:"DEV_MAILBOX"`
	MailFrom          string  `env:"MAIL_FROM" envDefault:"hello@heartward.test"`
	ContactMail       string  `env:"CONTACT"`
	OutsideContact    string  `env:"OUTSIDE_CONTACT"`
	BounceAddress     string  `env:"BOUNCE_ADDRESS"`
	MailPerMinute     int     `env:"MAIL_PER_MINUTE" envDefault:"600"`
	Imprint           string  `env:"IMPRINT"`
	VAPIDPublic       string  `env:"VAPID_PUBLIC_KEY"`
	VAPIDPrivate      string  `env:"VAPID_PRIVATE_KEY"`
	VAPIDSubject      string  `env:"VAPID_SUBJECT" envDefault:"hello@heartward.test"`
	PushHosts         string  `env:"PUSH_HOSTS"`
	SecretText        string  `env:"SECRET"`
	AddressSecretText string  `env:"ADDRESS_SECRET"`
	MetricsAddr       string  `env:"METRICS_ADDR"`
	Proxies           string  `env:"TRUSTED_PROXIES"`
	ClientIPHeader    string  `env:"CLIENT_IP_HEADER"`
	ClientPlaceHeader string  `env:"CLIENT_PLACE_HEADER"`
	RateLimitScale    float64 `env:"RATE_LIMIT_SCALE" envDefault:"1"`
	InvitationsPerDay int     `env:"INVITATIONS_PER_DAY" envDefault:"500"`
	LogLevel          string  `env:"LOG_LEVEL" envDefault:"info"`
	LogSQL            string  `env:"LOG_SQL"` // whether statements are logged: on or empty
	ModerationURL     string  `env:"MODERATION_URL"`
	ModerationKey     string  `env:"MODERATION_KEY"`
	ModerationModel   string  `env:"MODERATION_MODEL" envDefault:"omni-moderation-latest"`
	// ModerationPictures is whether pictures are sent to ModerationURL too: on or empty.
	ModerationPictures string `env:"MODERATION_PICTURES"`

	PublicURL      *url.URL       `env:"-"` // scheme and host, no path
	SMTPURL        *url.URL       `env:"-"` // nil: mails are stored in a folder and shown at /dev/mailbox
	TrustedProxies []netip.Prefix `env:"-"`
	Secret         []byte         `env:"-"` // empty until LoadKeys if unset
}

// Load reads and validates the environment. Its error has one line.
func Load() (Config, error) {
	var c Config
	if err := env.Parse(&c); err != nil {
		return c, firstParseError(err)
	}
	for _, check := range []func() error{
		c.checkNumbers, c.checkAddresses, c.checkTransport, c.checkPublicURL, c.checkProxies,
		c.checkKeys, c.checkContact, c.checkLog, c.checkModeration,
	} {
		if err := check(); err != nil {
			return c, err
		}
	}
	path, err := filepath.Abs(c.DataDir)
	if err != nil {
		return c, invalidVariable("DATA_DIR", err.Error())
	}
	c.DataDir = path
	return c, nil
}

// Path returns a path below the data folder.
func (c Config) Path(parts ...string) string {
	return filepath.Join(append([]string{c.DataDir}, parts...)...)
}

// Conns divides DATABASE_CONNS between the pool for requests and the pool for jobs. A process that only serves or only
// works has no connections in the pool of the other.
func (c Config) Conns(serves, works bool) (requests, jobs int) {
	switch {
	case serves && works:
		jobs = c.DatabaseConns / 2
	case works:
		jobs = c.DatabaseConns
	}
	return c.DatabaseConns - jobs, jobs
}

// Secure reports whether the public URL is https.
func (c Config) Secure() bool { return c.PublicURL.Scheme == "https" }

// AllowedPushHosts returns the allowed hosts of push services, or nil for the known ones.
func (c Config) AllowedPushHosts() []string {
	if c.PushHosts == "" {
		return nil
	}
	return strings.Split(c.PushHosts, ",")
}

func invalidVariable(variable, why string) error { return fmt.Errorf("%s: %s", variable, why) }

// firstParseError converts the parser's list to one line that names the variable.
func firstParseError(err error) error {
	var parse env.ParseError
	var all env.AggregateError
	if errors.As(err, &all) && len(all.Errors) > 0 {
		err = all.Errors[0]
	}
	if !errors.As(err, &parse) {
		return err
	}
	for variable, field := range map[string]string{
		"PORT": "Port", "RATE_LIMIT_SCALE": "RateLimitScale", "DATABASE_CONNS": "DatabaseConns",
		"INVITATIONS_PER_DAY": "InvitationsPerDay", "MAIL_PER_MINUTE": "MailPerMinute",
	} {
		if field == parse.Name {
			return invalidVariable(variable, fmt.Sprintf("%q is not a number", os.Getenv(variable)))
		}
	}
	return err
}

func (c *Config) checkNumbers() error {
	if c.Port < 1 || c.Port > 65535 {
		return invalidVariable("PORT", "must be between 1 and 65535")
	}
	if !(c.RateLimitScale > 0 && c.RateLimitScale <= 1e6) {
		return invalidVariable("RATE_LIMIT_SCALE", "must be above 0 and at most 1000000")
	}
	if c.InvitationsPerDay < 1 || c.InvitationsPerDay > 1e6 {
		return invalidVariable("INVITATIONS_PER_DAY", "must be between 1 and 1000000")
	}
	if c.MailPerMinute < 1 || c.MailPerMinute > 1e5 {
		return invalidVariable("MAIL_PER_MINUTE", "must be between 1 and 100000")
	}
	if c.DatabaseConns < 12 || c.DatabaseConns > 1000 {
		return invalidVariable("DATABASE_CONNS", "must be between 12 and 1000")
	}
	return nil
}

// checkAddresses checks the addresses of other servers, DEV_MAILBOX, which replaces one of them, and METRICS_ADDR. It sets
// SMTPURL.
func (c *Config) checkAddresses() error {
	for variable, rule := range map[string]struct {
		value   string
		schemes []string
	}{
		"DATABASE_URL": {c.DatabaseURL, []string{"postgres", "postgresql"}},
		"NATS_URL":     {c.NATSURL, []string{"nats", "tls"}},
		"BLOB_URL":     {c.BlobURL, []string{"file", "s3"}},
		"SMTP_URL":     {c.SMTP, []string{"smtp", "smtps"}},
	} {
		address, err := parseAddress(rule.value, rule.schemes)
		if err != nil {
			return invalidVariable(variable, err.Error())
		}
		if variable == "SMTP_URL" {
			c.SMTPURL = address
		}
	}
	if c.DevMailbox != "" && c.DevMailbox != "on" {
		return invalidVariable("DEV_MAILBOX", "must be on, or not set")
	}
	if c.MetricsAddr == "" || c.MetricsAddr == "off" {
		return nil
	}
	if _, _, err := net.SplitHostPort(c.MetricsAddr); err != nil {
		return invalidVariable("METRICS_ADDR", "must be host:port, or off")
	}
	return nil
}

// parseAddress parses a URL. Its error does not contain the URL, which may hold a
// password.
func parseAddress(text string, schemes []string) (*url.URL, error) {
	if text == "" {
		return nil, nil
	}
	requirement := "must begin with " + strings.Join(schemes, ":// or ") + "://"
	first, _, _ := strings.Cut(text, ",") // NATS accepts a list
	address, err := url.Parse(first)
	if err != nil {
		return nil, errors.New("is not an address; it " + requirement)
	}
	for _, scheme := range schemes {
		if address.Scheme == scheme && (address.Host != "" || address.Path != "" || address.RawQuery != "") {
			return address, nil
		}
	}
	return nil, errors.New(requirement)
}

// checkPublicURL sets the defaults of HOST and PUBLIC_URL, which depend on each other, and PublicURL.
func (c *Config) checkPublicURL() error {
	if c.Host == "" && c.Public == "" {
		c.Host = "127.0.0.1" // not reachable from other machines without a public URL
	}
	if c.Public == "" {
		c.Public = "http://localhost:" + strconv.Itoa(c.Port)
	}
	address, err := url.Parse(c.Public)
	if err != nil || (address.Scheme != "http" && address.Scheme != "https") || address.Host == "" ||
		strings.Trim(address.Path, "/") != "" || address.RawQuery != "" {
		return invalidVariable("PUBLIC_URL", "must be http:// or https:// and a host, without a path")
	}
	c.PublicURL = &url.URL{Scheme: address.Scheme, Host: address.Host}
	return nil
}

var headerName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]*$`)

// checkProxies sets TrustedProxies, and checks the headers that only these may send.
func (c *Config) checkProxies() error {
	for text := range strings.SplitSeq(c.Proxies, ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		prefix, err := netip.ParsePrefix(text)
		if address, addressErr := netip.ParseAddr(text); addressErr == nil {
			prefix, err = netip.PrefixFrom(address, address.BitLen()), nil
		}
		if err != nil {
			return invalidVariable("TRUSTED_PROXIES", fmt.Sprintf("%q is neither an address nor a network", text))
		}
		c.TrustedProxies = append(c.TrustedProxies, prefix)
	}
	for variable, header := range map[string]string{"CLIENT_IP_HEADER": c.ClientIPHeader, "CLIENT_PLACE_HEADER": c.ClientPlaceHeader} {
		if header != "" && !headerName.MatchString(header) {
			return invalidVariable(variable, "must be the name of a header")
		}
		if header != "" && len(c.TrustedProxies) == 0 {
			return invalidVariable(variable, "must be set together with TRUSTED_PROXIES, which alone may send it")
		}
	}
	return nil
}

// checkLog checks LOG_LEVEL and LOG_SQL.
func (c *Config) checkLog() error {
	switch c.LogLevel {
	case "debug", "info", "warn", "error":
	default:
		return invalidVariable("LOG_LEVEL", "must be debug, info, warn or error")
	}
	switch {
	case c.LogSQL == "", c.LogSQL == "on" && c.LogLevel == "debug":
		return nil
	case c.LogSQL == "on":
		return invalidVariable("LOG_SQL", "must be set together with LOG_LEVEL=debug")
	}
	return invalidVariable("LOG_SQL", "must be on, or not set")
}
