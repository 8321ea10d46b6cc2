package maildoctor_test

import (
	"context"
	"maps"
	"net"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/dns/dnsmessage"

	"heartward/api/platform/maildoctor"
)

// zone has records by "TYPE name". The values of TXT, A, PTR and MX are lists that are separated by a vertical bar.
type zone map[string]string

// healthy is the zone of a sender to whom nothing is missing.
var healthy = zone{
	"TXT love.example":               "other text|v=spf1 include:spf.relay.example -all",
	"TXT spf.relay.example":          "v=spf1 ip4:192.0.2.0/28 -all",
	"TXT s1._domainkey.love.example": "v=DKIM1; k=rsa; p=MIIB",
	"TXT _dmarc.love.example":        "v=DMARC1; p=reject; rua=mailto:a@love.example",
	"A relay.example":                "192.0.2.7",
	"PTR 7.2.0.192.in-addr.arpa":     "relay.example.",
	"MX love.example":                "mx.love.example.",
	"A mx.love.example":              "192.0.2.9",
	"PTR 25.100.51.198.in-addr.arpa": "elsewhere.example.",
	"A elsewhere.example":            "203.0.113.1",
}

// serve answers over UDP on the loopback address, and returns a resolver that asks there.
func serve(t *testing.T, z zone) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	go func() {
		buffer := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buffer)
			if err != nil {
				return
			}
			if response := answer(z, buffer[:n]); response != nil {
				_, _ = conn.WriteTo(response, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

func answer(z zone, packet []byte) []byte {
	var m dnsmessage.Message
	if m.Unpack(packet) != nil || len(m.Questions) != 1 {
		return nil
	}
	q := m.Questions[0]
	name := strings.ToLower(strings.TrimSuffix(q.Name.String(), "."))
	kind := strings.TrimPrefix(q.Type.String(), "Type")
	m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
	values := z[kind+" "+name]
	known := false
	for key := range z {
		known = known || strings.HasSuffix(key, " "+name)
	}
	switch {
	case values == "FAIL":
		m.RCode = dnsmessage.RCodeServerFailure
		values = ""
	case !known:
		m.RCode = dnsmessage.RCodeNameError
	}
	for value := range strings.SplitSeq(values, "|") {
		if value == "" {
			continue
		}
		var body dnsmessage.ResourceBody
		switch q.Type {
		case dnsmessage.TypeTXT:
			body = &dnsmessage.TXTResource{TXT: []string{value}}
		case dnsmessage.TypeA:
			body = &dnsmessage.AResource{A: netip.MustParseAddr(value).As4()}
		case dnsmessage.TypePTR:
			body = &dnsmessage.PTRResource{PTR: dnsmessage.MustNewName(value)}
		case dnsmessage.TypeMX:
			body = &dnsmessage.MXResource{Pref: 10, MX: dnsmessage.MustNewName(value)}
		}
		m.Answers = append(m.Answers, dnsmessage.Resource{Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class, TTL: 60}, Body: body})
	}
	response, err := m.Pack()
	if err != nil {
		return nil
	}
	return response
}

const received = "DKIM-Signature: v=1; a=rsa-sha256; d=love.example; s=s1;\r\n h=From:Subject:\r\n List-Unsubscribe:List-Unsubscribe-Post; b=abc\r\nFrom: hello@love.example\r\n\r\nHello"

func sender() maildoctor.Sender {
	return maildoctor.Sender{From: "hello@love.example", Bounces: "bounces@love.example", Server: "relay.example", Received: []byte(received)}
}

func TestExamine_FindsNothingWrong(t *testing.T) {
	t.Parallel()
	var checks []string
	for _, f := range maildoctor.Examine(t.Context(), serve(t, healthy), sender()) {
		require.Equal(t, maildoctor.OK, f.Verdict, "%+v", f)
		require.Empty(t, f.Do)
		checks = append(checks, f.Check)
	}
	require.Equal(t, []string{"mail server", "SPF", "DKIM", "DMARC", "reverse DNS", "reports", "DKIM signature"}, checks)
}

// Each row changes one thing. The finding of the check says what, and what to do.
func TestExamine_SaysWhatToDo(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		change  zone // an empty value deletes a record
		sender  func(*maildoctor.Sender)
		check   string
		verdict maildoctor.Verdict
		found   string
		do      string
	}{
		"no SPF":                  {zone{"TXT love.example": "other"}, nil, "SPF", maildoctor.Problem, "has no record", "v=spf1 ip4:192.0.2.7 -all"},
		"no SPF, no address":      {zone{"TXT love.example": "other", "A relay.example": ""}, nil, "SPF", maildoctor.Problem, "has no record", "ip4:ADDRESS"},
		"two SPF records":         {zone{"TXT love.example": "v=spf1 -all|v=spf1 mx -all"}, nil, "SPF", maildoctor.Problem, "several records", "Join"},
		"SPF of another":          {zone{"TXT love.example": "v=spf1 ip4:198.51.100.0/24 -all"}, nil, "SPF", maildoctor.Problem, "does not allow 192.0.2.7", "ip4:192.0.2.7"},
		"SPF refuses first":       {zone{"TXT love.example": "v=spf1 -ip4:192.0.2.7 ip4:192.0.2.0/24 -all"}, nil, "SPF", maildoctor.Problem, "does not allow", "Add"},
		"SPF by redirect":         {zone{"TXT love.example": "v=spf1 redirect=spf.relay.example"}, nil, "SPF", maildoctor.OK, "allows", ""},
		"SPF by a host":           {zone{"TXT love.example": "v=spf1 a:relay.example ~all"}, nil, "SPF", maildoctor.OK, "allows", ""},
		"SPF by a network":        {zone{"TXT love.example": "v=spf1 a:mx.love.example/28 ~all"}, nil, "SPF", maildoctor.OK, "allows", ""},
		"SPF by MX":               {zone{"A mx.love.example": "192.0.2.7", "TXT love.example": "v=spf1 mx -all"}, nil, "SPF", maildoctor.OK, "allows", ""},
		"SPF by MX of an include": {zone{"TXT spf.relay.example": "v=spf1 mx -all", "MX spf.relay.example": "relay.example."}, nil, "SPF", maildoctor.OK, "allows", ""},
		"SPF for everybody":       {zone{"TXT love.example": "v=spf1 +all"}, nil, "SPF", maildoctor.Problem, "lets everybody", "-all"},
		"SPF in a circle":         {zone{"TXT love.example": "v=spf1 include:love.example -all"}, nil, "SPF", maildoctor.Problem, "look-ups", "Replace includes"},
		"SPF without answer":      {zone{"TXT love.example": "FAIL"}, nil, "SPF", maildoctor.Warning, "did not answer", "again"},
		"no DKIM key":             {zone{"TXT s1._domainkey.love.example": ""}, nil, "DKIM", maildoctor.Problem, "no key under s1", "publish its key"},
		"revoked DKIM key":        {zone{"TXT s1._domainkey.love.example": "v=DKIM1; p="}, nil, "DKIM", maildoctor.Problem, "revoked", "Publish"},
		"unknown selector": {zone{"TXT s1._domainkey.love.example": ""}, func(s *maildoctor.Sender) { s.Received = nil }, "DKIM", maildoctor.Warning,
			"under the usual selectors", "--selector"},
		"given selector": {zone{"TXT big._domainkey.love.example": "p=MII"}, func(s *maildoctor.Sender) { s.Received, s.Selectors = nil, []string{"big"} }, "DKIM",
			maildoctor.OK, "big._domainkey", ""},
		"no DMARC":            {zone{"TXT _dmarc.love.example": ""}, nil, "DMARC", maildoctor.Problem, "no record", "v=DMARC1; p=none; rua="},
		"DMARC of the parent": {zone{}, func(s *maildoctor.Sender) { s.From, s.Received = "hello@mail.love.example", nil }, "DMARC", maildoctor.OK, "_dmarc.love.example", ""},
		"weak DMARC":          {zone{"TXT _dmarc.love.example": "v=DMARC1; p=none"}, nil, "DMARC", maildoctor.Warning, "p=none", "p=quarantine"},
		"no name":             {zone{"PTR 7.2.0.192.in-addr.arpa": ""}, nil, "reverse DNS", maildoctor.Problem, "has no name", "Ask the provider"},
		"name of another": {zone{}, func(s *maildoctor.Sender) { s.Addresses = []netip.Addr{netip.MustParseAddr("198.51.100.25")} }, "reverse DNS", maildoctor.Problem,
			"elsewhere.example, which has other addresses", "Ask the provider"},
		"no address for reports": {zone{}, func(s *maildoctor.Sender) { s.Bounces = "" }, "reports", maildoctor.Warning, "BOUNCE_ADDRESS", "heartward bounce"},
		"no server for reports":  {zone{"MX love.example": ""}, nil, "reports", maildoctor.Problem, "no mail server", "MX record"},
		"private mail server":    {zone{"A relay.example": "10.0.0.1"}, nil, "mail server", maildoctor.Warning, "private", "--ip"},
		"no mail server":         {zone{}, func(s *maildoctor.Sender) { s.Server = "" }, "mail server", maildoctor.Warning, "SMTP_URL", "--ip"},
		"unsigned header": {zone{}, func(s *maildoctor.Sender) {
			s.Received = []byte(strings.ReplaceAll(received, ":List-Unsubscribe-Post", ""))
		}, "DKIM signature", maildoctor.Problem, "does not cover list-unsubscribe-post", "Add it"},
		"signed by another": {zone{}, func(s *maildoctor.Sender) {
			s.Received = []byte(strings.ReplaceAll(received, "d=love.example", "d=evil-love.example"))
		}, "DKIM signature", maildoctor.Problem, "no signature of love.example", "sign"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			z := maps.Clone(healthy)
			maps.Copy(z, row.change)
			s := sender()
			if row.sender != nil {
				row.sender(&s)
			}
			for _, f := range maildoctor.Examine(t.Context(), serve(t, z), s) {
				if f.Check == row.check {
					require.Equal(t, row.verdict, f.Verdict, "%+v", f)
					require.Contains(t, f.Found, row.found)
					require.Contains(t, f.Do, row.do)
					return
				}
			}
			t.Fatal("no such check")
		})
	}
}
