package seed

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"heartward/api/members"
	"heartward/api/platform/gazetteer"
)

// userColumns are the columns of users that are set.
var userColumns = slices.Sorted(maps.Keys(person{}.columns()))

// The columns of the other tables, in the order of the rows' values.
var (
	activityColumns = []string{"user_id", "last_active_at"}
	promptColumns   = []string{"user_id", "position", "question", "answer", "voice_id"}
	fileColumns     = []string{"id", "owner_id", "content_type", "bytes", "width", "height", "duration_ms", "placeholder", "waveform", "created_at"}
	mediaColumns    = []string{"file_id", "user_id", "slot", "position", "caption", "compared"}
	referralColumns = []string{"id", "referrer_id", "referred_user_id", "referral_code", "email", "address_mac", "client_id", "status", "created_at",
		"joined_at", "completed_at"}
	likeColumns         = []string{"id", "from_user_id", "to_user_id", "like_type", "comment", "photo_id", "prompt", "created_at"}
	passColumns         = []string{"from_user_id", "to_user_id", "created_at"}
	matchColumns        = []string{"id", "user_a", "user_b", "seen_by_a", "seen_by_b", "created_at"}
	conversationColumns = []string{"id", "user_a", "user_b", "match_id", "last_seq", "a_delivered_seq", "b_delivered_seq", "a_read_seq",
		"b_read_seq", "a_notified_seq", "b_notified_seq", "last_message_at", "created_at", "a_spoke", "b_spoke",
		"last_rev", "last_sender", "requested_by", "a_pinned_at", "b_pinned_at", "a_muted_until", "b_muted_until", "a_pictures_shown_at", "b_pictures_shown_at"}
	messageColumns = []string{"id", "conversation_id", "seq", "sender_id", "client_id", "message_type", "content", "sent_at", "read_at", "date_id",
		"reply_to", "sender_reaction", "receiver_reaction", "deleted_at", "rev"}
	dateColumns = []string{"id", "conversation_id", "created_by", "client_id", "place", "note", "at", "time_zone", "status", "revision",
		"proposed_by", "proposed_at", "changed_by", "accepted_at", "message_seq", "created_at", "updated_at"}
	messageFileColumns = []string{"file_id", "conversation_id", "seq", "position"}
)

// dataset collects all rows to be inserted.
type dataset struct {
	now           time.Time
	random        *rand.Rand              // of the members and their conversations
	profileRandom *rand.Rand              // of the rest of the profiles and the board, so that changes there do not change the others
	people        []person                // the cast, the generated members and the accounts, in this order
	sources       map[string]source       // by path
	firstPhotos   map[uuid.UUID]uuid.UUID // by member
	coupleOf      map[uuid.UUID]uuid.UUID // by member

	// Rows of the table of the same name or, for the others, of the one that write names. Their values are in the order of
	// the variables above.
	prompts, files, media, referrals, likes, passes, matches, conversations, messages, messageFiles, dates, couples, coupleMembers, couplePictures, pulses, sharing, verifications, positions, posts, postLikes, comments [][]any

	blobs []blob
}

// person is a row of users and the time of the last activity.
type person struct {
	id                         uuid.UUID
	email                      string
	passwordHash               *string
	first, last                string
	birthDate, created, active time.Time
	gender                     *string
	interestedIn               []string
	heightCm                   *int
	city, state                string
	intentionTags              []string
	bio, loveReflection        string
	hasChildren, wantsChildren *bool
	education, religion        *string
	occupation                 string
	words                      members.Words
	featured, admin, graduated bool
	verified, premium          *time.Time
	code                       string
	theme                      *string
	paused                     *time.Time
	incognito                  bool
}

// columns returns the values of the row of users.
func (p person) columns() map[string]any {
	var lat, lon *float64
	if la, lo, ok := gazetteer.Lookup(p.city, p.state); ok {
		lat, lon = &la, &lo
	}
	columns := map[string]any{
		"id":              p.id,
		"email":           p.email,
		"password_hash":   p.passwordHash,
		"full_name":       strings.TrimSpace(p.first + " " + p.last),
		"first_name":      p.first,
		"last_name":       p.last,
		"birth_date":      p.birthDate,
		"gender":          p.gender,
		"interested_in":   p.interestedIn,
		"height_cm":       p.heightCm,
		"city":            p.city,
		"state":           p.state,
		"town_lat":        lat,
		"town_lon":        lon,
		"intention_tags":  p.intentionTags,
		"bio":             p.bio,
		"love_reflection": p.loveReflection,
		"has_children":    p.hasChildren,
		"wants_children":  p.wantsChildren,
		"education":       p.education,
		"occupation":      p.occupation,
		"religion":        p.religion,
		"religion_counts": p.religion != nil,
		"is_featured":     p.featured,
		"is_graduated":    p.graduated,
		"is_admin":        p.admin,
		"is_approved":     !p.admin,
		"is_demo":         true,
		"verified_at":     p.verified,
		"premium_until":   p.premium,
		"paused_at":       p.paused,
		"incognito":       p.incognito,
		"welcomed_at":     p.created.Add(time.Hour),
		"referral_code":   p.code,
		"profile_theme":   p.theme,
		"created_at":      p.created,
	}
	for i, words := range p.words.Lists() {
		columns[members.WordLists[i].Column] = *words
	}
	return columns
}

