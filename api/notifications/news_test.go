package notifications_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/graduation"
	"heartward/api/moments"
	"heartward/api/notifications"
	"heartward/api/pulse"
	"heartward/api/referrals"
)

// news is an event for b, whose cause is stored.
type news struct {
	prepare func(w *env) (notify func(ctx context.Context, tx pgx.Tx) error)
	// ends removes the cause, so that the push is no longer sent.
	ends        string
	title, body string
	path        string
	category    func(*notifications.Preferences) *bool
	private     string // not in the payload for anyone
}

func (w *env) referral(kind string) func(ctx context.Context, tx pgx.Tx) error {
	w.Exec(`INSERT INTO referrals (id, referrer_id, referred_user_id, referral_code, status, joined_at, completed_at)
		VALUES (gen_random_uuid(), $1, $2, 'ABCDEF', 'completed', now(), now())`, w.b.ID, w.a.ID)
	return func(ctx context.Context, tx pgx.Tx) error {
		return w.s.NotifyReferral(ctx, tx, w.jobs, referrals.NotifyArgs{NewsKind: kind, MemberID: w.b.ID, FriendID: w.a.ID})
	}
}

// couple stores a couple of b, who has asked, and a.
func (w *env) couple(status string) uuid.UUID {
	w.Helper()
	id := uuid.New()
	w.Exec(`INSERT INTO graduated_couples (id, user_one_id, user_two_id, status, accepted_at, approved_at, ended_at)
		VALUES ($1, $2, $3, $4, CASE WHEN $4 IN ('pending', 'graduated') THEN now() END, CASE $4 WHEN 'graduated' THEN now() END, CASE $4 WHEN 'declined' THEN now() END)`,
		id, w.b.ID, w.a.ID, status)
	return id
}

func (w *env) answer(status string) func(ctx context.Context, tx pgx.Tx) error {
	id := w.couple(status)
	return func(ctx context.Context, tx pgx.Tx) error {
		return w.s.NotifyGraduation(ctx, tx, w.jobs, graduation.NotifyArgs{CoupleID: id, MemberID: w.b.ID, Status: status})
	}
}

var allNews = map[string]news{
	"a friend joined": {
		func(w *env) func(context.Context, pgx.Tx) error { return w.referral(referrals.NewsJoined) }, `DELETE FROM referrals`,
		"A friend you invited joined", "Thank you for bringing them.", "/referrals", func(p *notifications.Preferences) *bool { return &p.Badges }, "Ada",
	},
	"a friend completed the profile": {
		func(w *env) func(context.Context, pgx.Tx) error { return w.referral(referrals.NewsCompleted) }, `DELETE FROM referrals`,
		"A friend you invited completed their profile", "A week of Premium for you both.", "/referrals", func(p *notifications.Preferences) *bool { return &p.Badges }, "Ada",
	},
	"a match asks for consent": {
		func(w *env) func(context.Context, pgx.Tx) error {
			id := uuid.New()
			w.Exec(`INSERT INTO shareable_moments (id, user_id, moment_type, subject_id, title, caption)
				SELECT $1, $2, 'match', match_id, 'New match', 'A secret caption' FROM match_sides WHERE member_id = $2`, id, w.a.ID)
			w.Exec(`INSERT INTO moment_consents (moment_id, peer_id) VALUES ($1, $2)`, id, w.b.ID)
			return func(ctx context.Context, tx pgx.Tx) error {
				return w.s.NotifyConsent(ctx, tx, w.jobs, moments.NotifyArgs{MomentID: id, MemberID: w.b.ID})
			}
		}, `UPDATE moment_consents SET answer = 'declined', answered_at = now()`,
		"Ada would like to name you", "In the picture of your match. It's your choice.", "/shareable-moments",
		func(p *notifications.Preferences) *bool { return &p.Matches }, "secret",
	},
	"the partner wants to share the Love Pulse": {
		func(w *env) func(context.Context, pgx.Tx) error {
			id := w.couple("graduated")
			w.Exec(`INSERT INTO couple_members (user_id, couple_id, on_wall) SELECT unnest(ARRAY[$1::uuid, $2]), $3, false`, w.a.ID, w.b.ID, id)
			w.Exec(`INSERT INTO pulse_sharing (user_id, couple_id) VALUES ($1, $2)`, w.a.ID, id)
			w.Exec(`INSERT INTO love_pulse (id, user_id, date, day_starts, day_ends, question, mood, reflection, client_id, edited_at)
				VALUES (gen_random_uuid(), $1, current_date, now(), now() + interval '24 hours', 'Q', 'grateful', 'grateful', gen_random_uuid(), now())`, w.a.ID)
			return func(ctx context.Context, tx pgx.Tx) error {
				return w.s.NotifyTogether(ctx, tx, w.jobs, pulse.NotifyArgs{CoupleID: id, MemberID: w.b.ID})
			}
		}, `DELETE FROM pulse_sharing`,
		"Ada would like to share the Love Pulse", "It's your choice, and you can stop at any time.", "/together",
		func(p *notifications.Preferences) *bool { return &p.Graduation }, "grateful",
	},
	"the partner accepted": {
		func(w *env) func(context.Context, pgx.Tx) error { return w.answer("pending") }, `UPDATE graduated_couples SET status = 'withdrawn', ended_at = now()`,
		"Ada would love to graduate with you", "A moderator looks at it now.", "/graduation", func(p *notifications.Preferences) *bool { return &p.Graduation }, "none",
	},
	"the partner declined": {
		func(w *env) func(context.Context, pgx.Tx) error { return w.answer("declined") }, `DELETE FROM graduated_couples`,
		"About your graduation", "Ada would rather wait.", "/graduation", func(p *notifications.Preferences) *bool { return &p.Graduation }, "none",
	},
}

