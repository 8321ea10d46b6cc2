package matching_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/fault"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// setup returns a service whose jobs are enqueued and not run.
func setup(t *testing.T) (*pgxpool.Pool, *matching.Service, *bustest.Recorder) {
	pool, events := pgtest.New(t), &bustest.Recorder{}
	return pool, matching.New(pool, events, pgtest.Jobs(t, pool)), events
}

func member(t testing.TB, pool *pgxpool.Pool, name string) uuid.UUID {
	t.Helper()
	return testkit.Member(t, pool, name).ID
}

func actor(id uuid.UUID) web.Actor { return web.Actor{ID: id} }

// matchedAt returns the time of the member's newest match as the API writes it.
func matchedAt(t testing.TB, s *matching.Service, member uuid.UUID) string {
	t.Helper()
	matches, _, err := s.Matches(t.Context(), actor(member), matching.ByNewest, "", 1)
	require.NoError(t, err)
	require.NotEmpty(t, matches)
	text, err := matches[0].MatchedAt.MarshalText()
	require.NoError(t, err)
	return string(text)
}

func TestLike_TwoLikesMakeMatch(t *testing.T) {
	t.Parallel()
	pool, s, events := setup(t)
	ann, bob := member(t, pool, "Ann"), member(t, pool, "Bob")

	first, err := s.Like(t.Context(), actor(ann), matching.LikeInput{To: bob, Kind: matching.SuperLike})
	require.NoError(t, err)
	assert.Equal(t, matching.LikeResult{LikeType: matching.SuperLike, TargetUserID: bob, Created: true}, first)
	assert.Empty(t, events.Published(bob, "match"))
	super := events.Published(bob, "super_like")
	require.Len(t, super, 1, "the like is published to its recipient")
	assert.Equal(t, "Ann", super[0]["user"].(map[string]any)["firstName"])
	assert.NotEmpty(t, super[0]["likeId"])
	assert.Empty(t, events.Published(ann, "super_like"))

	second, err := s.Like(t.Context(), actor(bob), matching.LikeInput{To: ann, Kind: matching.Like})
	require.NoError(t, err)
	assert.True(t, second.IsMatch)
	require.NotNil(t, second.MatchID)
	require.NotNil(t, second.ConversationID)
	assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM matches WHERE id = $1`, second.MatchID))
	assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM conversations WHERE id = $1 AND match_id = $2`, second.ConversationID, second.MatchID))

	toAnn, toBob := events.Published(ann, "match"), events.Published(bob, "match")
	require.Len(t, toAnn, 1)
	require.Len(t, toBob, 1)
	for _, frame := range []map[string]any{toAnn[0], toBob[0]} {
		assert.Equal(t, "match", frame["type"])
		assert.Equal(t, second.MatchID.String(), frame["matchId"])
		assert.Equal(t, second.ConversationID.String(), frame["conversationId"])
		assert.Equal(t, matchedAt(t, s, ann), frame["matchedAt"], "the event has the same time as the list of matches")
	}
	assert.Equal(t, "like", toAnn[0]["likeType"], "Ann's event has the kind of Bob's like")
	assert.Equal(t, "super_like", toBob[0]["likeType"], "Bob's event has the kind of Ann's like")
	assert.Equal(t, "Bob", toAnn[0]["user"].(map[string]any)["firstName"])
	assert.Equal(t, "Ann", toBob[0]["user"].(map[string]any)["firstName"])

	repeated, err := s.Like(t.Context(), actor(ann), matching.LikeInput{To: bob, Kind: matching.Like})
	require.NoError(t, err)
	assert.Equal(t, matching.LikeResult{IsMatch: true, LikeType: matching.SuperLike, TargetUserID: bob,
		MatchID: second.MatchID, ConversationID: second.ConversationID}, repeated, "the kind is that of the first like, the match is current")
	for _, side := range []uuid.UUID{ann, bob} {
		published := events.Published(side, "match")
		require.Len(t, published, 2, "a repeated like publishes the match again")
		assert.Equal(t, published[0], published[1])
	}
	assert.Len(t, events.Published(bob, "super_like"), 1, "a like that was answered is not published again")
	assert.Empty(t, events.Published(ann, "like_received"), "a like that makes a match is published only as the match")
	for _, side := range []uuid.UUID{ann, bob} {
		assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM river_job WHERE kind = 'notify_match' AND args->>'memberId' = $1 AND args->>'matchId' = $2`,
			side.String(), second.MatchID.String()), "a job is enqueued for each side")
	}
}

func TestLike_MatchReopensClosedConversation(t *testing.T) {
	t.Parallel()
	pool, s, _ := setup(t)
	ann, bob := member(t, pool, "Ann"), member(t, pool, "Bob")
	conversation := uuid.Must(uuid.NewV7())
	testkit.Exec(t, pool, `INSERT INTO conversations (id, user_a, user_b, closed_at) VALUES ($1, least($2::uuid, $3), greatest($2::uuid, $3), now())`,
		conversation, ann, bob)
	_, err := s.Like(t.Context(), actor(ann), matching.LikeInput{To: bob, Kind: matching.Like})
	require.NoError(t, err)
	result, err := s.Like(t.Context(), actor(bob), matching.LikeInput{To: ann, Kind: matching.Like})
	require.NoError(t, err)
	assert.Equal(t, conversation, *result.ConversationID)
	assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM conversations WHERE closed_at IS NULL AND match_id = $1`, result.MatchID))
}

