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
	"heartward/api/messaging/flags"
	"heartward/api/messaging/messages"
	"heartward/api/moderation"
	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// sendPicture sends a picture and returns its file and message.
func (w *env) sendPicture(from, to web.Actor, caption string) (file uuid.UUID, message messages.Message) {
	w.Helper()
	ctx := context.Background()
	file = uuid.Must(uuid.NewV7())
	w.Exec(`INSERT INTO files (id, owner_id, content_type, bytes, width, height) VALUES ($1, $2, 'image/webp', 7, 2, 2)`, file, from.ID)
	w.Exec(`INSERT INTO uploads (id, owner_id, length, received, expires_at) VALUES ($1, $2, 7, 7, now() + interval '1 day')`, file, from.ID)
	require.NoError(w, w.files.Put(ctx, blobs.Key(file, "full.webp"), "image/webp", bytes.NewReader([]byte("picture"))))
	sent, err := w.chat.Messages.Send(ctx, from, messages.Outgoing{
		RecipientID: to.ID, MessageType: "image", Content: caption, ClientID: uuid.Must(uuid.NewV7()), FileIDs: []uuid.UUID{file},
	})
	require.NoError(w, err)
	return file, sent.Message
}

// runCleanup runs the periodic deletions of evidence and blobs.
func (w *env) runCleanup() {
	w.Helper()
	_, err := moderation.DeleteOldEvidence(context.Background(), w.Pool, 100)
	require.NoError(w, err)
	_, err = moderation.DeleteOldEvidenceFiles(context.Background(), w.Pool, 100)
	require.NoError(w, err)
	_, err = moderation.DeleteOldFlaggedContent(context.Background(), w.Pool, 100)
	require.NoError(w, err)
	_, err = w.blobs.RemoveDue(context.Background())
	require.NoError(w, err)
}

func (w *env) stored(file uuid.UUID) bool {
	w.Helper()
	_, err := w.files.Size(context.Background(), blobs.Key(file, "full.webp"))
	if err != nil {
		testkit.RequireKind(w, err, fault.NotFound)
	}
	return err == nil
}

func (w *env) readable(by web.Actor, file uuid.UUID) bool {
	w.Helper()
	_, err := w.members.OpenFile(context.Background(), by, file, "full.webp", blobs.Conditions{})
	if err != nil {
		testkit.RequireKind(w, err, fault.NotFound)
	}
	return err == nil
}

// makeEvidence makes bob's message evidence in one of three ways.
func (w *env) makeEvidence(reason string, ann, bob web.Actor, message messages.Message) {
	w.Helper()
	switch reason {
	case "reported":
		w.report(ann, report(bob))
		w.Exec(`UPDATE conversations SET closed_at = NULL`) // as after a new match
	case "flagged":
		w.Exec(`UPDATE messages SET flag = 'harassment' WHERE id = $1`, message.ID)
	case "bothers":
		w.answerFlag(ann, message.ID, flags.Bothers)
	}
}

// After the deletion of a message, the files in its evidence exist as long as the
// evidence, for moderators only.
func TestEvidenceFiles_ExistAsLongAsEvidence(t *testing.T) {
	t.Parallel()
	for _, reason := range []string{"reported", "flagged", "bothers"} {
		for _, deletion := range []string{"message deleted", "account deleted", "unmatched"} {
			name := reason + ", " + deletion
			w := newEnv(t)
			admin, ann, bob := w.Admin("Admin Moss"), w.Member("Ann Moss"), w.Member("Bob Moss")
			match := w.match(ann, bob)
			file, message := w.sendPicture(bob, ann, "")
			w.makeEvidence(reason, ann, bob, message)
			require.True(t, w.readable(ann, file), name)
			switch deletion {
			case "message deleted":
				_, err := w.chat.Messages.Delete(context.Background(), bob, message.ConversationID, message.Seq)
				require.NoError(t, err)
			case "account deleted":
				w.Exec(`DELETE FROM users WHERE id = $1`, bob.ID)
			case "unmatched":
				w.Exec(`UPDATE matches SET unmatched_at = NULL, unmatched_by = NULL`)
				require.NoError(t, w.matching.Unmatch(context.Background(), bob, *match.MatchID))
			}
			w.runCleanup()
			require.True(t, w.stored(file), name)
			for role, actor := range map[string]web.Actor{"sender": bob, "receiver": ann, "admin": {ID: admin.ID, Admin: true}} {
				require.False(t, w.readable(actor, file), "%s: %s", name, role)
			}
			// Evidence is deleted 90 days after the decision.
			for _, days := range []int{89, 91} {
				w.Exec(`UPDATE reports SET status = 'resolved', reviewed_at = now() - make_interval(days => $1)`, days)
				w.Exec(`UPDATE message_flags SET decision = 'dismiss', reviewed_at = now() - make_interval(days => $1)`, days)
				w.runCleanup()
				require.Equal(t, days == 89 || deletion == "unmatched", w.stored(file), "%s, %d days: the file exists only if the message does", name, days)
			}
			require.Zero(t, w.Count(`SELECT count(*) FROM evidence_files`), name)
		}
	}
}

