package web

import "github.com/danielgtaylor/huma/v2"

// NullableRefs allows null for the given fields of a response's schema, which must be
// references to object schemas. Call it in TransformSchema of the response type. Huma's
// tag `nullable` supports only scalar types.
func NullableRefs(schema *huma.Schema, fields ...string) *huma.Schema {
	for _, name := range fields {
		property := schema.Properties[name]
		schema.Properties[name] = &huma.Schema{
			Description: property.Description,
			OneOf:       []*huma.Schema{{Ref: property.Ref}, {Type: "null"}},
		}
	}
	return schema
}
