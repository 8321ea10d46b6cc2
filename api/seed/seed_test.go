package seed_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	_ "github.com/gen2brain/webp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/activity"
	"heartward/api/discovery"
	"heartward/api/matching"
	"heartward/api/media"
	"heartward/api/messaging"
	"heartward/api/messaging/messages"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/mail"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/recordings"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/api/referrals"
	"heartward/api/seed"
)

// memoryStore is a blob store in memory.
type memoryStore struct {
	mu    sync.Mutex
	blobs map[string][]byte
	fail  bool
}

func (s *memoryStore) Put(_ context.Context, key, contentType string, r io.Reader) error {
	data, err := io.ReadAll(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail && len(s.blobs) > 20 {
		return errors.New("the store is full")
	}
	if (contentType == "image/webp") != strings.HasSuffix(key, ".webp") {
		return errors.New(key + " is stored as " + contentType)
	}
	if s.blobs == nil {
		s.blobs = map[string][]byte{}
	}
	s.blobs[key] = data
	return err
}

func (s *memoryStore) Delete(_ context.Context, key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.blobs, key)
	return nil
}

func idOf(t testing.TB, pool *pgxpool.Pool, email string) uuid.UUID {
	t.Helper()
	return testkit.Select[uuid.UUID](t, pool, `SELECT id FROM users WHERE email = $1`, email)
}

func TestRun_ChangesOnlyAnEmptyDatabase(t *testing.T) {
	t.Parallel()
	pool, store := pgtest.New(t), &memoryStore{}
	var created [2]int
	var wait sync.WaitGroup
	for i := range created {
		wait.Go(func() {
			n, err := seed.Run(context.Background(), pool, store, seed.Options{})
			assert.NoError(t, err)
			created[i] = n
		})
	}
	wait.Wait()
	assert.ElementsMatch(t, []int{0, 62}, created[:], "one of two concurrent runs creates members")
	blobs := len(store.blobs)
	second, err := seed.Run(t.Context(), pool, store, seed.Options{Members: 100})
	require.NoError(t, err)
	assert.Zero(t, second)
	assert.Equal(t, 62, testkit.Count(t, pool, `SELECT count(*) FROM users WHERE is_demo`))
	assert.Equal(t, 62, testkit.Count(t, pool, `SELECT count(*) FROM users`))
	assert.Len(t, store.blobs, blobs)
	assert.Equal(t, blobs, 2*testkit.Count(t, pool, `SELECT count(*) FROM files`)-testkit.Count(t, pool, `SELECT count(*) FROM files WHERE content_type = 'audio/webm'`),
		"there are two sizes of each picture, a poster of each video and no other blobs")
}

