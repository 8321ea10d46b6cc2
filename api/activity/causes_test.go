package activity_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// post stores a story; status is published or rejected.
func (w *env) post(author uuid.UUID, status string, minutes int) uuid.UUID {
	w.Helper()
	id, reason := uuid.New(), ""
	if status == "rejected" {
		reason = "No"
	}
	w.Exec(`INSERT INTO community_posts (id, author_id, client_id, title, excerpt, content, category, tags, status, published_at, decided_at, rejection_reason)
		VALUES ($1, $2, $1, 'A title', 'An excerpt', 'A story', 'advice', ARRAY['a'], $3, $4, $4, $5)`, id, author, status, w.minutesAgo(minutes), reason)
	return id
}

func (w *env) comment(post, parent, author uuid.UUID, minutes int) uuid.UUID {
	w.Helper()
	id := uuid.New()
	w.Exec(`INSERT INTO post_comments (id, post_id, parent_id, author_id, client_id, content, created_at)
		VALUES ($1, $2, nullif($3, '00000000-0000-0000-0000-000000000000'::uuid), $4, $1, 'Hi', $5)`, id, post, parent, author, w.minutesAgo(minutes))
	return id
}

// The text and the address of each notification of stories, badges, couples and moments.
func TestNotifications_SayAndOpenTheirCauses(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.member("Ann", 900), w.member("Ben", 900)
	w.match(ann, ben, 90)
	published := w.post(ann, "published", 80)
	w.post(ann, "rejected", 70)
	w.comment(published, uuid.Nil, ben, 60)
	other := w.post(ben, "published", 80)
	w.comment(other, w.comment(other, uuid.Nil, ann, 55), ben, 50)
	w.Exec(`INSERT INTO user_badges (user_id, badge_id, earned_at) SELECT $1, id, $2 FROM badges WHERE name = 'Matchmaker'`, ann, w.minutesAgo(40))
	w.Exec(`INSERT INTO shareable_moments (id, user_id, moment_type, subject_id, title, caption) SELECT gen_random_uuid(), $1, 'match', id, 'New match', '' FROM matches`, ben)
	w.Exec(`INSERT INTO moment_consents (moment_id, peer_id, asked_at) SELECT id, $1, $2 FROM shareable_moments`, ann, w.minutesAgo(30))
	w.Exec(`INSERT INTO graduated_couples (user_one_id, user_two_id, status, accepted_at, approved_at) VALUES ($1, $2, 'graduated', $3, $3)`, ann, ben, w.minutesAgo(20))
	w.Exec(`INSERT INTO couple_members (user_id, couple_id, on_wall) SELECT unnest(ARRAY[user_one_id, user_two_id]), id, false FROM graduated_couples`)
	w.Exec(`INSERT INTO pulse_sharing (user_id, couple_id, since) SELECT $1, id, $2 FROM graduated_couples`, ben, w.minutesAgo(10))
	items := func() (list []string) {
		for _, n := range w.notifications(ann, 3) {
			list = append(list, n.Text+" "+n.Path)
		}
		return list
	}
	want := []string{
		"Ben would like to share the Love Pulse with you. /together",
		"You and Ben have graduated. Congratulations! /graduation",
		"Ben would like to name you in the picture of your match. /shareable-moments",
		"You earned the badge Matchmaker. /badges",
		fmt.Sprintf("Ben replied to your comment. /community/%s", other),
		fmt.Sprintf("Ben commented on your story. /community/%s", published),
		"Your story could not be published. Open it to read why. /community/mine",
		fmt.Sprintf("Your story is on the community board. /community/%s", published),
	}
	require.Equal(t, want, items()[:8])

	w.Exec(`INSERT INTO pulse_sharing (user_id, couple_id) SELECT $1, id FROM graduated_couples`, ann)
	w.Exec(`UPDATE moment_consents SET answer = 'given', answered_at = now()`)
	w.Exec(`UPDATE community_posts SET status = 'pending', rejection_reason = '' WHERE status = 'rejected'`)
	require.Equal(t, []string{want[1], want[3], want[4], want[5], want[7]}, items()[:5], "an item is gone with its cause")
}

