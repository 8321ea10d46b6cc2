// Package files stores blobs in a folder or in any store that gocloud.dev supports.
// Blobs are written once under a generated key and never changed.
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

// readStall is the time after which a read without data fails.
const readStall = 30 * time.Second

// Store is a blob store. It is safe for concurrent use.
type Store struct {
	bucket *blob.Bucket
	folder string // the folder of the blobs; empty for a remote store
}

// Open opens the store at address or, if address is empty, the folder, which it
// creates.
func Open(ctx context.Context, address, folder string) (*Store, error) {
	if address == "" {
		path, err := filepath.Abs(folder)
		if err != nil {
			return nil, err
		}
		if err := os.MkdirAll(path, 0o700); err != nil {
			return nil, err
		}
		// no_tmp_dir: the temporary file must be on the file system of the blob,
		// because it is renamed.
		address = (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: "no_tmp_dir=true&metadata=skip"}).String()
	}
	bucket, err := blob.OpenBucket(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("opening the file store: %w", err)
	}
	store := FromBucket(bucket)
	if u, err := url.Parse(address); err == nil && u.Scheme == "file" {
		store.folder = filepath.FromSlash(u.Path)
	}
	return store, nil
}

// FromBucket returns a Store for an open bucket.
func FromBucket(bucket *blob.Bucket) *Store { return &Store{bucket: bucket} }

// probeBytes is about the size of a small picture.
const probeBytes = 64 << 10

// CheckWritable returns an error if files cannot be written to the folder. It does
// not check a remote store, which may recover before the next upload.
func (s *Store) CheckWritable(context.Context) error {
	if s.folder == "" {
		return nil
	}
	return CheckFolder(s.folder)
}

// CheckFolder returns an error if files cannot be written to folder.
func CheckFolder(folder string) error {
	probe, err := os.CreateTemp(folder, ".probe-")
	if err != nil {
		return DiskFault(err)
	}
	_ = os.Remove(probe.Name()) // removed while open, so that a killed process leaves no file
	_, err = probe.Write(make([]byte, probeBytes))
	return DiskFault(errors.Join(err, probe.Close()))
}

// Put stores the whole content of r under key, or nothing. It returns Unavailable
// when the disk is full.
//
// It does not use the bucket's Upload, which stores partial content when r fails or
// the disk is full.
func (s *Store) Put(ctx context.Context, key, contentType string, r io.Reader) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := s.bucket.NewWriter(ctx, key, &blob.WriterOptions{ContentType: contentType})
	if err != nil {
		return DiskFault(faultOf(err))
	}
	if _, err := io.Copy(w, r); err != nil {
		cancel() // makes Close discard the content
		_ = w.Close()
		return DiskFault(faultOf(err))
	}
	return DiskFault(faultOf(w.Close()))
}

// DiskFault maps the error of a full or read-only disk to Unavailable, because a retry
// succeeds once the operator has freed space. It returns any other error unchanged.
func DiskFault(err error) error {
	for _, cause := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EIO, fs.ErrPermission} {
		if errors.Is(err, cause) {
			return fault.Wrap(fault.Unavailable, "We have no room for files right now. Please try again later.", err)
		}
	}
	return err
}

// Size returns the size of a blob in bytes, or NotFound.
func (s *Store) Size(ctx context.Context, key string) (int64, error) {
	attributes, err := s.bucket.Attributes(ctx, key)
	if err != nil {
		return 0, faultOf(err)
	}
	return attributes.Size, nil
}

// Range returns a reader of length bytes from offset, or to the end if length is
// negative. The caller must close it. It returns NotFound for an unknown blob.
// Opening and each read fail when the store sends no data for 30 s; the time between
// two reads does not count.
func (s *Store) Range(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	ctx, cancel := context.WithCancel(ctx)
	timer := time.AfterFunc(readStall, cancel)
	reader, err := s.bucket.NewRangeReader(ctx, key, offset, length, nil)
	timer.Stop()
	if err != nil {
		cancel()
		return nil, faultOf(err)
	}
	return &stallReader{reader: reader, timer: timer, cancel: cancel}, nil
}

// stallReader cancels the context of a read that gets no data in time.
type stallReader struct {
	reader io.ReadCloser
	timer  *time.Timer
	cancel context.CancelFunc
}

func (r *stallReader) Read(p []byte) (int, error) {
	r.timer.Reset(readStall)
	defer r.timer.Stop()
	return r.reader.Read(p)
}

func (r *stallReader) Close() error {
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

// Delete deletes a blob, or returns NotFound.
func (s *Store) Delete(ctx context.Context, key string) error {
	return faultOf(s.bucket.Delete(ctx, key))
}

// Close closes the store.
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
