// Package maildoctor checks what mailbox providers look up in the DNS about a sender of mails, and says what to change.
package maildoctor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/netip"
	"slices"
	"strings"
)

// Verdict is the result of a check.
type Verdict string

// The results of a check.
const (
	OK      Verdict = "ok"
	Warning Verdict = "warning"
	Problem Verdict = "problem"
)

// Finding is what a check found and, unless it is OK, what to do.
type Finding struct {
	Check   string
	Verdict Verdict
	Found   string
	Do      string
}

// Resolver looks names up in the DNS. A net.Resolver is one.
type Resolver interface {
	LookupTXT(ctx context.Context, name string) ([]string, error)
	LookupMX(ctx context.Context, name string) ([]*net.MX, error)
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
	LookupAddr(ctx context.Context, address string) ([]string, error)
}

// Sender is what is checked.
type Sender struct {
	From    string // the address of the sender, without a name
	Bounces string // the address for reports; empty: From
	Server  string // the host of the mail server; empty if there is none

	Addresses []netip.Addr // from which mails leave; empty: those of Server
	Selectors []string     // of DKIM keys; empty: the usual ones
	Received  []byte       // a mail of ours as it arrived somewhere; empty: its signature is not checked
}

// Examine runs all checks. An error of the DNS is a finding.
func Examine(ctx context.Context, dns Resolver, s Sender) []Finding {
	d := doctor{dns: dns, Sender: s, from: domainOf(s.From), envelope: domainOf(s.From)}
	if s.Bounces != "" {
		d.envelope = domainOf(s.Bounces)
	}
	findings := d.resolveAddresses(ctx) // first: the checks of SPF and of reverse DNS need the addresses
	findings = append(findings, d.checkSPF(ctx), d.checkDKIM(ctx), d.checkDMARC(ctx))
	findings = append(findings, d.checkReverseDNS(ctx)...)
	findings = append(findings, d.checkReports(ctx))
	if len(s.Received) > 0 {
		findings = append(findings, d.checkSignature())
	}
	return findings
}

// doctor checks a sender. Its addresses are set by resolveAddresses.
type doctor struct {
	Sender
	dns            Resolver
	from, envelope string // the domains of the sender's address and of the return path
}

func domainOf(address string) string {
	return strings.ToLower(address[strings.LastIndexByte(address, '@')+1:])
}

// isMissing reports whether err says that there is no such name or record.
func isMissing(err error) bool {
	var dns *net.DNSError
	return errors.As(err, &dns) && dns.IsNotFound
}

// unreachable is the finding of a look-up that failed.
func unreachable(check, name string, err error) Finding {
	return Finding{check, Warning, fmt.Sprintf("The DNS did not answer about %s: %v.", name, err), "Run this again, on a machine that reaches the DNS."}
}

// resolveAddresses sets the addresses from which mails leave to those of the mail server, if they are not given.
func (d *doctor) resolveAddresses(ctx context.Context) []Finding {
	if len(d.Addresses) > 0 {
		return nil
	}
	if d.Server == "" {
		return []Finding{{"mail server", Warning, "SMTP_URL is not set.", "Set SMTP_URL, or give the address from which mails leave with --ip."}}
	}
	found, err := d.dns.LookupNetIP(ctx, "ip", d.Server)
	if err != nil {
		return []Finding{unreachable("mail server", d.Server, err)}
	}
	for _, ip := range found {
		if ip = ip.Unmap(); !ip.IsLoopback() && !ip.IsPrivate() {
			d.Addresses = append(d.Addresses, ip)
		}
	}
	if len(d.Addresses) == 0 {
		return []Finding{{"mail server", Warning, "The addresses of " + d.Server + " are private, so its mails leave from another one.",
			"Give the address from which mails leave with --ip."}}
	}
	return []Finding{{"mail server", OK, fmt.Sprintf("Mails are taken to leave from %s: %v. A relay may use others; --ip checks those.", d.Server, d.Addresses), ""}}
}

