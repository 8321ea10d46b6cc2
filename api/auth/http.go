package auth

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

// Register adds the operations of package auth to api. Middleware must be added
// before.
func Register(api web.API, s *Service) {
	api = api.WithMaxBody(bodyLimit)
	web.Post(api, web.Anyone, "request-code", "/api/auth/code",
		"Mail a code for signing in or up", s.requestCode, web.Status(http.StatusAccepted))
	web.Post(api, web.Anyone, "sign-up", "/api/users",
		"Create an account for a verified address", s.signUp, web.Status(http.StatusCreated))
	web.Post(api, web.Anyone, "sign-in", "/api/auth/login",
		"Sign in by code or by password", s.signIn)
	web.Post(api, web.Member, "set-password", "/api/auth/password",
		"Set the caller's password", s.setPassword)
	web.Post(api, web.Leaving, "prove-identity", "/api/auth/proof",
		"Confirm the caller's identity, for changes of the next 10 minutes that need it; by a second factor also an admin's rights", s.prove)
	web.Get(api, web.Leaving, "current-user", "/api/auth/user",
		"Get the signed-in member", s.currentUser)
	web.Get(api, web.Anyone, "get-session", "/api/auth/session",
		"Get the state of the caller's session, with the signed-in member", s.sessionState)
	web.Post(api, web.Leaving, "sign-out", "/api/auth/logout",
		"End the session", s.signOut)
	web.Get(api, web.Member, "list-sessions", "/api/auth/sessions",
		"List the caller's sessions", s.listSessions)
	web.Delete(api, web.Member, "end-session", "/api/auth/sessions/{id}",
		"Sign out one of the caller's devices", s.endSession)
	web.Delete(api, web.Member, "end-other-sessions", "/api/auth/sessions",
		"Sign out all the caller's other devices", s.endOtherSessions)
	web.Post(api, web.Anyone, "disown", "/api/auth/disown",
		"Forget the browser of a security notice, end its sessions and remove the password, with the token of its link", s.disown)
	web.Get(api, web.Anyone, "redirect-to-sign-up", "/api/login",
		"Redirect to the sign-up screen", s.redirectToSignUp, web.Status(http.StatusFound))
	web.Get(api, web.Anyone, "sign-out-and-redirect", "/api/logout",
		"End the session and redirect to the start page", s.signOutAndRedirect, web.Status(http.StatusFound))
	registerFactors(api, s)
	registerEmailChange(api, s)
}

const bodyLimit = 64 << 10

// signedInOutput has the cookies of the new session and of the browser.
type signedInOutput struct {
	SetCookie []http.Cookie `header:"Set-Cookie"`
	Body      members.Me
}

func (s *Service) signedInOutput(browser Browser, signedIn SignedIn, err error) (*signedInOutput, error) {
	if err != nil {
		return nil, err
	}
	cookies := []http.Cookie{s.sessionCookie(signedIn)}
	if browser.ID != "" {
		cookies = append(cookies, s.browserCookie(browser))
	}
	return &signedInOutput{SetCookie: cookies, Body: signedIn.Me}, nil
}

// browserWithID returns the caller's browser, with a new id if it has none.
func browserWithID(ctx context.Context) Browser {
	browser := browserOf(ctx)
	if browser.ID == "" {
		browser.ID = newSecret()
	}
	return browser
}

// ClearSiteData makes the browser delete all stored data of the origin, its
// service worker ("storage") and its HTTP cache. Browsers ignore unknown types.
const ClearSiteData = `"cache", "storage"`

// clearCache makes the browser of a revoked session delete its HTTP cache. "storage" is
// omitted: the app deletes the member's data itself and keeps the settings of the device.
const clearCache = `"cache"`

// signedOutOutput deletes the session cookie and all stored data of the browser.
type signedOutOutput struct {
	SetCookie     http.Cookie `header:"Set-Cookie"`
	ClearSiteData string      `header:"Clear-Site-Data"`
	Location      string      `header:"Location"`
}

func (s *Service) signedOutOutput(location string) *signedOutOutput {
	return &signedOutOutput{SetCookie: s.NoSessionCookie(), ClearSiteData: ClearSiteData, Location: location}
}

type requestCodeInput struct {
	Body struct {
		Email string `json:"email" maxLength:"300"`
	}
}

type requestCodeOutput struct {
	SetCookie http.Cookie `header:"Set-Cookie"`
}

func (s *Service) requestCode(ctx context.Context, in *requestCodeInput) (*requestCodeOutput, error) {
	browser := browserWithID(ctx)
	err := s.SendCode(ctx, browser, in.Body.Email)
	web.LogSecurity(ctx, web.EventCode, err, "address", s.addressTag(in.Body.Email))
	if err != nil {
		return nil, err
	}
	return &requestCodeOutput{SetCookie: s.browserCookie(browser)}, nil
}

