package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/media"
	"heartward/api/platform/web"
)

// operation is an operation of the OpenAPI document.
type operation struct {
	*huma.Operation
	method, path string
	access       web.Access
}

func (s *env) operations() []operation {
	var all []operation
	for path, item := range s.server.API.OpenAPI().Paths {
		for _, op := range []*huma.Operation{item.Get, item.Head, item.Post, item.Put, item.Patch, item.Delete} {
			if op != nil {
				access, _ := op.Metadata[web.AccessKey].(web.Access)
				all = append(all, operation{op, op.Method, path, access})
			}
		}
	}
	return all
}

func (s *env) resolve(schema *huma.Schema) *huma.Schema {
	if schema != nil && schema.Ref != "" {
		return s.server.API.OpenAPI().Components.Schemas.SchemaFromRef(schema.Ref)
	}
	return schema
}

// pathWith returns the operation's path with sample parameters, except that bad has
// value.
func (op operation) pathWith(s *env, bad *huma.Param, value string) string {
	path := op.path
	for _, p := range op.Parameters {
		if p.In != "path" {
			continue
		}
		fill := uuid.Must(uuid.NewV7()).String()
		if bad == p {
			fill = value
		} else if schema := s.resolve(p.Schema); schema.Type == "integer" {
			fill = "1"
		} else if schema.Format != "uuid" {
			fill = "full.webp"
		}
		path = strings.ReplaceAll(path, "{"+p.Name+"}", fill)
	}
	if bad == nil {
		return path
	}
	mark := "?"
	for _, p := range op.Parameters {
		switch {
		case p == bad && p.In == "query":
			path += mark + p.Name + "=" + value
		case p.In == "query" && p.Required:
			path += mark + p.Name + "=sample"
		default:
			continue
		}
		mark = "&"
	}
	return path
}

// sample returns a body with values of valid types.
func (op operation) sample(s *env) string { return op.sampleWith(s, "", nil) }

// sampleBody returns the sample and its content type.
func (op operation) sampleBody(s *env) (contentType, body string) {
	if op.RequestBody != nil && op.RequestBody.Content[media.PartType] != nil {
		return media.PartType, "0123456789"
	}
	return "application/json", op.sample(s)
}

func tinyPicture(t testing.TB) []byte {
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, image.NewGray(image.Rect(0, 0, 8, 8))))
	return out.Bytes()
}

// sampleWith returns the sample with one property replaced, or omitted if value is
// nil.
func (op operation) sampleWith(s *env, name string, value json.RawMessage) string {
	if op.RequestBody == nil || op.RequestBody.Content["application/json"] == nil {
		return ""
	}
	schema := s.resolve(op.RequestBody.Content["application/json"].Schema)
	body := map[string]any{}
	for property, propertySchema := range schema.Properties {
		if property != name {
			body[property] = sampleOf(s, s.resolve(propertySchema))
		}
	}
	for property, sample := range map[string]string{"email": "sample@example.test", "birthDate": "1990-02-03", "timeZone": "Europe/Vienna"} {
		if body[property] != nil && property != name {
			body[property] = sample
		}
	}
	if value != nil {
		body[name] = value
	}
	text, err := json.Marshal(body)
	require.NoError(s, err)
	return string(text)
}

// sampleID is an unknown id. All samples use it, because fields with the same meaning
// must be equal.
var sampleID = uuid.Must(uuid.NewV7()).String()

func sampleOf(s *env, schema *huma.Schema) any {
	switch {
	case schema.Type == "": // any type
		return nil
	case len(schema.Enum) > 0:
		return schema.Enum[0]
	case schema.Format == "uuid":
		return sampleID
	case schema.Format == "date-time":
		return time.Now().Add(24 * time.Hour).UTC().Format(time.RFC3339)
	case schema.Type == "integer", schema.Type == "number":
		if schema.Minimum != nil {
			return max(1, *schema.Minimum)
		}
		return 1
	case schema.Type == "boolean":
		return true
	case schema.Type == "array":
		items := []any{}
		for schema.MinItems != nil && len(items) < *schema.MinItems {
			items = append(items, sampleOf(s, s.resolve(schema.Items)))
		}
		return items
	case schema.Type == "object":
		inner := map[string]any{}
		for name, propertySchema := range schema.Properties {
			inner[name] = sampleOf(s, s.resolve(propertySchema))
		}
		return inner
	}
	return fmt.Sprintf("sample-%d", len(schema.Properties))
}
