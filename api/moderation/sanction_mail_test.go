package moderation_test

import (
	"context"
	"errors"
	"strings"
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

// oneLine returns a text without line breaks.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// office is where the mails of tests say that members appeal and write to.
var office = moderation.Office{Site: "https://heartward.test", Contact: "care@heartward.test"}

// A retry after an error sends an identical mail. Each decision has its own
// Message-ID.
func TestSendSanction_RetrySendsTheSameMail(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, ann := w.Admin("Admin Moss"), w.Member("Ann Moss")
	warn := func() moderation.SanctionArgs {
		id := uuid.New()
		require.NoError(t, w.s.Warn(t.Context(), admin.ID, ann.ID, id, "Please be kind.", "", "Seen"))
		return moderation.SanctionArgs{SanctionID: id}
	}
	box := &mailbox{failing: true}
	args := warn()
	require.Error(t, moderation.SendSanction(t.Context(), w.Pool, box, office, args), "the error makes the job run again")
	box.failing = false
	require.NoError(t, moderation.SendSanction(t.Context(), w.Pool, box, office, args))
	require.Equal(t, box.mails[0], box.mails[1])
	require.Equal(t, "sanction-"+args.SanctionID.String(), box.mails[0].ID)
	for _, part := range []string{"Hi Ann,", "Please be kind.", "https://heartward.test/decisions", "write to care@heartward.test."} {
		require.Contains(t, box.mails[0].Text, part)
	}
	require.NoError(t, moderation.SendSanction(t.Context(), w.Pool, box, moderation.Office{Site: office.Site}, warn()))
	require.NotEqual(t, box.mails[0].ID, box.mails[2].ID)
	require.NotContains(t, box.mails[2].Text, "write to", "nobody reads an address")
	w.Exec(`DELETE FROM users WHERE id = $1`, ann.ID)
	require.NoError(t, moderation.SendSanction(t.Context(), w.Pool, box, office, args))
	require.Len(t, box.mails, 3, "no mail to a deleted member")
}
