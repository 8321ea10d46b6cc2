package moderation_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/messaging/flags"
	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/pgtest"
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
	_, err := w.chat.Flags.Answer(context.Background(), actor, conversation, seq, answer)
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
	w.answerFlag(ben, bothers, flags.Bothers)
	w.answerFlag(ben, fine, flags.Fine)
	w.answerFlag(ben, scam, flags.Fine)
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

// decideFlag decides on a flag, with an explanation and an end if the decision needs them. Calls with the same action decide
// the same.
func (w *env) decideFlag(admin web.Actor, id uuid.UUID, action string) error {
	in := moderation.Decision{Action: action, Reason: "Seen"}
	if action != moderation.Dismiss {
		in.Explanation = "You insulted someone."
	}
	if action == moderation.Suspend {
		in.SuspendedUntil = new(time.Now().Truncate(24 * time.Hour).Add(48 * time.Hour))
	}
	return w.s.DecideFlag(context.Background(), admin.ID, id, in)
}

// Each decision takes effect, adds a row to the audit log, and sends the same mail and notification as a decision on a
// report. A repetition changes nothing.
func TestDecideFlag_AppliesEachDecision(t *testing.T) {
	t.Parallel()
	for action, want := range map[string]struct {
		status, kind, mail string
		until              bool
	}{
		moderation.Dismiss: {"active", "", "", false},
		moderation.Warn:    {"active", "warning", "This is a warning: You insulted someone.", false},
		moderation.Suspend: {"suspended", "suspension", "suspended until", true},
		moderation.Ban:     {"suspended", "ban", "suspended for good: You insulted someone.", false},
	} {
		w := newEnv(t)
		admin, ann, ben := w.Admin("Admin Moss"), w.Member("Ann Moss"), w.Member("Ben Moss")
		w.match(ann, ben)
		session := w.session(ann)
		var told, changed []uuid.UUID
		w.s.WatchDecisions(func(ids ...uuid.UUID) { told = append(told, ids...) })
		w.s.WatchStatus(func(_ context.Context, id uuid.UUID) { changed = append(changed, id) })
		id := w.sendFlagged(ann, ben, "a rude text", "harassment")
		for range 2 {
			require.NoError(t, w.decideFlag(admin, id, action), action)
		}
		require.Equal(t, want.status, w.status(ann), action)
		require.Equal(t, want.until, w.Count(`SELECT count(*) FROM users WHERE id = $1 AND suspended_until > now()`, ann.ID) == 1, action)
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM message_flags WHERE message_id = $1 AND reviewed_by = $2 AND decision = $3 AND NOT open AND score IS NOT NULL`, id, admin.ID, action))
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = $1 AND subject_id = $2 AND admin_id = $3`, "flag."+action, ann.ID, admin.ID))
		if action == moderation.Dismiss {
			require.Empty(t, append(told, changed...))
			require.Zero(t, w.Count(`SELECT count(*) FROM sanctions`)+w.Count(`SELECT count(*) FROM river_job WHERE kind = 'sanction'`))
		} else {
			require.Equal(t, []uuid.UUID{ann.ID}, told, action)
			sanction := testkit.Select[uuid.UUID](t, w.Pool, `SELECT id FROM sanctions WHERE user_id = $1 AND kind = $2 AND message_id = $3 AND explanation = 'You insulted someone.'`, ann.ID, want.kind, id)
			require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'sanction' AND args->>'sanctionId' = $1`, sanction.String()))
			box := &mailbox{}
			require.NoError(t, moderation.SendSanction(t.Context(), w.Pool, box, office, moderation.SanctionArgs{SanctionID: sanction}))
			require.Contains(t, oneLine(box.mails[0].Text), want.mail)
			require.Contains(t, box.mails[0].Text, "https://heartward.test/decisions", "how to appeal")
			require.NoError(t, w.s.Appeal(t.Context(), ann, sanction, "It was a joke."), "%s: can be appealed", action)
		}
		if want.status == "suspended" {
			require.Equal(t, []uuid.UUID{ann.ID}, changed, action)
			require.Contains(t, w.events.Subjects(), auth.SessionSubject(session), action)
			require.Equal(t, 1, w.endJobs(session), action)
		}
		testkit.RequireKind(t, w.decideFlag(admin, id, map[bool]string{true: moderation.Ban, false: moderation.Warn}[action == moderation.Warn]), fault.Conflict)
		require.Empty(t, w.queue(50))
	}
}

func TestDecideFlag_RefusesInvalidDecisions(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, ann, ben := w.Admin("Admin Moss"), w.Member("Ann Moss"), w.Member("Ben Moss")
	w.match(ann, ben)
	id := w.sendFlagged(ann, ben, "a rude text", "harassment")
	day, year := time.Now().AddDate(0, 0, 1), time.Now().AddDate(2, 0, 0)
	for _, c := range []struct {
		field string
		in    moderation.Decision
	}{
		{"reason", moderation.Decision{Action: moderation.Warn, Explanation: "x", Reason: " "}},
		{"explanation", moderation.Decision{Action: moderation.Warn, Reason: "x"}},
		{"suspendedUntil", moderation.Decision{Action: moderation.Suspend, Explanation: "x", Reason: "x"}},
		{"suspendedUntil", moderation.Decision{Action: moderation.Suspend, Explanation: "x", Reason: "x", SuspendedUntil: &year}},
		{"suspendedUntil", moderation.Decision{Action: moderation.Ban, Explanation: "x", Reason: "x", SuspendedUntil: &day}},
	} {
		testkit.RequireInvalid(t, w.s.DecideFlag(t.Context(), admin.ID, id, c.in), c.field)
	}
	byModerator := moderation.Decision{Action: moderation.Ban, Explanation: "x", Reason: "x", ByModerator: true}
	testkit.RequireKind(t, w.s.DecideFlag(t.Context(), admin.ID, id, byModerator), fault.Forbidden)
	testkit.RequireKind(t, w.decideFlag(admin, uuid.New(), moderation.Dismiss), fault.NotFound)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM message_flags WHERE open`))
	byModerator.Action, byModerator.SuspendedUntil = moderation.Suspend, &day
	require.NoError(t, w.s.DecideFlag(t.Context(), admin.ID, id, byModerator), "a moderator suspends until a time")
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
		testkit.RequireKind(t, w.decideFlag(admin, id, moderation.Dismiss), fault.Forbidden)
	}
	testkit.RequireKind(t, w.decideFlag(admin, otherFlag, moderation.Suspend), fault.Forbidden)
	require.Zero(t, w.Count(`SELECT count(*) FROM audit_log`))
	w.Exec(`DELETE FROM users WHERE id = $1`, other.ID)
	testkit.RequireKind(t, w.decideFlag(admin, otherFlag, moderation.Warn), fault.Conflict)
	require.NoError(t, w.decideFlag(admin, otherFlag, moderation.Dismiss))
}

