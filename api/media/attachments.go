package media

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
)

// Attachment is a file of a message as the API returns it.
type Attachment struct {
	ID          uuid.UUID `json:"id"`
	Kind        string    `json:"kind" enum:"image,audio,video"`
	MimeType    string    `json:"mimeType"`
	Bytes       int64     `json:"bytes"`
	Width       *int      `json:"width" nullable:"true" doc:"In pixels, of a picture or video"`
	Height      *int      `json:"height" nullable:"true"`
	DurationMs  *int      `json:"durationMs" nullable:"true" doc:"Of a recording"`
	Waveform    []int     `json:"waveform" doc:"Up to 64 amplitudes from 0 to 100"`
	Placeholder string    `json:"placeholder" doc:"A tiny blurred picture as a data: URL; may be empty"`
	URL         string    `json:"url" doc:"A normalised recording is also at media.mp4"`
	ThumbURL    *string   `json:"thumbUrl" nullable:"true" doc:"Of a picture"`
	PosterURL   *string   `json:"posterUrl" nullable:"true" doc:"Of a video with a still"`
}

// Row is an attachment as rowColumns and, in JSON, AttachmentsSQL select it.
type Row struct {
	ID          uuid.UUID
	ContentType string `json:"content_type"`
	Bytes       int64
	Width       *int
	Height      *int
	DurationMs  *int `json:"duration_ms"`
	Waveform    []int
	Placeholder string
}

// rowColumns are the columns of Row, of a file f.
const rowColumns = `
	f.id,
	f.content_type,
	f.bytes,
	f.width,
	f.height,
	f.duration_ms,
	f.waveform,
	f.placeholder`

// AttachmentsSQL is an SQL expression for the files of message m in their order, as
// JSON that scans into []Row, or NULL. The CASE avoids a lookup for messages that
// cannot have files.
const AttachmentsSQL = `CASE WHEN m.message_type IN ('audio', 'video', 'image') THEN (
		SELECT jsonb_agg(jsonb_build_object(
			'id', f.id,
			'content_type', f.content_type,
			'bytes', f.bytes,
			'width', f.width,
			'height', f.height,
			'duration_ms', f.duration_ms,
			'waveform', f.waveform,
			'placeholder', f.placeholder
		) ORDER BY f.position)
		FROM attachments f
		WHERE f.conversation_id = m.conversation_id
			AND f.seq = m.seq
	) END`

// ToAttachments converts rows to attachments. The result is never nil.
func ToAttachments(rows []Row) []Attachment {
	list := make([]Attachment, 0, len(rows))
	for _, row := range rows {
		list = append(list, row.attachment())
	}
	return list
}

func (r Row) attachment() Attachment {
	kind, _, _ := strings.Cut(r.ContentType, "/")
	a := Attachment{
		ID: r.ID, Kind: kind, MimeType: r.ContentType, Bytes: r.Bytes, Width: r.Width, Height: r.Height,
		DurationMs: r.DurationMs, Waveform: append([]int{}, r.Waveform...), Placeholder: r.Placeholder,
		URL: fileURL(r.ID, "media"),
	}
	switch {
	case kind == "image":
		thumb := fileURL(r.ID, "thumb.webp")
		a.URL, a.ThumbURL = fileURL(r.ID, "full.webp"), &thumb
	case kind == "video" && r.Width != nil:
		poster := fileURL(r.ID, "poster.webp")
		a.PosterURL = &poster
	}
	return a
}

func fileURL(id uuid.UUID, variant string) string { return fmt.Sprintf("/files/%s/%s", id, variant) }
