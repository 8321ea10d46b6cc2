package matching_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

// pair lets two members like each other and returns the match.
func pair(t testing.TB, s *matching.Service, x, y uuid.UUID) matching.LikeResult {
	t.Helper()
	like(t, s, x, y)
	result := like(t, s, y, x)
	require.True(t, result.IsMatch)
	return result
}

// insertMessage stores a message with the next seq of its conversation. It changes no
// marks.
func insertMessage(t testing.TB, pool *pgxpool.Pool, conversation *uuid.UUID, from uuid.UUID) {
	t.Helper()
	testkit.Exec(t, pool, `WITH next AS (UPDATE conversations SET last_seq = last_seq + 1, last_message_at = clock_timestamp()
			WHERE id = $1 RETURNING last_seq, last_message_at)
		INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content, sent_at)
		SELECT gen_random_uuid(), $1, last_seq, $2, gen_random_uuid(), 'hello', last_message_at FROM next`, conversation, from)
}

func readAll(t testing.TB, pool *pgxpool.Pool, conversation *uuid.UUID, reader uuid.UUID) {
	t.Helper()
	testkit.Exec(t, pool, `UPDATE conversations SET
		a_read_seq = CASE user_a WHEN $2 THEN last_seq ELSE a_read_seq END, a_delivered_seq = CASE user_a WHEN $2 THEN last_seq ELSE a_delivered_seq END,
		b_read_seq = CASE user_b WHEN $2 THEN last_seq ELSE b_read_seq END, b_delivered_seq = CASE user_b WHEN $2 THEN last_seq ELSE b_delivered_seq END
		WHERE id = $1`, conversation, reader)
}

func TestMatches_SortsUnreadFirst(t *testing.T) {
	t.Parallel()
	pool, s, _ := setup(t)
	ann := member(t, pool, "Ann")
	others, ids := []uuid.UUID{}, []uuid.UUID{}
	conversations := []*uuid.UUID{}
	for range 6 {
		other := member(t, pool, "Other")
		match := pair(t, s, ann, other)
		others, ids, conversations = append(others, other), append(ids, *match.MatchID), append(conversations, match.ConversationID)
	}
	insertMessage(t, pool, conversations[0], others[0])
	insertMessage(t, pool, conversations[0], others[0])
	insertMessage(t, pool, conversations[3], others[3]) // the newest unread
	insertMessage(t, pool, conversations[5], others[5]) // read
	readAll(t, pool, conversations[5], ann)
	insertMessage(t, pool, conversations[4], ann) // the member's own message is not unread
	want := []uuid.UUID{ids[3], ids[0], ids[5], ids[4], ids[2], ids[1]}

	for _, size := range []int{1, 2, 4, 50} {
		var got []uuid.UUID
		unread := map[uuid.UUID]int{}
		for cursor := ""; ; {
			page, next, err := s.Matches(t.Context(), actor(ann), matching.ByUnread, cursor, size)
			require.NoError(t, err)
			for _, m := range page {
				got = append(got, m.ID)
				unread[m.ID] = m.Unread
				assert.Equal(t, slices.Contains([]uuid.UUID{ids[0], ids[3], ids[4], ids[5]}, m.ID), m.LastMessageAt != nil)
			}
			if cursor = next; next == "" {
				break
			}
		}
		assert.Equal(t, want, got, "page of %d", size)
		assert.Equal(t, map[uuid.UUID]int{ids[0]: 2, ids[1]: 0, ids[2]: 0, ids[3]: 1, ids[4]: 0, ids[5]: 0}, unread)
	}
	_, next, err := s.Matches(t.Context(), actor(ann), matching.ByNewest, "", 1)
	require.NoError(t, err)
	_, _, err = s.Matches(t.Context(), actor(ann), matching.ByUnread, next, 1)
	testkit.RequireKind(t, err, fault.Invalid, "a cursor of the other order")

	counts, err := s.Counts(t.Context(), actor(ann))
	require.NoError(t, err)
	assert.Equal(t, matching.MatchCounts{Matches: 6, NewMatches: 6, Conversations: 4, Unread: 2}, counts)
	require.NoError(t, s.MarkSeen(t.Context(), actor(ann), ids[1]))
	require.NoError(t, s.Unmatch(t.Context(), actor(ann), ids[0]))
	testkit.Exec(t, pool, `UPDATE users SET profile_status = 'suspended' WHERE id = $1`, others[3])
	counts, err = s.Counts(t.Context(), actor(ann))
	require.NoError(t, err)
	assert.Equal(t, matching.MatchCounts{Matches: 4, NewMatches: 3, Conversations: 2}, counts)
}

func TestUnmatch_EndsMatchAndConversation(t *testing.T) {
	t.Parallel()
	pool, s, events := setup(t)
	ann, bob, cid := member(t, pool, "Ann"), member(t, pool, "Bob"), member(t, pool, "Cid")
	match := pair(t, s, ann, bob)
	insertMessage(t, pool, match.ConversationID, bob)
	matches := func(id uuid.UUID) int {
		list, _, err := s.Matches(t.Context(), actor(id), matching.ByNewest, "", 50)
		require.NoError(t, err)
		return len(list)
	}
	for _, id := range []uuid.UUID{*match.MatchID, uuid.New()} {
		err := s.Unmatch(t.Context(), actor(cid), id)
		testkit.RequireKind(t, err, fault.NotFound)
	}
	assert.Equal(t, 1, matches(ann))

	before := testkit.Count(t, pool, `SELECT count(*) FROM conversations WHERE changed_xid < pg_current_xact_id()`)
	require.Equal(t, 1, before)
	require.NoError(t, s.Unmatch(t.Context(), actor(bob), *match.MatchID))
	require.NoError(t, s.Unmatch(t.Context(), actor(bob), *match.MatchID), "a repeated call succeeds")
	require.NoError(t, s.Unmatch(t.Context(), actor(ann), *match.MatchID), "a call by the other member succeeds")
	assert.Zero(t, matches(ann)+matches(bob))
	assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM matches WHERE unmatched_by = $1 AND unmatched_at IS NOT NULL`, bob))
	assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM conversations WHERE closed_at IS NOT NULL`))
	assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM messages`), "messages are not deleted")
	for receiver, other := range map[uuid.UUID]uuid.UUID{ann: bob, bob: ann} {
		frames := events.Published(receiver, "unmatched")
		require.Len(t, frames, 2, "a repeated call of the same member publishes the end again")
		requireSameFrames(t, frames)
		assert.Equal(t, map[string]any{"type": "unmatched", "matchId": match.MatchID.String(),
			"conversationId": match.ConversationID.String(), "userId": other.String()}, frames[0])
	}
	_, err := s.Like(t.Context(), actor(ann), matching.LikeInput{To: bob, Kind: matching.Like})
	testkit.RequireKind(t, err, fault.NotFound, "an ended match does not reopen")
	err = s.MarkSeen(t.Context(), actor(ann), *match.MatchID)
	testkit.RequireKind(t, err, fault.NotFound)
}
