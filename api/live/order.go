package live

import (
	"github.com/google/uuid"

	"heartward/api/platform/fault"
)

// maxUnsent limits the memory of a socket whose messages are refused.
const maxUnsent = 256

// unsent has the first message to each recipient that a socket refused for now, and that the
// client has not sent again. Later messages to the recipient are refused until then: otherwise
// those in flight would be stored before it.
type unsent map[uuid.UUID]uuid.UUID

// check returns an error if another message to the recipient must be sent first.
func (u unsent) check(recipient, clientID uuid.UUID) error {
	if first, waits := u[recipient]; waits && first != clientID {
		return fault.New(fault.Unavailable, "Please send the message before this one again first.")
	}
	return nil
}

// record stores the outcome of a message that check permitted. It returns false if too many
// recipients wait.
func (u unsent) record(recipient, clientID uuid.UUID, err error) bool {
	if err == nil || !isTemporary(err) {
		delete(u, recipient)
		return true
	}
	u[recipient] = clientID
	return len(u) <= maxUnsent
}

// isTemporary reports whether the same message may be accepted later.
func isTemporary(err error) bool {
	switch fault.From(err).Kind {
	case fault.Unavailable, fault.RateLimited, fault.Internal:
		return true
	default:
		return false
	}
}
