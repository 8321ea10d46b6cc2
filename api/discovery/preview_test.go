package discovery_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/discovery/compat"
	"heartward/api/platform/fault"
	"heartward/api/platform/gazetteer"
	"heartward/api/platform/pgtest"
)

// somebody is a member as the plain definition of the filters looks at one.
type somebody struct {
	person                   compat.Person
	city, state              string
	goals, traits, lifestyle []string
	active                   time.Duration // since
	featured, verified       bool
	voice, video             bool
	complete                 int
}

// left is the plain definition: whether set leaves other for me.
func left(me, other somebody, set discovery.FilterSet) bool {
	within := map[string]time.Duration{"1d": 24 * time.Hour, "3d": 72 * time.Hour, "1w": 7 * 24 * time.Hour, "1m": 30 * 24 * time.Hour, "any": 1e6 * time.Hour}
	miles, _, known := compat.Distance(me.person.Town, other.person.Town)
	shares := func(asked, has []string) bool {
		return len(asked) == 0 || slices.ContainsFunc(asked, func(word string) bool { return slices.Contains(has, word) })
	}
	return other.person.Age >= set.AgeRange[0] && other.person.Age <= set.AgeRange[1] &&
		(set.Location.MaxDistance == nil || !known || miles <= float64(*set.Location.MaxDistance)) &&
		(!set.Location.SameState || other.state == "" || other.state == me.state) &&
		(set.Location.City == "" || strings.EqualFold(set.Location.City, other.city)) &&
		shares(set.IntentionTags, other.person.IntentionTags) && shares(set.RelationshipGoals, other.goals) &&
		shares(set.PersonalityTraits, other.traits) && shares(set.LifestylePreferences, other.lifestyle) &&
		given(set.Lifestyle.HasChildren, other.person.HasChildren) && given(set.Lifestyle.WantsChildren, other.person.WantsChildren) &&
		given(set.Lifestyle.Education, other.person.Education) && given(set.Lifestyle.Religion, other.person.Religion) &&
		compat.Of(me.person, other.person).Overall >= set.Compatibility.MinCompatibilityScore &&
		(!set.Compatibility.FeaturedOnly || other.featured) && (!set.VerifiedOnly || other.verified) &&
		(!set.HasVoiceGreeting || other.voice) && (!set.HasVideoIntroduction || other.video) &&
		other.complete >= set.ProfileCompleteness && other.active < within[set.LastActiveWithin]
}

func given[T comparable](asked, answer *T) bool {
	return asked == nil || answer != nil && *answer == *asked
}

func pick[T any](dice *rand.Rand, from []T) T { return from[dice.IntN(len(from))] }

// some are up to three of the words.
func some(dice *rand.Rand, words []string) []string {
	chosen := slices.Clone(words)
	dice.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	return chosen[:dice.IntN(4)]
}

func maybe[T any](dice *rand.Rand, answers ...T) *T {
	if n := dice.IntN(len(answers) + 1); n < len(answers) {
		return &answers[n]
	}
	return nil
}

var (
	tagWords   = []string{"Healing", "Friendship", "Long-term", "Marriage"}
	goalWords  = []string{"Marriage", "Life partner", "Companionship"}
	traitWords = []string{"Calm", "Funny", "Curious", "Creative"}
	lifeWords  = []string{"Night owl", "Foodie", "Homebody"}
	degrees    = []string{"high_school", "bachelors", "doctorate"}
	faiths     = []string{"hindu", "spiritual", "atheist"}
)

