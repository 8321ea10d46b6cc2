package matching_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// photo adds a photo, or a picture of another slot, to a member.
func photo(t testing.TB, pool *pgxpool.Pool, owner uuid.UUID, slot string, position int) uuid.UUID {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	testkit.Exec(t, pool, `INSERT INTO files (id, owner_id, content_type, bytes) VALUES ($1, $2, 'image/webp', 1)`, id, owner)
	testkit.Exec(t, pool, `INSERT INTO member_media (file_id, user_id, slot, position) VALUES ($1, $2, $3, $4)`, id, owner, slot, position)
	return id
}

func prompt(t testing.TB, pool *pgxpool.Pool, owner uuid.UUID, question string) {
	t.Helper()
	testkit.Exec(t, pool, `INSERT INTO member_prompts (user_id, position, question, answer) VALUES ($1, 1, $2, 'Coffee')`, owner, question)
}

// received returns the likes in Received, read page by page. It checks the number of likes
// after each page.
func received(t testing.TB, s *matching.Service, member uuid.UUID, size int) (all []matching.ReceivedLike) {
	t.Helper()
	var remaining []int
	for cursor := ""; ; {
		list, rest, err := s.Received(t.Context(), actor(member), cursor, size)
		require.NoError(t, err)
		require.LessOrEqual(t, len(list), size)
		all = append(all, list...)
		remaining = append(remaining, rest.Count)
		if cursor = rest.Cursor; cursor == "" {
			break
		}
	}
	for i, n := range remaining {
		require.Equal(t, max(0, len(all)-(i+1)*size), n, "likes after page %d", i+1)
	}
	return all
}

func like(t testing.TB, s *matching.Service, from, to uuid.UUID) matching.LikeResult {
	t.Helper()
	result, err := s.Like(t.Context(), actor(from), matching.LikeInput{To: to, Kind: matching.Like})
	require.NoError(t, err)
	return result
}

