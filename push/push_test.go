package push_test

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"

	"heartward/push"
)

var b64 = base64.RawURLEncoding

// browser is the receiver of pushes: a subscription with its private key.
type browser struct {
	key  *ecdh.PrivateKey
	auth []byte
}

func newBrowser(t *testing.T) browser {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	require.NoError(t, err)
	auth := make([]byte, 16)
	_, _ = rand.Read(auth)
	return browser{key, auth}
}

func (b browser) subscription(endpoint string) push.Subscription {
	return push.Subscription{Endpoint: endpoint, P256dh: b64.EncodeToString(b.key.PublicKey().Bytes()), Auth: b64.EncodeToString(b.auth)}
}

// decrypt decrypts a push as RFC 8291 and RFC 8188 specify for a receiver.
func (b browser) decrypt(t *testing.T, body []byte) []byte {
	salt, keyLength := body[:16], int(body[20])
	require.EqualValues(t, 2800, binary.BigEndian.Uint32(body[16:20]), "the record size")
	senderKey := body[21 : 21+keyLength]
	sender, err := ecdh.P256().NewPublicKey(senderKey)
	require.NoError(t, err)
	shared, err := b.key.ECDH(sender)
	require.NoError(t, err)
	info := "WebPush: info\x00" + string(b.key.PublicKey().Bytes()) + string(senderKey)
	ikm, err := hkdf.Key(sha256.New, shared, b.auth, info, 32)
	require.NoError(t, err)
	key, err := hkdf.Key(sha256.New, ikm, salt, "Content-Encoding: aes128gcm\x00", 16)
	require.NoError(t, err)
	nonce, err := hkdf.Key(sha256.New, ikm, salt, "Content-Encoding: nonce\x00", 12)
	require.NoError(t, err)
	block, err := aes.NewCipher(key)
	require.NoError(t, err)
	gcm, err := cipher.NewGCM(block)
	require.NoError(t, err)
	plain, err := gcm.Open(nil, nonce, body[21+keyLength:], nil)
	require.NoError(t, err)
	plain = []byte(strings.TrimRight(string(plain), "\x00"))
	require.EqualValues(t, 2, plain[len(plain)-1], "the last record's delimiter")
	return plain[:len(plain)-1]
}

// service starts a local push service and returns a sender for it.
func service(t *testing.T, handler http.HandlerFunc) (sender push.Sender, endpoint, publicKey string) {
	server := httptest.NewTLSServer(handler)
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	u, err := url.Parse(server.URL)
	require.NoError(t, err)
	public, private, err := push.NewKeys()
	require.NoError(t, err)
	sender = push.NewSender(push.Options{
		PublicKey: public, PrivateKey: private, Subject: "ops@heartward.test", Hosts: []string{u.Host},
		AllowPrivate: true, TLS: &tls.Config{RootCAs: roots},
	})
	return sender, server.URL + "/to/1", public
}

func TestSend_ReceiverCanDecrypt(t *testing.T) {
	t.Parallel()
	device := newBrowser(t)
	var header http.Header
	var body []byte
	sender, endpoint, public := service(t, func(w http.ResponseWriter, r *http.Request) {
		header = r.Header.Clone()
		body, _ = io.ReadAll(r.Body)
		w.WriteHeader(http.StatusCreated)
	})
	payload := strings.Repeat("grüße ", 300)
	result := sender.Send(context.Background(), device.subscription(endpoint),
		push.Message{Payload: []byte(payload), TTL: 72 * time.Hour, Urgency: push.High, Topic: "abc"})
	require.NoError(t, result.Err)
	require.Equal(t, push.Sent, result.Outcome)
	require.Equal(t, payload, string(device.decrypt(t, body)))
	require.Less(t, len(body), 3070)
	require.Equal(t, []string{"259200", "high", "abc", "aes128gcm"},
		[]string{header.Get("TTL"), header.Get("Urgency"), header.Get("Topic"), header.Get("Content-Encoding")})

	token, key, ok := strings.Cut(strings.TrimPrefix(header.Get("Authorization"), "vapid t="), ", k=")
	require.True(t, ok)
	require.Equal(t, public, key)
	var claims jwt.RegisteredClaims
	_, err := jwt.ParseWithClaims(token, &claims, func(*jwt.Token) (any, error) {
		point, err := b64.DecodeString(key)
		if err != nil {
			return nil, err
		}
		return ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	}, jwt.WithValidMethods([]string{"ES256"}), jwt.WithExpirationRequired())
	require.NoError(t, err, "the token is signed with the VAPID key")
	require.WithinRange(t, claims.ExpiresAt.Time, time.Now().Add(time.Minute), time.Now().Add(24*time.Hour))
	require.Equal(t, "mailto:ops@heartward.test", claims.Subject)
	require.Equal(t, jwt.ClaimStrings{strings.TrimSuffix(endpoint, "/to/1")}, claims.Audience)
}