type signUpInput struct {
	Body struct {
		_              struct{} `json:"-" additionalProperties:"true"`
		Email          string   `json:"email" maxLength:"300"`
		FullName       string   `json:"fullName" maxLength:"200"`
		Age            *int     `json:"age,omitempty" nullable:"true" doc:"This or birthDate; 18 to 99"`
		BirthDate      *string  `json:"birthDate,omitempty" nullable:"true" maxLength:"10" doc:"Year-month-day"`
		City           string   `json:"city,omitempty" maxLength:"200"`
		State          string   `json:"state,omitempty" maxLength:"200"`
		IntentionTags  []string `json:"intentionTags,omitempty" maxItems:"20"`
		Bio            string   `json:"bio,omitempty" maxLength:"2000"`
		LoveReflection *string  `json:"loveReflection,omitempty" nullable:"true" maxLength:"1000"`
		Gender         *string  `json:"gender,omitempty" nullable:"true" enum:"woman,man,nonbinary,other"`
		InterestedIn   []string `json:"interestedIn,omitempty" maxItems:"10"`
		Ref            string   `json:"ref,omitempty" maxLength:"20" doc:"The referral code of the invitation link; an unknown one is ignored"`
		Code           string   `json:"code,omitempty" maxLength:"20" doc:"The mailed code"`
		HonorCode      bool     `json:"honorCode,omitempty" doc:"Must be true"`
		Guided         bool     `json:"guided,omitempty" doc:"Whether the client asks the questions of the guided first run next, from startStep of the profile"`
	}
}

func (s *Service) signUp(ctx context.Context, in *signUpInput) (*signedInOutput, error) {
	b := in.Body
	member := members.NewMember{
		Email: b.Email, FullName: b.FullName, Age: b.Age, BirthDate: b.BirthDate, Gender: b.Gender,
		InterestedIn: b.InterestedIn, City: b.City, State: b.State, IntentionTags: b.IntentionTags, Bio: b.Bio,
		Ref: b.Ref, IsGuided: b.Guided,
	}
	if b.LoveReflection != nil {
		member.LoveReflection = *b.LoveReflection
	}
	browser := browserWithID(ctx)
	signedIn, err := s.SignUp(ctx, browser, member, b.Code, b.HonorCode)
	s.logSignIn(ctx, web.EventSignUp, "code", b.Email, signedIn, err)
	return s.signedInOutput(browser, signedIn, err)
}

type signInInput struct {
	Body struct {
		Email    string `json:"email" maxLength:"300"`
		Code     string `json:"code,omitempty" maxLength:"20"`
		Password string `json:"password,omitempty" maxLength:"1000"`
	}
}

func (s *Service) signIn(ctx context.Context, in *signInInput) (*signedInOutput, error) {
	browser := browserWithID(ctx)
	var signedIn SignedIn
	var err error
	method := "code"
	if in.Body.Code != "" {
		signedIn, err = s.SignInByCode(ctx, browser, in.Body.Email, in.Body.Code)
	} else {
		method = "password"
		signedIn, err = s.SignInByPassword(ctx, browser, in.Body.Email, in.Body.Password)
	}
	s.logSignIn(ctx, web.EventSignIn, method, in.Body.Email, signedIn, err)
	return s.signedInOutput(browser, signedIn, err)
}

// logSignIn logs an attempt to sign in or up, with the member if it succeeded.
func (s *Service) logSignIn(ctx context.Context, event web.SecurityEvent, method, email string, signedIn SignedIn, err error) {
	args := []any{"method", method, "address", s.addressTag(email)}
	if err == nil {
		args = append(args, "member", signedIn.Me.ID)
	}
	web.LogSecurity(ctx, event, err, args...)
}

type setPasswordInput struct {
	Body struct {
		Password string `json:"password" maxLength:"1000"`
	}
}

func (s *Service) setPassword(ctx context.Context, in *setPasswordInput) (*signedInOutput, error) {
	actor, _ := web.ActorOf(ctx)
	signedIn, err := s.SetPassword(ctx, actor, in.Body.Password)
	web.LogSecurity(ctx, web.EventPassword, err)
	return s.signedInOutput(browserOf(ctx), signedIn, err)
}

type proveInput struct {
	Body struct {
		Password string           `json:"password,omitempty" maxLength:"1000" doc:"The password, unless there is something else"`
		Code     string           `json:"code,omitempty" maxLength:"20" doc:"The mailed code"`
		AppCode  string           `json:"appCode,omitempty" maxLength:"20" doc:"The code of an admin's authenticator app"`
		Passkey  *PasskeyResponse `json:"passkey,omitempty" doc:"The response to a challenge of /api/auth/proof/challenge"`

		RecoveryCode string `json:"recoveryCode,omitempty" maxLength:"40" doc:"A recovery code of an admin or a moderator, which is valid once"`
	}
}

// method names the kind of proof for the log.
func (in *proveInput) method() string {
	switch {
	case in.Body.Passkey != nil:
		return "passkey"
	case in.Body.AppCode != "":
		return "app"
	case in.Body.RecoveryCode != "":
		return "recovery"
	case in.Body.Code != "":
		return "code"
	}
	return "password"
}

