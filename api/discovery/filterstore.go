package discovery

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"heartward/api/platform/pg"
)

// selectFilters returns the filters that the member has saved, or the defaults. It omits
// the filter by religion if no answer of the member counts. It returns NotFound
// for an unknown member.
func selectFilters(ctx context.Context, db pg.DB, member uuid.UUID) (set FilterSet, saved bool, err error) {
	var document []byte
	var religion *string
	var interestedIn []string
	err = db.QueryRow(ctx, `
		SELECT
			f.filters,
			u.counted_religion,
			u.interested_in
		FROM search_members u
		LEFT JOIN discovery_filters f ON f.user_id = u.id
		WHERE u.id = $1`, member).Scan(&document, &religion, &interestedIn)
	if err != nil {
		return set, false, pg.Fault(err)
	}
	if set, saved = DefaultFilters(), document != nil; saved {
		if set, err = decodeOverDefaults(document); err != nil {
			return set, false, fmt.Errorf("the filters of %s: %w", member, err)
		}
	}
	if religion == nil {
		set.Lifestyle.Religion = nil
	}
	set.InterestedIn = interestedIn
	return set.normalized(), saved, nil
}

// decodeOverDefaults decodes a set in JSON over the defaults, because an older app or a
// set stored earlier may lack fields.
func decodeOverDefaults(document []byte) (FilterSet, error) {
	set := DefaultFilters()
	err := json.Unmarshal(document, &set)
	return set, err
}

// upsertFilters stores set without InterestedIn, which is stored in the profile.
func upsertFilters(ctx context.Context, db pg.DB, member uuid.UUID, set FilterSet) error {
	set.InterestedIn = nil
	_, err := db.Exec(ctx, `
		INSERT INTO discovery_filters (user_id, filters)
		VALUES ($1, $2)
		ON CONFLICT (user_id) DO UPDATE SET filters = excluded.filters, updated_at = now()`, member, set)
	return pg.Fault(err)
}

func deleteFilters(ctx context.Context, db pg.DB, member uuid.UUID) error {
	_, err := db.Exec(ctx, `DELETE FROM discovery_filters WHERE user_id = $1`, member)
	return pg.Fault(err)
}

// selectReligions returns the member's own religion that counts and the one in their saved filters.
func selectReligions(ctx context.Context, db pg.DB, member uuid.UUID) (own, filtered *string, err error) {
	err = db.QueryRow(ctx, `
		SELECT
			u.counted_religion,
			f.filters #>> '{lifestyle,religion}'
		FROM search_members u
		LEFT JOIN discovery_filters f ON f.user_id = u.id
		WHERE u.id = $1`, member).Scan(&own, &filtered)
	return own, filtered, pg.Fault(err)
}
