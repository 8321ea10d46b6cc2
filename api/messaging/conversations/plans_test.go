package conversations

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/plantest"
)

func TestSelectConversation_ReadsFewMessagesOfLongConversation(t *testing.T) {
	t.Parallel()
	l := plantest.New(t)
	l.Lengthen()
	l.Exec(`ANALYZE`)
	l.Check("conversation", func(ctx context.Context, tx pgx.Tx) error {
		row, err := selectConversation(ctx, tx, l.Recipient, l.ID)
		require.NotNil(l, row.LastMessage)
		return err
	})
}
