package badges_test

import (
	"context"
	"encoding/json"
	"os"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/badges"
	"heartward/api/community"
	"heartward/api/matching"
	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/messaging"
	"heartward/api/messaging/guard"
	"heartward/api/messaging/messages"
	"heartward/api/moderation"
	"heartward/api/platform/blobs"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/files"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/api/referrals"
)

func TestMain(m *testing.M) {
	web.Prepare()
	os.Exit(m.Run())
}

// env has the services that cause awards, connected as wiring.New does.
type env struct {
	testkit.DB
	*badges.Service
	members  *members.Service
	matching *matching.Service
	chat     *messaging.Service
	board    *community.Service
	reports  *moderation.Service

	mu      sync.Mutex
	changed map[uuid.UUID]int // announcements by member
}

func newEnv(t *testing.T) *env {
	t.Helper()
	w := &env{DB: pgtest.NewDB(t), changed: map[uuid.UUID]int{}}
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	jobs := pgtest.Jobs(t, w.Pool)
	w.Service = badges.New(w.Pool, jobs)
	w.WatchChanges(func(member uuid.UUID) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.changed[member]++
	})
	b := blobs.New(w.Pool, store)
	w.members = members.New(w.Pool, b)
	mails, err := mail.NewFolder(t.TempDir())
	require.NoError(t, err)
	friends := referrals.New(w.Pool, mails, jobs, referrals.Config{Secret: make([]byte, 32)})
	w.members.Watch(func(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
		if err := friends.Complete(ctx, tx, id); err != nil {
			return err
		}
		return w.ProfileSaved(ctx, tx, id)
	})
	events := &bustest.Recorder{}
	w.matching = matching.New(w.Pool, events, jobs)
	w.matching.WatchLikes(func(ctx context.Context, tx pgx.Tx, ids ...uuid.UUID) error {
		return w.Enqueue(ctx, tx, badges.LikeSent, ids...)
	})
	w.matching.WatchMatches(func(ctx context.Context, tx pgx.Tx, _ uuid.UUID, ids ...uuid.UUID) error {
		return w.Enqueue(ctx, tx, badges.MatchMade, ids...)
	})
	w.chat = messaging.New(w.Pool, events, w.matching, jobs, messages.Unguarded).Unlimited()
	w.chat.Messages.WatchMilestones(func(ctx context.Context, tx pgx.Tx, ids ...uuid.UUID) error {
		return w.Enqueue(ctx, tx, badges.MessageSent, ids...)
	})
	w.reports = moderation.New(w.Pool, events, w.matching, b, jobs, make([]byte, 32))
	w.board = community.New(community.Deps{
		Pool: w.Pool, Blobs: b, Media: media.New(w.Pool, b, w.members, jobs, nil), Moderation: w.reports, Jobs: jobs, Classify: guard.Category,
	})
	w.board.WatchPublished(func(ctx context.Context, tx pgx.Tx, author uuid.UUID) error {
		return w.Enqueue(ctx, tx, badges.PostPublished, author)
	})
	w.chat.Start()
	t.Cleanup(func() { require.NoError(t, w.chat.Stop(context.Background())) })
	return w
}

func (w *env) join(name string) uuid.UUID {
	w.Helper()
	return w.Member(name + " Doe").ID
}

func (w *env) like(from, to uuid.UUID) {
	w.Helper()
	_, err := w.matching.Like(w.Context(), web.Actor{ID: from}, matching.LikeInput{To: to, Kind: matching.Like})
	require.NoError(w, err)
}

func (w *env) match(one, two uuid.UUID) {
	w.Helper()
	w.like(one, two)
	w.like(two, one)
}

func (w *env) write(from, to uuid.UUID) {
	w.Helper()
	_, err := w.chat.Messages.Send(w.Context(), web.Actor{ID: from}, messages.Outgoing{RecipientID: to, ClientID: uuid.Must(uuid.NewV7()), Content: "Hello"})
	require.NoError(w, err)
}

// submit sends in a post, which waits for a moderator.
func (w *env) submit(author uuid.UUID) community.ReviewItem {
	w.Helper()
	id := uuid.New()
	post, err := w.board.Create(w.Context(), web.Actor{ID: author}, id, community.Draft{
		Title: "Story " + id.String(), Excerpt: "A summary", Content: "A story that is longer than its summary.", Category: "advice",
	})
	require.NoError(w, err)
	return community.ReviewItem{ID: post.ID, Version: 1}
}

