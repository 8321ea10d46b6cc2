// Package authtest has what the tests of package auth share with those of the whole server.
package authtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"testing"

	"github.com/stretchr/testify/require"
)

// NewPasskey returns a PKCS #8 key on P-256 whose coordinates have no leading zeros, which
// virtualwebauthn would omit.
func NewPasskey(t testing.TB) []byte {
	t.Helper()
	for {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		require.NoError(t, err)
		if point, err := key.PublicKey.Bytes(); err != nil || point[1] == 0 || point[33] == 0 {
			continue
		}
		encoded, err := x509.MarshalPKCS8PrivateKey(key)
		require.NoError(t, err)
		return encoded
	}
}
