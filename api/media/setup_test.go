package media_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"gocloud.dev/blob"
	"gocloud.dev/blob/driver"
	"gocloud.dev/gcerrors"

	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/files"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/recordings"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// env is a media service with a database and a blob store in memory.
type env struct {
	testkit.DB
	disk   *disk
	store  *files.Store
	blobs  *blobs.Service
	m      *members.Service
	s      *media.Service
	ffmpeg *media.FFmpeg
}

func newEnv(t testing.TB) *env { return newEnvWith(t, nil) }

func newEnvWith(t testing.TB, ffmpeg *media.FFmpeg) *env {
	t.Helper()
	w := &env{DB: pgtest.NewDB(t), disk: &disk{blobs: map[string][]byte{}}, ffmpeg: ffmpeg}
	w.store = files.FromBucket(blob.NewBucket(w.disk))
	w.blobs = blobs.New(w.Pool, w.store)
	w.m = members.New(w.Pool, w.blobs)
	w.s = w.node()
	return w
}

// node returns another service on the same database and blob store.
func (w *env) node() *media.Service {
	w.Helper()
	return media.New(w.Pool, w.blobs, w.m, pgtest.Jobs(w, w.Pool), w.ffmpeg)
}

// message stores a conversation of two members with a message without files.
func (w *env) message(a, b uuid.UUID) (conversation uuid.UUID) {
	w.Helper()
	conversation = uuid.Must(uuid.NewV7())
	w.Exec(`INSERT INTO conversations (id, user_a, user_b, last_seq) VALUES ($1, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid), 1)`, conversation, a, b)
	w.Exec(`INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, message_type) VALUES ($1, $1, 1, $2, $1, 'image')`, conversation, a)
	return conversation
}

func (w *env) attach(owner uuid.UUID, kind string, conversation uuid.UUID, ids ...uuid.UUID) (list []media.Attachment, err error) {
	err = pgx.BeginFunc(context.Background(), w.Pool, func(tx pgx.Tx) error {
		list, err = media.AttachTx(context.Background(), tx, owner, ids, kind, conversation, 1)
		return err
	})
	return list, err
}

// upload stores a complete upload for a message and returns its id.
func (w *env) upload(owner uuid.UUID, content []byte) uuid.UUID {
	w.Helper()
	return w.uploadFor(owner, media.ForMessage, content)
}

func (w *env) uploadFor(owner uuid.UUID, purpose media.Purpose, content []byte) uuid.UUID {
	w.Helper()
	u, err := w.s.Create(context.Background(), owner, uuid.New(), purpose, int64(len(content)))
	require.NoError(w, err)
	u, err = w.s.Append(context.Background(), owner, u.ID, 0, bytes.NewReader(content), int64(len(content)))
	require.NoError(w, err)
	require.Equal(w, u.Length, u.Received)
	return u.ID
}

func (w *env) file(owner uuid.UUID, kind, name string) media.Attachment {
	w.Helper()
	attachment, err := w.s.MakeFile(context.Background(), owner, w.upload(owner, recording(w, name)), media.FileSpec{Kind: kind})
	require.NoError(w, err)
	return attachment
}

// read returns a variant of a file for viewer, or nil if it is not visible.
func (w *env) read(viewer, id uuid.UUID, variant string) []byte {
	w.Helper()
	f, err := w.m.OpenFile(context.Background(), web.Actor{ID: viewer}, id, variant, blobs.Conditions{})
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	require.NoError(w, err)
	r, err := f.Range(context.Background(), 0, -1)
	require.NoError(w, err)
	defer r.Close()
	content, err := io.ReadAll(r)
	require.NoError(w, err)
	return content
}

// removeBlobs runs the removal of blobs.
func (w *env) removeBlobs() {
	w.Helper()
	_, err := w.blobs.RemoveDue(context.Background())
	require.NoError(w, err)
}

func requireFault(t testing.TB, err error, kind fault.Kind, field string) {
	t.Helper()
	testkit.RequireKind(t, err, kind)
	require.Equal(t, field, fault.From(err).Field, "%v", err)
}

