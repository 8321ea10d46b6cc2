package discovery

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
)

// selectFilters returns the filters that the member has saved, or the defaults. It omits
// the filter by religion if no answer of the member counts. It returns NotFound
// for an unknown member.
func selectFilters(ctx context.Context, db pg.DB, member uuid.UUID) (set FilterSet, saved bool, err error) {
	type row struct {
		Filters         []byte // a document; nil before the member saves filters
		CountedReligion *string
		InterestedIn    []string
	}
	rows, _ := db.Query(ctx, `
		SELECT
			f.filters,
			u.counted_religion,
			u.interested_in
		FROM search_members u
		LEFT JOIN discovery_filters f ON f.user_id = u.id
		WHERE u.id = $1`, member)
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[row])
	if err != nil {
		return set, false, pg.Fault(err)
	}
	if set, saved = DefaultFilters(), r.Filters != nil; saved {
		if set, err = decodeOverDefaults(r.Filters); err != nil {
			return set, false, fmt.Errorf("the filters of %s: %w", member, err)
		}
	}
	if r.CountedReligion == nil {
		set.Lifestyle.Religion = nil
	}
	set.InterestedIn = r.InterestedIn
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

// religions are the member's own religion that counts and the one in their saved filters.
type religions struct{ Own, Filtered *string }

func selectReligions(ctx context.Context, db pg.DB, member uuid.UUID) (religions, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			u.counted_religion AS own,
			f.filters #>> '{lifestyle,religion}' AS filtered
		FROM search_members u
		LEFT JOIN discovery_filters f ON f.user_id = u.id
		WHERE u.id = $1`, member)
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[religions])
	return r, pg.Fault(err)
}
