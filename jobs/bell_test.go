package jobs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/activity"
	"heartward/api/auth"
	"heartward/api/community"
	"heartward/api/matching"
	"heartward/api/members"
	"heartward/api/moderation"
	"heartward/api/platform/bus"
	"heartward/api/platform/config"
	"heartward/api/platform/files"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/api/profilereview"
	"heartward/api/wiring"
	"heartward/jobs"
)

// bell is the shipped services and workers, and the two members of an event: it happens to ann, and ben or an admin
// causes it.
type bell struct {
	testkit.DB
	api.Services
	client          *jobs.Client
	ann, ben, admin web.Actor
}

func newBell(t *testing.T) (*bell, *bus.Bus) {
	t.Helper()
	w := &bell{DB: pgtest.NewDB(t)}
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	mailbox, err := mail.NewFolder(t.TempDir())
	require.NoError(t, err)
	events, err := bus.Open(bus.Options{})
	require.NoError(t, err)
	t.Cleanup(events.Close)
	parts := wiring.Deps{
		Config: config.Config{PublicURL: &url.URL{Scheme: "https", Host: "heartward.test"}, Secret: make([]byte, 32), RateLimitScale: 1},
		Pool:   w.Pool, Bus: events, Files: store, Mail: mailbox, Jobs: pgtest.Jobs(t, w.Pool), Push: make(sentPushes, 100),
	}
	w.Services = wiring.New(parts)
	w.client, _ = startWorkersWith(t, w.Pool, wiring.Workers(parts, w.Services))
	return w, events
}

// id returns the id of a row that is inserted; sql has it as $1, and the other arguments from $2.
func (w *bell) id(sql string, args ...any) uuid.UUID {
	w.Helper()
	id := uuid.New()
	w.Exec(sql, append([]any{id}, args...)...)
	return id
}

func (w *bell) post(author web.Actor, status string) uuid.UUID {
	w.Helper()
	return w.id(`INSERT INTO community_posts (id, author_id, client_id, title, excerpt, content, category, tags, status, published_at, decided_at)
		VALUES ($1, $2, $1, 'A title', 'An excerpt', 'A story', 'advice', ARRAY['a'], $3,
			CASE $3 WHEN 'published' THEN now() END, CASE $3 WHEN 'published' THEN now() END)`, author.ID, status)
}

func (w *bell) decidePost(action string) func() error {
	id := w.post(w.ann, "pending")
	return func() error {
		return decided(w.Community.DecidePosts(w.Context(), w.admin.ID, []community.ReviewItem{{ID: id, Version: 1}}, community.Decision{Action: action, Reason: "R", ByAdmin: true}))
	}
}

// date stores a date that ann has proposed to ben, and ben has accepted if the status is accepted.
func (w *bell) date(status string) uuid.UUID {
	w.Helper()
	return w.id(`INSERT INTO dates (id, conversation_id, created_by, client_id, place, at, time_zone, status, revision, proposed_by, changed_by, accepted_at, message_seq)
		VALUES ($1, $2, $3, $1, 'Café', now() + interval '2 hours', 'UTC', $5, 1, $3, CASE $5 WHEN 'accepted' THEN $4::uuid ELSE $3 END,
			CASE $5 WHEN 'accepted' THEN now() END, 1)`, w.Match(w.ann, w.ben), w.ann.ID, w.ben.ID, status)
}

// couple stores a couple of which the first member has asked.
func (w *bell) couple(one, two web.Actor, status string) uuid.UUID {
	w.Helper()
	w.Match(one, two)
	id := w.id(`INSERT INTO graduated_couples (id, user_one_id, user_two_id, status, accepted_at, approved_at)
		VALUES ($1, $2, $3, $4, CASE WHEN $4 <> 'asked' THEN now() END, CASE $4 WHEN 'graduated' THEN now() END)`, one.ID, two.ID, status)
	w.Exec(`INSERT INTO couple_members (user_id, couple_id, on_wall) VALUES ($1, $2, false)`, one.ID, id)
	if status != "asked" {
		w.Exec(`INSERT INTO couple_members (user_id, couple_id, on_wall) VALUES ($1, $2, false)`, two.ID, id)
	}
	return id
}

func (w *bell) decideSelfie(approve bool) func() error {
	selfie := w.id(`INSERT INTO files (id, owner_id, content_type, bytes) VALUES ($1, $2, 'image/webp', 1)`, w.ann.ID)
	id := w.id(`INSERT INTO verifications (id, user_id, pose, status, submitted_at, selfie_id) VALUES ($1, $2, 'wave', 'pending', now(), $3)`, w.ann.ID, selfie)
	return func() error {
		if _, err := w.Verification.Open(w.Context(), w.admin.ID, id, "Seen"); err != nil {
			return err
		}
		return w.Verification.Decide(w.Context(), w.admin.ID, id, approve, "R")
	}
}

func (w *bell) decideReview(subject string, accept bool) func() error {
	id := w.id(`INSERT INTO profile_reviews (id, user_id, subject, opened_by, opened_at) VALUES ($1, $2, $3, $4, now())`, w.ann.ID, subject, w.admin.ID)
	return func() error {
		return decided(w.ProfileReview.Decide(w.Context(), w.admin.ID, []uuid.UUID{id}, profilereview.Decision{Accept: accept, Reason: "R"}))
	}
}

