package members_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/members"
	"heartward/api/platform/mail"
)

// remindedOf runs the job of the reminder of a member, and returns its mails.
func (w *env) remindedOf(member uuid.UUID) []mail.Stored {
	w.Helper()
	folder, err := mail.NewFolder(w.TempDir())
	require.NoError(w, err)
	require.NoError(w, members.SendStartReminder(w.Context(), w.Pool, folder, "https://heartward.test", members.StartReminderArgs{MemberID: member}))
	mails, err := folder.List("", 10)
	require.NoError(w, err)
	return mails
}

func TestSendStartReminder_OnlyToWhoStoppedHalfWay(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		change string
		mailed bool
	}{
		"stopped at the first question":   {`UPDATE users SET start_step = 'gender' WHERE id = $1`, true},
		"stopped at the photo":            {`UPDATE users SET start_step = 'photo' WHERE id = $1`, true},
		"signed up without the first run": {`UPDATE users SET start_step = NULL WHERE id = $1`, false},
		"finished":                        {`UPDATE users SET start_step = NULL, welcomed_at = now() WHERE id = $1`, false},
		"finished, with an older step":    {`UPDATE users SET welcomed_at = now() WHERE id = $1`, false},
		"suspended":                       {`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, false},
		"leaving":                         {`UPDATE users SET profile_status = 'leaving', deletion_due_at = now() + interval '14 days' WHERE id = $1`, false},
		"deleted":                         {`DELETE FROM users WHERE id = $1`, false},
		"has turned it off":               {`INSERT INTO notification_settings (user_id, preferences) VALUES ($1, '{"startReminder": false}')`, false},
		"has turned another mail off":     {`INSERT INTO notification_settings (user_id, preferences) VALUES ($1, '{"digest": false}')`, true},
		"has answered elsewhere": {`WITH answered AS (
				INSERT INTO member_prompts (user_id, position, question, answer) VALUES ($1, 1, 'Ask me about', 'Bees')
			), stored AS (
				INSERT INTO files (id, owner_id, content_type, bytes) VALUES ($1, $1, 'image/webp', 1)
			)
			INSERT INTO member_media (file_id, user_id, slot, position) VALUES ($1, $1, 'photo', 1)`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t)
			ada := w.join("Ada")
			w.Exec(`UPDATE users SET start_step = 'prompt' WHERE id = $1`, ada)
			require.Len(t, w.remindedOf(ada), 1)
			w.Exec(row.change, ada)
			require.Len(t, w.remindedOf(ada), map[bool]int{true: 1}[row.mailed])
		})
	}
}

func TestSendStartReminder_LeadsBackAndCanBeTurnedOff(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.join("Ada")
	w.Exec(`UPDATE users SET start_step = 'seek' WHERE id = $1`, ada)
	mails := w.remindedOf(ada)
	require.Len(t, mails, 1)
	require.Equal(t, "Your profile is waiting for you", mails[0].Subject)
	require.Contains(t, mails[0].Text, "https://heartward.test/start")
	require.Contains(t, mails[0].Text, "https://heartward.test"+mail.UnsubscribePath)
	require.True(t, mail.Reminders.IsOptional(), "an address that takes no mail gets none")
}
