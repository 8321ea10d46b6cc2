package push

import (
	"crypto/ecdh"
	"encoding/base64"
	"errors"
	"strings"

	webpush "github.com/SherClockHolmes/webpush-go"
)

// CheckKeys returns an error unless p256dh is a point of P-256 and auth 16 bytes,
// both in standard or URL-safe base64.
func CheckKeys(p256dh, auth string) error {
	point, err := decodeKey(p256dh)
	if err != nil {
		return errors.New("push: p256dh is not base64")
	}
	if _, err := ecdh.P256().NewPublicKey(point); err != nil {
		return errors.New("push: p256dh is not a key")
	}
	if secret, err := decodeKey(auth); err != nil || len(secret) != 16 {
		return errors.New("push: auth is not 16 bytes of base64")
	}
	return nil
}

// urlSafe converts standard to URL-safe base64.
var urlSafe = strings.NewReplacer("+", "-", "/", "_")

func decodeKey(text string) ([]byte, error) {
	text = urlSafe.Replace(strings.TrimRight(text, "="))
	return base64.RawURLEncoding.Strict().DecodeString(text)
}

// NewKeys returns a new VAPID key pair for Options.
func NewKeys() (publicKey, privateKey string, err error) {
	privateKey, publicKey, err = webpush.GenerateVAPIDKeys()
	return publicKey, privateKey, err
}
