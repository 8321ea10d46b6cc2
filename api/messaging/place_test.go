package messaging

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/pgtest"
)

// To plan the statement takes longer than to store a message, so PostgreSQL
// must keep its plan, for a lone message and for batches of any size, and so for
// receipts.
func TestStatementsArePlannedOnce(t *testing.T) {
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
	for round := range 15 {
		for _, size := range []int{1, 2 + round, pairs} {
			var drafts []*draft
			for i := range size {
				drafts = append(drafts, &draft{recipient: members[2*i+1], message: Message{
					ID: uuid.New(), ClientID: uuid.New(), SenderID: members[2*i], Content: "x", MessageType: "text",
				}})
			}
			require.NoError(t, place(ctx, conn, placeSilently, drafts))
			for _, d := range drafts {
				require.True(t, d.stored)
			}
		}
	}
	for round := range 15 {
		for _, size := range []int{1, 2 + round, pairs} {
			var receipts []*receiptDraft
			for i := range size {
				receipts = append(receipts, &receiptDraft{member: members[2*i+1], other: members[2*i], Receipt: Receipt{ReadSeq: int64(round)}})
			}
			require.NoError(t, raise(ctx, conn, raiseTogether, receipts))
			for _, receipt := range receipts {
				require.True(t, receipt.stored)
			}
		}
	}
	for name, sql := range map[string]string{"one": placeSilently.one, "many": placeSilently.many, "receipts": raiseTogether} {
		var kept, anew int
		require.NoError(t, conn.QueryRow(ctx, `SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement = $1`, sql).Scan(&kept, &anew))
		require.LessOrEqual(t, anew, 5, name)
		require.GreaterOrEqual(t, kept, 10, name)
	}
}