func TestLike_WithCommentAboutPhotoOrAnswer(t *testing.T) {
	t.Parallel()
	pool, s, events := setup(t)
	ann, bob, cid := member(t, pool, "Ann"), member(t, pool, "Bob"), member(t, pool, "Cid")
	picture, gallery := photo(t, pool, bob, "photo", 1), photo(t, pool, bob, "gallery_image", 1)
	cidsPhoto := photo(t, pool, cid, "photo", 1)
	const question = "A perfect Sunday"
	prompt(t, pool, bob, question)

	for _, c := range []struct {
		field string
		in    matching.LikeInput
	}{
		{"photoId", matching.LikeInput{PhotoID: cidsPhoto}},
		{"photoId", matching.LikeInput{PhotoID: uuid.Must(uuid.NewV7())}},
		{"prompt", matching.LikeInput{Prompt: "Something else"}},
		{"prompt", matching.LikeInput{Prompt: question, PhotoID: picture}},
		{"comment", matching.LikeInput{Comment: strings.Repeat("é", 301)}},
		{"comment", matching.LikeInput{Comment: "a\x00b"}},
		{"comment", matching.LikeInput{Comment: "a\u202eb"}},
	} {
		c.in.To, c.in.Kind = bob, matching.Like
		_, err := s.Like(t.Context(), actor(ann), c.in)
		testkit.RequireInvalid(t, err, c.field)
	}
	assert.Zero(t, testkit.Count(t, pool, `SELECT count(*) FROM user_likes`))

	_, err := s.Like(t.Context(), actor(ann), matching.LikeInput{To: bob, Kind: matching.Like, PhotoID: picture, Comment: "  What a\nview  "})
	require.NoError(t, err)
	testkit.Exec(t, pool, `DELETE FROM member_media WHERE file_id = $1`, picture)
	repeated, err := s.Like(t.Context(), actor(ann), matching.LikeInput{To: bob, Kind: matching.SuperLike, PhotoID: picture, Comment: "Other words"})
	require.NoError(t, err, "a repeated like succeeds after the photo was deleted")
	assert.False(t, repeated.Created)
	_, err = s.Like(t.Context(), actor(cid), matching.LikeInput{To: bob, Kind: matching.SuperLike, Prompt: question})
	require.NoError(t, err)
	published := events.Published(bob, "like_received")
	require.Len(t, published, 2, "the repeated like is published again")
	requireSameFrames(t, published)

	list := received(t, s, bob, 50)
	require.Len(t, list, 2)
	assert.Equal(t, "Cid", list[0].User.FirstName)
	wantPrompt := question
	require.NotNil(t, list[0].Answer)
	wantAnswer := testkit.Select[string](t, pool, `SELECT answer FROM member_prompts WHERE user_id = $1`, bob)
	assert.Equal(t, matching.LikeNote{LikeType: matching.SuperLike, Prompt: &wantPrompt, Answer: &wantAnswer}, list[0].LikeNote)
	url := "/files/" + picture.String() + "/thumb.webp"
	assert.Equal(t, matching.LikeNote{LikeType: matching.Like, Comment: "What a\nview", PhotoURL: &url}, list[1].LikeNote)

	testkit.Exec(t, pool, `DELETE FROM files WHERE id = $1`, picture)
	assert.Nil(t, received(t, s, bob, 50)[1].PhotoURL, "a deleted photo is not part of the like")
	_, err = s.Like(t.Context(), actor(bob), matching.LikeInput{To: ann, Kind: matching.Like, Comment: "You too"})
	require.NoError(t, err)
	matches, _, err := s.Matches(t.Context(), actor(bob), matching.ByNewest, "", 50)
	require.NoError(t, err)
	assert.Equal(t, &matching.LikeNote{LikeType: matching.Like, Comment: "What a\nview"}, matches[0].TheirLike)
	assert.Equal(t, &matching.LikeNote{LikeType: matching.Like, Comment: "You too"}, matches[0].MyLike)
	_, err = s.Like(t.Context(), actor(bob), matching.LikeInput{To: cid, Kind: matching.Like, PhotoID: cidsPhoto})
	require.NoError(t, err)
	matches, _, err = s.Matches(t.Context(), actor(cid), matching.ByNewest, "", 50)
	require.NoError(t, err)
	assert.Equal(t, &wantAnswer, matches[0].MyLike.Answer)
	testkit.Exec(t, pool, `DELETE FROM member_prompts WHERE user_id = $1`, bob)
	matches, _, err = s.Matches(t.Context(), actor(cid), matching.ByNewest, "", 50)
	require.NoError(t, err)
	assert.Nil(t, matches[0].MyLike.Answer, "a removed answer")
	_, err = s.Like(t.Context(), actor(member(t, pool, "Dan")), matching.LikeInput{To: bob, Kind: matching.Like, PhotoID: gallery})
	require.NoError(t, err, "a like may be about a gallery picture")
}

