package auth

import (
	"sync/atomic"

	"github.com/alexedwards/argon2id"
)

// CountHashChecks counts the password hashes that s verifies from now on, as
// long as they cost what a new hash costs.
func (s *Service) CountHashChecks() *atomic.Int32 {
	var checks atomic.Int32
	s.checkHash = func(password, hash string) (bool, *argon2id.Params, error) {
		right, made, err := argon2id.CheckHash(password, hash)
		if err == nil && made.Memory == hashParams.Memory && made.Iterations == hashParams.Iterations {
			checks.Add(1)
		}
		return right, made, err
	}
	return &checks
}
