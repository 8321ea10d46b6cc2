package moderation

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"heartward/api/platform/web"
)

// registerSafety adds the operation for the safety center.
func registerSafety(api web.API, h handlers) {
	web.Get(api, web.Anyone, "get-safety", "/api/safety",
		"Get the operator's address and how fast reports are decided", h.safety)
}

// TransformSchema marks the references that may be null.
func (Safety) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "timeToAction", "load")
}

type safetyOutput struct{ Body Safety }

func (h handlers) safety(ctx context.Context, _ *struct{}) (*safetyOutput, error) {
	safety, err := h.s.Safety(ctx, time.Now())
	return &safetyOutput{safety}, err
}
