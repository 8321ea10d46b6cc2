package members

// CompletenessSQL is a member's Completeness.Percent for queries in which the
// members are aliased u. A test holds the two together.
const CompletenessSQL = `(10 * (
	EXISTS (SELECT FROM member_media m WHERE m.user_id = u.id AND m.slot = 'photo')::int
	+ (u.bio <> '')::int + (u.love_reflection <> '')::int + (cardinality(u.intention_tags) > 0)::int
	+ EXISTS (SELECT FROM member_prompts p WHERE p.user_id = u.id)::int
	+ (u.city <> '')::int + (u.occupation <> '')::int + (u.education IS NOT NULL)::int
	+ (u.has_children IS NOT NULL)::int + (u.wants_children IS NOT NULL)::int))`

// Completeness says how much of the profile is filled in.
type Completeness struct {
	Percent int      `json:"percent"`
	Missing []string `json:"missing" doc:"The fields that would add to it"`
}

// completeness counts ten parts of a profile that help others to decide.
func completeness(me Me) Completeness {
	parts := []struct {
		name string
		done bool
	}{
		{"photos", len(me.Photos) > 0},
		{"bio", me.Bio != ""},
		{"loveReflection", me.LoveReflection != ""},
		{"intentionTags", len(me.IntentionTags) > 0},
		{"prompts", len(me.Prompts) > 0},
		{"city", me.City != ""},
		{"occupation", me.Occupation != ""},
		{"education", me.Education != nil},
		{"hasChildren", me.HasChildren != nil},
		{"wantsChildren", me.WantsChildren != nil},
	}
	result := Completeness{Percent: 100, Missing: []string{}}
	for _, part := range parts {
		if !part.done {
			result.Percent -= 100 / len(parts)
			result.Missing = append(result.Missing, part.name)
		}
	}
	return result
}
