package messages_test

import (
	"context"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/messages"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// upload returns a file of the owner that can be sent.
func (w *env) upload(owner web.Actor, mime string) uuid.UUID {
	w.Helper()
	id := uuid.Must(uuid.NewV7())
	w.Exec(`INSERT INTO files (id, owner_id, content_type, bytes) VALUES ($1, $2, $3, 10)`, id, owner.ID, mime)
	w.Exec(`INSERT INTO uploads (id, owner_id, length, received, expires_at) VALUES ($1, $2, 10, 10, now() + interval '1 day')`, id, owner.ID)
	return id
}

// Retries of a message with files, or of a reply, return the first result. A different
// message with the same client id is refused.
func TestSend_StoresFilesAndRepliesOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	a, b, _ := w.Pair()
	w.Send(b, a, "look who is here")
	one, two, three := w.upload(a, "image/webp"), w.upload(a, "image/webp"), w.upload(a, "image/webp")
	seq := int64(1)
	in := messages.Outgoing{RecipientID: b.ID, MessageType: "image", ClientID: uuid.Must(uuid.NewV7()), FileIDs: []uuid.UUID{two, one}, ReplyTo: &seq}
	var all sync.WaitGroup
	results := make([]messages.Sent, 20)
	for i := range results {
		all.Go(func() {
			var err error
			results[i], err = w.S.Messages.Send(ctx, a, in)
			require.NoError(t, err)
		})
	}
	all.Wait()
	for _, r := range results {
		require.Equal(t, results[0].Message, r.Message)
	}
	m := results[0].Message
	require.EqualValues(t, 2, m.Seq)
	require.EqualValues(t, 1, *m.ReplyTo)
	require.Empty(t, m.Content)
	require.Equal(t, []uuid.UUID{two, one}, []uuid.UUID{m.Attachments[0].ID, m.Attachments[1].ID})
	for name, change := range map[string]func(*messages.Outgoing){
		"other files":     func(in *messages.Outgoing) { in.FileIDs = []uuid.UUID{two, three} },
		"another order":   func(in *messages.Outgoing) { in.FileIDs = []uuid.UUID{one, two} },
		"fewer files":     func(in *messages.Outgoing) { in.FileIDs = []uuid.UUID{two} },
		"no reply":        func(in *messages.Outgoing) { in.ReplyTo = nil },
		"another caption": func(in *messages.Outgoing) { in.Content = "me" },
	} {
		other := in
		change(&other)
		_, err := w.S.Messages.Send(ctx, a, other)
		testkit.RequireKind(t, err, fault.Conflict, name)
	}
	// Invalid files and files of others are refused in the same way.
	for name, files := range map[string][]uuid.UUID{
		"sent": {one}, "another's": {w.upload(b, "image/webp")}, "a voice": {w.upload(a, "audio/webm")}, "none": {uuid.New()}, "twice": {three, three},
	} {
		_, err := w.S.Messages.Send(ctx, a, messages.Outgoing{RecipientID: b.ID, MessageType: "image", ClientID: uuid.Must(uuid.NewV7()), FileIDs: files})
		testkit.RequireKind(t, err, fault.Invalid)
		require.Equal(t, "fileIds", fault.From(err).Field, name)
	}
	require.Equal(t, 2, w.Count(`SELECT last_seq FROM conversations`))
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM message_files`))
	require.EqualValues(t, 3, w.Send(b, a, "nice").Seq)
}
