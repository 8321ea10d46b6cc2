package members

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
)

// startSteps are the questions of the guided first run, in order. The column start_step has the one that a new member has
// reached, so that another device continues there.
var startSteps = []string{"gender", "seek", "photo", "prompt"}

// setStart stores the question that the member has reached, and the end of the first run. The question only moves forward:
// a device that was offline may send an earlier one late. A repetition changes neither.
func (c Changes) setStart(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	if step := c.StartStep.Value; step != nil {
		if !slices.Contains(startSteps, *step) {
			return fault.InvalidField("startStep", "This is no question of the first run.")
		}
		_, err := tx.Exec(ctx, `
			UPDATE users
			SET start_step = @step
			WHERE id = @id
				AND array_position(@steps::text[], start_step) < array_position(@steps::text[], @step)`,
			pgx.NamedArgs{"id": id, "step": *step, "steps": startSteps})
		if err != nil {
			return err
		}
	}
	if !c.Welcomed.Sent {
		return nil
	}
	_, err := tx.Exec(ctx, `
		UPDATE users
		SET welcomed_at = CASE WHEN @welcomed THEN coalesce(welcomed_at, now()) END,
			start_step = CASE WHEN NOT @welcomed THEN start_step END
		WHERE id = @id`,
		pgx.NamedArgs{"id": id, "welcomed": c.Welcomed.orZero()})
	return err
}