// The evidence of a report has at most 20 files, the newest of the reported member.
func TestReport_StoresNewest20Files(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
	w.match(ann, bob)
	var files []uuid.UUID
	for range 21 {
		file, _ := w.sendPicture(bob, ann, "")
		files = append(files, file)
	}
	own, _ := w.sendPicture(ann, bob, "")
	w.report(ann, report(bob))
	require.Equal(t, 20, w.Count(`SELECT count(*) FROM evidence_files`))
	require.Zero(t, w.Count(`SELECT count(*) FROM evidence_files WHERE file_id = ANY ($1)`, []uuid.UUID{files[0], own}))
}

// The files of a report that is never reviewed are deleted after half a year; its texts
// are not.
func TestDeleteOldEvidenceFiles_DeletesFilesOfPendingReport(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
	w.match(ann, bob)
	file, message := w.sendPicture(bob, ann, "")
	flagged, second := w.sendPicture(bob, ann, "")
	w.makeEvidence("bothers", ann, bob, second)
	w.report(ann, report(bob))
	for _, seq := range []int64{message.Seq, second.Seq} {
		w.Exec(`DELETE FROM message_files WHERE seq = $1`, seq)
	}
	w.Exec(`DELETE FROM files WHERE id = ANY ($1)`, []uuid.UUID{file, flagged})
	for _, days := range []int{179, 181} {
		w.Exec(`UPDATE reports SET created_at = now() - make_interval(days => $1)`, days)
		w.runCleanup()
		require.Equal(t, days == 179, w.stored(file), days)
		require.True(t, w.stored(flagged), "the file of an open flag is not deleted")
	}
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM reports WHERE evidence <> '{}'`))
}

// The message and its flag are inserted before its files.
func TestEvidenceFiles_IncludeFilesOfMessageFlaggedByFilter(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
	w.match(ann, bob)
	w.chat = messaging.New(w.Pool, w.events, w.matching, w.jobs, func(string) string { return "harassment" }).Unlimited()
	w.chat.Start()
	file, message := w.sendPicture(bob, ann, "look at this")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM evidence_files WHERE subject_id = $1 AND file_id = $2`, message.ID, file))
	_, err := w.chat.Messages.Delete(context.Background(), bob, message.ConversationID, message.Seq)
	require.NoError(t, err)
	w.runCleanup()
	require.True(t, w.stored(file))
}

