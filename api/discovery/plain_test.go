package discovery_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/discovery/compat"
	"heartward/api/members"
	"heartward/api/platform/gazetteer"
)

// plain is a member's row, for the reference implementation of the search.
type plain struct {
	ID          uuid.UUID
	City, State string
	Tags        []string
	members.Words
	InterestedIn                                 []string
	Gender, Education, Religion                  *string
	HasChildren, WantsChildren                   *bool
	Height                                       *int
	Status                                       string
	Approved, Graduated, Paused, Incognito       bool
	HidesActivity                                bool
	Featured, Verified                           bool
	HasVoice, HasVideo, Presents                 bool
	Age, Completeness                            int
	Created, Active                              time.Time
	Liked, Passed, Matched, Blocked, LikesViewer bool // relation to the viewer
}

func (p plain) person() compat.Person {
	return compat.Person{Age: p.Age, Town: compat.NewTown(p.City, p.State), IntentionTags: p.Tags,
		HasChildren: p.HasChildren, WantsChildren: p.WantsChildren, Education: p.Education, Religion: p.Religion}
}

func allMembers(t testing.TB, pool *pgxpool.Pool, viewer uuid.UUID) map[uuid.UUID]plain {
	t.Helper()
	words := ""
	for _, list := range members.WordLists {
		words += "u." + list.Column + ", "
	}
	rows, _ := pool.Query(context.Background(), `SELECT u.id, CASE WHEN u.visit_until > now() THEN u.visit_city ELSE u.city END,
		CASE WHEN u.visit_until > now() THEN u.visit_state ELSE u.state END, u.intention_tags, `+words+`u.interested_in, u.gender, u.education, u.religion, u.has_children,
		u.wants_children, u.height_cm, u.profile_status, u.is_approved, u.is_graduated,
		u.paused_at IS NOT NULL AND (u.paused_until IS NULL OR u.paused_until > now()), u.incognito, u.hide_online, u.is_featured,
		u.verified_at IS NOT NULL,
		EXISTS (SELECT FROM member_media m WHERE m.user_id = u.id AND m.slot = 'audio_greeting'),
		EXISTS (SELECT FROM member_media m WHERE m.user_id = u.id AND m.slot = 'video_greeting'),
		EXISTS (SELECT FROM member_media m WHERE m.user_id = u.id AND m.slot = 'photo')
			AND (u.bio <> '' OR EXISTS (SELECT FROM member_prompts p WHERE p.user_id = u.id)),
		age_of(u.birth_date), c.percent, u.created_at, a.last_active_at,
		EXISTS (SELECT FROM user_likes l WHERE l.from_user_id = $1 AND l.to_user_id = u.id),
		EXISTS (SELECT FROM user_passes l WHERE l.from_user_id = $1 AND l.to_user_id = u.id AND l.created_at > now() - interval '30 days'),
		EXISTS (SELECT FROM matches m WHERE $1 IN (m.user_a, m.user_b) AND u.id IN (m.user_a, m.user_b)),
		EXISTS (SELECT FROM blocks b WHERE $1 IN (b.blocker_id, b.blocked_id) AND u.id IN (b.blocker_id, b.blocked_id)),
		EXISTS (SELECT FROM user_likes l WHERE l.from_user_id = u.id AND l.to_user_id = $1)
		FROM users u
		JOIN member_completeness c ON c.user_id = u.id
		JOIN member_activities a ON a.user_id = u.id`, viewer)
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[plain])
	require.NoError(t, err)
	byID := map[uuid.UUID]plain{}
	for _, p := range all {
		byID[p.ID] = p
	}
	return byID
}

// finds is the reference implementation of the search. It reports whether me finds other
// with filters f.
func finds(me, other plain, f discovery.FilterSet, now time.Time) bool {
	if f.InterestedIn != nil {
		me.InterestedIn = f.InterestedIn
	}
	switch {
	case other.ID == me.ID, other.Liked, other.Passed, other.Matched, other.Blocked:
		return false
	case other.Status != "active", !other.Approved, other.Graduated, other.Paused, other.Incognito && !other.LikesViewer:
		return false
	case me.Gender != nil && len(other.InterestedIn) > 0 && !slices.Contains(other.InterestedIn, *me.Gender):
		return false
	case other.Gender != nil && len(me.InterestedIn) > 0 && !slices.Contains(me.InterestedIn, *other.Gender):
		return false
	}
	return matches(me, other, f, now)
}

