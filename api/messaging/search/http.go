package search

import (
	"context"

	"heartward/api/platform/web"
)

// Register adds the search. It is for members.
func Register(api web.API, s *Service) {
	h := handlers{s}
	web.Post(api, web.Member, "search-messages", "/api/messages/search",
		"Search the caller's conversations for messages that contain a text, the newest first", h.search)
}

type handlers struct{ s *Service }

type searchInput struct {
	web.Page
	Body struct {
		Q string `json:"q" minLength:"2" maxLength:"100" doc:"The text to find; case is ignored. It is not in the address, which proxies log"`
	}
}

type searchOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []Found
}

func (h handlers) search(ctx context.Context, in *searchInput) (*searchOutput, error) {
	actor, _ := web.ActorOf(ctx)
	found, next, err := h.s.Search(ctx, actor, in.Body.Q, in.Cursor, in.Limit)
	return &searchOutput{Link: web.NextLink("/api/messages/search", nil, next), Body: found}, err
}
