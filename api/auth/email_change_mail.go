package auth

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

// addEmailNotice stores a notice about the member's change in tx and enqueues its mail. It
// does not depend on the session that asked, which may have ended.
func (s *Service) addEmailNotice(ctx context.Context, tx pgx.Tx, kind string, member uuid.UUID) error {
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	if err := insertEmailNotice(ctx, tx, id, kind, member, hashOf(s.noticeToken(id))); err != nil {
		return err
	}
	return s.enqueueNotice(ctx, tx, id)
}

// emailCode returns the eight digits that one of the addresses of a change gets. They are
// derived from the change and the server's key, and not stored.
func (s *Service) emailCode(change uuid.UUID, address string) string {
	return digitsOf(s.mac("change of an address\x00" + change.String() + "\x00" + address))
}

// SendEmailCode mails the code to the new address of a change. It does nothing for a change
// that was stopped. Delivery is at least once, with the same Message-ID.
func (s *Service) SendEmailCode(ctx context.Context, args EmailCodeArgs) error {
	member, err := memberOfEmailChange(ctx, s.pool, args.ChangeID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	change, err := selectEmailChange(ctx, s.pool, member)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && change.ID != args.ChangeID {
		return nil
	}
	if err != nil {
		return err
	}
	to, err := members.ReaderOf(ctx, s.pool, member)
	if err != nil {
		return pg.Fault(err)
	}
	return mail.Send(ctx, s.mail, emailCodeLetter(to, change, s.emailCode(change.ID, newAddress)))
}

// SendEmailChanged mails the earlier address that the account has another one, with a link that
// undoes the change if it was confirmed in this mailbox.
func (s *Service) SendEmailChanged(ctx context.Context, args EmailChangedArgs) error {
	link := ""
	if args.CanUndo {
		link = s.config.Site + noticePath + s.undoToken(args.ChangeID)
	}
	return mail.Send(ctx, s.mail, emailChangedLetter(args, link))
}
