// Package mailaddr checks email addresses and makes the keys by which they are compared.
package mailaddr

import (
	"regexp"
	"strings"

	"golang.org/x/net/idna"

	"heartward/api/platform/fault"
)

// Address is a checked address. Mail goes to Typed; it is never compared.
type Address struct {
	// Typed is the address as it was typed, without spaces around it. A domain in another script is in
	// its canonical form, without invisible characters.
	Typed string

	// Identity is the same for all spellings of an address: lower case, with the domain in ASCII (A-labels).
	Identity string

	// Abuse is the same for all addresses that are known to belong to one mailbox: Identity without the tag
	// after a plus sign, and by the rules of the provider (see providers). Two persons have the same one only
	// if their provider treats a tag as a part of the name.
	Abuse string
}

const maxLength = 254 // of an address in the envelope (RFC 5321)

// wire is an address as it is used in the envelope of a mail. The first part is an unquoted local part (RFC 5321: atoms
// with a dot between them); the last part of the domain is no number.
var (
	localPart = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$")
	quotable  = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+$") // with dots in any place
	hostname  = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$`)
)

// domains maps and checks domains as browsers do, except that the German sharp s and the like are kept.
var domains = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(true),
	idna.BidiRule(), idna.CheckJoiners(true), idna.VerifyDNSLength(true))

// Parse returns the address with its keys. It returns Invalid with the field unless the local part has 1 to 64 ASCII
// characters that need no quotes, with no dot at its ends and no two in a row, and the domain is one of two or more labels.
func Parse(field, typed string) (Address, error) {
	typed = strings.TrimSpace(typed)
	local, domain, ascii, ok := split(typed)
	if !ok || len(local) > 64 || len(local)+1+len(ascii) > maxLength || !localPart.MatchString(local) || !hostname.MatchString(ascii) {
		return Address{}, fault.InvalidField(field, "Please enter a valid email address")
	}
	name := strings.ToLower(local)
	return Address{Typed: local + "@" + domain, Identity: name + "@" + ascii, Abuse: abuseKey(name, ascii)}, nil
}

// Of returns the keys of a stored address. Parse has accepted it, now or by earlier rules: the
// keys of one that it refuses now are in lower case and without a tag.
func Of(stored string) Address {
	address, err := Parse("", stored)
	if err != nil {
		lower := strings.ToLower(stored)
		local, domain, _ := strings.Cut(lower, "@")
		return Address{Typed: stored, Identity: lower, Abuse: withoutTag(local, '+') + "@" + domain}
	}
	return address
}

// Keys returns the keys under which a keyed hash of the address may be stored: the abuse key first, and the one by
// the rules of before there were providers other than Gmail.
func (a Address) Keys() []string {
	local, domain, _ := strings.Cut(a.Identity, "@")
	if earlier := withoutTag(local, '+') + "@" + domain; earlier != a.Abuse {
		return []string{a.Abuse, earlier}
	}
	return []string{a.Abuse}
}

// Wire returns an address as it is written in the envelope and headers of a mail: with the domain in ASCII, and with quotes
// around a local part that needs them. Parse refuses such an address, but earlier rules did not.
func Wire(address string) string {
	local, _, ascii, ok := split(address)
	if !ok {
		return address
	}
	if !localPart.MatchString(local) && quotable.MatchString(local) {
		local = `"` + local + `"`
	}
	return local + "@" + ascii
}

// split returns the local part, the domain for display, and the domain in ASCII and lower case.
func split(address string) (local, domain, ascii string, ok bool) {
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return "", "", "", false
	}
	local, domain = address[:at], address[at+1:]
	if isASCII(domain) {
		return local, domain, strings.ToLower(domain), true
	}
	ascii, err := domains.ToASCII(domain)
	if err != nil {
		return "", "", "", false
	}
	domain, err = domains.ToUnicode(ascii)
	return local, domain, ascii, err == nil
}

func isASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r > '~' }) < 0
}

// Domain returns what follows the last @ of an address.
func Domain(address string) string { return address[strings.LastIndexByte(address, '@')+1:] }
