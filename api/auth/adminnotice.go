package auth

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/members"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

// AdminEvent is what happened to the account of an admin or a moderator, about which all other admins are mailed.
type AdminEvent string

// The events.
const (
	AdminSignedIn AdminEvent = "sign_in" // an admin or a moderator signed in in a browser not used before
	AdminGranted  AdminEvent = "granted" // a member became an admin
	AdminRevoked  AdminEvent = "revoked" // an admin or a moderator became a member without rights
	AdminReset    AdminEvent = "reset"   // the second factor of an admin or a moderator was reset

	AdminRecovered AdminEvent = "recovered" // an admin or a moderator used a recovery code

	ModeratorGranted AdminEvent = "moderator_granted" // a member became a moderator
)

// AdminNoticeArgs are the arguments of the job that mails one admin about an event of
// another one.
type AdminNoticeArgs struct {
	RecipientID uuid.UUID  `json:"recipientId"`
	AdminID     uuid.UUID  `json:"adminId"` // the admin of the event
	Event       AdminEvent `json:"event"`
	Device      string     `json:"device,omitempty"` // such as "Safari on iPhone"; for AdminSignedIn and AdminRecovered
	At          time.Time  `json:"at"`
}

// Kind returns the name of the job in River.
func (AdminNoticeArgs) Kind() string { return "admin_notice" }

// noteNewBrowser adds the notice about a sign-in in a browser not used before, and mails the
// other admins if the member is an admin or a moderator.
func (s *Service) noteNewBrowser(ctx context.Context, tx pgx.Tx, browser Browser, found account, session uuid.UUID) error {
	if err := s.addNotice(ctx, tx, noticeSignIn, found.UserID, session); err != nil || !found.IsStaff {
		return err
	}
	return NotifyAdmins(ctx, tx, s.jobs, AdminNoticeArgs{AdminID: found.UserID, Event: AdminSignedIn, Device: deviceAt(browser.UserAgent, browser.Place)})
}

// NotifyAdmins enqueues the mails about an event to all other admins.
func NotifyAdmins(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, event AdminNoticeArgs) error {
	admins, err := members.Admins(ctx, tx)
	if err != nil {
		return err
	}
	event.At = time.Now()
	for _, id := range admins {
		if id == event.AdminID {
			continue
		}
		event.RecipientID = id
		if _, err := jobs.InsertTx(ctx, tx, event, &river.InsertOpts{}); err != nil {
			return err
		}
	}
	return nil
}

// SendAdminNotice sends the mail of a job. It does nothing if the recipient or the admin of the
// event was deleted, or the recipient is no admin any more. Delivery is at least once, with the
// same Message-ID for the same job.
func (s *Service) SendAdminNotice(ctx context.Context, args AdminNoticeArgs, jobID int64) error {
	recipient, err := selectAccountOf(ctx, s.pool, args.RecipientID)
	if err == nil && !recipient.IsAdmin {
		return nil
	}
	var name string // of the admin of the event
	if err == nil {
		name, err = members.FirstName(ctx, s.pool, args.AdminID)
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return pg.Fault(err)
	}
	return members.SendMail(ctx, s.pool, s.mail, args.RecipientID, func(to mail.Reader) mail.Letter {
		l := adminNoticeLetter(to, name, args)
		l.ID = fmt.Sprintf("admin-notice-%d", jobID)
		return l
	})
}

// adminNoticeLetter returns the mail about an event to an admin. It names the other
// admin by first name and id, without the address.
func adminNoticeLetter(to mail.Reader, name string, args AdminNoticeArgs) mail.Letter {
	subject, cause := "An admin signed in in a new browser", "An admin or moderator signed in in a browser that they have not used before:"
	switch args.Event {
	case AdminGranted:
		subject, cause = "A new Heartward admin", "A member was made an admin, on the server's command line:"
	case ModeratorGranted:
		subject, cause = "A new Heartward moderator", "A member was made a moderator, on the server's command line:"
	case AdminRevoked:
		subject, cause = "Someone is no longer a Heartward admin", "The rights of an admin or moderator were removed, on the server's command line:"
	case AdminReset:
		subject, cause = "A second factor was reset", "The passkeys and the authenticator app of an admin or moderator were removed, on the server's command line:"
	case AdminRecovered:
		subject, cause = "An admin used a recovery code", "An admin or moderator used a recovery code instead of a passkey or an authenticator app:"
	case AdminSignedIn:
	}
	facts := []string{to.Time(args.At)}
	if args.Device != "" {
		facts = []string{args.Device, facts[0]}
	}
	member := "member " + args.AdminID.String()
	return mail.Letter{
		Template: "auth.admin_notice", Kind: mail.Staff, Subject: subject,
		Blocks: []mail.Block{
			mail.Text(cause),
			mail.PersonalFacts(append([]string{name + " (" + member + ")"}, facts...), append([]string{member}, facts...)),
			mail.Text("All other admins get this email. If you did not expect it, please ask them, or the people who run this site's server: " +
				"with \"heartward admin revoke\" they can remove an admin's rights at once."),
		},
	}
}
