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

// letterbox takes mails, and loses its answer when told so.
type letterbox struct {
	mails []mail.Message
	lost  bool
}

func (l *letterbox) Send(_ context.Context, m mail.Message) error {
	l.mails = append(l.mails, m)
	if l.lost {
		return errors.New("the line is cut")
	}
	return nil
}

// A warning may go twice when the answer to the first is lost; then it is the
// same mail. Another warning is another.
func TestAWarningIsOneMail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ann := w.member("Ann")
	box := &letterbox{lost: true}
	args := moderation.WarnArgs{MemberID: ann.ID, DecisionID: uuid.Must(uuid.NewV7())}
	require.Error(t, moderation.SendWarning(t.Context(), w.pool, box, args), "so that the job runs again")
	box.lost = false
	require.NoError(t, moderation.SendWarning(t.Context(), w.pool, box, args))
	require.Equal(t, box.mails[0], box.mails[1])
	require.Equal(t, "warning-"+args.DecisionID.String(), box.mails[0].ID)
	require.Contains(t, box.mails[0].Text, "Hello Ann,")
	args.DecisionID = uuid.Must(uuid.NewV7())
	require.NoError(t, moderation.SendWarning(t.Context(), w.pool, box, args))
	require.NotEqual(t, box.mails[0].ID, box.mails[2].ID)
	w.exec(`DELETE FROM users WHERE id = $1`, ann.ID)
	require.NoError(t, moderation.SendWarning(t.Context(), w.pool, box, args))
	require.Len(t, box.mails, 3, "whoever is gone gets none")
}

// A flag that was opened again and decided on again is another warning.
func TestWarnedAgainIsAnotherMail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	admin, ann, ben := w.admin(), w.member("Ann"), w.member("Ben")
	w.match(ann, ben)
	flag := w.flag(ann, ben, "words", "harassment")
	for range 2 {
		w.exec(`UPDATE message_flags SET decision = NULL, reviewed_at = NULL, reviewed_by = NULL`)
		require.NoError(t, w.s.DecideFlag(t.Context(), admin.ID, flag, moderation.Warn, "Seen"))
	}
	require.Equal(t, 2, w.count(`river_job WHERE kind = 'warn' AND args->>'memberId' = $1`, ann.ID.String()))
}
