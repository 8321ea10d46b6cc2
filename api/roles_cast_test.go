package api_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/blobs"
	"heartward/api/platform/web"
	"heartward/api/pulse"
)

// roles are the columns of the tables of roles: the relation of the caller to the owner of
// what an operation is called for.
var roles = []string{"signed out", "owner", "match", "stranger", "blocked", "suspended", "under review", "moderator", "admin"}

// rightsOf returns the rights of a role.
func rightsOf(role string) web.Access {
	switch role {
	case "signed out":
		return web.Anyone
	case "suspended", "under review":
		return web.Account
	case "moderator", "admin":
		return web.Access(role)
	default:
		return web.Member
	}
}

// cast has a member with the given role for each column, and what the owner has and shares.
//
// The blocked member and the member under review are former and present matches of the owner.
// They are called for what they shared with the owner, the others for what the owner and the match share.
type cast struct {
	s       *env
	members map[string]uuid.UUID
	cookies map[string]string
	ids     map[string]string            // of the owner's things
	pairs   map[string]map[string]string // ids of what each of these members shares with the owner
}

// newCast inserts the members and their rows in one batch.
func (s *env) newCast() *cast {
	s.Helper()
	c := &cast{s: s, members: map[string]uuid.UUID{}, cookies: map[string]string{}, ids: map[string]string{}, pairs: map[string]map[string]string{}}
	batch := &pgx.Batch{}
	for _, role := range append(roles[1:], "writer", "blocker", "passed") {
		c.addMember(batch, role)
	}
	owner := c.members["owner"]
	batch.Queue(`UPDATE users SET is_admin = true WHERE id = $1`, c.members["admin"])
	batch.Queue(`UPDATE users SET is_moderator = true WHERE id = $1`, c.members["moderator"])
	batch.Queue(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, c.members["suspended"])
	batch.Queue(`UPDATE users SET profile_status = 'under_review' WHERE id = $1`, c.members["under review"])
	batch.Queue(`INSERT INTO sanctions (id, user_id, kind, explanation) VALUES ($1, $2, 'ban', 'Threats'), ($3, $4, 'ban', 'Spam')`,
		c.newID("sanction"), c.members["suspended"], c.newID("appealed"), owner)
	batch.Queue(`INSERT INTO appeals (sanction_id, user_id, content) VALUES ($1, $2, 'Why?')`, c.ids["appealed"], owner)
	c.addOwned(batch, owner)
	for _, role := range []string{"match", "blocked", "under review"} {
		c.addPair(batch, role)
	}
	batch.Queue(`UPDATE matches SET unmatched_at = now(), unmatched_by = $1 WHERE id = $2`, owner, c.pairs["blocked"]["match"])
	batch.Queue(`UPDATE conversations SET closed_at = now() WHERE id = $1`, c.pairs["blocked"]["conversation"])
	batch.Queue(`INSERT INTO blocks (blocker_id, blocked_id) VALUES ($1, $2), ($3, $1)`, owner, c.members["blocked"], c.members["blocker"])
	batch.Queue(`INSERT INTO address_blocks (id, blocker_id, address_mac, label) VALUES ($1, $2, sha256('a'), 'An ex')`, c.newID("address_block"), owner)
	request := c.newID("request")
	batch.Queue(`INSERT INTO conversations (id, user_a, user_b, requested_by, last_seq, last_sender, last_message_at)
		VALUES ($1, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid), $3, 1, $3, now())`, request, owner, c.members["writer"])
	batch.Queue(`INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content) VALUES ($1, $2, 1, $3, $1, 'Hello')`,
		uuid.New(), request, c.members["writer"])
	batch.Queue(`INSERT INTO user_passes (from_user_id, to_user_id) VALUES ($1, $2)`, owner, c.members["passed"])
	c.addCases(batch)
	require.NoError(s, s.Pool.SendBatch(s.Context(), batch).Close())
	return c
}

func (c *cast) newID(name string) uuid.UUID {
	id := uuid.New()
	c.ids[name] = id.String()
	return id
}

// addMember adds a member with a session.
func (c *cast) addMember(batch *pgx.Batch, role string) {
	id, session, token := uuid.New(), uuid.New(), uuid.NewString()
	hash := sha256.Sum256([]byte(token))
	c.members[role], c.cookies[role] = id, "sid="+token
	batch.Queue(`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code, intention_tags, religion, religion_counts)
		VALUES ($1, $2, 'Ada', 'Ada', '1990-01-01', $3, '{Long-term}', 'other', true)`, id, id.String()+"@role.example", id.String()[19:])
	batch.Queue(`INSERT INTO sessions (id, token_hash, user_id, expires_at) VALUES ($1, $2, $3, now() + interval '1 day')`, session, hash[:], id)
	c.ids[role] = id.String()
}