// A flag that is reopened after its evidence was deleted gets new evidence if the message
// exists.
func TestEvidenceFiles_AreStoredAgainForReopenedFlag(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
	w.match(ann, bob)
	file, message := w.sendPicture(bob, ann, "")
	w.makeEvidence("flagged", ann, bob, message)
	w.answerFlag(ann, message.ID, flags.Fine)
	w.Exec(`UPDATE message_flags SET answered_at = now() - interval '91 days'`)
	w.runCleanup()
	require.Zero(t, w.Count(`SELECT count(*) FROM evidence_files`))
	require.True(t, w.stored(file), "the file of an existing message is not deleted")
	w.answerFlag(ann, message.ID, flags.Bothers)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM evidence_files`))
}

// Admins open files of open flags with a reason, which is recorded.
func TestOpenFlaggedFile_RecordsEachAccess(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	admin, ann, bob := w.Admin("Admin Moss"), w.Member("Ann Moss"), w.Member("Bob Moss")
	w.match(ann, bob)
	file, message := w.sendPicture(bob, ann, "")
	unflagged, _ := w.sendPicture(bob, ann, "")
	w.makeEvidence("bothers", ann, bob, message)
	_, err := w.chat.Messages.Delete(ctx, bob, message.ConversationID, message.Seq)
	require.NoError(t, err)
	w.runCleanup()

	open := func(by, flag, file uuid.UUID, variant string) error {
		found, err := w.s.OpenFlaggedFile(ctx, by, flag, file, variant)
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
	require.Equal(t, "open_first", fault.From(open(admin.ID, message.ID, file, "full.webp")).Code)
	_, err = w.s.OpenFlag(ctx, admin.ID, message.ID, " ")
	require.Equal(t, "reason", fault.From(err).Field)
	_, err = w.s.OpenFlag(ctx, ann.ID, message.ID, "My own")
	testkit.RequireKind(t, err, fault.NotFound)
	_, err = w.s.OpenFlag(ctx, admin.ID, uuid.New(), "Unknown")
	testkit.RequireKind(t, err, fault.NotFound)
	require.Zero(t, w.Count(`SELECT count(*) FROM audit_log`))
	flag, err := w.s.OpenFlag(ctx, admin.ID, message.ID, "To see what bothers Ann")
	require.NoError(t, err)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'flag.open' AND admin_id = $1 AND subject_id = $2 AND reason = 'To see what bothers Ann'
		AND detail = jsonb_build_object('message', $3::text)`, admin.ID, bob.ID, message.ID.String()))
	require.Equal(t, []moderation.FlaggedFile{{
		ID: file, MimeType: "image/webp", URL: "/api/admin/flags/" + message.ID.String() + "/files/" + file.String() + "/full.webp",
	}}, flag.Files)
	require.Equal(t, "open_first", fault.From(open(w.Admin("Admin Moss").ID, message.ID, file, "full.webp")).Code, "only the other admin has opened it")
	for name, err := range map[string]error{
		"a file of an unflagged message":         open(admin.ID, message.ID, unflagged, "full.webp"),
		"an unknown flag":                        open(admin.ID, uuid.New(), file, "full.webp"),
		"a variant that the file lacks":          open(admin.ID, message.ID, file, "media.mp4"),
		"an unknown variant":                     open(admin.ID, message.ID, file, "../x"),
		"a flag in the admin's own conversation": open(ann.ID, message.ID, file, "full.webp"),
	} {
		testkit.RequireKind(t, err, fault.NotFound)
		require.Zero(t, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'flag.file'`), name)
	}
	require.NoError(t, open(admin.ID, message.ID, file, "full.webp"))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'flag.file' AND admin_id = $1 AND subject_id = $2 AND reason = 'To see what bothers Ann'
		AND detail = jsonb_build_object('message', $3::text, 'file', $4::text, 'variant', 'full.webp')`, admin.ID, bob.ID, message.ID.String(), file.String()))
	require.NoError(t, w.decideFlag(admin, message.ID, moderation.Dismiss))
	testkit.RequireKind(t, open(admin.ID, message.ID, file, "full.webp"), fault.NotFound)
}

// A reported member deletes a recorded answer; the recording stays with the report.
func TestReport_StoresRecordedAnswers(t *testing.T) {
	t.Parallel()
	w, ctx := newEnv(t), context.Background()
	ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
	voice := uuid.Must(uuid.NewV7())
	w.Exec(`INSERT INTO files (id, owner_id, content_type, bytes, duration_ms) VALUES ($1, $2, 'audio/webm', 7, 900)`, voice, bob.ID)
	w.Exec(`INSERT INTO member_prompts (user_id, position, question, answer, voice_id) VALUES ($1, 1, 'Ask me about', '', $2)`, bob.ID, voice)
	require.NoError(t, w.files.Put(ctx, blobs.Key(voice, blobs.Original), "audio/webm", bytes.NewReader([]byte("threats"))))
	receipt := w.report(ann, report(bob))
	require.Equal(t, voice, w.evidence(receipt.ID).Profile.Prompts[0].Voice.ID)
	_, err := w.members.Change(ctx, bob.ID, members.Changes{
		Prompts: members.Field[[]members.PromptChange]{Sent: true}, RemovedVoiceIDs: members.Field[[]uuid.UUID]{Sent: true, Value: &[]uuid.UUID{voice}},
	})
	require.NoError(t, err)
	w.runCleanup()
	_, err = w.members.OpenFile(ctx, bob, voice, blobs.Original, blobs.Conditions{})
	testkit.RequireKind(t, err, fault.NotFound)
	_, err = w.files.Size(ctx, blobs.Key(voice, blobs.Original))
	require.NoError(t, err, "the recording is evidence")

	w.Exec(`UPDATE reports SET status = 'resolved', reviewed_at = now() - interval '91 days'`)
	w.runCleanup()
	_, err = w.files.Size(ctx, blobs.Key(voice, blobs.Original))
	testkit.RequireKind(t, err, fault.NotFound)
}
