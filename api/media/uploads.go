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
	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
)

// Upload is the state of a resumable upload. Sizes are in bytes.
type Upload struct {
	ID        uuid.UUID
	Purpose   Purpose
	Length    int64
	Received  int64
	ExpiresAt time.Time
}

var (
	errNotFound     = fault.New(fault.NotFound, "We could not find that.")
	errIDUsed       = fault.Declare("upload_id_used", fault.Conflict, "This upload can't continue. Please start again.")
	errTooMany      = fault.Limited("Ten of your files are on their way already. Please wait for one of them.", tooManyWait)
	errTooLarge     = fault.New(fault.TooLarge, "This file is larger than 25 MB. Please choose a smaller one.")
	errOffset       = fault.New(fault.Conflict, "The upload has another offset. Please get the offset and continue from there.")
	errTooManyParts = fault.New(fault.Conflict, "This upload came in too many small parts. Please start again.")

	// errBusy is for a lack of resources, and for an upload whose file another call makes: a retry succeeds or finds that file.
	errBusy = fault.Wrap(fault.Unavailable, "We are busy with other files. Please try again in a moment.", nil)
)

// tooManyWait is the time after which a client tries again to create an upload that was one too many.
const tooManyWait = 30 * time.Second

// Create creates an upload of length bytes with an id that the client chose. A repetition, such as
// after a lost response, returns the upload of the first call. If the owner has ten incomplete uploads
// for the purpose, the oldest that has received no byte is deleted.
//
// Errors: Invalid for an empty upload; TooLarge above 25 MiB; RateLimited after 200 a day for messages
// or 60 for the profile, and when ten incomplete uploads have received bytes; Conflict when the owner
// uses 500 MB, and with the code upload_id_used for an id of a file, of another upload or of one of
// another member.
func (s *Service) Create(ctx context.Context, owner, id uuid.UUID, purpose Purpose, length int64) (Upload, error) {
	switch {
	case length <= 0:
		return Upload{}, fault.InvalidField("header.Upload-Length", "This file is empty. Please choose another.")
	case length > MaxUpload:
		return Upload{}, errTooLarge
	}
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (Upload, error) {
		if err := members.Lock(ctx, tx, owner); err != nil {
			return Upload{}, err
		}
		u, err := findUpload(ctx, tx, owner, id)
		if err == nil && (u.Purpose != purpose || u.Length != length) {
			return Upload{}, errIDUsed
		}
		if !errors.Is(err, pgx.ErrNoRows) {
			return u, err
		}
		if err := members.LockQuota(ctx, tx, owner, length); err != nil {
			return Upload{}, err
		}
		if err := makeRoom(ctx, tx, owner, purpose); err != nil {
			return Upload{}, err
		}
		if u, err = insertUpload(ctx, tx, id, owner, purpose, length); err != nil {
			return Upload{}, err
		}
		return u, limits.Allow(ctx, tx, daily[purpose], owner.String()) // in tx, so that refused uploads do not count
	})
}

// Find returns the state of an upload, or NotFound if it is not the owner's.
func (s *Service) Find(ctx context.Context, owner, id uuid.UUID) (Upload, error) {
	u, err := findUpload(ctx, s.pool, owner, id)
	return u, pg.Fault(err)
}

// Append reads length bytes from content and stores them in parts as they arrive,
// so that the parts before an interruption count. It holds no connection of the
// pool while it reads.
//
// Errors: NotFound for an upload that is not the owner's; Conflict when offset is
// not the current offset, also after a concurrent request, and when an incomplete
// upload has 512 parts; TooLarge when the upload would exceed its length;
// Unavailable when content ends early or a part cannot be stored.
func (s *Service) Append(ctx context.Context, owner, id uuid.UUID, offset int64, content io.Reader, length int64) (Upload, error) {
	u, err := s.Find(ctx, owner, id)
	switch {
	case err != nil:
		return u, err
	case offset != u.Received:
		return u, errOffset
	case length > u.Length-u.Received:
		return u, fault.New(fault.TooLarge, "This is more than the upload announced.")
	case length <= 0 || content == nil:
		return u, nil
	}
	release, err := s.acquireSlot(owner)
	if err != nil {
		return u, err
	}
	defer release()
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	for remaining := length; remaining > 0; {
		n, readErr := io.ReadFull(content, (*buffer)[:min(remaining, partBytes)])
		remaining -= int64(n)
		if n > 0 {
			if u, err = s.storePart(ctx, owner, u, (*buffer)[:n]); err != nil {
				return u, err
			}
		}
		if readErr != nil {
			return u, fault.Wrap(fault.Unavailable, "The upload was interrupted. Please continue it.", readErr)
		}
	}
	return u, nil
}

// buffers holds buffers of partBytes.
var buffers = sync.Pool{New: func() any { b := make([]byte, partBytes); return &b }}

// acquireSlot counts a request that sends parts until release is called. It returns
// Unavailable when the member or the process has too many.
func (s *Service) acquireSlot(owner uuid.UUID) (release func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.receiving[owner] >= maxRequestsPerMember || !s.requests.TryAcquire(1) {
		return nil, errBusy
	}
	s.receiving[owner]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.requests.Release(1)
		if s.receiving[owner]--; s.receiving[owner] == 0 {
			delete(s.receiving, owner)
		}
	}, nil
}

// Receiving returns the number of requests that are sending parts.
func (s *Service) Receiving() (sum int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, requests := range s.receiving {
		sum += requests
	}
	return sum
}

// storePart stores a part at the current offset of u and returns the new state. The
// blob is marked for removal before it is written, and unmarked in the transaction
// that counts it, so that it is both stored and counted, or removed.
func (s *Service) storePart(ctx context.Context, owner uuid.UUID, u Upload, part []byte) (Upload, error) {
	// The part is stored even if the client has disconnected.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 15*time.Second)
	defer cancel()
	id, err := uuid.NewV7()
	if err != nil {
		return u, err
	}
	if err := blobs.MarkForRemoval(ctx, s.pool, id); err != nil {
		return u, pg.Fault(err)
	}
	err = s.blobs.Put(ctx, id, blobs.PartOfUpload, "application/octet-stream", bytes.NewReader(part))
	if err == nil {
		var updated Upload
		updated, err = pg.Tx(ctx, s.pool, func(tx pgx.Tx) (Upload, error) { return insertPart(ctx, tx, owner, u, id, len(part)) })
		if err == nil {
			return updated, nil
		}
	}
	s.blobs.RemoveNow(ctx, id) // no effect if the transaction committed after all
	if !errors.Is(err, pgx.ErrNoRows) {
		return u, err
	}
	if _, err := s.Find(ctx, owner, u.ID); err != nil {
		return u, err
	}
	return u, errOffset
}

// Remove deletes an upload and its file. It returns NotFound for an upload that is
// not the owner's or whose file was sent.
func (s *Service) Remove(ctx context.Context, owner, id uuid.UUID) error {
	removed, err := deleteUpload(ctx, s.pool, owner, id)
	if err == nil && removed == 0 {
		return errNotFound
	}
	return pg.Fault(err)
}

// RemoveExpired deletes expired uploads and their unsent files, and returns the
// number of uploads. It may run concurrently.
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
		some, err := deleteExpiredUploads(ctx, s.pool)
		removed += some
		if err != nil || some == 0 {
			return removed, pg.Fault(err)
		}
		slog.DebugContext(ctx, "removed expired uploads", "count", some)
	}
}
