package moderation_test

import (
	"bytes"
	"context"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"image"
	"image/color"
	"image/png"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/images"
	"heartward/api/platform/mailaddr"
	"heartward/api/platform/pg"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// joinAs inserts a member with an address as a sign-up does. It also accepts a mailbox that has an account: there are such
// members from before sign-ups refused this.
func (w *env) joinAs(address string) (uuid.UUID, error) {
	id := uuid.New()
	err := pg.TxDo(context.Background(), w.Pool, func(tx pgx.Tx) error {
		keys := mailaddr.Of(address)
		_, err := tx.Exec(context.Background(), `INSERT INTO users (id, email, identity_key, abuse_key, mailbox_number, full_name, first_name, birth_date, referral_code)
			VALUES ($1, $2, $3, $4, (SELECT count(*) FROM users WHERE abuse_key = $4), 'Joined', 'Joined', '1990-01-01', $5)`,
			id, keys.Typed, keys.Identity, keys.Abuse, id.String()[:8])
		if err != nil {
			return err
		}
		_, err = w.s.AdmitAddress(context.Background(), tx, id, address)
		return err
	})
	return id, err
}

func (w *env) blocked(blocker, other uuid.UUID) bool {
	w.Helper()
	return testkit.Select[bool](w, w.Pool, `SELECT EXISTS (SELECT FROM blocked_pairs WHERE member_id = $2 AND peer_id = $1)`, blocker, other)
}

func TestBan_RefusesAddressAfterDeletionUntilLifted(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, err := w.joinAs("admin@example.test")
	require.NoError(t, err)
	bob, err := w.joinAs("b.ob+first@gmail.com")
	require.NoError(t, err)
	ban := moderation.StatusChange{Status: "suspended", Explanation: "Scam.", Reason: "Seen."}
	require.NoError(t, w.s.SetStatus(t.Context(), admin, bob, ban))
	require.NoError(t, w.s.SetStatus(t.Context(), admin, bob, moderation.StatusChange{Status: "active", Reason: "A mistake."}))
	_, err = w.joinAs("bob+second@googlemail.com")
	require.NoError(t, err, "the ban was taken back")
	w.Exec(`DELETE FROM users WHERE email = 'bob+second@googlemail.com'`)

	require.NoError(t, w.s.SetStatus(t.Context(), admin, bob, ban))
	for range 2 { // with the account, and after its deletion
		for _, address := range []string{"bob@gmail.com", "b.o.b+new@googlemail.com"} {
			_, err = w.joinAs(address)
			testkit.RequireKind(t, err, fault.Forbidden, address)
			require.Equal(t, "address_banned", fault.From(err).Code)
		}
		w.Exec(`DELETE FROM users WHERE id = $1`, bob)
	}
	_, err = w.joinAs("bobby@gmail.com")
	require.NoError(t, err)

	lifted, err := pg.Tx(t.Context(), w.Pool, func(tx pgx.Tx) (int, error) {
		return moderation.LiftBan(t.Context(), tx, addressSecret, "bob@gmail.com", "An appeal by mail.")
	})
	require.NoError(t, err)
	require.Equal(t, 1, lifted)
	_, err = w.joinAs("bob@gmail.com")
	require.NoError(t, err)
}

// A ban that was stored under a key of earlier address rules still holds.
func TestBan_HoldsUnderItsEarlierHash(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	key, err := hkdf.Key(sha256.New, addressSecret, nil, "heartward addresses", sha256.Size)
	require.NoError(t, err)
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("banned\x00k.i.m@pm.me"))
	w.Exec(`INSERT INTO bans (id, address_mac, expires_at) VALUES (gen_random_uuid(), $1, now() + interval '1 day')`, mac.Sum(nil))
	_, err = w.joinAs("K.i.m+new@pm.me")
	testkit.RequireKind(t, err, fault.Forbidden)
	_, err = w.joinAs("lee@pm.me")
	require.NoError(t, err)
}

