package members

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
)

// NewMember is the input of a sign-up. Email must be verified and in the stored form; the
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
	Ref            string // the referral code of the member who invited them; an unknown one is ignored
}

// Draft is a validated NewMember, returned by Check.
type Draft struct {
	columns map[string]any
	ref     string
}

// Check validates all fields of n. It returns Invalid with the first invalid field. It
// reveals nothing about accounts, so it may be called before the code is checked.
func (s *Service) Check(ctx context.Context, n NewMember) (Draft, error) {
	listed, err := selectTags(ctx, s.pool)
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
	columns["email"] = n.Email
	columns["town_lat"], columns["town_lon"] = centre(columns["city"].(string), columns["state"].(string))
	return Draft{columns, cleanReferral(n.Ref)}, nil
}

func sent[T any](value T) Field[T] { return Field[T]{Sent: true, Value: &value} }

// Create inserts the member in tx and returns the id. It returns Conflict if the address
// has an account; of two concurrent calls for an address one succeeds.
func Create(ctx context.Context, tx pgx.Tx, draft Draft) (uuid.UUID, error) {
	id, err := uuid.NewRandom() // others see it, so it contains no time
	if err != nil {
		return id, err
	}
	args := pgx.NamedArgs{"id": id, "ref": draft.ref}
	maps.Copy(args, draft.columns)
	sql := insertSQL(draft.columns)
	for range 3 { // a collision of two codes is rare: there are 32^8
		args["referral"] = referralCode()
		tag, err := tx.Exec(ctx, sql, args)
		if pg.ViolatesConstraint(err, "users_email_key") {
			return id, fault.Wrap(fault.Conflict, "You have an account already. Sign in instead.", err)
		}
		if err != nil {
			return id, constraintFault(err)
		}
		if tag.RowsAffected() == 1 {
			return id, nil
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
	return fmt.Sprintf(`INSERT INTO users (id, referral_code, referred_by%s)
		VALUES (@id, @referral, (SELECT r.id FROM users r WHERE r.referral_code = @ref)%s)
		ON CONFLICT (referral_code) DO NOTHING`, names.String(), values.String())
}

// referralCode returns a code of eight letters and digits that are not easily confused.
func referralCode() string {
	const letters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ" // 32 divides 256, so each is equally likely
	code := make([]byte, 8)
	_, _ = rand.Read(code) // never fails
	for i, b := range code {
		code[i] = letters[int(b)%len(letters)]
	}
	return string(code)
}

// cleanReferral returns code in the stored form, or "" if it is malformed, because a
// mistyped link must not prevent a sign-up.
func cleanReferral(code string) string {
	code = strings.ToUpper(strings.TrimSpace(code))
	for _, r := range code {
		if (r < 'A' || r > 'Z') && (r < '0' || r > '9') {
			return ""
		}
	}
	return code
}

// IntentionTags returns the list of intentions that the admins have set.
func (s *Service) IntentionTags(ctx context.Context) ([]string, error) {
	return selectTags(ctx, s.pool)
}

func selectTags(ctx context.Context, db pg.DB) ([]string, error) {
	var raw []byte
	err := db.QueryRow(ctx, `SELECT setting_value FROM system_settings WHERE setting_key = 'intention_tags'`).Scan(&raw)
	if errors.Is(err, pgx.ErrNoRows) {
		return slices.Clone(alwaysAllowed), nil
	}
	if err != nil {
		return nil, pg.Fault(err)
	}
	tags := []string{}
	if err := json.Unmarshal(raw, &tags); err != nil {
		return nil, fmt.Errorf("the setting intention_tags: %w", err)
	}
	return tags, nil
}
