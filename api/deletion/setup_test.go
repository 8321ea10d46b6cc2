package deletion_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/deletion"
	"heartward/api/matching"
	"heartward/api/moderation"
	"heartward/api/platform/blobs"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/files"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

type env struct {
	testkit.DB
	blobs *blobs.Service
	store *files.Store
	jobs  jobqueue.Inserter
}

func newEnv(t *testing.T) *env {
	t.Helper()
	db := pgtest.NewDB(t)
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	return &env{DB: db, blobs: blobs.New(db.Pool, store), store: store, jobs: pgtest.Jobs(t, db.Pool)}
}

// moderation returns the moderation service, which is the Departures of the tests.
func (w *env) moderation() *moderation.Service {
	events := &bustest.Recorder{}
	return moderation.New(w.Pool, events, matching.New(w.Pool, events, w.jobs), w.blobs, w.jobs, []byte(strings.Repeat("k", 32)))
}

// makeDue makes the deletion of the account due.
func (w *env) makeDue(id uuid.UUID) {
	w.Helper()
	w.Exec(`UPDATE users SET profile_status = 'leaving', deletion_due_at = now() WHERE id = $1`, id)
}

// interrupter is a tracer that cancels the statement number failAt of a pool, counted from 0.
type interrupter struct{ failAt, started atomic.Int64 }

func (i *interrupter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	if i.started.Add(1)-1 == i.failAt.Load() {
		canceled, cancel := context.WithCancel(ctx)
		cancel()
		return canceled
	}
	return ctx
}

