package live

import (
	"github.com/google/uuid"

	"heartward/api/platform/fault"
)

// maxRetries limits the memory of a socket whose messages are refused.
const maxRetries = 256

// retries has, for each recipient, the client id of the first message that the server refused with a temporary error. The
// client must send it again before others to the recipient, which are refused until then: they may be in flight already, and
// would be stored before it.
type retries map[uuid.UUID]uuid.UUID

// check returns an error if another message to the recipient must be sent first.
func (r retries) check(recipient, clientID uuid.UUID) error {
	if first, ok := r[recipient]; ok && first != clientID {
		return fault.New(fault.Unavailable, "Please send your earlier message again first.")
	}
	return nil
}

// record stores the result of a message that check permitted. It returns false when more than maxRetries recipients have a
// message that must be sent again.
func (r retries) record(recipient, clientID uuid.UUID, err error) bool {
	if err == nil || !isTemporary(err) {
		delete(r, recipient)
		return true
	}
	r[recipient] = clientID
	return len(r) <= maxRetries
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
