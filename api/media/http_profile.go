package media

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/members"
	"heartward/api/platform/web"
)

// registerProfile adds the operations that make pictures and recordings of the profile
// from uploads.
func registerProfile(api huma.API, s *Service, tags []string) {
	operation := func(id, method, path, summary string) huma.Operation {
		status := http.StatusOK
		if method == http.MethodPost {
			status = http.StatusCreated
		}
		return huma.Operation{
			OperationID: id, Method: method, Path: path, Tags: tags, Summary: summary + "; idempotent", DefaultStatus: status,
			MaxBodyBytes: 8 << 10, Metadata: map[string]any{web.TimeoutKey: FileTimeout},
		}
	}
	web.Register(api, web.Member, operation("add-photo", http.MethodPost, "/api/users/me/photos",
		"Add a photo from an upload"), s.pictureHandler(members.PhotoSlot))
	web.Register(api, web.Member, operation("set-header-banner", http.MethodPut, "/api/users/me/header-banner",
		"Set the wide picture above the caller's profile from an upload"), s.pictureHandler(members.BannerSlot))
	web.Register(api, web.Member, operation("add-gallery-image", http.MethodPost, "/api/users/me/gallery",
		"Add a picture to the caller's gallery from an upload"), s.pictureHandler(members.GalleryImageSlot))
	web.Register(api, web.Member, operation("set-audio-greeting", http.MethodPut, "/api/users/me/audio-greeting",
		"Set the caller's voice greeting of at most 60 seconds from an upload"), s.setAudioGreeting)
	web.Register(api, web.Member, operation("set-prompt-voice", http.MethodPut, "/api/users/me/prompts/voice",
		"Set the caller's recorded answer of at most 30 seconds to a prompt from an upload"), s.setPromptVoice)
	web.Register(api, web.Member, operation("set-video-greeting", http.MethodPut, "/api/users/me/video-greeting",
		"Set the caller's video greeting of at most 30 seconds from an upload"), s.videoHandler(members.VideoGreetingSlot))
	web.Register(api, web.Member, operation("add-gallery-video", http.MethodPost, "/api/users/me/gallery-videos",
		"Add a video of at most 30 seconds to the caller's gallery from an upload"), s.videoHandler(members.GalleryVideoSlot))
}

type pictureInput struct {
	Body struct {
		UploadID uuid.UUID `json:"uploadId" format:"uuid" doc:"A complete upload for the profile"`
	}
}

type photoOutput struct{ Body members.Photo }

// pictureHandler returns the handler that adds a picture to the slot.
func (s *Service) pictureHandler(slot members.Slot) func(context.Context, *pictureInput) (*photoOutput, error) {
	return func(ctx context.Context, in *pictureInput) (*photoOutput, error) {
		actor, _ := web.ActorOf(ctx)
		photo, err := s.AddPicture(ctx, actor.ID, in.Body.UploadID, slot)
		return &photoOutput{photo}, err
	}
}

type audioInput struct {
	Body struct {
		UploadID   uuid.UUID `json:"uploadId" format:"uuid" doc:"A complete upload for the profile"`
		DurationMs int       `json:"durationMs,omitempty" minimum:"0" maximum:"3600000" doc:"The duration that the recorder measured"`
		Waveform   []int     `json:"waveform,omitempty" maxItems:"64" doc:"Amplitudes from 0 to 100"`
	}
}

type videoInput struct {
	Body struct {
		UploadID       uuid.UUID  `json:"uploadId" format:"uuid" doc:"A complete upload for the profile"`
		DurationMs     int        `json:"durationMs,omitempty" minimum:"0" maximum:"3600000" doc:"The duration that the recorder measured"`
		Waveform       []int      `json:"waveform,omitempty" maxItems:"64" doc:"Amplitudes from 0 to 100"`
		PosterUploadID *uuid.UUID `json:"posterUploadId,omitempty" format:"uuid" doc:"An upload for the profile with a picture of the video"`
	}
}

type recordingOutput struct{ Body members.Recording }

func (s *Service) setAudioGreeting(ctx context.Context, in *audioInput) (*recordingOutput, error) {
	actor, _ := web.ActorOf(ctx)
	spec, err := newFileSpec("audio", in.Body.DurationMs, in.Body.Waveform, nil)
	if err != nil {
		return nil, err
	}
	recording, err := s.AddRecording(ctx, actor.ID, in.Body.UploadID, spec, members.AudioGreetingSlot)
	return &recordingOutput{recording}, err
}

type promptVoiceInput struct {
	Body struct {
		Question   string    `json:"question" minLength:"1" maxLength:"120" doc:"Of the caller's prompts, or one to be added to them"`
		UploadID   uuid.UUID `json:"uploadId" format:"uuid" doc:"A complete upload for the profile"`
		DurationMs int       `json:"durationMs,omitempty" minimum:"0" maximum:"3600000" doc:"The duration that the recorder measured"`
		Waveform   []int     `json:"waveform,omitempty" maxItems:"64" doc:"Amplitudes from 0 to 100"`
	}
}

func (s *Service) setPromptVoice(ctx context.Context, in *promptVoiceInput) (*recordingOutput, error) {
	actor, _ := web.ActorOf(ctx)
	spec, err := newFileSpec("audio", in.Body.DurationMs, in.Body.Waveform, nil)
	if err != nil {
		return nil, err
	}
	spec.Longest = MaxPromptVoice
	recording, err := s.AddPromptVoice(ctx, actor.ID, in.Body.UploadID, spec, in.Body.Question)
	return &recordingOutput{recording}, err
}

// videoHandler returns the handler that adds a video to the slot.
func (s *Service) videoHandler(slot members.Slot) func(context.Context, *videoInput) (*recordingOutput, error) {
	return func(ctx context.Context, in *videoInput) (*recordingOutput, error) {
		actor, _ := web.ActorOf(ctx)
		spec, err := newFileSpec("video", in.Body.DurationMs, in.Body.Waveform, in.Body.PosterUploadID)
		if err != nil {
			return nil, err
		}
		recording, err := s.AddRecording(ctx, actor.ID, in.Body.UploadID, spec, slot)
		return &recordingOutput{recording}, err
	}
}
