// Package push sends Web Push messages: VAPID, encryption, and the checks of
// endpoints, which clients choose. It contains no product types.
package push

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	webpush "github.com/SherClockHolmes/webpush-go"
)

// Subscription is a browser's push subscription.
type Subscription struct {
	Endpoint string
	P256dh   string
	Auth     string
}

// Urgency determines whether the push service wakes a sleeping device.
type Urgency string

// The urgencies in use.
const (
	High Urgency = "high"
	Low  Urgency = "low"
)

// Message is a push message with its delivery options.
type Message struct {
	Payload []byte // at most maxPayload bytes
	TTL     time.Duration
	Urgency Urgency
	Topic   string // replaces an undelivered message of the same topic; at most 32 URL-safe characters
}

// Outcome is the result of a push, which determines what the caller must do.
type Outcome string

// The outcomes.
const (
	Sent        Outcome = "sent"
	Gone        Outcome = "gone"         // delete the subscription
	Invalid     Outcome = "invalid"      // the subscription can never work: delete it
	TooLarge    Outcome = "too_large"    // shrink the payload
	Later       Outcome = "later"        // retry, after Result.RetryAfter if set
	Refused     Outcome = "refused"      // the service rejects the request: keep the subscription, log it
	KeyRejected Outcome = "key_rejected" // the service rejects the VAPID key: keep the subscription, alert the operator
)

// Result is an outcome with its details.
type Result struct {
	Outcome    Outcome
	Status     int           // HTTP status of the service; 0 without a response
	RetryAfter time.Duration // for Later; 0 when the service sent none
	Err        error         // for the log
}

// Sender sends one message to one subscription. Send returns within 15 s, or when
// ctx ends.
type Sender interface {
	Send(ctx context.Context, to Subscription, message Message) Result
}

// Options configure NewSender. NewKeys returns a key pair.
type Options struct {
	PublicKey, PrivateKey string
	Subject               string   // a bare mail address or an https URL
	Hosts                 []string // allowed services; nil: DefaultHosts
	// For tests against a service on this machine.
	AllowPrivate bool
	TLS          *tls.Config
}

// recordSize is the size of every encrypted record, in bytes. All messages have the same
// size, so that it reveals nothing about the content. It is below the limit of every
// service (Firefox on Android: 3,070).
const recordSize = 2800

// maxPayload is the record size without the header of 86 bytes, the delimiter of 1 and the tag of 16 (RFC 8188).
const maxPayload = recordSize - 86 - 1 - 16

type sender struct {
	options Options
	hosts   Hosts
	client  *http.Client
}

// NewSender returns a Sender that connects to push services over https.
func NewSender(options Options) Sender {
	hosts := Hosts(options.Hosts)
	if hosts == nil {
		hosts = DefaultHosts
	}
	return &sender{options: options, hosts: hosts, client: newClient(options)}
}

// newClient returns a client that follows no redirects, uses no proxy, and dials
// public addresses only. The dialer checks the resolved address.
func newClient(options Options) *http.Client {
	dialer := &net.Dialer{Timeout: 5 * time.Second}
	if !options.AllowPrivate {
		dialer.Control = refusePrivate
	}
	return &http.Client{
		Timeout:       15 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy: nil, DialContext: dialer.DialContext, TLSClientConfig: options.TLS, ForceAttemptHTTP2: true,
			TLSHandshakeTimeout: 5 * time.Second, ResponseHeaderTimeout: 10 * time.Second, MaxResponseHeaderBytes: 16 << 10,
			// Concurrent pushes to a service keep their connections.
			MaxIdleConnsPerHost: 20, IdleConnTimeout: time.Minute,
		},
	}
}

var errPrivate = errors.New("push: the address is not public")

// refusePrivate is a control function of a dialer, which calls it with the resolved address. It returns errPrivate for an
// address that is not public.
func refusePrivate(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if !isPublic(at.Addr()) {
		return fmt.Errorf("%w: %s", errPrivate, address)
	}
	return nil
}

// nonPublicPrefixes are ranges that the methods of netip.Addr do not cover.
var nonPublicPrefixes = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("64:ff9b::/96"),
	netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
	netip.MustParsePrefix("2001::/32"), netip.MustParsePrefix("fec0::/10"),
}

