package moderation

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/auth"
	"heartward/api/members"
	"heartward/api/messaging/guard"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Flag is a message that somebody should look at, with as much around it as
// helps to understand it. Nothing happens to anybody before a person decides.
type Flag struct {
	ID         uuid.UUID         `json:"id" doc:"Of the message"`
	Category   *string           `json:"category" nullable:"true" enum:"harassment,sexual_pressure,money,off_platform,spam" doc:"Null when its receiver alone said that it bothers them"`
	Score      *float64          `json:"score" nullable:"true" minimum:"0" maximum:"1" doc:"How sure the filter is"`
	Source     string            `json:"source" enum:"filter,receiver,remote"`
	Answer     *string           `json:"answer" nullable:"true" enum:"fine,bothers" doc:"The receiver's"`
	AnsweredAt *time.Time        `json:"answeredAt" nullable:"true"`
	Content    string            `json:"content" doc:"As it was sent"`
	Files      []KeptFile        `json:"files" doc:"As they were sent, also when the message was taken back"`
	CreatedAt  time.Time         `json:"createdAt"`
	Sender     *members.UserCard `json:"sender" doc:"Null when the account is gone"`
	Receiver   *members.UserCard `json:"receiver" doc:"Null when the account is gone"`
	Earlier    int               `json:"earlier" doc:"How many other messages of the sender were flagged in 90 days"`
	Context    []KeptMessage     `json:"context" doc:"Some messages before and after it, as long as they are there"`

	senderID, receiverID *uuid.UUID
	rank                 int16
}

// flagCursor is the sort key of a flag in the queue.
type flagCursor struct {
	Rank int16     `json:"r"`
	At   time.Time `json:"t"`
	ID   uuid.UUID `json:"i"`
}

// aroundFlag is how many messages before and after a flagged one are shown.
const aroundFlag = 3

// Flags returns a page of what is to be looked at and the cursor of the next:
// first what bothers its receiver, then by what it is about, then the oldest.
// The admin's own conversations are left to other admins.
func (s *Service) Flags(ctx context.Context, admin uuid.UUID, cursor string, limit int) ([]Flag, string, error) {
	after := flagCursor{Rank: -1}
	if err := web.DecodeCursor(cursor, &after); err != nil {
		return nil, "", err
	}
	rows, err := selectFlags(ctx, s.pool, admin, after, limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	rows, next := web.Paginate(rows, limit, func(f Flag) flagCursor { return flagCursor{f.rank, f.CreatedAt, f.ID} })
	return rows, next, s.fillFlags(ctx, rows)
}

// fillFlags adds the members' cards, the filter's score, the messages around
// each flagged one and its files. It takes three queries, however long the page.
func (s *Service) fillFlags(ctx context.Context, rows []Flag) error {
	var ids []uuid.UUID
	for _, f := range rows {
		for _, id := range []*uuid.UUID{f.senderID, f.receiverID} {
			if id != nil {
				ids = append(ids, *id)
			}
		}
	}
	cards, err := members.Cards(ctx, s.pool, ids)
	if err != nil {
		return err
	}
	flags := make([]uuid.UUID, len(rows))
	for i, f := range rows {
		flags[i] = f.ID
	}
	messages, err := selectContext(ctx, s.pool, flags)
	if err != nil {
		return pg.Fault(err)
	}
	files, err := selectFiles(ctx, s.pool, flags)
	if err != nil {
		return pg.Fault(err)
	}
	card := func(id *uuid.UUID) *members.UserCard {
		if id == nil {
			return nil
		}
		card, ok := cards[*id]
		if !ok {
			return nil
		}
		return &card
	}
	for i := range rows {
		f := &rows[i]
		f.Sender, f.Receiver = card(f.senderID), card(f.receiverID)
		if f.Score == nil && f.Source == "filter" {
			f.Score = new(guard.Look(f.Content).Score)
		}
		f.Context = append([]KeptMessage{}, messages[f.ID]...)
		f.Files = append([]KeptFile{}, files[f.ID]...)
		f.CreatedAt = web.Time(f.CreatedAt)
		if f.AnsweredAt != nil {
			f.AnsweredAt = new(web.Time(*f.AnsweredAt))
		}
	}
	return nil
}

// What an admin may decide on a flag.
const (
	Dismiss = "dismiss" // nothing is wrong, or not enough
	Warn    = "warn"    // the sender gets a mail that says what is expected here
	Suspend = "suspend" // the sender's account is suspended
)

// DecideFlag is an admin's word on a flag, for which there must be a reason. It
// is written down with what it was about. Warn enqueues a mail; Suspend takes
// effect at once, on open sockets too. The same decision again changes nothing.
//
// NotFound when there is no such flag, Conflict when it was decided otherwise or
// its sender is gone, Forbidden on one's own messages and another admin's account.
func (s *Service) DecideFlag(ctx context.Context, admin, id uuid.UUID, decision, reason string) error {
	ended, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) ([]uuid.UUID, error) {
		f, err := selectFlag(ctx, tx, id)
		if err != nil {
			return nil, err
		}
		switch {
		case f.decision != nil && *f.decision == decision:
			return nil, nil
		case f.decision != nil:
			return nil, fault.New(fault.Conflict, "This has been decided already.")
		case decision != Dismiss && f.sender == nil:
			return nil, fault.New(fault.Conflict, "This account is gone.")
		case f.sender != nil && *f.sender == admin || f.receiver != nil && *f.receiver == admin:
			return nil, fault.New(fault.Forbidden, "Another admin has to decide on your own conversations.")
		}
		about := uuid.Nil
		if f.sender != nil {
			about = *f.sender
		}
		detail := map[string]any{"message": id, "category": f.category, "source": f.source, "answer": f.answer}
		if err := Audit(ctx, tx, admin, "flag."+decision, about, reason, detail); err != nil {
			return nil, err
		}
		ended, err := s.carryOut(ctx, tx, decision, about)
		if err != nil {
			return nil, err
		}
		return ended, updateDecided(ctx, tx, id, admin, decision, f)
	})
	if err == nil {
		auth.PublishEnded(s.events, ended...)
	}
	return err
}

// carryOut does what was decided, and answers with the sessions that ended by
// it. Suspending comes before the flag is locked:
// it locks conversations, as do messages, which write flags after that.
func (s *Service) carryOut(ctx context.Context, tx pgx.Tx, decision string, member uuid.UUID) (ended []uuid.UUID, err error) {
	switch decision {
	case Warn:
		var id uuid.UUID
		if id, err = uuid.NewV7(); err != nil {
			return nil, err
		}
		_, err = s.jobs.InsertTx(ctx, tx, WarnArgs{MemberID: member, DecisionID: id}, nil)
	case Suspend:
		ended, err = suspend(ctx, tx, member)
	}
	return ended, err
}
