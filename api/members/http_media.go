package members

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/images"
	"heartward/api/platform/web"
)

func registerMedia(api huma.API, s *Service, tags []string) {
	web.Register(api, web.Member, huma.Operation{
		OperationID: "delete-photo", Method: http.MethodDelete, Path: "/api/users/me/photos/{id}", Tags: tags,
		Summary: "Delete a photo", DefaultStatus: http.StatusNoContent,
	}, s.deletePhoto)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "order-photos", Method: http.MethodPut, Path: "/api/users/me/photos/order", Tags: tags,
		Summary: "Set the order of the caller's photos", MaxBodyBytes: 64 << 10,
	}, s.orderPhotos)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "change-media", Method: http.MethodPatch, Path: "/api/users/me/media/{id}", Tags: tags,
		Summary: "Change the caption of a picture or recording of the caller", MaxBodyBytes: 64 << 10,
	}, s.changeMedia)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "delete-media", Method: http.MethodDelete, Path: "/api/users/me/media/{id}", Tags: tags,
		Summary: "Delete a picture or recording of the caller", DefaultStatus: http.StatusNoContent,
	}, s.deleteOwnMedia)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "get-file", Method: http.MethodGet, Path: "/files/{id}/{variant}", Tags: tags,
		Summary: "Get a picture (full.webp, thumb.webp, poster.webp) or recording (media; normalised: media.mp4)",
		Responses: map[string]*huma.Response{"200": {
			Description: "The file, or the part of it in the Range header", Content: map[string]*huma.MediaType{images.ContentType: {}},
		}},
	}, s.getFile)
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
		Caption string `json:"caption" maxLength:"400"`
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
