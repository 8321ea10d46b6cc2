package members

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/fault"
	"heartward/api/platform/images"
	"heartward/api/platform/web"
)

// Limits of the forms of uploads: the file and the rest of the form.
const (
	pictureForm   = images.MaxBytes + 64<<10
	recordingForm = MaxRecording + 1<<20 // with a poster of at most 1 MiB
	uploadTimeout = 3 * time.Minute
)

func registerMedia(api huma.API, s *Service, tags []string) {
	upload := func(id, method, path, summary string, status int, most int64) huma.Operation {
		return huma.Operation{
			OperationID: id, Method: method, Path: path, Tags: tags, Summary: summary, DefaultStatus: status,
			MaxBodyBytes: most, BodyReadTimeout: uploadTimeout,
		}
	}
	web.Register(api, web.Member, upload("add-photo", http.MethodPost, "/api/users/me/photos",
		"Add a photo", http.StatusCreated, pictureForm), s.addPhoto)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "delete-photo", Method: http.MethodDelete, Path: "/api/users/me/photos/{id}", Tags: tags,
		Summary: "Delete a photo", DefaultStatus: http.StatusNoContent,
	}, s.deletePhoto)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "order-photos", Method: http.MethodPut, Path: "/api/users/me/photos/order", Tags: tags,
		Summary: "Set the order of the caller's photos", MaxBodyBytes: 64 << 10,
	}, s.orderPhotos)
	web.Register(api, web.Member, upload("set-header-banner", http.MethodPut, "/api/users/me/header-banner",
		"Set the banner of the caller's profile", http.StatusOK, pictureForm), s.setHeaderBanner)
	web.Register(api, web.Member, upload("set-audio-greeting", http.MethodPut, "/api/users/me/audio-greeting",
		"Set the caller's voice greeting of at most 60 seconds", http.StatusOK, recordingForm), s.setAudioGreeting)
	web.Register(api, web.Member, upload("set-video-greeting", http.MethodPut, "/api/users/me/video-greeting",
		"Set the caller's video greeting of at most 30 seconds", http.StatusOK, recordingForm), s.setVideoGreeting)
	web.Register(api, web.Member, upload("add-gallery-image", http.MethodPost, "/api/users/me/gallery",
		"Add a picture to the caller's gallery", http.StatusCreated, pictureForm), s.addGalleryImage)
	web.Register(api, web.Member, upload("add-gallery-video", http.MethodPost, "/api/users/me/gallery-videos",
		"Add a video of at most 30 seconds to the caller's gallery", http.StatusCreated, recordingForm), s.addGalleryVideo)
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

type pictureInput struct {
	RawBody huma.MultipartFormFiles[struct {
		// The declared type is ignored; the type is detected from the content.
		Photo huma.FormFile `form:"photo" contentType:"application/octet-stream" required:"true"`
	}]
}

type photoOutput struct{ Body Photo }

// withPicture calls use with the form's picture.
func withPicture(ctx context.Context, in *pictureInput, use func(context.Context, uuid.UUID, io.ReadSeeker, int64) (Photo, error)) (*photoOutput, error) {
	actor, _ := web.ActorOf(ctx)
	file := in.RawBody.Data().Photo
	defer file.Close()
	photo, err := use(ctx, actor.ID, file, file.Size)
	return &photoOutput{photo}, err
}

func (s *Service) addPhoto(ctx context.Context, in *pictureInput) (*photoOutput, error) {
	return withPicture(ctx, in, s.AddPhoto)
}

func (s *Service) setHeaderBanner(ctx context.Context, in *pictureInput) (*photoOutput, error) {
	return withPicture(ctx, in, s.SetHeaderBanner)
}