func TestPass_LikeDeletesPass(t *testing.T) {
	t.Parallel()
	pool, s, _ := setup(t)
	ann, bob := member(t, pool, "Ann"), member(t, pool, "Bob")
	passes := `SELECT count(*) FROM user_passes WHERE from_user_id = $1 AND to_user_id = $2`

	require.NoError(t, s.Pass(t.Context(), actor(ann), bob, uuid.Nil))
	testkit.Exec(t, pool, `UPDATE user_passes SET created_at = now() - interval '40 days'`)
	require.NoError(t, s.Pass(t.Context(), actor(ann), bob, uuid.Nil))
	assert.Equal(t, 1, testkit.Count(t, pool, passes+` AND created_at > now() - interval '1 minute'`, ann, bob), "another pass restarts the 30 days")

	_, err := s.Like(t.Context(), actor(ann), matching.LikeInput{To: bob, Kind: matching.Like})
	require.NoError(t, err)
	assert.Zero(t, testkit.Count(t, pool, passes, ann, bob), "a like deletes the pass")

	require.NoError(t, s.Pass(t.Context(), actor(ann), bob, uuid.Nil))
	assert.Zero(t, testkit.Count(t, pool, passes, ann, bob), "a pass does not delete an earlier like")
	result, err := s.Like(t.Context(), actor(bob), matching.LikeInput{To: ann, Kind: matching.Like})
	require.NoError(t, err)
	assert.True(t, result.IsMatch)
}

func TestLike_RefusesHiddenMembers(t *testing.T) {
	t.Parallel()
	pool, s, _ := setup(t)
	ann, bob := member(t, pool, "Ann"), member(t, pool, "Bob")
	requireRefused := func(kind fault.Kind, id uuid.UUID) {
		t.Helper()
		_, err := s.Like(t.Context(), actor(ann), matching.LikeInput{To: id, Kind: matching.Like})
		testkit.RequireKind(t, err, kind, "like")
		err = s.Pass(t.Context(), actor(ann), id, uuid.Nil)
		testkit.RequireKind(t, err, kind, "pass")
	}
	requireRefused(fault.Invalid, ann)
	requireRefused(fault.NotFound, uuid.New())
	for _, change := range []string{"profile_status = 'suspended'", "profile_status = 'under_review'", "is_approved = false", "is_graduated = true"} {
		testkit.Exec(t, pool, `UPDATE users SET `+change+` WHERE id = $1`, bob)
		requireRefused(fault.NotFound, bob)
		testkit.Exec(t, pool, `UPDATE users SET profile_status = 'active', is_approved = true, is_graduated = false WHERE id = $1`, bob)
	}
	// The likes and the conversation of an ended match are deleted after half a year; the match stays.
	former := member(t, pool, "Cid")
	testkit.Exec(t, pool, `INSERT INTO matches (id, user_a, user_b, unmatched_at)
		VALUES (gen_random_uuid(), least($1::uuid, $2), greatest($1::uuid, $2), now() - interval '1 year')`, ann, former)
	requireRefused(fault.NotFound, former)
	testkit.Exec(t, pool, `UPDATE users SET profile_status = 'under_review' WHERE id = $1`, ann)
	_, err := s.Like(t.Context(), actor(ann), matching.LikeInput{To: bob, Kind: matching.Like})
	testkit.RequireKind(t, err, fault.Forbidden)
	assert.Zero(t, testkit.Count(t, pool, `SELECT count(*) FROM user_likes`)+testkit.Count(t, pool, `SELECT count(*) FROM user_passes`))
}

