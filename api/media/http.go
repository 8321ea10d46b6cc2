package media

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

// Constants of the tus protocol, https://tus.io/protocols/resumable-upload.
const (
	tusVersion    = "1.0.0"
	tusExtensions = "creation,termination,expiration"
	// PartType is the content type of a PATCH.
	PartType = "application/offset+octet-stream"
	// Root is the path of the uploads.
	Root = "/api/uploads"
	// PartTimeout is the time limit of a PATCH.
	PartTimeout = 3 * time.Minute
	// FileTimeout is the time limit of operations that make a file from an upload.
	FileTimeout = 3 * time.Minute
)

// Register adds the operations of this package.
func Register(api web.API, s *Service) {
	web.Post(api, web.Member, "create-upload", Root,
		"Create an upload (tus 1.0: creation) of at most 25 MiB, for a message or the profile", s.createUpload, web.Status(http.StatusCreated))
	web.Head(api, web.Member, "find-upload", Root+"/{id}",
		"Get the offset of an upload (tus 1.0)", s.findUpload)
	web.Patch(api, web.Member, "append-upload", Root+"/{id}",
		"Append to an upload (tus 1.0)", s.appendUpload, web.MaxBody(MaxUpload), web.Accepts(PartType))
	web.Delete(api, web.Member, "remove-upload", Root+"/{id}",
		"Delete an upload (tus 1.0: termination), and its file unless it was sent", s.removeUpload)
	web.Post(api, web.Member, "make-file", Root+"/{id}/file",
		"Make a file from a complete upload, for a message; idempotent", s.handleMakeFile, web.MaxBody(8<<10))
	registerProfile(api, s)
}

// TusInput is the header that each request of the protocol has.
type TusInput struct {
	Version string `header:"Tus-Resumable" doc:"1.0.0"`
}

// Resolve refuses other versions with 412, as the protocol asks.
func (in *TusInput) Resolve(ctx huma.Context) []error {
	ctx.SetHeader("Tus-Resumable", tusVersion)
	if in.Version == tusVersion {
		return nil
	}
	ctx.SetHeader("Tus-Version", tusVersion)
	return []error{huma.Error412PreconditionFailed("The server supports version 1.0.0 of the protocol.")}
}

type createUploadInput struct {
	TusInput
	ID      uuid.UUID `header:"Upload-Id" doc:"A random UUID that the client chose; a repetition with the same id returns the same upload"`
	Length  int64     `header:"Upload-Length" required:"true" doc:"In bytes"`
	Purpose Purpose   `query:"purpose" enum:"message,profile" default:"message" doc:"What the file is for; profile includes a selfie"`
	Chosen  bool      `query:"chosen" doc:"A video file of the device, which needs ffmpeg: refused before its bytes are sent if the server lacks it"`
}

type createUploadOutput struct {
	Location   string    `header:"Location"`
	Expires    time.Time `header:"Upload-Expires"`
	MaxSize    int64     `header:"Tus-Max-Size"`
	Extensions string    `header:"Tus-Extension"`
}

func (s *Service) createUpload(ctx context.Context, in *createUploadInput) (*createUploadOutput, error) {
	actor, _ := web.ActorOf(ctx)
	id := in.ID
	if id == uuid.Nil {
		id = uuid.New()
	}
	// It is also the id of the file, which others see, and must not tell the time.
	if id.Version() != 4 {
		return nil, fault.InvalidField("header.Upload-Id", "The id must be a random UUID.")
	}
	if in.Chosen {
		if err := s.needFFmpeg("query.chosen"); err != nil {
			return nil, err
		}
	}
	u, err := s.Create(ctx, actor.ID, id, in.Purpose, in.Length)
	if err != nil {
		return nil, err
	}
	return &createUploadOutput{
		Location: Root + "/" + u.ID.String(), Expires: u.ExpiresAt, MaxSize: MaxUpload, Extensions: tusExtensions,
	}, nil
}

