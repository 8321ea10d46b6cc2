package pulse

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// Register adds the operations on the Love Pulse to api. The paths of one member's entries exist for
// that member only.
func Register(api web.API, s *Service) {
	api = api.WithMaxBody(32 << 10)
	h := handlers{s}
	web.Post(api, web.Member, "save-love-pulse", "/api/love-pulse",
		"Save the caller's entry of today, or of yesterday if it waited on the device; idempotent", h.save)
	// Before the dates, whose pattern these paths would match.
	web.Get(api, web.Member, "get-love-pulse-streak", "/api/love-pulse/{userId}/streak",
		"Get the days in a row with an entry", h.streak)
	web.Get(api, web.Member, "list-love-pulse", "/api/love-pulse/{userId}/history",
		"List the caller's entries, the newest first", h.history)
	web.Get(api, web.Member, "get-love-pulse-year", "/api/love-pulse/{userId}/years/{year}",
		"List the moods of a year's days", h.year)
	web.Get(api, web.Member, "get-love-pulse", "/api/love-pulse/{userId}/{date}",
		"Get the caller's entry of a day", h.day)
	web.Get(api, web.Member, "get-together", "/api/together",
		"Get the space of the caller's graduated couple", h.together)
	web.Put(api, web.Member, "share-love-pulse", "/api/together",
		"Set whether the caller shares the Love Pulse with the partner; idempotent", h.share)
	web.Get(api, web.Member, "list-together", "/api/together/days",
		"List the days on which both shared, the newest first", h.sharedDays)
}

type handlers struct{ s *Service }

type entryOutput struct{ Body DailyEntry }

type saveInput struct {
	Body struct {
		UserID     uuid.UUID  `json:"userId" format:"uuid" doc:"The caller"`
		Date       string     `json:"date" format:"date" doc:"That in the time zone when the member wrote, or the day before"`
		Question   Question   `json:"question" doc:"That of the date"`
		Response   string     `json:"response" minLength:"1" maxLength:"1100" doc:"{emoji} {mood label}: {reflection}, with a reflection of at most 1,000 characters"`
		TimeZone   string     `json:"timeZone,omitempty" maxLength:"64" example:"Europe/Vienna" doc:"Where the member wrote; by default that of the notification settings"`
		ClientID   *uuid.UUID `json:"clientId,omitempty" nullable:"true" format:"uuid" doc:"Of this edit; a repetition changes nothing"`
		AgeSeconds int        `json:"ageSeconds,omitempty" minimum:"0" maximum:"604800" doc:"Since the member wrote, for an edit that waited on the device"`
	}
}

func (h handlers) save(ctx context.Context, in *saveInput) (*entryOutput, error) {
	actor, _ := web.ActorOf(ctx)
	b := in.Body
	edit := Edit{Date: b.Date, Question: string(b.Question), Response: b.Response, TimeZone: b.TimeZone, Age: time.Duration(b.AgeSeconds) * time.Second}
	if b.ClientID != nil {
		edit.ClientID = *b.ClientID
	}
	entry, err := h.s.Save(ctx, actor.ID, b.UserID, edit)
	return &entryOutput{entry}, err
}

type dayInput struct {
	UserID uuid.UUID `path:"userId" format:"uuid"`
	Date   string    `path:"date" format:"date"`
}

func (h handlers) day(ctx context.Context, in *dayInput) (*entryOutput, error) {
	actor, _ := web.ActorOf(ctx)
	entry, err := h.s.Day(ctx, actor.ID, in.UserID, in.Date)
	return &entryOutput{entry}, err
}

type streakInput struct {
	UserID   uuid.UUID `path:"userId" format:"uuid"`
	TimeZone string    `query:"timeZone" maxLength:"64" doc:"Decides which day is today; by default that of the notification settings"`
}

type streakOutput struct{ Body DayStreak }

func (h handlers) streak(ctx context.Context, in *streakInput) (*streakOutput, error) {
	actor, _ := web.ActorOf(ctx)
	streak, err := h.s.Streak(ctx, actor.ID, in.UserID, in.TimeZone)
	return &streakOutput{streak}, err
}

type historyInput struct {
	UserID uuid.UUID `path:"userId" format:"uuid"`
	web.Page
}

type historyOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []DailyEntry
}

func (h handlers) history(ctx context.Context, in *historyInput) (*historyOutput, error) {
	actor, _ := web.ActorOf(ctx)
	entries, next, err := h.s.History(ctx, actor.ID, in.UserID, in.Page)
	return &historyOutput{web.NextLink("/api/love-pulse/"+in.UserID.String()+"/history", in.Page.Query(), next), entries}, err
}

type yearInput struct {
	UserID uuid.UUID `path:"userId" format:"uuid"`
	Year   int       `path:"year" minimum:"2000" maximum:"2999"`
}

type yearOutput struct{ Body []MoodDay }

func (h handlers) year(ctx context.Context, in *yearInput) (*yearOutput, error) {
	actor, _ := web.ActorOf(ctx)
	days, err := h.s.Year(ctx, actor.ID, in.UserID, in.Year)
	return &yearOutput{days}, err
}

type togetherOutput struct{ Body Together }

func (h handlers) together(ctx context.Context, _ *struct{}) (*togetherOutput, error) {
	actor, _ := web.ActorOf(ctx)
	together, err := h.s.Together(ctx, actor.ID)
	return &togetherOutput{together}, err
}

type shareInput struct {
	Body struct {
		Shares bool `json:"shares"`
	}
}

func (h handlers) share(ctx context.Context, in *shareInput) (*togetherOutput, error) {
	actor, _ := web.ActorOf(ctx)
	together, err := h.s.Share(ctx, actor.ID, in.Body.Shares)
	return &togetherOutput{together}, err
}

type sharedDaysOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []SharedDay
}

func (h handlers) sharedDays(ctx context.Context, in *web.Page) (*sharedDaysOutput, error) {
	actor, _ := web.ActorOf(ctx)
	days, next, err := h.s.SharedDays(ctx, actor.ID, *in)
	return &sharedDaysOutput{web.NextLink("/api/together/days", in.Query(), next), days}, err
}
