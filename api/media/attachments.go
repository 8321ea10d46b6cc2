// Package media is what members send each other beside words: pictures, voices
// and videos, from the upload to the file that both may open.
package media

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
)

// Attachment is a file of a message as both sides see it.
type Attachment struct {
	ID          uuid.UUID `json:"id"`
	Kind        string    `json:"kind" enum:"image,audio,video"`
	MimeType    string    `json:"mimeType"`
	Bytes       int64     `json:"bytes"`
	Width       *int      `json:"width" nullable:"true" doc:"Of the picture, or of the video's"`
	Height      *int      `json:"height" nullable:"true"`
	DurationMs  *int      `json:"durationMs" nullable:"true" doc:"Of a recording"`
	Waveform    []int     `json:"waveform" doc:"Up to 64 loudnesses of 0 to 100"`
	Placeholder string    `json:"placeholder" doc:"A tiny blurred picture as a data: URL; may be empty"`
	URL         string    `json:"url" doc:"A recording may also be had as media.mp4 beside it, once it was normalised"`
	ThumbURL    *string   `json:"thumbUrl" nullable:"true" doc:"Of a picture"`
	PosterURL   *string   `json:"posterUrl" nullable:"true" doc:"Of a video with a still"`
}

// Row is an attachment as AttachmentsOf reads it.
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

// AttachmentsOf is an SQL expression: the files of a message m in order, as
// JSON that scans into []Row, null when there are none. Only messages that can
// have files are looked up.
const AttachmentsOf = `CASE WHEN m.message_type IN ('audio', 'video', 'image') THEN (
	SELECT jsonb_agg(jsonb_build_object('id', f.id, 'content_type', f.content_type, 'bytes', f.bytes - coalesce(f.copy_bytes, 0), 'width', f.width,
		'height', f.height, 'duration_ms', f.duration_ms, 'waveform', f.waveform, 'placeholder', f.placeholder) ORDER BY mf.position)
	FROM message_files mf JOIN files f ON f.id = mf.file_id WHERE mf.conversation_id = m.conversation_id AND mf.seq = m.seq) END`

// Present turns rows into what both sides see; never nil.
func Present(rows []Row) []Attachment {
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
		URL: address(r.ID, "media"),
	}
	switch {
	case kind == "image":
		thumb := address(r.ID, "thumb.webp")
		a.URL, a.ThumbURL = address(r.ID, "full.webp"), &thumb
	case kind == "video" && r.Width != nil:
		poster := address(r.ID, "poster.webp")
		a.PosterURL = &poster
	}
	return a
}

func address(id uuid.UUID, variant string) string { return fmt.Sprintf("/files/%s/%s", id, variant) }
