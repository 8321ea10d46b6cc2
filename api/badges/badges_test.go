package badges_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/badges"
	"heartward/api/community"
	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func value[T any](v T) members.Field[T] { return members.Field[T]{Sent: true, Value: &v} }

func TestCriteria_AreThoseOfTheBadges(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	used := testkit.SelectAll[string](t, w.Pool, `SELECT DISTINCT criterion FROM badges ORDER BY 1`)
	require.Equal(t, badges.AllCriteria, used)
	var caused []string
	for _, cause := range []badges.Cause{badges.LikeSent, badges.MatchMade, badges.MessageSent, badges.ProfileSaved, badges.FriendCame, badges.PostPublished} {
		caused = append(caused, badges.CriteriaOf(cause)...)
	}
	require.ElementsMatch(t, badges.AllCriteria, caused, "each criterion has an event")
	keys := []string{"first_like", "first_match", "first_message", "profile_complete", "active_user", "social_butterfly",
		"heart_throb", "conversation_starter", "love_guru", "community_champion", "vibe_champion", "referral_rockstar"}
	require.Equal(t, len(keys), w.Count(`SELECT count(*) FROM badges WHERE icon = ANY ($1)`, keys), "the badges of the specification")
}

// Each event earns its badge by the job that it has enqueued, and an event without a badge to earn
// enqueues none.
func TestAward_FollowsEvents(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.join("Ann"), w.join("Bob")
	require.Empty(t, w.takeChecks())

	w.like(ann, bob)
	w.work(w.takeChecks()...)
	require.Equal(t, []string{"first_like"}, w.has(ann))
	require.Empty(t, w.has(bob))
	w.like(bob, ann)
	w.work(w.takeChecks()...)
	require.Equal(t, []string{"first_like", "first_match"}, w.has(ann))
	require.Equal(t, []string{"first_like", "first_match"}, w.has(bob))

	w.write(ann, bob)
	w.work(w.takeChecks()...)
	require.Contains(t, w.has(ann), "first_message")
	require.NotContains(t, w.has(bob), "first_message", "receiving is not writing")
	w.write(ann, bob)
	require.Empty(t, w.takeChecks(), "a message that is no milestone enqueues nothing")
	w.write(bob, ann)
	w.work(w.takeChecks()...)
	require.Contains(t, w.has(bob), "first_message", "a reply is a message too")

	w.Exec(`UPDATE badges SET needed = 1 WHERE icon = 'vibe_champion'`)
	w.write(ann, bob)
	require.Empty(t, w.takeChecks())
	w.Exec(`UPDATE conversations SET both_wrote_at = now() - interval '25 hours'`)
	w.write(ann, bob)
	w.work(w.takeChecks()...)
	require.Contains(t, w.has(ann), "vibe_champion")
	require.Contains(t, w.has(bob), "vibe_champion")
	w.write(ann, bob)
	require.Empty(t, w.takeChecks(), "a day of a conversation passes once")

	require.Zero(t, w.recompute(), "history earns nothing that the events have not awarded")
}

func (w *env) recompute() int {
	w.Helper()
	n, err := w.Recompute(w.Context())
	require.NoError(w, err)
	return n
}

// A friend's completed profile earns a badge of the friend, and one of the member who invited them.
func TestAward_ACompletedProfileEarnsBadgesForBothFriends(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.join("Ann")
	bob := w.inviteFriend(ann, "Bob")
	for range 4 {
		require.NoError(t, w.addFile(bob, members.PhotoSlot))
	}
	require.NoError(t, w.addFile(bob, members.AudioGreetingSlot))
	w.completeProfile(bob)
	w.work(w.takeChecks()...)
	require.Equal(t, []string{"profile_complete", "picture_story", "true_voice"}, w.has(bob))
	require.Equal(t, []string{"good_company"}, w.has(ann))
	_, err := w.members.Change(t.Context(), bob, members.Changes{Bio: value("Hello again")})
	require.NoError(t, err)
	require.Empty(t, w.takeChecks(), "a member with all badges of the profile has none to check")
}

