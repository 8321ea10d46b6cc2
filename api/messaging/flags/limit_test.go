package flags

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/messages"
	"heartward/api/platform/fault"
)

func TestLimit_RefusalNamesTheCheck(t *testing.T) {
	t.Parallel()
	s, member := New(new(pgxpool.Pool), new(messages.Service)), uuid.New()
	var err error
	for err == nil {
		err = s.checks.Allow(member)
	}
	require.Contains(t, fault.From(err).Message, "checking")
}
