package members

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/mailaddr"
)

// NewMember is the input of a sign-up. Email must be verified and checked by mailaddr; the
// other fields are as typed.
type NewMember struct {
	Email          string
	FullName       string
	Age            *int    // required without BirthDate
	BirthDate      *string // year-month-day; required without Age
	Gender         *string
	InterestedIn   []string
	City, State    string
	IntentionTags  []string
	Bio            string
	LoveReflection string
	IsGuided       bool   // the client asks the questions of the first run next
	Ref            string // the referral code of the member who invited them; an unknown one is ignored
}

// Draft is a validated NewMember, returned by Check.
type Draft struct {
	columns map[string]any
}

// Check validates all fields of n. It returns Invalid with the first invalid field. It
// reveals nothing about accounts, so it may be called before the code is checked.
func (s *Service) Check(ctx context.Context, n NewMember) (Draft, error) {
	listed, err := ListedTags(ctx, s.pool)
	if err != nil {
		return Draft{}, err
	}
	columns, err := Changes{
		FullName: sent(n.FullName), Gender: Field[string]{true, n.Gender}, InterestedIn: sent(n.InterestedIn),
		Age: Field[int]{true, n.Age}, BirthDate: Field[string]{true, n.BirthDate},
		City: sent(n.City), State: sent(n.State), IntentionTags: sent(n.IntentionTags),
		Bio: sent(n.Bio), LoveReflection: sent(n.LoveReflection),
	}.columns(listed)
	if err != nil {
		return Draft{}, err
	}
	if n.IsGuided {
		columns["start_step"] = startSteps[0]
	}
	address := mailaddr.Of(n.Email)
	columns["email"], columns["identity_key"], columns["abuse_key"] = address.Typed, address.Identity, address.Abuse
	columns["town_lat"], columns["town_lon"] = centre(columns["city"].(string), columns["state"].(string))
	return Draft{columns}, nil
}

func sent[T any](value T) Field[T] { return Field[T]{Sent: true, Value: &value} }

// Create inserts the member in tx and returns the id. It returns ErrHasAccount if the mailbox of the address
// has an account; of two concurrent calls for a mailbox one succeeds. While new profiles are
// reviewed, the member is hidden until a moderator accepts the profile.
func Create(ctx context.Context, tx pgx.Tx, draft Draft) (uuid.UUID, error) {
	id, err := uuid.NewRandom() // others see it, so it contains no time
	if err != nil {
		return id, err
	}
	// The index admits a second account of a mailbox whose first one, from before the index, was deleted.
	if taken, err := HasMailbox(ctx, tx, draft.columns["email"].(string), uuid.Nil); err != nil || taken {
		return id, cmp.Or(err, error(ErrHasAccount))
	}
	args := pgx.NamedArgs{"id": id}
	maps.Copy(args, draft.columns)
	sql := insertSQL(draft.columns)
	for range 3 { // a collision of two codes is rare: there are 32^8
		args["referral"] = ReferralCode(referralCodeLength)
		tag, err := tx.Exec(ctx, sql, args)
		if isTaken(err) {
			return id, ErrHasAccount
		}
		if err != nil {
			return id, constraintFault(err)
		}
		if tag.RowsAffected() == 1 {
			return id, holdNewProfile(ctx, tx, id)
		}
	}
	return id, errors.New("no free referral code in three tries")
}

// insertSQL returns the same text for the same columns, like updateSQL.
func insertSQL(columns map[string]any) string {
	var names, values strings.Builder
	for _, column := range slices.Sorted(maps.Keys(columns)) {
		names.WriteString(", " + column)
		values.WriteString(", @" + column)
	}
	return fmt.Sprintf(`INSERT INTO users (id, referral_code%s)
		VALUES (@id, @referral%s)
		ON CONFLICT (referral_code) DO NOTHING`, names.String(), values.String())
}

// referralCodeLength is the length of a member's referral code.
const referralCodeLength = 8

// ReferralCode returns a random code of letters and digits that are not easily confused.
func ReferralCode(length int) string {
	const letters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ" // 32 divides 256, so each is equally likely
	code := make([]byte, length)
	_, _ = rand.Read(code) // never fails
	for i, b := range code {
		code[i] = letters[int(b)%len(letters)]
	}
	return string(code)
}