// Stories count when a moderator has published them: those that wait, those that are rejected and the official ones do
// not. An edit that is published again counts once.
func TestAward_CountsOnlyPublishedStories(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, moderator := w.join("Ann"), w.join("Mo")
	first, second, third, refused := w.submit(ann), w.submit(ann), w.submit(ann), w.submit(ann)
	require.Empty(t, w.takeChecks(), "a story that waits counts for nothing")
	w.decide("reject", moderator, refused)
	require.Empty(t, w.takeChecks())
	w.decide("approve", moderator, first, second)
	w.Exec(`INSERT INTO community_posts (author_id, client_id, title, excerpt, content, category, tags, status, published_at, decided_at)
		VALUES ($1, gen_random_uuid(), 'Official', 'E', 'C', 'blog', '{blog}', 'published', now(), now())`, ann)
	edited, err := w.board.Edit(t.Context(), web.Actor{ID: ann}, first.ID, community.Draft{
		Title: "Again", Excerpt: "A summary", Content: "Another story that is longer than its summary.", Category: "advice",
	})
	require.NoError(t, err)
	w.decide("approve", moderator, community.ReviewItem{ID: edited.ID, Version: 2})
	w.work(w.takeChecks()...)
	require.Empty(t, w.has(ann))
	w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, ann)
	w.decide("approve", moderator, third)
	w.work(w.takeChecks()...)
	require.Equal(t, []string{"community_champion"}, w.has(ann), "also while the author is hidden, since no event would count it later")
}

// What earned a badge may go: the badge stays.
func TestAward_StaysWithoutItsCause(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.join("Ann"), w.join("Bob")
	w.match(ann, bob)
	w.work(w.takeChecks()...)
	w.Exec(`DELETE FROM users WHERE id = $1`, bob)
	require.Zero(t, w.recompute())
	require.Equal(t, []string{"first_like", "first_match"}, w.has(ann))
}

