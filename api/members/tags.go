package members

import (
	"context"

	"heartward/api/platform/pg"
)

// AllowedTags are the intentions that a member may choose: those that the
// admins list and those that are always allowed.
func AllowedTags(ctx context.Context, db pg.DB) ([]string, error) {
	listed, err := selectTags(ctx, db)
	if err != nil {
		return nil, err
	}
	return append(listed, alwaysAllowed...), nil
}
