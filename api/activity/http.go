package activity

import (
	"context"
	"time"

	"heartward/api/platform/web"
)

// Register adds the operations of package activity to api.
func Register(api web.API, s *Service) {
	web.Get(api, web.Member, "list-activity", "/api/users/me/activity",
		"List the caller's activity, the newest first", s.handleList)
	web.Get(api, web.Member, "list-notifications", "/api/notifications",
		"List what happened to the caller in the last 90 days, the newest first", s.handleNotifications)
	web.Get(api, web.Member, "count-unread-notifications", "/api/notifications/unread",
		"Count the caller's unread notifications", s.handleUnread)
	web.Post(api, web.Member, "read-notifications", "/api/notifications/read",
		"Mark notifications of the caller as read", s.handleRead, web.MaxBody(32<<10))
}

type listOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []Item
}

func (s *Service) handleList(ctx context.Context, in *web.Page) (*listOutput, error) {
	actor, _ := web.ActorOf(ctx)
	items, next, err := s.List(ctx, actor, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	query := in.Query()
	return &listOutput{Link: web.NextLink("/api/users/me/activity", query, next), Body: items}, nil
}

type notificationsOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []Notification
}

func (s *Service) handleNotifications(ctx context.Context, in *web.Page) (*notificationsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	items, next, err := s.Notifications(ctx, actor, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	query := in.Query()
	return &notificationsOutput{Link: web.NextLink("/api/notifications", query, next), Body: items}, nil
}

// UnreadCount is the number of unread notifications.
type UnreadCount struct {
	Unread int `json:"unread" maximum:"100" doc:"At most 100, for 100 or more"`
}

type unreadOutput struct{ Body UnreadCount }

func (s *Service) handleUnread(ctx context.Context, _ *struct{}) (*unreadOutput, error) {
	actor, _ := web.ActorOf(ctx)
	count, err := s.CountUnread(ctx, actor.ID)
	return &unreadOutput{Body: UnreadCount{count}}, err
}

type readInput struct {
	Body struct {
		Items []ReadItem `json:"items" required:"false" maxItems:"100" doc:"Notifications that were opened"`
		Until *time.Time `json:"until" required:"false" nullable:"true" doc:"Marks all up to this time: that of the newest notification that the caller has seen"`
	}
}

func (s *Service) handleRead(ctx context.Context, in *readInput) (*unreadOutput, error) {
	actor, _ := web.ActorOf(ctx)
	var until time.Time
	if in.Body.Until != nil {
		until = *in.Body.Until
	}
	count, err := s.Read(ctx, actor, in.Body.Items, until)
	return &unreadOutput{Body: UnreadCount{count}}, err
}
