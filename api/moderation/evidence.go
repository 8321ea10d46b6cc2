package moderation

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/matching"
	"heartward/api/members"
	"heartward/api/messaging/messages"
	"heartward/api/platform/feature"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Evidence is the copy of data that is stored with a report. Later deletions do not
// change it.
type Evidence struct {
	Profile  Snapshot      `json:"profile"`
	Like     *Liked        `json:"like"` // of the reporter by the reported member
	Messages []MessageCopy `json:"messages"`
	Content  *ContentCopy  `json:"content,omitempty" doc:"The reported post or comment; absent for others"`
}

// ContentCopy is the text of a reported post or comment at the time of the report.
type ContentCopy struct {
	ID        uuid.UUID `json:"id"`
	Title     string    `json:"title" doc:"Of the post"`
	Text      string    `json:"text"`
	WrittenAt time.Time `json:"writtenAt"`
}

// Snapshot is the reported member's profile at the time of the report.
type Snapshot struct {
	ID             uuid.UUID        `json:"id"`
	FirstName      string           `json:"firstName"`
	FullName       string           `json:"fullName"`
	Age            int              `json:"age"`
	City           string           `json:"city"`
	State          string           `json:"state"`
	Bio            string           `json:"bio"`
	LoveReflection string           `json:"loveReflection"`
	Occupation     string           `json:"occupation"`
	IntentionTags  []string         `json:"intentionTags"`
	Prompts        []members.Prompt `json:"prompts"`
	PhotoIDs       []uuid.UUID      `json:"photoIds"`
	TakenAt        time.Time        `json:"takenAt"`
}

// Liked is a like with its comment.
type Liked struct {
	LikeType string     `json:"likeType"`
	Comment  string     `json:"comment"`
	PhotoID  *uuid.UUID `json:"photoId"`
	Prompt   *string    `json:"prompt"`
	LikedAt  time.Time  `json:"likedAt"`
}

// MessageCopy is a message in the evidence of a report or the context of a flag.
type MessageCopy struct {
	ID       uuid.UUID `json:"id"`
	Seq      int64     `json:"seq"`
	SenderID uuid.UUID `json:"senderId"`
	Type     string    `json:"type"`
	Content  string    `json:"content"`
	SentAt   time.Time `json:"sentAt"`
	Files    int       `json:"-"` // their number
}

func copyMessages(excerpts []messages.Excerpt) []MessageCopy {
	list := make([]MessageCopy, len(excerpts))
	for i, e := range excerpts {
		list[i] = MessageCopy(e)
	}
	return list
}

// evidenceMessages is the number of last messages in the evidence of a report.
const evidenceMessages = 50

// collectEvidence reads the profile of the reported member and, for a report about a post or comment, its text. For a
// report about the member it reads the member's like of the reporter, and the newest evidenceMessages messages between the
// two.
func collectEvidence(ctx context.Context, tx pgx.Tx, reporter uuid.UUID, in ReportInput) (Evidence, error) {
	var e Evidence
	reported := in.UserID
	profiles, err := members.PublicForModerators(ctx, tx, []uuid.UUID{reported})
	if err != nil {
		return e, err
	}
	e.Profile = snapshot(profiles[reported])
	if in.content != nil {
		e.Content, e.Messages = in.content.evidence(), []MessageCopy{}
		return e, nil
	}
	like, err := matching.FindLike(ctx, tx, reported, reporter)
	if err != nil {
		return e, err
	}
	e.Like = (*Liked)(like)
	newest, err := messages.NewestExcerpts(ctx, tx, reporter, reported, evidenceMessages)
	e.Messages = copyMessages(newest)
	return e, err
}

func snapshot(m members.PublicMember) Snapshot {
	s := Snapshot{
		ID: m.ID, FirstName: m.FirstName, FullName: m.FullName, Age: m.Age, City: m.City, State: m.State,
		Bio: m.Bio, LoveReflection: m.LoveReflection, Occupation: m.Occupation,
		IntentionTags: m.IntentionTags, Prompts: m.Prompts, PhotoIDs: []uuid.UUID{}, TakenAt: web.Time(time.Now()),
	}
	for _, photo := range m.Photos {
		s.PhotoIDs = append(s.PhotoIDs, photo.ID)
	}
	return s
}

// reportEnd is when the evidence and the texts of a decided report are deleted. evidenceFilesEnd is when its files are
// deleted at the latest, even if it is not decided.
var (
	reportEnd        = feature.After(90*feature.Day, "reviewed_at", "the decision")
	evidenceFilesEnd = feature.After(180*feature.Day, "created_at", "the report")
)

// DeleteOldEvidence deletes the evidence, with its files, of at most limit reports that
// were closed more than 90 days ago, and returns the number of reports. Rows that another
// process has locked are left for the next run.
func DeleteOldEvidence(ctx context.Context, db pg.DB, limit int) (int, error) {
	tag, err := db.Exec(ctx, `
		WITH due AS (
			SELECT id
			FROM reports
			WHERE status <> 'pending'
				AND `+reportEnd.Due()+`
				AND evidence <> '{}'
			LIMIT $1
			FOR UPDATE SKIP LOCKED
		), files AS (
			DELETE FROM evidence_files e
			USING due
			WHERE e.subject_id = due.id
		), additions AS (
			UPDATE report_additions a
			SET evidence = '{}'
			FROM due
			WHERE a.report_id = due.id
		)
		UPDATE reports r
		SET evidence = '{}'
		FROM due
		WHERE r.id = due.id`, limit)
	return int(tag.RowsAffected()), err
}

// DeleteOldEvidenceFiles deletes at most limit evidence files of reports that are more
// than 180 days old, closed or not, and returns the number of files. It does not delete
// texts.
func DeleteOldEvidenceFiles(ctx context.Context, db pg.DB, limit int) (int, error) {
	tag, err := db.Exec(ctx, `
		DELETE FROM evidence_files
		WHERE ctid = ANY (ARRAY(
			SELECT e.ctid
			FROM evidence_files e
			JOIN reports r ON r.id = e.subject_id
			WHERE `+evidenceFilesEnd.Due()+`
			LIMIT $1
			FOR UPDATE OF e SKIP LOCKED))`, limit)
	return int(tag.RowsAffected()), err
}

// DeleteOldTexts removes the texts of at most limit reports and issues that were closed more than 90 days ago, and of
// issues the answers and the visitors' addresses. It returns their number. It keeps the explanation of a decision on a
// report, which the sanction of the member contains too.
func DeleteOldTexts(ctx context.Context, db pg.DB, limit int) (int, error) {
	tag, err := db.Exec(ctx, `
		UPDATE reports
		SET
			description = '',
			explanation = CASE source WHEN 'issue' THEN '' ELSE explanation END,
			reporter_address = NULL
		WHERE id IN (
			SELECT id
			FROM reports
			WHERE status <> 'pending'
				AND description <> ''
				AND `+reportEnd.Due()+`
			LIMIT $1
			FOR UPDATE SKIP LOCKED)`, limit)
	return int(tag.RowsAffected()), err
}
