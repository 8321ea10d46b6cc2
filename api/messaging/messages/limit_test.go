package messages

import (
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/fault"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/web"
)

func TestLimit_RefusalNamesTheSending(t *testing.T) {
	t.Parallel()
	s := New(new(pgxpool.Pool), &bustest.Recorder{}, struct{ jobqueue.Inserter }{}, Unguarded)
	actor := web.Actor{ID: uuid.New()}
	var err error
	for err == nil {
		err = s.AllowSending(actor)
	}
	require.Contains(t, fault.From(err).Message, "sending messages")
}