// tokenOutput has the cookie with the new token of a session.
type tokenOutput struct {
	SetCookie http.Cookie `header:"Set-Cookie"`
}

func (s *Service) prove(ctx context.Context, in *proveInput) (*tokenOutput, error) {
	actor, _ := web.ActorOf(ctx)
	proved, err := s.Prove(ctx, actor, browserOf(ctx), Proof{
		Password: in.Body.Password, Code: in.Body.Code, AppCode: in.Body.AppCode, RecoveryCode: in.Body.RecoveryCode, Passkey: in.Body.Passkey,
	})
	web.LogSecurity(ctx, web.EventProof, err, "method", in.method())
	if err != nil {
		return nil, err
	}
	return &tokenOutput{SetCookie: s.sessionCookie(proved)}, nil
}

type currentUserOutput struct{ Body members.Me }

func (s *Service) currentUser(ctx context.Context, _ *struct{}) (*currentUserOutput, error) {
	actor, _ := web.ActorOf(ctx)
	me, err := s.members.Me(ctx, actor.ID)
	return &currentUserOutput{Body: me}, err
}

// SessionState is the state of the caller's session. The app asks for it when it starts:
// a browser reports the 401 of current-user as an error.
type SessionState struct {
	Member *members.Me `json:"member"`
	Code   string      `json:"code,omitempty" doc:"Why no member is signed in, as in the problem of a 401"`
}

// TransformSchema makes the member nullable.
func (SessionState) TransformSchema(_ huma.Registry, schema *huma.Schema) *huma.Schema {
	return web.NullableRefs(schema, "member")
}

type sessionStateOutput struct {
	ClearSiteData string `header:"Clear-Site-Data"`
	Body          SessionState
}

func (s *Service) sessionState(ctx context.Context, _ *struct{}) (*sessionStateOutput, error) {
	if actor, isSignedIn := web.ActorOf(ctx); isSignedIn {
		me, err := s.members.Me(ctx, actor.ID)
		return &sessionStateOutput{Body: SessionState{Member: &me}}, err
	}
	code := fault.From(signedOutOf(ctx)).Code
	out := &sessionStateOutput{Body: SessionState{Code: code}}
	if code == errRevoked.Code {
		out.ClearSiteData = clearCache
	}
	return out, nil
}

func (s *Service) signOut(ctx context.Context, _ *struct{}) (*signedOutOutput, error) {
	actor, _ := web.ActorOf(ctx)
	err := s.SignOut(ctx, actor)
	web.LogSecurity(ctx, web.EventSignOut, err, "ended", actor.SessionID)
	if err != nil {
		return nil, err
	}
	return s.signedOutOutput(""), nil
}

type sessionsOutput struct {
	Body []Session
}

func (s *Service) listSessions(ctx context.Context, _ *struct{}) (*sessionsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	sessions, err := s.Sessions(ctx, actor)
	return &sessionsOutput{Body: sessions}, err
}

type endSessionInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

func (s *Service) endSession(ctx context.Context, in *endSessionInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	err := s.EndSession(ctx, actor, in.ID)
	web.LogSecurity(ctx, web.EventSignOut, err, "ended", in.ID)
	return nil, err
}

func (s *Service) endOtherSessions(ctx context.Context, _ *struct{}) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	ended, err := s.EndOtherSessions(ctx, actor)
	web.LogSecurity(ctx, web.EventSignOut, err, "ended", ended)
	return nil, err
}

type disownInput struct {
	Body struct {
		Token string `json:"token" minLength:"1" maxLength:"100"`
	}
}

type disownOutput struct{ Body Disowned }

func (s *Service) disown(ctx context.Context, in *disownInput) (*disownOutput, error) {
	disowned, err := s.Disown(ctx, browserOf(ctx), in.Body.Token)
	web.LogSecurity(ctx, web.EventDisown, err)
	return &disownOutput{Body: disowned}, err
}

type locationOutput struct {
	Location string `header:"Location"`
}

func (s *Service) redirectToSignUp(ctx context.Context, _ *struct{}) (*locationOutput, error) {
	if _, signedIn := web.ActorOf(ctx); signedIn {
		return &locationOutput{Location: "/"}, nil
	}
	return &locationOutput{Location: "/signup"}, nil
}

type signOutAndRedirectInput struct {
	Site string `header:"Sec-Fetch-Site"`
}

// signOutAndRedirect returns Forbidden for a request from another site: a link or
// picture there must not sign members out.
func (s *Service) signOutAndRedirect(ctx context.Context, in *signOutAndRedirectInput) (*signedOutOutput, error) {
	if in.Site != "" && in.Site != "same-origin" && in.Site != "none" {
		return nil, errCrossSiteSignOut
	}
	if actor, signedIn := web.ActorOf(ctx); signedIn {
		err := s.SignOut(ctx, actor)
		web.LogSecurity(ctx, web.EventSignOut, err, "ended", actor.SessionID)
		if err != nil {
			return nil, err
		}
	}
	return s.signedOutOutput("/"), nil
}
