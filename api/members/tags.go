package members

import (
	"context"

	"heartward/api/platform/pg"
)

// AllowedTags returns the intentions that a member may choose: the admins' list and
// alwaysAllowed.
func AllowedTags(ctx context.Context, db pg.DB) ([]string, error) {
	listed, err := selectTags(ctx, db)
	if err != nil {
		return nil, err
	}
	return append(listed, alwaysAllowed...), nil
}
