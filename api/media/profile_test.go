package media_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/images"
)

// Recordings of profiles are normalised as well, and visible to all who may see the
// member.
func TestNormalise_CopiesRecordingsOfProfiles(t *testing.T) {
	t.Parallel()
	w := newEnvWith(t, realFFmpeg(t))
	owner, viewer := w.Member("Ada Moss").ID, w.Member("Ada Moss").ID
	ctx := context.Background()
	ids := map[string]uuid.UUID{}
	for name, slot := range map[string]members.Slot{
		"voice greeting": members.AudioGreetingSlot, "video greeting": members.VideoGreetingSlot, "gallery video": members.GalleryVideoSlot,
	} {
		file, kind := "video.webm", "video"
		if name == "voice greeting" {
			file, kind = "voice.webm", "audio"
		}
		upload := w.uploadFor(owner, media.ForProfile, stored(t, file))
		greeting, err := w.s.AddRecording(ctx, owner, upload, media.FileSpec{Kind: kind, DurationMs: 1000}, slot)
		require.NoError(t, err, name)
		ids[name] = greeting.ID
	}
	for name, id := range ids {
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'normalise' AND args->>'fileId' = $1`, id.String()), name)
		require.Nil(t, w.read(viewer, id, "media.mp4"), "%s: not yet", name)
		require.NoError(t, w.s.Normalise(ctx, id), name)
		require.NotEmpty(t, w.read(viewer, id, "media.mp4"), name)
		require.Positive(t, w.Count(`SELECT copy_bytes FROM files WHERE id = $1`, id), name)
	}
	w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, owner)
	for name, id := range ids {
		require.Nil(t, w.read(viewer, id, "media.mp4"), "%s: as hidden as the member", name)
	}
}

// Of ten concurrent calls on two nodes each returns the same photo or Unavailable.
// Later calls return the photo, and there is one.
func TestAddPicture_ConcurrentCallsMakeOnePhoto(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.Member("Ada Moss").ID
	nodes := []*media.Service{w.node(), w.node()}
	upload := w.uploadFor(owner, media.ForProfile, picture(t))
	var mu sync.Mutex
	var photos []members.Photo
	var group sync.WaitGroup
	for i := range 10 {
		group.Go(func() {
			photo, err := nodes[i%2].AddPicture(t.Context(), owner, upload, members.PhotoSlot)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				photos = append(photos, photo)
			case !fault.Is(err, fault.Unavailable):
				t.Error(err)
			}
		})
	}
	group.Wait()
	require.NotEmpty(t, photos)
	require.Len(t, slices.Compact(photos), 1)
	last, err := w.s.AddPicture(t.Context(), owner, upload, members.PhotoSlot)
	require.NoError(t, err)
	require.Equal(t, photos[0], last)
	me, err := w.m.Me(t.Context(), owner)
	require.NoError(t, err)
	require.Equal(t, []members.Photo{last}, me.Photos)
	require.Zero(t, w.Count(`SELECT count(*) FROM uploads`))
	blobs, _ := w.disk.size()
	require.Equal(t, 2, blobs, "the picture and its thumbnail")
}

// Photos are in the order of the calls, not of the uploads.
func TestAddPicture_KeepsTheOrderOfTheCalls(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.Member("Ada Moss").ID
	var uploads []uuid.UUID
	for range 4 {
		uploads = append(uploads, w.uploadFor(owner, media.ForProfile, picture(t)))
	}
	slices.Reverse(uploads)
	for _, upload := range uploads {
		_, err := w.s.AddPicture(t.Context(), owner, upload, members.PhotoSlot)
		require.NoError(t, err)
	}
	_, err := w.s.AddPicture(t.Context(), owner, uploads[0], members.PhotoSlot)
	require.NoError(t, err, "a repeated call does not move it")
	me, err := w.m.Me(t.Context(), owner)
	require.NoError(t, err)
	var got []uuid.UUID
	for _, photo := range me.Photos {
		got = append(got, photo.ID)
	}
	require.Equal(t, uploads, got)
}

func TestAddPicture_RefusesUnusableUploads(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner, other := w.Member("Ada Moss").ID, w.Member("Ada Moss").ID
	add := func(member, upload uuid.UUID, slot members.Slot) error {
		_, err := w.s.AddPicture(t.Context(), member, upload, slot)
		return err
	}
	requireFault(t, add(owner, uuid.New(), members.PhotoSlot), fault.NotFound, "")
	upload := w.uploadFor(owner, media.ForProfile, picture(t))
	requireFault(t, add(other, upload, members.PhotoSlot), fault.NotFound, "")
	requireFault(t, add(owner, w.upload(owner, picture(t)), members.PhotoSlot), fault.Invalid, "uploadId")
	requireFault(t, add(owner, w.uploadFor(owner, media.ForProfile, recording(t, "voice.webm")), members.PhotoSlot), fault.Invalid, "uploadId")
	half, err := w.s.Create(t.Context(), owner, uuid.New(), media.ForProfile, 10)
	require.NoError(t, err)
	requireFault(t, add(owner, half.ID, members.PhotoSlot), fault.Invalid, "uploadId")
	_, err = w.s.AddRecording(t.Context(), owner, upload, media.FileSpec{Kind: "video"}, members.VideoGreetingSlot)
	requireFault(t, err, fault.Invalid, "uploadId")
	video := w.uploadFor(owner, media.ForProfile, recording(t, "video.webm"))
	_, err = w.s.AddRecording(t.Context(), owner, video, media.FileSpec{Kind: "video", Poster: w.upload(owner, picture(t))}, members.VideoGreetingSlot)
	requireFault(t, err, fault.Invalid, "posterUploadId")

	w.Exec(`UPDATE uploads SET expires_at = now() - interval '1 second' WHERE id = $1`, upload)
	requireFault(t, add(owner, upload, members.PhotoSlot), fault.NotFound, "")
	w.Exec(`UPDATE uploads SET expires_at = now() + interval '1 hour' WHERE id = $1`, upload)
	require.NoError(t, add(owner, upload, members.PhotoSlot))
	requireFault(t, add(owner, upload, members.BannerSlot), fault.NotFound, "")
	_, err = w.s.MakeFile(t.Context(), owner, upload, media.FileSpec{Kind: "image"})
	requireFault(t, err, fault.NotFound, "")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM files`))
	require.NoError(t, w.m.DeletePhoto(t.Context(), owner, upload))
	requireFault(t, add(owner, upload, members.PhotoSlot), fault.NotFound, "")
}

