package badges_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/community"
	"heartward/api/matching"
	"heartward/api/members"
	"heartward/api/messaging/messages"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// counted counts by criterion what each member has done, from the tables, without the views that awards read.
const counted = `
	SELECT m.id,
		(SELECT count(*) FROM member_media WHERE user_id = m.id AND slot = 'photo') AS photos,
		(SELECT count(*) FROM member_media WHERE user_id = m.id AND slot = 'audio_greeting') AS voice_greetings,
		(SELECT count(*) FROM user_likes WHERE from_user_id = m.id) AS likes_sent,
		(SELECT count(*) FROM user_likes WHERE to_user_id = m.id) AS likes_received,
		(SELECT count(*) FROM matches WHERE m.id IN (user_a, user_b)) AS matches,
		(SELECT count(DISTINCT conversation_id) FROM messages WHERE sender_id = m.id) AS conversations,
		(SELECT count(*) FROM messages WHERE sender_id = m.id AND seq = 1) AS conversations_started,
		(SELECT count(*)
			FROM conversations c
			WHERE m.id IN (c.user_a, c.user_b)
				AND EXISTS (
					SELECT FROM messages later
					WHERE later.conversation_id = c.id
						AND later.sent_at >= interval '24 hours' + (
							SELECT min(reply.sent_at)
							FROM messages reply
							JOIN messages opening ON opening.conversation_id = c.id AND opening.seq = 1
							WHERE reply.conversation_id = c.id
								AND reply.sender_id <> opening.sender_id))) AS lasting_conversations,
		(SELECT count(DISTINCT to_char(created_at AT TIME ZONE 'UTC', 'YYYYMMDD')) FROM user_likes WHERE from_user_id = m.id) AS active_days,
		(SELECT count(*) FROM community_posts WHERE author_id = m.id AND status = 'published' AND category <> 'blog') AS published_posts,
		(SELECT count(*) FROM referrals WHERE referrer_id = m.id AND completed_at IS NOT NULL) AS referrals
	FROM users m`

// history is a random sequence of what members do, with what they must have been awarded for it.
type history struct {
	*env
	random    *rand.Rand
	people    []uuid.UUID
	moderator uuid.UUID
	earned    map[string]bool // member and icon
	friends   int
}

// After each step of a random history, and its jobs, the members have exactly the badges whose count has ever been
// reached; their progress is full for these and for no others; and a recomputation finds nothing.
func TestProgress_IsFullExactlyWhenAwarded(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			h := newHistory(t, seed)
			for step := range 120 {
				action := h.step()
				h.work(h.takeChecks()...)
				h.requireExact(fmt.Sprintf("seed %d, step %d: %s", seed, step, action))
			}
			h.requireRebuilt(seed)
		})
	}
}

func newHistory(t *testing.T, seed uint64) *history {
	t.Helper()
	h := &history{env: newEnv(t), random: rand.New(rand.NewPCG(seed, 44)), earned: map[string]bool{}}
	h.Exec(`UPDATE badges SET needed = CASE criterion WHEN 'photos' THEN 2 WHEN 'published_posts' THEN 2 ELSE least(needed, 3) END
		WHERE criterion <> 'profile_percent'`)
	for i := range 5 {
		h.people = append(h.people, h.join("Member"+string(rune('A'+i))))
	}
	h.moderator = h.join("Mo")
	return h
}

// step has a random member do something, and returns its name. Refusals, such as of a message without a match, are part
// of the history.
func (h *history) step() string {
	i := h.random.IntN(len(h.people))
	me, other := h.people[i], h.people[(i+1+h.random.IntN(len(h.people)-1))%len(h.people)]
	actor := web.Actor{ID: me}
	steps := []struct {
		weight int
		name   string
		do     func()
	}{
		{8, "like", func() { _, _ = h.matching.Like(h.Context(), actor, matching.LikeInput{To: other, Kind: matching.Like}) }},
		{10, "message", func() {
			_, _ = h.chat.Messages.Send(h.Context(), actor, messages.Outgoing{RecipientID: other, ClientID: uuid.Must(uuid.NewV7()), Content: "Hello"})
		}},
		{4, "a day passes", h.passDay},
		{1, "unmatch", func() {
			for _, match := range testkit.SelectAll[uuid.UUID](h, h.Pool, `SELECT match_id FROM match_sides WHERE member_id = $1 AND peer_id = $2`, me, other) {
				require.NoError(h, h.matching.Unmatch(h.Context(), actor, match))
			}
		}},
		{1, "block", func() { _ = h.reports.Block(h.Context(), actor, other) }},
		{1, "account deleted", func() {
			h.Exec(`DELETE FROM users WHERE id = $1`, me)
			h.people[i] = h.join("Newcomer")
		}},
		{3, "photo added", func() { _ = h.addFile(me, members.PhotoSlot) }},
		{1, "photo deleted", func() { h.deleteFile(me, "photo") }},
		{1, "voice greeting", func() { _ = h.addFile(me, members.AudioGreetingSlot) }},
		{1, "voice greeting deleted", func() { h.deleteFile(me, "audio_greeting") }},
		{1, "profile completed", func() { h.completeProfile(me) }},
		{1, "profile emptied", func() {
			_, err := h.members.Change(h.Context(), me, members.Changes{Bio: value(""), LoveReflection: value("")})
			require.NoError(h, err)
		}},
		{2, "friend joined and completed the profile", func() {
			h.friends++
			friend := h.inviteFriend(me, fmt.Sprint("Friend", h.friends))
			_ = h.addFile(friend, members.PhotoSlot)
			_ = h.addFile(friend, members.AudioGreetingSlot)
			h.completeProfile(friend)
		}},
		{2, "story sent in", func() {
			h.Exec(`DELETE FROM rate_limits`)
			h.submit(me)
		}},
		{2, "story decided", h.decideOne},
	}
	total := 0
	for _, s := range steps {
		total += s.weight
	}
	at := h.random.IntN(total)
	for _, s := range steps {
		if at -= s.weight; at < 0 {
			s.do()
			return s.name
		}
	}
	panic("unreachable")
}

