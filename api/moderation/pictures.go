package moderation

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/auth"
	"heartward/api/members"
	"heartward/api/messaging/guard"
	"heartward/api/platform/pg"
)

// pictureExplanation is the text for a member whose profile the external moderation hides.
const pictureExplanation = `Our automatic check has found something in a picture of your profile that may
not belong here. A person looks at it next. Until then your profile isn't
shown, and you can't write messages. We will write to you again.`

// profilePicture is the place of a file in a profile.
type profilePicture struct {
	MemberID uuid.UUID
	Slot     string
	Position int
}

var slotNames = map[string]string{
	"photo": "Photo", "header_banner": "Banner", "video_greeting": "Video greeting",
	"gallery_image": "Gallery picture", "gallery_video": "Gallery video",
}

var findingNames = map[string]string{guard.Harassment: "violence or harassment", guard.SexualPressure: "sexual"}

func (p profilePicture) slotName() string { return fmt.Sprintf("%s %d", slotNames[p.Slot], p.Position) }

// describe returns the line about a finding in the description of the report.
func (p profilePicture) describe(v verdict) string {
	return fmt.Sprintf("%s: %s, %.0f%%", p.slotName(), findingNames[v.category], v.score*100)
}

// findProfilePicture returns the place of a file, and whether it is in a profile.
func findProfilePicture(ctx context.Context, db pg.DB, file uuid.UUID) (p profilePicture, found bool, err error) {
	err = db.QueryRow(ctx, `SELECT user_id, slot, position FROM profile_files WHERE file_id = $1`, file).
		Scan(&p.MemberID, &p.Slot, &p.Position)
	if errors.Is(err, pgx.ErrNoRows) {
		return p, false, nil
	}
	return p, err == nil, pg.Fault(err)
}

// finding is what a check found: of the external moderation, or of the comparison of photos.
type finding struct {
	source      string // of the report
	reason      Reason
	priority    int
	hides       bool   // puts the profile under review
	line        string // of the description
	explanation string // for the member, if the profile is hidden
}

// findingReport is the pending report about a member that collects the findings of one source.
type findingReport struct {
	id       uuid.UUID // Nil without one
	member   uuid.UUID
	priority int
	hides    bool
}

// hiddenByFinding is the member whose profile a finding hid, and the sessions whose sockets are to be closed; zero if it hid none.
type hiddenByFinding struct {
	member   uuid.UUID
	sessions []uuid.UUID
}

// publishHidden must be called after the commit of storeFinding, with its result.
func (s *Service) publishHidden(ctx context.Context, h hiddenByFinding) {
	if h.member == uuid.Nil {
		return
	}
	auth.PublishEnded(s.events, h.sessions...)
	s.notifyStatusChange(ctx, h.member)
}

// reportPicture reports the member of a picture in which the external moderation found
// something. A verdict that blocks puts the profile under review at once, mails this to the
// member and alerts the admins. There is one pending report about each member; further
// findings are added to it, and a repeated one changes nothing.
func (s *Service) reportPicture(ctx context.Context, file uuid.UUID, v verdict) error {
	hidden, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (hiddenByFinding, error) { return s.storePictureReport(ctx, tx, file, v) })
	if err == nil {
		s.publishHidden(ctx, hidden)
	}
	return err
}

// storePictureReport runs in the transaction of reportPicture.
func (s *Service) storePictureReport(ctx context.Context, tx pgx.Tx, file uuid.UUID, v verdict) (hiddenByFinding, error) {
	place, found, err := lockProfilePicture(ctx, tx, file)
	if err != nil || !found {
		return hiddenByFinding{}, err
	}
	f := finding{
		source: "pictures", reason: "inappropriate", priority: 2, hides: v.blocks(), line: place.describe(v), explanation: pictureExplanation,
	}
	if v.blocks() {
		f.priority = 0
	}
	return s.storeFinding(ctx, tx, place.MemberID, f)
}

// lockProfilePicture locks the member in whose profile a file is, as a report of a member does, and returns its place there. found
// is false if the file is in no profile.
func lockProfilePicture(ctx context.Context, tx pgx.Tx, file uuid.UUID) (place profilePicture, found bool, err error) {
	place, found, err = findProfilePicture(ctx, tx, file)
	if err != nil || !found {
		return place, false, err
	}
	if err := members.Lock(ctx, tx, place.MemberID); err != nil {
		return place, false, err
	}
	return findProfilePicture(ctx, tx, file) // as it is under the lock
}

