package moderation

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"heartward/api/members"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// DecisionPreview is what a decision would do, and the mails and notifications that it would send.
type DecisionPreview struct {
	Effects       []string          `json:"effects" doc:"A sentence each"`
	Mails         []PreviewedMail   `json:"mails"`
	Notifications []PreviewedNotice `json:"notifications" doc:"In the app"`
}

// PreviewedMail is a mail without the address of its recipient.
type PreviewedMail struct {
	To      string `json:"to" enum:"member,reporter"`
	Subject string `json:"subject"`
	Text    string `json:"text"`
}

// PreviewedNotice is a notification in the app.
type PreviewedNotice struct {
	To   string `json:"to" enum:"member,reporter"`
	Text string `json:"text"`
}

// PreviewInput is a decision as in the operations of its kind.
type PreviewInput struct {
	Kind     string // report, flag, appeal or member
	ID       uuid.UUID
	Decision string // of a member: warn, suspend, ban, review or reinstate
	Details  Decision
}

// previewReason stands for the reason, which only the audit log contains.
const previewReason = "Preview"

// Preview returns what a decision would do. It makes the decision in a transaction that is rolled back, so the texts are exactly
// those that are sent, and the errors are those of the decision.
func (s *Service) Preview(ctx context.Context, moderator web.Actor, in PreviewInput) (p DecisionPreview, err error) {
	jobs := &jobRecorder{}
	dry := s.recordingJobs(jobs)
	in.Details.Action, in.Details.Reason, in.Details.ByModerator = in.Decision, previewReason, !moderator.Admin
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return p, pg.Fault(err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	var since time.Time
	if err := tx.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&since); err != nil {
		return p, pg.Fault(err)
	}
	effect, err := dry.decide(ctx, tx, moderator, in)
	if err != nil {
		return p, pg.Fault(err)
	}
	if p.Effects, err = describeEffects(ctx, tx, effect, since); err != nil {
		return p, err
	}
	if p.Mails, err = jobs.mails(ctx, tx, dry.office()); err != nil {
		return p, err
	}
	p.Notifications, err = s.previewNotices(ctx, tx, effect)
	return p, err
}

// recordingJobs returns a service that records jobs instead of enqueueing them. Its exported methods must not be called: they would
// commit.
func (s *Service) recordingJobs(jobs *jobRecorder) *Service {
	return &Service{
		pool: s.pool, events: s.events, matching: s.matching, blobs: s.blobs, jobs: jobs,
		addressKey: s.addressKey, hashKey: s.hashKey, contact: s.contact, imprint: s.imprint, site: s.site,
	}
}

// previewNotices returns the notifications that the decision in tx added.
func (s *Service) previewNotices(ctx context.Context, tx pgx.Tx, effect decisionEffect) ([]PreviewedNotice, error) {
	list := []PreviewedNotice{}
	if s.notices == nil {
		return list, nil
	}
	var began time.Time // not the time before the decision: some notifications have the time of the transaction
	if err := tx.QueryRow(ctx, `SELECT now()`).Scan(&began); err != nil {
		return nil, pg.Fault(err)
	}
	recipients := append([]uuid.UUID{effect.member}, effect.notified...)
	for i, id := range recipients {
		if id == uuid.Nil || slices.Contains(recipients[:i], id) {
			continue
		}
		texts, err := s.notices(ctx, tx, id, began)
		if err != nil {
			return nil, err
		}
		to := "reporter"
		if id == effect.member {
			to = "member"
		}
		for _, text := range texts {
			list = append(list, PreviewedNotice{To: to, Text: text})
		}
	}
	return list, nil
}

// decide makes a decision of any kind in tx.
func (s *Service) decide(ctx context.Context, tx pgx.Tx, moderator web.Actor, in PreviewInput) (decisionEffect, error) {
	switch in.Kind {
	case "report":
		d, err := in.Details.check()
		if err != nil {
			return decisionEffect{}, err
		}
		return s.decideReport(ctx, tx, moderator.ID, in.ID, d)
	case "flag":
		d, err := in.Details.checkFlag()
		if err != nil {
			return decisionEffect{}, err
		}
		return s.decideFlag(ctx, tx, moderator.ID, in.ID, d)
	case "appeal":
		if !moderator.Admin {
			return decisionEffect{}, errForAdmins
		}
		d, err := AppealDecision{Outcome: in.Decision, Explanation: in.Details.Explanation, Reason: previewReason}.check()
		if err != nil {
			return decisionEffect{}, err
		}
		return s.decideAppeal(ctx, tx, moderator.ID, in.ID, d)
	}
	return s.decideMemberDirectly(ctx, tx, moderator, in)
}