func (w *env) decide(action string, moderator uuid.UUID, posts ...community.ReviewItem) {
	w.Helper()
	results, err := w.board.DecidePosts(w.Context(), moderator, posts, community.Decision{Action: action, Reason: "A reason"})
	require.NoError(w, err)
	for _, result := range results {
		require.True(w, result.Stored)
	}
}

// addFile adds a stored file to a slot of the member's profile.
func (w *env) addFile(member uuid.UUID, slot members.Slot) error {
	w.Helper()
	return pg.TxDo(w.Context(), w.Pool, func(tx pgx.Tx) error {
		if err := members.Lock(w.Context(), tx, member); err != nil {
			return err
		}
		id := uuid.New()
		if _, err := tx.Exec(w.Context(), `INSERT INTO files (id, owner_id, content_type, bytes) VALUES ($1, $2, 'image/webp', 1)`, id, member); err != nil {
			return err
		}
		_, err := w.members.AddToSlot(w.Context(), tx, member, id, slot)
		return err
	})
}

// completeProfile fills in the profile of a member, and saves it once through the service.
func (w *env) completeProfile(member uuid.UUID) {
	w.Helper()
	w.Exec(`UPDATE users SET gender = 'woman', interested_in = '{man}', height_cm = 170, pronouns = '{Any}', intention_tags = '{Marriage}', bio = 'Hi', love_reflection = 'Yes',
		has_children = false, wants_children = true, education = 'masters', occupation = 'Baker', religion = 'other', personality_traits = '{Calm}',
		lifestyle_preferences = '{Foodie}', relationship_goals = '{Marriage}', languages = '{English}', drinking = '{Never drinks}', smoking = '{Never smokes}', pets = '{Dog}'
		WHERE id = $1`, member)
	for position := range 3 {
		w.Exec(`INSERT INTO member_prompts (user_id, position, question, answer) VALUES ($1, $2::smallint, $2::smallint || '?', 'Yes')
			ON CONFLICT DO NOTHING`, member, position+1)
	}
	_, err := w.members.Change(w.Context(), member, members.Changes{Bio: value("Hello")})
	require.NoError(w, err)
}

// inviteFriend adds a member who came by an invitation of the referrer.
func (w *env) inviteFriend(referrer uuid.UUID, name string) uuid.UUID {
	w.Helper()
	friend := w.join(name)
	w.Exec(`INSERT INTO referrals (id, referrer_id, referred_user_id, referral_code, joined_at) VALUES (gen_random_uuid(), $1, $2, 'FRIEND1', now())`, referrer, friend)
	return friend
}

// check is a job that an event has enqueued.
type check struct {
	id   int64
	args badges.CheckArgs
}

// takeChecks returns the enqueued checks, each once.
func (w *env) takeChecks() []check {
	w.Helper()
	rows, _ := w.Pool.Query(w.Context(), `DELETE FROM river_job WHERE kind = 'check_badges' RETURNING id, args`)
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c check, err error) {
		var args []byte
		if err := row.Scan(&c.id, &args); err != nil {
			return c, err
		}
		return c, json.Unmarshal(args, &c.args)
	})
	require.NoError(w, err)
	return list
}

// work runs checks as the worker does.
func (w *env) work(checks ...check) {
	w.Helper()
	for _, c := range checks {
		_, err := pg.Tx(w.Context(), w.Pool, func(tx pgx.Tx) (bool, error) { return w.Award(w.Context(), tx, c.args) })
		require.NoError(w, err)
	}
}

// has returns the icons of the member's badges, in the order of the list.
func (w *env) has(member uuid.UUID) []string {
	w.Helper()
	return testkit.SelectAll[string](w, w.Pool, `SELECT icon FROM earned_badges WHERE user_id = $1 ORDER BY badge_id`, member)
}

// all returns who has which badge.
func (w *env) all() []string {
	w.Helper()
	return testkit.SelectAll[string](w, w.Pool, `SELECT user_id || ' ' || icon FROM earned_badges ORDER BY 1`)
}
