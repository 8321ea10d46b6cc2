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
	"heartward/api/queue"
)

// QueuedReport is a report in the queue of the admins, without its contents.
type QueuedReport struct {
	ID           uuid.UUID         `json:"id"`
	Reason       Reason            `json:"reason" enum:"underage,threat,assault,nonconsensual_images,scam,hate,harassment,fake_profile,not_single,inappropriate,spam,other"`
	Priority     int               `json:"priority" minimum:"0" maximum:"2" doc:"0 is the most urgent"`
	Status       string            `json:"status" enum:"pending,reviewed,resolved" doc:"reviewed without a suspension, resolved with one"`
	Source       string            `json:"source" enum:"member,pictures,ban,block,issue" doc:"pictures: the external moderation of pictures; ban: a photo looks like one of a banned member; block: one of a member whom somebody blocked, all without a reporter; issue: about no member, with a visitor also without a reporter"`
	Place        string            `json:"place" enum:"card,profile,match,conversation,likes,post,comment,rules" doc:"The screen on which the member was shown; post and comment: what they wrote on the community board; rules: an issue"`
	IssueKind    *string           `json:"issueKind" nullable:"true" enum:"safety,technical,account,community,other" doc:"What an issue is about; null for others"`
	ContentID    *uuid.UUID        `json:"contentId" nullable:"true" format:"uuid" doc:"The reported post or comment, which may be deleted"`
	OverLimit    bool              `json:"overLimit" doc:"Beyond the daily limit of its reporter"`
	HidesProfile bool              `json:"hidesProfile" doc:"The profile is under review until the decision"`
	CreatedAt    time.Time         `json:"createdAt"`
	DueAt        time.Time         `json:"dueAt" doc:"When it should be decided, by its priority"`
	OpenedAt     *time.Time        `json:"openedAt" nullable:"true" doc:"When an admin first opened it"`
	ReviewedAt   *time.Time        `json:"reviewedAt" nullable:"true" doc:"When it was decided"`
	ActionTaken  *string           `json:"actionTaken" nullable:"true" enum:"no_action,keep_apart,warn,remove,suspend,ban,not_of_age"`
	Reporter     *members.UserCard `json:"reporter" doc:"Name, age and town; null if the account was deleted"`
	ReportedUser *members.UserCard `json:"reportedUser" doc:"Name, age and town; null if the account was deleted"`

	reporterID, reportedID *uuid.UUID
}

// OpenedReport is a report with its contents, which are null or empty after the decision.
type OpenedReport struct {
	QueuedReport
	Description     string         `json:"description"`
	Evidence        *Evidence      `json:"evidence"`
	Files           []EvidenceFile `json:"files" doc:"Files of the reported member, even if they were deleted"`
	Additions       []Addition     `json:"additions" doc:"What the reporter added later, the oldest first"`
	Statement       *Statement     `json:"statement" doc:"What the reported member wrote while hidden; null without it"`
	OtherReports    int            `json:"otherReports" doc:"The number of other members who have reported the member"`
	Unfounded       int            `json:"unfounded" doc:"The number of the reporter's reports without consequences"`
	SuspendedUntil  *time.Time     `json:"suspendedUntil" nullable:"true"`
	IsDeparted      bool           `json:"isDeparted" doc:"The reported account was deleted while the report was pending: an admin can still ban its address and photos"`
	Explanation     string         `json:"explanation" doc:"What the reported member was told, or the reporter of an issue"`
	AgeAskedAt      *time.Time     `json:"ageAskedAt" nullable:"true" doc:"When the reported member was asked to show the age"`
	ReporterAddress *string        `json:"reporterAddress" nullable:"true" doc:"Where a visitor wants the answer to an issue"`
}

// Addition is what a reporter added to an open report. The reason of the report is the most urgent one.
type Addition struct {
	Reason      Reason    `json:"reason" enum:"underage,threat,assault,nonconsensual_images,scam,hate,harassment,fake_profile,not_single,inappropriate,spam,other"`
	Description string    `json:"description"`
	Evidence    *Evidence `json:"evidence"`
	CreatedAt   time.Time `json:"createdAt"`
}

// EvidenceFile is a file in the evidence of a report.
type EvidenceFile struct {
	ID        uuid.UUID  `json:"id"`
	MimeType  string     `json:"mimeType"`
	URL       string     `json:"url" doc:"For a day after the report was opened; each request is recorded in the audit log. A normalised recording is also at media.mp4, the poster of a video at poster.webp"`
	MessageID *uuid.UUID `json:"messageId" nullable:"true" doc:"Null for a file of the profile"`
	Slot      *string    `json:"slot" nullable:"true" enum:"photo,header_banner,audio_greeting,video_greeting,gallery_image,gallery_video,prompt,post" doc:"post: the picture of a post; null for a file of a message"`
}

// ReportCounts are the numbers of reports that an admin may decide.
type ReportCounts struct {
	Pending  int `json:"pending"`
	Urgent   int `json:"urgent" doc:"Pending, with priority 0"`
	Overdue  int `json:"overdue" doc:"Pending after their time"`
	Underage int `json:"underage" doc:"Pending, about a member who may be under 18"`
	Reviewed int `json:"reviewed"`
	Resolved int `json:"resolved"`
}

