package members

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/fault"
	"heartward/api/platform/images"
	"heartward/api/platform/web"
)

// Register adds the operations on profiles and photos to api.
func Register(api huma.API, s *Service) {
	tags := []string{"members"}
	web.Register(api, web.Member, huma.Operation{
		OperationID: "get-me", Method: http.MethodGet, Path: "/api/users/me", Tags: tags, Summary: "My account",
	}, s.getMe)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "change-me", Method: http.MethodPatch, Path: "/api/users/me", Tags: tags,
		Summary: "Change the fields sent", MaxBodyBytes: 64 << 10,
	}, s.changeMe)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "get-member", Method: http.MethodGet, Path: "/api/users/{id}", Tags: tags,
		Summary: "What others see of a member",
	}, s.getMember)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "add-photo", Method: http.MethodPost, Path: "/api/users/me/photos", Tags: tags,
		Summary: "Add a photo", DefaultStatus: http.StatusCreated,
		MaxBodyBytes: images.MaxBytes + 64<<10, BodyReadTimeout: 2 * time.Minute,
	}, s.addPhoto)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "delete-photo", Method: http.MethodDelete, Path: "/api/users/me/photos/{id}", Tags: tags,
		Summary: "Delete a photo", DefaultStatus: http.StatusNoContent,
	}, s.deletePhoto)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "order-photos", Method: http.MethodPut, Path: "/api/users/me/photos/order", Tags: tags,
		Summary: "Put my photos in order", MaxBodyBytes: 64 << 10,
	}, s.orderPhotos)
	web.Register(api, web.Anyone, huma.Operation{
		OperationID: "list-intention-tags", Method: http.MethodGet, Path: "/api/settings/intention-tags", Tags: tags,
		Summary: "The intentions to choose from",
	}, s.listIntentionTags)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "get-file", Method: http.MethodGet, Path: "/files/{id}/{variant}", Tags: tags,
		Summary: "A picture of a member whom I may see",
		Responses: map[string]*huma.Response{"200": {
			Description: "The picture", Content: map[string]*huma.MediaType{images.ContentType: {}},
		}},
	}, s.getFile)
}

type meOutput struct{ Body Me }

type idInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

func (s *Service) getMe(ctx context.Context, _ *struct{}) (*meOutput, error) {
	actor, _ := web.ActorOf(ctx)
	me, err := s.Me(ctx, actor.ID)
	return &meOutput{me}, err
}

func (s *Service) changeMe(ctx context.Context, in *struct{ Body Changes }) (*meOutput, error) {
	actor, _ := web.ActorOf(ctx)
	me, err := s.Change(ctx, actor.ID, in.Body)
	return &meOutput{me}, err
}

type memberOutput struct{ Body PublicMember }

func (s *Service) getMember(ctx context.Context, in *idInput) (*memberOutput, error) {
	actor, _ := web.ActorOf(ctx)
	member, err := s.Public(ctx, actor.ID, in.ID)
	return &memberOutput{member}, err
}

type addPhotoInput struct {
	RawBody huma.MultipartFormFiles[struct {
		// Whatever type is declared: what is in the file counts.
		Photo huma.FormFile `form:"photo" contentType:"application/octet-stream" required:"true"`
	}]
}

type photoOutput struct{ Body Photo }

func (s *Service) addPhoto(ctx context.Context, in *addPhotoInput) (*photoOutput, error) {
	actor, _ := web.ActorOf(ctx)
	file := in.RawBody.Data().Photo
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, images.MaxBytes+1))
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, "The picture did not arrive whole. Please try again.", err)
	}
	photo, err := s.AddPhoto(ctx, actor.ID, raw)
	return &photoOutput{photo}, err
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

type tagsOutput struct {
	Body []string
}

func (s *Service) listIntentionTags(ctx context.Context, _ *struct{}) (*tagsOutput, error) {
	tags, err := s.IntentionTags(ctx)
	return &tagsOutput{tags}, err
}

type fileInput struct {
	ID      uuid.UUID `path:"id" format:"uuid"`
	Variant string    `path:"variant" maxLength:"20"`
	Range   string    `header:"Range" maxLength:"100"`
}

// getFile reads the whole picture: none is larger than a few hundred kB.
func (s *Service) getFile(ctx context.Context, in *fileInput) (*huma.StreamResponse, error) {
	actor, _ := web.ActorOf(ctx)
	file, err := s.OpenFile(ctx, actor.ID, in.ID, in.Variant)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(out huma.Context) { sendFile(out, content, in.Range) }}, nil
}
