package auth

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
	"heartward/api/platform/web"
)

const (
	maxPasskeys    = 10
	maxPasskeyName = 60
)

var (
	errTooManyPasskeys = fault.New(fault.Conflict, "You have ten passkeys already. Please remove one first.")
	errNoSuchPasskey   = fault.New(fault.NotFound, "We could not find that.")
	errPasskeySignIn   = fault.New(fault.Unauthenticated, "We could not sign you in with this passkey. Please try again, or use a code by email.")
)

// Passkey is a passkey as its member sees it.
type Passkey struct {
	ID        uuid.UUID  `json:"id"`
	Name      string     `json:"name"`
	CreatedAt time.Time  `json:"createdAt"`
	UsedAt    *time.Time `json:"usedAt" doc:"The last use; null before the first"`
	IsFactor  bool       `json:"isFactor" doc:"Counts as an admin's second factor"`
	// CredentialID is what the app tells the passkey manager when the passkey is removed.
	CredentialID string `json:"credentialId" doc:"The authenticator's id of the key, in base64url"`
}

// passkeyUser implements webauthn.User. The user handle is the member's id.
type passkeyUser struct {
	id          uuid.UUID
	email, name string
	keys        []storedPasskey
}

func (u passkeyUser) WebAuthnID() []byte          { return u.id[:] }
func (u passkeyUser) WebAuthnName() string        { return u.email }
func (u passkeyUser) WebAuthnDisplayName() string { return u.name }

func (u passkeyUser) WebAuthnCredentials() []webauthn.Credential {
	all := make([]webauthn.Credential, len(u.keys))
	for i, k := range u.keys {
		all[i] = k.Credential
	}
	return all
}

// key returns the passkey with a credential id, which the library has verified to be one of them.
func (u passkeyUser) key(credential []byte) storedPasskey {
	for _, k := range u.keys {
		if string(k.ID) == string(credential) {
			return k
		}
	}
	return storedPasskey{}
}

// acceptBackupFlag replaces the stored flag "backup eligible" of the passkey that responded by that of the response. The
// library refuses a passkey whose flag has changed, but managers of passkeys change it, and the member would be locked
// out. The flag is covered by the signature, which is verified afterwards.
func (u passkeyUser) acceptBackupFlag(response *protocol.ParsedCredentialAssertionData) {
	eligible := response.Response.AuthenticatorData.Flags.HasBackupEligible()
	for i := range u.keys {
		k := &u.keys[i]
		if string(k.ID) == string(response.RawID) && k.Flags.BackupEligible != eligible {
			k.Flags.BackupEligible, k.backupChanged = eligible, true
		}
	}
}

// BeginAddPasskey returns the challenge for a new passkey. setupCode is that of an admin
// without a second factor; others leave it empty.
//
// Errors: those of authorizeAddFactor; Conflict when there are ten passkeys; NotFound on a site
// without passkeys; RateLimited.
func (s *Service) BeginAddPasskey(ctx context.Context, actor web.Actor, browser Browser, setupCode string) (Challenge, error) {
	if s.party == nil {
		return Challenge{}, errNoPasskeys
	}
	err := pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		_, err := s.authorizeAddFactor(ctx, tx, actor, setupCode)
		return err
	})
	if err != nil {
		return Challenge{}, err
	}
	me, err := s.members.Me(ctx, actor.ID)
	if err != nil {
		return Challenge{}, err
	}
	user := passkeyUser{id: actor.ID, email: me.Email, name: me.FullName}
	if user.keys, err = selectCredentials(ctx, s.pool, actor.ID); err != nil {
		return Challenge{}, err
	}
	if len(user.keys) >= maxPasskeys {
		return Challenge{}, errTooManyPasskeys
	}
	options, data, err := s.party.BeginRegistration(user, webauthn.WithExclusions(exclusions(user, actor.Granted)))
	if err != nil {
		return Challenge{}, err
	}
	return s.issueChallenge(ctx, browser, purposeAdd, actor.ID, options.Response, data)
}

// exclusions returns the passkeys whose authenticators must not make another one. An
// admin's authenticator may make another one if its passkey is no second factor.
func exclusions(user passkeyUser, admin bool) (excluded []protocol.CredentialDescriptor) {
	for _, k := range user.keys {
		if k.isFactor || !admin {
			excluded = append(excluded, k.Descriptor())
		}
	}
	return excluded
}