func TestRefreshActivity_MovesActivitiesOfDemoMembers(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := seed.Run(t.Context(), pool, &memoryStore{}, seed.Options{})
	require.NoError(t, err)
	demo := idOf(t, pool, seed.DemoEmail)
	const active = `SELECT count(*) FROM member_activity WHERE user_id <> $1 AND last_active_at BETWEEN now() - $2::interval AND now()`
	within := func(interval string) int { return testkit.Count(t, pool, active, demo, interval) }
	hour, week := within("1 hour"), within("7 days")
	require.Positive(t, hour)

	testkit.Exec(t, pool, `UPDATE member_activity SET last_active_at = last_active_at - interval '30 days'`)
	require.Zero(t, within("7 days"))
	require.NoError(t, seed.RefreshActivity(t.Context(), pool))
	assert.GreaterOrEqual(t, within("1 hour"), hour)
	assert.GreaterOrEqual(t, within("7 days"), week-1, "all but the admin")
	assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM member_activity WHERE user_id = $1 AND last_active_at < now() - interval '30 days'`, demo))

	// All activities stay unchanged if the newest is less than an hour old.
	const times = `SELECT array_agg(last_active_at ORDER BY user_id) FROM member_activity`
	var before, after []time.Time
	require.NoError(t, pool.QueryRow(t.Context(), times).Scan(&before))
	require.NoError(t, seed.RefreshActivity(t.Context(), pool))
	require.NoError(t, pool.QueryRow(t.Context(), times).Scan(&after))
	assert.Equal(t, before, after)
}

func TestRun_CastIsComplete(t *testing.T) {
	t.Parallel()
	pool, store := pgtest.New(t), &memoryStore{}
	_, err := seed.Run(t.Context(), pool, store, seed.Options{})
	require.NoError(t, err)
	assert.Zero(t, testkit.Count(t, pool, `SELECT count(*) FROM users u WHERE NOT EXISTS (SELECT FROM member_media m WHERE m.user_id = u.id AND m.slot = 'photo' AND m.position = 1)`))
	assert.Equal(t, 8, testkit.Count(t, pool, `SELECT count(*) FROM member_media WHERE slot = 'photo' AND position = 2`))
	assert.Zero(t, testkit.Count(t, pool, `SELECT count(*) FROM member_media WHERE caption = ''`), "every picture is described")
	for slot, minimum := range map[string]int{"header_banner": 20, "gallery_image": 30, "audio_greeting": 10, "video_greeting": 3} {
		assert.GreaterOrEqual(t, testkit.Count(t, pool, `SELECT count(*) FROM member_media WHERE slot = $1`, slot), minimum, slot)
	}
	assert.GreaterOrEqual(t, testkit.Count(t, pool, `SELECT count(*) FROM member_prompts p JOIN files f ON f.id = p.voice_id AND f.owner_id = p.user_id
		WHERE f.content_type = 'audio/webm' AND f.duration_ms > 0 AND cardinality(f.waveform) = 64`), 3, "recorded answers")
	assert.Zero(t, testkit.Count(t, pool, `SELECT count(*) FROM users WHERE cardinality(personality_traits) = 0 OR cardinality(lifestyle_preferences) = 0
		OR cardinality(relationship_goals) = 0 OR welcomed_at IS NULL`))
	assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM users WHERE paused_at IS NOT NULL`))
	assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM users WHERE incognito`))
	assert.Zero(t, testkit.Count(t, pool, `SELECT count(*) FROM users WHERE town_lat IS NULL`), "every town is real")
	assert.Equal(t, 60, testkit.Count(t, pool, `SELECT count(*) FROM (SELECT DISTINCT full_name FROM users WHERE email LIKE 'member%') names`))
	assert.Equal(t, 59, testkit.Count(t, pool, `SELECT count(*) FROM users u WHERE email LIKE 'member%' AND length(bio) > 40 AND occupation <> '' AND love_reflection <> ''
		AND cardinality(intention_tags) > 0 AND age_of(birth_date) BETWEEN 22 AND 58
		AND (SELECT count(*) FROM member_prompts p WHERE p.user_id = u.id) = 2`), "only the new member lacks them")
	assert.Zero(t, testkit.Count(t, pool, `SELECT count(*) FROM users u, unnest(u.intention_tags) tag WHERE NOT EXISTS (
		SELECT FROM system_settings WHERE setting_key = 'intention_tags' AND setting_value ? tag)`), "every tag can be chosen")
	totalBytes, isCounted := 0, map[string]bool{}
	for key, data := range store.blobs {
		id, variant, _ := strings.Cut(key, "/")
		if !isCounted[string(data)] {
			isCounted[string(data)] = true
			totalBytes += len(data)
		}
		var width, height int
		var contentType string
		require.NoError(t, pool.QueryRow(t.Context(), `SELECT coalesce(width, 0), coalesce(height, 0), content_type FROM files WHERE id = $1`, id).
			Scan(&width, &height, &contentType), key)
		if variant == "media" {
			kind := recordings.Audio
			if strings.HasPrefix(contentType, "video/") {
				kind = recordings.Video
			}
			found, err := recordings.Inspect(bytes.NewReader(data), int64(len(data)), kind, media.MaxVideo)
			require.NoError(t, err, "%s is not a recording that a member could upload", key)
			assert.Equal(t, contentType, found.ContentType)
			continue
		}
		picture, format, err := image.DecodeConfig(bytes.NewReader(data))
		require.NoError(t, err, key)
		assert.Equal(t, "webp", format)
		if variant != "thumb.webp" {
			assert.Equal(t, [2]int{width, height}, [2]int{picture.Width, picture.Height}, key)
		} else {
			assert.LessOrEqual(t, max(picture.Width, picture.Height), 480, key)
		}
	}
	assert.Less(t, totalBytes, 1_500_000, "all files are embedded in the binary")
}

// The demo members have different values in every column of the profile.
func TestRun_FillsEveryColumnOfProfiles(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := seed.Run(t.Context(), pool, &memoryStore{}, seed.Options{})
	require.NoError(t, err)
	// Columns that the seed leaves at their default.
	unset := []string{"birth_date_exact", "birth_date_changed_at", "is_moderator", "is_demo", "profile_status", "suspended_until", "deletion_due_at", "honor_code_at", "updated_at",
		"search_xid", "mailbox_number", "first_name_only", "hide_online", "hide_read_receipts", "hide_premium", "hide_badges", "profile_frame", "paused_until",
		"visit_city", "visit_state", "visit_lat", "visit_lon", "visit_until", "start_step"}
	columns := testkit.SelectAll[string](t, pool, `SELECT column_name::text FROM information_schema.columns
		WHERE table_name = 'users' AND table_schema = 'public' AND NOT column_name = ANY($1)`, unset)
	for _, column := range columns {
		assert.Greater(t, testkit.Count(t, pool, `SELECT count(*) FROM (SELECT DISTINCT `+column+` FROM users) one`), 1, "the seed does not fill %s", column)
	}
}

func TestRun_AccountsCanSignIn(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := seed.Run(t.Context(), pool, &memoryStore{}, seed.Options{})
	require.NoError(t, err)
	assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM users WHERE is_admin AND email = $1`, seed.AdminEmail))
	assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM users WHERE is_admin`))
	for _, email := range []string{seed.DemoEmail, seed.AdminEmail} {
		hash := testkit.Select[string](t, pool, `SELECT password_hash FROM users WHERE email = $1`, email)
		matches, err := argon2id.ComparePasswordAndHash(seed.Password, hash)
		require.NoError(t, err)
		assert.True(t, matches, email)
	}
	assert.Equal(t, 2, testkit.Count(t, pool, `SELECT count(*) FROM users WHERE password_hash IS NOT NULL`))
}

func TestRun_WithoutAdminHasOneAccountToSignInWith(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	created, err := seed.Run(t.Context(), pool, &memoryStore{}, seed.Options{Password: "another password", WithoutAdmin: true})
	require.NoError(t, err)
	assert.Equal(t, 61, created)
	assert.Zero(t, testkit.Count(t, pool, `SELECT count(*) FROM users WHERE is_admin OR email = $1`, seed.AdminEmail))
	assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM users WHERE password_hash IS NOT NULL`))
	changed, err := seed.ReplacePublishedPassword(t.Context(), pool, "a third password")
	require.NoError(t, err)
	assert.Zero(t, changed, "the password is not the published one")
}