// addOwned adds what the owner alone has.
func (c *cast) addOwned(batch *pgx.Batch, owner uuid.UUID) {
	session := c.newID("session")
	hash := sha256.Sum256([]byte(session.String()))
	batch.Queue(`INSERT INTO sessions (id, token_hash, user_id, expires_at) VALUES ($1, $2, $3, now() + interval '1 day')`, session, hash[:], owner)
	for _, slot := range []string{"photo", "gallery_image"} {
		file := c.newFile(batch, slot, owner)
		batch.Queue(`INSERT INTO member_media (file_id, user_id, slot, position) VALUES ($1, $2, $3, 1)`, file, owner, slot)
	}
	c.newID("upload")
	batch.Queue(`INSERT INTO uploads (id, owner_id, length, expires_at) VALUES ($1, $2, 10, now() + interval '1 day')`, c.ids["upload"], owner)
	passkey := c.newID("passkey")
	batch.Queue(`INSERT INTO passkeys (id, user_id, credential_id, public_key, sign_count, flags, name) VALUES ($1, $2, $3, 'k', 0, 0, 'Phone')`, passkey, owner, passkey[:])
	c.ids["endpoint"] = "https://fcm.googleapis.com/fcm/send/" + uuid.NewString()
	batch.Queue(`INSERT INTO push_subscriptions (id, user_id, endpoint, p256dh, auth) VALUES (gen_random_uuid(), $1, $2, 'k', 'a')`, owner, c.ids["endpoint"])
	archive := uuid.New()
	require.NoError(c.s, c.s.store.Put(c.s.Context(), blobs.Key(archive, blobs.Archive), "application/zip", strings.NewReader("zip")))
	c.ids["exportToken"] = uuid.NewString()
	hash = sha256.Sum256([]byte(c.ids["exportToken"]))
	batch.Queue(`INSERT INTO exports (id, user_id, file_id, bytes, ready_at, link_hash, link_until)
		VALUES ($1, $2, $1, 3, now(), $3, now() + interval '1 minute')`, archive, owner, hash[:])
}

// newFile adds a file with a blob.
func (c *cast) newFile(batch *pgx.Batch, name string, owner uuid.UUID) uuid.UUID {
	id := c.newID(name)
	batch.Queue(`INSERT INTO files (id, owner_id, content_type, bytes) VALUES ($1, $2, 'image/webp', 4)`, id, owner)
	require.NoError(c.s, c.s.store.Put(c.s.Context(), blobs.Key(id, blobs.Full), "image/webp", strings.NewReader("blob")))
	return id
}

// addPair adds a match of the owner with a member, a conversation with messages of both, and
// dates that the member proposed: an open one, one that the owner accepted and one that took place.
func (c *cast) addPair(batch *pgx.Batch, role string) {
	owner, other := c.members["owner"], c.members[role]
	match, conversation, date, past, agreed := uuid.New(), uuid.New(), uuid.New(), uuid.New(), uuid.New()
	c.pairs[role] = map[string]string{"match": match.String(), "conversation": conversation.String(), "date": date.String(), "pastDate": past.String(), "agreedDate": agreed.String()}
	batch.Queue(`INSERT INTO matches (id, user_a, user_b) VALUES ($1, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid))`, match, owner, other)
	batch.Queue(`INSERT INTO conversations (id, user_a, user_b, match_id, last_seq, last_sender, last_message_at)
		VALUES ($1, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid), $4, 4, $3, now())`, conversation, owner, other, match)
	batch.Queue(`INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content, flag, message_type, date_id) VALUES
		($1, $2, 1, $3, gen_random_uuid(), 'Hello', 'harassment', 'text', NULL), ($4, $2, 2, $5, gen_random_uuid(), 'Hi', NULL, 'text', NULL),
		(gen_random_uuid(), $2, 3, $3, gen_random_uuid(), '', NULL, 'date', $6), (gen_random_uuid(), $2, 4, $3, gen_random_uuid(), '', NULL, 'date', $7)`,
		match, conversation, other, uuid.New(), owner, past, date)
	batch.Queue(`INSERT INTO dates (id, conversation_id, created_by, client_id, place, at, time_zone, proposed_by, changed_by, message_seq)
		VALUES ($1, $2, $3, $1, 'Café', now() + interval '1 day', 'UTC', $3, $3, 4)`, date, conversation, other)
	for id, days := range map[uuid.UUID]int{past: -1, agreed: 1} {
		batch.Queue(`INSERT INTO dates (id, conversation_id, created_by, client_id, place, at, time_zone, proposed_by, proposed_at, changed_by, message_seq, status, accepted_at)
			VALUES ($1, $2, $3, $1, 'Park', now() + $5 * interval '1 day', 'UTC', $3, now() - interval '2 days', $4, 3, 'accepted', now() - interval '2 days')`,
			id, conversation, other, owner, days)
	}
}

