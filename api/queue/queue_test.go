package queue_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/testkit"
	"heartward/api/queue"
)

// A step of urgency counts as three days of waiting: the urgent are first, and nothing waits for ever.
func TestList_OrdersByUrgencyAndAge(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.Member("Ann").ID, w.Member("Ben").ID
	fresh := w.report(w.Member("Eve").ID, ben, 0, 0)
	today := w.report(w.Member("Eve").ID, ben, 1, 5)
	slow := w.report(w.Member("Eve").ID, ben, 2, 6)
	forgotten := w.report(w.Member("Eve").ID, ben, 2, 24*7)
	many := w.reportOverLimit(w.Member("Eve").ID, ben, 24)
	ancient := w.reportOverLimit(w.Member("Eve").ID, ben, 24*40)
	post := uuid.New()
	w.Exec(`INSERT INTO community_posts (id, author_id, client_id, title, excerpt, content, category, tags, submitted_at)
		VALUES ($1, $2, $1, 'Hers', 'Her summary', 'Her story', 'advice', '{advice}', now() - interval '30 hours')`, post, ann)

	require.Equal(t, []uuid.UUID{ancient, forgotten, fresh, today, post, slow, many}, w.ids(w.moderator))
	entries := w.list(w.moderator, queue.Post)
	require.Len(t, entries, 1)
	require.Equal(t, "Ann", entries[0].Member.FirstName)
	require.Equal(t, []string{"approve", "reject"}, entries[0].Actions)
	require.Equal(t, entries[0].WaitsSince.Add(72*time.Hour), entries[0].DueAt)

	counts, err := w.Counts(t.Context(), w.moderator)
	require.NoError(t, err)
	require.Contains(t, counts, queue.KindCount{Kind: queue.Report, Waiting: 6, Overdue: 3})
	require.Contains(t, counts, queue.KindCount{Kind: queue.Post, Waiting: 1})
}

func TestList_OmitsWhatTheCallerMayNotDecide(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.Member("Ann").ID, w.Member("Ben").ID
	w.report(w.moderator.ID, ben, 1, 1)
	w.report(ann, w.moderator.ID, 1, 1)
	require.Empty(t, w.ids(w.moderator), "by and about the moderator")
	require.Len(t, w.ids(w.admin), 2)

	sanction := uuid.New()
	w.Exec(`INSERT INTO sanctions (id, user_id, kind, explanation, decided_by) VALUES ($1, $2, 'ban', 'Spam', $3)`, sanction, ben, w.admin.ID)
	w.Exec(`INSERT INTO appeals (sanction_id, user_id, content) VALUES ($1, $2, 'Why?')`, sanction, ben)
	require.Empty(t, w.list(w.moderator, queue.Appeal), "appeals are for admins")
	require.Len(t, w.list(w.admin, queue.Appeal), 1, "the only admin decides again")
	other := w.Admin("Otto")
	other.Admin, other.Moderator = true, true
	require.Empty(t, w.list(w.admin, queue.Appeal), "another admin decides")
	require.Len(t, w.list(other, queue.Appeal), 1)

	w.Exec(`INSERT INTO community_posts (author_id, client_id, title, excerpt, content, category, tags) VALUES ($1, $1, 'News', 'S', 'C', 'blog', '{blog}')`, other.ID)
	require.Empty(t, w.list(w.moderator, queue.Post), "official posts are for admins")
	require.Len(t, w.list(w.admin, queue.Post), 1)
	require.Empty(t, w.list(other, queue.Post), "the author")

	actions := w.list(w.admin, queue.Report)[0].Actions
	require.Contains(t, actions, "ban")
	w.report(ann, ben, 1, 1)
	require.NotContains(t, w.list(w.moderator, queue.Report)[0].Actions, "ban")
}

func TestClaim_IsForOneModeratorUntilItIsReleasedOrExpires(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	id := w.report(w.Member("Ann").ID, w.Member("Ben").ID, 1, 1)
	require.NoError(t, w.open(w.moderator.ID, queue.Report, id))
	require.NoError(t, w.open(w.moderator.ID, queue.Report, id), "the same moderator opens it again")
	err := w.open(w.admin.ID, queue.Report, id)
	testkit.RequireKind(t, err, fault.Conflict)
	require.Equal(t, "claimed", fault.From(err).Code)
	require.Contains(t, err.Error(), "Mo has this open")
	require.Contains(t, err.Error(), "10 minutes")
	claim := w.list(w.admin, "")[0].Claim
	require.Equal(t, "Mo", claim.Name)
	require.False(t, claim.IsOwn)
	require.True(t, w.list(w.moderator, "")[0].Claim.IsOwn)

	require.NoError(t, w.Release(t.Context(), w.admin.ID, queue.Report, id), "it is not theirs")
	require.Error(t, w.open(w.admin.ID, queue.Report, id))
	require.NoError(t, w.Release(t.Context(), w.moderator.ID, queue.Report, id))
	require.Nil(t, w.list(w.admin, "")[0].Claim)
	require.NoError(t, w.open(w.admin.ID, queue.Report, id))

	w.Exec(`UPDATE queue_claims SET expires_at = now() - interval '1 second'`)
	require.Nil(t, w.list(w.moderator, "")[0].Claim)
	require.NoError(t, w.open(w.moderator.ID, queue.Report, id), "it has expired")
	require.NoError(t, pg.TxDo(t.Context(), w.Pool, func(tx pgx.Tx) error { return queue.Close(t.Context(), tx, queue.Report, id) }))
	require.Zero(t, w.Count(`SELECT count(*) FROM queue_claims`))
}

// If several moderators open an entry at once, exactly one succeeds.
func TestClaim_IsAtomic(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	id := w.report(w.Member("Ann").ID, w.Member("Ben").ID, 1, 1)
	var moderators []uuid.UUID
	for _, name := range []string{"One", "Two", "Three", "Four", "Five", "Six"} {
		moderators = append(moderators, w.Member(name).ID)
	}
	var opened atomic.Int32
	var running sync.WaitGroup
	for _, moderator := range moderators {
		running.Go(func() {
			switch err := w.open(moderator, queue.Report, id); {
			case err == nil:
				opened.Add(1)
			case !fault.Is(err, fault.Conflict):
				t.Errorf("%v", err)
			}
		})
	}
	running.Wait()
	require.EqualValues(t, 1, opened.Load())
}
