package moderation

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/blobs"
	"heartward/api/platform/images"
	"heartward/api/platform/web"
)

// fileResponse is the option of operations that send a file.
var fileResponse = web.Returns(images.ContentType, "The file, or the part of it in the Range header")

// FileInput is which file of a report, flag or appeal a moderator reads. It is exported because Huma skips embedded types
// that are not.
type FileInput struct {
	FileID  uuid.UUID `path:"fileId" format:"uuid"`
	Variant string    `path:"variant" maxLength:"20"`
	Range   string    `header:"Range" maxLength:"100"`
}

// send sends the file, which open opens for the caller, of the report, flag or appeal with the id subject.
func (in *FileInput) send(ctx context.Context, subject uuid.UUID,
	open func(ctx context.Context, moderator, subject, file uuid.UUID, variant string) (blobs.File, error),
) (*huma.StreamResponse, error) {
	actor, _ := web.ActorOf(ctx)
	file, err := open(ctx, actor.ID, subject, in.FileID, in.Variant)
	if err != nil {
		return nil, err
	}
	return file.Send(ctx, blobs.Conditions{Range: in.Range})
}
