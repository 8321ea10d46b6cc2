package media

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/images"
)

// AddPicture makes a picture from a complete upload for the profile, with the id of
// the upload, and adds it to the slot. Repeated and concurrent calls return the same
// picture as long as it is in the slot.
//
// Errors: NotFound for an upload that is not the owner's, has expired or was used for
// something else; Invalid with the field uploadId when the upload is incomplete, for a
// message or not a picture; TooLarge above 10 MiB; Conflict when the slot is full or
// the owner's 500 MB are used up; RateLimited after 30 files a day; Unavailable while
// another node makes the file.
func (s *Service) AddPicture(ctx context.Context, owner, upload uuid.UUID, slot members.Slot) (members.Photo, error) {
	return s.AddCroppedPicture(ctx, owner, upload, slot, nil)
}

// AddCroppedPicture is AddPicture for a part of the picture; nil for all of it.
func (s *Service) AddCroppedPicture(ctx context.Context, owner, upload uuid.UUID, slot members.Slot, crop *images.Crop) (members.Photo, error) {
	failure := s.addToSlot(ctx, owner, upload, FileSpec{Kind: "image", Crop: crop}, slot)
	return findUsed(failure, func() (members.Photo, error) { return s.members.FindPicture(ctx, owner, upload, slot) })
}

// AddRecording is AddPicture for voices and videos. It returns Invalid with the field
// posterUploadId when the poster is unknown, incomplete or not a picture.
func (s *Service) AddRecording(ctx context.Context, owner, upload uuid.UUID, spec FileSpec, slot members.Slot) (members.Recording, error) {
	failure := s.addToSlot(ctx, owner, upload, spec, slot)
	return findUsed(failure, func() (members.Recording, error) { return s.members.FindRecording(ctx, owner, upload, slot) })
}

// AddPromptVoice is AddRecording for the recorded answer to a question, which is added to
// the member's prompts if it is not among them. It returns Invalid with the field question,
// and Conflict if the member has answered three other questions.
func (s *Service) AddPromptVoice(ctx context.Context, owner, upload uuid.UUID, spec FileSpec, question string) (members.Recording, error) {
	_, failure, _ := s.finishing.Do(owner.String()+upload.String()+"prompt", func() (any, error) {
		return nil, s.useUpload(ctx, owner, upload, spec, func(tx pgx.Tx) ([]uuid.UUID, error) {
			return s.members.SetPromptVoice(ctx, tx, owner, upload, question)
		})
	})
	return findUsed(failure, func() (members.Recording, error) { return s.members.FindPromptVoice(ctx, owner, upload) })
}

// findUsed returns the result of find, which finds what an upload has become. failure is the error of using the upload, or
// nil. Find is also called after a failure that an earlier use of the upload can have caused; if it finds nothing, findUsed
// returns that failure.
func findUsed[T any](failure error, find func() (T, error)) (T, error) {
	if failure != nil && !fault.Is(failure, fault.NotFound) && !fault.Is(failure, fault.Unavailable) {
		var none T
		return none, failure
	}
	found, err := find()
	if err != nil && failure != nil {
		return found, failure
	}
	return found, err
}

func (s *Service) addToSlot(ctx context.Context, owner, upload uuid.UUID, spec FileSpec, slot members.Slot) error {
	_, err, _ := s.finishing.Do(owner.String()+upload.String()+slot.Name(), func() (any, error) {
		return nil, s.useUpload(ctx, owner, upload, spec, func(tx pgx.Tx) ([]uuid.UUID, error) {
			if err := s.enqueueReview(ctx, tx, upload, spec.Kind); err != nil {
				return nil, err
			}
			return s.members.AddToSlot(ctx, tx, owner, upload, slot)
		})
	})
	return err
}

// UsePicture makes a picture from a complete upload for the profile, with the id of
// the upload, and calls use in the transaction that stores it. use returns the files
// that it deleted. The errors are those of AddPicture and of use; an upload that was
// used before is NotFound.
func (s *Service) UsePicture(ctx context.Context, owner, upload uuid.UUID, use func(tx pgx.Tx) (deleted []uuid.UUID, err error)) error {
	return s.useUpload(ctx, owner, upload, FileSpec{Kind: "image"}, use)
}

func (s *Service) useUpload(ctx context.Context, owner, id uuid.UUID, spec FileSpec, use func(tx pgx.Tx) (deleted []uuid.UUID, err error)) error {
	u, err := s.Find(ctx, owner, id)
	switch {
	case fault.Is(err, fault.NotFound):
		return fault.New(fault.NotFound, "This file did not arrive, or its time is over. Please add it again.")
	case err != nil:
		return err
	case u.Purpose != ForProfile:
		return fault.InvalidField(ForProfile.field(), "This upload is not for a profile.")
	}
	return s.storeFile(ctx, owner, u, spec, use)
}
