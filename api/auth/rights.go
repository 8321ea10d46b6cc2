package auth

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/members"
	"heartward/api/platform/jobqueue"
)

// EndedArgs are the arguments of the job that closes the sockets of ended sessions. A process without
// the bus of the serving nodes, such as the command line, enqueues it.
type EndedArgs struct {
	SessionIDs []uuid.UUID `json:"sessionIds"`
}

// Kind returns the name of the job in River.
func (EndedArgs) Kind() string { return "sessions_ended" }

// RevokeAllAndEnqueue revokes every session of the member in tx, and enqueues the job that closes their sockets on
// every node. It is for processes that have no bus; others call RevokeAllTx and PublishEnded.
func RevokeAllAndEnqueue(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, member uuid.UUID) error {
	if err := members.Lock(ctx, tx, member); err != nil {
		return err
	}
	ended, err := RevokeAllTx(ctx, tx, member)
	if err != nil || len(ended) == 0 {
		return err
	}
	_, err = jobs.InsertTx(ctx, tx, EndedArgs{SessionIDs: ended}, &river.InsertOpts{})
	return err
}

// PublishEndedJob publishes the ended sessions of a job.
func (s *Service) PublishEndedJob(args EndedArgs) { s.publishEnded(args.SessionIDs...) }