func TestSend_MapsStatusToOutcome(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]push.Outcome{
		200: push.Sent, 201: push.Sent, 202: push.Sent, 404: push.Gone, 410: push.Gone, 413: push.TooLarge,
		429: push.Later, 500: push.Later, 503: push.Later, 401: push.KeyRejected, 403: push.KeyRejected,
		400: push.Refused, 301: push.Refused, 307: push.Refused,
	} {
		sender, endpoint, _ := service(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/to/1" {
				t.Error("redirects are not followed")
			}
			w.Header().Set("Location", "/elsewhere")
			w.Header().Set("Retry-After", "90")
			w.WriteHeader(status)
		})
		result := sender.Send(context.Background(), newBrowser(t).subscription(endpoint), push.Message{Payload: []byte("x")})
		require.Equal(t, want, result.Outcome, status)
		if want == push.Later {
			require.Equal(t, 90*time.Second, result.RetryAfter)
		}
	}
}

func TestSend_RefusesInvalidMessages(t *testing.T) {
	t.Parallel()
	sender, endpoint, _ := service(t, func(http.ResponseWriter, *http.Request) { t.Error("an invalid push reached the service") })
	device := newBrowser(t)
	big := sender.Send(context.Background(), device.subscription(endpoint), push.Message{Payload: make([]byte, 2800-86-1-16+1)})
	require.Equal(t, push.TooLarge, big.Outcome)
	badKey := device.subscription(endpoint)
	badKey.P256dh = b64.EncodeToString(make([]byte, 65))
	require.Equal(t, push.Invalid, sender.Send(context.Background(), badKey, push.Message{}).Outcome)
	plain := device.subscription(strings.Replace(endpoint, "https", "http", 1))
	require.Equal(t, push.Invalid, sender.Send(context.Background(), plain, push.Message{}).Outcome)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.Equal(t, push.Later, sender.Send(ctx, device.subscription(endpoint), push.Message{}).Outcome)
}

// Send returns when its context ends, although the service does not respond.
func TestSend_ReturnsWhenContextEnds(t *testing.T) {
	t.Parallel()
	received, done := make(chan struct{}), make(chan struct{})
	sender, endpoint, _ := service(t, func(http.ResponseWriter, *http.Request) {
		close(received)
		<-done
	})
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-received
		cancel()
	}()
	result := sender.Send(ctx, newBrowser(t).subscription(endpoint), push.Message{Payload: []byte("x")})
	close(done)
	require.Equal(t, push.Later, result.Outcome)
	require.ErrorIs(t, result.Err, context.Canceled)

	sender, endpoint, _ = service(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	result = sender.Send(context.Background(), newBrowser(t).subscription(endpoint), push.Message{Payload: []byte("x")})
	require.Equal(t, push.Later, result.Outcome, "the service closed the connection")
}

// The timeout of Send is shorter than a job's timeout of a minute.
func TestSend_TimesOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		defer far.Close()
		go func() { _, _ = io.Copy(io.Discard, far) }()
		client := push.NewClientWithDial(func(context.Context, string, string) (net.Conn, error) { return near, nil })
		began := time.Now()
		request, err := http.NewRequest(http.MethodPost, "http://push.test/x", strings.NewReader("x"))
		require.NoError(t, err)
		_, err = client.Do(request)
		require.Error(t, err)
		require.LessOrEqual(t, time.Since(began), 15*time.Second, "measured with the fake clock of synctest")
	})
}

// The address is checked after the name is resolved: an allowed name may resolve to a
// private address.
func TestSend_RefusesPrivateAddresses(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("dialled") }))
	defer server.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "https://"), ":")
	public, private, err := push.NewKeys()
	require.NoError(t, err)
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "10.0.0.1", "169.254.169.254", "[::ffff:127.0.0.1]", "100.64.1.1", "[fd00::1]"} {
		host += ":" + port
		sender := push.NewSender(push.Options{PublicKey: public, PrivateKey: private, Subject: "a@b.test", Hosts: []string{host}})
		result := sender.Send(context.Background(), newBrowser(t).subscription("https://"+host+"/x"), push.Message{})
		require.Equal(t, push.Invalid, result.Outcome, host)
		require.ErrorContains(t, result.Err, "not public", host)
	}
}

func TestHosts_CheckAllowsKnownServicesOnly(t *testing.T) {
	t.Parallel()
	for _, good := range []string{
		"https://fcm.googleapis.com/fcm/send/x", "https://updates.push.services.mozilla.com/wpush/v2/x",
		"https://web.push.apple.com/x", "https://api.push.apple.com/x", "https://db5p.notify.windows.com/?token=x",
		"https://FCM.googleapis.com:443/x",
	} {
		require.NoError(t, push.DefaultHosts.Check(good), good)
	}
	for _, bad := range []string{
		"", "x", "http://fcm.googleapis.com/x", "https://evil.test/x", "https://fcm.googleapis.com.evil.test/x",
		"https://evilpush.apple.com/x", "https://fcm.googleapis.com:8443/x", "https://u:p@fcm.googleapis.com/x",
		"https://127.0.0.1/x", "https://fcm.googleapis.com/x#y", "file:///etc/passwd", "https://fcm.googleapis.com/" + strings.Repeat("x", 1000),
		"https://.push.apple.com@evil.test/", "https://evil.test/?.push.apple.com",
	} {
		require.Error(t, push.DefaultHosts.Check(bad), bad)
	}
}