// AddPasskey stores the passkey that responded to a challenge of BeginAddPasskey, enqueues a
// notice, and returns the passkey and a new token of the session. An empty name is replaced by
// that of the browser. The passkey of an admin counts as a second factor, and the session has
// then proved it.
//
// Errors: Invalid for a name that is too long; Forbidden with the code challenge_ended, or for
// a response that is wrong; Conflict for a passkey that is stored already; those of
// authorizeAddFactor; Conflict when there are ten passkeys; NotFound on a site without passkeys.
func (s *Service) AddPasskey(ctx context.Context, actor web.Actor, browser Browser, name, setupCode string, response PasskeyResponse) (Passkey, SignedIn, error) {
	name, err := passkeyName(name, browser.UserAgent)
	if err != nil {
		return Passkey{}, SignedIn{}, err
	}
	credential, err := s.checkNewPasskey(ctx, actor, browser, response)
	if err != nil {
		return Passkey{}, SignedIn{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Passkey{}, SignedIn{}, err
	}
	type added struct {
		Passkey
		SignedIn
	}
	done, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (done added, err error) {
		if done.Passkey.IsFactor, err = s.authorizeAddFactorOnce(ctx, tx, actor, setupCode); err != nil {
			return done, err
		}
		key := storedPasskey{Credential: *credential, rowID: id, isFactor: done.Passkey.IsFactor}
		if done.Passkey, err = insertPasskey(ctx, tx, actor.ID, key, name); err != nil {
			return done, err
		}
		if err := s.addPasskeyNotice(ctx, tx, actor, id); err != nil {
			return done, err
		}
		done.SignedIn, err = renewToken(ctx, tx, actor, key.isFactor)
		return done, err
	})
	return done.Passkey, done.SignedIn, err
}

// checkNewPasskey verifies the response to a challenge of BeginAddPasskey.
func (s *Service) checkNewPasskey(ctx context.Context, actor web.Actor, browser Browser, response PasskeyResponse) (*webauthn.Credential, error) {
	if s.party == nil {
		return nil, errNoPasskeys
	}
	data, err := s.consumeChallenge(ctx, browser, purposeAdd, actor.ID, response.ChallengeID)
	if err != nil {
		return nil, err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(response.Credential)
	if err != nil {
		return nil, refusal(errWrongPasskey, err)
	}
	credential, err := s.party.CreateCredential(passkeyUser{id: actor.ID}, data, parsed)
	return credential, refusal(errWrongPasskey, err)
}

// refusal returns shown with the cause err for the log, and nil if err is nil.
func refusal(shown *fault.Error, err error) error {
	if err == nil {
		return nil
	}
	return shown.Wrap(err)
}

// passkeyName returns the name in its stored form, or that of the browser if it is empty.
func passkeyName(name, agent string) (string, error) {
	if strings.TrimSpace(name) == "" {
		return deviceName(agent), nil
	}
	return cleanPasskeyName(name)
}

// cleanPasskeyName returns Invalid unless the name has 1 to 60 characters.
func cleanPasskeyName(name string) (string, error) {
	const sentence = "Please use between 1 and 60 characters."
	return text.Clean("name", name, text.Rule{Max: maxPasskeyName, TooLong: sentence, Bad: sentence, Empty: sentence})
}

// RenamePasskey renames one of the actor's passkeys. It returns Invalid for an empty or too
// long name, and NotFound when the actor has no such passkey.
func (s *Service) RenamePasskey(ctx context.Context, actor web.Actor, id uuid.UUID, name string) error {
	name, err := cleanPasskeyName(name)
	if err != nil {
		return err
	}
	renamed, err := renamePasskey(ctx, s.pool, actor.ID, id, name)
	if err == nil && !renamed {
		err = errNoSuchPasskey
	}
	return err
}

// RemovePasskey deletes one of the actor's passkeys. Sessions that it began do not end.
//
// Errors: NotFound when the actor has no such passkey; those of RequireProof and
// authorizeRemoveFactor; Conflict for the only second factor of an admin who needs one.
func (s *Service) RemovePasskey(ctx context.Context, actor web.Actor, id uuid.UUID) error {
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if err := s.authorizeRemoveFactor(ctx, tx, actor); err != nil {
			return err
		}
		removed, err := deletePasskey(ctx, tx, actor.ID, id)
		if err == nil && !removed {
			err = errNoSuchPasskey
		}
		if err == nil {
			err = s.requireRemainingFactor(ctx, tx, actor)
		}
		return err
	})
}

// BeginPasskeySignIn returns the challenge for a sign-in by a passkey. It names no passkeys, so
// that the browser offers those it has for this site. Errors: NotFound on a site without
// passkeys; RateLimited.
func (s *Service) BeginPasskeySignIn(ctx context.Context, browser Browser) (Challenge, error) {
	if s.party == nil {
		return Challenge{}, errNoPasskeys
	}
	options, data, err := s.party.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return Challenge{}, err
	}
	return s.issueChallenge(ctx, browser, purposeSignIn, uuid.Nil, options.Response, data)
}

