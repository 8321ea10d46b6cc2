package moderation

import (
	"context"

	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// registerStaffNotes adds the operations on the notes of moderators.
func registerStaffNotes(api web.API, h handlers) {
	web.Get(api, web.Moderator, "list-staff-notes", "/api/admin/notes/{kind}/{id}",
		"List the moderators' notes on a member, or on a case and its member, the newest first", h.staffNotes)
	web.Put(api, web.Moderator, "add-staff-note", "/api/admin/notes/{kind}/{id}/{noteId}",
		"Add a note, which no member sees; the client chooses its id; idempotent", h.addStaffNote, web.MaxBody(64<<10))
}

type staffNotesInput struct {
	web.Page
	Kind string    `path:"kind" enum:"member,report,flag,appeal"`
	ID   uuid.UUID `path:"id" format:"uuid" doc:"Of the member, the report, the flag or the appealed sanction"`
}

type staffNotesOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []StaffNote
}

func (h handlers) staffNotes(ctx context.Context, in *staffNotesInput) (*staffNotesOutput, error) {
	actor, _ := web.ActorOf(ctx)
	notes, next, err := h.s.StaffNotes(ctx, actor.ID, NoteSubject{in.Kind, in.ID}, in.Page)
	query := in.Query()
	return &staffNotesOutput{Link: web.NextLink("/api/admin/notes/"+in.Kind+"/"+in.ID.String(), query, next), Body: notes}, err
}

type addStaffNoteInput struct {
	Kind   string    `path:"kind" enum:"member,report,flag,appeal"`
	ID     uuid.UUID `path:"id" format:"uuid"`
	NoteID uuid.UUID `path:"noteId" format:"uuid" doc:"Chosen by the client"`
	Body   struct {
		Text string `json:"text" minLength:"1" maxLength:"2000"`
	}
}

func (h handlers) addStaffNote(ctx context.Context, in *addStaffNoteInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.AddStaffNote(ctx, actor.ID, in.NoteID, NoteSubject{in.Kind, in.ID}, in.Body.Text)
}
