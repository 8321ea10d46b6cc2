package discovery

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/members"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

// CheckWaitsArgs are the arguments of the job that runs CheckWaits. It runs each hour; the first run of a day has
// something to do.
type CheckWaitsArgs struct{}

// Kind returns the name of the job.
func (CheckWaitsArgs) Kind() string { return "check_near_waits" }

// InsertOpts let the next hour repeat a failed job.
func (CheckWaitsArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByPeriod: time.Hour}}
}

// NearNotifyArgs are the arguments of the job that pushes the notice of a wait.
type NearNotifyArgs struct {
	MemberID uuid.UUID `json:"memberId"`
	Day      string    `json:"day"` // YYYY-MM-DD of the snapshot
}

// Kind returns the name of the job.
func (NearNotifyArgs) Kind() string { return "notify_near" }

// InsertOpts make the job unique.
func (NearNotifyArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 8, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// NearMailArgs are the arguments of the job that mails the notice of a wait.
type NearMailArgs NearNotifyArgs

// Kind returns the name of the job.
func (NearMailArgs) Kind() string { return "mail_near" }

// InsertOpts make the job unique.
func (NearMailArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 8, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// SendNearMail mails the notice of a wait. It does nothing when the member has taken the wait back, wants no mail any more or is
// not active. It may send the same mail twice.
func SendNearMail(ctx context.Context, db pg.DB, sender mail.Sender, site string, args NearMailArgs) error {
	var isWanted bool
	err := db.QueryRow(ctx, `
		SELECT n.by_mail AND u.profile_status = 'active'
		FROM near_news n
		JOIN profiles u ON u.id = n.user_id
		WHERE n.user_id = $1`, args.MemberID).Scan(&isWanted)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && !isWanted {
		return nil
	}
	if err != nil {
		return pg.Fault(err)
	}
	return members.SendMail(ctx, db, sender, args.MemberID, func(mail.Reader) mail.Letter { return nearLetter(site, args) })
}

func nearLetter(site string, args NearMailArgs) mail.Letter {
	return mail.Letter{
		Template: "discovery.near", Kind: mail.Account, ID: "near-" + args.Day + "-" + args.MemberID.String(),
		Subject: "More people near you",
		Blocks: []mail.Block{
			mail.Text("You asked us to tell you when more people are near you: at least 20 more people are on Heartward within 50 miles of your town now."),
			mail.Action("Come and look", site),
		},
		Footer: []mail.Block{mail.Text("You asked for this one email. There won't be another, unless you ask again.")},
	}
}
