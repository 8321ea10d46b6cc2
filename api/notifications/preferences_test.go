package notifications_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/members"
	"heartward/api/notifications"
	"heartward/push"
)

// changeSettings changes b's settings.
func (w *env) changeSettings(change func(*notifications.Preferences)) {
	w.Helper()
	p := notifications.Defaults()
	change(&p)
	_, err := w.s.SaveSettings(context.Background(), w.b, p)
	require.NoError(w, err)
}

// quietHoursFor returns quiet hours that contain now and end after the given hours.
func quietHoursFor(hours int) func(*notifications.Preferences) {
	return func(p *notifications.Preferences) {
		from := time.Now().UTC().Add(-time.Hour).Format("15:04")
		to := time.Now().UTC().Add(time.Duration(hours) * time.Hour).Format("15:04")
		p.QuietFrom, p.QuietTo = &from, &to
	}
}

// setMessageType changes the newest message to another type with files of the given length.
func (w *env) setMessageType(kind string, files int, ms int) {
	w.Helper()
	w.Exec(`UPDATE messages SET message_type = $1, content = '' WHERE seq = (SELECT max(seq) FROM messages)`, kind)
	for i := range files {
		id := uuid.Must(uuid.NewV7())
		w.Exec(`INSERT INTO files (id, owner_id, content_type, bytes, duration_ms) VALUES ($1, $2, $3, 1, nullif($4, 0))`, id, w.a.ID, kind+"/webm", ms)
		w.Exec(`INSERT INTO message_files (file_id, conversation_id, seq, position) SELECT $1, conversation_id, seq, $2 FROM messages ORDER BY seq DESC LIMIT 1`, id, i)
	}
}

// newestShown returns the notification of the newest push.
func (w *env) newestShown() (title, body string) {
	w.Helper()
	require.NotEmpty(w, w.phone.sent)
	n := w.shownBy(w.phone.sent[len(w.phone.sent)-1])
	return n.Title, n.Body
}

// deliverAll runs every enqueued push.
func (w *env) deliverAll() {
	w.Helper()
	for _, args := range w.removePushes() {
		w.deliver(args)
	}
}

func TestDeliver_TextOfMessages(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		write       func(w *env)
		title, body string
	}{
		"voice message":          {func(w *env) { w.setMessageType("audio", 1, 12_400) }, "Ada", "Voice message, 0:12"},
		"video message":          {func(w *env) { w.setMessageType("video", 1, 29_800) }, "Ada", "Video message, 0:30"},
		"one picture":            {func(w *env) { w.setMessageType("image", 1, 0) }, "Ada", "Photo"},
		"two pictures":           {func(w *env) { w.setMessageType("image", 2, 0) }, "Ada", "2 photos"},
		"flagged":                {func(w *env) { w.Exec(`UPDATE messages SET flag = 'harassment'`) }, "Ada", "Sent you a message"},
		"flagged and reported":   {func(w *env) { w.Exec(`UPDATE messages SET flag = 'spam', flag_answer = 'bothers'`) }, "Ada", "Sent you a message"},
		"flagged and accepted":   {func(w *env) { w.Exec(`UPDATE messages SET flag = 'spam', flag_answer = 'fine'`) }, "Ada", "the first"},
		"a request":              {func(w *env) { w.Exec(`UPDATE conversations SET requested_by = $1`, w.a.ID) }, "New message request", "Ada would like to chat"},
		"two messages":           {func(w *env) { w.message("the second", 5*time.Second) }, "2 new messages from Ada", "the second"},
		"second message deleted": {func(w *env) { w.message("x", 5*time.Second); w.deleteNewest() }, "Ada", "the first"},
	} {
		w := newEnv(t)
		w.device(1)
		w.message("the first", 6*time.Second)
		c.write(w)
		require.Zero(t, w.notify(time.Now()))
		require.Equal(t, 1, w.pushes(), name)
		w.deliverAll()
		title, body := w.newestShown()
		require.Equal(t, []string{c.title, c.body}, []string{title, body}, name)
	}
}

// deleteNewest deletes the newest message as its sender.
func (w *env) deleteNewest() {
	w.Exec(`UPDATE messages SET content = '', deleted_at = now() WHERE seq = (SELECT max(seq) FROM messages)`)
}