func TestLike_IsRateLimited(t *testing.T) {
	t.Parallel()
	pool, s, _ := setup(t)
	ann := member(t, pool, "Ann")
	send := func(kind matching.Kind) error {
		_, err := s.Like(t.Context(), actor(ann), matching.LikeInput{To: member(t, pool, "Other"), Kind: kind})
		return err
	}
	backdate := func(by string) {
		testkit.Exec(t, pool, `UPDATE user_likes SET created_at = created_at - $1::text::interval`, by)
	}
	requireLimited := func(err error, least, most time.Duration) {
		t.Helper()
		testkit.RequireKind(t, err, fault.RateLimited)
		wait := fault.From(err).RetryAfter
		assert.True(t, wait > least && wait <= most, "wait %s", wait)
	}
	for range 3 {
		require.NoError(t, send(matching.SuperLike))
	}
	requireLimited(send(matching.SuperLike), 23*time.Hour, 24*time.Hour)
	testkit.Exec(t, pool, `UPDATE users SET premium_until = now() + interval '1 day' WHERE id = $1`, ann)
	for range 3 {
		require.NoError(t, send(matching.SuperLike))
	}
	requireLimited(send(matching.SuperLike), 23*time.Hour, 24*time.Hour)
	for range 4 {
		require.NoError(t, send(matching.Like))
	}
	requireLimited(send(matching.Like), 0, time.Minute)
	backdate("61 seconds")
	for range 9 {
		for range 10 {
			require.NoError(t, send(matching.Like))
		}
		backdate("61 seconds")
	}
	requireLimited(send(matching.Like), 23*time.Hour, 24*time.Hour)
	backdate("1 day")
	require.NoError(t, send(matching.SuperLike))
}

func TestMatches_PagesByNewest(t *testing.T) {
	t.Parallel()
	pool, s, _ := setup(t)
	ann := member(t, pool, "Ann")
	var want []uuid.UUID
	for i := range 7 {
		other := member(t, pool, "Other")
		_, err := s.Like(t.Context(), actor(other), matching.LikeInput{To: ann, Kind: matching.Like})
		require.NoError(t, err)
		result, err := s.Like(t.Context(), actor(ann), matching.LikeInput{To: other, Kind: matching.Like})
		require.NoError(t, err)
		switch i {
		case 2:
			testkit.Exec(t, pool, `UPDATE matches SET unmatched_at = now() WHERE id = $1`, result.MatchID)
		case 3:
			testkit.Exec(t, pool, `UPDATE users SET profile_status = 'suspended' WHERE id = $1`, other)
		default:
			want = append([]uuid.UUID{*result.MatchID}, want...)
		}
	}
	var got []uuid.UUID
	for cursor := ""; ; {
		page, next, err := s.Matches(t.Context(), actor(ann), matching.ByNewest, cursor, 2)
		require.NoError(t, err)
		for _, m := range page {
			got = append(got, m.ID)
			assert.Equal(t, "Other", m.User.FirstName)
			assert.False(t, m.Seen)
			assert.NotZero(t, m.ConversationID)
		}
		if cursor = next; next == "" {
			break
		}
	}
	assert.Equal(t, want, got)

	require.NoError(t, s.MarkSeen(t.Context(), actor(ann), want[0]))
	page, _, err := s.Matches(t.Context(), actor(ann), matching.ByNewest, "", 1)
	require.NoError(t, err)
	assert.True(t, page[0].Seen)
	otherSide, _, err := s.Matches(t.Context(), actor(page[0].User.ID), matching.ByNewest, "", 1)
	require.NoError(t, err)
	assert.False(t, otherSide[0].Seen, "the other member has not seen the match")
	err = s.MarkSeen(t.Context(), actor(member(t, pool, "Stranger")), want[0])
	testkit.RequireKind(t, err, fault.NotFound)
	_, _, err = s.Matches(t.Context(), actor(ann), matching.ByNewest, "nonsense", 1)
	testkit.RequireKind(t, err, fault.Invalid)
}
