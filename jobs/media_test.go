package jobs_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/files"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/jobs"
)

// fakeFFmpeg returns an FFmpeg that runs a shell script.
func fakeFFmpeg(t *testing.T, body string) *media.FFmpeg {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ffmpeg")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\nif [ \"$1\" = -version ]; then echo ffmpeg version 0; exit; fi\n"+body), 0o700))
	f, err := media.FindFFmpeg(t.Context(), path)
	require.NoError(t, err)
	return f
}

// Another worker runs the job of a worker that died while transcoding a recording.
func TestNormalise_RunsAgainAfterWorkerDied(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	b := blobs.New(pool, store)
	m := members.New(pool, b)
	marks := t.TempDir()
	hangingProgram := fakeFFmpeg(t, ": >'"+marks+"/started'\nexec sleep 1000\n")
	copyPath, err := filepath.Abs("testdata/copy.mp4")
	require.NoError(t, err)
	workingProgram := fakeFFmpeg(t, "cp '"+copyPath+"' out\n")

	enqueuer := pgtest.Jobs(t, pool)
	owner := member(t, pool, "Ada")
	id := upload(t, media.New(pool, b, m, enqueuer, hangingProgram), owner)
	run := func(f *media.FFmpeg) *jobs.Workers {
		deps := newDeps(t, pool, make(sentPushes, 1))
		deps.Blobs, deps.Media = b, media.New(pool, b, m, enqueuer, f)
		client, err := jobs.New(pool, deps)
		require.NoError(t, err)
		require.NoError(t, client.Start(context.Background()))
		return client
	}
	first := run(hangingProgram)
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(marks, "started"))
		return err == nil
	}, testkit.Timeout, 10*time.Millisecond)
	require.NoError(t, first.StopAndCancel(t.Context()))
	require.Zero(t, copyBytes(t, pool, id))
	testkit.Exec(t, pool, `UPDATE river_job SET state = 'available', scheduled_at = now() WHERE kind = 'normalise' AND state IN ('retryable', 'scheduled')`)

	second := run(workingProgram)
	t.Cleanup(func() { require.NoError(t, second.StopAndCancel(context.Background())) })
	require.Eventually(t, func() bool { return copyBytes(t, pool, id) > 0 }, testkit.Timeout, 20*time.Millisecond)
	size, err := store.Size(t.Context(), blobs.Key(id, blobs.NormalisedCopy))
	require.NoError(t, err)
	require.Equal(t, size, copyBytes(t, pool, id))
}

func upload(t *testing.T, s *media.Service, owner uuid.UUID) uuid.UUID {
	t.Helper()
	raw, err := os.ReadFile("../api/platform/recordings/testdata/voice.webm")
	require.NoError(t, err)
	u, err := s.Create(t.Context(), owner, uuid.New(), media.ForMessage, int64(len(raw)))
	require.NoError(t, err)
	_, err = s.Append(t.Context(), owner, u.ID, 0, bytes.NewReader(raw), int64(len(raw)))
	require.NoError(t, err)
	_, err = s.MakeFile(t.Context(), owner, u.ID, media.FileSpec{Kind: "audio"})
	require.NoError(t, err)
	return u.ID
}

func copyBytes(t *testing.T, pool *pgxpool.Pool, id uuid.UUID) int64 {
	t.Helper()
	return testkit.Select[int64](t, pool, `SELECT coalesce(copy_bytes, 0) FROM files WHERE id = $1`, id)
}

func TestCleanup_RemovesExpiredUploads(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	b := blobs.New(pool, store)
	m := members.New(pool, b)
	s := media.New(pool, b, m, pgtest.Jobs(t, pool), nil)
	owner := member(t, pool, "Ada")
	old, current := upload(t, s, owner), upload(t, s, owner)
	testkit.Exec(t, pool, `UPDATE uploads SET expires_at = now() - interval '1 second' WHERE id = $1`, old)
	deps := newDeps(t, pool, make(sentPushes, 1))
	deps.Blobs, deps.Media = b, s
	startWorkersWith(t, pool, deps) // cleanup runs once at the start
	require.Eventually(t, func() bool {
		_, err := store.Size(t.Context(), blobs.Key(old, blobs.Original))
		return fault.Is(err, fault.NotFound)
	}, testkit.Timeout, 20*time.Millisecond)
	_, err = store.Size(t.Context(), blobs.Key(current, blobs.Original))
	require.NoError(t, err)
}

// A failure to delete uploads does not prevent the removal of blobs.
func TestCleanup_RemovesBlobsWhenUploadsFail(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	b := blobs.New(pool, store)
	m := members.New(pool, b)
	s := media.New(pool, b, m, pgtest.Jobs(t, pool), nil)
	old := upload(t, s, member(t, pool, "Ada"))
	testkit.Exec(t, pool, `UPDATE uploads SET expires_at = now() - interval '1 second'`)
	testkit.Exec(t, pool, `CREATE FUNCTION refused() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$`)
	testkit.Exec(t, pool, `CREATE TRIGGER refused BEFORE DELETE ON uploads FOR EACH ROW EXECUTE FUNCTION refused()`)
	deleted := uuid.New()
	require.NoError(t, store.Put(t.Context(), blobs.Key(deleted, blobs.Original), "audio/webm", bytes.NewReader([]byte("x"))))
	testkit.Exec(t, pool, `INSERT INTO blob_removals (file_id, due_at) VALUES ($1, now() - interval '1 second')`, deleted)
	deps := newDeps(t, pool, make(sentPushes, 1))
	deps.Blobs, deps.Media = b, s
	startWorkersWith(t, pool, deps) // cleanup runs once at the start
	require.Eventually(t, func() bool {
		_, err := store.Size(t.Context(), blobs.Key(deleted, blobs.Original))
		return fault.Is(err, fault.NotFound)
	}, testkit.Timeout, 20*time.Millisecond)
	_, err = store.Size(t.Context(), blobs.Key(old, blobs.Original))
	require.NoError(t, err)
}