func TestNotifyMessages_RespectsSettings(t *testing.T) {
	t.Parallel()
	withSettings := func(change func(*notifications.Preferences)) func(*env) {
		return func(w *env) { w.changeSettings(change) }
	}
	for name, c := range map[string]struct {
		change func(w *env)
		pushes int
	}{
		"messages off":                        {withSettings(func(p *notifications.Preferences) { p.Messages = false }), 0},
		"other categories off":                {withSettings(func(p *notifications.Preferences) { p.Likes, p.Digest = false, false }), 1},
		"messages off for the device":         {func(w *env) { w.Exec(`UPDATE push_subscriptions SET categories = '{matches}'`) }, 0},
		"other categories off for the device": {func(w *env) { w.Exec(`UPDATE push_subscriptions SET categories = '{messages}'`) }, 1},
		"muted for an hour":                   {func(w *env) { w.Exec(`UPDATE conversations SET b_muted_until = now() + interval '1 hour'`) }, 0},
		"muted for good":                      {func(w *env) { w.Exec(`UPDATE conversations SET b_muted_until = 'infinity'`) }, 0},
		"mute has expired":                    {func(w *env) { w.Exec(`UPDATE conversations SET b_muted_until = now() - interval '1 s'`) }, 1},
		"muted by the other member":           {func(w *env) { w.Exec(`UPDATE conversations SET a_muted_until = 'infinity'`) }, 1},
		"message deleted":                     {func(w *env) { w.deleteNewest() }, 0},
		"request declined":                    {func(w *env) { w.Exec(`UPDATE conversations SET requested_by = $1, declined_at = now()`, w.a.ID) }, 0},
		"sender suspended":                    {func(w *env) { w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, w.a.ID) }, 0},
		"voice message, voice messages off": {func(w *env) {
			w.setMessageType("audio", 1, 1000)
			w.changeSettings(func(p *notifications.Preferences) { p.VoiceMessageNotifications = false })
		}, 0},
		"voice message, video messages off": {func(w *env) {
			w.setMessageType("audio", 1, 1000)
			w.changeSettings(func(p *notifications.Preferences) { p.VideoMessageNotifications = false })
		}, 1},
		"video message, video messages off": {func(w *env) {
			w.setMessageType("video", 1, 1000)
			w.changeSettings(func(p *notifications.Preferences) { p.VideoMessageNotifications = false })
		}, 0},
		"voice message and text, voice messages off": {func(w *env) {
			w.setMessageType("audio", 1, 1000)
			w.message("and words", 5*time.Second)
			w.changeSettings(func(p *notifications.Preferences) { p.VoiceMessageNotifications = false })
		}, 1},
		"request, receiver connected":     {func(w *env) { w.Exec(`UPDATE conversations SET requested_by = $1`, w.a.ID); w.setOnline() }, 0},
		"request, receiver not connected": {func(w *env) { w.Exec(`UPDATE conversations SET requested_by = $1`, w.a.ID) }, 1},
	} {
		// Each setting is changed before the decision and, in a second run, before the delivery.
		for _, early := range []bool{true, false} {
			w := newEnv(t)
			w.device(1)
			w.message("hello", 5*time.Second)
			if early {
				c.change(w)
				require.Zero(t, w.notify(time.Now()), name)
				require.Equal(t, c.pushes, w.pushes(), name)
			} else if name != "request, receiver connected" && name != "voice message and text, voice messages off" {
				require.Zero(t, w.notify(time.Now()), name)
				c.change(w)
				w.deliverAll()
				require.Len(t, w.phone.sent, c.pushes, "%s, after the decision", name)
			}
		}
	}
}

// setOnline marks b as online.
func (w *env) setOnline() {
	w.Exec(`INSERT INTO presence (user_id, node) VALUES ($1, gen_random_uuid())`, w.b.ID)
}

func TestDeliver_OnePushAfterQuietHours(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.device(1)
	w.changeSettings(quietHoursFor(2))
	w.message("one", 5*time.Second)
	wait := w.notify(time.Now())
	require.InDelta(t, 2*time.Hour, wait, float64(2*time.Minute))
	for i := range 4 {
		w.message(fmt.Sprint("more ", i), 5*time.Second)
		require.Positive(t, w.notify(time.Now()))
	}
	require.Zero(t, w.pushes(), "no push in quiet hours")
	w.changeSettings(func(*notifications.Preferences) {}) // without quiet hours
	require.Zero(t, w.notify(time.Now()))
	require.Equal(t, 1, w.pushes())
	w.deliverAll()
	title, body := w.newestShown()
	require.Equal(t, "5 new messages from Ada", title)
	require.Equal(t, "more 3", body)
	require.Zero(t, w.notify(time.Now()))
	require.Zero(t, w.pushes(), "a repeated decision enqueues nothing")

	w.changeSettings(quietHoursFor(2))
	w.message("read at night", 5*time.Second)
	require.Positive(t, w.notify(time.Now()))
	w.Exec(`UPDATE conversations SET b_read_seq = last_seq, b_delivered_seq = last_seq`)
	w.changeSettings(func(*notifications.Preferences) {})
	require.Zero(t, w.notify(time.Now()))
	require.Zero(t, w.pushes(), "read messages are not pushed")
}

