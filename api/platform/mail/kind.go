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

// IsOptional reports whether the recipient can do without such mails. They are never sent twice, are held back while the
// mailbox is full, and are no longer sent after a complaint.
func (k Kind) IsOptional() bool {
	return k == Digests || k == Graduations || k == Reminders || k == Invitations
}

// IsUrgent reports whether the recipient is waiting for such a mail, or an account may be in danger. The rate limit of the
// recipient's domain does not delay it.
func (k Kind) IsUrgent() bool { return k == Codes || k == Security }

// OfKind returns a sender that gives mails without a kind the kind, and sends them by sender.
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
