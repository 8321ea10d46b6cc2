package members

import (
	"github.com/google/uuid"

	"heartward/api/platform/blobs"
)

// ThumbURL is where the small form of a picture is read, by those who may see its owner.
func ThumbURL(photo uuid.UUID) string { return fileURL(photo, blobs.Thumb) }

// PictureURL is where the large form of a picture is read, by those who may see it.
func PictureURL(id uuid.UUID) string { return fileURL(id, blobs.Full) }

// CleanText trims what a member wrote and refuses, naming the field, what has
// more than most characters or cannot be shown. Lines says whether it may have several.
func CleanText(field, text string, most int, lines bool) (string, error) {
	return cleanText(field, text, most, lines)
}
