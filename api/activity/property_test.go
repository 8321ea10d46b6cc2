package activity_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/activity"
)

// world applies random events about a member.
type world struct {
	*env
	random *rand.Rand
	me     uuid.UUID
	people []uuid.UUID
	read   model
}

func (w *world) pick() uuid.UUID { return w.people[w.random.IntN(len(w.people))] }

func (w *world) one(words ...string) string { return words[w.random.IntN(len(words))] }

// ago is a time on one of a few days, so that days have several events. 90 days are listed.
func (w *world) ago() time.Time {
	days := []int{0, 1, 2, 3, 20, 40, 89, 91, 100}
	since := time.Duration(days[w.random.IntN(len(days))]) * 24 * time.Hour
	return w.now.Add(-since - time.Minute - time.Duration(w.random.Int64N(int64(20*time.Hour)))).Truncate(time.Microsecond)
}

// events are SQL statements; @me is the member, @other one of the others, @at a time of the past.
var events = []string{
	`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type, created_at) VALUES (gen_random_uuid(), @other::uuid, @me::uuid, 'like', @at::timestamptz) ON CONFLICT DO NOTHING`,
	`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type, created_at) VALUES (gen_random_uuid(), @other::uuid, @me::uuid, 'like', @at::timestamptz) ON CONFLICT DO NOTHING`,
	`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type, created_at) VALUES (gen_random_uuid(), @other::uuid, @me::uuid, 'super_like', @at::timestamptz) ON CONFLICT DO NOTHING`,
	`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type, created_at) VALUES (gen_random_uuid(), @me::uuid, @other::uuid, 'like', @at::timestamptz) ON CONFLICT DO NOTHING`,
	`INSERT INTO user_passes (from_user_id, to_user_id, created_at) VALUES (@me::uuid, @other::uuid, @at::timestamptz) ON CONFLICT DO NOTHING`,
	`DELETE FROM user_passes WHERE to_user_id = @other::uuid`,
	`INSERT INTO matches (id, user_a, user_b, created_at) VALUES (gen_random_uuid(), least(@me::uuid, @other::uuid), greatest(@me::uuid, @other::uuid), @at::timestamptz) ON CONFLICT DO NOTHING`,
	`UPDATE matches SET unmatched_at = CASE WHEN unmatched_at IS NULL THEN now() END WHERE @other::uuid IN (user_a, user_b)`,
	`INSERT INTO conversations (id, user_a, user_b, last_seq, last_message_at, requested_by)
		VALUES (gen_random_uuid(), least(@me::uuid, @other::uuid), greatest(@me::uuid, @other::uuid), 1, @at::timestamptz, CASE @word::text WHEN 'a' THEN @other::uuid WHEN 'b' THEN @me::uuid END)
		ON CONFLICT (user_a, user_b) DO UPDATE SET requested_by = excluded.requested_by, declined_at = NULL, closed_at = NULL`,
	`UPDATE conversations SET declined_at = now() WHERE @other::uuid IN (user_a, user_b) AND requested_by IS NOT NULL`,
	`UPDATE conversations SET closed_at = now() WHERE @other::uuid IN (user_a, user_b) AND @word::text = 'a'`,
	`INSERT INTO dates (id, conversation_id, created_by, client_id, place, at, time_zone, status, proposed_by, proposed_at, changed_by, accepted_at, updated_at, message_seq)
		SELECT gen_random_uuid(), id, @me::uuid, gen_random_uuid(), 'Café', greatest(@at::timestamptz + interval '1 minute', now() + CASE @word::text WHEN 'a' THEN interval '2 hours' WHEN 'b' THEN interval '-2 hours' ELSE interval '2 days' END),
			'UTC', 'proposed', CASE @word::text WHEN 'c' THEN @me::uuid ELSE @other::uuid END, @at::timestamptz, CASE @word::text WHEN 'c' THEN @me::uuid ELSE @other::uuid END, NULL, @at::timestamptz, 1
		FROM conversations WHERE @other::uuid IN (user_a, user_b)`,
	`UPDATE dates SET status = 'accepted', accepted_at = @at::timestamptz, updated_at = @at::timestamptz, changed_by = CASE proposed_by WHEN @me::uuid THEN @other::uuid ELSE @me::uuid END
		WHERE status = 'proposed' AND conversation_id IN (SELECT id FROM conversations WHERE @other::uuid IN (user_a, user_b))`,
	`UPDATE dates SET status = 'declined', accepted_at = NULL, updated_at = @at::timestamptz, changed_by = CASE proposed_by WHEN @me::uuid THEN @other::uuid ELSE @me::uuid END
		WHERE status = 'proposed' AND conversation_id IN (SELECT id FROM conversations WHERE @other::uuid IN (user_a, user_b))`,
	`UPDATE dates SET status = 'cancelled', accepted_at = NULL, updated_at = @at::timestamptz, changed_by = CASE @word::text WHEN 'a' THEN @me::uuid ELSE @other::uuid END
		WHERE status = 'accepted' AND conversation_id IN (SELECT id FROM conversations WHERE @other::uuid IN (user_a, user_b))`,
	`INSERT INTO graduated_couples (user_one_id, user_two_id, requested_at) VALUES (CASE @word::text WHEN 'a' THEN @me::uuid ELSE @other::uuid END, CASE @word::text WHEN 'a' THEN @other::uuid ELSE @me::uuid END, @at::timestamptz)`,
	`UPDATE graduated_couples SET status = 'pending', accepted_at = @at::timestamptz WHERE status = 'asked'`,
	`UPDATE graduated_couples SET status = 'pending', accepted_at = @at::timestamptz WHERE status = 'asked'`,
	`UPDATE graduated_couples SET status = 'graduated', approved_at = @at::timestamptz WHERE status = 'pending'`,
	`UPDATE graduated_couples SET status = 'rejected', ended_at = @at::timestamptz, reason = 'No' WHERE status = 'pending'`,
	`UPDATE graduated_couples SET status = CASE @word::text WHEN 'a' THEN 'declined' ELSE 'withdrawn' END, ended_at = @at::timestamptz WHERE status = 'asked'`,
	`INSERT INTO verifications (id, user_id, pose, status, submitted_at, decided_at) VALUES (gen_random_uuid(), @me::uuid, 'wave', CASE @word::text WHEN 'a' THEN 'approved' ELSE 'rejected' END, @at::timestamptz, @at::timestamptz)`,
	`INSERT INTO profile_reviews (user_id, subject, status, decided_at, reason)
		VALUES (@me::uuid, CASE @pick::text WHEN 'x' THEN 'photo' ELSE 'profile' END, CASE @word::text WHEN 'b' THEN 'declined' ELSE 'accepted' END, @at::timestamptz, CASE @word::text WHEN 'b' THEN 'No' ELSE '' END)
		ON CONFLICT (user_id) DO UPDATE SET subject = excluded.subject, status = excluded.status, decided_at = excluded.decided_at, reason = excluded.reason, id = excluded.id`,
	`UPDATE profile_reviews SET status = 'pending', decided_at = NULL, reason = '' WHERE @word::text = 'a'`,
	`INSERT INTO reports (id, reporter_id, reported_user_id, reason, place, priority) VALUES (gen_random_uuid(), @me::uuid, @other::uuid, 'spam', 'card', 2) ON CONFLICT DO NOTHING`,
	`UPDATE reports SET status = 'reviewed', reviewed_at = @at::timestamptz, action_taken = 'warn' WHERE reported_user_id = @other::uuid AND status = 'pending'`,
	`INSERT INTO sanctions (id, user_id, kind, explanation, created_at) VALUES (gen_random_uuid(), @me::uuid, CASE @word::text WHEN 'a' THEN 'warning' WHEN 'b' THEN 'review' ELSE 'reinstatement' END, '', @at::timestamptz)`,
	`INSERT INTO sanctions (id, user_id, kind, parts, explanation, created_at) VALUES (gen_random_uuid(), @me::uuid, 'removal', '{bio}', '', @at::timestamptz)`,
	`INSERT INTO sanctions (id, user_id, kind, parts, explanation, created_at) VALUES (gen_random_uuid(), @me::uuid, 'warning', '{bio}', '', @at::timestamptz)`,
	`INSERT INTO appeals (sanction_id, user_id, content, outcome, decided_at)
		SELECT id, user_id, '', CASE @word::text WHEN 'a' THEN 'upheld' WHEN 'b' THEN 'lifted' END, CASE WHEN @word::text <> 'c' THEN @at::timestamptz END FROM sanctions ON CONFLICT DO NOTHING`,
	`INSERT INTO security_notices (id, user_id, kind, session_id, user_agent, place, token_hash, created_at)
		VALUES (gen_random_uuid(), @me::uuid, CASE @word::text WHEN 'a' THEN 'sign_in' WHEN 'b' THEN 'passkey' ELSE 'email_wait' END, @me::uuid, '', '', sha256(uuid_send(gen_random_uuid())), @at::timestamptz)`,
	`INSERT INTO referrals (id, referrer_id, referred_user_id, referral_code, joined_at)
		SELECT gen_random_uuid(), @me::uuid, @other::uuid, 'ABCDEF', @at::timestamptz WHERE @word::text = 'a' ON CONFLICT DO NOTHING`,
	`UPDATE referrals SET status = CASE @word::text WHEN 'b' THEN 'refused' ELSE 'completed' END, completed_at = CASE WHEN @word::text <> 'b' THEN @at::timestamptz END
		WHERE referred_user_id = @other::uuid`,
	`INSERT INTO user_badges (user_id, badge_id, earned_at, is_notified, is_silent)
		SELECT @me::uuid, id, @at::timestamptz, @pick::text = 'x', n = 1 FROM (SELECT id, row_number() OVER (ORDER BY random()) AS n FROM badges) b WHERE n <= 2 ON CONFLICT DO NOTHING`,
	`INSERT INTO community_posts (author_id, client_id, title, excerpt, content, category, tags, status, published_at, decided_at, rejection_reason)
		SELECT CASE @pick::text WHEN 'x' THEN @me::uuid ELSE @other::uuid END, gen_random_uuid(), 'A title', 'An excerpt', 'A story', 'advice', ARRAY['a'],
			CASE @word::text WHEN 'a' THEN 'rejected' ELSE 'published' END, CASE WHEN @word::text <> 'a' THEN @at::timestamptz END, @at::timestamptz, CASE @word::text WHEN 'a' THEN 'No' ELSE '' END`,
	`UPDATE community_posts SET status = CASE @word::text WHEN 'a' THEN 'pending' ELSE 'published' END, published_at = coalesce(published_at, @at::timestamptz), rejection_reason = ''
		WHERE author_id = @me::uuid AND @pick::text = 'x'`,
	`INSERT INTO post_comments (post_id, author_id, client_id, content, created_at) SELECT id, @me::uuid, gen_random_uuid(), 'Hi', @at::timestamptz FROM community_posts ORDER BY random() LIMIT 2`,
	// At one time, so that they are told apart by their ids.
	`INSERT INTO post_comments (post_id, author_id, client_id, content, created_at)
		SELECT p.id, @other::uuid, gen_random_uuid(), 'Hi', @at::timestamptz FROM (SELECT id FROM community_posts ORDER BY random() LIMIT 2) p, generate_series(1, 2)`,
	`INSERT INTO post_comments (post_id, parent_id, author_id, client_id, content, created_at)
		SELECT post_id, id, @other::uuid, gen_random_uuid(), 'Hi', @at::timestamptz FROM post_comments WHERE parent_id IS NULL AND author_id = @me::uuid ORDER BY random() LIMIT 2`,
	`UPDATE post_comments SET status = CASE status WHEN 'hidden' THEN 'approved' ELSE 'hidden' END WHERE author_id = @other::uuid AND @word::text = 'a'`,
	`INSERT INTO couple_members (user_id, couple_id, on_wall)
		SELECT u, id, false FROM graduated_couples, unnest(ARRAY[user_one_id, user_two_id]) u WHERE status = 'graduated' ON CONFLICT DO NOTHING`,
	`DELETE FROM couple_members WHERE @word::text = 'a'`,
	`INSERT INTO pulse_sharing (user_id, couple_id, since) SELECT user_id, couple_id, @at::timestamptz FROM couple_members WHERE user_id <> @me::uuid OR @word::text = 'a' ON CONFLICT DO NOTHING`,
	`DELETE FROM pulse_sharing WHERE user_id = @me::uuid OR @word::text = 'a'`,
	`INSERT INTO near_waits (user_id, town_lat, town_lon, baseline, by_mail, checked_on, told_at)
		VALUES (@me::uuid, 45.5, -122.7, 0, false, '2026-01-01', CASE WHEN @word::text <> 'a' THEN @at::timestamptz END)
		ON CONFLICT (user_id) DO UPDATE SET told_at = excluded.told_at`,
	`INSERT INTO shareable_moments (id, user_id, moment_type, subject_id, title, caption)
		SELECT gen_random_uuid(), @other::uuid, 'match', id, 'New match', '' FROM matches WHERE @other::uuid IN (user_a, user_b) ON CONFLICT DO NOTHING`,
	`INSERT INTO moment_consents (moment_id, peer_id, asked_at) SELECT id, @me::uuid, @at::timestamptz FROM shareable_moments ON CONFLICT DO NOTHING`,
	`UPDATE moment_consents SET answer = CASE @word::text WHEN 'a' THEN 'given' ELSE 'declined' END, answered_at = now()
		WHERE moment_id IN (SELECT id FROM shareable_moments WHERE user_id = @other::uuid)`,
	`INSERT INTO blocks (blocker_id, blocked_id) VALUES (@me::uuid, @other::uuid) ON CONFLICT DO NOTHING`,
	`INSERT INTO blocks (blocker_id, blocked_id) VALUES (@other::uuid, @me::uuid) ON CONFLICT DO NOTHING`,
	`DELETE FROM blocks`,
	`UPDATE users SET paused_at = CASE WHEN paused_at IS NULL THEN now() END WHERE id = @other::uuid`,
	`UPDATE users SET incognito = NOT incognito WHERE id = @other::uuid`,
	`UPDATE users SET profile_status = CASE profile_status WHEN 'active' THEN 'suspended' ELSE 'active' END WHERE id = @other::uuid`,
	`UPDATE users SET is_graduated = NOT is_graduated WHERE id = @other::uuid`,
	`UPDATE users SET is_approved = NOT is_approved WHERE id = @other::uuid`,
}