// removeParts decides on a report about ann so that her bio is removed too.
func (w *bell) removeParts(decision moderation.Decision) func() error {
	id := w.id(`INSERT INTO reports (id, reporter_id, reported_user_id, reason, place, priority) VALUES ($1, $2, $3, 'spam', 'card', 2)`, w.ben.ID, w.ann.ID)
	w.Exec(`UPDATE users SET bio = 'Buy this' WHERE id = $1`, w.ann.ID)
	decision.Parts, decision.Explanation, decision.Reason = []members.ProfilePart{{Part: "bio", Text: "Buy this"}}, "E", "R"
	return func() error { return w.Moderation.DecideReport(w.Context(), w.admin.ID, id, decision) }
}

func (w *bell) setStatus(before, status string) func() error {
	w.Exec(`UPDATE users SET profile_status = $2 WHERE id = $1`, w.ann.ID, before)
	return func() error {
		return w.Moderation.SetStatus(w.Context(), w.admin.ID, w.ann.ID, moderation.StatusChange{Status: status, Explanation: "E", Reason: "R"})
	}
}

func (w *bell) decideAppeal(outcome string) func() error {
	id := w.id(`INSERT INTO sanctions (id, user_id, kind, explanation) VALUES ($1, $2, 'warning', '')`, w.ann.ID)
	w.Exec(`INSERT INTO appeals (sanction_id, user_id, content) VALUES ($1, $2, 'Why?')`, id, w.ann.ID)
	return func() error {
		return w.Moderation.DecideAppeal(w.Context(), w.admin.ID, id, moderation.AppealDecision{Outcome: outcome, Explanation: "E", Reason: "R"})
	}
}

// decided returns an error unless the only row was stored.
func decided(rows []web.RowResult, err error) error {
	if err == nil && !rows[0].Stored {
		err = fmt.Errorf("not stored: %+v", rows[0])
	}
	return err
}

// notice is a security notice, whose row and job package auth inserts in one transaction.
func (w *bell) notice(kind string) func() error {
	return func() error {
		id := w.id(`INSERT INTO security_notices (id, user_id, kind, session_id, user_agent, place, token_hash, created_at)
			VALUES ($1, $2, $3, $1, '', '', sha256(uuid_send($1)), now())`, w.ann.ID, kind)
		return w.insert(auth.NoticeArgs{NoticeID: id})
	}
}

func (w *bell) insert(args river.JobArgs) error {
	_, err := w.client.Insert(w.Context(), args, nil)
	return err
}

func (w *bell) inTx(fn func(ctx context.Context, tx pgx.Tx) error) error {
	return pg.TxDo(w.Context(), w.Pool, func(tx pgx.Tx) error { return fn(w.Context(), tx) })
}

func (w *bell) like(from, to web.Actor, kind matching.Kind) error {
	_, err := w.Matching.Like(w.Context(), from, matching.LikeInput{To: to.ID, Kind: kind})
	return err
}

// appCauses returns the types of the frames after which the app refreshes the bell. A request to chat is a message.
func appCauses(t *testing.T) []string {
	t.Helper()
	source, err := os.ReadFile("../pwa/src/features/activity/unread.ts")
	require.NoError(t, err)
	list := regexp.MustCompile(`(?s)const CAUSES = \[(.*?)\]`).FindSubmatch(source)
	require.NotNil(t, list)
	types := []string{"new_message"}
	for _, found := range regexp.MustCompile(`'(\w+)'`).FindAllSubmatch(list[1], -1) {
		types = append(types, string(found[1]))
	}
	require.Greater(t, len(types), 5)
	return types
}

// Each kind of notification has a cause here. Each cause tells the devices of the member, and enqueues the job that
// decides on a push if members can silence the kind.
func TestNotifications_EachKindTellsTheBell(t *testing.T) {
	t.Parallel()
	types := appCauses(t)
	w, events := newBell(t)
	w.admin = testkit.Admin(t, w.Pool, "Admin")
	for _, kind := range activity.Kinds() {
		prepare, isCaused := causes[kind]
		if slices.Contains(ownActs, kind) {
			require.False(t, isCaused, kind)
			continue
		}
		require.True(t, isCaused, "how does the bell learn of %s?", kind)
		w.ann, w.ben = w.Member("Ann"), w.Member("Ben")
		device(t, w.Pool, w.ann.ID)
		cause := prepare(w)
		frames := make(chan string, 100)
		stop := events.Subscribe(bus.MemberSubject(w.ann.ID), func(data []byte) {
			var frame struct{ Type string }
			_, raw := bus.SplitEvent(data)
			if json.Unmarshal(raw, &frame) == nil {
				frames <- frame.Type
			}
		})
		require.NoError(t, cause(), kind)
		w.waitFor(types, frames, kind)
		stop()
		list, _, err := w.Activity.Notifications(t.Context(), w.ann, "", 50)
		require.NoError(t, err)
		listed := slices.IndexFunc(list, func(n activity.Notification) bool { return n.Kind == kind && !n.IsRead })
		require.GreaterOrEqual(t, listed, 0, "%s is listed", kind)
		pushes := w.Count(`SELECT count(*) FROM river_job WHERE kind LIKE 'notify%' AND $1 IN (args ->> 'memberId', args ->> 'recipientId')`, w.ann.ID.String())
		if kind == activity.DateSoon { // whose job names the date
			pushes++
		}
		// The member has asked for this one, so its push has the category that cannot be turned off.
		hasPush := list[listed].Category != nil || kind == activity.MoreNear
		require.Equal(t, hasPush, pushes > 0, "%s is pushed if it has a category", kind)
	}
}

// waitFor waits for one of the frames.
func (w *bell) waitFor(types []string, frames chan string, kind activity.Kind) {
	w.Helper()
	timeout := time.After(testkit.Timeout)
	for {
		select {
		case frame := <-frames:
			if slices.Contains(types, frame) {
				return
			}
		case <-timeout:
			w.Fatalf("%s does not tell the bell", kind)
		}
	}
}
