package moderation_test

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/members"
	"heartward/api/messaging"
	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

// show has from send a picture to to, and answers with the file and the message.
func (w *world) show(from, to web.Actor, caption string) (file uuid.UUID, message messaging.Message) {
	w.t.Helper()
	ctx := context.Background()
	file = uuid.Must(uuid.NewV7())
	w.exec(`INSERT INTO files (id, owner_id, content_type, bytes, width, height) VALUES ($1, $2, 'image/webp', 7, 2, 2)`, file, from.ID)
	w.exec(`INSERT INTO uploads (id, owner_id, length, received, expires_at) VALUES ($1, $2, 7, 7, now() + interval '1 day')`, file, from.ID)
	require.NoError(w.t, w.files.Put(ctx, members.BlobKey(file, "full.webp"), "image/webp", bytes.NewReader([]byte("picture"))))
	sent, err := w.chat.Send(ctx, from, messaging.Outgoing{
		RecipientID: to.ID, MessageType: "image", Content: caption, ClientID: uuid.Must(uuid.NewV7()), FileIDs: []uuid.UUID{file},
	})
	require.NoError(w.t, err)
	return file, sent.Message
}

// sweep does what jobs do: it forgets and then removes blobs.
func (w *world) sweep() {
	w.t.Helper()
	_, err := moderation.ForgetEvidence(context.Background(), w.pool, 100)
	require.NoError(w.t, err)
	_, err = moderation.ForgetFiles(context.Background(), w.pool, 100)
	require.NoError(w.t, err)
	_, err = moderation.ForgetFlagged(context.Background(), w.pool, 100)
	require.NoError(w.t, err)
	_, err = w.members.RemoveBlobs(context.Background())
	require.NoError(w.t, err)
}

func (w *world) stored(file uuid.UUID) bool {
	w.t.Helper()
	_, err := w.files.Size(context.Background(), members.BlobKey(file, "full.webp"))
	if err != nil {
		requireKind(w.t, err, fault.NotFound)
	}
	return err == nil
}

func (w *world) readable(by web.Actor, file uuid.UUID) bool {
	w.t.Helper()
	_, err := w.members.OpenFile(context.Background(), by, file, "full.webp")
	if err != nil {
		requireKind(w.t, err, fault.NotFound)
	}
	return err == nil
}

// keep has ann keep what bob has sent as evidence, in one of three ways.
func (w *world) keep(how string, ann, bob web.Actor, message messaging.Message) {
	w.t.Helper()
	switch how {
	case "reported":
		w.report(ann, report(bob))
		w.exec(`UPDATE conversations SET closed_at = NULL`) // they have found each other again
	case "flagged":
		w.exec(`UPDATE messages SET flag = 'harassment' WHERE id = $1`, message.ID)
	case "bothers":
		w.answer(ann, message.ID, messaging.Bothers)
	}
}

// Whatever takes the message away, its files stay as long as its words do, for
// nobody but the moderators.
func TestFilesOfEvidenceStayAsLongAsItsWords(t *testing.T) {
	t.Parallel()
	for _, kept := range []string{"reported", "flagged", "bothers"} {
		for _, gone := range []string{"taken back", "account deleted", "thread left"} {
			name := kept + ", " + gone
			w := newWorld(t)
			admin, ann, bob := w.admin(), w.member("Ann"), w.member("Bob")
			match := w.match(ann, bob)
			file, message := w.show(bob, ann, "")
			w.keep(kept, ann, bob, message)
			require.True(t, w.readable(ann, file), name)
			switch gone {
			case "taken back":
				_, err := w.chat.Delete(context.Background(), bob, message.ConversationID, message.Seq)
				require.NoError(t, err)
			case "account deleted":
				w.exec(`DELETE FROM users WHERE id = $1`, bob.ID)
			case "thread left":
				w.exec(`UPDATE matches SET unmatched_at = NULL, unmatched_by = NULL`)
				require.NoError(t, w.matching.Unmatch(context.Background(), bob, *match.MatchID))
			}
			w.sweep()
			require.True(t, w.stored(file), name)
			for who, actor := range map[string]web.Actor{"sender": bob, "receiver": ann, "admin": {ID: admin.ID, Admin: true}} {
				require.False(t, w.readable(actor, file), "%s: %s", name, who)
			}
			// Closed lately: still there. Closed long ago: gone with the words.
			for _, days := range []int{89, 91} {
				w.exec(`UPDATE reports SET status = 'resolved', reviewed_at = now() - make_interval(days => $1)`, days)
				w.exec(`UPDATE message_flags SET decision = 'dismiss', reviewed_at = now() - make_interval(days => $1)`, days)
				w.sweep()
				require.Equal(t, days == 89 || gone == "thread left", w.stored(file), "%s, %d days: in the end only its message keeps it", name, days)
			}
			require.Zero(t, w.count(`evidence_files`), name)
		}
	}
}

// A report keeps the newest files of the one who is reported, and no more than
// there is room for.
func TestAReportKeepsSoManyFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ann, bob := w.member("Ann"), w.member("Bob")
	w.match(ann, bob)
	var files []uuid.UUID
	for range 21 {
		file, _ := w.show(bob, ann, "")
		files = append(files, file)
	}
	own, _ := w.show(ann, bob, "")
	w.report(ann, report(bob))
	require.Equal(t, 20, w.count(`evidence_files`))
	require.Zero(t, w.count(`evidence_files WHERE file_id = ANY ($1)`, []uuid.UUID{files[0], own}))
}

