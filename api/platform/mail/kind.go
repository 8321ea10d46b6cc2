package mail

import "context"

// Kind is a group of mails. Members turn off some of them, and a mailbox provider reports complaints by kind.
type Kind string

// The kinds of mails.
const (
	Codes       Kind = "code"       // sign-in codes and codes that confirm an address
	Security    Kind = "security"   // notices about the access to an account
	Account     Kind = "account"    // what the member asked for: export, deletion, and decisions about their profile
	Decisions   Kind = "decision"   // of moderators
	Staff       Kind = "staff"      // for admins and moderators
	Digests     Kind = "digest"     // the weekly digest, which members can turn off
	Graduations Kind = "graduation" // requests to graduate, which members can turn off
	Reminders   Kind = "reminder"   // the one reminder of the guided first run, which members can turn off
	Invitations Kind = "invitation" // to people without an account
)

// IsOptional reports whether a person can do without such mails: they are never sent twice, wait while a mailbox
// is full, and end after a complaint.
func (k Kind) IsOptional() bool {
	return k == Digests || k == Graduations || k == Reminders || k == Invitations
}

// IsUrgent reports whether somebody waits for such a mail, or an account may be in danger. It does not wait for the rate of
// its domain.
func (k Kind) IsUrgent() bool { return k == Codes || k == Security }

// OfKind returns a sender that sends mails without a kind as those of kind.
func OfKind(kind Kind, sender Sender) Sender { return ofKind{kind, sender} }

type ofKind struct {
	kind   Kind
	sender Sender
}

// Send sends the mail.
func (s ofKind) Send(ctx context.Context, m Message) error {
	if m.Kind == "" {
		m.Kind = s.kind
	}
	return s.sender.Send(ctx, m)
}
