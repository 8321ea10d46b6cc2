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
	completeAt     = 80       // the completeness of a friend's profile that completes the referral, in percent
	perNetwork     = 3        // how many friends of a referrer who signed up in one network in 30 days are rewarded
	referralReward = "7 days" // of Premium for both members, as a PostgreSQL interval
)

// Join stores the referral of a new member, if code is that of a member's link or of an invitation by
// mail. Any other code is ignored, because a mistyped link must not prevent a sign-up. Join must run in the transaction of
// the sign-up, after the browser is stored. The referral is refused if the function is_known_person finds that the new
// member is the referrer or a friend whom the referrer invited before; otherwise Join notifies the referrer.
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
	mac.Write([]byte("network\x00" + network)) // differs from every mailbox, which has no zero byte
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

// Complete rewards the referral of member id once their profile is complete: a week of Premium for both members, and the
// rewards of the tiers that the referrer reaches. It notifies the referrer. It must run in the transaction that changed
// the profile.
//
// It does nothing for a member without a referrer, and for a referral that was completed before. It refuses the referral
// without a reward if Join would refuse it now, or if the member's mailbox earned a reward before. Beyond perNetwork
// friends of the referrer in one network, the referral stays pending until the next change of the profile.
func (s *Service) Complete(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	referral, referrer, refused, err := completeReferral(ctx, tx, id)
	if ok, err := found(err); err != nil || !ok || refused {
		return err
	}
	// With the lock, the later of two concurrent calls counts both referrals.
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
