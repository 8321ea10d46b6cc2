package moderation_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
	"heartward/api/platform/mail"
)

// mailbox records mails, and returns an error when failing is set.
type mailbox struct {
	mails   []mail.Message
	failing bool
}

func (l *mailbox) Send(_ context.Context, m mail.Message) error {
	l.mails = append(l.mails, m)
	if l.failing {
		return errors.New("connection lost")
	}
	return nil
}

// A retry after an error sends an identical mail. Each decision has its own
// Message-ID.
func TestSendWarning_RetrySendsTheSameMail(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.Member("Ann Moss")
	box := &mailbox{failing: true}
	args := moderation.WarnArgs{MemberID: ann.ID, DecisionID: uuid.Must(uuid.NewV7())}
	require.Error(t, moderation.SendWarning(t.Context(), w.Pool, box, args), "the error makes the job run again")
	box.failing = false
	require.NoError(t, moderation.SendWarning(t.Context(), w.Pool, box, args))
	require.Equal(t, box.mails[0], box.mails[1])
	require.Equal(t, "warning-"+args.DecisionID.String(), box.mails[0].ID)
	require.Contains(t, box.mails[0].Text, "Hi Ann,")
	args.DecisionID = uuid.Must(uuid.NewV7())
	require.NoError(t, moderation.SendWarning(t.Context(), w.Pool, box, args))
	require.NotEqual(t, box.mails[0].ID, box.mails[2].ID)
	w.Exec(`DELETE FROM users WHERE id = $1`, ann.ID)
	require.NoError(t, moderation.SendWarning(t.Context(), w.Pool, box, args))
	require.Len(t, box.mails, 3, "no mail to a deleted member")
}

// A flag that is reopened and decided again enqueues another warning.
func TestDecideFlag_EachWarningIsAJob(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, ann, ben := w.Admin("Admin Moss"), w.Member("Ann Moss"), w.Member("Ben Moss")
	w.match(ann, ben)
	flag := w.sendFlagged(ann, ben, "words", "harassment")
	for range 2 {
		w.Exec(`UPDATE message_flags SET decision = NULL, reviewed_at = NULL, reviewed_by = NULL`)
		require.NoError(t, w.s.DecideFlag(t.Context(), admin.ID, flag, moderation.Warn, "Seen"))
	}
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'warn' AND args->>'memberId' = $1`, ann.ID.String()))
}
