package moderation

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// QueuedReport is a report in the queue of the admins, without its contents.
type QueuedReport struct {
	ID           uuid.UUID         `json:"id"`
	Reason       Reason            `json:"reason" enum:"underage,threat,assault,nonconsensual_images,scam,hate,harassment,fake_profile,not_single,inappropriate,spam,other"`
	Priority     int               `json:"priority" minimum:"0" maximum:"2" doc:"0 is the most urgent"`
	Status       string            `json:"status" enum:"pending,reviewed,resolved" doc:"reviewed without a suspension, resolved with one"`
	Place        string            `json:"place" enum:"card,profile,match,conversation,likes" doc:"The screen on which the member was shown"`
	OverLimit    bool              `json:"overLimit" doc:"Beyond the daily limit of its reporter"`
	HidesProfile bool              `json:"hidesProfile" doc:"The profile is under review until the decision"`
	CreatedAt    time.Time         `json:"createdAt"`
	DueAt        time.Time         `json:"dueAt" doc:"When it should be decided, by its priority"`
	OpenedAt     *time.Time        `json:"openedAt" nullable:"true" doc:"When an admin first opened it"`
	Reporter     *members.UserCard `json:"reporter" doc:"Name, age and town; null if the account was deleted"`
	ReportedUser *members.UserCard `json:"reportedUser" doc:"Name, age and town; null if the account was deleted"`

	reporterID, reportedID *uuid.UUID
}

// OpenedReport is a report with its contents, which are null or empty after the decision.
type OpenedReport struct {
	QueuedReport
	Description    string         `json:"description"`
	Evidence       *Evidence      `json:"evidence"`
	Files          []EvidenceFile `json:"files" doc:"Files of the reported member, even if they were deleted"`
	OtherReports   int            `json:"otherReports" doc:"The number of other reports about the member"`
	Unfounded      int            `json:"unfounded" doc:"The number of the reporter's reports without consequences"`
	ReviewedAt     *time.Time     `json:"reviewedAt" nullable:"true"`
	ActionTaken    *string        `json:"actionTaken" nullable:"true" enum:"no_action,warn,suspend,ban"`
	SuspendedUntil *time.Time     `json:"suspendedUntil" nullable:"true"`
	Explanation    string         `json:"explanation" doc:"What the reported member was told"`
}

// EvidenceFile is a file in the evidence of a report.
type EvidenceFile struct {
	ID        uuid.UUID  `json:"id"`
	MimeType  string     `json:"mimeType"`
	URL       string     `json:"url" doc:"Requires a reason; each request is recorded in the audit log. A normalised recording is also at media.mp4, the poster of a video at poster.webp"`
	MessageID *uuid.UUID `json:"messageId" nullable:"true" doc:"Null for a file of the profile"`
	Slot      *string    `json:"slot" nullable:"true" enum:"photo,header_banner,audio_greeting,video_greeting,gallery_image,gallery_video,prompt" doc:"Null for a file of a message"`
}

// reviewTimes are the times within which reports are to be decided, by priority.
var reviewTimes = [...]time.Duration{time.Hour, 24 * time.Hour, 72 * time.Hour}

// reportCursor is the sort key of a report in the queue.
type reportCursor struct {
	OverLimit bool      `json:"o"`
	Priority  int       `json:"p"`
	At        time.Time `json:"t"`
	ID        uuid.UUID `json:"i"`
}

// Reports returns a page of pending reports and the cursor of the next page: first those
// within the daily limit of their reporter, then by priority, then the oldest first. It
// omits reports by the admin and about the admin. It returns Invalid for an invalid cursor.
func (s *Service) Reports(ctx context.Context, admin uuid.UUID, cursor string, limit int) ([]QueuedReport, string, error) {
	list := web.List{Name: "reports", Member: admin}
	after := reportCursor{Priority: -1}
	if err := web.DecodeCursor(list, cursor, &after); err != nil {
		return nil, "", err
	}
	rows, err := selectReports(ctx, s.pool, admin, after, limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	rows, next := web.Paginate(list, rows, limit, func(r QueuedReport) reportCursor {
		return reportCursor{r.OverLimit, r.Priority, r.CreatedAt, r.ID}
	})
	return rows, next, completeReports(ctx, s.pool, rows)
}

// completeReports adds the members' cards and the times as they are written in responses.
func completeReports(ctx context.Context, db pg.DB, rows []QueuedReport) error {
	var ids []uuid.UUID
	for _, r := range rows {
		ids = append(ids, orNil(r.reporterID), orNil(r.reportedID))
	}
	cards, err := members.CardsForModerators(ctx, db, ids)
	if err != nil {
		return err
	}
	for id, card := range cards {
		cards[id] = members.UserCard{ID: id, FirstName: card.FirstName, FullName: card.FullName, Age: card.Age, City: card.City}
	}
	for i := range rows {
		r := &rows[i]
		r.Reporter, r.ReportedUser = cardOf(cards, r.reporterID), cardOf(cards, r.reportedID)
		r.CreatedAt, r.DueAt = web.Time(r.CreatedAt), web.Time(r.CreatedAt.Add(reviewTimes[r.Priority]))
		r.OpenedAt = timeOf(r.OpenedAt)
	}
	return nil
}

// timeOf is web.Time for a time that may be nil.
func timeOf(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	return new(web.Time(*t))
}

// OpenReport returns a report for an admin, and records the access with its reason in the
// audit log. Only a pending report has contents. It returns NotFound for an unknown report
// and for one by the admin or about the admin, and Invalid without a reason.
func (s *Service) OpenReport(ctx context.Context, admin, id uuid.UUID, reason string) (OpenedReport, error) {
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (OpenedReport, error) {
		r, err := selectOpenedReport(ctx, tx, admin, id)
		if err != nil {
			return r, err
		}
		if err := Audit(ctx, tx, admin, "report.open", orNil(r.reportedID), reason, map[string]any{"report": id}); err != nil {
			return r, err
		}
		if err := setOpened(ctx, tx, id); err != nil {
			return r, err
		}
		list := []QueuedReport{r.QueuedReport}
		if err := completeReports(ctx, tx, list); err != nil {
			return r, err
		}
		r.QueuedReport = list[0]
		r.ReviewedAt, r.SuspendedUntil = timeOf(r.ReviewedAt), timeOf(r.SuspendedUntil)
		r.Files = []EvidenceFile{}
		if r.Status == "pending" {
			r.Files, err = selectReportFiles(ctx, tx, id)
		}
		return r, err
	})
}

// OpenReportedFile opens a file in the evidence of a pending report for an admin, and records
// the access with its reason in the audit log. It returns NotFound when the report is closed,
// has no such file, or is by or about the admin, and Invalid without a reason.
func (s *Service) OpenReportedFile(ctx context.Context, admin, report, id uuid.UUID, variant, reason string) (blobs.File, error) {
	find := func(db pg.DB) (string, *uuid.UUID, error) { return selectReportedFile(ctx, db, admin, report, id) }
	return s.openEvidence(ctx, id, variant, find, func(tx pgx.Tx, member uuid.UUID) error {
		return Audit(ctx, tx, admin, "report.file", member, reason, map[string]any{"report": report, "file": id, "variant": variant})
	})
}
