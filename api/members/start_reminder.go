package members

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

// StartReminderAfter is the time from a sign-up to the reminder of the guided first run. A day keeps the hour at which
// the member had time for it.
const StartReminderAfter = 24 * time.Hour

// StartReminderArgs are the arguments of the job that reminds a new member once of the guided first run.
type StartReminderArgs struct {
	MemberID uuid.UUID `json:"memberId" river:"unique"`
}

// Kind returns the name of the job in River.
func (StartReminderArgs) Kind() string { return "remind_start" }

// InsertOpts allow one job for each member.
func (StartReminderArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// SendStartReminder mails a member who has stopped half-way. It does nothing when the first run is over, when the profile
// has a photo and an answer without it, for a member who is deleted or not active, and for one who wants no such mail.
// The id of the mail makes a repetition harmless.
func SendStartReminder(ctx context.Context, db pg.DB, sender mail.Sender, site string, args StartReminderArgs) error {
	var step string
	err := db.QueryRow(ctx, `
		SELECT u.start_step
		FROM users u
		WHERE u.id = @member
			AND u.start_step IS NOT NULL
			AND u.welcomed_at IS NULL
			AND u.profile_status = 'active'
			AND NOT (
				u.start_step NOT IN ('gender', 'seek')
				AND EXISTS (SELECT FROM member_media m WHERE m.user_id = u.id AND m.slot = 'photo')
				AND EXISTS (SELECT FROM member_prompts p WHERE p.user_id = u.id))
			AND u.id NOT IN (SELECT user_id FROM members_without_start_reminders)`,
		pgx.NamedArgs{"member": args.MemberID}).Scan(&step)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return pg.Fault(err)
	}
	return SendMail(ctx, db, sender, args.MemberID, func(mail.Reader) mail.Letter { return startLetter(site, args.MemberID) })
}

func startLetter(site string, member uuid.UUID) mail.Letter {
	unsubscribe := mail.UnsubscribeLink(site, mail.Subscription{Member: member, Kind: mail.Reminders})
	return mail.Letter{
		Template: "members.start", Kind: mail.Reminders, ID: "start-" + member.String(),
		Subject: "Your profile is waiting for you",
		Blocks: []mail.Block{
			mail.Text("You began your profile and stopped half-way. That's fine: everything you entered is saved."),
			mail.Text("Only a few short questions are left. People look first at profiles with a photo and a few words."),
			mail.Action("Continue your profile", site+"/start"),
		},
		Footer: []mail.Block{
			mail.Text("This is the only reminder we'll send you."),
			mail.Action("Turn it off anyway", unsubscribe),
		},
		Unsubscribe: unsubscribe,
	}
}
