package moderation

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/feature"
	"heartward/api/platform/pg"
)

// departedTime is how long the keyed hashes of a former member are stored if nobody decides. It is the same time as that of
// the files of an undecided report (evidenceFilesEnd).
const departedTime = 180 * feature.Day

// BeginDeparture stores the keyed hashes of the photos of a member whose account is about to be
// deleted, if a report about the member is pending, so that a ban is still possible. It must run
// before the files of the member are deleted. A repetition changes nothing.
func (s *Service) BeginDeparture(ctx context.Context, member uuid.UUID) error {
	departed, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (uuid.UUID, error) { return s.storeDeparted(ctx, tx, member) })
	if err != nil || departed == uuid.Nil {
		return err
	}
	photos, err := selectPhotos(ctx, s.pool, member)
	if err != nil {
		return err
	}
	return s.eachHash(ctx, photos, func(_ uuid.UUID, hash photoHash) error { return insertDepartedPhoto(ctx, s.pool, departed, hash) })
}

// insertDepartedPhoto does nothing if the hashes of the former member were deleted meanwhile, and for a hash that is stored.
func insertDepartedPhoto(ctx context.Context, db pg.DB, departed uuid.UUID, hash photoHash) error {
	_, err := db.Exec(ctx, `
		INSERT INTO departed_photos (departed_id, hash, algorithm)
		SELECT id, $2, $3
		FROM departed_members
		WHERE id = $1
		FOR KEY SHARE
		ON CONFLICT DO NOTHING`, departed, hash.keyed, keyedHash)
	return pg.Fault(err)
}

// CompleteDeparture refers the pending reports about a member to the hashes that BeginDeparture stored, or deletes the
// hashes if no report is pending any more. It must run in the transaction that deletes the account, before the deletion.
func (s *Service) CompleteDeparture(ctx context.Context, tx pgx.Tx, member uuid.UUID) error {
	departed, err := s.storeDeparted(ctx, tx, member)
	if err != nil {
		return err
	}
	if departed == uuid.Nil {
		_, err := tx.Exec(ctx, `DELETE FROM departed_members WHERE user_id = $1`, member)
		return err
	}
	_, err = tx.Exec(ctx, `
		UPDATE reports
		SET departed_id = $2
		WHERE reported_user_id = $1
			AND status = 'pending'`, member, departed)
	return err
}

// storeDeparted stores the keyed hash of the member's mailbox if a report about the member is pending, and returns
// the id of its row, or Nil. It locks the member, as reports and decisions do.
func (s *Service) storeDeparted(ctx context.Context, tx pgx.Tx, member uuid.UUID) (id uuid.UUID, err error) {
	if err := members.Lock(ctx, tx, member); err != nil {
		if fault.Is(err, fault.NotFound) {
			return uuid.Nil, nil
		}
		return uuid.Nil, err
	}
	mailbox, err := members.MailboxOf(ctx, tx, member)
	if err != nil {
		return uuid.Nil, err
	}
	err = tx.QueryRow(ctx, `
		INSERT INTO departed_members AS d (id, user_id, address_mac)
		SELECT gen_random_uuid(), $1, $2
		WHERE EXISTS (SELECT FROM reports WHERE reported_user_id = $1 AND status = 'pending')
		ON CONFLICT (user_id) DO UPDATE SET address_mac = excluded.address_mac
		RETURNING id`, member, s.addressMAC(bannedAddress, mailbox)).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, nil
	}
	return id, err
}

// decideDeparted applies a decision on a report about a former member. It does nothing if departed is nil: no hashes of the
// member are stored.
func decideDeparted(ctx context.Context, tx pgx.Tx, departed *uuid.UUID, in Decision) error {
	if departed == nil {
		return nil
	}
	if in.bans() {
		if err := banDeparted(ctx, tx, *departed, in.Action == NotOfAge); err != nil {
			return err
		}
	}
	return releaseDeparted(ctx, tx, *departed)
}

// banDeparted stores the ban of a former member about whom a report was pending.
func banDeparted(ctx context.Context, tx pgx.Tx, departed uuid.UUID, notOfAge bool) error {
	ban := uuid.New()
	_, err := tx.Exec(ctx, `
		INSERT INTO bans (id, address_mac, not_of_age, expires_at)
		SELECT $1, address_mac, $3, now() + $4::interval
		FROM departed_members
		WHERE id = $2`, ban, departed, notOfAge, banTime)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		INSERT INTO banned_photos (ban_id, hash, algorithm)
		SELECT $1, hash, algorithm
		FROM departed_photos
		WHERE departed_id = $2`, ban, departed)
	return err
}

// releaseDeparted deletes the hashes of a former member unless another report about them is pending. It must
// run after closeReport.
func releaseDeparted(ctx context.Context, tx pgx.Tx, departed uuid.UUID) error {
	// The lock serializes the decisions on two reports about the former member.
	if _, err := tx.Exec(ctx, `SELECT FROM departed_members WHERE id = $1 FOR UPDATE`, departed); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `
		DELETE FROM departed_members d
		WHERE d.id = $1
			AND NOT EXISTS (SELECT FROM reports r WHERE r.departed_id = d.id AND r.status = 'pending')`, departed)
	return err
}
