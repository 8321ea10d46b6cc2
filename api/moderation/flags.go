package moderation

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/auth"
	"heartward/api/members"
	"heartward/api/messaging/guard"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
	"heartward/api/queue"
)

// QueuedFlag is a flagged message in the queue of the admins, without its contents. It has no
// consequence for its sender until an admin decides.
type QueuedFlag struct {
	ID         uuid.UUID         `json:"id" doc:"The id of the message"`
	Category   *string           `json:"category" nullable:"true" enum:"harassment,sexual_pressure,money,off_platform,spam" doc:"Null if only the recipient flagged it"`
	Score      *float64          `json:"score" nullable:"true" minimum:"0" maximum:"1" doc:"The confidence of the filter"`
	Source     string            `json:"source" enum:"filter,receiver,external"`
	Answer     *string           `json:"answer" nullable:"true" enum:"fine,bothers" doc:"The recipient's answer"`
	AnsweredAt *time.Time        `json:"answeredAt" nullable:"true"`
	CreatedAt  time.Time         `json:"createdAt"`
	Sender     *members.UserCard `json:"sender" doc:"Name, age and town; null if the account was deleted"`
	Receiver   *members.UserCard `json:"receiver" doc:"Name, age and town; null if the account was deleted"`
	OtherFlags int               `json:"otherFlags" doc:"The number of other messages of the sender flagged within 90 days"`

	senderID, receiverID *uuid.UUID
	rank                 int16
	content              string
}

// Flag is a flagged message with its contents and context.
type Flag struct {
	QueuedFlag
	Content string        `json:"content" doc:"The original text"`
	Files   []FlaggedFile `json:"files" doc:"The original files, even if the message was deleted"`
	Context []MessageCopy `json:"context" doc:"The message with up to three messages before and after it, if they exist"`
}

// flagCursor is the sort key of a flag in the queue.
type flagCursor struct {
	Rank int16     `json:"r"`
	At   time.Time `json:"t"`
	ID   uuid.UUID `json:"i"`
}

// aroundFlag is the number of messages shown before and after a flagged one.
const aroundFlag = 3

// Flags returns a page of open flags and the cursor of the next page. Flags of recipients
// are first; the others are sorted by category, then the oldest first. It omits those on which
// the admin may not decide. It returns Invalid for an invalid cursor.
func (s *Service) Flags(ctx context.Context, admin uuid.UUID, cursor string, limit int) ([]QueuedFlag, string, error) {
	list := web.List{Name: "flags", Member: admin}
	after := flagCursor{Rank: -1}
	if err := web.DecodeCursor(list, cursor, &after); err != nil {
		return nil, "", err
	}
	rows, err := selectFlags(ctx, s.pool, admin, after, limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	rows, next := web.Paginate(list, rows, limit, func(f QueuedFlag) flagCursor { return flagCursor{f.rank, f.CreatedAt, f.ID} })
	return rows, next, completeFlags(ctx, s.pool, rows)
}

// OpenFlag returns an open flag with its contents for an admin, and records the access with
// its reason in the audit log. It returns NotFound for an unknown or closed flag and for one
// on which the admin may not decide, Conflict while another moderator has it open, and Invalid without a reason.
func (s *Service) OpenFlag(ctx context.Context, admin, id uuid.UUID, reason string) (Flag, error) {
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (Flag, error) {
		queued, err := selectOpenFlag(ctx, tx, admin, id)
		if err != nil {
			return Flag{}, err
		}
		if err := queue.Open(ctx, tx, admin, queue.Flag, id); err != nil {
			return Flag{}, err
		}
		list := []QueuedFlag{queued}
		if err := completeFlags(ctx, tx, list); err != nil {
			return Flag{}, err
		}
		flag := Flag{QueuedFlag: list[0], Content: queued.content}
		messages, err := selectContext(ctx, tx, id)
		if err != nil {
			return flag, err
		}
		files, err := selectFlagFiles(ctx, tx, id)
		if err != nil {
			return flag, err
		}
		flag.Context, flag.Files = append([]MessageCopy{}, messages...), append([]FlaggedFile{}, files...)
		return flag, Audit(ctx, tx, admin, "flag.open", orNil(queued.senderID), reason, map[string]any{"message": id})
	})
}

// completeFlags adds the members' cards and the filter's score to each flag, with a constant
// number of queries.
func completeFlags(ctx context.Context, db pg.DB, rows []QueuedFlag) error {
	var ids []uuid.UUID
	for _, f := range rows {
		ids = append(ids, orNil(f.senderID), orNil(f.receiverID))
	}
	cards, err := members.QueueCards(ctx, db, ids)
	if err != nil {
		return err
	}
	for i := range rows {
		f := &rows[i]
		f.Sender, f.Receiver = cardOf(cards, f.senderID), cardOf(cards, f.receiverID)
		if f.Score == nil && f.Source == "filter" {
			f.Score = new(guard.Classify(f.content).Score)
		}
		f.CreatedAt = web.Time(f.CreatedAt)
		f.AnsweredAt = timeOf(f.AnsweredAt)
	}
	return nil
}