// isPublic reports whether an address can belong to a server on the internet.
func isPublic(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	if !addr.IsGlobalUnicast() || addr.IsPrivate() || addr.IsLoopback() || addr.IsLinkLocalUnicast() {
		return false
	}
	for _, prefix := range nonPublicPrefixes {
		if prefix.Contains(addr) {
			return false
		}
	}
	return true
}

// Send pushes one message.
func (s *sender) Send(ctx context.Context, to Subscription, message Message) Result {
	if err := s.hosts.Check(to.Endpoint); err != nil {
		return Result{Outcome: Invalid, Err: err}
	}
	if err := CheckKeys(to.P256dh, to.Auth); err != nil {
		return Result{Outcome: Invalid, Err: err}
	}
	if len(message.Payload) > maxPayload {
		return Result{Outcome: TooLarge, Err: fmt.Errorf("push: payload of %d bytes", len(message.Payload))}
	}
	response, err := webpush.SendNotificationWithContext(ctx, message.Payload,
		&webpush.Subscription{Endpoint: to.Endpoint, Keys: webpush.Keys{P256dh: to.P256dh, Auth: to.Auth}},
		&webpush.Options{
			HTTPClient: s.client, RecordSize: recordSize, Subscriber: s.options.Subject, Topic: message.Topic,
			TTL: int(message.TTL.Seconds()), Urgency: webpush.Urgency(message.Urgency),
			VAPIDPublicKey: s.options.PublicKey, VAPIDPrivateKey: s.options.PrivateKey,
		})
	if errors.Is(err, errPrivate) {
		return Result{Outcome: Invalid, Err: err}
	}
	if err != nil {
		return Result{Outcome: Later, Err: err}
	}
	defer response.Body.Close()
	detail, _ := io.ReadAll(io.LimitReader(response.Body, 500))
	return resultOf(response, string(detail))
}

// resultOf returns the result for a response. detail is the beginning of its body, for the log.
func resultOf(response *http.Response, detail string) Result {
	r := Result{Status: response.StatusCode}
	switch status := response.StatusCode; {
	case status >= 200 && status < 300:
		r.Outcome = Sent
		return r
	case status == http.StatusNotFound || status == http.StatusGone:
		r.Outcome = Gone
	case status == http.StatusRequestEntityTooLarge:
		r.Outcome = TooLarge
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		r.Outcome = KeyRejected
	case status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status >= 500:
		r.Outcome, r.RetryAfter = Later, retryAfter(response.Header.Get("Retry-After"))
	default: // a redirect or a malformed request, which is more likely a fault of this package than of the subscription
		r.Outcome = Refused
	}
	r.Err = fmt.Errorf("push: the service responded with %d: %s", response.StatusCode, strings.TrimSpace(detail))
	return r
}

// retryAfter parses both forms of the header; it returns at most a day.
func retryAfter(header string) time.Duration {
	const day = 24 * time.Hour
	wait := time.Duration(0)
	if seconds, err := strconv.Atoi(header); err == nil {
		wait = time.Duration(min(seconds, int(day.Seconds()))) * time.Second // without the minimum it could overflow
	} else if at, err := http.ParseTime(header); err == nil {
		wait = time.Until(at)
	}
	return min(max(wait, 0), day)
}

// Hosts are the allowed push services: host names, or suffixes that begin with a
// dot.
type Hosts []string

// DefaultHosts are the push services of the known browsers.
var DefaultHosts = Hosts{
	"fcm.googleapis.com", "updates.push.services.mozilla.com", ".push.services.mozilla.com",
	"web.push.apple.com", ".push.apple.com", ".notify.windows.com", ".wns.windows.com",
}

// Check returns an error unless the endpoint is an https URL at one of the hosts.
// Clients choose endpoints, and without the check could make this process connect to any
// server.
func (h Hosts) Check(endpoint string) error {
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || u.Fragment != "" || len(endpoint) > 1000 {
		return errors.New("push: the endpoint is not an https URL")
	}
	name := strings.ToLower(u.Hostname())
	for _, host := range h {
		if name == host || (strings.HasPrefix(host, ".") && strings.HasSuffix(name, host)) {
			if port := u.Port(); port == "" || port == "443" {
				return nil
			}
		}
		if strings.ToLower(u.Host) == host { // a configured host may include a port
			return nil
		}
	}
	return fmt.Errorf("push: %q is not a known push service", name)
}