// SignInByPasskey signs in the member of a passkey that responded to a challenge of
// BeginPasskeySignIn, as SignInByCode does. A passkey that is an admin's second
// factor proves it in the new session.
//
// Errors: Unauthenticated for a wrong response; Forbidden with the code challenge_ended, and as in SignInByCode when the
// deletion of the account is due; NotFound on a site without passkeys;
// RateLimited.
func (s *Service) SignInByPasskey(ctx context.Context, browser Browser, response PasskeyResponse) (SignedIn, error) {
	if s.party == nil {
		return SignedIn{}, errNoPasskeys
	}
	if err := s.allowRequest(ctx, visitor{Browser: browser}, signInsPerBrowser, signInsPerNetwork); err != nil {
		return SignedIn{}, err
	}
	data, err := s.consumeChallenge(ctx, browser, purposeSignIn, uuid.Nil, response.ChallengeID)
	if err != nil {
		return SignedIn{}, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(response.Credential)
	if err != nil {
		return SignedIn{}, refusal(errPasskeySignIn, err)
	}
	var found passkeyUser
	byHandle := func(_, handle []byte) (webauthn.User, error) {
		id, err := uuid.FromBytes(handle)
		if err != nil {
			return nil, err
		}
		found.id = id
		found.keys, err = selectCredentials(ctx, s.pool, id)
		found.acceptBackupFlag(parsed)
		return found, err
	}
	_, credential, err := s.party.ValidatePasskeyLogin(byHandle, data, parsed)
	if err != nil {
		return SignedIn{}, refusal(errPasskeySignIn, err)
	}
	key := found.key(credential.ID)
	return s.startSession(ctx, browser, func(tx pgx.Tx) (checkedSignIn, error) {
		if err := usePasskey(ctx, tx, key, credential, errPasskeySignIn); err != nil {
			return checkedSignIn{}, err
		}
		signingIn, err := selectAccountOf(ctx, tx, found.id)
		return checkedSignIn{account: signingIn, isFactor: key.isFactor}, err
	})
}

// BeginPasskeyProof returns the challenge by which the actor confirms their identity with one
// of their passkeys. Errors: NotFound without a passkey and on a site without passkeys;
// RateLimited.
func (s *Service) BeginPasskeyProof(ctx context.Context, actor web.Actor, browser Browser) (Challenge, error) {
	user, err := s.passkeyUser(ctx, actor)
	if err != nil {
		return Challenge{}, err
	}
	options, data, err := s.party.BeginLogin(user, webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return Challenge{}, err
	}
	return s.issueChallenge(ctx, browser, purposeProve, actor.ID, options.Response, data)
}

// passkeyUser returns the actor with their passkeys, or NotFound if there are none.
func (s *Service) passkeyUser(ctx context.Context, actor web.Actor) (user passkeyUser, err error) {
	if s.party == nil {
		return user, errNoPasskeys
	}
	user.id = actor.ID
	user.keys, err = selectCredentials(ctx, s.pool, actor.ID)
	if err == nil && len(user.keys) == 0 {
		err = fault.New(fault.NotFound, "You have no passkey yet.")
	}
	return user, err
}

// checkPasskeyProof verifies the response to a challenge of BeginPasskeyProof.
func (s *Service) checkPasskeyProof(ctx context.Context, actor web.Actor, browser Browser, response PasskeyResponse) (checkedProof, error) {
	data, err := s.consumeChallenge(ctx, browser, purposeProve, actor.ID, response.ChallengeID)
	if err != nil {
		return checkedProof{}, err
	}
	user, err := s.passkeyUser(ctx, actor)
	if err != nil {
		return checkedProof{}, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(response.Credential)
	if err != nil {
		return checkedProof{}, refusal(errWrongPasskey, err)
	}
	user.acceptBackupFlag(parsed)
	credential, err := s.party.ValidateLogin(user, data, parsed)
	if err != nil {
		return checkedProof{}, refusal(errWrongPasskey, err)
	}
	key := user.key(credential.ID)
	return checkedProof{isFactor: key.isFactor, use: func(tx pgx.Tx) error {
		return usePasskey(ctx, tx, key, credential, errWrongPasskey)
	}}, nil
}

// usePasskey records the use of a passkey. It returns errWrong if the passkey was removed,
// or if its count of signatures is not above the stored one, which may have grown since the
// passkey was selected: a copy of the key may have been used.
func usePasskey(ctx context.Context, tx pgx.Tx, key storedPasskey, used *webauthn.Credential, errWrong *fault.Error) error {
	err := updatePasskey(ctx, tx, key.rowID, used)
	if errors.Is(err, pgx.ErrNoRows) {
		slog.WarnContext(ctx, "the count of a passkey did not grow: it may have been copied", "passkey", key.rowID)
		return errWrong
	}
	if err == nil && key.backupChanged {
		slog.InfoContext(ctx, "a passkey changed whether it can be backed up", "passkey", key.rowID, "eligible", key.Flags.BackupEligible)
	}
	return err
}

// renewToken gives the actor's session a new token after a change of its rights, and records
// the proof of an admin's second factor if isFactor is set.
func renewToken(ctx context.Context, tx pgx.Tx, actor web.Actor, isFactor bool) (SignedIn, error) {
	signedIn := SignedIn{Token: newSecret()}
	var err error
	if signedIn.ExpiresAt, err = rotateToken(ctx, tx, actor.SessionID, hashOf(signedIn.Token)); err != nil {
		return SignedIn{}, endedIfMissing(err)
	}
	if isFactor {
		err = markProved(ctx, tx, actor.SessionID, true)
	}
	return signedIn, err
}