func TestBlockAddress_BlocksWhoHasOrGetsIt(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, err := w.joinAs("ann@example.test")
	require.NoError(t, err)
	actor := web.Actor{ID: ann}
	bob, err := w.joinAs("bob+a@example.test")
	require.NoError(t, err)
	_, err = w.s.BlockAddress(t.Context(), actor, "b..ob@example.test", "Bob")
	require.Equal(t, "email", fault.From(err).Field)
	entry, err := w.s.BlockAddress(t.Context(), actor, " BOB@example.test", "Bob")
	require.NoError(t, err)
	again, err := w.s.BlockAddress(t.Context(), actor, "bob+x@example.test", "My ex")
	require.NoError(t, err)
	require.Equal(t, entry.ID, again.ID)
	require.True(t, w.blocked(ann, bob))
	other, err := w.joinAs("bob@example.test")
	require.NoError(t, err)
	require.True(t, w.blocked(ann, other))
	list, _, err := w.s.Blocks(t.Context(), actor, "", 20)
	require.NoError(t, err)
	require.Empty(t, list, "no one is told who has the address")
	entries, err := w.s.AddressBlocks(t.Context(), actor)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.Equal(t, "My ex", entries[0].Label)

	require.NoError(t, w.s.Unblock(t.Context(), actor, bob), "changes nothing")
	require.True(t, w.blocked(ann, bob))
	require.NoError(t, w.s.Block(t.Context(), actor, other))
	testkit.RequireKind(t, w.s.UnblockAddress(t.Context(), web.Actor{ID: bob}, entry.ID), fault.NotFound)
	require.NoError(t, w.s.UnblockAddress(t.Context(), actor, entry.ID))
	require.False(t, w.blocked(ann, bob))
	require.True(t, w.blocked(ann, other), "the block that Ann chose stays")
}

// If a sign-up and the block of its address are concurrent, the later transaction sees the earlier one.
func TestBlockAddress_RaceWithSignUp(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, err := w.joinAs("ann@example.test")
	require.NoError(t, err)
	for n := range 15 {
		address := string(rune('a'+n)) + "x@example.test"
		var group sync.WaitGroup
		var joined uuid.UUID
		var failures [2]error
		group.Go(func() { joined, failures[0] = w.joinAs(address) })
		group.Go(func() { _, failures[1] = w.s.BlockAddress(context.Background(), web.Actor{ID: ann}, address, "X") })
		group.Wait()
		require.NoError(t, failures[0])
		require.NoError(t, failures[1])
		require.True(t, w.blocked(ann, joined))
	}
}

// If a change of address and the block of the new address are concurrent, the later transaction sees the earlier one.
func TestBlockAddress_RaceWithChangeOfAddress(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, err := w.joinAs("ann@example.test")
	require.NoError(t, err)
	bob, err := w.joinAs("bob@example.test")
	require.NoError(t, err)
	for n := range 15 {
		address := string(rune('a'+n)) + "y@example.test"
		var group sync.WaitGroup
		var failures [2]error
		var entry moderation.AddressBlock
		group.Go(func() {
			failures[0] = pg.TxDo(context.Background(), w.Pool, func(tx pgx.Tx) error {
				if _, err := tx.Exec(context.Background(), `UPDATE users SET email = $2 WHERE id = $1`, bob, address); err != nil {
					return err
				}
				_, err := w.s.AdmitAddress(context.Background(), tx, bob, address)
				return err
			})
		})
		group.Go(func() { entry, failures[1] = w.s.BlockAddress(context.Background(), web.Actor{ID: ann}, address, "X") })
		group.Wait()
		require.NoError(t, failures[0])
		require.NoError(t, failures[1])
		require.True(t, w.blocked(ann, bob))
		require.NoError(t, w.s.UnblockAddress(t.Context(), web.Actor{ID: ann}, entry.ID))
		require.False(t, w.blocked(ann, bob))
	}
}

// photo returns the thumbnail of a picture with the seed's pattern.
func photo(t testing.TB, seed int) string {
	t.Helper()
	picture := image.NewNRGBA(image.Rect(0, 0, 320, 240))
	for y := range 240 {
		for x := range 320 {
			cell := (x/36)*31 + (y/30)*17 + seed*13
			picture.Set(x, y, color.NRGBA{uint8(cell * cell * 7), uint8(cell * 53), uint8(cell * 11), 255})
		}
	}
	var encoded bytes.Buffer
	require.NoError(t, png.Encode(&encoded, picture))
	converted, err := images.Convert(t.Context(), bytes.NewReader(encoded.Bytes()), int64(encoded.Len()))
	require.NoError(t, err)
	return string(converted.Thumb)
}

