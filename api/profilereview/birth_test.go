package profilereview_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/mail"
	"heartward/api/platform/testkit"
	"heartward/api/profilereview"
)

func (w *env) askForBirthDate(member uuid.UUID, date string) uuid.UUID {
	w.Helper()
	status, err := w.AskForBirthDate(w.Context(), member, date, "I mistyped it.")
	require.NoError(w, err)
	require.Equal(w, "pending", status.Status)
	return testkit.Select[uuid.UUID](w, w.Pool, `SELECT id FROM birth_date_requests WHERE user_id = $1`, member)
}

func (w *env) birthDateOf(member uuid.UUID) string {
	w.Helper()
	return testkit.Select[time.Time](w, w.Pool, `SELECT birth_date FROM users WHERE id = $1`, member).Format(time.DateOnly)
}

type outbox []mail.Message

func (o *outbox) Send(_ context.Context, m mail.Message) error {
	*o = append(*o, m)
	return nil
}

func (w *env) birthDateMail(id uuid.UUID) mail.Message {
	w.Helper()
	var sent outbox
	require.NoError(w, profilereview.SendBirthDate(w.Context(), w.Pool, &sent, profilereview.BirthDateArgs{RequestID: id}))
	require.Len(w, sent, 1)
	return sent[0]
}

func TestBirthDate_ApprovedIsSet(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, other := w.accepted("Ada"), w.accepted("Other")
	w.Exec(`UPDATE users SET birth_date = '1980-02-03', birth_date_exact = true, birth_date_changed_at = now(), verified_at = now() WHERE id = $1`, ada)
	id := w.askForBirthDate(ada, "1985-02-03")
	require.Equal(t, "1980-02-03", w.birthDateOf(ada), "before the decision")
	require.ErrorContains(t, w.DecideBirthDate(t.Context(), w.moderator, id, true, "Fine"), "open it first")

	opened, err := w.OpenBirthDate(t.Context(), w.moderator, id, "To decide")
	require.NoError(t, err)
	require.Equal(t, []any{ada, "1980-02-03", true, "1985-02-03", 5, "I mistyped it."},
		[]any{opened.User.ID, opened.Current, opened.IsExact, opened.Requested, opened.CurrentAge - opened.NewAge, opened.Explanation})
	require.WithinDuration(t, time.Now(), opened.JoinedAt, time.Hour)
	_, err = w.OpenBirthDate(t.Context(), other, id, "Too")
	testkit.RequireKind(t, err, fault.Conflict)
	for range 2 {
		require.NoError(t, w.DecideBirthDate(t.Context(), w.moderator, id, true, "The passport says so."))
	}
	require.Equal(t, "1985-02-03", w.birthDateOf(ada))
	require.False(t, testkit.Select[bool](t, w.Pool, `SELECT verified_at IS NOT NULL FROM users WHERE id = $1`, ada), "the verification confirmed the earlier date")
	require.Equal(t, "Your birthday is corrected", w.birthDateMail(id).Subject)
	testkit.RequireKind(t, w.DecideBirthDate(t.Context(), w.moderator, id, false, "No"), fault.Conflict)
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM audit_log WHERE subject_id = $1 AND action IN ('birth_date.open', 'birth_date.approved')`, ada))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'birth_date'`))
	require.Zero(t, w.Count(`SELECT count(*) FROM queue_claims`))
}

func TestBirthDate_RefusedTellsTheReason(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.accepted("Ada")
	before := w.birthDateOf(ada)
	id := w.askForBirthDate(ada, "1960-01-01")
	_, err := w.OpenBirthDate(t.Context(), w.moderator, id, "To decide")
	require.NoError(t, err)
	require.NoError(t, w.DecideBirthDate(t.Context(), w.moderator, id, false, "Please verify first."))
	require.Equal(t, before, w.birthDateOf(ada))
	status, err := w.BirthDate(t.Context(), ada)
	require.NoError(t, err)
	require.Equal(t, []string{"refused", "Please verify first."}, []string{status.Status, status.Answer})
	require.Contains(t, w.birthDateMail(id).Text, "Please verify first.")
}

// Nobody becomes younger than 18, whoever decides. A request is refused when it is made, opened or decided.
func TestBirthDate_RefusesMinorsRepetitionsAndOwnRequests(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.accepted("Ada")
	w.Exec(`UPDATE users SET birth_date = '1980-02-03', birth_date_exact = true WHERE id = $1`, ada)
	minor := time.Now().AddDate(-17, 0, 0).Format(time.DateOnly)
	for _, date := range []string{minor, "1850-01-01", "nonsense", "1980-02-03"} {
		_, err := w.AskForBirthDate(t.Context(), ada, date, "Why")
		testkit.RequireKind(t, err, fault.Invalid)
	}
	_, err := w.AskForBirthDate(t.Context(), ada, "1981-02-03", "  ")
	testkit.RequireKind(t, err, fault.Invalid)

	first := w.askForBirthDate(ada, "1981-02-03")
	second := w.askForBirthDate(ada, "1982-02-03")
	_, err = w.OpenBirthDate(t.Context(), w.moderator, first, "To decide")
	testkit.RequireKind(t, err, fault.NotFound)
	_, err = w.OpenBirthDate(t.Context(), ada, second, "My own")
	testkit.RequireKind(t, err, fault.NotFound)
	w.askForBirthDate(ada, "1983-02-03")
	_, err = w.AskForBirthDate(t.Context(), ada, "1984-02-03", "Why")
	testkit.RequireKind(t, err, fault.RateLimited)

	id := testkit.Select[uuid.UUID](t, w.Pool, `UPDATE birth_date_requests SET birth_date = $1 RETURNING id`, minor)
	_, err = w.OpenBirthDate(t.Context(), w.moderator, id, "To decide")
	require.NoError(t, err)
	testkit.RequireKind(t, w.DecideBirthDate(t.Context(), w.moderator, id, true, "Fine"), fault.Invalid)
}
