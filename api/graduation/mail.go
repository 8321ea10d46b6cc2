package graduation

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/members"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

// MailArgs are the arguments of the job that mails a request to the partner.
type MailArgs struct {
	CoupleID uuid.UUID `json:"coupleId" river:"unique"`
}

// Kind returns the name of the job in River.
func (MailArgs) Kind() string { return "graduation_mail" }

// InsertOpts allow one job for each request.
func (MailArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// SendRequest mails a request to graduate to the partner, at the address of their account. It does
// nothing when the request does not wait any more, one of the two is not active, the partner does not
// want mails about graduations, or the same member has asked the same partner within a day before. It
// may send the same mail twice.
func SendRequest(ctx context.Context, db pg.DB, sender mail.Sender, site string, args MailArgs) error {
	var partner uuid.UUID
	var asker string
	err := db.QueryRow(ctx, `
		SELECT
			two.id,
			one.first_name
		FROM graduated_couples c
		JOIN profiles one ON one.id = c.user_one_id AND one.profile_status = 'active'
		JOIN profiles two ON two.id = c.user_two_id AND two.profile_status = 'active'
		WHERE c.id = $1
			AND c.status = 'asked'
			AND two.id NOT IN (SELECT user_id FROM members_without_graduation_mails)
			AND NOT EXISTS (
				SELECT
				FROM graduated_couples earlier
				WHERE earlier.user_one_id = c.user_one_id
					AND earlier.user_two_id = c.user_two_id
					AND earlier.id <> c.id
					AND earlier.requested_at BETWEEN c.requested_at - interval '1 day' AND c.requested_at)`, args.CoupleID).Scan(&partner, &asker)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return pg.Fault(err)
	}
	return members.SendMail(ctx, db, sender, partner, func(mail.Reader) mail.Letter {
		unsubscribe := mail.UnsubscribeLink(site, mail.Subscription{Member: partner, Kind: mail.Graduations})
		return requestLetter("graduation-"+args.CoupleID.String(), site, asker, unsubscribe)
	})
}

// requestLetter returns the letter to the partner. It has first names only, like the digest: others may read it on the device.
func requestLetter(id, site, asker, unsubscribe string) mail.Letter {
	return mail.Letter{
		Template: "graduation.request", Kind: mail.Graduations, ID: id,
		Subject: asker + " wants to graduate with you", PrivateSubject: "Someone wants to graduate with you",
		Blocks: []mail.Block{
			mail.Personal(asker+" would like to graduate with you: to leave dating together.", "Someone would like to graduate with you: to leave dating together."),
			mail.Text("Nothing happens until you answer. You can say yes or \"not now\"."),
			mail.Action("See the request", site+"/graduation"),
		},
		Footer: []mail.Block{
			mail.Text("You get this email because you want to hear about graduations."),
			mail.Action("Turn these emails off", unsubscribe),
			mail.Action("Your email settings", site+"/settings?tab=notifications#email"),
		},
		Unsubscribe: unsubscribe,
	}
}
