package moderation_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging"
	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// sendFlagged sends a message that the filter flags, and returns its id.
func (w *env) sendFlagged(from, to web.Actor, content, category string) uuid.UUID {
	w.Helper()
	require.NoError(w, w.send(from, to, content))
	return testkit.Select[uuid.UUID](w, w.Pool, `UPDATE messages SET flag = $1 WHERE content = $2 RETURNING id`, category, content)
}

func (w *env) answerFlag(actor web.Actor, id uuid.UUID, answer string) {
	w.Helper()
	var conversation uuid.UUID
	var seq int64
	require.NoError(w, w.Pool.QueryRow(context.Background(), `SELECT conversation_id, seq FROM messages WHERE id = $1`, id).Scan(&conversation, &seq))
	_, err := w.chat.AnswerFlag(context.Background(), actor, conversation, seq, answer)
	require.NoError(w, err)
}

// queue returns the flags for an admin without conversations.
func (w *env) queue(size int) []moderation.QueuedFlag {
	w.Helper()
	return w.queueFor(web.Actor{ID: uuid.New()}, size)
}

func (w *env) queueFor(admin web.Actor, size int) (list []moderation.QueuedFlag) {
	w.Helper()
	for cursor := ""; ; {
		page, next, err := w.s.Flags(context.Background(), admin.ID, cursor, size)
		require.NoError(w, err)
		require.LessOrEqual(w, len(page), size)
		list = append(list, page...)
		if cursor = next; next == "" {
			return list
		}
	}
}

func TestFlags_SortsAndPages(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.Member("Ann Moss"), w.Member("Ben Moss")
	w.match(ann, ben)
	require.NoError(t, w.send(ben, ann, "before"))
	want := []uuid.UUID{}
	spam := w.sendFlagged(ann, ben, "a flag of spam", "spam")
	money := w.sendFlagged(ann, ben, "a flag of money", "money")
	insult := w.sendFlagged(ben, ann, "an insult", "harassment")
	later := w.sendFlagged(ben, ann, "another insult", "harassment")
	bothers := w.sendFlagged(ann, ben, "reported by the recipient", "off_platform")
	fine := w.sendFlagged(ann, ben, "accepted by the recipient", "sexual_pressure")
	scam := w.sendFlagged(ann, ben, "accepted by the recipient, about money", "money")
	w.answerFlag(ben, bothers, messaging.Bothers)
	w.answerFlag(ben, fine, messaging.Fine)
	w.answerFlag(ben, scam, messaging.Fine)
	want = append(want, bothers, money, scam, insult, later, spam)
	for _, size := range []int{1, 4, 50} {
		var got []uuid.UUID
		for _, f := range w.queue(size) {
			got = append(got, f.ID)
		}
		require.Equal(t, want, got, "pages of %d", size)
	}
	first := w.queue(50)[0]
	require.Equal(t, "Ann", first.Sender.FirstName)
	require.Equal(t, "Ben", first.Receiver.FirstName)
	require.Equal(t, "bothers", *first.Answer)
	require.Equal(t, 4, first.OtherFlags)
	require.NotNil(t, first.Score)
	opened, err := w.s.OpenFlag(context.Background(), w.Admin("Admin Moss").ID, first.ID, "To see")
	require.NoError(t, err)
	require.Equal(t, first, opened.QueuedFlag)
	require.Equal(t, "reported by the recipient", opened.Content)
	require.Len(t, opened.Context, 6, "three messages before, the flagged one and two after")
	_, _, err = w.s.Flags(context.Background(), uuid.New(), "nonsense", 5)
	testkit.RequireKind(t, err, fault.Invalid)
}