func TestAddPromptVoice_RefusesLongRecordings(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.Member("Ada Moss").ID
	upload := w.uploadFor(owner, media.ForProfile, recording(t, "voice.webm"))
	spec := media.FileSpec{Kind: "audio", DurationMs: 1160, MaxDuration: 100 * time.Millisecond}
	_, err := w.s.AddPromptVoice(t.Context(), owner, upload, spec, "Ask me about")
	requireFault(t, err, fault.Invalid, "uploadId")
	spec.MaxDuration = media.MaxPromptVoice
	voice, err := w.s.AddPromptVoice(t.Context(), owner, upload, spec, "Ask me about")
	require.NoError(t, err)
	me, err := w.m.Me(t.Context(), owner)
	require.NoError(t, err)
	require.Equal(t, []members.Prompt{{Question: "Ask me about", Voice: &voice}}, me.Prompts)
}

// Pictures and videos that are added to a profile are reviewed, if this is enabled; voices
// and selfies are not.
func TestEnableReview_EnqueuesPicturesOfProfiles(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner, ctx := w.Member("Ada Moss").ID, context.Background()
	reviews := func(id uuid.UUID) int {
		return w.Count(`SELECT count(*) FROM river_job WHERE kind = 'review_picture' AND queue = $1 AND args->>'fileId' = $2`, media.ReviewQueue, id.String())
	}
	photo, err := w.s.AddPicture(ctx, owner, w.uploadFor(owner, media.ForProfile, picture(t)), members.PhotoSlot)
	require.NoError(t, err)
	require.Zero(t, reviews(photo.ID), "not enabled")
	w.s.EnableReview()
	for _, slot := range []members.Slot{members.PhotoSlot, members.BannerSlot, members.GalleryImageSlot} {
		photo, err = w.s.AddPicture(ctx, owner, w.uploadFor(owner, media.ForProfile, picture(t)), slot)
		require.NoError(t, err)
		require.Equal(t, 1, reviews(photo.ID), slot.Name())
		small, err := w.s.PictureToReview(ctx, photo.ID)
		require.NoError(t, err)
		require.NotEmpty(t, small)
	}
	video, err := w.s.AddRecording(ctx, owner, w.uploadFor(owner, media.ForProfile, stored(t, "video.webm")), media.FileSpec{Kind: "video", DurationMs: 1000}, members.VideoGreetingSlot)
	require.NoError(t, err)
	require.Equal(t, 1, reviews(video.ID))
	voice, err := w.s.AddRecording(ctx, owner, w.uploadFor(owner, media.ForProfile, stored(t, "voice.webm")), media.FileSpec{Kind: "audio", DurationMs: 1000}, members.AudioGreetingSlot)
	require.NoError(t, err)
	require.Zero(t, reviews(voice.ID))
	selfie := w.uploadFor(owner, media.ForProfile, picture(t))
	require.NoError(t, w.s.UsePicture(ctx, owner, selfie, func(pgx.Tx) ([]uuid.UUID, error) { return nil, nil }))
	require.Zero(t, reviews(selfie))
}

// A browser that cannot crop sends the part with the upload.
func TestAddCroppedPicture_StoresThePart(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.Member("Ada Moss").ID
	whole, err := w.s.AddPicture(t.Context(), owner, w.uploadFor(owner, media.ForProfile, picture(t)), members.PhotoSlot)
	require.NoError(t, err)
	part, err := w.s.AddCroppedPicture(t.Context(), owner, w.uploadFor(owner, media.ForProfile, picture(t)), members.PhotoSlot,
		&images.Crop{X: 0.5, Width: 0.5, Height: 1})
	require.NoError(t, err)
	require.Equal(t, []int{whole.Width / 2, whole.Height}, []int{part.Width, part.Height})
}
