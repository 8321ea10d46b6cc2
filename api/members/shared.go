package members

import (
	"github.com/google/uuid"

	"heartward/api/platform/blobs"
)

// ThumbURL returns the URL of the thumbnail of a picture.
func ThumbURL(photo uuid.UUID) string { return fileURL(photo, blobs.Thumb) }

// PictureURL returns the URL of the full size of a picture.
func PictureURL(id uuid.UUID) string { return fileURL(id, blobs.Full) }

// CleanText trims a text. It returns Invalid with the field if the text has more than most
// characters or contains forbidden ones. lines is whether line breaks are allowed.
func CleanText(field, text string, most int, lines bool) (string, error) {
	return cleanText(field, text, most, lines)
}