// A report that nobody looks at keeps its words, and its files half a year.
func TestFilesOfAReportThatNobodyLooksAt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ann, bob := w.member("Ann"), w.member("Bob")
	w.match(ann, bob)
	file, message := w.show(bob, ann, "")
	flagged, second := w.show(bob, ann, "")
	w.keep("bothers", ann, bob, second)
	w.report(ann, report(bob))
	for _, seq := range []int64{message.Seq, second.Seq} {
		w.exec(`DELETE FROM message_files WHERE seq = $1`, seq)
	}
	w.exec(`DELETE FROM files WHERE id = ANY ($1)`, []uuid.UUID{file, flagged})
	for _, days := range []int{179, 181} {
		w.exec(`UPDATE reports SET created_at = now() - make_interval(days => $1)`, days)
		w.sweep()
		require.Equal(t, days == 179, w.stored(file), days)
		require.True(t, w.stored(flagged), "the flag is open")
	}
	require.Equal(t, 1, w.count(`reports WHERE evidence <> '{}'`))
}

// A flag that comes with the message comes before its files.
func TestFilesOfAMessageThatTheFilterFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ann, bob := w.member("Ann"), w.member("Bob")
	w.match(ann, bob)
	w.chat = messaging.New(w.pool, w.events, w.matching, w.jobs, func(string) string { return "harassment" }).Unlimited()
	w.chat.Start()
	file, message := w.show(bob, ann, "look at this")
	require.Equal(t, 1, w.count(`evidence_files WHERE kept_for = $1 AND file_id = $2`, message.ID, file))
	_, err := w.chat.Delete(context.Background(), bob, message.ConversationID, message.Seq)
	require.NoError(t, err)
	w.sweep()
	require.True(t, w.stored(file))
}

// What was forgotten and begins to bother is kept again while it is there.
func TestFilesOfAFlagThatIsOpenedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ann, bob := w.member("Ann"), w.member("Bob")
	w.match(ann, bob)
	file, message := w.show(bob, ann, "")
	w.keep("flagged", ann, bob, message)
	w.answer(ann, message.ID, messaging.Fine)
	w.exec(`UPDATE message_flags SET answered_at = now() - interval '91 days'`)
	w.sweep()
	require.Zero(t, w.count(`evidence_files`))
	require.True(t, w.stored(file), "its message has it")
	w.answer(ann, message.ID, messaging.Bothers)
	require.Equal(t, 1, w.count(`evidence_files`))
}

// An admin sees the files of an open flag, for a reason, and every look is
// written down.
func TestAnAdminLooksAtFilesOfAFlag(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := context.Background()
	admin, ann, bob := w.admin(), w.member("Ann"), w.member("Bob")
	w.match(ann, bob)
	file, message := w.show(bob, ann, "")
	unflagged, _ := w.show(bob, ann, "")
	w.keep("bothers", ann, bob, message)
	_, err := w.chat.Delete(ctx, bob, message.ConversationID, message.Seq)
	require.NoError(t, err)
	w.sweep()

	flag := w.queueOf(admin, 50)[0]
	require.Equal(t, []moderation.KeptFile{{
		ID: file, MimeType: "image/webp", URL: "/api/admin/flags/" + message.ID.String() + "/files/" + file.String() + "/full.webp",
	}}, flag.Files)
	open := func(by, flag, file uuid.UUID, variant, reason string) error {
		found, err := w.s.OpenFlagged(ctx, by, flag, file, variant, reason)
		if err != nil {
			return err
		}
		content, err := found.Range(ctx, 0, -1)
		require.NoError(t, err)
		defer content.Close()
		raw, err := io.ReadAll(content)
		require.NoError(t, err)
		require.Equal(t, "picture", string(raw))
		return nil
	}
	require.Equal(t, "reason", fault.From(open(admin.ID, message.ID, file, "full.webp", " ")).Field)
	for name, err := range map[string]error{
		"a file of no flag":       open(admin.ID, message.ID, unflagged, "full.webp", "To see"),
		"no flag":                 open(admin.ID, uuid.New(), file, "full.webp", "To see"),
		"no such variant":         open(admin.ID, message.ID, file, "media.mp4", "To see"),
		"not a variant":           open(admin.ID, message.ID, file, "../x", "To see"),
		"an admin's own messages": open(ann.ID, message.ID, file, "full.webp", "To see"),
	} {
		requireKind(t, err, fault.NotFound)
		require.Zero(t, w.count(`audit_log`), name)
	}
	require.NoError(t, open(admin.ID, message.ID, file, "full.webp", "To see what bothers Ann"))
	require.Equal(t, 1, w.count(`audit_log WHERE action = 'flag.file' AND admin_id = $1 AND subject_id = $2 AND reason = 'To see what bothers Ann'
		AND detail = jsonb_build_object('message', $3::text, 'file', $4::text, 'variant', 'full.webp')`, admin.ID, bob.ID, message.ID.String(), file.String()))
	require.NoError(t, w.s.DecideFlag(ctx, admin.ID, message.ID, moderation.Dismiss, "Fine"))
	requireKind(t, open(admin.ID, message.ID, file, "full.webp", "Once more"), fault.NotFound)
}