// A member with a photo of a banned one is hidden and reported, until an admin decides otherwise.
func TestComparePhoto_HidesLookalikeOfBannedMember(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, err := w.joinAs("admin@example.test")
	require.NoError(t, err)
	bob, err := w.joinAs("bob@example.test")
	require.NoError(t, err)
	w.addPicture(web.Actor{ID: bob}, "photo", photo(t, 1))
	require.NoError(t, w.s.SetStatus(t.Context(), admin, bob, moderation.StatusChange{Status: "suspended", Explanation: "Scam.", Reason: "Seen."}))
	ban := testkit.Select[uuid.UUID](t, w.Pool, `SELECT id FROM bans`)
	require.NoError(t, w.s.StoreBannedPhotos(t.Context(), moderation.BanPhotosArgs{BanID: ban}))
	require.NoError(t, w.s.StoreBannedPhotos(t.Context(), moderation.BanPhotosArgs{BanID: ban}), "a job may run twice")
	w.Exec(`DELETE FROM users WHERE id = $1`, bob)

	status := func(member uuid.UUID) (status string) {
		require.NoError(t, w.Pool.QueryRow(t.Context(), `SELECT profile_status FROM users WHERE id = $1`, member).Scan(&status))
		return status
	}
	cleo, err := w.joinAs("cleo@example.test")
	require.NoError(t, err)
	require.NoError(t, w.s.ComparePhoto(t.Context(), w.addPicture(web.Actor{ID: cleo}, "photo", photo(t, 5))))
	require.Equal(t, "active", status(cleo), "another photo")

	dan, err := w.joinAs("dan@example.test")
	require.NoError(t, err)
	copied := w.addPicture(web.Actor{ID: dan}, "photo", photo(t, 1))
	require.NoError(t, w.s.ComparePhoto(t.Context(), copied))
	require.NoError(t, w.s.ComparePhoto(t.Context(), copied), "a job may run twice")
	require.Equal(t, "under_review", status(dan))
	reports, _, err := w.s.Reports(t.Context(), admin, "pending", "", "", 10)
	require.NoError(t, err)
	require.Len(t, reports, 1)
	require.Equal(t, "ban", reports[0].Source)
	require.NoError(t, w.s.DecideReport(t.Context(), admin, reports[0].ID, moderation.Decision{Action: moderation.NoAction, Reason: "Someone else."}))
	require.Equal(t, "active", status(dan))
	require.NoError(t, w.s.ComparePhoto(t.Context(), copied))
	require.Equal(t, "active", status(dan), "an admin has decided")
}

// The decision that a member is not of age bans, and deletes the account after the term unless an
// appeal waits or the ban was taken back.
func TestDecideReport_NotOfAgeEndsAfterAppealTerm(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	var people []uuid.UUID
	for _, name := range []string{"admin", "ann", "kim"} {
		id, err := w.joinAs(name + "@example.test")
		require.NoError(t, err)
		people = append(people, id)
	}
	admin, ann, kim := people[0], people[1], people[2]
	receipt, err := w.s.Report(t.Context(), web.Actor{ID: ann}, moderation.ReportInput{UserID: kim, Reason: "underage", Place: "card"})
	require.NoError(t, err)
	require.Zero(t, receipt.Priority)
	require.NoError(t, w.s.DecideReport(t.Context(), admin, receipt.ID, moderation.Decision{Action: moderation.NotOfAge, Explanation: "The profile says so.", Reason: "Read."}))
	standing, err := w.s.Standing(t.Context(), web.Actor{ID: kim})
	require.NoError(t, err)
	require.NotNil(t, standing.Sanction.DeletesAt)
	term := func() moderation.TermState {
		state, err := pg.Tx(t.Context(), w.Pool, func(tx pgx.Tx) (moderation.TermState, error) {
			_, state, err := moderation.EndAppealTerm(t.Context(), tx, moderation.AppealTermArgs{SanctionID: standing.Sanction.ID})
			return state, err
		})
		require.NoError(t, err)
		return state
	}
	require.Equal(t, moderation.TermExpired, term())
	require.NoError(t, w.s.Appeal(t.Context(), web.Actor{ID: kim}, standing.Sanction.ID, "I am 20."))
	require.Equal(t, moderation.TermAppeal, term())
	_, err = w.joinAs("kim+2@example.test")
	require.ErrorContains(t, err, "not of age")
	require.NoError(t, w.s.SetStatus(t.Context(), admin, kim, moderation.StatusChange{Status: "active", Reason: "An identity card."}))
	require.Equal(t, moderation.TermVoid, term())
	_, err = w.joinAs("kim+2@example.test")
	require.NoError(t, err)
}

// A member who gets an address that somebody has blocked may have a second account, like every other blocked member.
func TestAdmitAddress_SearchesForSecondAccounts(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	_, err := w.s.BlockAddress(t.Context(), w.Member("Ann Moss"), "ex@example.test", "My ex")
	require.NoError(t, err)
	ex, err := w.joinAs("ex@example.test")
	require.NoError(t, err)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'compare_blocked' AND args->>'memberId' = $1`, ex.String()))
}