// UploadInput is the id of an upload. It is exported because Huma reads embedded
// fields of exported types only.
type UploadInput struct {
	TusInput
	ID uuid.UUID `path:"id" format:"uuid"`
}

type uploadOutput struct {
	Offset  int64     `header:"Upload-Offset" doc:"The number of bytes received"`
	Length  string    `header:"Upload-Length"`
	Expires time.Time `header:"Upload-Expires"`
}

func (s *Service) findUpload(ctx context.Context, in *UploadInput) (*uploadOutput, error) {
	actor, _ := web.ActorOf(ctx)
	u, err := s.Find(ctx, actor.ID, in.ID)
	if err != nil {
		return nil, err
	}
	return &uploadOutput{Offset: u.Received, Length: strconv.FormatInt(u.Length, 10), Expires: u.ExpiresAt}, nil
}

type appendUploadInput struct {
	UploadInput
	Offset      int64  `header:"Upload-Offset" required:"true" minimum:"0" doc:"Must be the current offset of the upload"`
	ContentType string `header:"Content-Type"`
	Bytes       int64  `header:"Content-Length"`

	content io.Reader
}

// Resolve sets content to the body, which is not buffered, and its read deadline.
func (in *appendUploadInput) Resolve(ctx huma.Context) []error {
	if errs := in.TusInput.Resolve(ctx); errs != nil {
		return errs
	}
	if in.ContentType != PartType {
		return []error{huma.Error415UnsupportedMediaType("The content type must be " + PartType + ".")}
	}
	in.content = ctx.BodyReader()
	if err := ctx.SetReadDeadline(time.Now().Add(PartTimeout)); err != nil {
		return []error{err}
	}
	return nil
}

func (s *Service) appendUpload(ctx context.Context, in *appendUploadInput) (*uploadOutput, error) {
	actor, _ := web.ActorOf(ctx)
	u, err := s.Append(ctx, actor.ID, in.ID, in.Offset, in.content, in.Bytes)
	if err != nil {
		return nil, err
	}
	return &uploadOutput{Offset: u.Received, Expires: u.ExpiresAt}, nil
}

func (s *Service) removeUpload(ctx context.Context, in *UploadInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, s.Remove(ctx, actor.ID, in.ID)
}

type makeFileInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Kind           string     `json:"kind" enum:"image,audio,video"`
		DurationMs     int        `json:"durationMs,omitempty" minimum:"0" maximum:"3600000" doc:"The duration that the recorder measured"`
		Waveform       []int      `json:"waveform,omitempty" maxItems:"64" doc:"Amplitudes from 0 to 100"`
		PosterUploadID *uuid.UUID `json:"posterUploadId,omitempty" format:"uuid" doc:"An upload with a picture of the video"`
	}
}

type attachmentOutput struct{ Body Attachment }

func (s *Service) handleMakeFile(ctx context.Context, in *makeFileInput) (*attachmentOutput, error) {
	actor, _ := web.ActorOf(ctx)
	spec, err := newFileSpec(in.Body.Kind, in.Body.DurationMs, in.Body.Waveform, in.Body.PosterUploadID)
	if err != nil {
		return nil, err
	}
	file, err := s.MakeFile(ctx, actor.ID, in.ID, spec)
	return &attachmentOutput{file}, err
}

// newFileSpec returns the description of a file. It returns Invalid with the field
// waveform or posterUploadId.
func newFileSpec(kind string, durationMs int, waveform []int, poster *uuid.UUID) (FileSpec, error) {
	spec := FileSpec{Kind: kind, DurationMs: durationMs, Waveform: waveform}
	for _, amplitude := range waveform {
		if amplitude < 0 || amplitude > 100 {
			return spec, fault.InvalidField("waveform", "Please give at most 64 whole numbers of 0 to 100.")
		}
	}
	if poster == nil {
		return spec, nil
	}
	if spec.Poster = *poster; kind != "video" {
		return spec, fault.InvalidField("posterUploadId", "Only a video has a picture of its own.")
	}
	return spec, nil
}
