package main

import (
	"bytes"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/dates"
	"heartward/api/deletion"
	"heartward/api/matching"
	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/messaging"
	"heartward/api/moderation"
	"heartward/api/notifications"
	"heartward/api/platform/blobs"
	"heartward/api/platform/pgtest"
	"heartward/jobs"
)

// jobCase is a job to enqueue, and a check of its effect.
type jobCase struct {
	args   river.JobArgs
	effect func() bool
}

// A worker process without a server on its data folder runs a job of each kind.
func TestWork_RunsEveryKindOfJob(t *testing.T) {
	t.Parallel()
	ffmpeg := fakeFFmpeg(t)
	i := newInstallation(t, "FFMPEG="+ffmpeg, startModeration(t))
	machine := i.machine()
	cases := i.jobCases(machine, ffmpeg)
	var kinds []string
	for _, c := range cases {
		kinds = append(kinds, c.args.Kind())
	}
	slices.Sort(kinds) // pushes have a case for each type of event
	require.ElementsMatch(t, jobs.Kinds(), slices.Compact(kinds), "there is a case for each kind of job")

	client := pgtest.Jobs(t, i.pool)
	for _, c := range cases {
		_, err := client.Insert(t.Context(), c.args, &river.InsertOpts{ScheduledAt: time.Now()})
		require.NoError(t, err)
	}
	worker := machine.start(working, "work")
	for _, c := range cases {
		require.Eventually(t, func() bool {
			return i.queryBool(`SELECT EXISTS (SELECT FROM river_job WHERE kind = $1 AND state = 'completed')`, c.args.Kind()) && c.effect()
		}, waitTimeout, 20*time.Millisecond, "%s: %s", c.args.Kind(), worker.log)
	}
	require.False(t, i.queryBool(`SELECT EXISTS (SELECT FROM river_job WHERE errors IS NOT NULL)`), "no job failed")
	worker.stop(syscall.SIGTERM)
	require.Zero(t, worker.cmd.ProcessState.ExitCode(), worker.log)
	require.NotContains(t, worker.log.String(), "ERROR")
}

