package auth

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// registerFactors adds the operations on passkeys, authenticator apps and the sign-in of
// admins.
func registerFactors(api web.API, s *Service) {
	web.Get(api, web.Leaving, "get-factors", "/api/auth/factors",
		"Get the caller's passkeys, and the state of an admin's second factor", s.factors)
	web.Post(api, web.Member, "begin-add-passkey", "/api/auth/passkeys/challenge",
		"Request the challenge for a new passkey; needs a recent proof", s.beginAddPasskey, web.Status(http.StatusCreated))
	web.Post(api, web.Member, "add-passkey", "/api/auth/passkeys",
		"Add a passkey; needs a recent proof", s.addPasskey, web.Status(http.StatusCreated))
	web.Patch(api, web.Member, "rename-passkey", "/api/auth/passkeys/{id}",
		"Rename one of the caller's passkeys", s.renamePasskey)
	web.Delete(api, web.Member, "remove-passkey", "/api/auth/passkeys/{id}",
		"Remove one of the caller's passkeys; needs a recent proof", s.removePasskey)
	web.Post(api, web.Anyone, "begin-passkey-sign-in", "/api/auth/login/challenge",
		"Request the challenge for a sign-in by passkey", s.beginPasskeySignIn, web.Status(http.StatusCreated))
	web.Post(api, web.Anyone, "sign-in-by-passkey", "/api/auth/login/passkey",
		"Sign in by passkey", s.signInByPasskey)
	web.Post(api, web.Leaving, "begin-passkey-proof", "/api/auth/proof/challenge",
		"Request the challenge for confirming the caller's identity by passkey", s.beginPasskeyProof, web.Status(http.StatusCreated))
	web.Post(api, web.Member, "begin-add-authenticator-app", "/api/auth/app",
		"Create the secret of an admin's authenticator app; needs a recent proof", s.beginAddApp, web.Status(http.StatusCreated))
	web.Put(api, web.Member, "confirm-authenticator-app", "/api/auth/app",
		"Add an admin's authenticator app with its first code; needs a recent proof", s.confirmApp)
	web.Delete(api, web.Member, "remove-authenticator-app", "/api/auth/app",
		"Remove an admin's authenticator app; needs a recent proof", s.removeApp)
	web.Post(api, web.Member, "replace-recovery-codes", "/api/auth/recovery-codes",
		"Replace the recovery codes of an admin or a moderator by ten new ones; needs a recent proof", s.newRecoveryCodes, web.Status(http.StatusCreated))
	web.Post(api, web.Anyone, "request-admin-code", "/api/admin/login",
		"Mail a code for signing in, as for members; the rights of an admin need a second factor too", s.requestCode, web.Status(http.StatusAccepted))
	web.Get(api, web.Anyone, "get-admin-login", "/api/admin/login",
		"Get what the admins' sign-in shows", s.adminLogin)
}

// AdminLogin is what the admins' sign-in shows.
type AdminLogin struct {
	DemoEmail string `json:"demoEmail" doc:"The address of the demo's admin; empty without one and on a public site"`
}

type adminLoginOutput struct{ Body AdminLogin }

func (s *Service) adminLogin(ctx context.Context, _ *struct{}) (*adminLoginOutput, error) {
	if s.config.RequireFactor {
		return &adminLoginOutput{}, nil
	}
	email, err := selectDemoAdmin(ctx, s.pool)
	return &adminLoginOutput{AdminLogin{DemoEmail: email}}, err
}

type factorsOutput struct{ Body Factors }

func (s *Service) factors(ctx context.Context, _ *struct{}) (*factorsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	found, err := s.Factors(ctx, actor)
	return &factorsOutput{found}, err
}

// challengeOutput sets the cookie of the browser to which the challenge is bound.
type challengeOutput struct {
	SetCookie http.Cookie `header:"Set-Cookie"`
	Body      Challenge
}

func (s *Service) challengeOutput(browser Browser, c Challenge, err error) (*challengeOutput, error) {
	if err != nil {
		return nil, err
	}
	return &challengeOutput{SetCookie: s.browserCookie(browser), Body: c}, nil
}

type setupInput struct {
	Body struct {
		SetupCode string `json:"setupCode,omitempty" maxLength:"100" doc:"Of an admin without a second factor, as the command line printed it"`
	}
}

func (s *Service) beginAddPasskey(ctx context.Context, in *setupInput) (*challengeOutput, error) {
	actor, _ := web.ActorOf(ctx)
	browser := browserWithID(ctx)
	c, err := s.BeginAddPasskey(ctx, actor, browser, in.Body.SetupCode)
	return s.challengeOutput(browser, c, err)
}