func TestDecideFlag_AppliesEachDecision(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, ann, ben := w.Admin("Admin Moss"), w.Member("Ann Moss"), w.Member("Ben Moss")
	w.match(ann, ben)
	decide := func(id uuid.UUID, decision, reason string) error {
		return w.s.DecideFlag(context.Background(), admin.ID, id, decision, reason)
	}
	var told []uuid.UUID
	w.s.WatchDecisions(func(ids ...uuid.UUID) { told = append(told, ids...) })
	ids := map[string]uuid.UUID{}
	for _, decision := range []string{moderation.Dismiss, moderation.Warn, moderation.Suspend} {
		ids[decision] = w.sendFlagged(ann, ben, "text for "+decision, "harassment")
	}
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM users WHERE id = $1 AND profile_status = 'active'`, ann.ID), "the sender is active before the decision")
	require.Equal(t, "reason", fault.From(decide(ids[moderation.Warn], moderation.Warn, " ")).Field)
	testkit.RequireKind(t, decide(uuid.New(), moderation.Dismiss, "x"), fault.NotFound)
	require.Equal(t, 3, w.Count(`SELECT count(*) FROM message_flags WHERE open`))

	for _, decision := range []string{moderation.Dismiss, moderation.Warn, moderation.Suspend} {
		require.NoError(t, decide(ids[decision], decision, "Seen"))
		require.NoError(t, decide(ids[decision], decision, "Seen"), "a repeated decision changes nothing")
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM message_flags WHERE message_id = $1 AND reviewed_by = $2 AND decision = $3 AND NOT open AND score IS NOT NULL`,
			ids[decision], admin.ID, decision))
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = $1 AND subject_id = $2 AND admin_id = $3`, "flag."+decision, ann.ID, admin.ID))
	}
	testkit.RequireKind(t, decide(ids[moderation.Warn], moderation.Suspend, "Changed my mind"), fault.Conflict)
	require.Empty(t, w.queue(50))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'warn' AND args->>'memberId' = $1`, ann.ID.String()))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM users WHERE id = $1 AND profile_status = 'suspended'`, ann.ID))
	require.Equal(t, []uuid.UUID{ann.ID, ann.ID}, told, "who has a notification of it")
}

func TestDecideFlag_RefusesOwnConversationsAndAdmins(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, other, ben := w.Admin("Admin Moss"), w.Admin("Admin Moss"), w.Member("Ben Moss")
	w.match(admin, ben)
	w.match(other, ben)
	fromAdmin := w.sendFlagged(admin, ben, "mine", "spam")
	toAdmin := w.sendFlagged(ben, admin, "to me", "spam")
	otherFlag := w.sendFlagged(other, ben, "an admin's", "spam")
	for _, size := range []int{1, 50} {
		queue := w.queueFor(admin, size)
		require.Len(t, queue, 1, "the admin's own conversations are omitted")
		require.Equal(t, otherFlag, queue[0].ID)
	}
	require.Empty(t, w.queueFor(ben, 50))
	require.Len(t, w.queue(50), 3)
	for _, id := range []uuid.UUID{fromAdmin, toAdmin} {
		testkit.RequireKind(t, w.s.DecideFlag(context.Background(), admin.ID, id, moderation.Dismiss, "x"), fault.Forbidden)
	}
	testkit.RequireKind(t, w.s.DecideFlag(context.Background(), admin.ID, otherFlag, moderation.Suspend, "x"), fault.Forbidden)
	require.Zero(t, w.Count(`SELECT count(*) FROM audit_log`))
	w.Exec(`DELETE FROM users WHERE id = $1`, other.ID)
	testkit.RequireKind(t, w.s.DecideFlag(context.Background(), admin.ID, otherFlag, moderation.Warn, "x"), fault.Conflict)
	require.NoError(t, w.s.DecideFlag(context.Background(), admin.ID, otherFlag, moderation.Dismiss, "x"))
}

func TestFlags_RecipientReopensFlag(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, ann, ben := w.Admin("Admin Moss"), w.Member("Ann Moss"), w.Member("Ben Moss")
	w.match(ann, ben)
	id := w.sendFlagged(ann, ben, "hm", "harassment")
	require.NoError(t, w.s.DecideFlag(context.Background(), admin.ID, id, moderation.Dismiss, "Harmless"))
	require.Empty(t, w.queue(50))
	w.answerFlag(ben, id, messaging.Bothers)
	require.Len(t, w.queue(50), 1)
	opened, err := w.s.OpenFlag(context.Background(), admin.ID, id, "Again")
	require.NoError(t, err)
	require.Len(t, opened.Context, 1)
}

func TestDeleteOldFlaggedContent_DeletesAfter90Days(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.Member("Ann Moss"), w.Member("Ben Moss")
	w.match(ann, ben)
	ids := map[string]uuid.UUID{}
	for name, change := range map[string]string{
		"open":               "created_at = now() - interval '1 year'",
		"recent":             "decision = 'dismiss', reviewed_at = now() - interval '89 days'",
		"old":                "decision = 'dismiss', reviewed_at = now() - interval '91 days'",
		"fine":               "answer = 'fine', answered_at = now() - interval '91 days'",
		"accepted yesterday": "answer = 'fine', answered_at = now() - interval '1 day'",
	} {
		ids[name] = w.sendFlagged(ann, ben, "flag "+name, "harassment")
		w.Exec(`UPDATE message_flags SET `+change+` WHERE message_id = $1`, ids[name])
	}
	for _, want := range []int{1, 1, 0} {
		deleted, err := moderation.DeleteOldFlaggedContent(context.Background(), w.Pool, 1)
		require.NoError(t, err)
		require.Equal(t, want, deleted)
	}
	for name, id := range ids {
		require.Equal(t, name == "old" || name == "fine", w.Count(`SELECT count(*) FROM message_flags WHERE message_id = $1 AND content = ''`, id) == 1, name)
	}
}

// queryCounter counts the statements of a pool.
type queryCounter struct{ n atomic.Int64 }

func (c *queryCounter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.n.Add(1)
	return ctx
}

func (*queryCounter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func TestFlags_QueryCountDoesNotDependOnPageSize(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.Member("Ann Moss"), w.Member("Ben Moss")
	w.match(ann, ben)
	for i := range 12 {
		w.sendFlagged(ann, ben, fmt.Sprintf("flag %d", i), "spam")
	}
	var counter queryCounter
	config := w.Pool.Config()
	config.ConnConfig.Tracer = &counter
	traced, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(traced.Close)
	s := moderation.New(traced, w.events, w.matching, w.blobs, w.jobs, addressSecret)
	queries := func(limit int) int64 {
		before := counter.n.Load()
		page, _, err := s.Flags(t.Context(), uuid.New(), "", limit)
		require.NoError(t, err)
		require.Len(t, page, limit)
		require.NotNil(t, page[limit-1].Sender)
		return counter.n.Load() - before
	}
	require.Equal(t, queries(1), queries(12))
}
