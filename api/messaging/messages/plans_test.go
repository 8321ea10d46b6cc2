package messages

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/pgtest"
)

// Planning a statement takes longer than storing a message, so PostgreSQL must use a
// generic plan: for one message, for batches of any size, for both values of the option,
// and for receipts.
func TestStatements_PlansAreGeneric(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	conn, err := pgtest.New(t).Acquire(ctx)
	require.NoError(t, err)
	defer conn.Release()
	const pairs = 20
	_, err = conn.Exec(ctx, `INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
		SELECT gen_random_uuid(), n || '@test.example', 'Ada', 'Ada', '1990-01-01', 'code-of-' || n FROM generate_series(1, $1) n`, 2*pairs)
	require.NoError(t, err)
	_, err = conn.Exec(ctx, `INSERT INTO conversations (id, user_a, user_b)
		SELECT gen_random_uuid(), id, next FROM (SELECT id, lead(id) OVER (ORDER BY id) AS next, row_number() OVER (ORDER BY id) AS n FROM users) u WHERE n % 2 = 1`)
	require.NoError(t, err)
	var members []uuid.UUID
	require.NoError(t, conn.QueryRow(ctx, `SELECT array_agg(id ORDER BY id) FROM users`).Scan(&members))
	for round := range 30 {
		for _, size := range []int{1, 2 + round%15, pairs} {
			var messages []*Outgoing
			for i := range size {
				messages = append(messages, &Outgoing{
					RecipientID: members[2*i+1], ClientID: uuid.New(), Content: "x", MessageType: "text",
					id: uuid.New(), senderID: members[2*i],
				})
			}
			inserted, err := (&Service{}).insertBatch(ctx, conn, messages, []int{withoutJobs, withJobs}[round%2])
			require.NoError(t, err)
			for _, m := range inserted {
				require.NotNil(t, m)
			}
		}
	}
	for round := range 15 {
		for _, size := range []int{1, 2 + round, pairs} {
			var receipts []*receiptUpdate
			for i := range size {
				receipts = append(receipts, &receiptUpdate{member: members[2*i+1], other: members[2*i], Receipt: Receipt{ReadSeq: int64(round)}})
			}
			changes, err := advanceReceipts(ctx, conn, receipts)
			require.NoError(t, err)
			for _, change := range changes {
				require.NotNil(t, change)
			}
		}
	}
	for name, sql := range map[string]string{
		"one": insertOneOfBatchSQL, "one without jobs": insertOneWithoutJobsSQL, "many": insertBatchSQL, "receipts": advanceReceiptsSQL,
	} {
		var generic, custom int
		require.NoError(t, conn.QueryRow(ctx, `SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement = $1`, sql).Scan(&generic, &custom))
		require.LessOrEqual(t, custom, 5, name)
		require.GreaterOrEqual(t, generic, 10, name)
	}
}