type addPasskeyInput struct {
	Body struct {
		PasskeyResponse

		Name      string `json:"name,omitempty" maxLength:"60" doc:"That of the browser if it is empty"`
		SetupCode string `json:"setupCode,omitempty" maxLength:"100" doc:"Of an admin without a second factor, as the command line printed it"`
	}
}

type addPasskeyOutput struct {
	SetCookie http.Cookie `header:"Set-Cookie"`
	Body      Passkey
}

func (s *Service) addPasskey(ctx context.Context, in *addPasskeyInput) (*addPasskeyOutput, error) {
	actor, _ := web.ActorOf(ctx)
	added, session, err := s.AddPasskey(ctx, actor, browserOf(ctx), in.Body.Name, in.Body.SetupCode, in.Body.PasskeyResponse)
	web.LogSecurity(ctx, web.EventFactor, err, "change", "add passkey", "passkey", added.ID)
	if err != nil {
		return nil, err
	}
	return &addPasskeyOutput{SetCookie: s.sessionCookie(session), Body: added}, nil
}

type renamePasskeyInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Name string `json:"name" minLength:"1" maxLength:"60"`
	}
}

func (s *Service) renamePasskey(ctx context.Context, in *renamePasskeyInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	err := s.RenamePasskey(ctx, actor, in.ID, in.Body.Name)
	web.LogSecurity(ctx, web.EventFactor, err, "change", "rename passkey", "passkey", in.ID)
	return nil, err
}

type removePasskeyInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

func (s *Service) removePasskey(ctx context.Context, in *removePasskeyInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	err := s.RemovePasskey(ctx, actor, in.ID)
	web.LogSecurity(ctx, web.EventFactor, err, "change", "remove passkey", "passkey", in.ID)
	return nil, err
}

func (s *Service) beginPasskeySignIn(ctx context.Context, _ *struct{}) (*challengeOutput, error) {
	browser := browserWithID(ctx)
	c, err := s.BeginPasskeySignIn(ctx, browser)
	return s.challengeOutput(browser, c, err)
}

type signInByPasskeyInput struct{ Body PasskeyResponse }

func (s *Service) signInByPasskey(ctx context.Context, in *signInByPasskeyInput) (*signedInOutput, error) {
	browser := browserWithID(ctx)
	signedIn, err := s.SignInByPasskey(ctx, browser, in.Body)
	args := []any{"method", "passkey"}
	if err == nil {
		args = append(args, "member", signedIn.Me.ID)
	}
	web.LogSecurity(ctx, web.EventSignIn, err, args...)
	return s.signedInOutput(browser, signedIn, err)
}

func (s *Service) beginPasskeyProof(ctx context.Context, _ *struct{}) (*challengeOutput, error) {
	actor, _ := web.ActorOf(ctx)
	browser := browserWithID(ctx)
	c, err := s.BeginPasskeyProof(ctx, actor, browser)
	return s.challengeOutput(browser, c, err)
}

type newAppOutput struct{ Body NewApp }

func (s *Service) beginAddApp(ctx context.Context, in *setupInput) (*newAppOutput, error) {
	actor, _ := web.ActorOf(ctx)
	created, err := s.BeginAddApp(ctx, actor, in.Body.SetupCode)
	return &newAppOutput{created}, err
}

type confirmAppInput struct {
	Body struct {
		Code      string `json:"code" minLength:"6" maxLength:"6" doc:"The six digits that the app shows"`
		SetupCode string `json:"setupCode,omitempty" maxLength:"100" doc:"Of an admin without a second factor, as the command line printed it"`
	}
}

func (s *Service) confirmApp(ctx context.Context, in *confirmAppInput) (*tokenOutput, error) {
	actor, _ := web.ActorOf(ctx)
	session, err := s.ConfirmApp(ctx, actor, in.Body.SetupCode, in.Body.Code)
	web.LogSecurity(ctx, web.EventFactor, err, "change", "add app")
	if err != nil {
		return nil, err
	}
	return &tokenOutput{SetCookie: s.sessionCookie(session)}, nil
}

func (s *Service) removeApp(ctx context.Context, _ *struct{}) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	err := s.RemoveApp(ctx, actor)
	web.LogSecurity(ctx, web.EventFactor, err, "change", "remove app")
	return nil, err
}

type recoveryCodesOutput struct {
	Body struct {
		Codes []string `json:"codes" doc:"To be shown once: only keyed hashes are stored"`
	}
}

func (s *Service) newRecoveryCodes(ctx context.Context, _ *struct{}) (*recoveryCodesOutput, error) {
	actor, _ := web.ActorOf(ctx)
	codes, err := s.NewRecoveryCodes(ctx, actor)
	web.LogSecurity(ctx, web.EventFactor, err, "change", "new recovery codes")
	out := &recoveryCodesOutput{}
	out.Body.Codes = codes
	return out, err
}
