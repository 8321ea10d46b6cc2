package discovery

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
)

const filterColumns = `min_age, max_age, max_miles, same_state, city, intention_tags, has_children, wants_children,
	education, religion, min_score, newest_first, featured_only, active_within, min_completeness,
	has_voice_greeting, has_video_introduction, verified_only, relationship_goals, personality_traits,
	lifestyle_preferences, recommendations`

// inColumns are the places of the set's values in the order of filterColumns,
// to be read into or written from.
func (f *FilterSet) inColumns() []any {
	return []any{
		&f.AgeRange[0], &f.AgeRange[1], &f.Location.MaxDistance, &f.Location.SameState, &f.Location.City, &f.IntentionTags,
		&f.Lifestyle.HasChildren, &f.Lifestyle.WantsChildren, &f.Lifestyle.Education, &f.Lifestyle.Religion,
		&f.Compatibility.MinCompatibilityScore, &f.Compatibility.PrioritizeNewUsers, &f.Compatibility.FeaturedOnly,
		&f.LastActiveWithin, &f.ProfileCompleteness, &f.HasVoiceGreeting, &f.HasVideoIntroduction, &f.VerifiedOnly,
		&f.RelationshipGoals, &f.PersonalityTraits, &f.LifestylePreferences, &f.MLRecommendations,
	}
}

// selectFilters returns the filters that the member has saved. Religion is
// asked for by those alone who tell their own: where the answer was taken
// back, the filter rests.
func selectFilters(ctx context.Context, db pg.DB, member uuid.UUID) (set FilterSet, saved bool, err error) {
	var own *string
	err = db.QueryRow(ctx, `SELECT `+filterColumns+`, (SELECT u.religion FROM users u WHERE u.id = user_id)
		FROM discovery_filters WHERE user_id = $1`, member).Scan(append(set.inColumns(), &own)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return DefaultFilters(), false, nil
	}
	if own == nil {
		set.Lifestyle.Religion = nil
	}
	return set.tidy(), true, pg.Fault(err)
}

func upsertFilters(ctx context.Context, db pg.DB, member uuid.UUID, set FilterSet) error {
	_, err := db.Exec(ctx, `INSERT INTO discovery_filters (user_id, `+filterColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)
		ON CONFLICT (user_id) DO UPDATE SET (`+filterColumns+`, updated_at) = (EXCLUDED.min_age, EXCLUDED.max_age,
			EXCLUDED.max_miles, EXCLUDED.same_state, EXCLUDED.city, EXCLUDED.intention_tags, EXCLUDED.has_children,
			EXCLUDED.wants_children, EXCLUDED.education, EXCLUDED.religion, EXCLUDED.min_score, EXCLUDED.newest_first,
			EXCLUDED.featured_only, EXCLUDED.active_within, EXCLUDED.min_completeness, EXCLUDED.has_voice_greeting,
			EXCLUDED.has_video_introduction, EXCLUDED.verified_only, EXCLUDED.relationship_goals,
			EXCLUDED.personality_traits, EXCLUDED.lifestyle_preferences, EXCLUDED.recommendations, now())`,
		append([]any{member}, set.inColumns()...)...)
	return pg.Fault(err)
}

func deleteFilters(ctx context.Context, db pg.DB, member uuid.UUID) error {
	_, err := db.Exec(ctx, `DELETE FROM discovery_filters WHERE user_id = $1`, member)
	return pg.Fault(err)
}

// selectReligions are the member's own answer and the one the member asks for.
func selectReligions(ctx context.Context, db pg.DB, member uuid.UUID) (own, asked *string, err error) {
	err = db.QueryRow(ctx, `SELECT u.religion, f.religion
		FROM users u LEFT JOIN discovery_filters f ON f.user_id = u.id WHERE u.id = $1`, member).Scan(&own, &asked)
	return own, asked, pg.Fault(err)
}