func recording(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile("../platform/recordings/testdata/" + name)
	require.NoError(t, err)
	return raw
}

// stored returns a recording as it is stored, with its metadata and free space
// overwritten.
func stored(t testing.TB, name string) []byte {
	t.Helper()
	raw := recording(t, name)
	kind := recordings.Audio
	if strings.HasPrefix(name, "video") {
		kind = recordings.Video
	}
	found, err := recordings.Inspect(bytes.NewReader(raw), int64(len(raw)), kind, time.Minute)
	require.NoError(t, err)
	clean, err := io.ReadAll(found.Clean(bytes.NewReader(raw)))
	require.NoError(t, err)
	return clean
}

func requireSame(t testing.TB, want, got []byte, what string) {
	t.Helper()
	require.True(t, bytes.Equal(want, got), "%s: %d bytes instead of %d", what, len(got), len(want))
}

func picture(t testing.TB) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, image.NewGray(image.Rect(0, 0, 40, 30))))
	return out.Bytes()
}

func noise(seed uint64, size int) []byte {
	var key [32]byte
	key[0], key[1] = byte(seed), byte(seed>>8)
	content := make([]byte, size)
	_, _ = rand.NewChaCha8(key).Read(content)
	return content
}

// disk is a blob store in memory that can be full. A blob exists when its writer is
// closed without an error.
type disk struct {
	driver.Bucket
	full     atomic.Bool
	mu       sync.Mutex
	blobs    map[string][]byte
	onDelete func() // called before each blob is deleted; set before use
}

func (d *disk) size() (blobs, size int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, b := range d.blobs {
		size += len(b)
	}
	return len(d.blobs), size
}

var errNoBlob = errors.New("blob not found")

func (d *disk) find(key string) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	content, ok := d.blobs[key]
	if !ok {
		return nil, errNoBlob
	}
	return content, nil
}

func (d *disk) ErrorCode(err error) gcerrors.ErrorCode {
	if errors.Is(err, errNoBlob) {
		return gcerrors.NotFound
	}
	return gcerrors.Unknown
}

func (d *disk) Close() error { return nil }

func (d *disk) Attributes(_ context.Context, key string) (*driver.Attributes, error) {
	content, err := d.find(key)
	return &driver.Attributes{Size: int64(len(content))}, err
}

func (d *disk) Delete(_ context.Context, key string, _ *driver.DeleteOptions) error {
	if d.onDelete != nil {
		d.onDelete()
	}
	_, err := d.find(key)
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.blobs, key)
	return err
}

func (d *disk) NewRangeReader(_ context.Context, key string, offset, length int64, _ *driver.ReaderOptions) (driver.Reader, error) {
	content, err := d.find(key)
	if err != nil {
		return nil, err
	}
	end := int64(len(content))
	if length >= 0 {
		end = min(end, offset+length)
	}
	return &blobReader{Reader: bytes.NewReader(content[offset:end]), size: int64(len(content))}, nil
}

type blobReader struct {
	*bytes.Reader
	size int64
}

func (r *blobReader) Close() error { return nil }
func (r *blobReader) As(any) bool  { return false }
func (r *blobReader) Attributes() *driver.ReaderAttributes {
	return &driver.ReaderAttributes{Size: r.size, ModTime: time.Unix(0, 0)}
}

func (d *disk) NewTypedWriter(_ context.Context, key, _ string, _ *driver.WriterOptions) (driver.Writer, error) {
	return &blobWriter{d: d, key: key}, nil
}

type blobWriter struct {
	bytes.Buffer
	d   *disk
	key string
}

func (w *blobWriter) Write(p []byte) (int, error) {
	if w.d.full.Load() {
		return 0, &os.PathError{Op: "write", Path: w.key, Err: syscall.ENOSPC}
	}
	return w.Buffer.Write(p)
}

func (w *blobWriter) Close() error {
	if w.d.full.Load() {
		return &os.PathError{Op: "close", Path: w.key, Err: syscall.ENOSPC}
	}
	w.d.mu.Lock()
	defer w.d.mu.Unlock()
	w.d.blobs[w.key] = bytes.Clone(w.Bytes())
	return nil
}
