package auth

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"runtime"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"
	"golang.org/x/sync/semaphore"
	"golang.org/x/text/unicode/norm"

	"heartward/api/platform/fault"
)

// cost is what a password's hash takes at least; hashes made with less are made
// anew at the next sign-in.
var cost = &argon2id.Params{Memory: 19456, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// hashing bounds how many hashes are computed at once: each takes a core and
// 19 MiB.
var hashing = semaphore.NewWeighted(int64(runtime.GOMAXPROCS(0)))

// nobody is the hash that a password for an unknown address is compared with,
// so that the answer takes as long as for a known one.
var nobody = sync.OnceValues(func() (string, error) { return argon2id.CreateHash(newSecret(), cost) })

func hashPassword(ctx context.Context, password string) (string, error) {
	if err := hashing.Acquire(ctx, 1); err != nil {
		return "", busy(err)
	}
	defer hashing.Release(1)
	return argon2id.CreateHash(norm.NFKC.String(password), cost)
}

// verifyPassword compares with hash, or with nobody's when hash is nil; then
// the result is always false. weak says that the hash should be made anew.
func (s *Service) verifyPassword(ctx context.Context, password string, hash *string) (right, weak bool, err error) {
	if err := hashing.Acquire(ctx, 1); err != nil {
		return false, false, busy(err)
	}
	defer hashing.Release(1)
	against, err := nobody()
	if err != nil {
		return false, false, err
	}
	if hash != nil {
		against = *hash
	}
	right, made, err := s.checkHash(norm.NFKC.String(password), against)
	if err != nil {
		return false, false, err
	}
	weak = made.Memory < cost.Memory || made.Iterations < cost.Iterations
	return right && hash != nil, weak, nil
}

func busy(cause error) error {
	return fault.Wrap(fault.Unavailable, "We are busy right now. Please try again in a moment.", cause)
}

//go:embed common-passwords.txt.gz
var commonPasswordsGz []byte

// commonPasswords are those of the 10,000 most common that are long enough.
var commonPasswords = sync.OnceValue(func() map[string]bool {
	unpacked, err := gzip.NewReader(bytes.NewReader(commonPasswordsGz))
	if err != nil {
		panic(err) // it is part of the program
	}
	common := make(map[string]bool, 4000)
	for lines := bufio.NewScanner(unpacked); lines.Scan(); {
		common[lines.Text()] = true
	}
	return common
})

func checkNewPassword(password string) error {
	switch length := utf8.RuneCountInString(password); {
	case length < 8:
		return fault.InvalidField("password", "Please use at least 8 characters.")
	case length > 200:
		return fault.InvalidField("password", "Please use at most 200 characters.")
	case commonPasswords()[strings.ToLower(norm.NFKC.String(password))]:
		return fault.InvalidField("password", "This is one of the most common passwords and easy to guess. Please choose another.")
	}
	return nil
}
