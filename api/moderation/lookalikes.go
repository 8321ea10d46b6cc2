package moderation

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
)

// CompareBlockedArgs are the arguments of the job that looks for second accounts of a member who was blocked.
type CompareBlockedArgs struct {
	MemberID uuid.UUID `json:"memberId" river:"unique"`
}

// Kind returns the name of the job in River.
func (CompareBlockedArgs) Kind() string { return "compare_blocked" }

// InsertOpts allow one job per member at a time.
func (CompareBlockedArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning,
		rivertype.JobStateRetryable, rivertype.JobStateScheduled,
	}}}
}

// likeness is a pair of members with a similar photo. original is blocked by others; member may be a second account of
// original.
type likeness struct {
	member, original uuid.UUID
	distance         int // the number of differing bits, of 64
	blockers         int // the number of members who have blocked original
}

func (l likeness) describe() string {
	people := "1 member has"
	if l.blockers != 1 {
		people = fmt.Sprintf("%d members have", l.blockers)
	}
	return fmt.Sprintf("A photo looks like one of member %s, whom %s blocked; %d of 64 parts differ", l.original, people, l.distance)
}

// CompareBlocked compares the photos of a blocked member with those of others, as findLookalikes does for a new photo. It
// finds second accounts that existed before the block.
func (s *Service) CompareBlocked(ctx context.Context, args CompareBlockedArgs) error {
	rows, _ := s.pool.Query(ctx, `
		SELECT file_id
		FROM profile_files
		WHERE user_id = $1
			AND slot IN ('photo', 'header_banner', 'gallery_image')`, args.MemberID)
	photos, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return pg.Fault(err)
	}
	return s.eachHash(ctx, photos, func(photo uuid.UUID, hash photoHash) error { return s.findLookalikes(ctx, photo, hash) })
}

// findLookalikes stores the hash of a photo of a profile, and compares it with those of other members. If one of the two
// members is blocked by somebody, the other may be a second account: it is hidden from those who blocked the first, and
// reported, until a moderator decides.
func (s *Service) findLookalikes(ctx context.Context, photo uuid.UUID, hash photoHash) error {
	_, err := s.pool.Exec(ctx, `
		INSERT INTO photo_hashes (photo_id, user_id, hash, algorithm)
		SELECT file_id, user_id, $2, $3
		FROM profile_files
		WHERE file_id = $1
		ON CONFLICT (photo_id) DO UPDATE SET
			hash = excluded.hash,
			algorithm = excluded.algorithm`, photo, hash.keyed, keyedHash)
	if err != nil {
		return pg.Fault(err)
	}
	found, err := selectLikenesses(ctx, s.pool, photo)
	if err != nil {
		return pg.Fault(err)
	}
	for _, l := range found {
		err := pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error { return s.reportLikeness(ctx, tx, l) })
		if err != nil && !fault.Is(err, fault.NotFound) { // an account was deleted meanwhile
			return err
		}
	}
	return nil
}

// maxLikenesses is the maximum number of other members with whom a photo is paired. A picture that more members use, such
// as one of a celebrity, says nothing about who they are.
const maxLikenesses = 20

// selectLikenesses pairs the member of a photo with up to maxLikenesses others who have a similar one, in both directions,
// and returns the pairs whose original somebody else has blocked. It omits pairs that are stored already.
func selectLikenesses(ctx context.Context, db pg.DB, photo uuid.UUID) ([]likeness, error) {
	rows, _ := db.Query(ctx, `
		WITH alike AS (
			SELECT
				mine.user_id AS id,
				other.user_id AS other_id,
				min(d.distance) AS distance
			FROM photo_hashes mine
			JOIN photo_hashes other ON other.algorithm = mine.algorithm
				AND other.user_id <> mine.user_id
			CROSS JOIN LATERAL (SELECT bit_count((other.hash # mine.hash)::bit(64)) AS distance) d
			WHERE mine.photo_id = @photo
				AND d.distance <= @limit
			GROUP BY mine.user_id, other.user_id
			ORDER BY min(d.distance), other.user_id
			LIMIT @most
		)
		SELECT
			pair.member_id,
			pair.original_id,
			a.distance,
			blockers.count
		FROM alike a
		CROSS JOIN LATERAL (VALUES (a.id, a.other_id), (a.other_id, a.id)) AS pair (member_id, original_id)
		CROSS JOIN LATERAL (
			SELECT count(DISTINCT b.blocker_id) AS count
			FROM blocks b
			WHERE b.blocked_id = pair.original_id
				AND b.blocker_id <> pair.member_id
		) blockers
		WHERE blockers.count > 0
			AND NOT EXISTS (
				SELECT
				FROM lookalikes l
				WHERE l.member_id = pair.member_id
					AND l.original_id = pair.original_id
			)
		ORDER BY a.distance, pair.member_id`, pgx.NamedArgs{"photo": photo, "limit": maxPhotoDistance, "most": maxLikenesses})
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (l likeness, err error) {
		err = row.Scan(&l.member, &l.original, &l.distance, &l.blockers)
		return l, err
	})
}

// reportLikeness stores a pair, which hides the member from those who blocked the original. It adds the pair to the pending
// report that the member may be a second account, or inserts one.
func (s *Service) reportLikeness(ctx context.Context, tx pgx.Tx, l likeness) error {
	if err := members.Lock(ctx, tx, l.member); err != nil {
		return err
	}
	tag, err := tx.Exec(ctx, `
		INSERT INTO lookalikes (member_id, original_id)
		SELECT $1, id
		FROM profiles
		WHERE id = $2
		ON CONFLICT DO NOTHING`, l.member, l.original)
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	_, err = s.storeFinding(ctx, tx, l.member, finding{source: "block", reason: "other", priority: 1, line: l.describe()})
	return err
}

// releaseLookalike shows a member again to those from whom findLookalikes hid them: a moderator has decided that they
// are not the blocked one.
func releaseLookalike(ctx context.Context, tx pgx.Tx, member uuid.UUID) error {
	_, err := tx.Exec(ctx, `UPDATE lookalikes SET is_apart = false WHERE member_id = $1`, member)
	return err
}