// A push that was enqueued before the quiet hours and is retried in them is snoozed
// until their end.
func TestDeliver_RetryWaitsForEndOfQuietHours(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	match := w.match()
	w.device(1)
	w.message("hello", 5*time.Second)
	w.notify(time.Now())
	matchPush := w.matchPush(match)
	w.changeSettings(quietHoursFor(3))
	result, err := w.s.Deliver(context.Background(), w.job())
	require.NoError(t, err)
	require.Equal(t, push.Later, result.Outcome)
	require.Greater(t, result.RetryAfter, 2*time.Hour, "the push is snoozed until the quiet hours end")
	require.LessOrEqual(t, result.RetryAfter, 3*time.Hour)
	result, err = w.s.Deliver(context.Background(), matchPush)
	require.NoError(t, err)
	require.Equal(t, push.Later, result.Outcome)
	require.Empty(t, w.phone.sent)
}

func TestDeliver_LaterPushIncludesEarlierMessages(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.device(1)
	w.message("one", 9*time.Second)
	w.notify(time.Now())
	w.message("two", 5*time.Second)
	w.notify(time.Now())
	require.Equal(t, 2, w.pushes())
	w.deliverAll()
	require.Len(t, w.phone.sent, 1, "the first push was not sent before the second decision")
	title, _ := w.newestShown()
	require.Equal(t, "2 new messages from Ada", title)
}

func TestNotifyMatch_RespectsCategory(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	match := w.match()
	w.device(1)
	w.changeSettings(func(p *notifications.Preferences) { p.Matches = false })
	require.Zero(t, w.notifyMatch(match))
	w.changeSettings(func(p *notifications.Preferences) { p.Messages = false })
	w.Exec(`UPDATE push_subscriptions SET categories = '{messages}'`)
	require.Zero(t, w.notifyMatch(match))
	w.Exec(`UPDATE push_subscriptions SET categories = '{matches}'`)
	require.Equal(t, 1, w.notifyMatch(match))
	args := w.matchPush(match)
	w.changeSettings(func(p *notifications.Preferences) { p.Matches = false })
	w.requireNotDelivered(args, "the category was turned off after the decision")
}

func TestDeliver_BadgeCountsUnmutedConversations(t *testing.T) {
	t.Parallel()
	for change, badge := range map[string]int{
		`SELECT`: 2,
		`UPDATE conversations SET b_muted_until = 'infinity', a_muted_until = 'infinity' WHERE id <> $1`: 1,
		`UPDATE messages SET content = '', deleted_at = now() WHERE conversation_id <> $1`:               1,
		`UPDATE conversations SET closed_at = now() WHERE id <> $1`:                                      1,
		`UPDATE conversations SET requested_by = user_a WHERE id <> $1`:                                  1,
	} {
		w := newEnv(t)
		w.device(1)
		w.message("hello", 5*time.Second)
		c, id := w.member("Cy"), uuid.Must(uuid.NewV7())
		w.Exec(`INSERT INTO conversations (id, user_a, user_b, last_seq) VALUES ($1, least($2::uuid, $3), greatest($2::uuid, $3), 1)`, id, c.ID, w.b.ID)
		w.Exec(`INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content) VALUES ($1, $2, 1, $3, $1, 'hi')`, uuid.Must(uuid.NewV7()), id, c.ID)
		if change != `SELECT` {
			w.Exec(change, w.conversation)
		}
		w.notify(time.Now())
		w.deliverAll()
		require.Contains(t, string(w.phone.sent[0].Payload), fmt.Sprintf(`"app_badge":%d`, badge), change)
	}
}

// notifyLikes runs the decision for b once, and returns the pushes.
func (w *env) notifyLikes() (wait time.Duration, pushes []notifications.PushArgs) {
	w.Helper()
	ctx := context.Background()
	require.NoError(w, pgx.BeginFunc(ctx, w.Pool, func(tx pgx.Tx) (err error) {
		wait, err = w.s.NotifyLikes(ctx, tx, w.jobs, matching.NotifyLikesArgs{MemberID: w.b.ID})
		return err
	}))
	return wait, w.removePushes()
}

// like stores a like of b by a new member.
func (w *env) like(name string) uuid.UUID {
	from, _ := w.likeOfKind(name, matching.Like)
	return from
}

