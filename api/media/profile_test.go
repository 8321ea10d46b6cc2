package media_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/members"
)

// Recordings of profiles are normalised as well, and visible to all who may see the
// member.
func TestNormalise_RecordingsOfProfiles(t *testing.T) {
	t.Parallel()
	w := newEnvWith(t, realFFmpeg(t))
	owner, viewer := w.member(), w.member()
	rec := func(name string) members.Recorded {
		raw := stored(t, name)
		return members.Recorded{Content: bytes.NewReader(raw), Bytes: int64(len(raw)), DurationMs: 1000}
	}
	ctx := context.Background()
	made := map[string]uuid.UUID{}
	for name, add := range map[string]func(context.Context, uuid.UUID, members.Recorded) (members.Recording, error){
		"voice greeting": w.m.SetAudioGreeting, "video greeting": w.m.SetVideoGreeting, "gallery video": w.m.AddGalleryVideo,
	} {
		file := "video.webm"
		if name == "voice greeting" {
			file = "voice.webm"
		}
		added, err := add(ctx, owner, rec(file))
		require.NoError(t, err, name)
		made[name] = added.ID
	}
	for name, id := range made {
		require.EqualValues(t, 1, w.count(`SELECT count(*) FROM river_job WHERE kind = 'normalise' AND args->>'fileId' = $1`, id.String()), name)
		require.Nil(t, w.read(viewer, id, "media.mp4"), "%s: not yet", name)
		require.NoError(t, w.s.Normalise(ctx, id), name)
		require.NotEmpty(t, w.read(viewer, id, "media.mp4"), name)
		require.Positive(t, w.count(`SELECT copy_bytes FROM files WHERE id = $1`, id), name)
	}
	w.exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, owner)
	for name, id := range made {
		require.Nil(t, w.read(viewer, id, "media.mp4"), "%s: as hidden as the member", name)
	}
}