func TestReplacePublishedPassword_ChangesBothAccounts(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := seed.Run(t.Context(), pool, &memoryStore{}, seed.Options{})
	require.NoError(t, err)
	for _, want := range []int{2, 0} {
		changed, err := seed.ReplacePublishedPassword(t.Context(), pool, "another password")
		require.NoError(t, err)
		assert.Equal(t, want, changed)
	}
	for _, email := range []string{seed.DemoEmail, seed.AdminEmail} {
		hash := testkit.Select[string](t, pool, `SELECT password_hash FROM users WHERE email = $1`, email)
		matches, err := argon2id.ComparePasswordAndHash("another password", hash)
		require.NoError(t, err)
		assert.True(t, matches, email)
	}
}

func TestRun_DemoMemberHasEveryKindOfContent(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := seed.Run(t.Context(), pool, &memoryStore{}, seed.Options{})
	require.NoError(t, err)
	demo := idOf(t, pool, seed.DemoEmail)
	actor := web.Actor{ID: demo}
	jobs := pgtest.Jobs(t, pool)
	service := matching.New(pool, discardBus{}, jobs)
	matches, _, err := service.Matches(t.Context(), actor, matching.ByNewest, "", 50)
	require.NoError(t, err)
	require.Len(t, matches, 6)
	assert.False(t, matches[0].Seen, "the newest match is unseen")
	assert.True(t, matches[1].Seen)

	assert.Greater(t, testkit.Count(t, pool, `SELECT count(*) FROM community_posts WHERE status = 'published' AND tags @> '{"first dates"}'`), 2)
	assert.Greater(t, testkit.Count(t, pool, `SELECT count(*) FROM community_posts WHERE published_at > now() - interval '7 days' AND like_count > 0`), 4)

	const conversationMessages = `SELECT count(*) FROM messages m JOIN conversations c ON c.id = m.conversation_id AND c.requested_by IS NULL`
	assert.Equal(t, 3, testkit.Count(t, pool, conversationMessages+` WHERE sender_id <> $1 AND read_at IS NULL`, demo))
	assert.Equal(t, 1, testkit.Count(t, pool, conversationMessages+` WHERE sender_id = $1 AND read_at IS NULL`, demo))
	assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM messages WHERE deleted_at IS NOT NULL`))
	assert.Greater(t, testkit.Count(t, pool, `SELECT count(*) FROM messages WHERE reply_to IS NOT NULL`), 3)

	states := map[string]int{}
	delta, err := messaging.New(pool, discardBus{}, service, jobs, messages.Unguarded).Conversations.Sync(t.Context(), actor, "", 50)
	require.NoError(t, err)
	for _, c := range delta.Conversations {
		states["request "+c.Request]++
		if c.PinnedAt != nil {
			states["pinned "+c.User.FirstName]++
		}
		if c.MutedUntil != nil {
			states["muted "+c.User.FirstName]++
		}
	}
	assert.Equal(t, map[string]int{"request none": 6, "request sent": 1, "request received": 1, "pinned Maya": 1, "muted Grace": 1}, states)

	for kind, files := range map[string]int{"audio": 1, "video": 1, "image": 2} {
		assert.Equal(t, files, testkit.Count(t, pool, `SELECT count(*) FROM messages m JOIN message_files mf USING (conversation_id, seq)
			JOIN files f ON f.id = mf.file_id AND f.owner_id = m.sender_id AND f.content_type LIKE m.message_type || '/%'
			WHERE m.message_type = $1`, kind), kind)
	}
	assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM conversations WHERE a_spoke <> b_spoke`), "only one member has sent a voice message, so there is no spark yet")

	likes, _, err := service.Received(t.Context(), actor, "", 50)
	require.NoError(t, err)
	require.Len(t, likes, 7, "one of them is incognito")
	assert.Positive(t, testkit.Count(t, pool, `SELECT count(*) FROM user_likes l JOIN member_media m ON m.file_id = l.photo_id AND m.user_id = l.to_user_id WHERE comment <> ''`))
	assert.Positive(t, testkit.Count(t, pool, `SELECT count(*) FROM user_likes l JOIN member_prompts p ON p.user_id = l.to_user_id AND p.question = l.prompt WHERE comment <> ''`))
	assert.Equal(t, 3, testkit.Count(t, pool, `SELECT count(*) FROM user_passes WHERE from_user_id = $1`, demo))
	stats, err := newReferrals(t, pool).Stats(t.Context(), actor, demo)
	require.NoError(t, err)
	assert.Equal(t, [3]int{5, 2, 2}, [3]int{stats.TotalReferrals, stats.CompletedReferrals, stats.PendingReferrals})
	assert.NotNil(t, stats.PremiumUntil)
	assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM referrals WHERE status = 'expired'`))
	assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM referrals WHERE email IS NOT NULL AND created_at > now() - interval '90 days'`))
	assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM users WHERE profile_theme IS NOT NULL AND premium_until > now()`))
	counts, err := service.Counts(t.Context(), actor)
	require.NoError(t, err)
	assert.Equal(t, 2, counts.DatesPlanned, "one date is in the future and one in the past")
	assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM dates WHERE at > now() + interval '1 day' AND status = 'accepted'`))
	happened := activity.New(pool, &bustest.Recorder{})
	notices, _, err := happened.Notifications(t.Context(), actor, "", 50)
	require.NoError(t, err)
	assert.Greater(t, len(notices), 10)
	assert.False(t, notices[0].IsRead)
	assert.True(t, notices[len(notices)-1].IsRead)
	events, _, err := happened.List(t.Context(), actor, "", 50)
	require.NoError(t, err)
	assert.Greater(t, len(events), 15)
	assert.NotContains(t, events[0].Text, "not shown")

	admirer := testkit.Select[uuid.UUID](t, pool, `SELECT id FROM users WHERE first_name = 'Rosa'`)
	result, err := service.Like(t.Context(), actor, matching.LikeInput{To: admirer, Kind: matching.Like})
	require.NoError(t, err)
	assert.True(t, result.IsMatch)
}

