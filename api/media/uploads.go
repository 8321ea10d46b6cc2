package media

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
)

// Upload is a file on its way: so many bytes of it have come.
type Upload struct {
	ID        uuid.UUID
	Length    int64
	Received  int64
	ExpiresAt time.Time
}

var (
	errUnknown  = fault.New(fault.NotFound, "We could not find that.")
	errTooLarge = fault.New(fault.TooLarge, "This file is larger than 25 MB. Please choose a smaller one.")
	errMoved    = fault.New(fault.Conflict, "The upload stands at another place. Please ask where, and go on from there.")
	errCrumbs   = fault.New(fault.Conflict, "This upload came in too many small parts. Please begin it anew.")
	errBusy     = fault.Wrap(fault.Unavailable, "We are busy with other files. Please try again in a moment.", nil)
)

// Create begins an upload of length bytes. Invalid for an empty one; TooLarge
// above 25 MiB; RateLimited after 200 a day; Conflict when ten are under way or
// the member keeps 500 MB.
func (s *Service) Create(ctx context.Context, owner uuid.UUID, length int64) (Upload, error) {
	switch {
	case length <= 0:
		return Upload{}, fault.InvalidField("header.Upload-Length", "This file is empty. Please choose another.")
	case length > MaxUpload:
		return Upload{}, errTooLarge
	}
	err := limits.Allow(ctx, s.pool, daily, owner.String())
	if fault.Is(err, fault.RateLimited) {
		return Upload{}, fault.Limited("You have sent two hundred files today. Please go on tomorrow.", fault.From(err).RetryAfter)
	}
	if err != nil {
		return Upload{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Upload{}, err
	}
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (Upload, error) {
		if err := members.Room(ctx, tx, owner, length); err != nil {
			return Upload{}, err
		}
		return insertUpload(ctx, tx, id, owner, length)
	})
}

// Find answers with an upload of the owner's; NotFound where there is none.
func (s *Service) Find(ctx context.Context, owner, id uuid.UUID) (Upload, error) {
	u, err := findUpload(ctx, s.pool, owner, id)
	return u, pg.Fault(err)
}

// Append reads more bytes of the upload from content, of which length come, and
// keeps them as they come: what was received counts, also when the rest does
// not come. Whoever waits for a slow sender holds nothing in the database.
//
// NotFound for what is not the owner's; Conflict unless offset is where the
// upload stands, also when another request moved it on meanwhile, and when it
// came in 512 parts and is not whole yet; TooLarge when more would come than was
// announced; Unavailable when the parts cannot be kept.
func (s *Service) Append(ctx context.Context, owner, id uuid.UUID, offset int64, content io.Reader, length int64) (Upload, error) {
	u, err := s.Find(ctx, owner, id)
	switch {
	case err != nil:
		return u, err
	case offset != u.Received:
		return u, errMoved
	case length > u.Length-u.Received:
		return u, fault.New(fault.TooLarge, "This is more than the upload announced.")
	case length <= 0 || content == nil:
		return u, nil
	}
	leave, err := s.enter(owner)
	if err != nil {
		return u, err
	}
	defer leave()
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	for left := length; left > 0; {
		n, cut := io.ReadFull(content, (*buffer)[:min(left, partBytes)])
		left -= int64(n)
		if n > 0 {
			if u, err = s.keepPart(ctx, owner, u, (*buffer)[:n]); err != nil {
				return u, err
			}
		}
		if cut != nil {
			return u, fault.Wrap(fault.Unavailable, "The upload was cut. Please go on with it.", cut)
		}
	}
	return u, nil
}

// buffers are for the parts on their way.
var buffers = sync.Pool{New: func() any { b := make([]byte, partBytes); return &b }}

// enter counts one more request that brings parts; leave ends it. Unavailable
// when the member, or all together, have as many as there is memory for.
func (s *Service) enter(owner uuid.UUID) (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.receiving[owner] >= partsEach || !s.parts.TryAcquire(1) {
		return nil, errBusy
	}
	s.receiving[owner]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.parts.Release(1)
		if s.receiving[owner]--; s.receiving[owner] == 0 {
			delete(s.receiving, owner)
		}
	}, nil
}

// Receiving is how many parts are coming in.
func (s *Service) Receiving() (sum int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, parts := range s.receiving {
		sum += parts
	}
	return sum
}

// keepPart stores what came at the place where u stands. The blob is named for
// removal before it is written, and its name taken back in the transaction that
// counts it: so it is counted and there, or neither.
func (s *Service) keepPart(ctx context.Context, owner uuid.UUID, u Upload, part []byte) (Upload, error) {
	// The sender may be gone by now; what it has sent is kept all the same.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 15*time.Second)
	defer cancel()
	id, err := uuid.NewV7()
	if err != nil {
		return u, err
	}
	if err := s.members.NameBlobs(ctx, s.pool, id); err != nil {
		return u, pg.Fault(err)
	}
	err = s.files.Put(ctx, members.BlobKey(id, members.PartOfUpload), "application/octet-stream", bytes.NewReader(part))
	if err == nil {
		var moved Upload
		moved, err = pg.Tx(ctx, s.pool, func(tx pgx.Tx) (Upload, error) { return insertPart(ctx, tx, owner, u, id, len(part)) })
		if err == nil {
			return moved, nil
		}
	}
	s.members.RemoveSoon(ctx, id) // nothing to do when only the answer was lost
	if !errors.Is(err, pgx.ErrNoRows) {
		return u, err
	}
	if _, err := s.Find(ctx, owner, u.ID); err != nil {
		return u, err
	}
	return u, errMoved
}

// Remove ends an upload for good, and the file that was made of it. NotFound
// for what is not the owner's, or was sent.
func (s *Service) Remove(ctx context.Context, owner, id uuid.UUID) error {
	removed, err := deleteUploads(ctx, s.pool, `u.id = $1 AND u.owner_id = $2`, id, owner)
	if err == nil && removed == 0 {
		return errUnknown
	}
	return pg.Fault(err)
}

// RemoveExpired deletes uploads, and files that were never sent, whose time is
// over, and reports how many. It may run anywhere, any number of times.
func (s *Service) RemoveExpired(ctx context.Context) (removed int, err error) {
	for {
		parts, err := deleteExpiredParts(ctx, s.pool)
		if err != nil {
			return removed, pg.Fault(err)
		}
		if parts == 0 {
			break
		}
	}
	for {
		some, err := deleteUploads(ctx, s.pool, `u.expires_at < now()`)
		removed += some
		if err != nil || some == 0 {
			return removed, pg.Fault(err)
		}
		slog.DebugContext(ctx, "removed expired uploads", "count", some)
	}
}
