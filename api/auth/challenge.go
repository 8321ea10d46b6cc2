package auth

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
)

// The purposes of challenges. A response to one is accepted for its purpose only.
const (
	purposeAdd    = "add"     // add a passkey
	purposeProve  = "prove"   // confirm the identity of the signed-in member
	purposeSignIn = "sign_in" // sign in; the member is not known before the response
)

// challengeLifetime is the time for which a challenge is valid.
const challengeLifetime = 5 * time.Minute

// The sign-in screen requests a challenge each time it is shown, so that the browser can
// offer passkeys in the address field.
var (
	challengesPerBrowser = limits.Rule{Name: "challenges-browser", Count: 60, Per: time.Hour}
	challengesPerNetwork = limits.Rule{Name: "challenges-network", Count: 600, Per: time.Hour, Burst: 1000}
)

var (
	errChallengeEnded = fault.Declare("challenge_ended", fault.Forbidden, "This took too long, or it was started elsewhere. Please try again.")
	errWrongPasskey   = fault.New(fault.Forbidden, "This passkey was not accepted. Please try again.")
	errNoPasskeys     = fault.Declare("no_passkeys", fault.NotFound, "Passkeys are not available at this address.")
)

// newRelyingParty returns the library's verifier of passkeys for a site: their scope is its
// host name, and responses of its origin only are accepted. It returns nil if the host is an
// IP address, for which browsers have no passkeys.
func newRelyingParty(site string) *webauthn.WebAuthn {
	address, err := url.Parse(site)
	if err != nil || address.Hostname() == "" {
		return nil
	}
	party, err := webauthn.New(&webauthn.Config{
		RPID: address.Hostname(), RPDisplayName: "Heartward", RPOrigins: []string{address.Scheme + "://" + address.Host},
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification: protocol.VerificationRequired,
		},
		AttestationPreference: protocol.PreferNoAttestation,
		// No extension is requested, so the output of one has no effect.
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
	})
	if err != nil {
		return nil
	}
	return party
}

// Challenge is a request to a passkey.
type Challenge struct {
	ID      uuid.UUID       `json:"id" doc:"To be returned with the response, within 5 minutes and once"`
	Options json.RawMessage `json:"options" doc:"The options of navigator.credentials.create or get as JSON, as WebAuthn defines it"`
}

// PasskeyResponse is what a passkey responded to a challenge.
type PasskeyResponse struct {
	ChallengeID uuid.UUID       `json:"challengeId" format:"uuid"`
	Credential  json.RawMessage `json:"credential" doc:"The PublicKeyCredential as JSON, as WebAuthn defines it"`
}

// issueChallenge stores a challenge for the browser, and for the member unless it is
// uuid.Nil, and returns it with the options.
func (s *Service) issueChallenge(ctx context.Context, browser Browser, purpose string, member uuid.UUID, options any, data *webauthn.SessionData) (Challenge, error) {
	if err := s.allowRequest(ctx, visitor{Browser: browser}, challengesPerBrowser, challengesPerNetwork); err != nil {
		return Challenge{}, err
	}
	id, err := uuid.NewRandom()
	if err != nil {
		return Challenge{}, err
	}
	text, err := json.Marshal(options)
	if err != nil {
		return Challenge{}, err
	}
	stored, err := json.Marshal(data)
	if err != nil {
		return Challenge{}, err
	}
	return Challenge{ID: id, Options: text}, insertChallenge(ctx, s.pool, id, purpose, member, hashOf(browser.ID), stored)
}

// consumeChallenge deletes a challenge and returns its data, so that it is valid once even if
// the response turns out to be wrong. It returns errChallengeEnded if there is no such
// challenge of this browser and member.
func (s *Service) consumeChallenge(ctx context.Context, browser Browser, purpose string, member, id uuid.UUID) (webauthn.SessionData, error) {
	var data webauthn.SessionData
	stored, err := deleteChallenge(ctx, s.pool, id, purpose, member, hashOf(browser.ID))
	if errors.Is(err, pgx.ErrNoRows) {
		return data, errChallengeEnded
	}
	if err != nil {
		return data, pg.Fault(err)
	}
	return data, json.Unmarshal(stored, &data)
}

func insertChallenge(ctx context.Context, db pg.DB, id uuid.UUID, purpose string, member uuid.UUID, browser, data []byte) error {
	_, err := db.Exec(ctx, `
		INSERT INTO passkey_challenges (id, purpose, user_id, browser_hash, data, expires_at)
		VALUES ($1, $2, nullif($3, '00000000-0000-0000-0000-000000000000'::uuid), $4, $5, now() + $6::interval)`,
		id, purpose, member, browser, data, challengeLifetime)
	return pg.Fault(err)
}

func deleteChallenge(ctx context.Context, db pg.DB, id uuid.UUID, purpose string, member uuid.UUID, browser []byte) (data []byte, err error) {
	err = db.QueryRow(ctx, `
		DELETE FROM passkey_challenges
		WHERE id = $1
			AND purpose = $2
			AND user_id IS NOT DISTINCT FROM nullif($3, '00000000-0000-0000-0000-000000000000'::uuid)
			AND browser_hash = $4
			AND expires_at > now()
		RETURNING data`, id, purpose, member, browser).Scan(&data)
	return data, err
}
