package web

import (
	"slices"

	"github.com/google/uuid"

	"heartward/api/platform/fault"
)

type restriction struct {
	Leaving bool `json:"leaving"` // has asked for the deletion of the account
}

var errRestricted = fault.DeclareWith[restriction]("account_restricted", fault.Forbidden,
	"Your account is suspended or under review. Please open Heartward to see why.")

// ErrRestricted returns the error of what is closed to a Restricted actor: Forbidden with the code account_restricted.
func ErrRestricted(actor Actor) *fault.Error {
	e := errRestricted.With(restriction{actor.Leaving})
	if actor.Leaving {
		return e.Saying("You asked us to delete this account. Please open Heartward to keep it.")
	}
	return e
}

// Access is who may call an operation, and what rights a caller has. The session middleware enforces it.
type Access string

// The values of Access, from the fewest rights to the most. A caller may call the operations of its own value and of those before it.
const (
	Anyone  Access = "anyone"  // no session is needed
	Leaving Access = "leaving" // a session, also of a member who has asked for the deletion of the account; 401 without
	Account Access = "account" // a session, also of a suspended member or one under review; 403 with the code account_restricted for a leaving member
	Member  Access = "member"  // a session; 401 without, 403 with the code account_restricted for a restricted member

	// The operations of these two need a recent proof too if they write, unless they have the option Reads.
	Moderator Access = "moderator" // a session of a moderator or an admin; 403 for members
	Admin     Access = "admin"     // a session of an admin; 403 for members and moderators
)

// accesses lists the values of Access as above.
var accesses = []Access{Anyone, Leaving, Account, Member, Moderator, Admin}

// Allows reports whether a caller with these rights may call an operation with the access a. It returns false if a is none
// of the values above.
func (a Access) Allows(rights Access) bool {
	return slices.Contains(accesses, a) && slices.Index(accesses, rights) >= slices.Index(accesses, a)
}

// NeedsProof reports whether operations with this access that write need a recent proof.
func (a Access) NeedsProof() bool { return !a.Allows(Member) }

// Rights returns the rights of the actor; of the zero Actor, Anyone.
func (a Actor) Rights() Access {
	switch {
	case a.ID == uuid.Nil:
		return Anyone
	case a.Leaving:
		return Leaving
	case a.Admin:
		return Admin
	case a.Moderator:
		return Moderator
	case a.Restricted:
		return Account
	default:
		return Member
	}
}
