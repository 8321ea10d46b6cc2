package e2e_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/badges"
	"heartward/api/community"
	"heartward/api/dates"
	"heartward/api/deletion"
	"heartward/api/delivery"
	"heartward/api/digest"
	"heartward/api/discovery"
	"heartward/api/export"
	"heartward/api/figures"
	"heartward/api/graduation"
	"heartward/api/matching"
	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/messaging/messages"
	"heartward/api/moderation"
	"heartward/api/moments"
	"heartward/api/notifications"
	"heartward/api/platform/blobs"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/profilereview"
	"heartward/api/pulse"
	"heartward/api/referrals"
	"heartward/api/verification"
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
	i := newInstallation(t, "FFMPEG="+ffmpeg, startModeration(t), "MODERATION_PICTURES=on")
	machine := i.machine()
	cases := append(i.jobCases(machine, ffmpeg), i.newsCases(machine)...)
	var kinds []string
	for _, c := range cases {
		kinds = append(kinds, c.args.Kind())
	}
	slices.Sort(kinds) // pushes have a case for each type of event
	testkit.SameElements(t, jobs.Kinds(), slices.Compact(kinds), "there is a case for each kind of job")

	client := pgtest.Jobs(t, i.Pool)
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
	var failed string
	require.NoError(t, i.Pool.QueryRow(t.Context(), `SELECT coalesce(string_agg(kind || ' ' || errors::text, '; '), '') FROM river_job WHERE errors IS NOT NULL`).Scan(&failed))
	require.Empty(t, failed)
	worker.stop(syscall.SIGTERM)
	require.Zero(t, worker.cmd.ProcessState.ExitCode(), worker.log)
	require.NotContains(t, worker.log.String(), "ERROR")
}

