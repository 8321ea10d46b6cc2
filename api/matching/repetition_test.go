package matching_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/platform/fault"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// A like, a match or an end is stored, but the connection was lost at COMMIT, so nothing was published: the retry publishes it.
func TestLike_RetryAfterLostCommitPublishes(t *testing.T) {
	t.Parallel()
	pool, _, events := setup(t)
	lossy, commits := pgtest.NewLossyPool(t, pool)
	s := matching.New(lossy, events, pgtest.Jobs(t, pool))
	ann, bob := member(t, pool, "Ann"), member(t, pool, "Bob")
	likeTwice := func(from, to uuid.UUID, kind matching.Kind) matching.LikeResult {
		in := matching.LikeInput{To: to, Kind: kind}
		commits.LoseNext()
		before := len(events.Subjects())
		_, err := s.Like(t.Context(), actor(from), in)
		testkit.RequireKind(t, err, fault.Unavailable)
		require.Len(t, events.Subjects(), before)
		result, err := s.Like(t.Context(), actor(from), in)
		require.NoError(t, err)
		require.False(t, result.Created, "the first call stored it")
		return result
	}
	likeTwice(ann, bob, matching.SuperLike)
	require.Len(t, events.Published(bob, "super_like"), 1)
	require.NotEmpty(t, events.Published(bob, "super_like")[0]["likeId"])

	result := likeTwice(bob, ann, matching.Like)
	require.True(t, result.IsMatch)
	for side, kind := range map[uuid.UUID]string{ann: "like", bob: "super_like"} {
		published := events.Published(side, "match")
		require.Len(t, published, 1)
		require.Equal(t, []any{result.MatchID.String(), result.ConversationID.String(), kind, matchedAt(t, s, side)},
			[]any{published[0]["matchId"], published[0]["conversationId"], published[0]["likeType"], published[0]["matchedAt"]})
	}

	commits.LoseNext()
	testkit.RequireKind(t, s.Unmatch(t.Context(), actor(ann), *result.MatchID), fault.Unavailable)
	require.Empty(t, events.Published(bob, "unmatched"))
	require.NoError(t, s.Unmatch(t.Context(), actor(ann), *result.MatchID))
	for side, other := range map[uuid.UUID]uuid.UUID{ann: bob, bob: ann} {
		require.Equal(t, []map[string]any{{"type": "unmatched", "matchId": result.MatchID.String(),
			"conversationId": result.ConversationID.String(), "userId": other.String()}}, events.Published(side, "unmatched"))
	}
}

func TestLike_RepetitionPublishesOnlyWhatIsShown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		meanwhile string // a statement with the ids of the two
		published int    // likes to the other member
	}{
		"nothing":         {`SELECT $1::uuid, $2::uuid`, 2},
		"a pass":          {`INSERT INTO user_passes (from_user_id, to_user_id) VALUES ($2, $1)`, 1},
		"a pause":         {`UPDATE users SET paused_at = now() WHERE id = $1 AND id <> $2`, 1},
		"more than a day": {`UPDATE user_likes SET created_at = now() - interval '25 hours' WHERE from_user_id = $1 AND to_user_id = $2`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool, s, events := setup(t)
			ann, bob := member(t, pool, "Ann"), member(t, pool, "Bob")
			like(t, s, ann, bob)
			testkit.Exec(t, pool, c.meanwhile, ann, bob)
			require.False(t, like(t, s, ann, bob).Created)
			require.Len(t, events.Published(bob, "like_received"), c.published)
		})
	}
}

// Another member cannot be flooded with events by a call that is repeated endlessly.
func TestLike_RepetitionsArePublishedAtMostTenTimesAMinute(t *testing.T) {
	t.Parallel()
	pool, s, events := setup(t)
	ann, bob := member(t, pool, "Ann"), member(t, pool, "Bob")
	matching.StopClock(s)
	for range 30 {
		like(t, s, ann, bob)
	}
	require.Len(t, events.Published(bob, "like_received"), 1+10)
}

// A repeated like that publishes nothing does not count, and likes do not count as ends.
func TestLike_LimitOfRepetitionsCountsEvents(t *testing.T) {
	t.Parallel()
	pool, s, events := setup(t)
	matching.StopClock(s)
	ann, bob, cid := member(t, pool, "Ann"), member(t, pool, "Bob"), member(t, pool, "Cid")
	like(t, s, ann, bob)
	testkit.Exec(t, pool, `INSERT INTO user_passes (from_user_id, to_user_id) VALUES ($2, $1)`, ann, bob)
	for range 30 {
		like(t, s, ann, bob)
	}
	require.Len(t, events.Published(bob, "like_received"), 1)
	match := pair(t, s, ann, cid)
	for range 30 {
		like(t, s, ann, cid)
	}
	require.Len(t, events.Published(cid, "match"), 1+10)
	require.NoError(t, s.Unmatch(t.Context(), actor(ann), *match.MatchID))
	require.NoError(t, s.Unmatch(t.Context(), actor(ann), *match.MatchID))
	require.Len(t, events.Published(cid, "unmatched"), 2)
}

// An end is published again only to repeat a call of the member who ended the match, and only for a day.
func TestUnmatch_RepetitionIsPublishedForMemberWhoEnded(t *testing.T) {
	t.Parallel()
	pool, s, events := setup(t)
	matching.StopClock(s)
	ann, bob := member(t, pool, "Ann"), member(t, pool, "Bob")
	match := pair(t, s, ann, bob)
	unmatch := func(by uuid.UUID) int {
		before := len(events.Published(ann, "unmatched"))
		require.NoError(t, s.Unmatch(t.Context(), actor(by), *match.MatchID))
		require.Equal(t, events.Published(ann, "unmatched")[0]["matchId"], match.MatchID.String())
		require.Len(t, events.Published(bob, "unmatched"), len(events.Published(ann, "unmatched")))
		return len(events.Published(ann, "unmatched")) - before
	}
	require.Equal(t, 1, unmatch(ann))
	require.Equal(t, 1, unmatch(ann), "a repetition")
	require.Zero(t, unmatch(bob), "the other member")
	testkit.Exec(t, pool, `UPDATE matches SET unmatched_at = now() - interval '25 hours'`)
	require.Zero(t, unmatch(ann), "after a day")
	testkit.Exec(t, pool, `UPDATE matches SET unmatched_at = now()`)
	again := 0
	for range 30 {
		again += unmatch(ann)
	}
	require.Equal(t, 9, again, "ten times a minute")
}