func (i *interrupter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// interruptedDelete runs the deletion on a pool that fails at the statement number n.
func (w *env) interruptedDelete(id uuid.UUID, n int) error {
	w.Helper()
	tracer := &interrupter{}
	tracer.failAt.Store(int64(n))
	pool := pgtest.Traced(w, w.Pool, tracer)
	defer pool.Close()
	return deletion.Delete(w.Context(), pool, w.jobs, w.moderation(), api.Data(), id)
}

// mark is in every text of the member.
const mark = "Zebulontrace"

type filledMember struct {
	id            uuid.UUID
	email         string
	files         []uuid.UUID
	evidence      uuid.UUID   // the one of files that a report retains
	conversations []uuid.UUID // those that the other members keep
}

func (m filledMember) fileIDs() (ids []string) {
	for _, file := range m.files {
		ids = append(ids, file.String())
	}
	return ids
}

func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

func (w *env) insertUser(id uuid.UUID, email, name string) {
	w.Helper()
	w.Member(name, testkit.Columns{"id": id, "email": email, "bio": name, "city": name})
}

func (w *env) insertFile(owner uuid.UUID) uuid.UUID {
	w.Helper()
	id := newID()
	w.Exec(`INSERT INTO files (id, owner_id, content_type, bytes) VALUES ($1, $2, 'image/webp', 4)`, id, owner)
	require.NoError(w, w.store.Put(w.Context(), blobs.Key(id, blobs.Full), "image/webp", bytes.NewReader([]byte("blob"))))
	return id
}

func (w *env) hasBlob(id uuid.UUID) bool {
	w.Helper()
	_, err := w.store.Size(w.Context(), blobs.Key(id, blobs.Full))
	return err == nil
}

// insertConversation inserts a conversation with a message of each member, who have reacted to
// each other's.
func (w *env) insertConversation(a, b uuid.UUID) uuid.UUID {
	w.Helper()
	id := newID()
	w.Exec(`INSERT INTO conversations (id, user_a, user_b, last_seq, last_sender) VALUES ($1, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid), 3, $2)`, id, a, b)
	for seq, sender := range []uuid.UUID{a, b, a} {
		text := "words of another"
		if sender == a {
			text = "words of " + mark
		}
		w.Exec(`INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content, sender_reaction, receiver_reaction)
			VALUES (gen_random_uuid(), $1, $2, $3, gen_random_uuid(), $4, '💛', '🔥')`, id, seq+1, sender, text)
	}
	return id
}

// fillMember inserts a member with rows in every table that can have some, and the members
// that these need.
func (w *env) fillMember() filledMember {
	w.Helper()
	ids := []uuid.UUID{newID(), newID(), newID(), newID(), newID()}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	m := filledMember{id: ids[2], email: "zebulon@trace.example"}
	for n, id := range ids {
		if id != m.id {
			w.insertUser(id, string(rune('a'+n))+"@other.example", "Other")
		}
	}
	w.insertUser(m.id, m.email, mark)
	low, low2, high, high2 := ids[0], ids[1], ids[3], ids[4]
	for range 5 {
		m.files = append(m.files, w.insertFile(m.id))
	}
	w.fillProfile(m, low)
	w.fillMatching(m, low, high)

	m.conversations = []uuid.UUID{w.insertConversation(m.id, low), w.insertConversation(m.id, high)}
	closed, request := w.insertConversation(m.id, low2), w.insertConversation(m.id, high2)
	w.Exec(`UPDATE conversations SET closed_at = now() WHERE id = $1`, closed)
	w.Exec(`UPDATE conversations SET requested_by = $2 WHERE id = $1`, request, m.id)
	for n, file := range m.files[3:] {
		w.Exec(`INSERT INTO message_files (file_id, conversation_id, seq, position) VALUES ($1, $2, 1, $3)`, file, m.conversations[0], n)
	}
	m.evidence = m.files[4]
	w.fillDates(m)
	w.fillModeration(m, high)
	testkit.FillMember(w, w.Pool, m.id, high, mark)
	return m
}

func (w *env) fillProfile(m filledMember, other uuid.UUID) {
	w.Helper()
	w.Exec(`INSERT INTO member_activity (user_id, last_active_at) VALUES ($1, now())`, m.id) // a trigger writes active_days
	w.Exec(`INSERT INTO weekly_showings (member_id, week, times) VALUES ($1, '2026-11-23', 1)`, m.id)
	w.Exec(`INSERT INTO member_media (file_id, user_id, slot, position, caption) VALUES ($1, $2, 'photo', 1, $3)`, m.files[0], m.id, mark)
	w.Exec(`INSERT INTO member_prompts (user_id, position, question, answer, voice_id) VALUES ($1, 1, 'Why?', $2, $3)`, m.id, mark, m.files[1])
	w.Exec(`INSERT INTO town_changes (user_id) VALUES ($1)`, m.id)
	w.Exec(`UPDATE system_settings SET updated_by = $1`, m.id)
	w.Exec(`INSERT INTO discovery_filters (user_id, filters) VALUES ($1, '{}')`, m.id)
	w.Exec(`INSERT INTO uploads (id, owner_id, length, expires_at) VALUES (gen_random_uuid(), $1, 10, now() + interval '1 day')`, m.id)
	w.Exec(`INSERT INTO sessions (id, token_hash, user_id, expires_at, user_agent, place) VALUES (gen_random_uuid(), sha256('a'), $1, now() + interval '1 day', $2, $2)`, m.id, mark)
	w.Exec(`INSERT INTO security_notices (id, user_id, kind, session_id, user_agent, place, token_hash, created_at) VALUES (gen_random_uuid(), $1, 'sign_in', gen_random_uuid(), $2, $2, sha256('n'), now())`, m.id, mark)
	w.Exec(`INSERT INTO email_changes (id, user_id, new_email, session_id, user_agent, place, expires_at) VALUES (gen_random_uuid(), $1, lower($2) || '@new.example', gen_random_uuid(), $2, $2, now())`, m.id, mark)
	w.Exec(`INSERT INTO earlier_addresses (id, user_id, email, abuse_key, token_hash, changed_at, expires_at)
		VALUES (gen_random_uuid(), $1, $2 || '@old.example', lower($2) || '@old.example', sha256('e'), now(), now())`, m.id, mark)
	w.Exec(`INSERT INTO passkeys (id, user_id, credential_id, public_key, sign_count, flags, name) VALUES (gen_random_uuid(), $1, 'c', 'k', 0, 0, $2)`, m.id, mark)
	w.Exec(`INSERT INTO passkey_challenges (id, purpose, user_id, browser_hash, data, expires_at) VALUES (gen_random_uuid(), 'prove', $1, sha256('b'), '{}', now())`, m.id)
	w.Exec(`INSERT INTO authenticator_apps (user_id, secret) VALUES ($1, 's')`, m.id)
	w.Exec(`INSERT INTO recovery_codes (user_id, code_mac) VALUES ($1, sha256('r'))`, m.id)
	w.Exec(`INSERT INTO factor_setup_codes (user_id, code_hash, expires_at) VALUES ($1, sha256('c'), now())`, m.id)
	w.Exec(`INSERT INTO known_browsers (user_id, browser_hash) VALUES ($1, sha256('b'))`, m.id)
	w.Exec(`INSERT INTO login_codes (id, email, code_mac, browser_hash, expires_at) VALUES (gen_random_uuid(), $1, sha256('c'), sha256('b'), now())`, m.email)
	w.Exec(`INSERT INTO push_subscriptions (id, user_id, endpoint, p256dh, auth) VALUES (gen_random_uuid(), $1, 'https://push.example/' || $2, 'k', 'a')`, m.id, mark)
	w.Exec(`INSERT INTO notification_settings (user_id, preferences) VALUES ($1, '{"quietFrom": "22:00", "quietTo": "07:00"}')`, m.id)
	w.Exec(`INSERT INTO digest_runs (week, enqueued_to) VALUES ('2026-11-23', $1)`, m.id)
	w.Exec(`INSERT INTO digest_mails (user_id, week, state) VALUES ($1, '2026-11-23', 'queued')`, m.id)
	w.Exec(`INSERT INTO exports (id, user_id, file_id, bytes, ready_at) VALUES (gen_random_uuid(), $1, gen_random_uuid(), 1, now())`, m.id)
	w.Exec(`INSERT INTO presence (user_id, node) VALUES ($1, gen_random_uuid())`, m.id)
	w.Exec(`INSERT INTO referrals (id, referrer_id, referred_user_id, referral_code, joined_at) VALUES
		(gen_random_uuid(), $1, $2, 'ABCDEF', now()), (gen_random_uuid(), $2, $1, 'ABCDEF', now())`, m.id, other)
	w.Exec(`INSERT INTO referrals (id, referrer_id, referral_code, email, address_mac, client_id) VALUES
		('019a0000-0000-7000-8000-00000000aaaa', $1, 'ABCDEFGHJKLM', lower($2) || '@friend.example', sha256('f'), gen_random_uuid())`, m.id, mark)
	w.Exec(`INSERT INTO invited_addresses (address_mac, mailed_at, referral_id) VALUES (sha256('f'), now(), '019a0000-0000-7000-8000-00000000aaaa')`)
	w.Exec(`INSERT INTO referral_tiers (user_id, level) VALUES ($1, 1)`, m.id)
	w.Exec(`INSERT INTO sanctions (id, user_id, kind, explanation, decided_by) VALUES
		(gen_random_uuid(), $1, 'warning', $3, $2), (gen_random_uuid(), $2, 'warning', '', $1)`, m.id, other, mark)
	w.Exec(`INSERT INTO appeals (sanction_id, user_id, content, explanation, decided_by) SELECT id, user_id, $3, $3, $2 FROM sanctions WHERE user_id = $1`, m.id, other, mark)
	w.Exec(`INSERT INTO appeals (sanction_id, user_id, content, decided_by) SELECT id, user_id, '', $2 FROM sanctions WHERE user_id = $1`, other, m.id)
	w.Exec(`INSERT INTO profile_reviews (user_id, subject, photo_id) VALUES ($1, 'photo', $2)`, m.id, m.files[0])
	w.Exec(`INSERT INTO profile_reviews (user_id, subject, opened_by, opened_at, decided_by, decided_at, status) VALUES ($1, 'photo', $2, now(), $2, now(), 'accepted')`, other, m.id)
	w.Exec(`INSERT INTO graduated_couples (user_one_id, user_two_id, legacy_message) VALUES ($1, $2, $3)`, m.id, other, mark)
	w.Exec(`INSERT INTO notification_positions (user_id, read_until) VALUES ($1, now())`, m.id)
	w.Exec(`INSERT INTO read_notifications (user_id, item, read_at) VALUES ($1, 'matched-1', now())`, m.id)
	post, comment, decided := newID(), newID(), newID()
	w.Exec(`INSERT INTO community_posts (id, author_id, client_id, title, excerpt, content, category, tags, featured_image) VALUES ($1, $2, $1, $3, $3, $3, 'advice', '{a}', $4)`,
		newID(), m.id, mark, w.insertFile(m.id))
	w.Exec(`INSERT INTO community_posts (id, author_id, client_id, title, excerpt, content, category, tags, status, published_at, decided_at, decided_by)
		VALUES ($1, $2, $1, 'T', 'E', 'C', 'advice', '{a}', 'published', now(), now(), $3)`, post, other, m.id)
	w.Exec(`INSERT INTO post_likes (post_id, user_id) VALUES ($1, $2)`, post, m.id)
	w.Exec(`INSERT INTO post_comments (id, post_id, author_id, client_id, content, decided_at, decided_by) VALUES ($1, $2, $3, $1, $4, now(), NULL), ($5, $2, $6, $5, 'other', now(), $3)`,
		comment, post, m.id, mark, decided, other)
	w.Exec(`INSERT INTO post_comments (post_id, parent_id, author_id, client_id, content) VALUES ($1, $2, $3, $2, 'a reply')`, post, comment, other)
	w.Exec(`INSERT INTO couple_members (user_id, couple_id, on_wall) SELECT user_one_id, id, true FROM graduated_couples WHERE user_one_id = $1`, m.id)
	w.Exec(`INSERT INTO couple_pictures (couple_id, user_id, position, file_id) SELECT couple_id, user_id, 1, $2 FROM couple_members WHERE user_id = $1`, m.id, m.files[0])
	w.Exec(`INSERT INTO love_pulse (id, user_id, date, day_starts, day_ends, question, mood, reflection, client_id, edited_at)
		VALUES (gen_random_uuid(), $1, '2026-11-23', '2026-11-23Z', '2026-11-24Z', 'What?', 'hopeful', $2, gen_random_uuid(), now())`, m.id, mark)
	w.Exec(`INSERT INTO pulse_sharing (user_id, couple_id) SELECT user_id, couple_id FROM couple_members WHERE user_id = $1`, m.id)
	w.Exec(`INSERT INTO graduated_couples (user_one_id, user_two_id, legacy_message, approved_by) SELECT $1::uuid, id, '', nullif($2::uuid, id) FROM users WHERE id <> $1`, other, m.id)
	w.Exec(`INSERT INTO shareable_moments (id, user_id, moment_type, subject_id, title, caption, image_id) VALUES ($1, $1, 'match', $2, 'New match', $3, $4)`, m.id, other, mark, m.files[1])
	w.Exec(`INSERT INTO shareable_moments (id, user_id, moment_type, subject_id, title, caption) VALUES ($1, $1, 'referral', gen_random_uuid(), 'A friend joined', '')`, other)
	w.Exec(`INSERT INTO moment_shares (moment_id, client_id, channel) VALUES ($1, gen_random_uuid(), 'copy')`, m.id)
	w.Exec(`INSERT INTO moment_consents (moment_id, peer_id) VALUES ($1, $2), ($2, $1)`, m.id, other)
	w.Exec(`INSERT INTO user_badges (user_id, badge_id) SELECT $1, id FROM badges WHERE icon = 'first_like'`, m.id)
	w.Exec(`INSERT INTO verifications (id, user_id, pose, selfie_id, status, submitted_at) VALUES (gen_random_uuid(), $1, 'wave', $2, 'pending', now())`, m.id, m.files[2])
	w.Exec(`INSERT INTO verifications (id, user_id, pose, opened_by, opened_at, decided_by, decided_at, status, submitted_at) VALUES (gen_random_uuid(), $1, 'wave', $2, now(), $2, now(), 'approved', now())`, other, m.id)
}

func (w *env) fillMatching(m filledMember, low, high uuid.UUID) {
	w.Helper()
	for _, other := range []uuid.UUID{low, high} {
		w.Exec(`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type, comment) VALUES
			(gen_random_uuid(), $1, $2, 'like', $3), (gen_random_uuid(), $2, $1, 'like', $3)`, m.id, other, mark)
		w.Exec(`INSERT INTO user_passes (from_user_id, to_user_id) VALUES ($1, $2), ($2, $1)`, m.id, other)
		w.Exec(`INSERT INTO matches (id, user_a, user_b, unmatched_by) VALUES (gen_random_uuid(), least($1::uuid, $2::uuid), greatest($1::uuid, $2::uuid), $1)`, m.id, other)
	}
	w.Exec(`INSERT INTO undone_passes (from_user_id, client_id) VALUES ($1, gen_random_uuid())`, m.id)
	w.Exec(`INSERT INTO blocks (blocker_id, blocked_id) VALUES ($1, $2), ($2, $1)`, m.id, low)
	w.Exec(`INSERT INTO address_blocks (id, blocker_id, address_mac, label) VALUES (gen_random_uuid(), $1, sha256('a'), $2)`, m.id, mark)
	w.Exec(`INSERT INTO blocks (blocker_id, blocked_id, entry_id) SELECT $1, $2, id FROM address_blocks`, m.id, low)
	w.Exec(`INSERT INTO bans (id, user_id, address_mac, expires_at) VALUES (gen_random_uuid(), $1, sha256('a'), now())`, m.id)
	w.Exec(`INSERT INTO banned_photos (ban_id, hash, algorithm) SELECT id, 1, 'dhash/1 keyed' FROM bans`)
	w.Exec(`INSERT INTO departed_members (id, user_id, address_mac) VALUES (gen_random_uuid(), $1, sha256('a'))`, m.id)
	w.Exec(`INSERT INTO departed_photos (departed_id, hash, algorithm) SELECT id, 1, 'dhash/1 keyed' FROM departed_members`)
	w.Exec(`INSERT INTO photo_hashes (photo_id, user_id, hash, algorithm) SELECT file_id, user_id, 1, 'dhash/1 keyed' FROM member_media WHERE user_id = $1`, m.id)
	w.Exec(`INSERT INTO lookalikes (member_id, original_id) VALUES ($1, $2), ($2, $1)`, m.id, low)
	w.Exec(`INSERT INTO age_refusals (subject_mac, expires_at) VALUES (sha256('a'), now())`)
}

func (w *env) fillDates(m filledMember) {
	w.Helper()
	date := newID()
	w.Exec(`INSERT INTO dates (id, conversation_id, created_by, client_id, place, note, at, time_zone, proposed_by, changed_by, message_seq)
		VALUES ($1, $2, $3, gen_random_uuid(), $4, $4, now() + interval '1 day', 'UTC', $3, $3, 1)`, date, m.conversations[0], m.id, mark)
	w.Exec(`INSERT INTO date_shares (token_hash, date_id, user_id, expires_at) VALUES (sha256('d'), $1, $2, now() + interval '1 day')`, date, m.id)
	w.Exec(`INSERT INTO date_feedback (date_id, user_id, met, note) VALUES ($1, $2, 'yes', $3)`, date, m.id, mark)
}

func (w *env) fillModeration(m filledMember, other uuid.UUID) {
	w.Helper()
	report := newID()
	w.Exec(`INSERT INTO reports (id, reporter_id, reported_user_id, reason, place, priority, evidence) VALUES ($1, $2, $3, 'spam', 'card', 2, jsonb_build_object('name', $4::text))`,
		report, other, m.id, mark)
	w.Exec(`INSERT INTO reports (id, reporter_id, reviewed_by, reason, place, priority) VALUES (gen_random_uuid(), $1, $1, 'spam', 'card', 2)`, m.id)
	w.Exec(`INSERT INTO evidence_files (subject_id, file_id, message_id, position, content_type) VALUES ($1, $2, gen_random_uuid(), 0, 'image/webp')`, report, m.evidence)
	w.Exec(`INSERT INTO queue_claims (kind, entry_id, moderator_id, expires_at) VALUES ('report', $1, $2, now() + interval '1 hour')`, report, m.id)
	w.Exec(`INSERT INTO message_flags (message_id, conversation_id, seq, sender_id, receiver_id, content, source, reviewed_by, reviewed_at, decision)
		VALUES (gen_random_uuid(), gen_random_uuid(), 1, $1, $2, $3, 'filter', NULL, NULL, NULL), (gen_random_uuid(), gen_random_uuid(), 1, $2, $1, 'x', 'filter', $1, now(), 'dismiss')`, m.id, other, mark)
	w.Exec(`INSERT INTO audit_log (admin_id, action, subject_id, reason) VALUES ($1, 'flag.warn', $2, 'seen'), ($2, 'flag.warn', $1, 'seen')`, other, m.id)
	w.Exec(`UPDATE message_flags SET answer = 'bothers', answered_at = now() WHERE receiver_id = $1`, m.id)
	w.Exec(`INSERT INTO daily_counts (day, member_id, rule, items) VALUES (now(), $1, 'shown', 1)`, m.id)
	w.Exec(`INSERT INTO daily_items (day, member_id, rule, item_id) VALUES (now(), $1, 'shown', $2), (now(), $2, 'shown', $1)`, m.id, other)
}