func stateOf(p plain) string {
	_, state, _ := strings.Cut(gazetteer.TownKey("x", p.State), "|")
	return state
}

func common(wanted, given []string) bool {
	if len(wanted) == 0 {
		return true
	}
	for _, w := range wanted {
		for _, g := range given {
			if strings.EqualFold(strings.Join(strings.Fields(w), " "), strings.Join(strings.Fields(g), " ")) {
				return true
			}
		}
	}
	return false
}

func answered[T comparable](wanted, given *T) bool {
	return wanted == nil || given != nil && *given == *wanted
}

// requireOrder fails if two neighbours are in the wrong order. It ignores neighbours whose
// order only the hash determines.
func requireOrder(t testing.TB, me plain, all map[uuid.UUID]plain, f discovery.FilterSet, liked []plain, ids []uuid.UUID) {
	t.Helper()
	for i := 1; i < len(ids); i++ {
		a, b := all[ids[i-1]], all[ids[i]]
		scoreA, scoreB := compat.Of(me.person(), a.person()).Overall, compat.Of(me.person(), b.person()).Overall
		order := cmp.Compare(scoreB, scoreA)
		if a.Presents != b.Presents {
			order = 1
			if a.Presents {
				order = -1
			}
			require.Negative(t, order, "position %d: one without a photo or words before one with both", i)
			continue
		}
		if f.Compatibility.PrioritizeNewUsers {
			order = cmp.Or(order, b.Created.Compare(a.Created))
		}
		if order == 0 && a.Featured != b.Featured {
			order = 1
			if a.Featured {
				order = -1
			}
		}
		if order == 0 && f.MLRecommendations {
			order = cmp.Compare(countCommonWords(liked, b), countCommonWords(liked, a))
		}
		require.LessOrEqual(t, order, 0, "position %d: %d before %d", i, scoreA, scoreB)
	}
}

// countCommonWords returns the number of p's words that at least a third of liked have.
func countCommonWords(liked []plain, p plain) (count int) {
	words := func(p plain) (all []string) {
		for _, list := range p.Lists() {
			all = append(all, *list...)
		}
		return all
	}
	for _, word := range words(p) {
		have := 0
		for _, other := range liked {
			if slices.Contains(words(other), word) {
				have++
			}
		}
		if have > 0 && 3*have >= len(liked) {
			count++
		}
	}
	return count
}

func chance(r *rand.Rand, percent int) bool { return r.IntN(100) < percent }

func choose(r *rand.Rand, from []string, limit int) []string {
	chosen := []string{}
	for range r.IntN(limit + 1) {
		if word := from[r.IntN(len(from))]; !slices.Contains(chosen, word) {
			chosen = append(chosen, word)
		}
	}
	return chosen
}

func perhaps[T any](r *rand.Rand, from ...T) *T {
	if chance(r, 35) {
		return nil
	}
	return &from[r.IntN(len(from))]
}

var (
	manyTowns = [][2]string{{"Portland", "OR"}, {"portland", "Oregon"}, {"Gresham", "OR"}, {"Salem", "OR"}, {"Corvallis", "OR"},
		{"Vancouver", "WA"}, {"Seattle", "WA"}, {"Boston", "MA"}, {"Portland", "ME"}, {"Xyzzy", "OR"}, {"Portland Meadows", ""},
		{"", ""}, {"", "OR"}, {"Lyon", "France"}}
	manyTags = []string{"Healing", "Friendship", "Long-term", "Spiritual Connection", "Spiritual connection", "Marriage",
		"Long-term commitment", "Personal growth", "Travel companion", "Adventure together"}
	fourGenders = []string{"woman", "man", "nonbinary", "other"}
)

