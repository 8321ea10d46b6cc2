package referrals

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/feature"
	"heartward/api/platform/mailaddr"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// selectStats returns the counts, ReachedTier and PremiumUntil.
func selectStats(ctx context.Context, db pg.DB, id uuid.UUID) (s Stats, err error) {
	var until *time.Time
	err = db.QueryRow(ctx, `
		SELECT
			count(r.id),
			count(*) FILTER (WHERE r.status = 'completed'),
			count(*) FILTER (WHERE r.status = 'pending'),
			(SELECT coalesce(max(t.level), 0) FROM referral_tiers t WHERE t.user_id = u.id),
			CASE WHEN u.premium_until > now() THEN u.premium_until END
		FROM profiles u
		LEFT JOIN referrals r ON r.referrer_id = u.id
		WHERE u.id = $1
		GROUP BY u.id, u.premium_until`, id).
		Scan(&s.TotalReferrals, &s.CompletedReferrals, &s.PendingReferrals, &s.ReachedTier, &until)
	if until != nil {
		at := web.Time(*until)
		s.PremiumUntil = &at
	}
	return s, pg.Fault(err)
}

// countCompleted returns the number of completed referrals.
func countCompleted(ctx context.Context, db pg.DB, id uuid.UUID) (completed int, err error) {
	err = db.QueryRow(ctx, `SELECT count(*) FROM referrals WHERE referrer_id = $1 AND completed_at IS NOT NULL`, id).Scan(&completed)
	return completed, err
}

// referralColumns name a friend who joined by the referral's id: the referrer must not learn which member it is.
const referralColumns = `
	r.id,
	CASE WHEN r.joined_at IS NOT NULL THEN r.id END AS referred_user_id,
	r.email,
	r.created_at,
	r.completed_at,
	r.status,
	r.reward_tier`

const listSQL = `
SELECT` + referralColumns + `
FROM referrals r
WHERE r.referrer_id = $3
	AND (r.created_at, r.id) < ($1, $2)
ORDER BY r.created_at DESC, r.id DESC
LIMIT $4`

func selectReferrals(ctx context.Context, db pg.DB, id uuid.UUID, after web.Cursor, limit int) ([]Referral, error) {
	rows, _ := db.Query(ctx, listSQL, after.At, after.ID, id, limit)
	list, err := pgx.CollectRows(rows, pgx.RowToStructByName[Referral])
	return list, pg.Fault(err)
}

func selectCode(ctx context.Context, db pg.DB, id uuid.UUID) (code string, err error) {
	err = db.QueryRow(ctx, `SELECT referral_code FROM profiles WHERE id = $1`, id).Scan(&code)
	return code, pg.Fault(err)
}

// isShown reports whether the member's profile is approved. The status need not be checked: the operation refuses
// restricted members.
func isShown(ctx context.Context, db pg.DB, id uuid.UUID) (shown bool, err error) {
	err = db.QueryRow(ctx, `SELECT is_approved FROM profiles WHERE id = $1`, id).Scan(&shown)
	return shown, err
}

// newInvitation is a row of an invitation by mail.
type newInvitation struct {
	id, referrer, clientID uuid.UUID
	address                mailaddr.Address
	code                   string
	mac                    []byte
}

// insertInvitation inserts an invitation. It returns pgx.ErrNoRows if the referrer has invited the
// mailbox before, or sent the client's id before.
func insertInvitation(ctx context.Context, tx pgx.Tx, n newInvitation) (Referral, error) {
	rows, _ := tx.Query(ctx, `
		INSERT INTO referrals AS r (id, referrer_id, client_id, referral_code, email, address_mac)
		VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT DO NOTHING
		RETURNING`+referralColumns, n.id, n.referrer, n.clientID, n.code, n.address.Typed, n.mac)
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[Referral])
}

// selectInvitation returns the referrer's invitation with a client id, or pgx.ErrNoRows.
func selectInvitation(ctx context.Context, db pg.DB, referrer, clientID uuid.UUID) (Referral, error) {
	rows, _ := db.Query(ctx, `
		SELECT`+referralColumns+`
		FROM referrals r
		WHERE r.referrer_id = $1
			AND r.client_id = $2`, referrer, clientID)
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[Referral])
}

// waiting is an invitation whose mail is to be sent.
type waiting struct {
	id, referrer               uuid.UUID
	email, code, referrersName string
	mac                        []byte
}

// lockWaiting locks and returns an unused invitation, of a member whom others may see. It
// returns pgx.ErrNoRows otherwise.
func lockWaiting(ctx context.Context, tx pgx.Tx, id uuid.UUID) (w waiting, err error) {
	err = tx.QueryRow(ctx, `
		SELECT r.id, r.referrer_id, r.email, r.referral_code, u.first_name, r.address_mac
		FROM referrals r
		JOIN profiles u ON u.id = r.referrer_id
		WHERE r.id = $1
			AND r.email IS NOT NULL
			AND u.profile_status = 'active'
			AND u.is_approved
		FOR UPDATE OF r`, id).
		Scan(&w.id, &w.referrer, &w.email, &w.code, &w.referrersName, &w.mac)
	return w, err
}

