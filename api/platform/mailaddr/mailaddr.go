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

// The parts of an address in the envelope of a mail (RFC 5321).
var (
	// localPart matches a local part that needs no quotes: atoms with a dot between them.
	localPart = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$")
	// quotable matches a local part that is valid in quotes, because its dots may be anywhere.
	quotable = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+$")
	// hostname matches a domain of two or more labels, in lower case and ASCII.
	hostname = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$`)
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

// Of returns the keys of a stored address. Earlier versions of Parse accepted addresses that it refuses now: their
// identity key is the address in lower case, and their abuse key is that without a tag.
func Of(stored string) Address {
	address, err := Parse("", stored)
	if err != nil {
		lower := strings.ToLower(stored)
		local, domain, _ := strings.Cut(lower, "@")
		return Address{Typed: stored, Identity: lower, Abuse: withoutTag(local, '+') + "@" + domain}
	}
	return address
}

// Keys returns the keys under which a hash of the address may be stored: the abuse key, followed by the key of earlier
// versions, which knew no rules of providers, if that is another one.
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
