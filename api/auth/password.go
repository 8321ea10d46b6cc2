package auth

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"
	"golang.org/x/sync/semaphore"
	"golang.org/x/text/unicode/norm"

	"heartward/api/platform/fault"
)

// hashParams are the parameters of new hashes. A hash with less memory or fewer
// iterations is replaced at the next sign-in.
var hashParams = &argon2id.Params{Memory: 19456, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// hashSlots limits the hashes that are computed at the same time: each takes a core and
// 19 MiB.
var hashSlots = semaphore.NewWeighted(int64(runtime.GOMAXPROCS(0)))

// dummyHash is compared with the password given for an unknown address, so that
// the response takes as long as for a known one.
var dummyHash = sync.OnceValues(func() (string, error) { return argon2id.CreateHash(newSecret(), hashParams) })

// HashPassword returns the hash of password to be stored. It does not check the
// password; SetPassword does. It returns Unavailable when ctx ends before there is
// a free slot.
func HashPassword(ctx context.Context, password string) (string, error) {
	if err := hashSlots.Acquire(ctx, 1); err != nil {
		return "", busy(err)
	}
	defer hashSlots.Release(1)
	return argon2id.CreateHash(norm.NFKC.String(password), hashParams)
}

// verifyPassword reports whether password matches hash, and whether hash has weaker
// parameters than hashParams. If hash is nil, it compares with dummyHash and returns
// false.
func (s *Service) verifyPassword(ctx context.Context, password string, hash *string) (matches, outdated bool, err error) {
	if err := hashSlots.Acquire(ctx, 1); err != nil {
		return false, false, busy(err)
	}
	defer hashSlots.Release(1)
	storedHash, err := dummyHash()
	if err != nil {
		return false, false, err
	}
	if hash != nil {
		storedHash = *hash
	}
	matches, params, err := s.checkHash(norm.NFKC.String(password), storedHash)
	if err != nil {
		return false, false, err
	}
	outdated = params.Memory < hashParams.Memory || params.Iterations < hashParams.Iterations
	return matches && hash != nil, outdated, nil
}

func busy(cause error) error {
	return fault.Wrap(fault.Unavailable, "We are busy right now. Please try again in a moment.", cause)
}

//go:embed common-passwords.txt.gz
var commonPasswordsGz []byte

// commonPasswords returns those of the 100,000 most common passwords of breaches that have
// at least 8 characters, in lower case. They are from the 10-million-password-list of
// SecLists (MIT).
var commonPasswords = sync.OnceValue(func() map[string]bool {
	unpacked, err := gzip.NewReader(bytes.NewReader(commonPasswordsGz))
	if err != nil {
		panic(err) // the file is embedded
	}
	common := make(map[string]bool, 50_000)
	for lines := bufio.NewScanner(unpacked); lines.Scan(); {
		common[lines.Text()] = true
	}
	return common
})

// productWords are the words of the product that a password may not consist of.
var productWords = []string{"heartward"}

// contextWords returns the words that others would try first: those of the product, and the
// member's address and names, in lower case.
func contextWords(email, fullName string) []string {
	words := append([]string{strings.ToLower(email)}, productWords...)
	words = append(words, strings.FieldsFunc(strings.ToLower(email), isSeparator)...)
	words = append(words, strings.FieldsFunc(strings.ToLower(norm.NFKC.String(fullName)), isSeparator)...)
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	return words
}

// isGuessable reports whether password, in lower case, has fewer than 4 letters beside
// words, digits and punctuation, as "heartward2026" has. Words of fewer than 3 letters do
// not count.
func isGuessable(password string, words []string) bool {
	rest := password
	for _, word := range words {
		if utf8.RuneCountInString(word) >= 3 {
			rest = strings.ReplaceAll(rest, word, " ")
		}
	}
	if rest == password {
		return false
	}
	letters := 0
	for _, r := range rest {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters < 4
}

func isSeparator(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// checkNewPassword returns Invalid for a password that is easy to guess. words are the
// member's contextWords.
func checkNewPassword(password string, words []string) error {
	lower := strings.ToLower(norm.NFKC.String(password))
	switch length := utf8.RuneCountInString(password); {
	case length < 8:
		return fault.InvalidField("password", "Please use at least 8 characters.")
	case length > 200:
		return fault.InvalidField("password", "Please use at most 200 characters.")
	case commonPasswords()[lower]:
		return fault.InvalidField("password", "This is one of the most common passwords and easy to guess. Please choose another.")
	case isGuessable(lower, words):
		return fault.InvalidField("password", "This is close to your name, your address or “Heartward”. Please choose another.")
	}
	return nil
}
