package auth

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/members"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
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

// DeviceSessions is a kind of device on which a member is signed in.
type DeviceSessions struct {
	Device     string    `json:"device" example:"Safari on iPhone"`
	Sessions   int       `json:"sessions"`
	LastSeenAt time.Time `json:"lastSeenAt" doc:"The last use of any of them"`
}

// SessionsByDevice returns how many valid sessions a member has on each kind of device, the most recently used
// first, without addresses and places.
func SessionsByDevice(ctx context.Context, db pg.DB, member uuid.UUID) ([]DeviceSessions, error) {
	rows, _ := db.Query(ctx, `
		SELECT s.user_agent, `+lastSeen+`
		FROM `+sessionsWithActivity+`
		JOIN credentials u ON u.user_id = s.user_id
		WHERE s.user_id = $1
			AND `+validSession+`
		ORDER BY 2 DESC, s.id`, member)
	devices := []DeviceSessions{}
	var agent string
	var seen time.Time
	_, err := pgx.ForEachRow(rows, []any{&agent, &seen}, func() error {
		name := deviceName(agent)
		at := slices.IndexFunc(devices, func(d DeviceSessions) bool { return d.Device == name })
		if at < 0 {
			at = len(devices)
			devices = append(devices, DeviceSessions{Device: name, LastSeenAt: web.Time(seen)})
		}
		devices[at].Sessions++
		return nil
	})
	return devices, pg.Fault(err)
}