func TestCheck_ReturnsUnnotifiedUntilNotified(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.join("Ann"), w.join("Bob")
	w.like(ann, bob) // its job has not run
	for range 2 {
		list, err := w.Check(t.Context(), ann, ann)
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, "first_like", list[0].IconKey)
	}
	require.Equal(t, 1, w.changed[ann], "the repeated call has awarded nothing")
	w.work(w.takeChecks()...)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'notify_badge'`))

	earned, err := w.Earned(t.Context(), ann, ann)
	require.NoError(t, err)
	require.Len(t, earned, 1)
	require.False(t, earned[0].Notified)
	for range 2 {
		require.NoError(t, w.MarkNotified(t.Context(), ann, earned[0].BadgeID))
	}
	require.Equal(t, 2, w.changed[ann])
	list, err := w.Check(t.Context(), ann, ann)
	require.NoError(t, err)
	require.Empty(t, list)
	require.NotNil(t, list)

	testkit.RequireKind(t, w.MarkNotified(t.Context(), bob, earned[0].BadgeID), fault.NotFound, "of another member")
	for _, call := range []func() error{
		func() error { _, err := w.Check(t.Context(), bob, ann); return err },
		func() error { _, err := w.Earned(t.Context(), bob, ann); return err },
	} {
		testkit.RequireKind(t, call(), fault.NotFound)
	}
}

// A recomputation announces nothing, and dates a badge at the moment when the member had done enough for it.
func TestRecompute_IsSilentAndDatesBack(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.join("Ann")
	for _, name := range []string{"Bob", "Cid", "Dan"} {
		w.like(ann, w.join(name))
	}
	w.Exec(`UPDATE badges SET needed = 2 WHERE icon = 'active_user'`)
	for days, other := range testkit.SelectAll[uuid.UUID](t, w.Pool, `SELECT to_user_id FROM user_likes WHERE from_user_id = $1 ORDER BY created_at DESC`, ann) {
		w.Exec(`UPDATE user_likes SET created_at = '2026-01-20T12:00:00Z'::timestamptz - $2 * interval '1 day' WHERE to_user_id = $1`, other, days)
	}
	w.takeChecks()
	require.Positive(t, w.recompute())
	earned := testkit.SelectAll[string](t, w.Pool, `
		SELECT icon || ' ' || to_char(earned_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')
		FROM earned_badges
		WHERE user_id = $1
		ORDER BY icon`, ann)
	require.Equal(t, []string{"active_user 2026-01-19", "first_like 2026-01-18"}, earned)
	list, err := w.Check(t.Context(), ann, ann)
	require.NoError(t, err)
	require.Empty(t, list, "there is no celebration")
	require.Zero(t, w.Count(`SELECT count(*) FROM river_job WHERE kind IN ('notify_badge', 'make_moment')`))
	require.Empty(t, w.changed)
	require.Equal(t, w.Count(`SELECT count(*) FROM user_badges`), w.Count(`SELECT count(*) FROM user_badges WHERE is_silent AND is_notified`))
}

func TestList_CountsProgressUpToNeeded(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.join("Ann")
	for _, name := range []string{"Bob", "Cid", "Dan"} {
		w.match(ann, w.join(name))
	}
	progress := func() map[string][2]int {
		list, err := w.List(t.Context(), ann)
		require.NoError(t, err)
		byIcon := map[string][2]int{}
		for _, b := range list {
			byIcon[b.IconKey] = [2]int{b.Count, b.Needed}
		}
		return byIcon
	}
	require.Equal(t, [2]int{1, 1}, progress()["first_match"], "counted up to what is needed, before the award too")
	require.Equal(t, [2]int{3, 10}, progress()["social_butterfly"])
	require.Equal(t, [2]int{3, 25}, progress()["heart_throb"])
	require.Equal(t, [2]int{0, 5}, progress()["referral_rockstar"])
	w.work(w.takeChecks()...)
	w.Exec(`UPDATE badges SET is_active = false WHERE icon IN ('first_match', 'heart_throb')`)
	require.Contains(t, progress(), "first_match", "an earned badge stays when it is no longer awarded")
	require.NotContains(t, progress(), "heart_throb")
}

// Others see only public badges, and only of members whom they may see.
func TestShown_HasPublicBadgesOnly(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.join("Ann"), w.join("Bob")
	w.Exec(`INSERT INTO user_badges (user_id, badge_id) SELECT $1, id FROM badges`, ann)
	list, err := w.Shown(t.Context(), bob, ann)
	require.NoError(t, err)
	var icons []string
	for _, b := range list {
		icons = append(icons, b.IconKey)
	}
	require.Equal(t, []string{"profile_complete", "picture_story", "true_voice", "community_champion", "good_company", "referral_rockstar", "matchmaker", "love_guru"}, icons)
	_, err = w.members.Change(t.Context(), ann, members.Changes{HideBadges: value(true)})
	require.NoError(t, err)
	for _, viewer := range []uuid.UUID{bob, ann} {
		list, err = w.Shown(t.Context(), viewer, ann)
		require.NoError(t, err)
		require.Empty(t, list)
		require.NotNil(t, list)
	}
	earned, err := w.Earned(t.Context(), ann, ann)
	require.NoError(t, err)
	require.Len(t, earned, 16, "the member's own list has them")
	w.Exec(`INSERT INTO blocks (blocker_id, blocked_id) VALUES ($1, $2)`, ann, bob)
	_, err = w.Shown(t.Context(), bob, ann)
	testkit.RequireKind(t, err, fault.NotFound)
}

// An award that fails leaves nothing, so that the job's next run does all of it.
func TestAward_IsOneTransaction(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.join("Ann"), w.join("Bob")
	w.like(ann, bob)
	args := badges.CheckArgs{MemberID: ann, Cause: badges.LikeSent}
	_, err := pg.Tx(t.Context(), w.Pool, func(tx pgx.Tx) (bool, error) {
		if _, err := w.Award(t.Context(), tx, args); err != nil {
			return false, err
		}
		return false, fault.New(fault.Unavailable, "cut")
	})
	require.Error(t, err)
	require.Empty(t, w.has(ann))
	require.Zero(t, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'notify_badge'`))
	w.work(check{args: args})
	require.Equal(t, []string{"first_like"}, w.has(ann))
}