// claimMail stores that the mailbox was invited, and reports whether the mail may be sent: it returns false if the mailbox
// was invited, has opted out or was rewarded before. Of concurrent calls for a mailbox one returns true.
func claimMail(ctx context.Context, tx pgx.Tx, w waiting) (claimed bool, err error) {
	tag, err := tx.Exec(ctx, `
		INSERT INTO invited_addresses AS a (address_mac, mailed_at, referral_id)
		VALUES ($1, clock_timestamp(), $2)
		ON CONFLICT (address_mac) DO NOTHING`, w.mac, w.id)
	return tag.RowsAffected() == 1, err
}

// releaseMail undoes claimMail after the mail certainly was not sent.
func releaseMail(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	// The owner may have opted out or been rewarded meanwhile.
	_, err := tx.Exec(ctx, `
		UPDATE invited_addresses
		SET
			mailed_at = NULL,
			referral_id = NULL
		WHERE referral_id = $1
			AND num_nonnulls(opted_out_at, rewarded_at) > 0`, id)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `DELETE FROM invited_addresses WHERE referral_id = $1`, id)
	return err
}

func optOut(ctx context.Context, db pg.DB, mac []byte) error {
	_, err := db.Exec(ctx, `
		INSERT INTO invited_addresses AS a (address_mac, opted_out_at)
		VALUES ($1, clock_timestamp())
		ON CONFLICT (address_mac) DO UPDATE
		SET opted_out_at = coalesce(a.opted_out_at, excluded.opted_out_at)`, mac)
	return err
}

// isInvited reports whether the mailbox with an HMAC was invited, has opted out or was rewarded.
func isInvited(ctx context.Context, db pg.DB, mac []byte) (known bool, err error) {
	err = db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM invited_addresses WHERE address_mac = $1)`, mac).Scan(&known)
	return known, err
}

// insertRewarded stores that a mailbox earned its reward, and reports whether it is the first time.
func insertRewarded(ctx context.Context, tx pgx.Tx, mac []byte) (first bool, err error) {
	tag, err := tx.Exec(ctx, `
		INSERT INTO invited_addresses AS a (address_mac, rewarded_at)
		VALUES ($1, clock_timestamp())
		ON CONFLICT (address_mac) DO UPDATE
		SET rewarded_at = excluded.rewarded_at
		WHERE a.rewarded_at IS NULL`, mac)
	return tag.RowsAffected() == 1, err
}

// joinInvitation makes the member the friend of the invitation by mail with this code, if no other member has used
// it, and reports whether it did.
func joinInvitation(ctx context.Context, tx pgx.Tx, member uuid.UUID, code string, network []byte) (joined bool, err error) {
	tag, err := tx.Exec(ctx, `
		UPDATE referrals
		SET
			referred_user_id = $1,
			joined_at = clock_timestamp(),
			network_mac = $3,
			email = NULL,
			status = CASE WHEN is_known_person(referrer_id, $1) THEN 'refused' ELSE 'pending' END
		WHERE referral_code = $2
			AND address_mac IS NOT NULL
			AND referred_user_id IS NULL
			AND status = 'pending'`, member, code, network)
	return tag.RowsAffected() == 1, err
}

// joinByLink inserts the referral of a member who signed up with a referrer's code, or with that of an
// invitation which was used or has expired. Another code does nothing.
func joinByLink(ctx context.Context, tx pgx.Tx, member uuid.UUID, code string, network []byte) error {
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		INSERT INTO referrals (id, referrer_id, referred_user_id, referral_code, joined_at, network_mac, status)
		SELECT
			$1,
			u.id,
			$2,
			u.referral_code,
			clock_timestamp(),
			$4,
			CASE WHEN is_known_person(u.id, $2) THEN 'refused' ELSE 'pending' END
		FROM profiles u
		WHERE u.id = coalesce(
			(SELECT p.id FROM profiles p WHERE p.referral_code = $3),
			(SELECT r.referrer_id FROM referrals r WHERE r.referral_code = $3 AND r.address_mac IS NOT NULL))`, id, member, code, network)
	return err
}

// selectReferrer returns who invited the member. It returns pgx.ErrNoRows if nobody did, or the referral was refused.
func selectReferrer(ctx context.Context, tx pgx.Tx, member uuid.UUID) (referrer uuid.UUID, err error) {
	err = tx.QueryRow(ctx, `
		SELECT referrer_id
		FROM referrals
		WHERE referred_user_id = $1
			AND status <> 'refused'`, member).Scan(&referrer)
	return referrer, err
}

