package push

import (
	"crypto/ecdh"
	"encoding/base64"
	"errors"
	"strings"

	webpush "github.com/SherClockHolmes/webpush-go"
)

// CheckKeys refuses keys with which nothing can be encrypted: p256dh must be a
// point of P-256 and auth 16 bytes, both in base64, URL-safe or not.
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

// urlSafe turns one alphabet of base64 into the other.
var urlSafe = strings.NewReplacer("+", "-", "/", "_")

func decodeKey(text string) ([]byte, error) {
	text = urlSafe.Replace(strings.TrimRight(text, "="))
	return base64.RawURLEncoding.Strict().DecodeString(text)
}

// NewKeys makes a VAPID key pair in the form Options take.
func NewKeys() (publicKey, privateKey string, err error) {
	privateKey, publicKey, err = webpush.GenerateVAPIDKeys()
	return publicKey, privateKey, err
}
