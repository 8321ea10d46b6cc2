package mailaddr

import (
	"slices"
	"strings"
)

// provider has the documented rules by which a provider delivers several addresses to one mailbox. A tag after a plus
// sign is not among them: all of these providers and most others ignore it, so it is removed for every domain.
type provider struct {
	domains    []string
	oneDomain  bool   // a name belongs to the same person at all domains of the provider
	ignored    string // characters that the provider ignores
	equal      string // characters that are the same as the first of them
	tag        byte   // another sign before a tag; 0 if there is none
	subdomains bool   // anything@name.domain arrives at name@domain
}

// providers are the rules that are known. A domain that is not listed may have such rules too: then a person
// can have an account for each address. Rows may be added; `heartward migrate` computes the stored keys anew.
var providers = []provider{
	// Gmail Help, "Dots don't matter in Gmail addresses"; googlemail.com is the same as gmail.com.
	{domains: []string{"gmail.com", "googlemail.com"}, oneDomain: true, ignored: "."},
	// proton.me/support/addresses-and-aliases: one person has a name at all domains. Dots, hyphens and underscores do
	// not matter; Proton's support says so, its manual does not.
	{domains: []string{"proton.me", "protonmail.com", "protonmail.ch", "pm.me"}, oneDomain: true, ignored: ".-_"},
	// support.apple.com/118230: accounts from before 2012 have an address at two or three of these domains.
	{domains: []string{"icloud.com", "me.com", "mac.com"}, oneDomain: true},
	// yandex.com/support/passport/authorization/registration.html: a dot and a hyphen are the same.
	// yandex.com/support/domain/additional/mailbox-alias.xml: a mailbox has an address at each domain.
	{domains: []string{"yandex.ru", "ya.ru", "yandex.com", "yandex.by", "yandex.kz", "yandex.ua"}, oneDomain: true, equal: "-."},
	// Yahoo Help, "disposable addresses": a base name, a hyphen and a keyword. A name has no hyphen itself.
	{domains: []string{
		"yahoo.com", "ymail.com", "rocketmail.com", "yahoo.ca", "yahoo.co.id", "yahoo.co.in", "yahoo.co.nz", "yahoo.co.uk",
		"yahoo.com.ar", "yahoo.com.au", "yahoo.com.br", "yahoo.com.mx", "yahoo.com.ph", "yahoo.com.sg", "yahoo.com.vn",
		"yahoo.de", "yahoo.es", "yahoo.fr", "yahoo.gr", "yahoo.ie", "yahoo.in", "yahoo.it", "yahoo.pl", "yahoo.ro", "yahoo.se",
	}, tag: '-'},
	// fastmail.help/hc/en-us/articles/360060591053, "Plus addressing and subdomain addressing".
	{domains: []string{"fastmail.com", "fastmail.fm"}, subdomains: true},
}

// abuseKey returns the abuse key of a local part and a domain in lower case.
func abuseKey(local, domain string) string {
	for _, p := range providers {
		if p.subdomains {
			if name, parent, _ := strings.Cut(domain, "."); slices.Contains(p.domains, parent) {
				local, domain = name, parent
			}
		}
		if slices.Contains(p.domains, domain) {
			return p.mailbox(withoutTag(local, '+'), domain)
		}
	}
	return withoutTag(local, '+') + "@" + domain
}

// mailbox applies the rules of the provider to an address without a tag.
func (p provider) mailbox(local, domain string) string {
	if p.tag != 0 {
		local = withoutTag(local, p.tag)
	}
	counted := strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune(p.ignored, r):
			return -1
		case strings.ContainsRune(p.equal, r):
			return rune(p.equal[0])
		}
		return r
	}, local)
	if counted == "" { // nothing but ignored characters
		counted = local
	}
	if p.oneDomain {
		domain = p.domains[0]
	}
	return counted + "@" + domain
}

// withoutTag cuts a local part before the first sign after its first character. It also removes dots before the sign.
func withoutTag(local string, sign byte) string {
	for at := 1; at < len(local); at++ {
		if local[at] == sign {
			return strings.TrimRight(local[:at], ".")
		}
	}
	return local
}
