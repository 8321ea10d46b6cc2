package moderation

import (
	"context"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/matching"
	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/feature"
	"heartward/api/platform/mailaddr"
	"heartward/api/platform/pg"
)

// The purposes of the HMACs of addresses. Those of one purpose do not show which addresses are
// stored for the other.
const (
	bannedAddress  = "banned"
	blockedAddress = "blocked"
)

// deriveAddressKey returns the key of the HMACs from the configured secret.
func deriveAddressKey(secret []byte) []byte {
	key, err := hkdf.Key(sha256.New, secret, nil, "heartward addresses", sha256.Size)
	if err != nil {
		panic(err) // the length is fixed
	}
	return key
}

// addressMAC returns the HMAC of an abuse key for a purpose.
func (s *Service) addressMAC(purpose, abuseKey string) []byte {
	mac := hmac.New(sha256.New, s.addressKey)
	mac.Write([]byte(purpose + "\x00" + abuseKey))
	return mac.Sum(nil)
}

// addressMACs returns the HMACs under which an address may be stored for a purpose, that of addressMAC first.
func (s *Service) addressMACs(purpose, address string) (macs [][]byte) {
	for _, key := range mailaddr.Of(address).Keys() {
		macs = append(macs, s.addressMAC(purpose, key))
	}
	return macs
}

