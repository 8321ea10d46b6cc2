package referrals

import (
	"context"
	"errors"
	"log/slog"
	"time"
	"unicode"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/mail"
	"heartward/api/platform/mailaddr"
	"heartward/api/platform/pg"
)

// recordTimeout limits the transaction that undoes the claim of a mail. It runs even if the caller's context ends.
const recordTimeout = 10 * time.Second

// Send mails an invitation. It does nothing for one that was mailed or used, or has expired; while its referrer is not
// shown to others; and for a mailbox that has an account, was invited by any member before, has opted out, was rewarded, or
// is refused by Config.Refuse.
//
// It returns an error only if the job may be retried: the mail server has certainly not accepted the mail, and this is not
// the lastAttempt. A mail that may have been accepted is not sent again, so that an address gets at most one invitation.
func (s *Service) Send(ctx context.Context, args SendArgs, lastAttempt bool) error {
	w, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (waiting, error) { return s.claim(ctx, tx, args) })
	if err != nil || w.email == "" {
		return err
	}
	message, err := mail.Build(s.letter(w))
	if err == nil {
		err = s.mail.Send(ctx, message)
	} else {
		err = &mail.UnsentError{Permanent: true, Cause: err}
	}
	if err == nil {
		return nil
	}
	if unsent, permanent := mail.IsUnsent(err); !unsent || permanent || lastAttempt {
		slog.WarnContext(ctx, "an invitation was not sent", "referral", w.id, "error", err)
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	return errors.Join(err, pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error { return releaseMail(ctx, tx, w.id) }))
}

// claim claims the mail of an invitation and returns the invitation. If the mail is not to be sent, the email of the result
// is empty.
func (s *Service) claim(ctx context.Context, tx pgx.Tx, args SendArgs) (waiting, error) {
	w, err := lockWaiting(ctx, tx, args.ReferralID)
	if ok, err := found(err); err != nil || !ok {
		return waiting{}, err
	}
	refused, err := s.isRefused(ctx, tx, w)
	if err != nil || refused {
		return waiting{}, err
	}
	claimed, err := claimMail(ctx, tx, w)
	if err != nil || !claimed {
		return waiting{}, err
	}
	return w, nil
}

// isRefused reports whether the mailbox has an account, is in invited_addresses under a key that an earlier version of
// package mailaddr made, or is refused by Config.Refuse.
func (s *Service) isRefused(ctx context.Context, tx pgx.Tx, w waiting) (bool, error) {
	if taken, err := members.HasMailbox(ctx, tx, w.email, uuid.Nil); err != nil || taken {
		return true, err
	}
	for _, key := range mailaddr.Of(w.email).Keys()[1:] {
		if known, err := isInvited(ctx, tx, s.addressMAC(key)); err != nil || known {
			return true, err
		}
	}
	for _, refuse := range s.refuse {
		if refused, err := refuse(ctx, tx, w.referrer, w.email); err != nil || refused {
			return true, err
		}
	}
	return false, nil
}

// letter returns the mail of an invitation.
func (s *Service) letter(w waiting) mail.Letter {
	return invitationLetter("invitation-"+w.id.String(), w.email, nameInMail(w.referrersName), s.site+"/?ref="+w.code, s.optOutLink(w.mac))
}

// invitationLetter returns the mail of an invitation by a member called name. The recipient has no settings of mails.
func invitationLetter(id, address, name, link, optOut string) mail.Letter {
	return mail.Letter{
		Template: "referrals.invitation", Kind: mail.Invitations, ID: id, To: mail.Reader{Address: address},
		Subject: name + " invites you to Heartward", Title: name + " invites you", PrivateSubject: "You are invited to Heartward", Greeting: "Hello,",
		Blocks: []mail.Block{
			mail.Personal(name+" thought you might like Heartward, and asked us to send you this invitation.", "A member thought you might like Heartward, and asked us to send you this invitation."),
			mail.Text("Heartward is a free place to meet people who date with intention: no ads, nothing to buy, and messages are free for everyone."),
			mail.Action("Have a look", link),
			mail.Personal("If you join with this link and complete your profile, "+name+" and you both get a week of Premium. It is our thank-you; Premium is not for sale.",
				"If you join with this link and complete your profile, you both get a week of Premium. It is our thank-you; Premium is not for sale."),
			mail.Text("If this is not for you, there is nothing to do. Your address is on no list, we send no reminder, and we write to an address only once."),
		},
		Footer: []mail.Block{
			mail.Personal("You get this email because "+name+" gave us your address for this one invitation. We erase it within 90 days.",
				"You get this email because a member gave us your address for this one invitation. We erase it within 90 days."),
			mail.Action("No more invitations to this address, from anyone", optOut),
		},
		Unsubscribe: optOut,
	}
}

// maxNameInMail is the maximum length of a name in the mail of an invitation, in characters.
const maxNameInMail = 24

// nameInMail returns a first name for the mail to a stranger, or "A friend" for one that is too long or has anything but
// letters, apostrophes and hyphens: otherwise a member could put an address or a message into a mail that we send.
func nameInMail(first string) string {
	const unknown = "A friend"
	runes := []rune(first)
	if len(runes) == 0 || len(runes) > maxNameInMail || !unicode.IsLetter(runes[0]) {
		return unknown
	}
	for _, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\'' && r != '’' && r != '-' {
			return unknown
		}
	}
	return first
}