func TestRun_DemoMemberFindsOthersThanMatches(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := seed.Run(t.Context(), pool, &memoryStore{}, seed.Options{})
	require.NoError(t, err)
	demo := idOf(t, pool, seed.DemoEmail)
	matches, _, err := matching.New(pool, discardBus{}, pgtest.Jobs(t, pool)).Matches(t.Context(), web.Actor{ID: demo}, matching.ByNewest, "", 50)
	require.NoError(t, err)
	search := discovery.New(pool)
	require.NoError(t, search.Refresh(t.Context()))
	anywhere := discovery.DefaultFilters()
	anywhere.Location.MaxDistance = nil
	for name, set := range map[string]discovery.FilterSet{"default": discovery.DefaultFilters(), "anywhere": anywhere} {
		page, _, err := search.Search(t.Context(), demo, set, discovery.Page{Limit: 50})
		require.NoError(t, err)
		assert.Greater(t, len(page), 15, name)
		for _, candidate := range page {
			assert.NotEqual(t, "Admin", candidate.FirstName)
			for _, m := range matches {
				assert.NotEqual(t, m.User.ID, candidate.ID)
			}
		}
	}
}

func TestRun_RowsSatisfyTheInvariants(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := seed.Run(t.Context(), pool, &memoryStore{}, seed.Options{})
	require.NoError(t, err)
	assert.Zero(t, testkit.Count(t, pool, `SELECT count(*) FROM conversations c WHERE last_seq <> (SELECT count(*) FROM messages m WHERE m.conversation_id = c.id)
		OR last_message_at IS DISTINCT FROM (SELECT max(sent_at) FROM messages m WHERE m.conversation_id = c.id)`))
	assert.Zero(t, testkit.Count(t, pool, `SELECT count(*) FROM messages m JOIN conversations c ON c.id = m.conversation_id
		WHERE (m.read_at IS NOT NULL) <> (m.seq <= CASE WHEN m.sender_id = c.user_a THEN c.b_read_seq ELSE c.a_read_seq END)`))
	assert.Zero(t, testkit.Count(t, pool, `SELECT count(*) FROM messages m JOIN messages n USING (conversation_id) WHERE m.seq < n.seq AND m.sent_at >= n.sent_at`))
	assert.Zero(t, testkit.Count(t, pool, `SELECT count(*) FROM conversations c WHERE last_rev <> (SELECT coalesce(max(rev), 0) FROM messages m WHERE m.conversation_id = c.id)
		OR last_rev <> (SELECT count(*) FROM messages m WHERE m.conversation_id = c.id AND m.rev > 0)
		OR last_sender IS DISTINCT FROM (SELECT sender_id FROM messages m WHERE m.conversation_id = c.id AND m.seq = c.last_seq)`))
	assert.Zero(t, testkit.Count(t, pool, `SELECT count(*) FROM messages WHERE (rev > 0) <> (deleted_at IS NOT NULL OR sender_reaction IS NOT NULL OR receiver_reaction IS NOT NULL)`))
	assert.Zero(t, testkit.Count(t, pool, `SELECT count(*) FROM referrals r JOIN member_completeness c ON c.user_id = r.referred_user_id
		WHERE (c.percent >= 80) <> (r.status = 'completed')`))
	assert.Zero(t, testkit.Count(t, pool, `SELECT count(*) FROM dates d WHERE NOT EXISTS (SELECT FROM messages m WHERE m.conversation_id = d.conversation_id
		AND m.seq = d.message_seq AND m.date_id = d.id AND m.message_type = 'date' AND m.sender_id = d.changed_by)`))
}

