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

// seal returns AES-256-GCM with a key of this list, and random nonces. A list of its own
// key cannot have so many cursors that a nonce repeats.
func (l List) seal() cipher.AEAD {
	mac := hmac.New(sha256.New, *cursorKey.Load())
	mac.Write(l.Member[:])
	mac.Write([]byte(l.Name))
	block, err := aes.NewCipher(mac.Sum(nil))
	if err != nil {
		panic(err) // the length is fixed
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err)
	}
	return aead
}

// EncodeCursor returns the encrypted text for key, which is the sort key of a page's last
// row. It panics if key cannot be marshalled as JSON.
func EncodeCursor(list List, key any) string {
	raw, err := json.Marshal(key)
	if err != nil {
		panic(err) // a bug: the type of a key is fixed
	}
	return base64.RawURLEncoding.EncodeToString(list.seal().Seal(nil, nil, raw, nil))
}

// DecodeCursor decodes cursor into key, a pointer. It leaves key unchanged if the
// cursor is empty, and returns Invalid if the cursor is not one that EncodeCursor
// returned for this list.
func DecodeCursor(list List, cursor string, key any) error {
	if cursor == "" {
		return nil
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err == nil {
		raw, err = list.seal().Open(nil, nil, raw, nil)
	}
	if err == nil {
		err = json.Unmarshal(raw, key)
	}
	if err != nil {
		return fault.InvalidField("query.cursor", "This cursor is not valid. Please start from the first page.")
	}
	return nil
}

// Cursor is the sort key of a row in a list that is sorted by time.
type Cursor struct {
	At time.Time `json:"t"`
	ID uuid.UUID `json:"i"`
}

// StartCursor precedes the first row of a list with the newest first.
var StartCursor = Cursor{At: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), ID: uuid.Max}