// completeReferral completes the pending referral of a member whose profile is complete, or refuses it if
// the member is a person whom the referrer invited before. It returns pgx.ErrNoRows if there is none.
// The row's lock makes one of concurrent calls succeed.
func completeReferral(ctx context.Context, tx pgx.Tx, member uuid.UUID) (id, referrer uuid.UUID, refused bool, err error) {
	err = tx.QueryRow(ctx, `
		UPDATE referrals r
		SET
			status = CASE WHEN known.is_person THEN 'refused' ELSE 'completed' END,
			completed_at = CASE WHEN NOT known.is_person THEN clock_timestamp() END
		FROM member_completeness c
		JOIN referrals own ON own.referred_user_id = c.user_id
		CROSS JOIN LATERAL (SELECT is_known_person(own.referrer_id, c.user_id) AS is_person) known
		WHERE r.id = own.id
			AND r.referred_user_id = $1
			AND r.status = 'pending'
			AND own.status = 'pending'
			AND c.user_id = $1
			AND c.percent >= $2
		RETURNING r.id, r.referrer_id, r.status = 'refused'`, member, completeAt).Scan(&id, &referrer, &refused)
	return id, referrer, refused, err
}

// exceedsNetwork reports whether the referrer of a completed referral has more than perNetwork completed ones from its
// network, this one included. EraseNetworks erases networks after 30 days, so older referrals do not count.
func exceedsNetwork(ctx context.Context, tx pgx.Tx, id uuid.UUID) (exceeds bool, err error) {
	err = tx.QueryRow(ctx, `
		SELECT count(*) > $2
		FROM referrals own
		JOIN referrals r ON r.referrer_id = own.referrer_id AND r.network_mac = own.network_mac
		WHERE own.id = $1
			AND r.status = 'completed'`, id, perNetwork).Scan(&exceeds)
	return exceeds, err
}

// setIncomplete sets the state of a completed referral that earns nothing.
func setIncomplete(ctx context.Context, tx pgx.Tx, id uuid.UUID, status Status) error {
	_, err := tx.Exec(ctx, `UPDATE referrals SET status = $2, completed_at = NULL WHERE id = $1`, id, status)
	return err
}

func setRewardTier(ctx context.Context, tx pgx.Tx, id uuid.UUID, level int) error {
	_, err := tx.Exec(ctx, `UPDATE referrals SET reward_tier = $2 WHERE id = $1`, id, level)
	return err
}

// insertTier stores that the member has reached the tier, and reports whether it is
// the first time.
func insertTier(ctx context.Context, tx pgx.Tx, id uuid.UUID, level int) (first bool, err error) {
	tag, err := tx.Exec(ctx, `INSERT INTO referral_tiers (user_id, level) VALUES ($1, $2) ON CONFLICT DO NOTHING`, id, level)
	return tag.RowsAffected() == 1, err
}

// selectReachedTier returns the highest tier that the member has reached.
func selectReachedTier(ctx context.Context, db pg.DB, id uuid.UUID) (level int, err error) {
	err = db.QueryRow(ctx, `SELECT coalesce(max(level), 0) FROM referral_tiers WHERE user_id = $1`, id).Scan(&level)
	return level, err
}

var (
	invitationEnd = feature.After(90*feature.Day, "created_at", "the invitation").Or("when the friend joins")
	networkEnd    = feature.After(30*feature.Day, "joined_at", "the friend joined")
)

// ExpireInvitations ends at most limit invitations that were not used in 90 days, erases their
// addresses, and returns their number.
func ExpireInvitations(ctx context.Context, db pg.DB, limit int) (int, error) {
	tag, err := db.Exec(ctx, `
		UPDATE referrals
		SET
			status = 'expired',
			email = NULL
		WHERE id = ANY (ARRAY(
			SELECT id
			FROM referrals
			WHERE email IS NOT NULL
				AND `+invitationEnd.Due()+`
			LIMIT $1
			FOR UPDATE SKIP LOCKED))`, limit)
	return int(tag.RowsAffected()), pg.Fault(err)
}

// EraseNetworks erases the networks of at most limit friends who joined 30 days ago, and returns their number.
func EraseNetworks(ctx context.Context, db pg.DB, limit int) (int, error) {
	tag, err := db.Exec(ctx, `
		UPDATE referrals
		SET network_mac = NULL
		WHERE id = ANY (ARRAY(
			SELECT id
			FROM referrals
			WHERE network_mac IS NOT NULL
				AND `+networkEnd.Due()+`
			LIMIT $1
			FOR UPDATE SKIP LOCKED))`, limit)
	return int(tag.RowsAffected()), pg.Fault(err)
}

// found maps pgx.ErrNoRows to false.
func found(err error) (bool, error) {
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}