// reportCursor is the sort key of a report in the queue, or of a decided one, which has the
// time of the decision and the id only.
type reportCursor struct {
	OverLimit bool      `json:"o"`
	Priority  int       `json:"p"`
	At        time.Time `json:"t"`
	ID        uuid.UUID `json:"i"`
}

// CountReports returns the numbers of the reports that the admin or moderator may decide on.
func (s *Service) CountReports(ctx context.Context, admin uuid.UUID) (ReportCounts, error) {
	return countReports(ctx, s.pool, admin)
}

// Reports returns a page of the reports with a status and the cursor of the next page. Pending
// reports are sorted: first those within the daily limit of their reporter, then by
// priority, then the oldest first. Of decided ones the newest decision is first. The page
// omits reports on which the admin may not decide, and those with another reason unless reason is empty. It returns Invalid for an
// invalid cursor.
func (s *Service) Reports(ctx context.Context, admin uuid.UUID, status string, reason Reason, cursor string, limit int) ([]QueuedReport, string, error) {
	list := web.List{Name: "reports-" + status + "-" + string(reason), Member: admin}
	after, find := reportCursor{Priority: -1}, selectPendingReports
	key := func(r QueuedReport) reportCursor { return reportCursor{r.OverLimit, r.Priority, r.CreatedAt, r.ID} }
	if status != "pending" {
		after, find = reportCursor{At: web.StartCursor.At, ID: web.StartCursor.ID}, selectDecidedReports
		key = func(r QueuedReport) reportCursor { return reportCursor{At: *r.ReviewedAt, ID: r.ID} }
	}
	if err := web.DecodeCursor(list, cursor, &after); err != nil {
		return nil, "", err
	}
	rows, err := find(ctx, s.pool, admin, status, reason, after, limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	rows, next := web.Paginate(list, rows, limit, key)
	return rows, next, completeReports(ctx, s.pool, rows)
}

// completeReports adds the members' cards and the times as they are written in responses.
func completeReports(ctx context.Context, db pg.DB, rows []QueuedReport) error {
	var ids []uuid.UUID
	for _, r := range rows {
		ids = append(ids, orNil(r.reporterID), orNil(r.reportedID))
	}
	cards, err := members.QueueCards(ctx, db, ids)
	if err != nil {
		return err
	}
	for i := range rows {
		r := &rows[i]
		r.Reporter, r.ReportedUser = cardOf(cards, r.reporterID), cardOf(cards, r.reportedID)
		r.CreatedAt, r.DueAt = web.Time(r.CreatedAt), web.Time(r.CreatedAt.Add(queue.ReviewTime(r.Priority)))
		r.OpenedAt, r.ReviewedAt = timeOf(r.OpenedAt), timeOf(r.ReviewedAt)
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
// audit log. Only a pending report has contents. It returns NotFound for an unknown report and for one on which the admin may not
// decide, Conflict while another moderator has it open, and Invalid without a reason.
func (s *Service) OpenReport(ctx context.Context, admin, id uuid.UUID, reason string) (OpenedReport, error) {
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (OpenedReport, error) {
		r, err := selectOpenedReport(ctx, tx, admin, id)
		if err != nil {
			return r, err
		}
		if err := setOpened(ctx, tx, id); err != nil {
			return r, err
		}
		// Claim after setOpened, which may lock the report: a decision takes the two locks in this order.
		if r.Status == "pending" {
			if err := queue.Open(ctx, tx, admin, queue.Report, id); err != nil {
				return r, err
			}
		}
		list := []QueuedReport{r.QueuedReport}
		if err := completeReports(ctx, tx, list); err != nil {
			return r, err
		}
		r.QueuedReport = list[0]
		r.SuspendedUntil, r.AgeAskedAt = timeOf(r.SuspendedUntil), timeOf(r.AgeAskedAt)
		r.Files, r.Additions = []EvidenceFile{}, []Addition{}
		if r.Status == "pending" {
			if err := addContents(ctx, tx, &r); err != nil {
				return r, err
			}
		}
		return r, Audit(ctx, tx, admin, "report.open", orNil(r.reportedID), reason, map[string]any{"report": id})
	})
}

// addContents adds what belongs to a pending report beside its own row.
func addContents(ctx context.Context, tx pgx.Tx, r *OpenedReport) (err error) {
	if r.Files, err = selectReportFiles(ctx, tx, r.ID); err != nil {
		return err
	}
	if r.Additions, err = selectAdditions(ctx, tx, r.ID); err != nil || r.reportedID == nil {
		return err
	}
	r.Statement, err = selectStatement(ctx, tx, *r.reportedID)
	return err
}

// OpenReportedFile opens a file in the evidence of a pending report for an admin who opened
// the report within the last day, and records the access with the reason of that in the audit
// log. It returns NotFound when the report is closed, has no such file, or is one on which the admin may not decide, and Conflict
// when the admin has not opened it.
func (s *Service) OpenReportedFile(ctx context.Context, admin, report, id uuid.UUID, variant string) (blobs.File, error) {
	find := func(db pg.DB) (string, *uuid.UUID, error) { return selectReportedFile(ctx, db, admin, report, id) }
	return s.openEvidence(ctx, id, variant, find, func(tx pgx.Tx, member uuid.UUID) error {
		reason, err := openedReason(ctx, tx, admin, "report.open", "report", report)
		if err != nil {
			return err
		}
		return Audit(ctx, tx, admin, "report.file", member, reason, map[string]any{"report": report, "file": id, "variant": variant})
	})
}