// join makes a random member in the database and in the definition's words.
func join(t testing.TB, pool *pgxpool.Pool, dice *rand.Rand) (uuid.UUID, somebody) {
	t.Helper()
	town := pick(dice, towns)
	m := somebody{
		city: town[0], state: town[1], goals: some(dice, goalWords), traits: some(dice, traitWords), lifestyle: some(dice, lifeWords),
		active:   pick(dice, []time.Duration{2, 40, 100, 400, 2000}) * time.Hour,
		featured: dice.IntN(4) == 0, verified: dice.IntN(3) == 0, voice: dice.IntN(4) == 0, video: dice.IntN(4) == 0,
		person: compat.Person{
			Age: 18 + dice.IntN(50), Town: compat.NewTown(town[0], town[1]), IntentionTags: some(dice, tagWords),
			HasChildren: maybe(dice, true, false), WantsChildren: maybe(dice, true, false),
			Education: maybe(dice, degrees...), Religion: maybe(dice, faiths...),
		},
	}
	bio := pick(dice, []string{"", "Hello."})
	for _, part := range []bool{bio != "", m.city != "", len(m.person.IntentionTags) > 0, m.person.Education != nil,
		m.person.HasChildren != nil, m.person.WantsChildren != nil} {
		if part {
			m.complete += 10
		}
	}
	columns := row{
		"city": m.city, "state": m.state, "relationship_goals": m.goals, "personality_traits": m.traits, "lifestyle_preferences": m.lifestyle,
		"last_active_at": time.Now().Add(-m.active), "is_featured": m.featured, "birth_date": birth(m.person.Age)["birth_date"],
		"intention_tags": m.person.IntentionTags, "has_children": m.person.HasChildren, "wants_children": m.person.WantsChildren,
		"education": m.person.Education, "religion": m.person.Religion, "bio": bio,
	}
	if m.verified {
		columns["verified_at"] = time.Now()
	}
	id := insert(t, pool, columns)
	for slot, has := range map[string]bool{"audio_greeting": m.voice, "video_greeting": m.video} {
		if has {
			exec(t, pool, `WITH made AS (INSERT INTO files (id, owner_id, content_type, bytes) VALUES (gen_random_uuid(), $1, 'x', 1) RETURNING id)
				INSERT INTO member_media (file_id, user_id, slot, position) SELECT id, $1, $2, 1 FROM made`, id, slot)
		}
	}
	return id, m
}

// asked is a random set, mostly one that asks for much.
func asked(dice *rand.Rand) discovery.FilterSet {
	set := discovery.DefaultFilters()
	youngest := 18 + dice.IntN(60)
	set.AgeRange = [2]int{youngest, youngest + dice.IntN(99-youngest)}
	set.Location.MaxDistance = maybe(dice, 5, 30, 60, 200, 480)
	set.LastActiveWithin = pick(dice, []string{"1d", "3d", "1w", "1m", "any"})
	set.Compatibility.RecentlyActive = false
	set.Compatibility.MinCompatibilityScore = pick(dice, []int{0, 0, 35, 60, 90})
	if dice.IntN(2) == 0 {
		set.IntentionTags, set.RelationshipGoals = some(dice, tagWords), some(dice, goalWords)
	}
	if dice.IntN(2) == 0 {
		set.PersonalityTraits, set.LifestylePreferences = some(dice, traitWords), some(dice, lifeWords)
	}
	if dice.IntN(3) == 0 {
		set.Lifestyle.HasChildren, set.Lifestyle.WantsChildren = maybe(dice, true, false), maybe(dice, true, false)
		set.Lifestyle.Education, set.Lifestyle.Religion = maybe(dice, degrees...), maybe(dice, faiths...)
	}
	set.Location.SameState, set.Compatibility.FeaturedOnly, set.VerifiedOnly = dice.IntN(4) == 0, dice.IntN(4) == 0, dice.IntN(4) == 0
	set.HasVoiceGreeting, set.HasVideoIntroduction = dice.IntN(6) == 0, dice.IntN(6) == 0
	set.Location.City = pick(dice, []string{"", "", "", "salem", "Nowhere"})
	set.ProfileCompleteness = pick(dice, []int{0, 0, 40, 60, 90})
	return set
}

// Every preview must be what counting everybody by the definition gives.
func TestPreviewsCountAndSuggestByTheDefinition(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	dice := rand.New(rand.NewPCG(seed, 7))
	t.Logf("seed %d", seed)
	pool := pgtest.New(t)
	myID, me := join(t, pool, dice)
	lat, lon, _ := gazetteer.Lookup("Portland", "OR")
	exec(t, pool, `UPDATE users SET religion = 'other', city = 'Portland', state = 'OR', town_lat = $2, town_lon = $3 WHERE id = $1`, myID, lat, lon)
	other := "other"
	me.person.Religion, me.person.Town, me.city, me.state = &other, compat.NewTown("Portland", "OR"), "Portland", "OR"
	var all []somebody
	for range 150 {
		_, m := join(t, pool, dice)
		all = append(all, m)
	}
	people := func(set discovery.FilterSet) (n int) {
		for _, m := range all {
			if left(me, m, set) {
				n++
			}
		}
		return n
	}
	s, empty, helped := loaded(t, pool), 0, map[string]int{}
	for range 80 {
		set := asked(dice)
		exec(t, pool, `DELETE FROM rate_limits WHERE key LIKE 'filter-previews:%'`)
		got, err := s.Preview(t.Context(), myID, set)
		require.NoError(t, err)
		require.Equal(t, people(set), got.Count, "%+v", set)
		require.False(t, got.More)
		if got.Count > 0 {
			require.Empty(t, got.Suggestions)
			continue
		}
		empty++
		require.Equal(t, expected(set, people), got.Suggestions, "%+v", set)
		for _, suggestion := range got.Suggestions {
			helped[suggestion.Filter]++
			again, err := s.Preview(t.Context(), myID, suggestion.Filters)
			require.NoError(t, err)
			require.Equal(t, suggestion.People, again.Count, "what is suggested is what one gets")
		}
	}
	assert.Greater(t, empty, 20, "most sets should leave nobody")
	assert.Greater(t, len(helped), 5, "%v", helped)
}