// randomMember returns a random member.
func randomMember(r *rand.Rand) row {
	town := manyTowns[r.IntN(len(manyTowns))]
	values := row{
		"city": town[0], "state": town[1], "intention_tags": choose(r, manyTags, 4), "interested_in": choose(r, fourGenders, 2),
		"gender": perhaps(r, fourGenders...), "education": perhaps(r, "high_school", "some_college", "bachelors", "masters", "doctorate"),
		"religion":     perhaps(r, "christian", "jewish", "muslim", "hindu", "buddhist", "spiritual", "agnostic", "atheist", "other"),
		"height_cm":    perhaps(r, 155, 168, 181, 199),
		"has_children": perhaps(r, true, false), "wants_children": perhaps(r, true, false),
		"hide_online": chance(r, 20), "is_featured": chance(r, 15), "is_demo": chance(r, 10),
		"is_approved": !chance(r, 4), "is_graduated": chance(r, 4), "incognito": chance(r, 8),
		"birth_date":     time.Now().UTC().AddDate(-19-r.IntN(50), 0, -r.IntN(300)-1),
		"created_at":     time.Now().Add(-time.Duration(r.IntN(1000)) * time.Hour),
		"last_active_at": time.Now().Add(-time.Duration(r.IntN(24*40)) * time.Hour),
		"bio":            strings.Repeat("b", r.IntN(2)), "love_reflection": strings.Repeat("l", r.IntN(2)), "occupation": strings.Repeat("o", r.IntN(2)),
	}
	for _, list := range members.WordLists {
		values[list.Column] = choose(r, list.Words, min(3, list.Max))
	}
	if chance(r, 30) {
		values["verified_at"] = time.Now()
	}
	if chance(r, 4) {
		values["paused_at"] = time.Now()
	}
	if chance(r, 4) {
		values["paused_at"] = time.Now().AddDate(0, 0, -8)
		values["paused_until"] = time.Now().AddDate(0, 0, []int{-1, 1}[r.IntN(2)])
	}
	if chance(r, 10) {
		visited := [][2]string{{"Lyon", "France"}, {"Salem", "OR"}, {"Seattle", "WA"}}[r.IntN(3)]
		maps.Copy(values, visiting(visited[0], visited[1], time.Now().AddDate(0, 0, []int{-1, 1}[r.IntN(2)])))
	}
	if chance(r, 6) {
		values["profile_status"] = []string{"suspended", "under_review"}[r.IntN(2)]
	}
	return values
}

// relate inserts random likes, passes, matches and blocks of viewer.
func relate(t testing.TB, pool *pgxpool.Pool, r *rand.Rand, viewer uuid.UUID, ids []uuid.UUID) {
	t.Helper()
	batch := &pgx.Batch{}
	for _, id := range ids {
		switch r.IntN(16) {
		case 0:
			batch.Queue(`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type) VALUES ($1, $2, $3, 'like')`, uuid.New(), viewer, id)
		case 1:
			batch.Queue(`INSERT INTO user_passes (from_user_id, to_user_id) VALUES ($1, $2)`, viewer, id)
		case 2:
			batch.Queue(`INSERT INTO user_passes (from_user_id, to_user_id, created_at) VALUES ($1, $2, now() - interval '31 days')`, viewer, id)
		case 3:
			a, b := viewer, id
			if bytes.Compare(a[:], b[:]) > 0 {
				a, b = b, a
			}
			batch.Queue(`INSERT INTO matches (id, user_a, user_b, unmatched_at) VALUES ($1, $2, $3, $4)`, uuid.New(), a, b, perhaps(r, time.Now()))
		case 4:
			batch.Queue(`INSERT INTO blocks (blocker_id, blocked_id) VALUES ($1, $2)`, viewer, id)
		case 5:
			batch.Queue(`INSERT INTO blocks (blocker_id, blocked_id) VALUES ($2, $1)`, viewer, id)
		case 6, 7:
			batch.Queue(`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type) VALUES ($1, $3, $2, 'like')`, uuid.New(), viewer, id)
		}
		for _, slot := range []string{"photo", "audio_greeting", "video_greeting"} {
			if chance(r, 25) {
				file := uuid.New()
				batch.Queue(`INSERT INTO files (id, owner_id, content_type, bytes) VALUES ($1, $2, 'image/webp', 1)`, file, id)
				batch.Queue(`INSERT INTO member_media (file_id, user_id, slot, position) VALUES ($1, $2, $3, 1)`, file, id, slot)
			}
		}
		if chance(r, 30) {
			batch.Queue(`INSERT INTO member_prompts (user_id, position, question, answer) VALUES ($1, 1, 'q', 'a')`, id)
		}
	}
	require.NoError(t, pool.SendBatch(context.Background(), batch).Close())
}

func describe(f discovery.FilterSet) string { return fmt.Sprintf("%+v", f) }