// addCases adds what an admin decides: a report about the owner, a flagged message to the
// owner and the owner's selfie. It also adds the link of a date that the owner shares.
func (c *cast) addCases(batch *pgx.Batch) {
	owner, match := c.members["owner"], c.members["match"]
	report := c.newID("report")
	batch.Queue(`INSERT INTO reports (id, reporter_id, reported_user_id, reason, place, priority) VALUES ($1, $2, $3, 'spam', 'card', 2)`, report, match, owner)
	batch.Queue(`INSERT INTO evidence_files (subject_id, file_id, slot, position, content_type) VALUES ($1, $2, 'photo', 1, 'image/webp')`, report, c.ids["photo"])
	flag := uuid.MustParse(c.pairs["match"]["match"]) // addPair uses one id for the match and its first message
	c.ids["flag"] = flag.String()
	flagged := c.newFile(batch, "flaggedFile", match)
	batch.Queue(`INSERT INTO evidence_files (subject_id, file_id, message_id, position, content_type) VALUES ($1, $2, $1, 0, 'image/webp')`, flag, flagged)
	batch.Queue(`INSERT INTO removed_parts (user_id, sanction_id, part, position, file_id) VALUES ($1, $2, 'photo', 1, $3)`,
		owner, c.ids["appealed"], c.newFile(batch, "removedFile", owner))
	selfie := c.newFile(batch, "selfie", owner)
	batch.Queue(`INSERT INTO verifications (id, user_id, pose, selfie_id, status, submitted_at) VALUES ($1, $2, 'wave', $3, 'pending', now())`,
		c.newID("verification"), owner, selfie)
	batch.Queue(`INSERT INTO profile_reviews (user_id, id, subject) VALUES ($1, $2, 'profile')`, owner, c.newID("profileReview"))
	batch.Queue(`INSERT INTO birth_date_requests (id, user_id, birth_date, explanation) VALUES ($2, $1, '1980-01-02', 'Mistyped')`, owner, c.newID("birthDate"))
	couple, pending := c.newID("couple"), c.newID("pendingCouple")
	batch.Queue(`INSERT INTO graduated_couples (id, user_one_id, user_two_id) VALUES ($1, $2, $3)`, couple, match, owner)
	batch.Queue(`INSERT INTO graduated_couples (id, user_one_id, user_two_id, status, accepted_at) VALUES ($1, $2, $3, 'pending', now())`,
		pending, c.members["stranger"], c.members["blocked"])
	today := time.Now().UTC()
	c.ids["today"], c.ids["todaysQuestion"] = today.Format(time.DateOnly), string(pulse.QuestionOf(today))
	batch.Queue(`INSERT INTO love_pulse (id, user_id, date, day_starts, day_ends, question, mood, reflection, client_id, edited_at)
		VALUES ($1, $2, $3, $3::date, $3::date + 1, $4, 'hopeful', 'Private', $1, now())`, uuid.New(), owner, c.ids["today"], c.ids["todaysQuestion"])
	batch.Queue(`INSERT INTO couple_members (user_id, couple_id, on_wall) VALUES ($1, $2, true)`, match, couple)
	batch.Queue(`INSERT INTO couple_pictures (couple_id, user_id, position, file_id) VALUES ($1, $2, 1, $3)`, couple, match, c.newFile(batch, "couplePicture", match))
	post, postPicture := c.newID("post"), c.newFile(batch, "postPicture", owner)
	batch.Queue(`INSERT INTO community_posts (id, author_id, client_id, title, excerpt, content, category, tags, featured_image, status, published_at, decided_at)
		VALUES ($1, $2, $1, 'Title', 'Excerpt', 'Content', 'advice', '{advice}', $3, 'published', now(), now())`, post, owner, postPicture)
	batch.Queue(`INSERT INTO community_posts (id, author_id, client_id, title, excerpt, content, category, tags)
		VALUES ($1, $2, $1, 'Title', 'Excerpt', 'Content', 'advice', '{advice}')`, c.newID("pendingPost"), owner)
	batch.Queue(`INSERT INTO post_comments (id, post_id, author_id, client_id, content) VALUES ($1, $2, $3, $1, 'Comment')`, c.newID("comment"), post, owner)
	moment, wanted := c.newID("moment"), c.newID("wantedMoment")
	batch.Queue(`INSERT INTO shareable_moments (id, user_id, moment_type, subject_id, title, caption) VALUES ($1, $2, 'match', $3, 'New match', '')`,
		moment, owner, c.pairs["match"]["match"])
	batch.Queue(`INSERT INTO shareable_moments (id, user_id, moment_type, subject_id, title, caption) VALUES ($1, $2, 'match', $3, 'New match', '')`,
		wanted, match, c.pairs["match"]["match"])
	batch.Queue(`INSERT INTO moment_consents (moment_id, peer_id) VALUES ($1, $2)`, wanted, owner)
	batch.Queue(`INSERT INTO user_badges (user_id, badge_id) SELECT $1, id FROM badges WHERE icon = 'first_like'`, owner)
	link := bytes.Repeat([]byte{1}, 16)
	link = append(link, report[:]...)
	hash := sha256.Sum256(link)
	c.ids["link"] = base64.RawURLEncoding.EncodeToString(link)
	batch.Queue(`INSERT INTO date_shares (token_hash, date_id, user_id, expires_at) VALUES ($1, $2, $3, now() + interval '1 day')`,
		hash[:], c.pairs["match"]["date"], owner)
}

