// Package files keeps blobs: a folder by default, any store that gocloud.dev
// knows by address. Blobs are written once under a key of ours and never
// changed.
package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/fileblob" // file://
	_ "gocloud.dev/blob/s3blob"   // s3://
	"gocloud.dev/gcerrors"

	"heartward/api/platform/fault"
)

// readStall is how long one read may bring nothing before it fails.
const readStall = 30 * time.Second

// Store is a place for blobs. Safe for concurrent use.
type Store struct {
	bucket *blob.Bucket
	stall  time.Duration
	folder string // where the blobs are files of this machine, else empty
}

// Open opens the store at address, or without one the folder, which is made.
func Open(ctx context.Context, address, folder string) (*Store, error) {
	if address == "" {
		path, err := filepath.Abs(folder)
		if err != nil {
			return nil, err
		}
		if err := os.MkdirAll(path, 0o700); err != nil {
			return nil, err
		}
		// no_tmp_dir: a blob is renamed into place, which works within one file system only.
		address = (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: "no_tmp_dir=true&metadata=skip"}).String()
	}
	bucket, err := blob.OpenBucket(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("opening the file store: %w", err)
	}
	store := Of(bucket)
	if u, err := url.Parse(address); err == nil && u.Scheme == "file" {
		store.folder = filepath.FromSlash(u.Path)
	}
	return store, nil
}

// Of is a store in a bucket that is open already.
func Of(bucket *blob.Bucket) *Store { return &Store{bucket: bucket, stall: readStall} }

// probeBytes is about what a small picture takes.
const probeBytes = 64 << 10

// CheckWritable returns an error while no file can be written to the folder. Of
// a remote store it asks nothing: it may be back before the next upload.
func (s *Store) CheckWritable(context.Context) error {
	if s.folder == "" {
		return nil
	}
	probe, err := os.CreateTemp(s.folder, ".probe-")
	if err != nil {
		return NoRoom(err)
	}
	_ = os.Remove(probe.Name()) // at once, so that a killed process leaves none
	_, err = probe.Write(make([]byte, probeBytes))
	return NoRoom(errors.Join(err, probe.Close()))
}

// Put stores all of r under key, or nothing. Unavailable when there is no room.
//
// Not by the bucket's own Upload: that puts what it has into place when r fails
// or the disk is full.
func (s *Store) Put(ctx context.Context, key, contentType string, r io.Reader) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := s.bucket.NewWriter(ctx, key, &blob.WriterOptions{ContentType: contentType})
	if err != nil {
		return NoRoom(faultOf(err))
	}
	if _, err := io.Copy(w, r); err != nil {
		cancel() // Close then throws away what was written
		_ = w.Close()
		return NoRoom(faultOf(err))
	}
	return NoRoom(faultOf(w.Close()))
}

// NoRoom turns the error of a disk that is full, or may not be written, into
// Unavailable: an operator has to act, and the same call works afterwards.
func NoRoom(err error) error {
	for _, cause := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EIO, fs.ErrPermission} {
		if errors.Is(err, cause) {
			return fault.Wrap(fault.Unavailable, "We have no room for files right now. Please try again later.", err)
		}
	}
	return err
}

// Size is the blob's length in bytes. NotFound when there is none.
func (s *Store) Size(ctx context.Context, key string) (int64, error) {
	attributes, err := s.bucket.Attributes(ctx, key)
	if err != nil {
		return 0, faultOf(err)
	}
	return attributes.Size, nil
}

// Range reads length bytes from offset; a negative length reads to the end.
// The caller closes the reader. NotFound when there is no such blob. Opening and
// each read fail when the store sends nothing for 30 s; how long the caller takes
// between two reads does not count.
func (s *Store) Range(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	ctx, cancel := context.WithCancel(ctx)
	timer := time.AfterFunc(s.stall, cancel)
	reader, err := s.bucket.NewRangeReader(ctx, key, offset, length, nil)
	timer.Stop()
	if err != nil {
		cancel()
		return nil, faultOf(err)
	}
	return &stallReader{reader: reader, timer: timer, stall: s.stall, cancel: cancel}, nil
}

// stallReader cancels the context of a read that brings nothing in time.
type stallReader struct {
	reader io.ReadCloser
	timer  *time.Timer
	stall  time.Duration
	cancel context.CancelFunc
}

func (r *stallReader) Read(p []byte) (int, error) {
	r.timer.Reset(r.stall)
	defer r.timer.Stop()
	return r.reader.Read(p)
}

func (r *stallReader) Close() error {
	r.timer.Stop()
	defer r.cancel()
	return r.reader.Close()
}

// Entry is a blob in a listing.
type Entry struct {
	Key     string
	ModTime time.Time
}

// List returns the blobs whose keys begin with prefix, in the order of keys.
func (s *Store) List(ctx context.Context, prefix string) ([]Entry, error) {
	var found []Entry
	for entries := s.bucket.List(&blob.ListOptions{Prefix: prefix}); ; {
		entry, err := entries.Next(ctx)
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if err != nil {
			return nil, faultOf(err)
		}
		found = append(found, Entry{Key: entry.Key, ModTime: entry.ModTime})
	}
}

// Delete removes the blob for good. One that is not there is NotFound.
func (s *Store) Delete(ctx context.Context, key string) error {
	return faultOf(s.bucket.Delete(ctx, key))
}

// Close ends the use of the store.
func (s *Store) Close() error { return s.bucket.Close() }

func faultOf(err error) error {
	switch gcerrors.Code(err) {
	case gcerrors.OK:
		return nil
	case gcerrors.NotFound:
		return fault.Wrap(fault.NotFound, "We could not find that file.", err)
	case gcerrors.DeadlineExceeded, gcerrors.ResourceExhausted:
		return fault.Wrap(fault.Unavailable, "We can't reach our files right now. Please try again in a moment.", err)
	}
	return err
}
