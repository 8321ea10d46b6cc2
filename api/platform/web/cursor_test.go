package web_test

import (
	"encoding/base64"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

type sortKey struct {
	At time.Time
	ID uuid.UUID
}

func TestDecodeCursor_ReturnsTheEncodedKey(t *testing.T) {
	t.Parallel()
	list := web.List{Name: "likes", Member: uuid.New()}
	want := sortKey{At: time.Date(2026, 11, 2, 3, 4, 5, 678900000, time.UTC), ID: uuid.New()}
	var got sortKey
	require.NoError(t, web.DecodeCursor(list, web.EncodeCursor(list, want), &got))
	require.Equal(t, want, got)
	require.NoError(t, web.DecodeCursor(list, "", &got))
	require.Equal(t, want, got, "an empty cursor changes nothing")
}

func TestDecodeCursor_RefusesOtherTexts(t *testing.T) {
	t.Parallel()
	list := web.List{Name: "likes", Member: uuid.New()}
	key := sortKey{ID: uuid.New()}
	plain := base64.RawURLEncoding.EncodeToString([]byte(`{"At":"2026-11-02T03:04:05Z","ID":"` + key.ID.String() + `"}`))
	cursors := []string{
		"?", "abc", "bm90IGpzb24", plain,
		web.EncodeCursor(list, "text"),
		web.EncodeCursor(web.List{Name: "matches", Member: list.Member}, key),
		web.EncodeCursor(web.List{Name: "likes", Member: uuid.New()}, key),
	}
	sealed, err := base64.RawURLEncoding.DecodeString(web.EncodeCursor(list, key))
	require.NoError(t, err)
	for i := range sealed {
		sealed[i] ^= 1
		cursors = append(cursors, base64.RawURLEncoding.EncodeToString(sealed))
		sealed[i] ^= 1
	}
	cursors = append(cursors, base64.RawURLEncoding.EncodeToString(sealed[1:]))
	for _, cursor := range cursors {
		err := web.DecodeCursor(list, cursor, &sortKey{})
		testkit.RequireKind(t, err, fault.Invalid, "%q", cursor)
		problem := web.NewProblem(t.Context(), fault.From(err))
		require.Equal(t, "query.cursor", problem.Errors[0].Location)
	}
}

func TestEncodeCursor_DoesNotRevealTheKey(t *testing.T) {
	t.Parallel()
	list := web.List{Name: "likes", Member: uuid.New()}
	key := sortKey{At: time.Now(), ID: uuid.New()}
	sealed, err := base64.RawURLEncoding.DecodeString(web.EncodeCursor(list, key))
	require.NoError(t, err)
	require.NotContains(t, string(sealed), key.ID.String())
	require.NotContains(t, string(sealed), key.At.Format("2006"))
	again := web.EncodeCursor(list, key)
	require.NotEqual(t, base64.RawURLEncoding.EncodeToString(sealed), again, "a random nonce")
}

// All nodes have the same secret. This test must not run in parallel, because it changes
// the key of all cursors.
func TestSetCursorSecret_OtherSecretRefusesCursor(t *testing.T) {
	list := web.List{Name: "likes", Member: uuid.New()}
	web.SetCursorSecret([]byte("a secret of at least 32 characters"))
	cursor := web.EncodeCursor(list, 1)
	web.SetCursorSecret([]byte("another secret of 32 characters...."))
	require.Error(t, web.DecodeCursor(list, cursor, new(int)))
	web.SetCursorSecret([]byte("a secret of at least 32 characters"))
	require.NoError(t, web.DecodeCursor(list, cursor, new(int)))
}

func BenchmarkEncodeCursor(b *testing.B) {
	list := web.List{Name: "likes", Member: uuid.New()}
	for b.Loop() {
		web.EncodeCursor(list, web.StartCursor)
	}
}

func BenchmarkDecodeCursor(b *testing.B) {
	list := web.List{Name: "likes", Member: uuid.New()}
	cursor := web.EncodeCursor(list, web.StartCursor)
	for b.Loop() {
		if err := web.DecodeCursor(list, cursor, new(web.Cursor)); err != nil {
			b.Fatal(err)
		}
	}
}

func TestUnseal_AcceptsOnlyTokensOfThePurpose(t *testing.T) {
	t.Parallel()
	id := uuid.New()
	token := web.Seal("unsubscribe", id)
	require.NotContains(t, token, id.String())
	require.NotEqual(t, token, web.Seal("unsubscribe", id))
	var got uuid.UUID
	require.NoError(t, web.Unseal("unsubscribe", token, &got))
	require.Equal(t, id, got)
	changed := []byte(token)
	changed[5] ^= 1
	for _, other := range []string{"", "x", string(changed), token[1:], web.Seal("other", id), web.EncodeCursor(web.List{Name: "unsubscribe"}, id)} {
		require.Error(t, web.Unseal("unsubscribe", other, &got), other)
	}
}
