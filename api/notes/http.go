package notes

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// Register adds the operations on notes to api.
func Register(api web.API, s *Service) {
	h := handlers{s}
	web.Get(api, web.Member, "get-match-note", "/api/match-notes/{userId}",
		"Get what the caller wrote about a match, for oneself alone", h.get)
	web.Put(api, web.Member, "save-match-note", "/api/match-notes/{userId}",
		"Save what the caller writes about a match, for oneself alone; idempotent", h.save)
}

type handlers struct{ s *Service }

type noteOutput struct{ Body Note }

type getInput struct {
	UserID uuid.UUID `path:"userId" format:"uuid"`
}

func (h handlers) get(ctx context.Context, in *getInput) (*noteOutput, error) {
	actor, _ := web.ActorOf(ctx)
	note, err := h.s.Get(ctx, actor, in.UserID)
	return &noteOutput{note}, err
}

type writeNoteInput struct {
	UserID uuid.UUID `path:"userId" format:"uuid"`
	Body   struct {
		Content    string `json:"content" maxLength:"500" doc:"Empty to delete the note"`
		AgeSeconds int    `json:"ageSeconds,omitempty" minimum:"0" maximum:"2592000" doc:"Since the member wrote, for an edit that waited on the device"`
	}
}

func (h handlers) save(ctx context.Context, in *writeNoteInput) (*noteOutput, error) {
	actor, _ := web.ActorOf(ctx)
	note, err := h.s.Save(ctx, actor, in.UserID, in.Body.Content, time.Duration(in.Body.AgeSeconds)*time.Second)
	return &noteOutput{note}, err
}