func TestNotifications_EqualNaiveModel(t *testing.T) {
	t.Parallel()
	seen := map[activity.Kind]bool{}
	for seed := range uint64(3) {
		w := newWorld(t, seed)
		for step := range 320 {
			w.step()
			if step%10 == 0 {
				w.check(seen)
			}
		}
	}
	require.Greater(t, len(seen), 24, "kinds of events")
}

func newWorld(t *testing.T, seed uint64) *world {
	w := &world{env: newEnv(t), random: rand.New(rand.NewPCG(seed, 1)), read: model{items: map[string]time.Time{}}}
	w.me = w.member("Me", 1000)
	w.SetPreference(w.me, "timeZone", w.one("UTC", "Asia/Tokyo", "America/New_York"))
	for i := range 7 {
		w.people = append(w.people, w.member("Other"+string(rune('A'+i)), 1000))
	}
	return w
}

func (w *world) step() {
	w.Helper()
	switch w.random.IntN(25) {
	case 0: // deleted
		if len(w.people) > 5 {
			gone := w.random.IntN(len(w.people))
			w.Exec(`DELETE FROM users WHERE id = $1`, w.people[gone])
			w.people = slices.Delete(w.people, gone, gone+1)
		}
	case 1, 2:
		if list := w.notifications(w.me, 50); len(list) > 0 {
			item := itemOf(list[w.random.IntN(len(list))])
			w.env.read(w.me, time.Time{}, item)
			w.read.readItem(item)
		}
	case 3:
		if list := w.notifications(w.me, 50); len(list) > 0 && w.random.IntN(3) == 0 {
			until := list[w.random.IntN(len(list))].At
			w.env.read(w.me, until)
			w.read.readUntil(until)
		}
	default:
		w.named(events[w.random.IntN(len(events))], map[string]any{"me": w.me, "other": w.pick(), "at": w.ago(), "word": w.one("a", "b", "c"), "pick": w.one("x", "y")})
	}
}

// check compares list and count with the model's.
func (w *world) check(seen map[activity.Kind]bool) {
	w.Helper()
	want := w.load().list(w.read)
	var got []listed
	for _, n := range w.notifications(w.me, 1+w.random.IntN(50)) {
		item := listed{id: n.ID, at: n.At, isRead: n.IsRead}
		if n.User != nil {
			item.other = n.User.ID
		}
		require.NotEmpty(w, n.Path, n.ID)
		require.NotRegexp(w, `%|^$`, n.Text, n.ID)
		seen[n.Kind] = true
		got = append(got, item)
	}
	require.Equal(w, want, got)
	unread := 0
	for _, item := range want {
		if !item.isRead {
			unread++
		}
	}
	require.Equal(w, min(unread, 100), w.unread(w.me))
}
