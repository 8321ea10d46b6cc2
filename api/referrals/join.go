package referrals

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/web"
)

const (
	completeAt     = 80       // percent of a friend's profile
	perNetwork     = 3        // rewarded friends of a referrer who signed up in one network in 30 days
	referralReward = "7 days" // of Premium for both
)

// Join stores the referral of a new member, if code is that of a member's link or of an invitation by
// mail. It must run in the transaction of the sign-up, after its browser is stored. Any other code is
// ignored, because a mistyped link must not prevent a sign-up. A referral is refused if the new member is,
// as far as is known, the referrer or a friend whom the referrer invited before; otherwise the referrer is notified.
func (s *Service) Join(ctx context.Context, tx pgx.Tx, member uuid.UUID, code string) error {
	code = cleanCode(code)
	if code == "" {
		return nil
	}
	network := s.networkMAC(ctx)
	joined, err := joinInvitation(ctx, tx, member, code, network)
	if err == nil && !joined {
		err = joinByLink(ctx, tx, member, code, network)
	}
	if err != nil {
		return err
	}
	referrer, err := selectReferrer(ctx, tx, member)
	if ok, err := found(err); err != nil || !ok {
		return err
	}
	return s.notify(ctx, tx, NotifyArgs{NewsKind: NewsJoined, MemberID: referrer, FriendID: member})
}

// networkMAC returns the HMAC of the client's network, the /24 of an IPv4 or the /48 of an IPv6 address; nil outside of
// a request.
func (s *Service) networkMAC(ctx context.Context) []byte {
	network := web.CoarseClient(ctx)
	if network == "" {
		return nil
	}
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte("network\x00" + network)) // no mailbox contains the zero byte
	return mac.Sum(nil)
}

// cleanCode returns code in the stored form, or "" if it is malformed.
func cleanCode(code string) string {
	code = strings.ToUpper(strings.TrimSpace(code))
	for _, r := range code {
		if (r < 'A' || r > 'Z') && (r < '0' || r > '9') {
			return ""
		}
	}
	return code
}

// Complete rewards the referral of member id when their profile is complete: a week
// of Premium for both members, and the reward of a tier that the referrer reaches. It notifies the referrer, and
// must run in the transaction that changed the profile. It does nothing for a member
// without a referrer and for a referral that was rewarded before. A member whom Join would refuse now, or
// whose mailbox earned a reward before, gets none. A fourth friend of the referrer in one network in 30 days waits: the
// referral stays pending, and is looked at again when the profile changes.
func (s *Service) Complete(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	referral, referrer, refused, err := completeReferral(ctx, tx, id)
	if ok, err := found(err); err != nil || !ok || refused {
		return err
	}
	// The lock makes the later of two concurrent calls count both referrals.
	if err := members.Lock(ctx, tx, referrer); err != nil {
		return err
	}
	waits, err := exceedsNetwork(ctx, tx, referral)
	if err != nil {
		return err
	}
	if waits {
		return setIncomplete(ctx, tx, referral, Pending)
	}
	mailbox, err := members.MailboxOf(ctx, tx, id)
	if err != nil {
		return err
	}
	first, err := insertRewarded(ctx, tx, s.addressMAC(mailbox))
	if err != nil {
		return err
	}
	if !first {
		return setIncomplete(ctx, tx, referral, Refused)
	}
	if err := members.ExtendPremium(ctx, tx, referralReward, id, referrer); err != nil {
		return err
	}
	if err := rewardTiers(ctx, tx, referral, referrer); err != nil {
		return err
	}
	return s.notify(ctx, tx, NotifyArgs{NewsKind: NewsCompleted, MemberID: referrer, FriendID: id})
}

// rewardTiers gives the referrer the rewards of the tiers that a completed referral reaches.
func rewardTiers(ctx context.Context, tx pgx.Tx, referral, referrer uuid.UUID) error {
	completed, err := countCompleted(ctx, tx, referrer)
	if err != nil {
		return err
	}
	level := tierOf(completed).Level
	for _, tier := range tiers[1 : level+1] {
		first, err := insertTier(ctx, tx, referrer, tier.Level)
		if err != nil {
			return err
		}
		if first {
			if err := members.ExtendPremium(ctx, tx, tier.premium, referrer); err != nil {
				return err
			}
		}
	}
	return setRewardTier(ctx, tx, referral, level)
}