func TestPreviewsSayWhatHelps(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	s, set := loaded(t, pool), discovery.DefaultFilters()
	set.AgeRange = [2]int{30, 40}
	preview := func() discovery.FilterPreview {
		t.Helper()
		refresh(t, s)
		got, err := s.Preview(t.Context(), me, set)
		require.NoError(t, err)
		return got
	}
	says := func(texts ...string) {
		t.Helper()
		got := preview()
		assert.Zero(t, got.Count)
		var said []string
		for _, suggestion := range got.Suggestions {
			said = append(said, suggestion.Text)
		}
		assert.Equal(t, texts, said)
	}
	assert.Equal(t, []discovery.FilterSuggestion{}, preview().Suggestions, "nobody is there at all")

	insert(t, pool, row{"city": "Seattle", "state": "WA", "birth_date": birth(50)["birth_date"]})
	says("Clear all filters: 1 person") // too far and too old: no single change helps
	for range 2 {
		insert(t, pool, row{"city": "Corvallis"}) // 71 miles
	}
	insert(t, pool, birth(43))
	says("Widen the distance to 75 miles: 2 people", "Look at ages 25 to 45: 1 person")
	set.VerifiedOnly = true
	says("Clear all filters: 4 people")
	set.VerifiedOnly = false
	insert(t, pool, row{})
	assert.Equal(t, 1, preview().Count)
	assert.Empty(t, preview().Suggestions)
}

func TestPreviewsCountNoFurtherThanAThousand(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	const many = `INSERT INTO users (id, email, full_name, first_name, birth_date, city, state, town_lat, town_lon, referral_code)
		SELECT gen_random_uuid(), 'm' || i || '@example.test', 'Kim', 'Kim', current_date - 30 * 365, 'Portland', 'OR', u.town_lat, u.town_lon, 'code' || i + 1000
		FROM generate_series(1, $2::int) i, users u WHERE u.id = $1`
	exec(t, pool, many, me, 1000)
	s := loaded(t, pool)
	got, err := s.Preview(t.Context(), me, discovery.DefaultFilters())
	require.NoError(t, err)
	assert.Equal(t, 1000, got.Count)
	assert.False(t, got.More)
	insert(t, pool, row{})
	got, err = loaded(t, pool).Preview(t.Context(), me, discovery.DefaultFilters())
	require.NoError(t, err)
	assert.Equal(t, 1000, got.Count)
	assert.True(t, got.More)
}

func TestPreviewsAreLimited(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	insert(t, pool, row{})
	s := loaded(t, pool)
	var err error
	for n := 0; err == nil && n < 200; n++ {
		_, err = s.Preview(t.Context(), me, discovery.DefaultFilters())
	}
	require.True(t, fault.Is(err, fault.RateLimited), "%v", err)
	_, err = s.Preview(t.Context(), uuid.New(), discovery.DefaultFilters())
	require.True(t, fault.Is(err, fault.NotFound), "%v", err)
}

