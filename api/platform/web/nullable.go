package web

import "github.com/danielgtaylor/huma/v2"

// OrNull says in the schema of an answer that these fields, each an object, may
// be null. Call it in the answer type's TransformSchema: Huma's own nullable
// tag knows plain values only.
func OrNull(schema *huma.Schema, fields ...string) *huma.Schema {
	for _, name := range fields {
		property := schema.Properties[name]
		schema.Properties[name] = &huma.Schema{
			Description: property.Description,
			OneOf:       []*huma.Schema{{Ref: property.Ref}, {Type: "null"}},
		}
	}
	return schema
}
