package members

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/blobs"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// readable is an SQL condition: @viewer may read file f. A file of a profile is readable by
// every member who may see the profile; a selfie, while it is pending, by its member and by
// admins, who may then read the photos too; a file of a message by its owner and, after it
// was sent, by both members while the conversation is shown to them. @admin is true for a
// session of an admin.
const readable = `(EXISTS (SELECT FROM member_media m JOIN users u ON u.id = m.user_id WHERE m.file_id = f.id AND ` + Visible + `)
	OR EXISTS (SELECT FROM member_prompts p JOIN users u ON u.id = p.user_id WHERE p.voice_id = f.id AND ` + Visible + `)
	OR EXISTS (SELECT FROM pending_verifications v WHERE v.selfie_id = f.id AND v.user_id = @viewer)
	OR EXISTS (SELECT FROM unsent_files p WHERE p.file_id = f.id AND p.owner_id = @viewer)
	OR EXISTS (SELECT FROM shared_files s WHERE s.file_id = f.id AND s.member_id = @viewer)
	OR @admin AND EXISTS (SELECT FROM pending_verifications v WHERE v.user_id = f.owner_id AND (
		v.selfie_id = f.id OR EXISTS (SELECT FROM member_media m WHERE m.file_id = f.id AND m.slot = 'photo'))))`

// OpenFile returns a file that the viewer may see. It returns NotFound for any other file.
// A browser may store the files of profiles, and asks before each use whether the member
// may still see them. The files of messages and verifications are stored by the app alone.
func (s *Service) OpenFile(ctx context.Context, viewer web.Actor, id uuid.UUID, variant string, c blobs.Conditions) (blobs.File, error) {
	var recordingType *string
	var hasCopy, isOfProfile bool
	err := s.pool.QueryRow(ctx, `
		SELECT
			CASE WHEN f.duration_ms IS NOT NULL THEN f.content_type END,
			f.copy_bytes IS NOT NULL,
			EXISTS (SELECT FROM member_media m WHERE m.file_id = f.id)
				OR EXISTS (SELECT FROM member_prompts p WHERE p.voice_id = f.id)
		FROM files f
		WHERE f.id = @id
			AND `+readable,
		pgx.NamedArgs{"id": id, "viewer": viewer.ID, "admin": viewer.Admin}).Scan(&recordingType, &hasCopy, &isOfProfile)
	if err != nil {
		return blobs.File{}, pg.Fault(err)
	}
	if isOfProfile && c.Unchanged() {
		return blobs.Unchanged(), nil
	}
	if variant == blobs.NormalisedCopy && !hasCopy {
		return blobs.File{}, blobs.NotFound()
	}
	file, err := s.blobs.Open(ctx, id, variant, recordingType)
	if isOfProfile {
		file = file.Cached()
	}
	return file, err
}

type fileInput struct {
	ID      uuid.UUID `path:"id" format:"uuid"`
	Variant string    `path:"variant" maxLength:"20"`
	blobs.Conditions
}

func (s *Service) getFile(ctx context.Context, in *fileInput) (*huma.StreamResponse, error) {
	actor, _ := web.ActorOf(ctx)
	file, err := s.OpenFile(ctx, actor, in.ID, in.Variant, in.Conditions)
	if err != nil {
		return nil, err
	}
	return file.Send(ctx, in.Conditions)
}
