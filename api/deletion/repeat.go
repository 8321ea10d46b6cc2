package deletion

import (
	"bufio"
	"context"
	"errors"
	"io"
	"regexp"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heartward/api/members"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pg"
)

// deletedMessage is the message of the log line about a deleted account. ReadDeleted finds these lines after a restore of
// the database, which does not restore the log.
const deletedMessage = "account deleted"

var deletedLine = regexp.MustCompile(`"` + deletedMessage + `\\?" .*\bmember=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b`)

// ReadDeleted returns the ids of the deleted accounts that a log names. It ignores all other lines.
func ReadDeleted(log io.Reader) (ids []uuid.UUID, err error) {
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if match := deletedLine.FindSubmatch(lines.Bytes()); match != nil {
			ids = append(ids, uuid.MustParse(string(match[1])))
		}
	}
	return ids, lines.Err()
}

// Repeat starts the immediate deletion of those of the accounts that exist again after a restore, and returns their
// number. It hides them at once. It does nothing for an account that is leaving, whose deletion is scheduled already.
func Repeat(ctx context.Context, pool *pgxpool.Pool, jobs jobqueue.Inserter, ids []uuid.UUID) (scheduled int, err error) {
	for _, id := range ids {
		err := pg.TxDo(ctx, pool, func(tx pgx.Tx) error {
			due, err := members.Leave(ctx, tx, id, 0)
			if err != nil {
				return err
			}
			_, err = jobs.InsertTx(ctx, tx, DeleteArgs{MemberID: id, DueAt: due}, &river.InsertOpts{ScheduledAt: due})
			return err
		})
		switch {
		case err == nil:
			scheduled++
		case !errors.Is(err, pgx.ErrNoRows):
			return scheduled, err
		}
	}
	return scheduled, nil
}
