package referrals_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
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

type env struct {
	t       *testing.T
	pool    *pgxpool.Pool
	outbox  *outbox
	refused map[string]bool // addresses that Config.Refuse refuses
	s       *referrals.Service
}

func newEnv(t *testing.T) *env {
	t.Helper()
	w := &env{t: t, pool: pgtest.New(t), outbox: &outbox{}, refused: map[string]bool{}}
	refuse := func(_ context.Context, _ pgx.Tx, _ uuid.UUID, address string) (bool, error) {
		return w.refused[address], nil
	}
	w.s = referrals.New(w.pool, w.outbox, pgtest.Jobs(t, w.pool), referrals.Config{
		Site: "https://heartward.test", Secret: make([]byte, 32), Refuse: []referrals.Refuser{refuse},
	})
	return w
}

func (w *env) exec(sql string, args ...any) {
	w.t.Helper()
	pgtest.Exec(w.t, w.pool, sql, args...)
}

func (w *env) count(sql string, args ...any) int {
	w.t.Helper()
	return pgtest.Count(w.t, w.pool, sql, args...)
}

// member stores a member, who signed up with the code of a link if ref is not empty. Each has an address
// and a browser of their own.
func (w *env) member(ref string) uuid.UUID {
	w.t.Helper()
	id := uuid.New()
	return w.memberAt(id, id.String()+"@example.test", id.String(), ref)
}

func (w *env) memberAt(id uuid.UUID, email, browser, ref string) uuid.UUID {
	w.t.Helper()
	w.exec(`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
		VALUES ($1::uuid, $2, 'Ann Secretsurname', 'Ann', '1990-01-01', upper(right($1::uuid::text, 12)))`, id, email)
	w.exec(`INSERT INTO known_browsers (user_id, browser_hash) VALUES ($1, sha256($2::text::bytea))`, id, browser)
	w.join(id, ref)
	return id
}

func (w *env) join(id uuid.UUID, ref string) {
	w.t.Helper()
	require.NoError(w.t, pg.TxDo(w.t.Context(), w.pool, func(tx pgx.Tx) error { return w.s.Join(w.t.Context(), tx, id, ref) }))
}

// code returns the code of the member's link.
func (w *env) code(id uuid.UUID) string {
	w.t.Helper()
	code, err := w.s.Code(w.t.Context(), web.Actor{ID: id}, id)
	require.NoError(w.t, err)
	return code
}

// fill completes a profile to 80 percent.
func (w *env) fill(id uuid.UUID) {
	w.t.Helper()
	w.exec(`UPDATE users SET bio = 'Hi', love_reflection = 'Home', intention_tags = '{Healing}', city = 'Portland',
		occupation = 'Cook', education = 'masters', has_children = false, wants_children = true WHERE id = $1`, id)
}

func (w *env) complete(id uuid.UUID) {
	w.t.Helper()
	require.NoError(w.t, pg.TxDo(context.Background(), w.pool, func(tx pgx.Tx) error { return w.s.Complete(context.Background(), tx, id) }))
}

// friend stores a member who joined by the link of referrer and has a complete profile.
func (w *env) friend(referrer uuid.UUID) uuid.UUID {
	w.t.Helper()
	id := w.member(w.code(referrer))
	w.fill(id)
	w.complete(id)
	return id
}

// premium returns the remaining days of Premium, rounded.
func (w *env) premium(id uuid.UUID) int {
	w.t.Helper()
	return w.count(`SELECT coalesce(round(extract(epoch FROM premium_until - now()) / 86400), 0)::int FROM users WHERE id = $1`, id)
}

// stats returns the counts and the tiers, after checking the rest.
func (w *env) stats(id uuid.UUID) referrals.Stats {
	w.t.Helper()
	stats, err := w.s.Stats(w.t.Context(), web.Actor{ID: id}, id)
	require.NoError(w.t, err)
	assert.Len(w.t, stats.Tiers, 5)
	days := w.premium(id)
	require.Equal(w.t, days > 0, stats.PremiumUntil != nil)
	if days > 0 && days < 36_000 {
		assert.InDelta(w.t, days, time.Until(*stats.PremiumUntil).Hours()/24, 1)
	}
	assert.Equal(w.t, stats.ReachedTier == 4, stats.IsPremiumForLife)
	stats.Tiers, stats.PremiumUntil, stats.IsPremiumForLife = nil, nil, false
	return stats
}

func (w *env) invite(by uuid.UUID, address string) (referrals.Referral, error) {
	return w.s.Invite(w.t.Context(), web.Actor{ID: by}, by, uuid.New(), address)
}

// mustInvite invites an address and runs the job of the mail.
func (w *env) mustInvite(by uuid.UUID, address string) referrals.Referral {
	w.t.Helper()
	r, err := w.invite(by, address)
	require.NoError(w.t, err)
	require.NoError(w.t, w.send(r.ID, false))
	return r
}

func (w *env) send(id uuid.UUID, lastAttempt bool) error {
	return w.s.Send(w.t.Context(), referrals.SendArgs{ReferralID: id}, lastAttempt)
}

func (w *env) list(id uuid.UUID) []referrals.Referral {
	w.t.Helper()
	list, _, err := w.s.List(w.t.Context(), web.Actor{ID: id}, id, "", 50)
	require.NoError(w.t, err)
	return list
}