func TestFlags_RecipientReopensFlag(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, ann, ben := w.Admin("Admin Moss"), w.Member("Ann Moss"), w.Member("Ben Moss")
	w.match(ann, ben)
	id := w.sendFlagged(ann, ben, "hm", "harassment")
	require.NoError(t, w.decideFlag(admin, id, moderation.Dismiss))
	require.Empty(t, w.queue(50))
	w.answerFlag(ben, id, flags.Bothers)
	require.Len(t, w.queue(50), 1)
	opened, err := w.s.OpenFlag(context.Background(), admin.ID, id, "Again")
	require.NoError(t, err)
	require.Len(t, opened.Context, 1)
}

// A dismissal of a flag that was opened again is repeated without a conflict, although the sanction of the first decision stays.
func TestDecideFlag_RepeatsDismissalAfterWarning(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, ann, ben := w.Admin("Admin Moss"), w.Member("Ann Moss"), w.Member("Ben Moss")
	w.match(ann, ben)
	id := w.sendFlagged(ann, ben, "hm", "harassment")
	require.NoError(t, w.decideFlag(admin, id, moderation.Warn))
	w.answerFlag(ben, id, flags.Bothers)
	for range 2 {
		require.NoError(t, w.decideFlag(admin, id, moderation.Dismiss))
	}
	require.Equal(t, "decided", fault.From(w.decideFlag(admin, id, moderation.Warn)).Code)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'flag.dismiss'`))
}

// A flag may be decided, and opened again by the recipient's answer, while another moderator decides on it.
func TestDecideFlag_ReopenedMeanwhileIsConflict(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, ann, ben := w.Admin("Admin Moss"), w.Member("Ann Moss"), w.Member("Ben Moss")
	w.match(ann, ben)
	id := w.sendFlagged(ann, ben, "hm", "harassment")
	// The recipient's answer takes effect between the two statements of the second decision: a trigger for each statement runs also
	// if the statement changes no row. It spares the first decision.
	w.Exec(`CREATE FUNCTION reopen() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN
			UPDATE message_flags SET reviewed_at = NULL, decision = NULL WHERE decision IS NOT NULL;
			RETURN NULL;
		END $$`)
	w.Exec(`CREATE TRIGGER reopen AFTER UPDATE ON message_flags FOR EACH STATEMENT
		WHEN (pg_trigger_depth() = 0 AND coalesce(current_setting('test.is_first', true), '') = '') EXECUTE FUNCTION reopen()`)
	first, err := w.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = first.Rollback(context.Background()) }()
	_, err = first.Exec(t.Context(), `SET LOCAL test.is_first = 'yes'`)
	require.NoError(t, err)
	_, err = first.Exec(t.Context(), `UPDATE message_flags SET reviewed_at = now(), decision = 'dismiss', reviewed_by = $2 WHERE message_id = $1`, id, admin.ID)
	require.NoError(t, err)
	second := make(chan error, 1)
	go func() { second <- w.decideFlag(admin, id, moderation.Dismiss) }()
	require.Eventually(t, func() bool {
		return w.Count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 1
	}, testkit.Timeout, time.Millisecond)
	require.NoError(t, first.Commit(t.Context()))
	require.Equal(t, "open_first", fault.From(testkit.Receive(t, second, "the second decision")).Code)
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
	s := moderation.New(pgtest.Traced(t, w.Pool, &counter), w.events, w.matching, w.blobs, w.jobs, addressSecret)
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

// A decision with another end or explanation than the stored one is no repetition.
func TestDecideFlag_OtherConsequenceIsConflict(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, other, ann, ben := w.Admin("Admin Moss"), w.Admin("Ada Moss"), w.Member("Ann Moss"), w.Member("Ben Moss")
	w.match(ann, ben)
	id := w.sendFlagged(ann, ben, "a rude text", "harassment")
	in := moderation.Decision{Action: moderation.Suspend, Explanation: "You insulted someone.", SuspendedUntil: new(time.Now().Add(24 * time.Hour)), Reason: "Seen"}
	require.NoError(t, w.s.DecideFlag(t.Context(), admin.ID, id, in))
	require.NoError(t, w.s.DecideFlag(t.Context(), admin.ID, id, in))
	longer, otherWords := in, in
	longer.SuspendedUntil, otherWords.Explanation = new(in.SuspendedUntil.Add(time.Hour)), "You threatened someone."
	for _, different := range []moderation.Decision{longer, otherWords} {
		require.Equal(t, "decided", fault.From(w.s.DecideFlag(t.Context(), other.ID, id, different)).Code)
	}
}