// value returns what $name stands for in the table when role is the caller.
func (c *cast) value(role, name string) string {
	pair := c.pairs[role]
	if pair == nil {
		pair = c.pairs["match"]
	}
	switch {
	case pair[name] != "":
		return pair[name]
	case name == "peer" && role == "owner":
		return c.ids["match"]
	case name == "peer":
		return c.ids["owner"]
	case name == "self":
		return c.ids[role]
	case name == "unused":
		return uuid.NewString()
	case name == "unusedEndpoint":
		return "https://fcm.googleapis.com/fcm/send/" + uuid.NewString()
	case c.ids[name] != "":
		return c.ids[name]
	case name == "tomorrow":
		return time.Now().Add(24 * time.Hour).UTC().Format(time.RFC3339)
	case name == "picture":
		c.ids[name] = c.s.addUpload(c.cookies["owner"], string(tinyPicture(c.s)))
	case name == "attachment":
		picture := string(tinyPicture(c.s))
		path := c.s.createUpload(c.cookies["owner"], len(picture))
		require.Equal(c.s, http.StatusNoContent, c.s.tus(c.cookies["owner"], http.MethodPatch, path, picture, "Upload-Offset", "0").status)
		c.ids[name] = strings.TrimPrefix(path, "/api/uploads/")
	case name == "voice":
		c.ids[name] = c.s.addUpload(c.cookies["owner"], fixture(c.s, "voice.webm"))
	case name == "video":
		c.ids[name] = c.s.addUpload(c.cookies["owner"], fixture(c.s, "video.webm"))
	default:
		c.s.Fatalf("the table has an unknown $%s", name)
	}
	return c.ids[name]
}

// request returns the call of an operation by a role.
func (c *cast) request(role string, op operation, row roleRow) *http.Request {
	expand := func(text string) string {
		return os.Expand(text, func(name string) string { return c.value(role, name) })
	}
	path := op.path
	longest := ""
	for prefix := range roleTargets {
		if rest, ok := strings.CutPrefix(path, prefix); ok && (rest == "" || rest[0] == '/') && len(prefix) > len(longest) {
			longest = prefix
		}
	}
	path = roleTargets[longest] + strings.TrimPrefix(path, longest)
	path = strings.NewReplacer("{userId}", "$peer", "{seq}", "1", "{variant}", "full.webp", "{warningId}", "$unused", "{noteId}", "$unused").Replace(path)
	contentType := "application/json"
	if op.RequestBody != nil && op.RequestBody.Content[contentType] == nil {
		contentType, _ = op.sampleBody(c.s)
	}
	return c.s.newRequest(c.cookies[role], op.method, expand(path), contentType, expand(row.body))
}
