// Package push sends Web Push messages: VAPID, encryption and the checks that
// an address chosen by a client needs. It knows nothing of the product.
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

// Subscription is what a browser handed out to be pushed to.
type Subscription struct {
	Endpoint string
	P256dh   string
	Auth     string
}

// Urgency tells the push service whether to wake a sleeping device.
type Urgency string

// The urgencies in use.
const (
	High Urgency = "high" // messages and matches
	Low  Urgency = "low"  // likes and the digest
)

// Message is what to push, and how long and how urgently.
type Message struct {
	Payload []byte // below 2 kB
	TTL     time.Duration
	Urgency Urgency
	Topic   string // replaces an undelivered message of the same topic; at most 32 URL-safe characters
}

// Outcome is what became of a push, as the caller has to act on it.
type Outcome string

// The outcomes.
const (
	Sent     Outcome = "sent"
	Gone     Outcome = "gone"      // delete the subscription
	Invalid  Outcome = "invalid"   // the subscription can never work: delete it
	TooLarge Outcome = "too_large" // shrink the payload
	Later    Outcome = "later"     // try again, after Result.RetryAfter when set
	Refused  Outcome = "refused"   // the service does not take this request: keep the row, log it
	OurKey   Outcome = "our_key"   // the service refuses our key: keep the row, tell the operator
)

// Result is the outcome with what belongs to it.
type Result struct {
	Outcome    Outcome
	Status     int           // the service's answer, 0 without one
	RetryAfter time.Duration // for Later; 0 when the service did not say
	Err        error         // for the log
}

// Sender pushes one message to one subscription. It returns within its own
// time limit, or when ctx ends.
type Sender interface {
	Send(ctx context.Context, to Subscription, message Message) Result
}

// Options for the real sender. Keys come from webpush.GenerateVAPIDKeys.
type Options struct {
	PublicKey, PrivateKey string
	Subject               string   // a bare mail address or an https URL
	Hosts                 []string // allowed services; nil stands for DefaultHosts
	// For tests against a service on this machine.
	AllowPrivate bool
	TLS          *tls.Config
}

// recordSize holds the biggest payload, and is below what every service takes
// (Firefox on Android: 3,070). All records have it, so size tells nothing.
const recordSize = 2800

// maxPayload is what fits into a record beside its header, tag and delimiter.
const maxPayload = recordSize - 16 - 86 - 1

type sender struct {
	options Options
	hosts   Hosts
	client  *http.Client
}

// NewSender makes a Sender that talks to push services over https.
func NewSender(options Options) Sender {
	hosts := Hosts(options.Hosts)
	if hosts == nil {
		hosts = DefaultHosts
	}
	return &sender{options: options, hosts: hosts, client: newClient(options)}
}

// newClient follows no redirects, uses no proxy, and dials public addresses
// only; the check is made on the address dialled, after the name was resolved.
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
			TLSHandshakeTimeout: 5 * time.Second, ResponseHeaderTimeout: 10 * time.Second,
			MaxIdleConnsPerHost: 20, IdleConnTimeout: time.Minute, MaxResponseHeaderBytes: 16 << 10, // idle: as many as push at once
		},
	}
}

var errPrivate = errors.New("push: the address is not a public one")

func refusePrivate(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if !public(at.Addr()) {
		return fmt.Errorf("%w: %s", errPrivate, address)
	}
	return nil
}

// notPublic are ranges that netip's own questions do not cover.
var notPublic = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("64:ff9b::/96"),
	netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
	netip.MustParsePrefix("2001::/32"), netip.MustParsePrefix("fec0::/10"),
}

func public(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	if !addr.IsGlobalUnicast() || addr.IsPrivate() || addr.IsLoopback() || addr.IsLinkLocalUnicast() {
		return false
	}
	for _, prefix := range notPublic {
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
	return outcome(response, string(detail))
}

func outcome(response *http.Response, detail string) Result {
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
		r.Outcome = OurKey
	case status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status >= 500:
		r.Outcome, r.RetryAfter = Later, retryAfter(response.Header.Get("Retry-After"))
	default: // a redirect, or a request it finds wrong: our mistake more likely than the member's
		r.Outcome = Refused
	}
	r.Err = fmt.Errorf("push: the service answered %d: %s", response.StatusCode, strings.TrimSpace(detail))
	return r
}

// retryAfter reads both forms of the header; never more than a day.
func retryAfter(header string) time.Duration {
	wait := time.Duration(0)
	if seconds, err := strconv.Atoi(header); err == nil {
		wait = time.Duration(min(seconds, 86_400)) * time.Second
	} else if at, err := http.ParseTime(header); err == nil {
		wait = time.Until(at)
	}
	return min(max(wait, 0), 24*time.Hour)
}

// Hosts are the push services to which we send: a name, or a suffix that
// begins with a dot.
type Hosts []string

// DefaultHosts are the services of the browsers there are.
var DefaultHosts = Hosts{
	"fcm.googleapis.com", "updates.push.services.mozilla.com", ".push.services.mozilla.com",
	"web.push.apple.com", ".push.apple.com", ".notify.windows.com", ".wns.windows.com",
}

// Check refuses an endpoint that is not an https address at one of the hosts.
// Endpoints come from clients, and whoever sets them must not choose whom this
// server talks to.
func (h Hosts) Check(endpoint string) error {
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || u.Fragment != "" || len(endpoint) > 1000 {
		return errors.New("push: an endpoint is an https address")
	}
	name := strings.ToLower(u.Hostname())
	for _, host := range h {
		if name == host || (strings.HasPrefix(host, ".") && strings.HasSuffix(name, host)) {
			if port := u.Port(); port == "" || port == "443" {
				return nil
			}
		}
		if strings.ToLower(u.Host) == host { // with a port, when configured so
			return nil
		}
	}
	return fmt.Errorf("push: %q is not a known push service", name)
}
