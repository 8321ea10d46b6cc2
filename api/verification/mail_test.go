package verification_test

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/mail"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/api/verification"
)

// mailed runs the jobs that mail decisions, and returns the mails to a member.
func (w *env) mailed(to web.Actor) []mail.Stored {
	w.Helper()
	folder, err := mail.NewFolder(w.TempDir())
	require.NoError(w, err)
	for _, raw := range testkit.SelectAll[string](w, w.Pool, `SELECT args::text FROM river_job WHERE kind = 'verification_decision' ORDER BY id`) {
		var args verification.DecisionMailArgs
		require.NoError(w, json.Unmarshal([]byte(raw), &args))
		require.NoError(w, verification.SendDecision(w.Context(), w.Pool, folder, args))
	}
	mails, err := folder.List(to.ID.String()+"@example.test", 10)
	require.NoError(w, err)
	return mails
}

func TestDecide_MailsTheDecision(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	moderator := w.Member("Moderator")
	ann, annsID := w.submitted("Ann")
	ben, bensID := w.submitted("Ben")
	w.openAndRelease(moderator, annsID)
	w.openAndRelease(moderator, bensID)
	for range 2 {
		require.NoError(t, w.Decide(t.Context(), moderator.ID, annsID, true, "It is Ann"))
		require.NoError(t, w.Decide(t.Context(), moderator.ID, bensID, false, "The face is covered."))
	}
	require.Error(t, w.Decide(t.Context(), moderator.ID, bensID, true, "A decided one"))
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'verification_decision'`), "one mail for each decision")

	mails := w.mailed(ann)
	require.Len(t, mails, 1)
	require.Equal(t, "You are verified", mails[0].Subject)
	require.Contains(t, mails[0].Text, "Hi Ann,")
	require.NotContains(t, mails[0].Text, "It is Ann", "the reason of an approval is for the audit log")
	mails = w.mailed(ben)
	require.Len(t, mails, 1)
	require.Equal(t, "About your selfie", mails[0].Subject)
	require.Contains(t, mails[0].Text, "The face is covered.")

	w.Exec(`DELETE FROM users WHERE id = $1`, ben.ID)
	require.Empty(t, w.mailed(ben))
	require.NoError(t, verification.SendDecision(t.Context(), w.Pool, nil, verification.DecisionMailArgs{VerificationID: uuid.New()}))
}

// The job is enqueued in the transaction of the decision.
func TestDecide_EnqueuesNoMailWithoutADecision(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, id := w.submitted("Ann")
	require.Error(t, w.Decide(t.Context(), ann.ID, id, true, "My own"))
	require.Zero(t, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'verification_decision'`))
}
