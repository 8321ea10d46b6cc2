package auth

import (
	"sync/atomic"
	"time"

	"github.com/alexedwards/argon2id"
)

// SetTime stops the clock of authenticator apps at a time.
func (s *Service) SetTime(at time.Time) { s.now = func() time.Time { return at } }

// CountHashChecks counts the password hashes that s verifies from now on, if they have the
// parameters of a new hash.
func (s *Service) CountHashChecks() *atomic.Int32 {
	var checks atomic.Int32
	s.checkHash = func(password, hash string) (bool, *argon2id.Params, error) {
		matches, params, err := argon2id.CheckHash(password, hash)
		if err == nil && params.Memory == hashParams.Memory && params.Iterations == hashParams.Iterations {
			checks.Add(1)
		}
		return matches, params, err
	}
	return &checks
}
