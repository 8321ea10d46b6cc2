package members_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/mailaddr"
	"heartward/api/platform/testkit"
)

// insertOld inserts a member without keys of the address, as versions before the keys did. Each has joined an hour after
// the one before.
func (w *env) insertOld(email string) uuid.UUID {
	w.Helper()
	id := uuid.Must(uuid.NewV7())
	w.Exec(`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code, created_at)
		VALUES ($1::uuid, $2, 'Old Member', 'Old', '1990-01-01', right($1::uuid::text, 12), now() - interval '1 day' + $3::int * interval '1 hour')`,
		id, email, w.Count(`SELECT count(*) FROM users`))
	return id
}

func (w *env) number(id uuid.UUID) int {
	w.Helper()
	return w.Count(`SELECT mailbox_number FROM users WHERE id = $1`, id)
}

// Accounts of one mailbox from before it could have only one keep working and are listed. As long as one of them exists,
// no other one can be made.
func TestRekeyAddresses_NumbersLaterAccounts(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	first, second, other := w.insertOld("k.i.m@gmail.com"), w.insertOld("kim+x@googlemail.com"), w.insertOld("lee@example.test")
	for _, changes := range []int{2, 0} {
		changed, err := members.RekeyAddresses(t.Context(), w.Pool)
		require.NoError(t, err)
		require.Equal(t, changes, changed)
		require.Equal(t, []int{0, 1, 0}, []int{w.number(first), w.number(second), w.number(other)})
	}
	list, err := members.Collisions(t.Context(), w.Pool)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, []uuid.UUID{first, second}, []uuid.UUID{list[0].ID, list[1].ID})
	require.Equal(t, "kim@gmail.com", list[1].AbuseKey)
	require.Equal(t, "kim+x@googlemail.com", list[1].Email)

	join := func() error {
		_, err := w.create(members.NewMember{Email: "kim@gmail.com", FullName: "Kim Example", Age: new(30), City: "Portland", State: "OR"})
		return err
	}
	testkit.RequireKind(t, join(), fault.Conflict)
	w.Exec(`DELETE FROM users WHERE id = $1`, first)
	testkit.RequireKind(t, join(), fault.Conflict, "the later account has the mailbox")
	_, err = members.RekeyAddresses(t.Context(), w.Pool)
	require.NoError(t, err)
	require.Zero(t, w.number(second), "the only one left")
	list, err = members.Collisions(t.Context(), w.Pool)
	require.NoError(t, err)
	require.Empty(t, list)
	testkit.RequireKind(t, join(), fault.Conflict)
	w.Exec(`DELETE FROM users WHERE id = $1`, second)
	require.NoError(t, join())
}

// The columns refuse keys of another form than those of mailaddr, and accept all that mailaddr computes.
func TestAddressKeys_HaveTheirForm(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	id := w.join("Kim")
	require.Equal(t, "kim@example.test", testkit.Select[string](t, w.Pool, `SELECT abuse_key FROM users WHERE id = $1`, id))
	for _, set := range []string{
		`identity_key = 'Kim@example.test'`, `identity_key = 'lee@example.test'`, `identity_key = 'kim@bücher.example'`, `identity_key = NULL`,
		`abuse_key = 'KIM@example.test'`, `abuse_key = 'kim+x@example.test'`, `abuse_key = 'kim'`, `abuse_key = NULL`, `mailbox_number = -1`,
		`email = 'Lee@example.test', identity_key = 'kim@example.test.'`,
	} {
		_, err := w.Pool.Exec(context.Background(), `UPDATE users SET `+set+` WHERE id = $1`, id)
		require.Error(t, err, set)
	}
	for _, email := range []string{"Kim+x@Example.test", "+kim+x@example.test", "A..b+x@docomo.example", "kim@bücher.example"} {
		keys := mailaddr.Of(email)
		w.Exec(`UPDATE users SET email = $2, identity_key = $3, abuse_key = $4 WHERE id = $1`, id, email, keys.Identity, keys.Abuse)
	}
}