type discardBus struct{}

func (discardBus) Publish(string, []byte) {}

func TestRun_IsReproducible(t *testing.T) {
	t.Parallel()
	var bios [2]string
	for i := range bios {
		pool := pgtest.New(t)
		created, err := seed.Run(t.Context(), pool, &memoryStore{}, seed.Options{Members: 500})
		require.NoError(t, err)
		assert.Equal(t, 502, created)
		assert.Equal(t, 62+8, testkit.Count(t, pool, `SELECT count(*) FROM member_media WHERE slot = 'photo'`), "only the cast and the two accounts have pictures")
		assert.Zero(t, testkit.Count(t, pool, `SELECT count(*) FROM users WHERE town_lat IS NULL`))
		require.NoError(t, pool.QueryRow(t.Context(), `SELECT string_agg(full_name || city || bio || intention_tags::text, '|' ORDER BY email) FROM users`).Scan(&bios[i]))
	}
	assert.Equal(t, bios[0], bios[1])
}

func TestRun_StoreFailureLeavesNoRows(t *testing.T) {
	t.Parallel()
	pool, store := pgtest.New(t), &memoryStore{fail: true}
	_, err := seed.Run(t.Context(), pool, store, seed.Options{})
	require.Error(t, err)
	assert.Empty(t, store.blobs)
	assert.Zero(t, testkit.Count(t, pool, `SELECT count(*) FROM users`))
}

func newReferrals(t *testing.T, pool *pgxpool.Pool) *referrals.Service {
	t.Helper()
	folder, err := mail.NewFolder(t.TempDir())
	require.NoError(t, err)
	return referrals.New(pool, folder, pgtest.Jobs(t, pool), referrals.Config{Secret: make([]byte, 32)})
}
