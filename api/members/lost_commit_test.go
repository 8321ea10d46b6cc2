package members_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/pgtest"
)

func TestAddPhoto_LostCommitResponseKeepsBlobs(t *testing.T) {
	t.Parallel()
	w, ctx := newEnv(t), context.Background()
	id := w.join("Ada")
	pool, commits := pgtest.NewLossyPool(t, w.Pool)
	upload := w.uploaded(id, picture(t))
	b := blobs.New(pool, w.store)
	pictures := media.New(pool, b, members.New(pool, b), pgtest.Jobs(t, pool), nil)
	commits.LoseNextAfter("INSERT INTO member_media")
	photo, err := pictures.AddPicture(ctx, id, upload, members.PhotoSlot)
	require.NoError(t, err, "the photo is found by another connection")
	me, err := w.Me(ctx, id)
	require.NoError(t, err)
	require.Equal(t, []members.Photo{photo}, me.Photos)
	require.Equal(t, 200, w.call(id, "GET", me.Photos[0].URL, "").Code)
	retry, err := w.media.AddPicture(ctx, id, upload, members.PhotoSlot)
	require.NoError(t, err)
	require.Equal(t, []members.Photo{retry}, me.Photos, "a retry returns the photo")
}
