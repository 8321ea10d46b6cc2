package verification

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// selectStatus returns the state of the member's last verification. For a verified member
// without a row it is approved.
func selectStatus(ctx context.Context, db pg.DB, member uuid.UUID) (Status, error) {
	var s Status
	var pose *string
	var reason string
	err := db.QueryRow(ctx, `
		SELECT
			CASE
				WHEN u.verified_at IS NOT NULL THEN 'approved'
				WHEN v.status = 'approved' THEN 'ended'
				ELSE coalesce(v.status, 'none')
			END,
			v.pose,
			coalesce(v.reason, ''),
			v.requested_at
		FROM profiles u
		LEFT JOIN LATERAL (
			SELECT *
			FROM verifications v
			WHERE v.user_id = u.id
			ORDER BY v.requested_at DESC, v.id DESC
			LIMIT 1
		) v ON true
		WHERE u.id = $1`, member).Scan(&s.Status, &pose, &reason, &s.RequestedAt)
	if err != nil {
		return s, pg.Fault(err)
	}
	if s.RequestedAt != nil {
		*s.RequestedAt = web.Time(*s.RequestedAt)
	}
	switch s.Status {
	case "requested", "pending":
		s.Pose = pose
		s.Instruction = new(instruction(*pose))
	case "rejected":
		s.Reason = reason
	}
	return s, nil
}

// upsertPose stores the requested pose, replacing one without a selfie. It returns
// Conflict when a selfie is pending.
func upsertPose(ctx context.Context, tx pgx.Tx, member uuid.UUID, pose string) error {
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	tag, err := tx.Exec(ctx, `
		INSERT INTO verifications AS v (id, user_id, pose)
		VALUES ($1, $2, $3)
		ON CONFLICT (user_id) WHERE status IN ('requested', 'pending') DO UPDATE
		SET
			pose = $3,
			requested_at = now()
		WHERE v.status = 'requested'`, id, member, pose)
	if err == nil && tag.RowsAffected() == 0 {
		return errSelfiePending // submitted since the status was read
	}
	return err
}

// updateSelfie sets the selfie of the verification that is requested or pending. It deletes the file of the
// previous selfie and returns its id.
func updateSelfie(ctx context.Context, tx pgx.Tx, member, file uuid.UUID) (deleted []uuid.UUID, err error) {
	var id uuid.UUID
	var old *uuid.UUID
	err = tx.QueryRow(ctx, `
		SELECT id, selfie_id
		FROM verifications
		WHERE user_id = $1
			AND status IN ('requested', 'pending')
		FOR UPDATE`, member).Scan(&id, &old)
	if isNoRows(err) {
		return nil, errNoPose // decided since the status was read
	}
	if err != nil {
		return nil, err
	}
	_, err = tx.Exec(ctx, `
		UPDATE verifications
		SET
			selfie_id = $2,
			status = 'pending',
			submitted_at = now()
		WHERE id = $1`, id, file)
	if err != nil || old == nil {
		return nil, err
	}
	return []uuid.UUID{*old}, members.DeleteFiles(ctx, tx, *old)
}

// isPendingSelfie reports whether the file is the member's selfie that waits for a
// decision.
func isPendingSelfie(ctx context.Context, db pg.DB, member, file uuid.UUID) (pending bool, err error) {
	err = db.QueryRow(ctx, `
		SELECT EXISTS (
			SELECT
			FROM verifications
			WHERE user_id = $1
				AND selfie_id = $2
				AND status = 'pending')`, member, file).Scan(&pending)
	return pending, pg.Fault(err)
}

type lockedVerification struct {
	id, member   uuid.UUID
	status, pose string
	selfie       *uuid.UUID
	decidedBy    *uuid.UUID
}

