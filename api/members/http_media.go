package members

import (
	"context"

	"github.com/google/uuid"

	"heartward/api/platform/images"
	"heartward/api/platform/web"
)

func registerMedia(api web.API, s *Service) {
	web.Delete(api, web.Member, "delete-photo", "/api/users/me/photos/{id}",
		"Delete a photo", s.deletePhoto)
	web.Put(api, web.Member, "order-photos", "/api/users/me/photos/order",
		"Set the order of the caller's photos", s.orderPhotos, web.MaxBody(64<<10))
	web.Patch(api, web.Member, "change-media", "/api/users/me/media/{id}",
		"Change the caption of a picture or recording of the caller", s.changeMedia, web.MaxBody(64<<10))
	web.Delete(api, web.Member, "delete-media", "/api/users/me/media/{id}",
		"Delete a picture or recording of the caller", s.deleteOwnMedia)
	web.Get(api, web.Member, "get-file", "/files/{id}/{variant}",
		"Get a picture (full.webp, thumb.webp, poster.webp) or recording (media; normalised: media.mp4)", s.getFile, web.Returns(images.ContentType, "The file, or the part of it in the Range header"))
}

func (s *Service) deletePhoto(ctx context.Context, in *idInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, s.DeletePhoto(ctx, actor.ID, in.ID)
}

type orderPhotosInput struct {
	Body struct {
		IDs []uuid.UUID `json:"ids" maxItems:"6"`
	}
}

func (s *Service) orderPhotos(ctx context.Context, in *orderPhotosInput) (*meOutput, error) {
	actor, _ := web.ActorOf(ctx)
	me, err := s.OrderPhotos(ctx, actor.ID, in.Body.IDs)
	return &meOutput{me}, err
}

type changeMediaInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Caption string `json:"caption" maxLength:"200"`
	}
}

func (s *Service) changeMedia(ctx context.Context, in *changeMediaInput) (*meOutput, error) {
	actor, _ := web.ActorOf(ctx)
	me, err := s.SetCaption(ctx, actor.ID, in.ID, in.Body.Caption)
	return &meOutput{me}, err
}

func (s *Service) deleteOwnMedia(ctx context.Context, in *idInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, s.DeleteMedia(ctx, actor.ID, in.ID)
}