// lockAddress locks a mailbox until tx ends. A member who gets the address and another who blocks it are serialized, so
// that the later transaction sees the earlier one.
func lockAddress(ctx context.Context, tx pgx.Tx, mac []byte) error {
	_, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended(encode($1::bytea, 'hex'), 0))`, mac)
	return err
}

// AdmitAddress must be called in the transaction that gives a member an address. It
// refuses a banned one, and applies the blocks of members who have blocked the address. The
// returned function publishes the ended matches; the caller calls it after the commit.
//
// Errors: Forbidden with the code address_banned, with a text for the member, who must have
// proved the address.
func (s *Service) AdmitAddress(ctx context.Context, tx pgx.Tx, member uuid.UUID, address string) (publish func(), err error) {
	if err := s.checkBan(ctx, tx, member, address); err != nil {
		return nil, err
	}
	macs := s.addressMACs(blockedAddress, address)
	if err := lockAddress(ctx, tx, macs[0]); err != nil {
		return nil, err
	}
	entries, err := selectAddressBlocksOf(ctx, tx, macs)
	if err != nil {
		return nil, err
	}
	var ended []matching.Ended
	for _, entry := range entries {
		if entry.blocker == member {
			continue // their own former address
		}
		end, err := s.blockByAddress(ctx, tx, entry.blocker, member, entry.id)
		if err != nil {
			return nil, err
		}
		ended = append(ended, end)
	}
	return func() { s.publishEnds(ended) }, nil
}

func (s *Service) publishEnds(ended []matching.Ended) {
	for _, end := range ended {
		s.matching.PublishEnd(end)
	}
}

type ban struct {
	Contact  string `json:"contact"` // the address that answers questions about the ban
	NotOfAge bool   `json:"notOfAge"`
}

var errBanned = fault.DeclareWith[ban]("address_banned", fault.Forbidden,
	"We closed an account with this address for good, so it can't be used for another one. "+
		"If you think we got this wrong, please write to {contact}, and a person will look at it again.")

// checkBan returns Forbidden if the mailbox of the address is that of a ban of another member.
func (s *Service) checkBan(ctx context.Context, tx pgx.Tx, member uuid.UUID, address string) error {
	var banned, notOfAge bool
	err := tx.QueryRow(ctx, `
		SELECT
			count(*) > 0,
			coalesce(bool_or(not_of_age), false)
		FROM bans
		WHERE address_mac = ANY($1)
			AND user_id IS DISTINCT FROM $2
			AND expires_at > now()`, s.addressMACs(bannedAddress, address), member).Scan(&banned, &notOfAge)
	switch {
	case err != nil:
		return err
	case notOfAge:
		return errBanned.With(ban{s.contact, true}).Saying("We closed an account with this address because its member was not of age. " +
			"Once you are 18, you are welcome: please write to {contact} and show us how old you are.")
	case banned:
		return errBanned.With(ban{s.contact, false})
	}
	return nil
}

// RefusesInvitation reports whether member must not invite the mailbox of an address: it is banned, or the member has blocked it.
func (s *Service) RefusesInvitation(ctx context.Context, tx pgx.Tx, member uuid.UUID, address string) (refused bool, err error) {
	err = tx.QueryRow(ctx, `
		SELECT
			EXISTS (SELECT FROM bans WHERE address_mac = ANY($1) AND expires_at > now())
			OR EXISTS (SELECT FROM address_blocks WHERE address_mac = ANY($2) AND blocker_id = $3)`,
		s.addressMACs(bannedAddress, address), s.addressMACs(blockedAddress, address), member).Scan(&refused)
	return refused, err
}

// LiftBan removes the bans of an address, for a former member whose account is deleted, with its
// reason in the audit log, and returns their number. The ban of an existing account stays: an admin
// reinstates the member instead.
func LiftBan(ctx context.Context, tx pgx.Tx, secret []byte, address, reason string) (lifted int, err error) {
	s := &Service{addressKey: deriveAddressKey(secret)}
	tag, err := tx.Exec(ctx, `DELETE FROM bans WHERE address_mac = ANY($1) AND user_id IS NULL`, s.addressMACs(bannedAddress, address))
	if err != nil || tag.RowsAffected() == 0 {
		return 0, err
	}
	return int(tag.RowsAffected()), Audit(ctx, tx, uuid.Nil, "ban.lift", uuid.Nil, reason, map[string]any{"bans": tag.RowsAffected()})
}

// banTime is how long a ban lasts after its beginning.
const banTime = 2 * feature.Year

// syncBan stores a ban of a member who is suspended without an end, and deletes the ban of a member who is not. It returns
// the couples that the ban ends. It must run after the change of the status, which it reads under the member's lock.
func (s *Service) syncBan(ctx context.Context, tx pgx.Tx, member uuid.UUID, notOfAge bool) ([]matching.EndedCouple, error) {
	standing, err := members.LockStanding(ctx, tx, member)
	if err != nil {
		return nil, err
	}
	if !standing.Is("suspended", nil) {
		_, err := tx.Exec(ctx, `DELETE FROM bans WHERE user_id = $1`, member)
		return nil, err
	}
	couples, err := matching.EndCouplesOf(ctx, tx, member)
	if err != nil {
		return nil, err
	}
	return couples, s.storeBan(ctx, tx, member, notOfAge)
}

// storeBan stores the ban of a member with the HMAC of the address, and enqueues the job that adds the hashes of the photos.
// A second ban of a member who is not of age leaves not_of_age set.
func (s *Service) storeBan(ctx context.Context, tx pgx.Tx, member uuid.UUID, notOfAge bool) error {
	mailbox, err := members.MailboxOf(ctx, tx, member)
	if err != nil {
		return err
	}
	var id uuid.UUID
	err = tx.QueryRow(ctx, `
		INSERT INTO bans AS b (id, user_id, address_mac, not_of_age, expires_at)
		VALUES ($1, $2, $3, $4, now() + $5::interval)
		ON CONFLICT (user_id) DO UPDATE SET not_of_age = b.not_of_age OR excluded.not_of_age
		RETURNING id`, uuid.New(), member, s.addressMAC(bannedAddress, mailbox), notOfAge, banTime).Scan(&id)
	if err != nil {
		return err
	}
	_, err = s.jobs.InsertTx(ctx, tx, BanPhotosArgs{BanID: id}, nil)
	return err
}

// memberOfBan returns the member of a ban, or pgx.ErrNoRows for a ban that was taken back and for a deleted account.
func memberOfBan(ctx context.Context, db pg.DB, ban uuid.UUID) (member uuid.UUID, err error) {
	err = db.QueryRow(ctx, `SELECT user_id FROM bans WHERE id = $1 AND user_id IS NOT NULL`, ban).Scan(&member)
	return member, err
}
