package moderation

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Standing is the status of the member's account, with the suspension or review that a restricted member sees.
type Standing struct {
	Status      string       `json:"status" enum:"active,suspended,under_review"`
	UnderReport bool         `json:"underReport" doc:"The profile is under review because of an urgent report, on which no admin has decided yet"`
	HiddenUntil *time.Time   `json:"hiddenUntil" nullable:"true" doc:"When the profile under report is shown again if nobody decides; null until the decision"`
	AgeAsked    bool         `json:"ageAsked" doc:"A moderator asked the member under report to show the age"`
	Statement   *Statement   `json:"statement" doc:"What the member under report wrote for the moderator; null without it"`
	Sanction    *OwnSanction `json:"sanction" doc:"The decision that has an effect now; null without one"`
	Appeal      *OwnAppeal   `json:"appeal" doc:"The appeal against the sanction; null without one"`
	Contact     string       `json:"contact" doc:"The mail address of the moderators"`
}

// OwnSanction is a sanction as its member sees it, without the admin and the report.
type OwnSanction struct {
	ID             uuid.UUID    `json:"id"`
	Kind           SanctionKind `json:"kind" enum:"warning,removal,suspension,ban,review,reinstatement,reversal"`
	SuspendedUntil *time.Time   `json:"suspendedUntil" nullable:"true" doc:"Of a suspension"`
	Explanation    string       `json:"explanation" doc:"What the moderator wrote; may be empty"`
	CreatedAt      time.Time    `json:"createdAt"`
	DeletesAt      *time.Time   `json:"deletesAt" nullable:"true" doc:"When the account is deleted because the member is not of age, unless an appeal shows the age; null for another decision"`
	Reasons        *Reasons     `json:"reasons" doc:"The statement of reasons; null for a decision that restricts nothing and is no warning"`
	Parts          []string     `json:"parts" doc:"The names of the parts of the profile that it removed, also beside a warning, suspension or ban"`
	ReversedAt     *time.Time   `json:"reversedAt" nullable:"true" doc:"When a later decision took this one back; null while it stands"`
	ReversedBy     *uuid.UUID   `json:"reversedBy" nullable:"true" doc:"That decision"`
}

// ownSanction returns a sanction as its member sees it.
func ownSanction(s Sanction) OwnSanction {
	return OwnSanction{
		ID: s.ID, Kind: s.Kind, SuspendedUntil: timeOf(s.SuspendedUntil), Explanation: s.Explanation, CreatedAt: web.Time(s.CreatedAt),
		DeletesAt: timeOf(s.DeletesAt), Reasons: s.reasons(), Parts: append([]string{}, s.Parts...),
	}
}

// OwnAppeal is an appeal as its member sees it.
type OwnAppeal struct {
	CreatedAt   time.Time  `json:"createdAt"`
	Outcome     *string    `json:"outcome" nullable:"true" enum:"upheld,lifted" doc:"Null while it is pending"`
	Explanation string     `json:"explanation" doc:"Of the decision"`
	DecidedAt   *time.Time `json:"decidedAt" nullable:"true"`
	// True only if no admin could decide who was less involved.
	SameModerator bool `json:"sameModerator" doc:"Whether the moderator who made the first decision made this one too"`
}

// ContactAt sets the mail address that members are told to write to, and who runs the site. It must be
// called before the service is used.
func (s *Service) ContactAt(address, imprint string) { s.contact, s.imprint = address, imprint }

// SiteAt sets the public address of the app, for the previews of mails. It must be called before the service is used.
func (s *Service) SiteAt(address string) { s.site = strings.TrimSuffix(address, "/") }

func (s *Service) office() Office { return Office{Site: s.site, Contact: s.contact} }

// Standing returns the status of the actor with the sanction that has an effect now.
func (s *Service) Standing(ctx context.Context, actor web.Actor) (Standing, error) {
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (Standing, error) {
		standing := Standing{Contact: s.contact}
		now, err := members.LockStanding(ctx, tx, actor.ID)
		if err != nil {
			return standing, err
		}
		standing.Status = now.Status
		standing.UnderReport = now.Status == "under_review" && now.UnderReport
		if standing.UnderReport {
			return standing, addHiding(ctx, tx, actor.ID, &standing)
		}
		if now.Status == "active" {
			return standing, nil
		}
		found, err := selectInForce(ctx, tx, actor.ID, now.Status)
		if err != nil || found == nil {
			return standing, err
		}
		standing.Sanction = new(ownSanction(*found))
		appeals, err := selectOwnAppeals(ctx, tx, found.ID)
		standing.Appeal = appeals[found.ID]
		return standing, err
	})
}

// addHiding sets HiddenUntil, AgeAsked and Statement for a member under report.
func addHiding(ctx context.Context, tx pgx.Tx, member uuid.UUID, standing *Standing) (err error) {
	if standing.Statement, err = selectStatement(ctx, tx, member); err != nil {
		return err
	}
	// No end if one of the reports hides the member until its decision.
	err = tx.QueryRow(ctx, `
		SELECT
			CASE WHEN count(hides_until) = count(*) THEN max(hides_until) END,
			coalesce(bool_or(age_asked_at IS NOT NULL), false)
		FROM reports
		WHERE reported_user_id = $1
			AND status = 'pending'
			AND hides_profile`, member).Scan(&standing.HiddenUntil, &standing.AgeAsked)
	standing.HiddenUntil = timeOf(standing.HiddenUntil)
	return err
}
