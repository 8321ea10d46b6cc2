package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/community"
	"heartward/api/graduation"
	"heartward/api/moderation"
	"heartward/api/notifications"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
	"heartward/push"
)

// addReviewed adds, beside what the cast has, a couple and a post that wait, so that one of each is accepted and one refused, a comment
// of the stranger that waits, a report that hides the owner, and a device of each member.
func (s *env) addReviewed(c *cast) {
	s.Helper()
	s.Exec(`INSERT INTO graduated_couples (id, user_one_id, user_two_id, status, accepted_at) VALUES ($1, $2, $3, 'pending', now())`,
		c.newID("secondCouple"), c.members["writer"], c.members["passed"])
	s.Exec(`INSERT INTO community_posts (id, author_id, client_id, title, excerpt, content, category, tags)
		VALUES ($1, $2, $1, 'Title', 'Excerpt', 'Content', 'advice', '{advice}')`, c.newID("secondPost"), c.members["match"])
	s.Exec(`INSERT INTO post_comments (id, post_id, author_id, client_id, content, status) VALUES ($1, $2, $3, $1, 'Comment', 'pending')`,
		c.newID("pendingComment"), c.ids["post"], c.members["stranger"])
	s.Exec(`INSERT INTO reports (id, reporter_id, reported_user_id, reason, place, priority, hides_profile) VALUES ($1, $2, $3, 'underage', 'conversation', 0, true)`,
		c.newID("hiding"), c.members["writer"], c.members["owner"])
	hiding := uuid.MustParse(c.ids["hiding"])
	require.NoError(s, pg.TxDo(s.Context(), s.Pool, func(tx pgx.Tx) error {
		jobs := pgtest.Jobs(s, s.Pool)
		if _, err := jobs.InsertTx(s.Context(), tx, moderation.HiddenArgs{ReportID: hiding}, nil); err != nil {
			return err
		}
		_, err := jobs.InsertTx(s.Context(), tx, moderation.HiddenMailArgs{ReportID: hiding}, nil)
		return err
	}))
	s.Exec(`INSERT INTO push_subscriptions (id, user_id, endpoint, p256dh, auth)
		SELECT gen_random_uuid(), u.id, 'https://fcm.googleapis.com/fcm/send/' || u.id, 'k', 'a'
		FROM users u
		WHERE NOT EXISTS (SELECT FROM push_subscriptions p WHERE p.user_id = u.id)`)
}

// decideReviewed decides on what addReviewed added, and on the cast's post and couple that wait.
func (s *env) decideReviewed(c *cast, do func(role, method, path, body string)) {
	s.Helper()
	decide := func(decision, kind, id string) {
		do("moderator", http.MethodPost, "/api/admin/community/"+kind+"/"+c.ids[id]+"/open", `{"reason":"To see"}`)
		do("moderator", http.MethodPost, "/api/admin/community/decisions", `{"decision":"`+decision+`","reason":"Seen","items":[{"id":"`+c.ids[id]+`","version":1}]}`)
	}
	decide("approve", "posts", "pendingPost")
	decide("reject", "posts", "secondPost")
	decide("restore", "comments", "pendingComment")
	require.Equal(s, 2, s.Count(`SELECT count(*) FROM community_posts WHERE decided_by = $1`, c.members["moderator"]))
	for id, decision := range map[string]string{"pendingCouple": "reject", "secondCouple": "approve"} {
		do("moderator", http.MethodPost, "/api/admin/graduations/"+c.ids[id]+"/open", `{"reason":"To see"}`)
		do("moderator", http.MethodPut, "/api/admin/graduations/"+c.ids[id]+"/"+decision, `{"reason":"Seen"}`)
	}
	do("moderator", http.MethodPost, "/api/admin/reports/"+c.ids["hiding"]+"/open", `{"reason":"To see"}`)
	do("moderator", http.MethodPut, "/api/admin/reports/"+c.ids["hiding"]+"/age-check", `{"reason":"Looks young"}`)
}

// keptPushes keeps pushes before they are encrypted.
type keptPushes struct {
	mu   sync.Mutex
	sent []push.Message
}

func (p *keptPushes) Send(_ context.Context, _ push.Subscription, m push.Message) push.Result {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sent = append(p.sent, m)
	return push.Result{Outcome: push.Sent}
}

// notifyOf returns a function that does what the worker of a job does.
func notifyOf[T any](notify func(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, args T) error) func(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, raw []byte) error {
	return func(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, raw []byte) error {
		var args T
		if err := json.Unmarshal(raw, &args); err != nil {
			return err
		}
		return notify(ctx, tx, jobs, args)
	}
}

// pushDecisions pushes what the enqueued jobs about decisions push, and returns the payloads by the job and the member. All events of a
// push that a decision causes are in its map: no other one is about what a moderator does.
func (s *env) pushDecisions() map[string]string {
	s.Helper()
	phone, jobs := &keptPushes{}, pgtest.Jobs(s, s.Pool)
	service := notifications.New(s.Pool, jobs, phone, notifications.Config{PublicKey: "key", Site: "http://heartward.test"})
	notify := map[string]func(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, raw []byte) error{
		community.NotifyArgs{}.Kind():  notifyOf(service.NotifyCommunity),
		graduation.NotifyArgs{}.Kind(): notifyOf(service.NotifyGraduation),
		moderation.HiddenArgs{}.Kind(): notifyOf(service.NotifyHidden),
	}
	payloads, titles := map[string]string{}, map[string]bool{}
	for i, job := range s.queuedJobs() {
		if notify[job.Kind] == nil {
			continue
		}
		s.Exec(`DELETE FROM river_job WHERE kind = 'push'`)
		require.NoError(s, pg.TxDo(s.Context(), s.Pool, func(tx pgx.Tx) error { return notify[job.Kind](s.Context(), tx, jobs, job.Args) }))
		for _, one := range s.queuedJobs() {
			var args notifications.PushArgs
			if one.Kind != args.Kind() {
				continue
			}
			require.NoError(s, json.Unmarshal(one.Args, &args))
			phone.sent = nil
			_, err := service.Deliver(s.Context(), args)
			require.NoError(s, err)
			require.Len(s, phone.sent, 1, "%s", one.Args)
			payloads[fmt.Sprintf("push %d of %s to %s", i, job.Kind, args.MemberID)] = string(phone.sent[0].Payload)
			var shown struct{ Notification struct{ Title string } }
			require.NoError(s, json.Unmarshal(phone.sent[0].Payload, &shown))
			titles[shown.Notification.Title] = true
		}
	}
	for _, title := range []string{
		"Your story is published", "About your story", "Ada commented on your story", "You have graduated!", "About your graduation", "Your profile is hidden for now",
	} {
		require.True(s, titles[title], "%s is pushed: %v", title, titles)
	}
	return payloads
}
