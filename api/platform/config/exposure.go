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

// defaultMailFrom is MAIL_FROM of a site that is not public.
const defaultMailFrom = "hello@heartward.test"

// CheckMail returns an error if a public site has no mail server, because sign-in codes could
// then be read on this machine only; or if it does not tell its members who runs it and where
// they can write.
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
