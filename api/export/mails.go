package export

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

// settingsPath is the page of the app with the download.
const settingsPath = "/profile?tab=settings"

// SendReady mails the member that the archive is ready. site is the public URL. It does
// nothing if the archive was fetched, replaced or deleted. Delivery is at least once, with
// the same Message-ID.
func SendReady(ctx context.Context, db pg.DB, sender mail.Sender, site string, args ReadyArgs) error {
	until, err := selectReadyUntil(ctx, db, args.ExportID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return pg.Fault(err)
	}
	return members.SendMail(ctx, db, sender, args.MemberID, func(to mail.Reader) mail.Letter {
		return readyLetter(to, "export-"+args.ExportID.String(), site, until)
	})
}

func readyLetter(to mail.Reader, id, site string, until time.Time) mail.Letter {
	return mail.Letter{
		Template: "export.ready", Kind: mail.Account, ID: id, Subject: "Your Heartward data is ready",
		Blocks: []mail.Block{
			mail.Text("The file with your Heartward data is ready. You can download it once, until " + to.Time(until) + "."),
			mail.Action("Open your settings", site+settingsPath),
			mail.Text("Please open the page on a device that only you use, and sign in."),
			mail.Text("If it wasn't you who asked for this, someone may be using your account: open your settings, sign out all other devices, and set a new password."),
		},
	}
}
