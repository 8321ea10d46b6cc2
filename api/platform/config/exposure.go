package config

import (
	"net"
	"net/netip"
	"strconv"
)

// IsPublic reports whether other machines can reach the site: PUBLIC_URL is https or names
// another host than this machine, or the server listens on another address than loopback.
func (c Config) IsPublic() bool {
	return c.Secure() || !isLoopback(c.PublicURL.Hostname()) || !isLoopback(c.Host)
}

// defaultMailFrom is the default of MAIL_FROM, as in its tag. A public site must not use it.
const defaultMailFrom = "hello@heartward.test"

// CheckMail returns an error if a public site has no mail server, because its members could not
// read their sign-in codes, or if it does not say who runs it and where members can write. It
// returns no error for a site that stores its mails because of DEV_MAILBOX=on.
func (c Config) CheckMail() error {
	if !c.IsPublic() || c.SMTPURL == nil && c.DevMailbox == "on" {
		return nil
	}
	switch {
	case c.SMTPURL == nil:
		return invalidVariable("SMTP_URL", "a site that other machines can reach requires a mail server; "+
			"DEV_MAILBOX=on stores the mails on this machine instead")
	case c.MailFrom == defaultMailFrom:
		return invalidVariable("MAIL_FROM", "a site that other machines can reach requires an address that its mails come from")
	case c.ContactMail == "":
		return invalidVariable("CONTACT", "a site that other machines can reach requires a mail address that somebody reads")
	case c.Imprint == "":
		return invalidVariable("IMPRINT", "a site that other machines can reach has to say who runs it: a name and an address")
	}
	return nil
}

// LocalURL returns the address of the server on this machine, or "" if it does not listen on
// a loopback address.
func (c Config) LocalURL() string {
	host := c.Host
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	if !isLoopback(host) {
		return ""
	}
	return "http://" + net.JoinHostPort(host, strconv.Itoa(c.Port))
}

// isLoopback reports whether host is a name or an address of this machine that other
// machines cannot reach.
func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}