// storeFinding adds a finding to the pending report of its source about a member, or inserts one. If it hides the profile, it
// returns what publishHidden needs. The caller must hold the member's lock.
func (s *Service) storeFinding(ctx context.Context, tx pgx.Tx, member uuid.UUID, f finding) (hidden hiddenByFinding, err error) {
	before, err := selectFindingReport(ctx, tx, member, f.source)
	if err != nil {
		return hidden, err
	}
	isActive, mayHide, err := selectHidable(ctx, tx, member)
	if err != nil {
		return hidden, err
	}
	after := findingReport{id: before.id, member: member, priority: f.priority, hides: f.hides && mayHide}
	if err := upsertFindingReport(ctx, tx, &after, f); err != nil {
		return hidden, err
	}
	isNew := before.id == uuid.Nil
	if isNew {
		if err := s.enqueueStaffReport(ctx, tx, after.id, member); err != nil {
			return hidden, err
		}
	}
	if after.priority == 0 && (isNew || before.priority > 0) {
		if err := s.enqueueAlert(ctx, tx, after.id); err != nil {
			return hidden, err
		}
	}
	if !after.hides || !isActive {
		return hidden, nil
	}
	if err := s.hideForFinding(ctx, tx, after, f); err != nil {
		return hidden, err
	}
	sessions, err := s.endSockets(ctx, tx, member)
	return hiddenByFinding{member, sessions}, err
}

// hideForFinding puts the profile under review and enqueues the mail about it.
func (s *Service) hideForFinding(ctx context.Context, tx pgx.Tx, r findingReport, f finding) error {
	if err := members.PutUnderReview(ctx, tx, r.member); err != nil {
		return err
	}
	sanction := Sanction{
		ID: uuid.New(), Kind: Review, Explanation: f.explanation, ReportID: &r.id, Ground: Ground(f.reason), FactsFrom: "pictures", Automation: "decided",
	}
	if _, err := insertSanction(ctx, tx, uuid.Nil, r.member, sanction); err != nil {
		return err
	}
	_, err := s.jobs.InsertTx(ctx, tx, SanctionArgs{SanctionID: sanction.ID}, nil)
	return err
}

// selectFindingReport returns the pending report of a source about a member, or a zero one. The caller
// must hold the member's lock.
func selectFindingReport(ctx context.Context, tx pgx.Tx, member uuid.UUID, source string) (r findingReport, err error) {
	err = tx.QueryRow(ctx, `
		SELECT id, reported_user_id, priority, hides_profile
		FROM reports
		WHERE reported_user_id = $1
			AND source = $2
			AND status = 'pending'`, member, source).Scan(&r.id, &r.member, &r.priority, &r.hides)
	if errors.Is(err, pgx.ErrNoRows) {
		return findingReport{}, nil
	}
	return r, err
}

// selectHidable returns whether a member is active, and whether a report may hide the profile: not if an admin has put it
// under review without a report.
func selectHidable(ctx context.Context, tx pgx.Tx, member uuid.UUID) (isActive, mayHide bool, err error) {
	err = tx.QueryRow(ctx, `
		SELECT
			u.profile_status = 'active',
			u.profile_status <> 'under_review' OR `+underReport+`
		FROM profiles u
		WHERE u.id = $1`, member).Scan(&isActive, &mayHide)
	return isActive, mayHide, err
}

// upsertFindingReport adds a line to the pending report, or inserts a report and sets its id. The
// files of the profile become evidence.
func upsertFindingReport(ctx context.Context, tx pgx.Tx, r *findingReport, f finding) error {
	var err error
	if r.id == uuid.Nil {
		err = insertFindingReport(ctx, tx, r, f)
	} else {
		err = updateFindingReport(ctx, tx, *r, f)
	}
	if err != nil {
		return err
	}
	return storeFiles(ctx, tx, r.id, r.member, nil)
}

// updateFindingReport adds the line of a finding to the report unless it has the line. The description is cut off at
// maxDescription.
func updateFindingReport(ctx context.Context, tx pgx.Tx, r findingReport, f finding) error {
	_, err := tx.Exec(ctx, `
		UPDATE reports
		SET
			description = CASE
				WHEN $2 = ANY (string_to_array(description, E'\n')) THEN description
				ELSE left(description || E'\n' || $2, $5)
			END,
			priority = least(priority, $3),
			hides_profile = hides_profile OR $4
		WHERE id = $1`, r.id, f.line, r.priority, r.hides, maxDescription)
	return err
}

func insertFindingReport(ctx context.Context, tx pgx.Tx, r *findingReport, f finding) (err error) {
	if r.id, err = uuid.NewV7(); err != nil {
		return err
	}
	evidence, err := collectEvidence(ctx, tx, uuid.Nil, ReportInput{UserID: r.member})
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		INSERT INTO reports (
			id,
			reported_user_id,
			reason,
			description,
			source,
			place,
			priority,
			evidence,
			hides_profile,
			created_at,
			about_staff
		)
		SELECT
			@id,
			u.id,
			@reason,
			@description,
			@source,
			'profile',
			@priority,
			@evidence,
			@hides,
			clock_timestamp(),
			u.is_staff
		FROM profiles u
		WHERE u.id = @member`, pgx.NamedArgs{
		"id": r.id, "member": r.member, "reason": f.reason, "description": f.line, "source": f.source, "priority": r.priority,
		"evidence": evidence, "hides": r.hides,
	})
	return err
}