func TestNews_ArePushedByPreference(t *testing.T) {
	t.Parallel()
	for name, n := range allNews {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t)
			w.device(1)
			notify := n.prepare(w)
			run := func() int {
				require.NoError(t, pgx.BeginFunc(t.Context(), w.Pool, func(tx pgx.Tx) error { return notify(t.Context(), tx) }))
				return w.pushes()
			}
			w.changeSettings(func(p *notifications.Preferences) { *n.category(p) = false })
			require.Zero(t, run(), "the category is off")
			w.changeSettings(func(*notifications.Preferences) {})
			require.Equal(t, 1, run())
			require.Equal(t, 1, run(), "a repeated job")
			push := w.removePushes()[0]

			sent := w.deliver(push)
			require.NotNil(t, sent)
			require.NotContains(t, string(sent.Payload), n.private)
			shown := w.shownBy(*sent)
			require.Equal(t, []string{n.title, n.body}, []string{shown.Title, shown.Body})
			require.Equal(t, "https://heartward.test"+n.path, shown.Navigate)
			require.NotContains(t, shown.Tag, w.a.ID.String())

			w.Exec(`UPDATE push_subscriptions SET shows_content = false`)
			plain := w.shownBy(*w.deliver(push))
			require.NotContains(t, plain.Title+plain.Body, "Ada")
			require.False(t, strings.Contains(plain.Title, "New match") || plain.Title == "A new badge", plain.Title)

			w.Exec(n.ends)
			require.Nil(t, w.deliver(push), "the cause is gone")
			require.Zero(t, run())
		})
	}
}

// A member whom the receiver has blocked pushes nothing.
func TestNews_NotOfBlockedMembers(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a match asks for consent", "the partner wants to share the Love Pulse"} {
		w := newEnv(t)
		w.device(1)
		notify := allNews[name].prepare(w)
		w.Exec(`INSERT INTO blocks (blocker_id, blocked_id) VALUES ($1, $2)`, w.b.ID, w.a.ID)
		require.NoError(t, pgx.BeginFunc(t.Context(), w.Pool, func(tx pgx.Tx) error { return notify(t.Context(), tx) }))
		require.Zero(t, w.pushes(), name)
	}
}

// The list's items have no event of their own for these, so the job tells the devices.
func TestNews_AreAnnounced(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	var told []uuid.UUID
	w.s.WatchNews(func(member uuid.UUID) { told = append(told, member) })
	notify := w.referral(referrals.NewsJoined)
	require.NoError(t, pgx.BeginFunc(t.Context(), w.Pool, func(tx pgx.Tx) error { return notify(t.Context(), tx) }))
	require.Equal(t, []uuid.UUID{w.b.ID}, told)
}
