package media

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"heartward/api/members"
	"heartward/api/platform/images"
	"heartward/api/platform/web"
)

// registerProfile adds the operations that make pictures and recordings of the profile
// from uploads.
func registerProfile(api web.API, s *Service) {
	api, limit := api.WithMaxBody(8<<10), web.Timeout(FileTimeout)
	web.Post(api, web.Member, "add-photo", "/api/users/me/photos",
		"Add a photo from an upload; idempotent", s.pictureHandler(members.PhotoSlot), limit, web.Status(http.StatusCreated))
	web.Put(api, web.Member, "set-header-banner", "/api/users/me/header-banner",
		"Set the wide picture above the caller's profile from an upload; idempotent", s.pictureHandler(members.BannerSlot), limit)
	web.Post(api, web.Member, "add-gallery-image", "/api/users/me/gallery",
		"Add a picture to the caller's gallery from an upload; idempotent", s.pictureHandler(members.GalleryImageSlot), limit, web.Status(http.StatusCreated))
	web.Put(api, web.Member, "set-audio-greeting", "/api/users/me/audio-greeting",
		"Set the caller's voice greeting of at most 60 seconds from an upload; idempotent", s.setAudioGreeting, limit)
	web.Put(api, web.Member, "set-prompt-voice", "/api/users/me/prompts/voice",
		"Set the caller's recorded answer of at most 30 seconds to a prompt from an upload; idempotent", s.setPromptVoice, limit)
	web.Put(api, web.Member, "set-video-greeting", "/api/users/me/video-greeting",
		"Set the caller's video greeting of at most 30 seconds from an upload; idempotent", s.videoHandler(members.VideoGreetingSlot), limit)
	web.Post(api, web.Member, "add-gallery-video", "/api/users/me/gallery-videos",
		"Add a video of at most 30 seconds to the caller's gallery from an upload; idempotent", s.videoHandler(members.GalleryVideoSlot), limit, web.Status(http.StatusCreated))
}

type croppedPictureInput struct {
	Body struct {
		UploadID uuid.UUID    `json:"uploadId" format:"uuid" doc:"A complete upload for the profile"`
		Crop     *images.Crop `json:"crop,omitempty" doc:"The part of the upright picture, in shares of its sides, from a browser that cannot crop; all of it by default"`
	}
}

type photoOutput struct{ Body members.Photo }

// pictureHandler returns the handler that adds a picture to the slot.
func (s *Service) pictureHandler(slot members.Slot) func(context.Context, *croppedPictureInput) (*photoOutput, error) {
	return func(ctx context.Context, in *croppedPictureInput) (*photoOutput, error) {
		actor, _ := web.ActorOf(ctx)
		photo, err := s.AddCroppedPicture(ctx, actor.ID, in.Body.UploadID, slot, in.Body.Crop)
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
		Chosen         bool       `json:"chosen,omitempty" doc:"A video file of the device, which ffmpeg converts; without it the upload must be a recording of the app"`
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
	spec.MaxDuration = MaxPromptVoice
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
		spec.Chosen = in.Body.Chosen
		recording, err := s.AddRecording(ctx, actor.ID, in.Body.UploadID, spec, slot)
		return &recordingOutput{recording}, err
	}
}