func TestNotifications_ListAllCommentsOfOneTime(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.member("Ann", 900), w.member("Ben", 900)
	post := w.post(ann, "published", 80)
	for range 5 {
		w.comment(post, uuid.Nil, ben, 10)
	}
	for limit := range 6 {
		require.Len(t, w.notifications(ann, limit+1), 6, "in pages of %d", limit+1)
	}
	require.Equal(t, 6, w.unread(ann))
	require.Equal(t, 5, w.read(ann, time.Time{}, itemOf(w.notifications(ann, 50)[0])))
}

// A badge is in both lists of its member, and in no other's. Its notification is read once its celebration was closed.
func TestBadges_AreReadWithTheirCelebration(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.member("Ann", 900), w.member("Ben", 900)
	award := `INSERT INTO user_badges (user_id, badge_id, earned_at, is_notified) SELECT $1, id, $2, $3 FROM badges WHERE name = $4`
	w.Exec(award, ann, w.minutesAgo(40), true, "Matchmaker")
	w.Exec(award, ann, w.minutesAgo(30), false, "Love Guru")
	require.Equal(t, []string{"You earned the badge Love Guru.", "You earned the badge Matchmaker."}, w.texts(ann, 1))
	require.Empty(t, w.texts(ben, 50))
	list := w.notifications(ann, 1)
	require.Len(t, list, 2)
	require.Equal(t, []bool{false, true}, []bool{list[0].IsRead, list[1].IsRead})
	require.Equal(t, 1, w.unread(ann))
	w.Exec(`UPDATE user_badges SET is_notified = true`)
	require.Zero(t, w.unread(ann))
	require.True(t, w.notifications(ann, 50)[0].IsRead)
	require.Empty(t, w.notifications(ben, 50))
}

// The count omits every notification that the list omits.
func TestNotifications_ListAndCountLeaveOutTheSame(t *testing.T) {
	t.Parallel()
	for name, sql := range map[string]string{
		"the other member is blocked":      `INSERT INTO blocks (blocker_id, blocked_id) VALUES ($1, $2)`,
		"the other member blocks":          `INSERT INTO blocks (blocker_id, blocked_id) VALUES ($2, $1)`,
		"the other account is deleted":     `DELETE FROM users WHERE id = $2 AND id <> $1`,
		"the other member is suspended":    `UPDATE users SET profile_status = 'suspended' WHERE id = $2 AND id <> $1`,
		"the other profile is hidden":      `UPDATE users SET profile_status = 'under_review' WHERE id = $2 AND id <> $1`,
		"the post and the like are undone": `WITH likes AS (DELETE FROM user_likes WHERE from_user_id = $2) DELETE FROM community_posts WHERE author_id = $1`,
		"the post waits for a moderator, and the like is answered by passing": `WITH passed AS (INSERT INTO user_passes (from_user_id, to_user_id) VALUES ($1, $2))
			UPDATE community_posts SET status = 'pending'`,
	} {
		w := newEnv(t)
		ann, ben := w.member("Ann", 900), w.member("Ben", 900)
		post := w.post(ann, "published", 80)
		w.read(ann, w.now) // the post's own
		comment := w.comment(post, uuid.Nil, ben, -1)
		w.comment(post, comment, ben, -1)
		w.like(ben, ann, "like", -1)
		require.Len(t, w.notifications(ann, 2), 4, name)
		require.Equal(t, 3, w.unread(ann), name)
		w.Exec(sql, ann, ben)
		require.Zero(t, w.unread(ann), name)
		for _, n := range w.notifications(ann, 2) {
			require.Equal(t, "post_published", string(n.Kind), name)
		}
	}
}