// txt returns the TXT records of a name that begin with a version, such as v=spf1. A missing name has none.
func (d *doctor) txt(ctx context.Context, name, version string) ([]string, error) {
	all, err := d.dns.LookupTXT(ctx, name)
	if isMissing(err) {
		return nil, nil
	}
	return slices.DeleteFunc(all, func(text string) bool {
		first, _, _ := strings.Cut(text, ";")
		first, _, _ = strings.Cut(strings.TrimSpace(first), " ")
		return !strings.EqualFold(first, version)
	}), err
}

// checkDMARC checks the record of the sender's domain or, without one, that of the closest parent domain.
func (d *doctor) checkDMARC(ctx context.Context) Finding {
	const check = "DMARC"
	add := fmt.Sprintf("Add a TXT record at _dmarc.%s: v=DMARC1; p=none; rua=mailto:postmaster@%[1]s. Read the reports, then set p=quarantine or p=reject.", d.from)
	for name := d.from; strings.Contains(name, "."); _, name, _ = strings.Cut(name, ".") {
		records, err := d.txt(ctx, "_dmarc."+name, "v=DMARC1")
		switch {
		case err != nil:
			return unreachable(check, "_dmarc."+name, err)
		case len(records) > 1:
			return Finding{check, Problem, "There are several records at _dmarc." + name + ", so none counts.", "Keep one."}
		case len(records) == 1:
			switch tagOf(records[0], "p") {
			case "quarantine", "reject":
				return Finding{check, OK, "The record at _dmarc." + name + " refuses forged mail.", ""}
			case "none":
				return Finding{check, Warning, "The record at _dmarc." + name + " has p=none: everybody can forge your mails.",
					"When the reports show only your own mails, set p=quarantine, then p=reject."}
			}
			return Finding{check, Problem, "The record at _dmarc." + name + " has no valid p=.", add}
		}
	}
	return Finding{check, Problem, "There is no record. Gmail and Yahoo refuse mails to many people without one.", add}
}

// usualSelectors are selectors that mail servers use if none is configured.
var usualSelectors = []string{"default", "mail", "dkim", "s1", "s2", "k1", "selector1", "selector2", "google", "smtp"}

// checkDKIM checks that a key is published under the selector of the received mail, the given selectors or, without these,
// one of the usual selectors.
func (d *doctor) checkDKIM(ctx context.Context) Finding {
	const check = "DKIM"
	selectors := d.Selectors
	if selector := tagOf(d.receivedSignature(), "s"); selector != "" {
		selectors = append([]string{selector}, selectors...)
	}
	given := len(selectors) > 0
	if !given {
		selectors = usualSelectors
	}
	for _, selector := range selectors {
		name := selector + "._domainkey." + d.from
		records, err := d.dns.LookupTXT(ctx, name)
		if err != nil && !isMissing(err) {
			return unreachable(check, name, err)
		}
		for _, record := range records {
			if !strings.Contains(record, "p=") {
				continue
			}
			if tagOf(record, "p") == "" {
				return Finding{check, Problem, "The key at " + name + " is revoked: p= is empty.", "Publish the key with which your mail server signs."}
			}
			return Finding{check, OK, "There is a key at " + name + ".", ""}
		}
	}
	do := "Let your mail server sign with DKIM for " + d.from + ", and publish its key as it says. Give its selector with --selector."
	if !given {
		return Finding{check, Warning, "No key was found under the usual selectors. There may be one under another.", do}
	}
	return Finding{check, Problem, fmt.Sprintf("There is no key under %s at _domainkey.%s.", strings.Join(selectors, ", "), d.from), do}
}

// receivedSignature returns the DKIM signature of the received mail for the sender's domain, or "" if there is none.
func (d *doctor) receivedSignature() string {
	message, err := mail.ReadMessage(bytes.NewReader(d.Received))
	if err != nil {
		return ""
	}
	for _, signature := range message.Header["Dkim-Signature"] {
		by := strings.ToLower(tagOf(signature, "d"))
		if by != "" && (d.from == by || strings.HasSuffix(d.from, "."+by)) {
			return signature
		}
	}
	return ""
}

