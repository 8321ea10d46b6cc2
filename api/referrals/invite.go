package referrals

import (
	"cmp"
	"context"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"log/slog"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/mailaddr"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// invitationCodeLength is longer than that of a member's code, so that the two never coincide.
const invitationCodeLength = 12

// invitationsPerMember limits the invitations by mail of a member.
var invitationsPerMember = limits.Daily{Name: "invitations", Count: 10}

// deriveKey returns the key of the HMACs of addresses from the configured secret.
func deriveKey(secret []byte) []byte {
	key, err := hkdf.Key(sha256.New, secret, nil, "heartward invitations", sha256.Size)
	if err != nil {
		panic(err) // the length is fixed
	}
	return key
}

// addressMAC returns the HMAC of an abuse key.
func (s *Service) addressMAC(abuseKey string) []byte {
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte(abuseKey))
	return mac.Sum(nil)
}

// Invite stores an invitation of member id to an address, and enqueues its mail. A repetition with the
// same clientID returns the first result. The result does not tell whether the address has an account,
// was invited by others or wants no invitations: for such an address, Invite stores the same row, and Send mails nothing.
//
// Errors: NotFound unless id is actor's; Forbidden while the actor's profile is not shown to others; Invalid with the field
// for an invalid address and the actor's own; Conflict if the actor has invited the mailbox before; RateLimited after ten
// in a day, and after Config.PerDay of all members.
func (s *Service) Invite(ctx context.Context, actor web.Actor, id, clientID uuid.UUID, address string) (Referral, error) {
	if err := checkOwn(actor, id); err != nil {
		return Referral{}, err
	}
	checked, err := mailaddr.Parse("email", address)
	if err != nil {
		return Referral{}, err
	}
	referral, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (Referral, error) {
		return s.invite(ctx, tx, newInvitation{referrer: actor.ID, clientID: clientID, address: checked})
	})
	referral.roundTimes()
	return referral, err
}

// errNotShown is the error for a member whose profile waits for a moderator or was declined.
var errNotShown = error(fault.New(fault.Forbidden, "You can invite friends by email as soon as your profile is shown to others."))

// invite runs in the transaction of Invite.
func (s *Service) invite(ctx context.Context, tx pgx.Tx, n newInvitation) (Referral, error) {
	earlier, err := selectInvitation(ctx, tx, n.referrer, n.clientID)
	if !errors.Is(err, pgx.ErrNoRows) {
		return earlier, err
	}
	if shown, err := isShown(ctx, tx, n.referrer); err != nil || !shown {
		return Referral{}, cmp.Or(err, errNotShown)
	}
	if err := s.identify(ctx, tx, &n); err != nil {
		return Referral{}, err
	}
	if err := s.count(ctx, tx, n); err != nil {
		return Referral{}, err
	}
	referral, err := insertInvitation(ctx, tx, n)
	if errors.Is(err, pgx.ErrNoRows) {
		// A concurrent call with the same id came first, or there is an invitation to the mailbox.
		earlier, err := selectInvitation(ctx, tx, n.referrer, n.clientID)
		if errors.Is(err, pgx.ErrNoRows) {
			return Referral{}, fault.New(fault.Conflict, "You have invited this address already. We write to an address only once.")
		}
		return earlier, err
	}
	if err != nil {
		return Referral{}, err
	}
	_, err = s.jobs.InsertTx(ctx, tx, SendArgs{ReferralID: referral.ID}, nil)
	return referral, err
}

// count counts an invitation against the limits of the member and of all members. It returns RateLimited beyond them. It
// counts invitations whose mail will not be sent too, because the limit would otherwise reveal something about addresses.
func (s *Service) count(ctx context.Context, tx pgx.Tx, n newInvitation) error {
	err := invitationsPerMember.AllowOne(ctx, tx, "", n.referrer, n.id, "You have invited ten friends today. Please invite the others tomorrow.")
	if err != nil {
		return err
	}
	// Last before the insert, because concurrent calls of all members wait for the lock of this counter's row.
	err = s.perDay.AllowOne(ctx, tx, "", uuid.Nil, n.id,
		"So many friends were invited today that we can't send more emails. Please try again tomorrow, or share your link.")
	if fault.Is(err, fault.RateLimited) {
		slog.WarnContext(ctx, "the invitations of all members have reached the limit of the day", "limit", s.perDay.Count)
	}
	return err
}

// identify sets the id, the code and the HMAC of an invitation. It returns Invalid for the referrer's own
// mailbox.
func (s *Service) identify(ctx context.Context, tx pgx.Tx, n *newInvitation) error {
	own, err := members.MailboxOf(ctx, tx, n.referrer)
	if err != nil {
		return err
	}
	if n.address.Abuse == own {
		return fault.InvalidField("email", "This is your own address. Please enter a friend's.")
	}
	n.mac, n.code = s.addressMAC(n.address.Abuse), members.ReferralCode(invitationCodeLength)
	n.id, err = uuid.NewV7()
	return err
}
