package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humafiber"
)

// headerLines is a middleware for all operations. It writes each value of a header with several
// values on a line of its own.
func headerLines(ctx huma.Context, next func(huma.Context)) { next(lineContext{ctx}) }

// lineContext replaces AppendHeader of humafiber, which joins the values with commas: two cookies on
// one line are one cookie with the attributes of both.
type lineContext struct{ adapterContext }

// adapterContext names the embedded field, because huma.Context has a method Context.
type adapterContext huma.Context

// Unwrap returns the context of humafiber.
func (c lineContext) Unwrap() huma.Context { return c.adapterContext }

// WithContext returns the context with another context.Context, as huma.WithContext does.
func (c lineContext) WithContext(inner context.Context) huma.Context {
	return lineContext{huma.WithContext(c.adapterContext, inner)}
}

// AppendHeader adds a line to the header of the response.
func (c lineContext) AppendHeader(name, value string) {
	humafiber.Unwrap(c.adapterContext).Response().Header.Add(name, value)
}