// checkSignature checks that the signature of the received mail covers the headers for which mailbox providers require it.
func (d *doctor) checkSignature() Finding {
	const check = "DKIM signature"
	signature := d.receivedSignature()
	if signature == "" {
		return Finding{check, Problem, "The mail has no signature of " + d.from + ".", "Let your mail server sign the mails of this domain with DKIM."}
	}
	signed := strings.Split(strings.ToLower(tagOf(signature, "h")), ":")
	for _, header := range []string{"from", "subject", "list-unsubscribe", "list-unsubscribe-post"} {
		if !slices.Contains(signed, header) {
			return Finding{check, Problem, "The signature does not cover " + header + ".",
				"Add it to the headers that your mail server signs. Without both List-Unsubscribe headers mailboxes show no button to unsubscribe."}
		}
	}
	return Finding{check, OK, "The signature covers the headers that mailboxes look for.", ""}
}

// tagOf returns the value of a tag in a list such as "v=DMARC1; p=none", without white space.
func tagOf(list, tag string) string {
	for part := range strings.SplitSeq(list, ";") {
		name, value, _ := strings.Cut(part, "=")
		if strings.EqualFold(strings.TrimSpace(name), tag) {
			return strings.Join(strings.Fields(value), "")
		}
	}
	return ""
}

// checkReverseDNS checks that each address has a name, and that the name has the address (forward-confirmed reverse DNS).
func (d *doctor) checkReverseDNS(ctx context.Context) (findings []Finding) {
	const check = "reverse DNS"
	for _, ip := range d.Addresses {
		do := fmt.Sprintf("Ask the provider of %s to give it the name of your mail server, which must have this address in the DNS.", ip)
		names, err := d.dns.LookupAddr(ctx, ip.String())
		switch {
		case err != nil && !isMissing(err):
			findings = append(findings, unreachable(check, ip.String(), err))
		case len(names) == 0:
			findings = append(findings, Finding{check, Problem, ip.String() + " has no name. Most mailboxes refuse its mails.", do})
		case !d.confirms(ctx, names, ip):
			findings = append(findings, Finding{check, Problem, fmt.Sprintf("%s has the name %s, which has other addresses.", ip, strings.TrimSuffix(names[0], ".")), do})
		default:
			findings = append(findings, Finding{check, OK, fmt.Sprintf("%s is %s, in both directions.", ip, strings.TrimSuffix(names[0], ".")), ""})
		}
	}
	return findings
}

// confirms reports whether one of the names has the address.
func (d *doctor) confirms(ctx context.Context, names []string, ip netip.Addr) bool {
	for _, name := range names {
		addresses, _ := d.dns.LookupNetIP(ctx, "ip", name)
		if slices.ContainsFunc(addresses, func(a netip.Addr) bool { return a.Unmap() == ip }) {
			return true
		}
	}
	return false
}

// checkReports checks that reports about mails can arrive.
func (d *doctor) checkReports(ctx context.Context) Finding {
	const check = "reports"
	if d.Bounces == "" {
		return Finding{check, Warning, "BOUNCE_ADDRESS is not set, so a mailbox that refuses a mail later is not noticed.",
			"Set it, and let your mail server pipe what arrives there to heartward bounce."}
	}
	records, err := d.dns.LookupMX(ctx, d.envelope)
	switch {
	case err != nil && !isMissing(err):
		return unreachable(check, d.envelope, err)
	case len(records) == 0:
		return Finding{check, Problem, d.envelope + " has no mail server, so that no report arrives.", "Add an MX record for " + d.envelope + "."}
	}
	return Finding{check, OK, fmt.Sprintf("Reports go to %s, at %s.", d.Bounces, strings.TrimSuffix(records[0].Host, ".")), ""}
}
