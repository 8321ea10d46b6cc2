package referrals_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/mail"
	"heartward/api/platform/mailaddr"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/api/referrals"
)

// outbox is a mail.Sender that records mails. Send first returns the errors, in order.
type outbox struct {
	mu     sync.Mutex
	errors []error
	mails  []mail.Message
}

func (o *outbox) Send(_ context.Context, m mail.Message) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.errors) > 0 {
		err := o.errors[0]
		o.errors = o.errors[1:]
		return err
	}
	o.mails = append(o.mails, m)
	return nil
}

// perDay is the limit of all members' invitations in a day.
const perDay = 15

type env struct {
	testkit.DB
	outbox  *outbox
	refused map[string]bool // addresses that Config.Refuse refuses
	client  string          // the address from which members sign up; empty if it is not known
	s       *referrals.Service
}

func newEnv(t *testing.T) *env {
	t.Helper()
	w := &env{DB: pgtest.NewDB(t), outbox: &outbox{}, refused: map[string]bool{}}
	refuse := func(_ context.Context, _ pgx.Tx, _ uuid.UUID, address string) (bool, error) {
		return w.refused[address], nil
	}
	w.s = referrals.New(w.Pool, w.outbox, pgtest.Jobs(t, w.Pool), referrals.Config{
		Site: "https://heartward.test", Secret: make([]byte, 32), PerDay: perDay, Refuse: []referrals.Refuser{refuse},
	})
	return w
}

// member stores a member, who signed up with the code of a link if ref is not empty. Each has an address
// and a browser of their own.
func (w *env) member(ref string) uuid.UUID {
	w.Helper()
	id := uuid.New()
	return w.memberAt(id, id.String()+"@example.test", id.String(), ref)
}

// memberAt is member with an id, an address and a browser, which may be those of another member.
func (w *env) memberAt(id uuid.UUID, email, browser, ref string) uuid.UUID {
	w.Helper()
	others := w.Count(`SELECT count(*) FROM users WHERE abuse_key = $1`, mailaddr.Of(email).Abuse) // as accounts from before there was one for a mailbox
	w.Member("Ann Secretsurname", testkit.Columns{
		"id": id, "email": email, "mailbox_number": others, "referral_code": strings.ToUpper(id.String()[24:]),
	})
	w.Exec(`INSERT INTO known_browsers (user_id, browser_hash) VALUES ($1, sha256($2::text::bytea))`, id, browser)
	w.join(id, ref)
	return id
}

func (w *env) join(id uuid.UUID, ref string) {
	w.Helper()
	ctx := web.WithClient(w.Context(), w.client)
	require.NoError(w, pg.TxDo(ctx, w.Pool, func(tx pgx.Tx) error { return w.s.Join(ctx, tx, id, ref) }))
}

// code returns the code of the member's link.
func (w *env) code(id uuid.UUID) string {
	w.Helper()
	code, err := w.s.Code(w.Context(), web.Actor{ID: id}, id)
	require.NoError(w, err)
	return code
}

// fill completes a profile to 80 percent.
func (w *env) fill(id uuid.UUID) {
	w.Helper()
	w.Exec(`UPDATE users SET bio = 'Hi', love_reflection = 'Home', intention_tags = '{Healing}', city = 'Portland',
		occupation = 'Cook', education = 'masters', has_children = false, wants_children = true WHERE id = $1`, id)
}

func (w *env) complete(id uuid.UUID) {
	w.Helper()
	require.NoError(w, pg.TxDo(context.Background(), w.Pool, func(tx pgx.Tx) error { return w.s.Complete(context.Background(), tx, id) }))
}

// friend stores a member who joined by the link of referrer and has a complete profile.
func (w *env) friend(referrer uuid.UUID) uuid.UUID {
	w.Helper()
	id := w.member(w.code(referrer))
	w.fill(id)
	w.complete(id)
	return id
}

// premium returns the remaining days of Premium, rounded.
func (w *env) premium(id uuid.UUID) int {
	w.Helper()
	return w.Count(`SELECT coalesce(round(extract(epoch FROM premium_until - now()) / 86400), 0)::int FROM users WHERE id = $1`, id)
}

// stats returns the counts and the tiers, after checking the rest.
func (w *env) stats(id uuid.UUID) referrals.Stats {
	w.Helper()
	stats, err := w.s.Stats(w.Context(), web.Actor{ID: id}, id)
	require.NoError(w, err)
	assert.Len(w, stats.Tiers, 5)
	days := w.premium(id)
	require.Equal(w, days > 0, stats.PremiumUntil != nil)
	if days > 0 && days < 36_000 {
		assert.InDelta(w, days, time.Until(*stats.PremiumUntil).Hours()/24, 1)
	}
	assert.Equal(w, stats.ReachedTier == 4, stats.IsPremiumForLife)
	stats.Tiers, stats.PremiumUntil, stats.IsPremiumForLife = nil, nil, false
	return stats
}

func (w *env) invite(by uuid.UUID, address string) (referrals.Referral, error) {
	return w.s.Invite(w.Context(), web.Actor{ID: by}, by, uuid.New(), address)
}

// mustInvite invites an address and runs the job of the mail.
func (w *env) mustInvite(by uuid.UUID, address string) referrals.Referral {
	w.Helper()
	r, err := w.invite(by, address)
	require.NoError(w, err)
	require.NoError(w, w.send(r.ID, false))
	return r
}

func (w *env) send(id uuid.UUID, lastAttempt bool) error {
	return w.s.Send(w.Context(), referrals.SendArgs{ReferralID: id}, lastAttempt)
}

func (w *env) list(id uuid.UUID) []referrals.Referral {
	w.Helper()
	list, _, err := w.s.List(w.Context(), web.Actor{ID: id}, id, "", 50)
	require.NoError(w, err)
	return list
}

// friendOf returns the member who joined by a referral. It fails if the referral names the member.
func (w *env) friendOf(r referrals.Referral) uuid.UUID {
	w.Helper()
	require.NotNil(w, r.ReferredUserID)
	friend := testkit.Select[uuid.UUID](w, w.Pool, `SELECT referred_user_id FROM referrals WHERE id = $1`, r.ID)
	require.NotEqual(w, friend, *r.ReferredUserID)
	return friend
}
