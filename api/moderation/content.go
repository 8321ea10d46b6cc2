package moderation

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/auth"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
	"heartward/api/platform/web"
)

// ReportedContent is a post or comment of the community board. The caller has checked that the reporter can see it.
type ReportedContent struct {
	ID        uuid.UUID
	Place     string // post or comment
	AuthorID  uuid.UUID
	Title     string // of the post
	Text      string
	WrittenAt time.Time
	FileID    *uuid.UUID // the picture of a post; nil without one
}

// evidence returns the copy of the text that is stored with the report.
func (c *ReportedContent) evidence() *ContentCopy {
	return &ContentCopy{ID: c.ID, Title: c.Title, Text: c.Text, WrittenAt: web.Time(c.WrittenAt)}
}

// contentID returns the id of the reported post or comment, or nil for a report about the member.
func (in ReportInput) contentID() *uuid.UUID {
	if in.content == nil {
		return nil
	}
	return &in.content.ID
}

// ReportContent stores a report about a post or comment, with its text and picture and its author's profile
// as evidence. Unlike Report it does not block the author, who may be a match of the reporter. An
// urgent report puts the profile under review like Report, which hides all that the member wrote. A further
// report about the same post or comment is added to the open one.
//
// It returns Conflict for actor's own text and for too many additions, and Invalid for an invalid description.
func (s *Service) ReportContent(ctx context.Context, actor uuid.UUID, c ReportedContent, reason Reason, description string) (ReportReceipt, error) {
	if actor == c.AuthorID {
		return ReportReceipt{}, fault.New(fault.Conflict, "You can't report yourself.")
	}
	description, err := text.Lines("description", description, maxDescription)
	if err != nil {
		return ReportReceipt{}, err
	}
	in := ReportInput{UserID: c.AuthorID, Reason: reason, Description: description, Place: c.Place, content: &c}
	stored, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (storedReport, error) { return s.report(ctx, tx, actor, in) })
	if err != nil {
		return ReportReceipt{}, err
	}
	if stored.hides {
		auth.PublishEnded(s.events, stored.sessions...)
		s.notifyStatusChange(ctx, in.UserID)
	}
	return stored.receipt, nil
}
