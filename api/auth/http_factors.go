package auth

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// registerFactors adds the operations on passkeys, authenticator apps and the sign-in of
// admins.
func registerFactors(api huma.API, s *Service) {
	op := func(id, method, path, summary string, status int) huma.Operation {
		return huma.Operation{OperationID: id, Method: method, Path: path, Summary: summary, DefaultStatus: status,
			Tags: []string{"auth"}, MaxBodyBytes: bodyLimit}
	}
	web.Register(api, web.Account, op("get-factors", http.MethodGet, "/api/auth/factors",
		"Get the caller's passkeys, and the state of an admin's second factor", http.StatusOK), s.factors)
	web.Register(api, web.Member, op("begin-add-passkey", http.MethodPost, "/api/auth/passkeys/challenge",
		"Request the challenge for a new passkey; needs a recent proof", http.StatusCreated), s.beginAddPasskey)
	web.Register(api, web.Member, op("add-passkey", http.MethodPost, "/api/auth/passkeys",
		"Add a passkey; needs a recent proof", http.StatusCreated), s.addPasskey)
	web.Register(api, web.Member, op("rename-passkey", http.MethodPatch, "/api/auth/passkeys/{id}",
		"Rename one of the caller's passkeys", http.StatusNoContent), s.renamePasskey)
	web.Register(api, web.Member, op("remove-passkey", http.MethodDelete, "/api/auth/passkeys/{id}",
		"Remove one of the caller's passkeys; needs a recent proof", http.StatusNoContent), s.removePasskey)
	web.Register(api, web.Anyone, op("begin-passkey-sign-in", http.MethodPost, "/api/auth/login/challenge",
		"Request the challenge for a sign-in by passkey", http.StatusCreated), s.beginPasskeySignIn)
	web.Register(api, web.Anyone, op("sign-in-by-passkey", http.MethodPost, "/api/auth/login/passkey",
		"Sign in by passkey", http.StatusOK), s.signInByPasskey)
	web.Register(api, web.Account, op("begin-passkey-proof", http.MethodPost, "/api/auth/proof/challenge",
		"Request the challenge for confirming the caller's identity by passkey", http.StatusCreated), s.beginPasskeyProof)
	web.Register(api, web.Member, op("begin-add-authenticator-app", http.MethodPost, "/api/auth/app",
		"Create the secret of an admin's authenticator app; needs a recent proof", http.StatusCreated), s.beginAddApp)
	web.Register(api, web.Member, op("confirm-authenticator-app", http.MethodPut, "/api/auth/app",
		"Add an admin's authenticator app with its first code; needs a recent proof", http.StatusNoContent), s.confirmApp)
	web.Register(api, web.Member, op("remove-authenticator-app", http.MethodDelete, "/api/auth/app",
		"Remove an admin's authenticator app; needs a recent proof", http.StatusNoContent), s.removeApp)
	web.Register(api, web.Anyone, op("request-admin-code", http.MethodPost, "/api/admin/login",
		"Mail a code for signing in, as for members; the rights of an admin need a second factor too", http.StatusAccepted), s.requestCode)
	web.Register(api, web.Anyone, op("get-admin-login", http.MethodGet, "/api/admin/login",
		"Get what the admins' sign-in shows", http.StatusOK), s.adminLogin)
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

type signInByPasskeyInput struct {
	Body struct {
		PasskeyResponse

		KeepAccount bool `json:"keepAccount,omitempty" doc:"Ends the deletion of the account, if its member asked for one"`
	}
}

func (s *Service) signInByPasskey(ctx context.Context, in *signInByPasskeyInput) (*signedInOutput, error) {
	browser := browserWithID(ctx)
	done, err := s.SignInByPasskey(ctx, browser, in.Body.PasskeyResponse, in.Body.KeepAccount)
	args := []any{"method", "passkey"}
	if err == nil {
		args = append(args, "member", done.Me.ID)
	}
	web.LogSecurity(ctx, web.EventSignIn, err, args...)
	return s.signedInOutput(browser, done, err)
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

func (s *Service) confirmApp(ctx context.Context, in *confirmAppInput) (*proveOutput, error) {
	actor, _ := web.ActorOf(ctx)
	session, err := s.ConfirmApp(ctx, actor, in.Body.SetupCode, in.Body.Code)
	web.LogSecurity(ctx, web.EventFactor, err, "change", "add app")
	if err != nil {
		return nil, err
	}
	return &proveOutput{SetCookie: s.sessionCookie(session)}, nil
}

func (s *Service) removeApp(ctx context.Context, _ *struct{}) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	err := s.RemoveApp(ctx, actor)
	web.LogSecurity(ctx, web.EventFactor, err, "change", "remove app")
	return nil, err
}