// decideMemberDirectly makes a decision about a member, without a report or flag, in tx.
func (s *Service) decideMemberDirectly(ctx context.Context, tx pgx.Tx, moderator web.Actor, in PreviewInput) (decisionEffect, error) {
	if len(in.Details.Parts) > 0 {
		return decisionEffect{}, errPartsAlone
	}
	if in.Decision == Warn {
		d, err := in.Details.check()
		if err != nil {
			return decisionEffect{}, err
		}
		return decisionEffect{member: in.ID}, s.warn(ctx, tx, moderator.ID, in.ID, uuid.New(), d)
	}
	status := map[string]string{Suspend: "suspended", Ban: "suspended", "review": "under_review", "reinstate": "active"}[in.Decision]
	if status == "" {
		return decisionEffect{}, errNoDecision
	}
	change, err := StatusChange{
		Status: status, SuspendedUntil: in.Details.SuspendedUntil, Explanation: in.Details.Explanation, Reason: previewReason,
		Ground: in.Details.Ground, ByModerator: in.Details.ByModerator,
	}.check(time.Now())
	if err != nil {
		return decisionEffect{}, err
	}
	effect, err := s.setStatus(ctx, tx, moderator.ID, in.ID, change)
	effect.member = in.ID
	return effect, err
}

// describeEffects returns what the decision in tx did, in sentences for moderators. The decision stored its sanctions after
// since.
func describeEffects(ctx context.Context, tx pgx.Tx, effect decisionEffect, since time.Time) ([]string, error) {
	effects := []string{}
	if effect.member == uuid.Nil {
		return effects, nil
	}
	stored, err := selectSanctionsSince(ctx, tx, effect.member, since)
	if err != nil {
		return nil, err
	}
	for _, s := range stored {
		effects = append(effects, s.effects()...)
	}
	standing, err := members.LockStanding(ctx, tx, effect.member)
	if err != nil {
		return nil, err
	}
	if len(effect.restored) > 0 {
		effects = append(effects, "Put back on the profile: "+strings.Join(effect.restored, ", ")+".")
	}
	switch {
	case effect.statusChanged && standing.Status == "active":
		effects = append(effects, "The profile is shown again.")
	case effect.statusChanged && standing.Status == "under_review" && len(stored) == 0:
		effects = append(effects, "The profile stays hidden, because of another report or review.")
	case !effect.statusChanged:
		effects = append(effects, "The status of the account stays as it is.")
	}
	if n := len(effect.ended); n > 0 {
		effects = append(effects, fmt.Sprintf("Signed out at once: %s.", countDevices(n)))
	}
	return effects, nil
}

func countDevices(n int) string {
	if n == 1 {
		return "1 device"
	}
	return fmt.Sprintf("%d devices", n)
}

// effects returns what the sanction does, in the words for moderators.
func (s Sanction) effects() (list []string) {
	switch s.Kind {
	case Warning:
		list = []string{"A warning is stored. " + s.duration()}
	case Suspension:
		list = []string{"The profile is hidden, and the member can only read the decision, appeal, and ask for their data or its deletion. " + s.duration()}
	case BanForGood:
		list = []string{
			"The profile is hidden, and the member can only read the decision, appeal, and ask for their data or its deletion. " + s.duration(),
			"The address can't be used for another account. Photos that look like theirs come to the queue.",
		}
	case Review:
		list = []string{"The profile is hidden, and the member can't write. " + s.duration()}
	case Reversal, Reinstatement:
		return []string{"The decision is taken back by a new one, which names it."}
	}
	if len(s.Parts) > 0 {
		list = append(list, "Nobody sees these parts of the profile from now on: "+s.removed()+".", "How long: "+s.removalDuration())
	}
	return append(list, "The member can appeal once, and gets a notification in the app.")
}

// jobRecorder records the arguments of jobs and enqueues nothing.
type jobRecorder struct{ args []river.JobArgs }

func (r *jobRecorder) InsertTx(_ context.Context, _ pgx.Tx, args river.JobArgs, _ *river.InsertOpts) (*rivertype.JobInsertResult, error) {
	r.args = append(r.args, args)
	return &rivertype.JobInsertResult{Job: &rivertype.JobRow{}}, nil
}

func (r *jobRecorder) InsertManyTx(_ context.Context, _ pgx.Tx, jobs []river.InsertManyParams) ([]*rivertype.JobInsertResult, error) {
	for _, job := range jobs {
		r.args = append(r.args, job.Args)
	}
	return nil, nil
}

// mails returns what the recorded jobs would send.
func (r *jobRecorder) mails(ctx context.Context, tx pgx.Tx, office Office) ([]PreviewedMail, error) {
	list := []PreviewedMail{}
	for _, args := range r.args {
		box, to := &letterBox{}, "member"
		var err error
		switch a := args.(type) {
		case OutcomeArgs:
			if a.ToReporter {
				to = "reporter"
			}
			err = SendOutcome(ctx, tx, box, office, a)
		case SanctionArgs:
			err = SendSanction(ctx, tx, box, office, a)
		case AppealArgs:
			err = SendAppealOutcome(ctx, tx, box, a)
		}
		if err != nil {
			return nil, err
		}
		for _, m := range box.letters {
			list = append(list, PreviewedMail{To: to, Subject: m.Subject, Text: m.Text})
		}
	}
	return list, nil
}

// letterBox is a mail.Sender that collects the mails.
type letterBox struct{ letters []mail.Message }

func (b *letterBox) Send(_ context.Context, m mail.Message) error {
	b.letters = append(b.letters, m)
	return nil
}
