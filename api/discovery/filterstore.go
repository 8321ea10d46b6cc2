package discovery

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
)

// selectFilters returns the filters that the member has saved. It omits the filter by
// religion if the member has removed their own answer.
func selectFilters(ctx context.Context, db pg.DB, member uuid.UUID) (set FilterSet, saved bool, err error) {
	var document []byte
	var religion *string
	err = db.QueryRow(ctx, `
		SELECT f.filters, u.religion
		FROM discovery_filters f
		JOIN profiles u ON u.id = f.user_id
		WHERE f.user_id = $1`, member).Scan(&document, &religion)
	if errors.Is(err, pgx.ErrNoRows) {
		return DefaultFilters(), false, nil
	}
	if err != nil {
		return set, false, pg.Fault(err)
	}
	if set, err = decodeOverDefaults(document); err != nil {
		return set, false, fmt.Errorf("the filters of %s: %w", member, err)
	}
	if religion == nil {
		set.Lifestyle.Religion = nil
	}
	return set.normalized(), true, nil
}

// decodeOverDefaults decodes a set in JSON over the defaults, because an older app or a
// set stored earlier may lack fields.
func decodeOverDefaults(document []byte) (FilterSet, error) {
	set := DefaultFilters()
	err := json.Unmarshal(document, &set)
	return set, err
}

func upsertFilters(ctx context.Context, db pg.DB, member uuid.UUID, set FilterSet) error {
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

// selectReligions returns the member's own religion and the one in their saved filters.
func selectReligions(ctx context.Context, db pg.DB, member uuid.UUID) (own, filtered *string, err error) {
	err = db.QueryRow(ctx, `
		SELECT u.religion, f.filters #>> '{lifestyle,religion}'
		FROM profiles u
		LEFT JOIN discovery_filters f ON f.user_id = u.id
		WHERE u.id = $1`, member).Scan(&own, &filtered)
	return own, filtered, pg.Fault(err)
}
