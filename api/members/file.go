package members

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/blobs"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// readable is an SQL condition: @viewer may read file f. @moderator is true for a session with the rights of a moderator.
//
//   - A file of a profile is readable by every member who may see the profile.
//   - A pending selfie is readable by its member.
//   - The picture of a moment is readable by its member.
//   - A file of a message is readable by its owner and, once it is sent, by both members while they see the conversation.
//   - For an hour, the moderator who opened a selfie with a reason may read it and the member's photos.
//   - For an hour, the moderator who opened a profile that waits for a review may read its files.
const readable = `(EXISTS (SELECT FROM member_media m JOIN visible_members(@viewer) u ON u.id = m.user_id WHERE m.file_id = f.id AND ` + shownPhoto + `)
	OR EXISTS (SELECT FROM member_prompts p JOIN visible_members(@viewer) u ON u.id = p.user_id WHERE p.voice_id = f.id)
	OR EXISTS (SELECT FROM pending_verifications v WHERE v.selfie_id = f.id AND v.user_id = @viewer)
	OR EXISTS (SELECT FROM moment_pictures p WHERE p.file_id = f.id AND p.user_id = @viewer)
	OR EXISTS (SELECT FROM unsent_files p WHERE p.file_id = f.id AND p.owner_id = @viewer)
	OR EXISTS (SELECT FROM shared_files s WHERE s.file_id = f.id AND s.member_id = @viewer)
	OR @moderator AND EXISTS (SELECT FROM opened_verifications v WHERE v.user_id = f.owner_id AND v.opened_by = @viewer AND (
		v.selfie_id = f.id OR EXISTS (SELECT FROM member_media m WHERE m.file_id = f.id AND m.slot = 'photo')))
	OR @moderator AND EXISTS (SELECT FROM opened_profile_reviews r WHERE r.user_id = f.owner_id AND r.opened_by = @viewer
		AND EXISTS (SELECT FROM profile_files p WHERE p.file_id = f.id)))`

// openedForDecision is an SQL condition: @viewer has opened a selfie or a profile of the owner of file f to decide on it.
const openedForDecision = `(
				EXISTS (SELECT FROM opened_verifications v WHERE v.user_id = f.owner_id AND v.opened_by = @viewer)
				OR EXISTS (SELECT FROM opened_profile_reviews r WHERE r.user_id = f.owner_id AND r.opened_by = @viewer)
			)`

// fileViews is the limit of different files of others that a member may read, so that an
// account cannot copy the pictures of all members.
var fileViews = limits.Daily{Name: "files", Count: 3000, Share: 1000, Pool: 6000}

// OpenFile returns a file that the viewer may see. It returns NotFound for any other file,
// and RateLimited after 3,000 different files of others a day, or after 1,000 if many members of
// the network read more.
//
// A browser may store the files of profiles, and asks before each use whether the member
// may still see them. The files of messages and verifications are stored by the app alone, which
// asks in the same way. No cache stores what a moderator has opened to decide on it.
func (s *Service) OpenFile(ctx context.Context, viewer web.Actor, id uuid.UUID, variant string, c blobs.Conditions) (blobs.File, error) {
	var recordingType *string
	var hasCopy, isOfProfile, isOwn bool
	err := s.pool.QueryRow(ctx, `
		SELECT
			CASE WHEN f.duration_ms IS NOT NULL THEN f.content_type END,
			f.copy_bytes IS NOT NULL,
			(
				EXISTS (SELECT FROM member_media m WHERE m.file_id = f.id)
				OR EXISTS (SELECT FROM member_prompts p WHERE p.voice_id = f.id)
			) AND NOT (@moderator AND `+openedForDecision+`),
			f.owner_id = @viewer
		FROM files f
		WHERE f.id = @id
			AND `+readable,
		pgx.NamedArgs{"id": id, "viewer": viewer.ID, "moderator": viewer.Moderator}).Scan(&recordingType, &hasCopy, &isOfProfile, &isOwn)
	if err != nil {
		return blobs.File{}, pg.Fault(err)
	}
	if variant == blobs.NormalisedCopy && !hasCopy {
		return blobs.File{}, blobs.NotFound()
	}
	// A request for a stored copy asks for no contents, and is not counted.
	file := blobs.Unchanged()
	if !c.Unchanged() {
		if !isOwn {
			if err := s.countFile(ctx, viewer.ID, id); err != nil {
				return blobs.File{}, err
			}
		}
		if file, err = s.blobs.Open(ctx, id, variant, recordingType); err != nil {
			return blobs.File{}, err
		}
	}
	if isOfProfile {
		file = file.Cached()
	}
	return file, nil
}

func (s *Service) countFile(ctx context.Context, viewer, id uuid.UUID) error {
	return fileViews.Scaled(s.scale).AllowOne(ctx, s.pool, web.NetworkOf(ctx), viewer, id,
		"You have looked at a lot of pictures today. There are more tomorrow.")
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
