package cli

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/badges"
	"heartward/api/platform/config"
	"heartward/jobs"
)

type badgesCmd struct {
	Recompute recomputeBadgesCmd `cmd:"" help:"Award all members the badges that their history has earned."`
}

type recomputeBadgesCmd struct{}

// Run awards all members what they have earned, such as after a badge was added. It takes no badge
// away, and can be repeated while the server runs. Members can make the moments of these badges by hand.
func (recomputeBadgesCmd) Run() error {
	return withPool(func(ctx context.Context, _ config.Config, pool *pgxpool.Pool) error {
		inserter, err := jobs.NewInserter(pool)
		if err != nil {
			return err
		}
		awarded, err := badges.New(pool, inserter).Recompute(ctx)
		if err != nil {
			return err
		}
		fmt.Printf("%d badges were awarded\n", awarded)
		return nil
	})
}