// likeOfKind stores a like of b by a new member, and returns the ids of the new member and
// of the like.
func (w *env) likeOfKind(name string, kind matching.Kind) (from, like uuid.UUID) {
	from, like = w.member(name).ID, uuid.New()
	w.Exec(`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type, created_at) VALUES ($1, $2, $3, $4, clock_timestamp())`,
		like, from, w.b.ID, kind)
	return from, like
}

func TestNotifyLikes_LinksToNewestSuperLike(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.device(1)
	_, like := w.likeOfKind("Maya", matching.SuperLike)
	_, pushes := w.notifyLikes()
	require.Len(t, pushes, 1)
	n := w.shownBy(*w.deliver(pushes[0]))
	require.Equal(t, "Maya super liked you", n.Title)
	require.Equal(t, "https://heartward.test/matches/likes?celebrate="+like.String(), n.Navigate)

	w.likeOfKind("Zoe", matching.SuperLike)
	_, newest := w.likeOfKind("Lea", matching.SuperLike)
	w.like("Kim")
	_, pushes = w.notifyLikes()
	require.Len(t, pushes, 1)
	n = w.shownBy(*w.deliver(pushes[0]))
	require.Equal(t, "3 people like you", n.Title)
	require.Equal(t, "https://heartward.test/matches/likes?celebrate="+newest.String(), n.Navigate)
}

func TestNotifyLikes_CollectsLikes(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.device(1)
	_, pushes := w.notifyLikes()
	require.Empty(t, pushes)
	w.like("Maya")
	_, pushes = w.notifyLikes()
	require.Len(t, pushes, 1)
	_, again := w.notifyLikes()
	require.Empty(t, again, "a repeated decision enqueues nothing")
	sent := w.deliver(pushes[0])
	require.NotNil(t, sent)
	require.Equal(t, "Maya likes you", w.shownBy(*sent).Title)
	require.Equal(t, push.Low, sent.Urgency)
	require.Equal(t, "https://heartward.test/matches/likes", w.shownBy(*sent).Navigate)

	for _, name := range []string{"Lea", "Kim", "Joe"} {
		w.like(name)
	}
	blocked := w.like("Ivo")
	w.Exec(`INSERT INTO blocks (blocker_id, blocked_id) VALUES ($1, $2)`, w.b.ID, blocked)
	_, pushes = w.notifyLikes()
	require.Len(t, pushes, 1)
	require.Equal(t, "3 people like you", w.shownBy(*w.deliver(pushes[0])).Title)

	w.changeSettings(func(p *notifications.Preferences) { p.Likes = false })
	require.Nil(t, w.deliver(pushes[0]), "the category was turned off after the decision")
	w.like("Hal")
	_, pushes = w.notifyLikes()
	require.Empty(t, pushes)
	w.changeSettings(quietHoursFor(1))
	wait, pushes := w.notifyLikes()
	require.Positive(t, wait)
	require.Empty(t, pushes)
	w.changeSettings(func(*notifications.Preferences) {})
	require.NoError(t, members.Touch(t.Context(), w.Pool, w.b.ID))
	_, pushes = w.notifyLikes()
	require.Empty(t, pushes, "the member has used the app since the like")
	w.like("Gus")
	w.setOnline()
	_, pushes = w.notifyLikes()
	require.Empty(t, pushes, "a connected member received the event")
}

// Saving the settings does not reset the time of the last notification of likes.
func TestSaveSettings_KeepsNotifiedLikes(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.device(1)
	w.like("Maya")
	_, pushes := w.notifyLikes()
	require.Len(t, pushes, 1)
	w.changeSettings(func(p *notifications.Preferences) { p.Badges = false })
	_, pushes = w.notifyLikes()
	require.Empty(t, pushes)
}

func TestPush_OnlyToDevicesThatWantTheCategory(t *testing.T) {
	t.Parallel()
	for _, category := range []notifications.Category{"messages", "matches", "likes", "community", "graduation", "badges", "digest"} {
		w := newEnv(t)
		w.device(1)
		w.device(2)
		w.Exec(`UPDATE push_subscriptions SET categories = ARRAY[$1] WHERE endpoint LIKE '%/1'`, string(category))
		w.Exec(`UPDATE push_subscriptions SET categories = '{}' WHERE endpoint LIKE '%/2'`)
		pushesAfterNews := func() int {
			require.NoError(t, pgx.BeginFunc(context.Background(), w.Pool, func(tx pgx.Tx) error {
				return w.s.Push(context.Background(), tx, w.jobs, w.b.ID, notifications.Notification{Category: category, Title: "News", Path: "/", Tag: "news"})
			}))
			return w.pushes()
		}
		require.Equal(t, 1, pushesAfterNews(), category)
		w.SetPreference(w.b.ID, string(category), false)
		require.Equal(t, 1, pushesAfterNews(), category)
	}
}