// passDay moves everything that has happened a day and an hour into the past.
func (h *history) passDay() {
	h.Exec(`UPDATE user_likes SET created_at = created_at - interval '25 hours'`)
	h.Exec(`UPDATE messages SET sent_at = sent_at - interval '25 hours'`)
	h.Exec(`UPDATE conversations SET both_wrote_at = both_wrote_at - interval '25 hours', lasted_day_at = lasted_day_at - interval '25 hours'`)
}

func (h *history) deleteFile(member uuid.UUID, slot string) {
	for _, id := range testkit.SelectAll[uuid.UUID](h, h.Pool, `SELECT file_id FROM member_media WHERE user_id = $1 AND slot = $2 LIMIT 1`, member, slot) {
		require.NoError(h, h.members.DeleteMedia(h.Context(), member, id))
	}
}

// decideOne has the moderator publish or reject a post, or its author delete a published one.
func (h *history) decideOne() {
	posts := testkit.SelectAll[uuid.UUID](h, h.Pool, `SELECT id FROM community_posts ORDER BY created_at`)
	if len(posts) == 0 {
		return
	}
	id := posts[h.random.IntN(len(posts))]
	status := testkit.Select[string](h, h.Pool, `SELECT status FROM community_posts WHERE id = $1`, id)
	author := testkit.Select[uuid.UUID](h, h.Pool, `SELECT author_id FROM community_posts WHERE id = $1`, id)
	action := []string{"approve", "approve", "reject"}[h.random.IntN(3)]
	if status == "published" && action == "reject" {
		require.NoError(h, h.board.Delete(h.Context(), author, id))
		return
	}
	h.decide(action, h.moderator, community.ReviewItem{ID: id, Version: 1})
}

// requireExact compares badges, progress and a recomputation with what the history has earned.
func (h *history) requireExact(step string) {
	h.Helper()
	type badge struct {
		Icon, Criterion string
		Needed          int
	}
	rows, _ := h.Pool.Query(h.Context(), `SELECT icon, criterion, needed FROM badges`)
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[badge])
	require.NoError(h, err)
	has, expected := h.all(), []string{}
	for member, counts := range h.counts() {
		list, err := h.List(h.Context(), member)
		require.NoError(h, err)
		require.Len(h, list, len(all), "%s: the list of %s", step, member)
		for _, b := range list {
			require.Equal(h, slices.Contains(has, member.String()+" "+b.IconKey), b.Count == b.Needed, "%s: %s of %s has %d of %d", step, b.IconKey, member, b.Count, b.Needed)
		}
		for _, b := range all {
			require.Contains(h, counts, b.Criterion)
			key := member.String() + " " + b.Icon
			if counts[b.Criterion] >= b.Needed {
				h.earned[key] = true
			}
			if h.earned[key] {
				expected = append(expected, key)
			}
		}
	}
	slices.Sort(expected)
	require.Equal(h, expected, has, step)
	require.Zero(h, h.recompute(), step)
}

// counts returns for each member how much of each criterion there is.
func (h *history) counts() map[uuid.UUID]map[string]int {
	h.Helper()
	rows, _ := h.Pool.Query(h.Context(), counted)
	list, err := pgx.CollectRows(rows, pgx.RowToMap)
	require.NoError(h, err)
	counts := map[uuid.UUID]map[string]int{}
	for _, row := range list {
		of := map[string]int{}
		for criterion, count := range row {
			if criterion != "id" {
				of[criterion] = int(count.(int64))
			}
		}
		member := uuid.UUID(row["id"].([16]byte))
		me, err := h.members.Me(h.Context(), member)
		require.NoError(h, err)
		of["profile_percent"] = me.Completeness.Percent
		counts[member] = of
	}
	return counts
}

// requireRebuilt compares a recomputation from nothing with what the present rows earn.
func (h *history) requireRebuilt(seed uint64) {
	h.Helper()
	awarded := h.all()
	h.earned = map[string]bool{}
	h.Exec(`DELETE FROM user_badges`)
	h.recompute()
	h.requireExact(fmt.Sprintf("seed %d, rebuilt", seed))
	require.Subset(h, awarded, h.all(), "seed %d", seed)
	require.Zero(h, h.Count(`SELECT count(*) FROM user_badges WHERE NOT is_silent OR NOT is_notified OR earned_at > now()`), "seed %d", seed)
}
