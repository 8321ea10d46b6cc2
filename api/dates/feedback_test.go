package dates_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"heartward/api/dates"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

func TestGiveFeedback_IsPrivate(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, ben, date := w.accepted()
	unsafe := false
	answer := dates.Feedback{Met: dates.MetYes, FeltSafe: &unsafe, Note: " Too many questions. "}
	for _, ago := range []time.Duration{-time.Hour, 2 * time.Hour} {
		w.moveToPast(date.ID, ago)
		before, err := w.s.Get(t.Context(), ada, date.ID)
		require.NoError(t, err)
		require.False(t, before.FeedbackDue)
		_, err = w.s.GiveFeedback(t.Context(), ada, date.ID, answer)
		testkit.RequireKind(t, err, fault.Conflict)
	}
	w.moveToPast(date.ID, 3*time.Hour)
	due, err := w.s.Get(t.Context(), ada, date.ID)
	require.NoError(t, err)
	require.True(t, due.FeedbackDue)
	w.events.Take()
	answered, err := w.s.GiveFeedback(t.Context(), ada, date.ID, answer)
	require.NoError(t, err)
	require.False(t, answered.FeedbackDue)
	require.Equal(t, []any{dates.MetYes, false, "Too many questions."},
		[]any{answered.Feedback.Met, *answered.Feedback.FeltSafe, answered.Feedback.Note})

	bensView, err := w.s.Get(t.Context(), ben, date.ID)
	require.NoError(t, err)
	text, err := json.Marshal(bensView)
	require.NoError(t, err)
	require.Nil(t, bensView.Feedback)
	require.True(t, bensView.FeedbackDue)
	require.NotContains(t, string(text), "questions")
	require.Equal(t, answered.Revision, bensView.Revision, "feedback does not change the date")
	require.Equal(t, date.UpdatedAt, bensView.UpdatedAt)
	require.Empty(t, w.events.Take())
}

func TestGiveFeedback_IsDueAgainAfterNotYet(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, _, date := w.accepted()
	w.moveToPast(date.ID, 5*time.Hour)
	answered, err := w.s.GiveFeedback(t.Context(), ada, date.ID, dates.Feedback{Met: dates.MetNotYet})
	require.NoError(t, err)
	require.False(t, answered.FeedbackDue)
	w.Exec(`UPDATE date_feedback SET answered_at = now() - interval '4 days'`)
	later, err := w.s.Get(t.Context(), ada, date.ID)
	require.NoError(t, err)
	require.True(t, later.FeedbackDue)
	_, err = w.s.GiveFeedback(t.Context(), ada, date.ID, dates.Feedback{Met: "maybe"})
	testkit.RequireKind(t, err, fault.Invalid)
	changed, err := w.s.GiveFeedback(t.Context(), ada, date.ID, dates.Feedback{Met: dates.MetNo})
	require.NoError(t, err)
	require.Equal(t, dates.MetNo, changed.Feedback.Met)
	w.moveToPast(date.ID, 40*24*time.Hour)
	w.Exec(`DELETE FROM date_feedback`)
	old, err := w.s.Get(t.Context(), ada, date.ID)
	require.NoError(t, err)
	require.False(t, old.FeedbackDue, "feedback is no longer due after 30 days")
}

func TestGiveFeedback_RefusedUnlessAccepted(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, _, conversation := w.Pair()
	date := w.propose(ada, conversation)
	w.moveToPast(date.ID, 5*time.Hour)
	got, err := w.s.Get(t.Context(), ada, date.ID)
	require.NoError(t, err)
	require.False(t, got.FeedbackDue)
	_, err = w.s.GiveFeedback(t.Context(), ada, date.ID, dates.Feedback{Met: dates.MetYes})
	testkit.RequireKind(t, err, fault.Conflict)
}