func TestReceived_OmitsAnsweredLikes(t *testing.T) {
	t.Parallel()
	pool, s, events := setup(t)
	ann := member(t, pool, "Ann")
	var want []uuid.UUID
	admirer := func(name, change string) uuid.UUID {
		id := member(t, pool, name)
		like(t, s, id, ann)
		if change != "" {
			testkit.Exec(t, pool, `UPDATE users SET `+change+` WHERE id = $1`, id)
		}
		return id
	}
	for range 5 {
		want = append([]uuid.UUID{admirer("Admirer", "")}, want...)
	}
	want = append([]uuid.UUID{admirer("Shy", "incognito = true")}, want...)
	for _, hidden := range []string{"profile_status = 'suspended'", "profile_status = 'under_review'", "is_approved = false",
		"is_graduated = true", "paused_at = now()"} {
		admirer("Hidden", hidden)
	}
	matched, passed, longAgo := admirer("Matched", ""), admirer("Passed", ""), admirer("Long ago", "")
	like(t, s, ann, matched)
	require.NoError(t, s.Pass(t.Context(), actor(ann), passed, uuid.Nil))
	require.NoError(t, s.Pass(t.Context(), actor(ann), longAgo, uuid.Nil))
	testkit.Exec(t, pool, `UPDATE user_passes SET created_at = now() - interval '31 days' WHERE to_user_id = $1`, longAgo)
	want = append([]uuid.UUID{longAgo}, want...)
	blocked, blocker := admirer("Blocked", ""), admirer("Blocker", "")
	testkit.Exec(t, pool, `INSERT INTO blocks (blocker_id, blocked_id) VALUES ($1, $2), ($3, $1)`, ann, blocked, blocker)

	for _, size := range []int{1, 2, 50} {
		var got []uuid.UUID
		for _, l := range received(t, s, ann, size) {
			got = append(got, l.User.ID)
			assert.NotEmpty(t, l.User.FirstName)
		}
		assert.Equal(t, want, got, "page of %d", size)
	}
	var listed, unanswered []uuid.UUID
	for _, l := range received(t, s, ann, 50) {
		listed = append(listed, l.ID)
	}
	since, err := matching.UnansweredSince(t.Context(), pool, ann, time.Time{})
	require.NoError(t, err)
	for _, l := range since {
		unanswered = append(unanswered, l.ID)
	}
	require.Equal(t, listed, unanswered, "the notification is about the likes of the list")
	first := received(t, s, ann, 50)[0].LikedAt
	assert.Equal(t, web.Time(first), first, "the time is in UTC, in milliseconds")
	_, _, err = s.Received(t.Context(), actor(ann), "nonsense", 1)
	testkit.RequireKind(t, err, fault.Invalid)
	empty, _, err := s.Received(t.Context(), actor(passed), "", 50)
	require.NoError(t, err)
	assert.NotNil(t, empty)

	before := len(events.Published(ann, "like_received"))
	passedBefore := member(t, pool, "Passed before")
	require.NoError(t, s.Pass(t.Context(), actor(ann), passedBefore, uuid.Nil))
	like(t, s, passedBefore, ann)
	assert.Len(t, events.Published(ann, "like_received"), before, "a like by a member on whom the recipient has passed is not published")
}

// The count does not depend on the page, and leaves out the likes that Received leaves out.
func TestCountUnseen_CountsLikesNewerThanTheSeenOne(t *testing.T) {
	t.Parallel()
	pool, s, _ := setup(t)
	ann := member(t, pool, "Ann")
	admirers := make([]uuid.UUID, 5)
	for i := range admirers {
		admirers[i] = member(t, pool, "Admirer")
		like(t, s, admirers[i], ann)
		testkit.Exec(t, pool, `UPDATE user_likes SET created_at = now() - interval '1 hour' + $2 * interval '1 second' + interval '600 microseconds'
			WHERE from_user_id = $1`, admirers[i], i)
	}
	unseen := func(seen int) int {
		n, more, err := s.CountUnseen(t.Context(), actor(ann), seenAt(t, s, ann, admirers[seen]))
		require.NoError(t, err)
		assert.False(t, more)
		return n
	}
	assert.Equal(t, 0, unseen(4), "the seen like itself does not count")
	assert.Equal(t, 4, unseen(0))
	oldest := seenAt(t, s, ann, admirers[0])
	require.NoError(t, s.Pass(t.Context(), actor(ann), admirers[4], uuid.Nil))
	testkit.Exec(t, pool, `UPDATE users SET paused_at = now() WHERE id = $1`, admirers[3])
	n, _, err := s.CountUnseen(t.Context(), actor(ann), oldest)
	require.NoError(t, err)
	assert.Equal(t, 2, n)
}

// seenAt returns the time of a received like as it is in responses.
func seenAt(t testing.TB, s *matching.Service, member, from uuid.UUID) time.Time {
	t.Helper()
	for _, l := range received(t, s, member, 50) {
		if l.User.ID == from {
			return l.LikedAt
		}
	}
	require.Fail(t, "no like of this member")
	return time.Time{}
}