// lockVerification locks a verification that has a selfie. It locks the member
// first, as Submit does, against deadlocks. It returns NotFound when there is none.
func lockVerification(ctx context.Context, tx pgx.Tx, id uuid.UUID) (v lockedVerification, err error) {
	var member uuid.UUID
	err = tx.QueryRow(ctx, `SELECT user_id FROM verifications WHERE id = $1`, id).Scan(&member)
	if isNoRows(err) {
		return v, fault.New(fault.NotFound, "We could not find that.")
	}
	if err != nil {
		return v, err
	}
	if err := members.Lock(ctx, tx, member); err != nil {
		return v, err
	}
	err = tx.QueryRow(ctx, `
		SELECT id, user_id, status, pose, selfie_id, decided_by
		FROM verifications
		WHERE id = $1
			AND status <> 'requested'
		FOR UPDATE`, id).Scan(&v.id, &v.member, &v.status, &v.pose, &v.selfie, &v.decidedBy)
	if isNoRows(err) {
		return v, fault.New(fault.NotFound, "We could not find that.")
	}
	return v, err
}

func storeDecision(ctx context.Context, tx pgx.Tx, v lockedVerification, moderator uuid.UUID, status, reason string) error {
	_, err := tx.Exec(ctx, `
		UPDATE verifications
		SET
			status = $2,
			decided_at = now(),
			decided_by = $3,
			reason = $4
		WHERE id = $1`,
		v.id, status, moderator, reason)
	if err == nil && status == "approved" {
		err = members.SetVerified(ctx, tx, v.member)
	}
	if err == nil && v.selfie != nil {
		err = members.DeleteFiles(ctx, tx, *v.selfie)
	}
	return err
}

func selectQueue(ctx context.Context, db pg.DB, moderator uuid.UUID, page web.Page) ([]QueuedVerification, string, error) {
	queue := web.List{Name: "verifications", Member: moderator}
	var after web.Cursor
	if err := web.DecodeCursor(queue, page.Cursor, &after); err != nil {
		return nil, "", err
	}
	rows, _ := db.Query(ctx, `
		SELECT v.id, v.user_id, v.submitted_at
		FROM verifications v
		WHERE v.status = 'pending'
			AND v.selfie_id IS NOT NULL
			AND (v.submitted_at, v.id) > ($1, $2)
			AND v.user_id <> $4
		ORDER BY v.submitted_at, v.id
		LIMIT $3`, after.At, after.ID, page.Limit+1, moderator)
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (v QueuedVerification, err error) {
		err = row.Scan(&v.ID, &v.User.ID, &v.SubmittedAt)
		return v, err
	})
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	list, next := web.Paginate(queue, list, page.Limit, func(v QueuedVerification) web.Cursor { return web.Cursor{At: v.SubmittedAt, ID: v.ID} })
	return list, next, complete(ctx, db, list)
}

// complete adds the names, ages and towns to the members of the list, who have an id only, and
// rounds the times to the precision of the API.
func complete(ctx context.Context, db pg.DB, list []QueuedVerification) error {
	ids := make([]uuid.UUID, len(list))
	for i, v := range list {
		ids[i] = v.User.ID
	}
	cards, err := members.QueueCards(ctx, db, ids)
	for i, id := range ids {
		if card, ok := cards[id]; ok {
			list[i].User = card
		}
		list[i].SubmittedAt = web.Time(list[i].SubmittedAt)
	}
	return err
}

// markOpened stores that the moderator opened a pending verification, and returns it with its
// pictures. It returns NotFound like Open.
func markOpened(ctx context.Context, tx pgx.Tx, moderator, id uuid.UUID) (p PendingSelfie, err error) {
	var selfie uuid.UUID
	err = tx.QueryRow(ctx, `
		UPDATE verifications
		SET
			opened_by = $2,
			opened_at = now()
		WHERE id = $1
			AND status = 'pending'
			AND selfie_id IS NOT NULL
			AND user_id <> $2
		RETURNING id, user_id, selfie_id, pose, submitted_at`, id, moderator).Scan(&p.ID, &p.User.ID, &selfie, &p.Pose, &p.SubmittedAt)
	if isNoRows(err) {
		return p, fault.New(fault.NotFound, "We could not find that.")
	}
	if err != nil {
		return p, err
	}
	p.SelfieURL, p.Instruction = members.PictureURL(selfie), instruction(p.Pose)
	list := []QueuedVerification{p.QueuedVerification}
	if err := complete(ctx, tx, list); err != nil {
		return p, err
	}
	p.QueuedVerification = list[0]
	profiles, err := members.PublicForModerators(ctx, tx, []uuid.UUID{p.User.ID})
	p.Photos = append([]members.Photo{}, profiles[p.User.ID].Photos...)
	return p, err
}
