package config

import (
	"fmt"
	"net/mail"
	"strings"
)

// maxImprint is the maximum size of IMPRINT, in bytes.
const maxImprint = 2000

// maxBounceLocal is the maximum length of the local part of BOUNCE_ADDRESS. The local part of a return path has 40
// characters more, and mail servers accept at most 64.
const maxBounceLocal = 20

// Contact returns the address that members are told to write to: CONTACT, or the address of MAIL_FROM.
func (c *Config) Contact() string {
	if c.ContactMail != "" {
		return c.ContactMail
	}
	return c.MailAddress()
}

// MailAddress returns the address of MAIL_FROM without a name.
func (c *Config) MailAddress() string {
	address, err := mail.ParseAddress(c.MailFrom)
	if err != nil {
		return c.MailFrom // only in a Config that Load has not checked, of the demo or a test
	}
	return address.Address
}

// isBareAddress reports whether text is a mail address without a name.
func isBareAddress(text string) bool {
	address, err := mail.ParseAddress(text)
	return err == nil && address.Address == text
}

// checkContact refuses invalid mail addresses and an imprint that is too long.
func (c *Config) checkContact() error {
	if _, err := mail.ParseAddress(c.MailFrom); err != nil {
		return invalidVariable("MAIL_FROM", "must be a mail address")
	}
	if c.ContactMail != "" && !isBareAddress(c.ContactMail) {
		return invalidVariable("CONTACT", "must be a mail address without a name")
	}
	if c.OutsideContact != "" && !isBareAddress(c.OutsideContact) {
		return invalidVariable("OUTSIDE_CONTACT", "must be a mail address without a name")
	}
	if c.BounceAddress != "" && (!isBareAddress(c.BounceAddress) || strings.IndexByte(c.BounceAddress, '@') > maxBounceLocal) {
		return invalidVariable("BOUNCE_ADDRESS", fmt.Sprintf("must be a mail address without a name, with at most %d characters before the @", maxBounceLocal))
	}
	if len(c.Imprint) > maxImprint {
		return invalidVariable("IMPRINT", fmt.Sprintf("must have at most %d bytes", maxImprint))
	}
	return nil
}
