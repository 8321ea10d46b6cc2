package config

import (
	"cmp"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// AllowsPlaintext reports whether a connection to host may be unencrypted: host is this
// machine, a Unix socket, or in PLAINTEXT_HOSTS.
func (c Config) AllowsPlaintext(host string) bool {
	host = strings.ToLower(host)
	if host == "" || strings.HasPrefix(host, "/") || isLoopback(host) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	for rule := range strings.SplitSeq(strings.ToLower(c.PlaintextHosts), ",") {
		rule = strings.TrimSpace(rule)
		network, networkErr := netip.ParsePrefix(rule)
		switch {
		case rule == "":
		case rule == host, strings.HasPrefix(rule, ".") && strings.HasSuffix(host, rule):
			return true
		case err == nil && networkErr == nil && network.Contains(ip.Unmap()):
			return true
		}
	}
	return false
}

// PlaintextError returns the error of a variable whose connection to host would be
// unencrypted.
func PlaintextError(variable, host, fix string) error {
	return invalidVariable(variable, fmt.Sprintf("the connection to %s would not be encrypted: %s, "+
		"or add the host to PLAINTEXT_HOSTS if its network is private", host, fix))
}

// checkTransport checks the addresses of NATS and of the file store. That of PostgreSQL is
// checked when it is opened, because its options have many forms.
func (c *Config) checkTransport() error {
	for rule := range strings.SplitSeq(c.PlaintextHosts, ",") {
		if strings.Contains(rule, "/") {
			if _, err := netip.ParsePrefix(strings.TrimSpace(rule)); err != nil {
				return invalidVariable("PLAINTEXT_HOSTS", fmt.Sprintf("%q is not a network", rule))
			}
		}
	}
	for server := range strings.SplitSeq(c.NATSURL, ",") {
		server = strings.TrimSpace(server)
		if server == "" {
			continue
		}
		if !strings.Contains(server, "://") {
			server = "nats://" + server
		}
		address, err := url.Parse(server)
		if err != nil {
			return invalidVariable("NATS_URL", "is not an address")
		}
		if address.Scheme != "tls" && !c.AllowsPlaintext(address.Hostname()) {
			return PlaintextError("NATS_URL", address.Hostname(), "begin it with tls://")
		}
	}
	return c.checkBlobTransport()
}

// checkBlobTransport checks the options of a store that is compatible with S3.
func (c *Config) checkBlobTransport() error {
	address, err := url.Parse(c.BlobURL)
	if err != nil {
		return invalidVariable("BLOB_URL", "is not an address")
	}
	options := address.Query()
	endpoint, err := url.Parse(options.Get("endpoint"))
	if err != nil {
		return invalidVariable("BLOB_URL", "the endpoint is not an address")
	}
	withoutTLS, _ := strconv.ParseBool(options.Get("disable_https"))
	host := cmp.Or(endpoint.Hostname(), address.Hostname())
	if (withoutTLS || endpoint.Scheme == "http") && !c.AllowsPlaintext(host) {
		return PlaintextError("BLOB_URL", host, "use https")
	}
	return nil
}