// cardOf returns the card of a member, or nil if the account was deleted.
func cardOf(cards map[uuid.UUID]members.UserCard, id *uuid.UUID) *members.UserCard {
	card, ok := cards[orNil(id)]
	if !ok {
		return nil
	}
	return &card
}

// checkFlag is check for a decision on a flag, whose actions are Dismiss, Warn, Suspend and Ban.
func (d Decision) checkFlag() (Decision, error) {
	if d.Action == Dismiss {
		return Decision{Action: Dismiss, Reason: d.Reason, OpenedOnly: d.OpenedOnly}, nil
	}
	if len(d.Parts) > 0 {
		return d, errPartsAlone
	}
	return d.check()
}

// DecideFlag closes a flag with an admin's decision, and records it with its reason
// in the audit log. The decision takes effect at once, also on open sockets, and the same transaction
// enqueues a mail to the sender about a consequence. Repeating a decision changes nothing.
//
// Errors:
//   - Invalid with the field for an invalid decision, and without a reason.
//   - NotFound for an unknown flag.
//   - Conflict if it was decided differently, also with another end or explanation; if the sender's account is deleted, for any
//     decision but Dismiss; and with OpenedOnly.
//   - Forbidden for the admin's own conversations and, while another admin can decide, those of a match of the admin; for the
//     suspension of an admin or a moderator; and for a decision that ByModerator does not allow.
func (s *Service) DecideFlag(ctx context.Context, admin, id uuid.UUID, in Decision) error {
	in, err := in.checkFlag()
	if err != nil {
		return err
	}
	effect, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (decisionEffect, error) { return s.decideFlag(ctx, tx, admin, id, in) })
	if err != nil {
		return err
	}
	auth.PublishEnded(s.events, effect.ended...)
	s.matching.PublishEndedCouples(effect.couples...)
	if effect.statusChanged {
		s.notifyStatusChange(ctx, effect.member)
	}
	s.notifyDecision(effect.notified...)
	return nil
}

// decideFlag runs in the transaction of DecideFlag.
func (s *Service) decideFlag(ctx context.Context, tx pgx.Tx, admin, id uuid.UUID, in Decision) (effect decisionEffect, err error) {
	f, err := selectFlagState(ctx, tx, id)
	if err != nil {
		return effect, err
	}
	effect.member = orNil(f.SenderID)
	if effect.member == admin || orNil(f.ReceiverID) == admin {
		return effect, errForAnotherAdmin
	}
	if err := checkImpartial(ctx, tx, admin, f.SenderID, f.ReceiverID); err != nil {
		return effect, err
	}
	switch {
	case f.isDecidedAs(in): // only those who may see the case learn of the decision
		return effect, nil
	case f.Decision != nil:
		return effect, queue.ErrDecided(ctx, tx, f.ReviewedBy, queue.Decision(*f.Decision))
	case in.Action != Dismiss && f.SenderID == nil:
		return effect, errAccountGone
	}
	if err := RequireOpened(ctx, tx, in.OpenedOnly, admin, "flag.open", "message", id); err != nil {
		return effect, err
	}
	if err := in.checkEnd(time.Now()); err != nil {
		return effect, err
	}
	if err := in.checkModerator(ctx, tx, effect.member); err != nil {
		return effect, err
	}
	if in.Action != Dismiss {
		if err := s.sanctionSender(ctx, tx, admin, id, f, in, &effect); err != nil {
			return effect, err
		}
	}
	if err := closeFlag(ctx, tx, id, admin, in.Action, f); err != nil {
		return effect, err
	}
	if err := queue.Close(ctx, tx, queue.Flag, id); err != nil {
		return effect, err
	}
	detail := map[string]any{"message": id, "category": f.Category, "source": f.Source, "answer": f.Answer, "suspendedUntil": in.SuspendedUntil}
	return effect, Audit(ctx, tx, admin, "flag."+in.Action, effect.member, in.Reason, detail)
}

// sanctionSender applies a decision to the sender of a flagged message and adds what follows to effect. It must run before
// the flag is locked, because a suspension locks conversations, and storing a message locks the conversation
// before the flag.
func (s *Service) sanctionSender(ctx context.Context, tx pgx.Tx, admin, message uuid.UUID, f flagState, in Decision, effect *decisionEffect) (err error) {
	member := effect.member
	if in.Action != Warn {
		if effect.ended, err = s.suspend(ctx, tx, member, in.SuspendedUntil); err != nil {
			return err
		}
		effect.statusChanged = true
	}
	sanction := Sanction{
		ID: uuid.New(), Kind: map[string]SanctionKind{Warn: Warning, Suspend: Suspension, Ban: BanForGood}[in.Action],
		SuspendedUntil: in.SuspendedUntil, Explanation: in.Explanation, MessageID: &message,
		Ground: cmp.Or(in.Ground, f.ground()), FactsFrom: "message", Automation: "none",
	}
	if f.Source != "receiver" {
		sanction.Automation = "found"
	}
	if _, err := insertSanction(ctx, tx, admin, member, sanction); err != nil {
		return err
	}
	if effect.couples, err = s.syncBan(ctx, tx, member, false); err != nil {
		return err
	}
	effect.notified = []uuid.UUID{member}
	_, err = s.jobs.InsertTx(ctx, tx, SanctionArgs{SanctionID: sanction.ID}, nil)
	return err
}