// jobCases returns a case for each registered kind of job.
func (i *installation) jobCases(machine instance, ffmpeg string) []jobCase {
	i.Helper()
	sender := i.member("Ada")
	pushed := func(member uuid.UUID) func() bool { return func() bool { return i.pushedTo(member) } }

	notified, unread, matched, celebrated, liked, general := i.memberWithDevice("Bea"), i.memberWithDevice("Cleo"),
		i.memberWithDevice("Dora"), i.memberWithDevice("Elsa"), i.memberWithDevice("Fay"), i.memberWithDevice("Gwen")
	notifyConversation, unreadConversation := i.conversation(sender, notified), i.conversation(sender, unread)
	i.message(notifyConversation, sender)
	i.message(unreadConversation, sender)
	i.Exec(`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type, created_at)
		VALUES (gen_random_uuid(), $1, $2, 'like', now() + interval '1 minute')`, sender, liked)

	resumed := i.memberWithDevice("Kim")
	i.message(i.conversation(sender, resumed), sender)
	i.Exec(`INSERT INTO river_job (kind, args, state, max_attempts, scheduled_at, metadata, queue, priority)
		SELECT 'notify', jsonb_build_object('conversationId', id, 'recipientId', $1::uuid), 'scheduled', 5, now() + interval '8 hours', '{"snoozes": 1}', 'default', 1
		FROM conversations WHERE $1 IN (user_a, user_b)`, resumed)

	dateMember := i.memberWithDevice("Hope")
	date, dateConversation := uuid.Must(uuid.NewV7()), i.conversation(sender, dateMember)
	i.Exec(`INSERT INTO dates (id, conversation_id, created_by, client_id, place, at, time_zone, status, revision, proposed_by, changed_by, accepted_at, message_seq)
		VALUES ($1, $2, $3, $1, 'Café Luna', now() + interval '3 hours', 'UTC', 'accepted', 2, $3, $4, now(), 2)`, date, dateConversation, sender, dateMember)

	reader, noticed := i.member("Jane"), i.member("Lea")
	notice := uuid.Must(uuid.NewV7())
	i.Exec(`INSERT INTO security_notices (id, user_id, kind, session_id, user_agent, place, token_hash, created_at)
		VALUES ($1, $2, 'sign_in', $1, '', '', decode(repeat('02', 32), 'hex'), now())`, notice, noticed)
	newAddress, waiting := i.member("Una"), i.member("Vera")
	for _, changing := range []uuid.UUID{newAddress, waiting} {
		i.Exec(`INSERT INTO email_changes (id, user_id, new_email, session_id, user_agent, place, new_confirmed_at, waits_until, expires_at)
			VALUES ($1, $1, $2, $1, '', '', now(), now(), now() + interval '1 day')`, changing, changing.String()+"@new.example")
	}
	sanction, sanctioned := uuid.New(), i.member("Tess")
	i.Exec(`INSERT INTO sanctions (id, user_id, kind, explanation) VALUES ($1, $2, 'warning', 'Be kind.')`, sanction, sanctioned)
	i.Exec(`INSERT INTO appeals (sanction_id, user_id, content, outcome, explanation, decided_at) VALUES ($1, $2, 'No.', 'upheld', 'It stays.', now())`, sanction, sanctioned)
	decided, urgent, admin, reporter := uuid.Must(uuid.NewV7()), uuid.Must(uuid.NewV7()), i.member("Nia"), i.member("Mia")
	i.Exec(`UPDATE users SET is_admin = true WHERE id = $1`, admin)
	i.Exec(`INSERT INTO reports (id, reporter_id, reason, place, priority, status, reviewed_at, action_taken)
		VALUES ($1, $2, 'threat', 'card', 0, 'reviewed', now(), 'no_action')`, decided, reporter)
	hides, hidden := uuid.Must(uuid.NewV7()), i.memberWithDevice("Oda")
	i.Exec(`INSERT INTO reports (id, reported_user_id, reason, place, priority, hides_profile, hides_until) VALUES ($1, $2, 'threat', 'card', 0, true, now())`, urgent, reporter)
	i.Exec(`INSERT INTO reports (id, reported_user_id, reason, place, priority, hides_profile) VALUES ($1, $2, 'underage', 'card', 0, true)`, hides, hidden)
	leaving, announced := i.member("Olga"), i.member("Pia")
	i.Exec(`UPDATE users SET profile_status = 'leaving', deletion_due_at = now() - interval '1 minute' WHERE id = $1`, leaving)
	exported, fetcher := uuid.Must(uuid.NewV7()), i.member("Rosa")
	i.Exec(`INSERT INTO exports (id, user_id) VALUES ($1, $2)`, exported, fetcher)
	ready, informed := uuid.Must(uuid.NewV7()), i.member("Sue")
	i.Exec(`INSERT INTO exports (id, user_id, file_id, bytes, ready_at) VALUES ($1, $2, $1, 1, now())`, ready, informed)
	reviewed := i.message(i.conversation(sender, reader), sender)
	pictured, shown := uuid.New(), i.member("Uma")
	i.Exec(`INSERT INTO files (id, owner_id, content_type, bytes) VALUES ($1, $2, 'image/webp', 1)`, pictured, shown)
	i.Exec(`INSERT INTO member_media (file_id, user_id, slot, position) VALUES ($1, $2, 'photo', 1)`, pictured, shown)
	require.NoError(i, i.store.Put(i.Context(), blobs.Key(pictured, blobs.Thumb), "image/webp", strings.NewReader("picture")))
	expired := uuid.Must(uuid.NewV7())
	i.Exec(`INSERT INTO sessions (id, user_id, token_hash, expires_at) VALUES ($1, $2, decode(repeat('01', 32), 'hex'), now() - interval '1 s')`, expired, sender)
	recording := i.recording(ffmpeg, sender)
	submission, submitter := uuid.New(), i.member("Wren")
	i.Exec(`INSERT INTO profile_reviews (user_id, id, subject, status, decided_at, reason) VALUES ($1, $2, 'photo', 'declined', now(), 'It shows a car.')`, submitter, submission)
	correction := uuid.New()
	i.Exec(`INSERT INTO birth_date_requests (id, user_id, birth_date, explanation, status, decided_at) VALUES ($1, $2, '1980-01-02', 'Mistyped', 'approved', now())`, correction, submitter)
	couple, asked, post := uuid.New(), i.member("Yara"), uuid.New()
	decidedAt := time.Now().UTC().Truncate(time.Microsecond)
	i.Exec(`INSERT INTO community_posts (id, author_id, client_id, title, excerpt, content, category, tags, status, published_at, decided_at)
		VALUES ($1, $2, $1, 'Title', 'Excerpt', 'Content', 'advice', '{advice}', 'published', $3, $3)`, post, asked, decidedAt)
	i.Exec(`INSERT INTO graduated_couples (id, user_one_id, user_two_id) VALUES ($1, $2, $3)`, couple, sender, asked)
	earned, rewarded := uuid.New(), i.member("Vada")
	i.Exec(`INSERT INTO user_badges (id, user_id, badge_id) SELECT $1, $2, id FROM badges WHERE icon = 'first_match'`, earned, rewarded)
	waitingMember := i.member("Xena")
	i.Exec(`INSERT INTO profile_reviews (user_id, subject) VALUES ($1, 'profile')`, waitingMember)
	i.Exec(`UPDATE users SET is_approved = false WHERE id = $1`, waitingMember)
	reminded := i.member("Ruth")
	i.Exec(`INSERT INTO notification_settings (user_id, preferences, pulse_next_at) VALUES ($1, '{"pulse": true}', now())`, reminded)
	starting := i.member("Sila")
	i.Exec(`UPDATE users SET start_step = 'photo' WHERE id = $1`, starting)
	invitation, invited := uuid.Must(uuid.NewV7()), "friend@invited.example"
	i.Exec(`INSERT INTO referrals (id, referrer_id, referral_code, email, address_mac, client_id) VALUES ($1, $2, 'INVITEDBYMAIL', $3, sha256('friend'), $1)`,
		invitation, sender, invited)
	week := digest.WeekOf(time.Now())
	digested := i.member("Rose")
	i.Exec(`INSERT INTO digest_runs (week) VALUES ($1)`, week)
	i.Exec(`INSERT INTO digest_runs (week, started_at) VALUES ('2099-01-05', now() - interval '3 days')`) // too old to be sent
	i.Exec(`UPDATE digest_runs SET enqueued_at = now() WHERE week = $1`, week)
	i.Exec(`INSERT INTO digest_mails (user_id, week, state) VALUES ($1, $2, 'queued')`, digested, week)
	i.Exec(`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type) VALUES (gen_random_uuid(), $1, $2, 'like')`, sender, digested)
	i.Exec(`UPDATE users SET created_at = now() - interval '2 days' WHERE id = $1`, digested)

	banned, young := i.member("Zoe"), i.member("Yan")
	ban, term := uuid.New(), uuid.New()
	i.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id IN ($1, $2)`, banned, young)
	i.Exec(`INSERT INTO bans (id, user_id, address_mac, expires_at) VALUES ($1, $2, sha256('z'), now() + interval '1 day')`, ban, banned)
	i.Exec(`INSERT INTO sanctions (id, user_id, kind, explanation, deletes_at) VALUES ($1, $2, 'ban', 'Not of age.', now())`, term, young)

	return []jobCase{
		{moderation.BanPhotosArgs{BanID: ban}, func() bool { return true }},
		{media.CompareArgs{FileID: uuid.New()}, func() bool { return true }},
		{moderation.StaffReportArgs{ReportID: decided}, func() bool { return true }},
		{moderation.HashPhotosArgs{After: uuid.Max}, func() bool { return true }},
		{moderation.CompareBlockedArgs{MemberID: banned}, func() bool { return true }},
		{moderation.AppealTermArgs{SanctionID: term}, func() bool {
			return i.queryBool(`SELECT NOT EXISTS (SELECT FROM users WHERE id = $1)`, young)
		}},
		{messages.NotifyArgs{ConversationID: notifyConversation, RecipientID: notified}, pushed(notified)},
		{i.push(unread, notifications.UnreadMessages{ConversationID: unreadConversation, Seq: 1}), pushed(unread)},
		{matching.NotifyMatchArgs{MatchID: i.match(sender, matched), MemberID: matched}, pushed(matched)},
		{i.push(celebrated, notifications.NewMatch{MatchID: i.match(sender, celebrated)}), pushed(celebrated)},
		{matching.NotifyLikesArgs{MemberID: liked}, pushed(liked)},
		{i.push(general, notifications.Notification{
			Category: notifications.Messages, Title: "News", Body: "of today", Path: "/", Tag: "news", Expires: time.Now().Add(time.Hour),
		}), pushed(general)},
		{notifications.WakeArgs{MemberID: resumed}, pushed(resumed)},
		{community.NotifyArgs{NewsKind: community.NewsPublished, MemberID: asked, PostID: post, DecidedAt: decidedAt}, pushed(asked)},
		{community.DecisionMailArgs{PostID: post, DecidedAt: decidedAt}, func() bool { return len(machine.mailsTo(emailOf(asked), "on the board")) == 1 }},
		{graduation.NotifyArgs{CoupleID: couple, MemberID: asked, Status: "asked"}, pushed(asked)},
		{graduation.MailArgs{CoupleID: couple}, func() bool { return len(machine.mailsTo(emailOf(asked), "wants to graduate with you")) == 1 }},
		{notifications.RemindPulsesArgs{}, pushed(reminded)},
		{members.StartReminderArgs{MemberID: starting}, func() bool { return len(machine.mailsTo(emailOf(starting), "Your profile is waiting")) == 1 }},
		{badges.CheckArgs{MemberID: sender, Cause: badges.LikeSent}, func() bool {
			return i.queryBool(`SELECT EXISTS (SELECT FROM earned_badges WHERE user_id = $1 AND icon = 'first_like')`, sender)
		}},
		{moments.MakeArgs{MemberID: rewarded, Type: moments.Badge, SubjectID: earned}, func() bool {
			return i.queryBool(`SELECT EXISTS (SELECT FROM shareable_moments WHERE user_id = $1)`, rewarded)
		}},
		{badges.NotifyArgs{ID: earned, MemberID: rewarded}, pushed(rewarded)},
		{i.push(rewarded, notifications.BadgeEarned{ID: earned}), pushed(rewarded)},
		{delivery.ChangedArgs{MemberID: sender}, func() bool { return true }}, // mail-problem.spec.ts shows that the app learns it
		{delivery.CheckArgs{MemberID: sender, CheckID: uuid.New()}, func() bool { return len(machine.mailsTo(emailOf(sender), "Your address works")) == 1 }},
		{referrals.SendArgs{ReferralID: invitation}, func() bool { return len(machine.mailsTo(invited, "invites you")) == 1 }},
		{dates.ReminderArgs{DateID: date, Revision: 2}, pushed(dateMember)},
		{auth.EndedArgs{SessionIDs: []uuid.UUID{expired}}, func() bool { return true }}, // admin-rights.spec.ts shows that sockets close
		{auth.NoticeArgs{NoticeID: notice}, func() bool { return len(machine.mailsTo(emailOf(noticed), "sign-in")) == 1 }},
		{auth.EmailCodeArgs{ChangeID: newAddress}, func() bool {
			return len(machine.mailsTo(newAddress.String()+"@new.example", "Confirm your email address")) == 1
		}},
		{auth.EmailWaitArgs{ChangeID: waiting, Day: 1}, func() bool { return len(machine.mailsTo(emailOf(waiting), "Your Heartward address will change")) == 1 }},
		{auth.EmailChangedArgs{ChangeID: uuid.New(), Email: "earlier@heartward.test", FirstName: "Wilma"}, func() bool {
			return len(machine.mailsTo("earlier@heartward.test", "address has changed")) == 1
		}},
		{auth.EmailUndoneArgs{ChangeID: uuid.New(), Email: "replaced@heartward.test", FirstName: "Wilma"}, func() bool {
			return len(machine.mailsTo("replaced@heartward.test", "address has changed back")) == 1
		}},
		{moderation.SanctionArgs{SanctionID: sanction}, func() bool { return len(machine.mailsTo(emailOf(sanctioned), "A decision about your account")) == 1 }},
		{moderation.AppealArgs{SanctionID: sanction}, func() bool { return len(machine.mailsTo(emailOf(sanctioned), "About your appeal")) == 1 }},
		{auth.AdminNoticeArgs{RecipientID: admin, AdminID: noticed, Event: auth.AdminGranted}, func() bool { return len(machine.mailsTo(emailOf(admin), "new Heartward admin")) == 1 }},
		{moderation.OutcomeArgs{ReportID: decided, ToReporter: true}, func() bool { return len(machine.mailsTo(emailOf(reporter), "About your report")) == 1 }},
		// The first is decided, or its job would wait for the next hour.
		{moderation.AlertArgs{ReportID: decided}, func() bool { return true }},
		{moderation.AlertMailArgs{AdminID: admin, Hour: time.Now().UTC().Truncate(time.Hour)}, func() bool { return len(machine.mailsTo(emailOf(admin), "urgent report")) == 1 }},
		{moderation.HidingEndArgs{ReportID: urgent, At: time.Now()}, func() bool {
			return i.queryBool(`SELECT NOT hides_profile FROM reports WHERE id = $1`, urgent)
		}},
		{moderation.HiddenMailArgs{ReportID: hides}, func() bool { return len(machine.mailsTo(emailOf(hidden), "hidden for now")) == 1 }},
		{moderation.HiddenArgs{ReportID: hides}, pushed(hidden)},
		{moderation.AskAgeArgs{ReportID: hides}, func() bool { return len(machine.mailsTo(emailOf(hidden), "show us your age")) == 1 }},
		{i.push(hidden, notifications.ProfileHidden{ReportID: hides}), pushed(hidden)},
		{deletion.DeleteArgs{MemberID: leaving, DueAt: time.Now()}, func() bool { return i.queryBool(`SELECT NOT EXISTS (SELECT FROM users WHERE id = $1)`, leaving) }},
		{deletion.AnnounceArgs{MemberID: announced, DueAt: time.Now()}, func() bool { return len(machine.mailsTo(emailOf(announced), "will be deleted")) == 1 }},
		{deletion.ConfirmArgs{MemberID: uuid.New(), Email: "former@heartward.test", FirstName: "Quin"}, func() bool {
			return len(machine.mailsTo("former@heartward.test", "has been deleted")) == 1
		}},
		{export.MakeArgs{ExportID: exported, MemberID: fetcher}, func() bool {
			return i.queryBool(`SELECT file_id IS NOT NULL FROM exports WHERE id = $1`, exported)
		}},
		{export.ReadyArgs{ExportID: ready, MemberID: informed}, func() bool { return len(machine.mailsTo(emailOf(informed), "data is ready")) == 1 }},
		{messages.ReviewArgs{MessageID: reviewed}, func() bool {
			return i.queryBool(`SELECT EXISTS (SELECT FROM message_flags WHERE message_id = $1 AND source = 'external')`, reviewed)
		}},
		{media.ReviewArgs{FileID: pictured}, func() bool {
			return i.queryBool(`SELECT EXISTS (SELECT FROM reports WHERE reported_user_id = $1 AND source = 'pictures')`, shown)
		}},
		{media.NormaliseArgs{FileID: recording}, func() bool {
			return i.queryBool(`SELECT copy_bytes IS NOT NULL FROM files WHERE id = $1`, recording)
		}},
		{profilereview.BirthDateArgs{RequestID: correction}, func() bool { return len(machine.mailsTo(emailOf(submitter), "Your birthday is corrected")) == 1 }},
		{profilereview.OutcomeArgs{ReviewID: submission}, func() bool { return len(machine.mailsTo(emailOf(submitter), "About your photo")) == 1 }},
		{profilereview.ReleaseArgs{}, func() bool { return i.queryBool(`SELECT is_approved FROM users WHERE id = $1`, waitingMember) }},
		{digest.TickArgs{}, func() bool { return true }},
		{figures.StoreArgs{}, func() bool {
			return i.queryBool(`SELECT EXISTS (SELECT FROM daily_figures) AND EXISTS (SELECT FROM weekly_exposure)`)
		}},
		{digest.EnqueueArgs{Week: "2099-01-05"}, func() bool {
			return i.queryBool(`SELECT enqueued_at IS NOT NULL FROM digest_runs WHERE week = '2099-01-05'`)
		}},
		{digest.SendArgs{MemberID: digested, Week: week}, func() bool { return len(machine.mailsTo(emailOf(digested), "Your week")) == 1 }},
		{jobs.CleanupArgs{}, func() bool { return i.queryBool(`SELECT NOT EXISTS (SELECT FROM sessions WHERE id = $1)`, expired) }},
	}
}

// newsCases returns the cases of what friends, matches, partners and moderators did.
func (i *installation) newsCases(machine instance) []jobCase {
	i.Helper()
	sender, inviter, consenting, partner, verified := i.member("Alma"), i.memberWithDevice("Bree"), i.memberWithDevice("Cora"), i.memberWithDevice("Dina"), i.member("Edna")
	pushed := func(member uuid.UUID) func() bool { return func() bool { return i.pushedTo(member) } }
	i.Exec(`INSERT INTO referrals (id, referrer_id, referred_user_id, referral_code, status, joined_at)
		VALUES (gen_random_uuid(), $1, $2, 'ABCDEF', 'pending', now())`, inviter, sender)
	moment, couple, selfie := uuid.New(), uuid.New(), uuid.New()
	i.Exec(`INSERT INTO shareable_moments (id, user_id, moment_type, subject_id, title, caption) VALUES ($1, $2, 'match', $3, 'New match', '')`,
		moment, sender, i.match(sender, consenting))
	i.Exec(`INSERT INTO moment_consents (moment_id, peer_id) VALUES ($1, $2)`, moment, consenting)
	i.Exec(`INSERT INTO graduated_couples (id, user_one_id, user_two_id, status, accepted_at, approved_at) VALUES ($1, $2, $3, 'graduated', now(), now())`,
		couple, sender, partner)
	i.Exec(`INSERT INTO couple_members (user_id, couple_id, on_wall) SELECT unnest(ARRAY[$1::uuid, $2]), $3, false`, sender, partner, couple)
	i.Exec(`INSERT INTO pulse_sharing (user_id, couple_id) VALUES ($1, $2)`, sender, couple)
	i.Exec(`INSERT INTO verifications (id, user_id, pose, status, submitted_at, decided_at) VALUES ($1, $2, 'A wave', 'approved', now(), now())`, selfie, verified)
	waits, told := i.member("Fern"), i.memberWithDevice("Gail")
	i.Exec(`UPDATE users SET town_lat = 45.5, town_lon = -122.7 WHERE id = $1`, waits)
	i.Exec(`INSERT INTO near_snapshots (taken_on, lats, lons, members) SELECT (now() AT TIME ZONE 'UTC')::date + n, '{45.5}', '{-122.7}', '{25}' FROM generate_series(0, 1) n
		ON CONFLICT (taken_on) DO UPDATE SET lats = excluded.lats, lons = excluded.lons, members = excluded.members`)
	i.Exec(`INSERT INTO near_waits (user_id, town_lat, town_lon, baseline, by_mail, checked_on, told_at)
		VALUES ($1, 45.5, -122.7, 5, false, '2020-01-01', NULL), ($2, 45.5, -122.7, 5, true, '2020-01-01', now())`, waits, told)
	located := i.member("Hana")
	i.Exec(`UPDATE users SET city = 'Praha', state = 'Czechia', town_lat = NULL, town_lon = NULL WHERE id = $1`, located)
	return []jobCase{
		{members.LocateTownsArgs{}, func() bool {
			return i.queryBool(`SELECT town_lat IS NOT NULL FROM users WHERE id = $1`, located)
		}},
		{referrals.NotifyArgs{NewsKind: referrals.NewsJoined, MemberID: inviter, FriendID: sender}, pushed(inviter)},
		{moments.NotifyArgs{MomentID: moment, MemberID: consenting}, pushed(consenting)},
		{pulse.NotifyArgs{CoupleID: couple, MemberID: partner}, pushed(partner)},
		{discovery.CheckWaitsArgs{}, func() bool {
			return i.queryBool(`SELECT told_at IS NOT NULL FROM near_waits WHERE user_id = $1`, waits)
		}},
		{discovery.NearNotifyArgs{MemberID: told}, pushed(told)},
		{i.push(told, notifications.MoreNear{MemberID: told}), pushed(told)},
		{discovery.NearMailArgs{MemberID: told}, func() bool { return len(machine.mailsTo(emailOf(told), "More people near you")) == 1 }},
		{verification.DecisionMailArgs{VerificationID: selfie}, func() bool { return len(machine.mailsTo(emailOf(verified), "You are verified")) == 1 }},
	}
}

// push returns a push to a device that memberWithDevice made, which has the member's id.
func (i *installation) push(member uuid.UUID, event notifications.Event) notifications.PushArgs {
	i.Helper()
	args, err := notifications.NewPush(member, member, event)
	require.NoError(i, err)
	return args
}

func (i *installation) match(a, b uuid.UUID) uuid.UUID {
	i.Helper()
	id := uuid.Must(uuid.NewV7())
	i.Exec(`INSERT INTO matches (id, user_a, user_b) VALUES ($1, least($2::uuid, $3), greatest($2::uuid, $3))`, id, a, b)
	return id
}

// recording uploads a voice recording that needs normalisation.
func (i *installation) recording(ffmpeg string, owner uuid.UUID) uuid.UUID {
	i.Helper()
	program, err := media.FindFFmpeg(i.Context(), ffmpeg)
	require.NoError(i, err)
	b := blobs.New(i.Pool, i.store)
	s := media.New(i.Pool, b, members.New(i.Pool, b), pgtest.Jobs(i, i.Pool), program)
	raw, err := os.ReadFile("../platform/recordings/testdata/voice.webm")
	require.NoError(i, err)
	upload, err := s.Create(i.Context(), owner, uuid.New(), media.ForMessage, int64(len(raw)))
	require.NoError(i, err)
	_, err = s.Append(i.Context(), owner, upload.ID, 0, bytes.NewReader(raw), int64(len(raw)))
	require.NoError(i, err)
	_, err = s.MakeFile(i.Context(), owner, upload.ID, media.FileSpec{Kind: "audio"})
	require.NoError(i, err)
	return upload.ID
}