func TestAllowance_CountsDownAndResets(t *testing.T) {
	t.Parallel()
	pool, s, _ := setup(t)
	ann := member(t, pool, "Ann")
	allowance := func() matching.Allowance {
		t.Helper()
		allowance, err := s.Allowance(t.Context(), actor(ann))
		require.NoError(t, err)
		return allowance
	}
	assert.Equal(t, matching.Allowance{LikesLeft: 100, SuperLikesLeft: 3}, allowance())
	like(t, s, ann, member(t, pool, "Bob"))
	_, err := s.Like(t.Context(), actor(ann), matching.LikeInput{To: member(t, pool, "Cid"), Kind: matching.SuperLike})
	require.NoError(t, err)
	testkit.Exec(t, pool, `UPDATE user_likes SET created_at = now() - interval '23 hours' WHERE like_type = 'like'`)
	remaining := allowance()
	assert.Equal(t, []int{98, 2}, []int{remaining.LikesLeft, remaining.SuperLikesLeft})
	assert.InDelta(t, time.Hour, time.Until(*remaining.LikesResetAt), float64(time.Minute))
	assert.InDelta(t, 24*time.Hour, time.Until(*remaining.SuperLikesResetAt), float64(time.Minute))
	testkit.Exec(t, pool, `UPDATE users SET premium_until = now() + interval '1 day' WHERE id = $1`, ann)
	assert.Equal(t, 5, allowance().SuperLikesLeft)
	testkit.Exec(t, pool, `UPDATE users SET premium_until = NULL WHERE id = $1`, ann)
	for range 3 {
		testkit.Exec(t, pool, `INSERT INTO user_likes (id, from_user_id, to_user_id, like_type) VALUES (gen_random_uuid(), $1, $2, 'super_like')`,
			ann, member(t, pool, "Fan"))
	}
	assert.Zero(t, allowance().SuperLikesLeft, "not negative after the end of Premium")
}

func TestLike_AllowedIncognitoNotPaused(t *testing.T) {
	t.Parallel()
	pool, s, _ := setup(t)
	ann, bob, cid := member(t, pool, "Ann"), member(t, pool, "Bob"), member(t, pool, "Cid")
	sendLike := func(from, to uuid.UUID) error {
		_, err := s.Like(t.Context(), actor(from), matching.LikeInput{To: to, Kind: matching.Like})
		return err
	}
	like(t, s, ann, cid)
	testkit.Exec(t, pool, `UPDATE users SET paused_at = now() WHERE id = $1`, ann)
	err := sendLike(ann, bob)
	testkit.RequireKind(t, err, fault.Forbidden)
	assert.Contains(t, fault.From(err).Message, "Resume")
	require.NoError(t, sendLike(ann, cid), "a repeated like returns the first result")
	testkit.RequireKind(t, sendLike(bob, ann), fault.NotFound, "a paused member cannot be liked")

	testkit.Exec(t, pool, `UPDATE users SET paused_at = now() - interval '2 days', paused_until = now() + interval '1 day' WHERE id = $1`, ann)
	testkit.RequireKind(t, sendLike(ann, bob), fault.Forbidden, "before the end of the pause")
	testkit.RequireKind(t, sendLike(bob, ann), fault.NotFound, "before the end of the pause")
	testkit.Exec(t, pool, `UPDATE users SET paused_until = now() - interval '1 day' WHERE id = $1`, ann)
	dan, eve := member(t, pool, "Dan"), member(t, pool, "Eve")
	require.NoError(t, sendLike(ann, dan), "after the end of the pause")
	require.NoError(t, sendLike(eve, ann), "after the end of the pause")

	testkit.Exec(t, pool, `UPDATE users SET paused_at = NULL, paused_until = NULL, incognito = true WHERE id = $1`, ann)
	testkit.RequireKind(t, sendLike(bob, ann), fault.NotFound, "an incognito member cannot be liked")
	require.NoError(t, sendLike(ann, bob))
	require.NoError(t, sendLike(bob, ann), "an incognito member who likes the actor can be liked")
	assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM matches`))
}