// jobCases returns a case for each registered kind of job.
func (i *installation) jobCases(machine instance, ffmpeg string) []jobCase {
	i.t.Helper()
	sender := i.member("Ada")
	pushed := func(member uuid.UUID) func() bool { return func() bool { return i.pushedTo(member) } }

	notified, unread, matched, celebrated, liked, general := i.memberWithDevice("Bea"), i.memberWithDevice("Cleo"),
		i.memberWithDevice("Dora"), i.memberWithDevice("Elsa"), i.memberWithDevice("Fay"), i.memberWithDevice("Gwen")
	notifyConversation, unreadConversation := i.conversation(sender, notified), i.conversation(sender, unread)
	i.message(notifyConversation, sender)
	i.message(unreadConversation, sender)
	i.exec(`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type, created_at)
		VALUES (gen_random_uuid(), $1, $2, 'like', now() + interval '1 minute')`, sender, liked)

	resumed := i.memberWithDevice("Kim")
	i.message(i.conversation(sender, resumed), sender)
	i.exec(`INSERT INTO river_job (kind, args, state, max_attempts, scheduled_at, metadata, queue, priority)
		SELECT 'notify', jsonb_build_object('conversationId', id, 'receiverId', $1::uuid), 'scheduled', 5, now() + interval '8 hours', '{"snoozes": 1}', 'default', 1
		FROM conversations WHERE $1 IN (user_a, user_b)`, resumed)

	dateMember := i.memberWithDevice("Hope")
	date, dateConversation := uuid.Must(uuid.NewV7()), i.conversation(sender, dateMember)
	i.exec(`INSERT INTO dates (id, conversation_id, created_by, client_id, place, at, time_zone, status, revision, proposed_by, changed_by, accepted_at, message_seq)
		VALUES ($1, $2, $3, $1, 'Café Luna', now() + interval '3 hours', 'UTC', 'accepted', 2, $3, $4, now(), 2)`, date, dateConversation, sender, dateMember)

	warned, reader, noticed := i.member("Iva"), i.member("Jane"), i.member("Lea")
	notice := uuid.Must(uuid.NewV7())
	i.exec(`INSERT INTO security_notices (id, user_id, kind, session_id, user_agent, token_hash, created_at)
		VALUES ($1, $2, 'sign_in', $1, '', decode(repeat('02', 32), 'hex'), now())`, notice, noticed)
	decided, urgent, admin, reporter := uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7()), i.member("Nia"), i.member("Mia")
	i.exec(`UPDATE users SET is_admin = true WHERE id = $1`, admin)
	i.exec(`INSERT INTO reports (id, reporter_id, reason, place, priority, status, reviewed_at, action_taken)
		VALUES ($1, $2, 'threat', 'card', 0, 'reviewed', now(), 'no_action')`, decided, reporter)
	i.exec(`INSERT INTO reports (id, reason, place, priority) VALUES ($1, 'threat', 'card', 0)`, urgent)
	leaving, announced := i.member("Olga"), i.member("Pia")
	i.exec(`UPDATE users SET profile_status = 'leaving', deletion_due_at = now() - interval '1 minute' WHERE id = $1`, leaving)
	reviewed := i.message(i.conversation(sender, reader), sender)
	expired := uuid.Must(uuid.NewV7())
	i.exec(`INSERT INTO sessions (id, user_id, token_hash, expires_at) VALUES ($1, $2, decode(repeat('01', 32), 'hex'), now() - interval '1 s')`, expired, sender)
	recording := i.recording(ffmpeg, sender)

	return []jobCase{
		{messaging.NotifyArgs{ConversationID: notifyConversation, ReceiverID: notified}, pushed(notified)},
		{i.push(unread, notifications.UnreadMessages{ConversationID: unreadConversation, Seq: 1}), pushed(unread)},
		{matching.NotifyMatchArgs{MatchID: i.match(sender, matched), MemberID: matched}, pushed(matched)},
		{i.push(celebrated, notifications.NewMatch{MatchID: i.match(sender, celebrated)}), pushed(celebrated)},
		{matching.NotifyLikesArgs{MemberID: liked}, pushed(liked)},
		{i.push(general, notifications.Notification{
			Category: notifications.Messages, Title: "News", Body: "of today", Path: "/", Tag: "news", Expires: time.Now().Add(time.Hour),
		}), pushed(general)},
		{notifications.WakeArgs{MemberID: resumed}, pushed(resumed)},
		{dates.ReminderArgs{DateID: date, Revision: 2}, pushed(dateMember)},
		{moderation.WarnArgs{MemberID: warned, DecisionID: uuid.Must(uuid.NewV7())}, func() bool { return len(machine.mailsTo(emailOf(warned), "About a message")) == 1 }},
		{auth.NoticeArgs{NoticeID: notice}, func() bool { return len(machine.mailsTo(emailOf(noticed), "sign-in")) == 1 }},
		{moderation.OutcomeArgs{ReportID: decided, ToReporter: true}, func() bool { return len(machine.mailsTo(emailOf(reporter), "About your report")) == 1 }},
		{moderation.AlertArgs{ReportID: urgent, Minute: 30}, func() bool {
			return i.queryBool(`SELECT EXISTS (SELECT FROM river_job WHERE kind = 'report_alert_mail' AND args->>'minute' = '30')`)
		}},
		{moderation.AlertMailArgs{ReportID: urgent, Minute: 0, AdminID: admin}, func() bool { return len(machine.mailsTo(emailOf(admin), "urgent report")) == 2 }},
		{deletion.DeleteArgs{MemberID: leaving, DueAt: time.Now()}, func() bool { return i.queryBool(`SELECT NOT EXISTS (SELECT FROM users WHERE id = $1)`, leaving) }},
		{deletion.AnnounceArgs{MemberID: announced, DueAt: time.Now()}, func() bool { return len(machine.mailsTo(emailOf(announced), "will be deleted")) == 1 }},
		{deletion.ConfirmArgs{MemberID: uuid.New(), Email: "former@heartward.test", FirstName: "Quin"}, func() bool {
			return len(machine.mailsTo("former@heartward.test", "has been deleted")) == 1
		}},
		{messaging.ReviewArgs{MessageID: reviewed}, func() bool {
			return i.queryBool(`SELECT EXISTS (SELECT FROM message_flags WHERE message_id = $1 AND source = 'external')`, reviewed)
		}},
		{media.NormaliseArgs{FileID: recording}, func() bool {
			return i.queryBool(`SELECT copy_bytes IS NOT NULL FROM files WHERE id = $1`, recording)
		}},
		{jobs.CleanupArgs{}, func() bool { return i.queryBool(`SELECT NOT EXISTS (SELECT FROM sessions WHERE id = $1)`, expired) }},
	}
}

// push returns a push to a device that memberWithDevice made, which has the member's id.
func (i *installation) push(member uuid.UUID, event notifications.Event) notifications.PushArgs {
	i.t.Helper()
	args, err := notifications.NewPush(member, member, event)
	require.NoError(i.t, err)
	return args
}

func (i *installation) match(a, b uuid.UUID) uuid.UUID {
	i.t.Helper()
	id := uuid.Must(uuid.NewV7())
	i.exec(`INSERT INTO matches (id, user_a, user_b) VALUES ($1, least($2::uuid, $3), greatest($2::uuid, $3))`, id, a, b)
	return id
}

// recording uploads a voice recording that needs normalisation.
func (i *installation) recording(ffmpeg string, owner uuid.UUID) uuid.UUID {
	i.t.Helper()
	program, err := media.FindFFmpeg(i.t.Context(), ffmpeg)
	require.NoError(i.t, err)
	b := blobs.New(i.pool, i.store)
	s := media.New(i.pool, b, members.New(i.pool, b), pgtest.Jobs(i.t, i.pool), program)
	raw, err := os.ReadFile("api/platform/recordings/testdata/voice.webm")
	require.NoError(i.t, err)
	upload, err := s.Create(i.t.Context(), owner, media.ForMessage, int64(len(raw)))
	require.NoError(i.t, err)
	_, err = s.Append(i.t.Context(), owner, upload.ID, 0, bytes.NewReader(raw), int64(len(raw)))
	require.NoError(i.t, err)
	_, err = s.MakeFile(i.t.Context(), owner, upload.ID, media.FileSpec{Kind: "audio"})
	require.NoError(i.t, err)
	return upload.ID
}
