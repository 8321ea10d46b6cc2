package community_test

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/community"
	"heartward/api/platform/mail"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// mailed runs the jobs that mail decisions, and returns the mails to a member.
func (w *env) mailed(member uuid.UUID) []mail.Stored {
	w.Helper()
	folder, err := mail.NewFolder(w.TempDir())
	require.NoError(w, err)
	for _, raw := range testkit.SelectAll[string](w, w.Pool, `SELECT args::text FROM river_job WHERE kind = 'community_decision' ORDER BY id`) {
		var args community.DecisionMailArgs
		require.NoError(w, json.Unmarshal([]byte(raw), &args))
		require.NoError(w, community.SendDecision(w.Context(), w.Pool, folder, args))
	}
	mails, err := folder.List(member.String()+"@example.test", 10)
	require.NoError(w, err)
	return mails
}

func TestDecidePosts_MailsTheReason(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.join("Ann"), w.join("Ben")
	id := w.write(ann, "The bench").ID
	require.True(t, w.decide("reject", id, 1).Stored)
	mails := w.mailed(ann)
	require.Len(t, mails, 1)
	require.Equal(t, "About your story", mails[0].Subject)
	require.Contains(t, mails[0].Text, "Hi Ann,")
	require.Contains(t, mails[0].Text, `"The bench"`)
	require.Contains(t, mails[0].Text, "A reason")

	require.True(t, w.decide("approve", id, 1).Stored)
	mails = w.mailed(ann)
	require.Len(t, mails, 1, "the decision before does not count any more")
	require.Equal(t, "Your story is on the board", mails[0].Subject)
	require.NotContains(t, mails[0].Text, "A reason")
	_, err := w.Edit(t.Context(), web.Actor{ID: ann}, id, draft("The other bench"))
	require.NoError(t, err)
	require.Empty(t, w.mailed(ann), "changed since")
	require.Empty(t, w.mailed(ben))
}

// The author is notified of each decision, even if it is the same as that on an earlier version.
func TestDecidePosts_TellsEachDecision(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.join("Ann")
	id := w.write(ann, "The bench").ID
	for _, action := range []string{"approve", "reject", "approve"} {
		require.True(t, w.decide(action, id, 1).Stored)
	}
	require.Equal(t, []string{"published", "published", "rejected"}, w.news(ann))
}
