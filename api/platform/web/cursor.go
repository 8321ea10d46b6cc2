package web

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/fault"
)

// List identifies a list as one member reads it. A cursor is valid for its list only.
type List struct {
	Name   string
	Member uuid.UUID
}

// cursorKey is the key from which those of the lists are derived.
var cursorKey atomic.Pointer[[]byte]

func init() {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key) // it never fails
	cursorKey.Store(&key)
}

// SetCursorSecret sets the secret that encrypts cursors; all nodes must have the same. Until
// it is called the key is random.
func SetCursorSecret(secret []byte) {
	key, err := hkdf.Key(sha256.New, secret, nil, "heartward list cursors", sha256.Size)
	if err != nil {
		panic(err) // the length is fixed
	}
	cursorKey.Store(&key)
}

// aead returns AES-256-GCM with a key of this list and random nonces. Because each list has its own
// key, it has too few cursors for a nonce to repeat.
func (l List) aead() cipher.AEAD {
	mac := hmac.New(sha256.New, *cursorKey.Load())
	mac.Write(l.Member[:])
	mac.Write([]byte(l.Name))
	block, err := aes.NewCipher(mac.Sum(nil))
	if err != nil {
		panic(err) // the length is fixed
	}
	sealed, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err)
	}
	return sealed
}

// EncodeCursor returns the encrypted text for key, which is the sort key of a page's last
// row. It panics if key cannot be marshalled as JSON.
func EncodeCursor(list List, key any) string {
	return list.encrypt(key)
}

func (l List) encrypt(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		panic(err) // a bug: the type of a key is fixed
	}
	return base64.RawURLEncoding.EncodeToString(l.aead().Seal(nil, nil, raw, nil))
}

func (l List) decrypt(text string, value any) error {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err == nil {
		raw, err = l.aead().Open(nil, nil, raw, nil)
	}
	if err == nil {
		err = json.Unmarshal(raw, value)
	}
	return err
}

// DecodeCursor decodes cursor into key, a pointer. It leaves key unchanged if the
// cursor is empty, and returns Invalid if the cursor is not one that EncodeCursor
// returned for this list.
func DecodeCursor(list List, cursor string, key any) error {
	if cursor == "" {
		return nil
	}
	if err := list.decrypt(cursor, key); err != nil {
		return fault.InvalidField("query.cursor", "This cursor is not valid. Please start from the first page.")
	}
	return nil
}

// listForTokens returns a list whose key encrypts the tokens for a purpose. No list of a member
// has this name. With random nonces, a key must not encrypt more than four billion tokens.
func listForTokens(purpose string) List { return List{Name: "sealed: " + purpose} }

// Seal returns the encrypted text for value, a token for one purpose, such as a link. The
// token does not expire. It panics if value cannot be marshalled as JSON.
func Seal(purpose string, value any) string { return listForTokens(purpose).encrypt(value) }

// Unseal decodes token into value, a pointer. It returns an error if the token is not one that
// Seal returned for this purpose.
func Unseal(purpose, token string, value any) error {
	return listForTokens(purpose).decrypt(token, value)
}

// Cursor is the sort key of a row in a list that is sorted by time.
type Cursor struct {
	At time.Time `json:"t"`
	ID uuid.UUID `json:"i"`
}

// StartCursor precedes the first row of a list that is sorted from the newest row to the oldest.
var StartCursor = Cursor{At: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), ID: uuid.Max}