// row returns the values in the order of userColumns.
func (p person) row() []any {
	columns := p.columns()
	row := make([]any, len(userColumns))
	for i, column := range userColumns {
		row[i] = columns[column]
	}
	return row
}

// newDataset generates all rows. The order of its steps matters: each draws from the random numbers, which have a fixed
// seed, and later steps read and change the people of earlier ones.
func newDataset(now time.Time, options Options, passwordHash string) (w *dataset, err error) {
	w = &dataset{
		now: now, random: rand.New(rand.NewPCG(2026, 11)), profileRandom: rand.New(rand.NewPCG(2026, 12)), firstPhotos: map[uuid.UUID]uuid.UUID{},
		coupleOf: map[uuid.UUID]uuid.UUID{},
	}
	if w.sources, err = readSources(); err != nil {
		return nil, err
	}
	for i, role := range cast() {
		w.people = append(w.people, w.castMember(role, i))
	}
	for i := len(w.people); i < options.Members; i++ {
		w.people = append(w.people, w.generatedMember(i))
	}
	members := len(w.people)
	w.people = append(w.people, w.demoAccount())
	if !options.WithoutAdmin {
		w.people = append(w.people, w.adminAccount())
	}
	for i := range w.people {
		w.addWords(&w.people[i])
	}
	accounts := w.people[members:]
	for i := range accounts {
		accounts[i].passwordHash = &passwordHash
	}
	demo := &accounts[0]
	w.hideSome()
	w.addReferrals(demo)
	if err := w.fillProfiles(*demo); err != nil {
		return nil, err
	}
	for _, admin := range accounts[1:] {
		if err := w.addPortraits(admin, "admin", "calm"); err != nil {
			return nil, err
		}
	}
	w.addGraduates()
	w.addPulses(*demo)
	w.addNotifications(*demo)
	w.addVerification(*demo)
	if err := w.addPosts(); err != nil {
		return nil, err
	}
	return w, w.addStories(*demo)
}

// fillProfiles adds prompts, pictures and recordings to the cast and the demo member. Members of the cast who have just
// signed up get portraits only.
func (w *dataset) fillProfiles(demo person) error {
	for i, role := range cast() {
		p := w.people[i]
		if err := w.addPortraits(p, fmt.Sprintf("%02d", i+1), role.mood()); err != nil {
			return err
		}
		if p.isNew() {
			continue
		}
		if err := w.addPrompts(p, role.Prompt, i); err != nil {
			return err
		}
		if err := w.addProfileMedia(p, i); err != nil {
			return err
		}
	}
	if err := w.addPrompts(demo, [2]string{demoQuestion, "How this place works. I am here to show you around."}, 3); err != nil {
		return err
	}
	if err := w.addPortraits(demo, "demo", "smile"); err != nil {
		return err
	}
	return w.addProfileMedia(demo, 12)
}

// id returns a UUIDv7 with the given time and pseudo-random bits.
func (w *dataset) id(at time.Time) uuid.UUID {
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[:8], uint64(at.UnixMilli())<<16|w.random.Uint64()&0x0fff|0x7000)
	binary.BigEndian.PutUint64(id[8:], w.random.Uint64()&^(3<<62)|2<<62)
	return id
}

func (w *dataset) ago(d time.Duration) time.Time { return w.now.Add(-d) }

// between returns a random duration from minimum to maximum.
func (w *dataset) between(minimum, maximum time.Duration) time.Duration {
	return minimum + time.Duration(w.random.Int64N(int64(maximum-minimum)))
}

// born returns a birth date for an age in years.
func (w *dataset) born(age int) time.Time {
	return w.now.AddDate(-age, 0, -1-w.random.IntN(360)).Truncate(24 * time.Hour)
}

const (
	hour = time.Hour
	day  = 24 * hour
)

// randomLastActive returns a time of last activity: minutes ago for some members, days
// for most, weeks for a few.
func (w *dataset) randomLastActive() time.Time {
	switch n := w.random.IntN(10); {
	case n < 3:
		return w.ago(w.between(time.Minute, 2*time.Hour))
	case n < 9:
		return w.ago(w.between(2*time.Hour, 6*day))
	}
	return w.ago(w.between(8*day, 40*day))
}

// code returns the referral code of the i-th member.
func code(i int) string { return fmt.Sprintf("DEMO%06d", i) }
