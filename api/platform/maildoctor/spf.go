package maildoctor

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// maxLookups is the largest number of terms that need a look-up, in an SPF record and its includes (RFC 7208, 4.6.4).
const maxLookups = 10

// checkSPF checks that the record of the return path's domain allows each address.
func (d *doctor) checkSPF(ctx context.Context) Finding {
	const check = "SPF"
	add := fmt.Sprintf("Add a TXT record at %s: v=spf1 %s-all.", d.envelope, terms(d.Addresses))
	if len(d.Addresses) == 0 { // without addresses, the record would forbid all mails
		add = fmt.Sprintf("Add a TXT record at %s with the address from which mails leave, as in v=spf1 ip4:ADDRESS -all.", d.envelope)
	}
	records, err := d.txt(ctx, d.envelope, "v=spf1")
	switch {
	case err != nil:
		return unreachable(check, d.envelope, err)
	case len(records) == 0:
		return Finding{check, Problem, d.envelope + " has no record, so that mailboxes cannot tell your mails from forged ones.", add}
	case len(records) > 1:
		return Finding{check, Problem, d.envelope + " has several records, so none counts.", "Join them into one."}
	}
	for _, ip := range d.Addresses {
		e := evaluation{doctor: d, ip: ip}
		result, err := e.evaluate(ctx, d.envelope, records[0])
		switch {
		case err != nil:
			return unreachable(check, d.envelope, err)
		case e.lookups > maxLookups:
			return Finding{check, Problem, fmt.Sprintf("The record of %s needs more than %d look-ups, so mailboxes ignore it.", d.envelope, maxLookups), "Replace includes by the addresses."}
		case result != "+":
			return Finding{check, Problem, fmt.Sprintf("The record of %s does not allow %s.", d.envelope, ip),
				fmt.Sprintf("Add %sbefore its last term, or the include: that the provider of your mail server names.", terms([]netip.Addr{ip}))}
		}
	}
	if last := strings.ToLower(records[0]); strings.HasSuffix(last, " +all") || strings.HasSuffix(last, " all") {
		return Finding{check, Problem, "The record of " + d.envelope + " ends with +all, which lets everybody send.", "Replace it by -all."}
	}
	if len(d.Addresses) == 0 {
		return Finding{check, Warning, d.envelope + " has a record. Whether it allows your mail server was not checked.", "Give its address with --ip."}
	}
	return Finding{check, OK, "The record of " + d.envelope + " allows the mail server.", ""}
}

// terms returns the terms of a record that allow addresses, with a space behind each.
func terms(addresses []netip.Addr) string {
	var b strings.Builder
	for _, ip := range addresses {
		family := "ip4:"
		if ip.Is6() {
			family = "ip6:"
		}
		b.WriteString(family + ip.String() + " ")
	}
	return b.String()
}

// evaluation evaluates SPF records for an address. Macros and the terms exists: and ptr are not supported: they match nothing.
type evaluation struct {
	*doctor
	ip      netip.Addr
	lookups int // so far; above maxLookups the result is meaningless
}

// evaluate returns the qualifier of the first term of a domain's record that matches the address, one of + - ~ ?, and ? if none
// does.
func (e *evaluation) evaluate(ctx context.Context, domain, record string) (string, error) {
	redirect := ""
	for _, term := range strings.Fields(record)[1:] {
		if target, ok := strings.CutPrefix(strings.ToLower(term), "redirect="); ok {
			redirect = target
			continue
		}
		qualifier := "+"
		if strings.ContainsRune("+-~?", rune(term[0])) {
			qualifier, term = term[:1], term[1:]
		}
		matches, err := e.matches(ctx, domain, strings.ToLower(term))
		if err != nil {
			return "", err
		}
		if matches {
			return qualifier, nil
		}
	}
	if redirect != "" {
		return e.evaluateDomain(ctx, redirect)
	}
	return "?", nil
}

// evaluateDomain returns the result of another domain's record.
func (e *evaluation) evaluateDomain(ctx context.Context, name string) (string, error) {
	if e.lookups++; e.lookups > maxLookups {
		return "?", nil
	}
	records, err := e.txt(ctx, name, "v=spf1")
	if err != nil || len(records) != 1 {
		return "?", err
	}
	return e.evaluate(ctx, name, records[0])
}

// matches reports whether a term of a domain's record, in lower case and without its qualifier, matches the address.
func (e *evaluation) matches(ctx context.Context, domain, term string) (bool, error) {
	name, value, _ := strings.Cut(term, ":")
	name, bits, _ := strings.Cut(name, "/")
	switch name {
	case "all":
		return true, nil
	case "ip4", "ip6":
		return isIn(value, e.ip), nil
	case "include":
		result, err := e.evaluateDomain(ctx, value)
		return result == "+", err
	case "a", "mx":
		if value == "" {
			value = domain
		} else {
			value, bits, _ = strings.Cut(value, "/")
		}
		return e.matchesHost(ctx, name, value, bits)
	}
	return false, nil
}

// matchesHost reports whether the address is that of the host name (term "a") or of one of the domain's mail servers (term
// "mx"). With bits, it only has to be in the same IPv4 network, whose prefix has so many bits.
func (e *evaluation) matchesHost(ctx context.Context, term, name, bits string) (bool, error) {
	if e.lookups++; e.lookups > maxLookups {
		return false, nil
	}
	hosts := []string{name}
	if term == "mx" {
		records, err := e.dns.LookupMX(ctx, name)
		if err != nil && !isMissing(err) {
			return false, err
		}
		hosts = nil
		for _, mx := range records {
			hosts = append(hosts, mx.Host)
		}
	}
	for _, host := range hosts {
		addresses, err := e.dns.LookupNetIP(ctx, "ip", host)
		if err != nil && !isMissing(err) {
			return false, err
		}
		if slices.ContainsFunc(addresses, func(a netip.Addr) bool {
			network := a.Unmap().String()
			if bits != "" && a.Unmap().Is4() {
				network += "/" + bits
			}
			return isIn(network, e.ip)
		}) {
			return true, nil
		}
	}
	return false, nil
}

// isIn reports whether an address is, or is in, a network.
func isIn(network string, ip netip.Addr) bool {
	if prefix, err := netip.ParsePrefix(network); err == nil {
		return prefix.Masked().Contains(ip)
	}
	one, err := netip.ParseAddr(network)
	return err == nil && one == ip
}
