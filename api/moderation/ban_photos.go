package moderation

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/platform/pg"
)

// lookalikeExplanation is the text for a member whose profile is hidden for a photo.
const lookalikeExplanation = `One of your photos looks like a photo of an account that we closed. A person
looks at it next. Until then your profile isn't shown, and you can't write
messages. We will write to you again.`

// BanPhotosArgs are the arguments of the job that stores the fingerprints of a banned member's photos.
type BanPhotosArgs struct {
	BanID uuid.UUID `json:"banId" river:"unique"`
}

// Kind returns the name of the job in River.
func (BanPhotosArgs) Kind() string { return "ban_photos" }

// InsertOpts allow one job per ban.
func (BanPhotosArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// StoreBannedPhotos stores the keyed hashes of the photos that a banned member has now, and of those that are evidence of
// reports about the member. It does nothing for a ban that was taken back. It omits photos without enough contrast.
func (s *Service) StoreBannedPhotos(ctx context.Context, args BanPhotosArgs) error {
	member, err := memberOfBan(ctx, s.pool, args.BanID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return pg.Fault(err)
	}
	photos, err := selectPhotos(ctx, s.pool, member)
	if err != nil {
		return err
	}
	return s.eachHash(ctx, photos, func(_ uuid.UUID, hash photoHash) error { return insertBannedPhoto(ctx, s.pool, args.BanID, hash) })
}

// insertBannedPhoto does nothing for a ban that was taken back, and for a hash that is stored.
func insertBannedPhoto(ctx context.Context, db pg.DB, ban uuid.UUID, hash photoHash) error {
	_, err := db.Exec(ctx, `
		INSERT INTO banned_photos (ban_id, hash, algorithm)
		SELECT id, $2, $3
		FROM bans
		WHERE id = $1
		FOR KEY SHARE
		ON CONFLICT DO NOTHING`, ban, hash.keyed, keyedHash)
	return pg.Fault(err)
}

// ComparePhoto compares a photo of a profile with the photos of banned members and of other members. If it looks like one
// of a banned member, ComparePhoto reports its member and hides the profile until an admin decides, unless an admin has
// decided before that the member is not the banned one. Of other members it does the same as CompareBlocked. It does
// nothing for a file that is no longer in the profile.
func (s *Service) ComparePhoto(ctx context.Context, photo uuid.UUID) error {
	if _, found, err := findProfilePicture(ctx, s.pool, photo); err != nil || !found {
		return err
	}
	hash, found, err := s.hashOf(ctx, photo)
	if err != nil || !found {
		return err
	}
	hidden, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (hiddenByFinding, error) { return s.reportBannedLookalike(ctx, tx, photo, hash) })
	if err != nil {
		return err
	}
	s.publishHidden(ctx, hidden)
	return s.findLookalikes(ctx, photo, hash)
}

// reportBannedLookalike runs in the transaction of ComparePhoto.
func (s *Service) reportBannedLookalike(ctx context.Context, tx pgx.Tx, photo uuid.UUID, hash photoHash) (hiddenByFinding, error) {
	place, found, err := lockProfilePicture(ctx, tx, photo)
	if err != nil || !found {
		return hiddenByFinding{}, err
	}
	banned, found, err := selectBannedLookalike(ctx, tx, place.MemberID, hash)
	if err != nil || !found {
		return hiddenByFinding{}, err
	}
	f := finding{
		source: "ban", reason: "other", priority: 1, hides: true, explanation: lookalikeExplanation,
		line: place.slotName() + " looks like a photo of a banned member" + banned.describe(),
	}
	return s.storeFinding(ctx, tx, place.MemberID, f)
}

// bannedLookalike is the ban with the photo that is most similar to a given one.
type bannedLookalike struct {
	member   *uuid.UUID // nil if the account was deleted
	bannedAt time.Time
	distance int // the number of differing bits, of 64
}

func (l bannedLookalike) describe() string {
	text := fmt.Sprintf(", banned on %s; %d of 64 parts differ", l.bannedAt.UTC().Format(dayFormat), l.distance)
	if l.member != nil {
		text += "; member " + l.member.String()
	}
	return text
}

// selectBannedLookalike returns the ban of another member with the most similar photo, and whether there
// is one that is similar enough. The number of banned photos is small enough to compare all of them.
func selectBannedLookalike(ctx context.Context, tx pgx.Tx, member uuid.UUID, hash photoHash) (l bannedLookalike, found bool, err error) {
	err = tx.QueryRow(ctx, `
		SELECT
			b.user_id,
			b.created_at,
			d.distance
		FROM banned_photos p
		JOIN bans b ON b.id = p.ban_id
		JOIN (VALUES (@keyedName, @keyed::bigint), (@plainName, @plain::bigint)) photo (algorithm, hash) ON photo.algorithm = p.algorithm
		CROSS JOIN LATERAL (SELECT bit_count((p.hash # photo.hash)::bit(64)) AS distance) d
		WHERE d.distance <= @limit
			AND b.user_id IS DISTINCT FROM @member
			AND b.expires_at > now()
			AND NOT EXISTS (
				SELECT
				FROM reports r
				WHERE r.reported_user_id = @member
					AND r.source = 'ban'
					AND r.action_taken = 'no_action'
			)
		ORDER BY d.distance, b.created_at
		LIMIT 1`, pgx.NamedArgs{
		"keyedName": keyedHash, "keyed": hash.keyed, "plainName": plainHash, "plain": hash.plain, "limit": maxPhotoDistance, "member": member,
	}).
		Scan(&l.member, &l.bannedAt, &l.distance)
	if errors.Is(err, pgx.ErrNoRows) {
		return l, false, nil
	}
	return l, err == nil, err
}