func (s *Service) addGalleryImage(ctx context.Context, in *pictureInput) (*photoOutput, error) {
	return withPicture(ctx, in, s.AddGalleryImage)
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

type audioInput struct {
	RawBody huma.MultipartFormFiles[struct {
		Recording  huma.FormFile `form:"recording" contentType:"application/octet-stream" required:"true"`
		DurationMs int           `form:"durationMs" required:"false" minimum:"0" doc:"The duration that the recorder measured"`
		Waveform   string        `form:"waveform" required:"false" maxLength:"300" doc:"At most 64 amplitudes from 0 to 100, separated by commas"`
	}]
}

type videoInput struct {
	RawBody huma.MultipartFormFiles[struct {
		Recording  huma.FormFile `form:"recording" contentType:"application/octet-stream" required:"true"`
		DurationMs int           `form:"durationMs" required:"false" minimum:"0" doc:"The duration that the recorder measured"`
		Waveform   string        `form:"waveform" required:"false" maxLength:"300" doc:"At most 64 amplitudes from 0 to 100, separated by commas"`
		Poster     huma.FormFile `form:"poster" contentType:"application/octet-stream" required:"false" doc:"A picture of the video"`
	}]
}

type recordingOutput struct{ Body Recording }

func (s *Service) setAudioGreeting(ctx context.Context, in *audioInput) (*recordingOutput, error) {
	actor, _ := web.ActorOf(ctx)
	form := in.RawBody.Data()
	defer form.Recording.Close()
	waveform, err := parseWaveform(form.Waveform)
	if err != nil {
		return nil, err
	}
	recording, err := s.SetAudioGreeting(ctx, actor.ID, Recorded{
		Content: form.Recording, Bytes: form.Recording.Size, DurationMs: form.DurationMs, Waveform: waveform,
	})
	return &recordingOutput{recording}, err
}

func (s *Service) setVideoGreeting(ctx context.Context, in *videoInput) (*recordingOutput, error) {
	return withVideo(ctx, in, s.SetVideoGreeting)
}

func (s *Service) addGalleryVideo(ctx context.Context, in *videoInput) (*recordingOutput, error) {
	return withVideo(ctx, in, s.AddGalleryVideo)
}

func withVideo(ctx context.Context, in *videoInput, use func(context.Context, uuid.UUID, Recorded) (Recording, error)) (*recordingOutput, error) {
	actor, _ := web.ActorOf(ctx)
	form := in.RawBody.Data()
	defer form.Recording.Close()
	waveform, err := parseWaveform(form.Waveform)
	if err != nil {
		return nil, err
	}
	recorded := Recorded{Content: form.Recording, Bytes: form.Recording.Size, DurationMs: form.DurationMs, Waveform: waveform}
	if len(in.RawBody.Form.Value["poster"]) > 0 {
		return nil, fault.InvalidField("poster", "Please send the poster as a file.")
	}
	if form.Poster.IsSet {
		defer form.Poster.Close()
		recorded.Poster, recorded.PosterSize = form.Poster, form.Poster.Size
	}
	recording, err := use(ctx, actor.ID, recorded)
	return &recordingOutput{recording}, err
}

// parseWaveform parses the waveform of a form.
func parseWaveform(text string) ([]int, error) {
	waveform := []int{}
	if strings.TrimSpace(text) == "" {
		return waveform, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 0 || n > 100 || len(waveform) == 64 {
			return nil, fault.InvalidField("waveform", "Please give at most 64 whole numbers of 0 to 100.")
		}
		waveform = append(waveform, n)
	}
	return waveform, nil
}

type changeMediaInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Caption string `json:"caption" maxLength:"400"`
	}
}

func (s *Service) changeMedia(ctx context.Context, in *changeMediaInput) (*meOutput, error) {
	actor, _ := web.ActorOf(ctx)
	me, err := s.Caption(ctx, actor.ID, in.ID, in.Body.Caption)
	return &meOutput{me}, err
}

func (s *Service) deleteOwnMedia(ctx context.Context, in *idInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, s.DeleteMedia(ctx, actor.ID, in.ID)
}