// expected are the suggestions by the definition: each filter alone, in its
// steps, and all of them together where none helps alone.
func expected(set discovery.FilterSet, people func(discovery.FilterSet) int) []discovery.FilterSuggestion {
	suggestions := []discovery.FilterSuggestion{}
	helps := func(filter, text string, changed discovery.FilterSet) bool {
		n := people(changed)
		if n == 0 {
			return false
		}
		within := changed.LastActiveWithin
		changed.Compatibility.RecentlyActive = within == "1d" || within == "3d" || within == "1w"
		words := fmt.Sprintf("%s: %d people", text, n)
		if n == 1 {
			words = text + ": 1 person"
		}
		suggestions = append(suggestions, discovery.FilterSuggestion{Filter: filter, Text: words, People: n, Filters: changed})
		return true
	}
	distanceSteps(set, helps)
	for _, years := range []int{2, 5, 10, 15, 20, 30, 81} {
		changed := set
		changed.AgeRange = [2]int{max(18, set.AgeRange[0]-years), min(99, set.AgeRange[1]+years)}
		if helps("ageRange", fmt.Sprintf("Look at ages %d to %d", changed.AgeRange[0], changed.AgeRange[1]), changed) {
			break
		}
	}
	times := []struct{ within, text string }{{"1d", ""}, {"3d", "in the last 3 days"}, {"1w", "in the last week"}, {"1m", "in the last month"}, {"any", "at any time"}}
	passed := false
	for _, time := range times {
		changed := set
		changed.LastActiveWithin = time.within
		if passed && helps("lastActiveWithin", "Include people seen "+time.text, changed) {
			break
		}
		passed = passed || time.within == set.LastActiveWithin
	}
	clearOne(set, helps)
	for score := set.Compatibility.MinCompatibilityScore - 1; score >= 0; score-- {
		changed := set
		changed.Compatibility.MinCompatibilityScore = score
		text := fmt.Sprintf("Lower the compatibility to %d%%", score)
		if score == 0 {
			text = "Include every compatibility"
		}
		if score%10 == 0 && helps("compatibility.minCompatibilityScore", text, changed) {
			break
		}
	}
	if len(suggestions) == 0 {
		open := discovery.DefaultFilters()
		open.AgeRange, open.Location.MaxDistance, open.LastActiveWithin = [2]int{18, 99}, nil, "any"
		helps("all", "Clear all filters", open)
	}
	slices.SortStableFunc(suggestions, func(a, b discovery.FilterSuggestion) int { return b.People - a.People })
	return suggestions[:min(5, len(suggestions))]
}

type helper func(filter, text string, changed discovery.FilterSet) bool

func distanceSteps(set discovery.FilterSet, helps helper) {
	if set.Location.MaxDistance == nil {
		return
	}
	for _, miles := range []int{10, 25, 50, 75, 100, 150, 200, 300, 500} {
		changed := set
		changed.Location.MaxDistance = &miles
		if miles > *set.Location.MaxDistance && helps("location.maxDistance", fmt.Sprintf("Widen the distance to %d miles", miles), changed) {
			return
		}
	}
	changed := set
	changed.Location.MaxDistance = nil
	helps("location.maxDistance", "Look anywhere", changed)
}

func clearOne(set discovery.FilterSet, helps helper) {
	for _, one := range []struct {
		filter, text string
		clear        func(*discovery.FilterSet)
	}{
		{"location.sameState", "Look beyond your state", func(f *discovery.FilterSet) { f.Location.SameState = false }},
		{"location.city", "Look in other towns", func(f *discovery.FilterSet) { f.Location.City = "" }},
		{"intentionTags", "Include other intentions", func(f *discovery.FilterSet) { f.IntentionTags = []string{} }},
		{"relationshipGoals", "Include other relationship goals", func(f *discovery.FilterSet) { f.RelationshipGoals = []string{} }},
		{"personalityTraits", "Include other personalities", func(f *discovery.FilterSet) { f.PersonalityTraits = []string{} }},
		{"lifestylePreferences", "Include other ways of life", func(f *discovery.FilterSet) { f.LifestylePreferences = []string{} }},
		{"lifestyle.hasChildren", "Include people with and without children", func(f *discovery.FilterSet) { f.Lifestyle.HasChildren = nil }},
		{"lifestyle.wantsChildren", "Include people whether or not they want children", func(f *discovery.FilterSet) { f.Lifestyle.WantsChildren = nil }},
		{"lifestyle.education", "Include every education", func(f *discovery.FilterSet) { f.Lifestyle.Education = nil }},
		{"lifestyle.religion", "Include every religion", func(f *discovery.FilterSet) { f.Lifestyle.Religion = nil }},
		{"compatibility.featuredOnly", "Include members who are not featured", func(f *discovery.FilterSet) { f.Compatibility.FeaturedOnly = false }},
		{"verifiedOnly", "Include members who are not verified yet", func(f *discovery.FilterSet) { f.VerifiedOnly = false }},
		{"hasVoiceGreeting", "Include members without a voice greeting", func(f *discovery.FilterSet) { f.HasVoiceGreeting = false }},
		{"hasVideoIntroduction", "Include members without a video", func(f *discovery.FilterSet) { f.HasVideoIntroduction = false }},
		{"profileCompleteness", "Include profiles that are less complete", func(f *discovery.FilterSet) { f.ProfileCompleteness = 0 }},
	} {
		changed := set
		one.clear(&changed)
		if !same(changed, set) {
			helps(one.filter, one.text, changed)
		}
	}
}

func same(a, b discovery.FilterSet) bool { return fmt.Sprintf("%+v", a) == fmt.Sprintf("%+v", b) }
