package api

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"heartward/api/platform/web"
)

// newDocs groups the operations of the document by feature.
func newDocs(document *huma.OpenAPI) docs {
	page := docs{Title: document.Info.Title, Description: document.Info.Description, Version: document.Info.Version}
	groups := map[string][]docsOperation{}
	for path, item := range document.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Head, item.Post, item.Put, item.Patch, item.Delete} {
			if op == nil {
				continue
			}
			tag := "other"
			if len(op.Tags) > 0 {
				tag = op.Tags[0]
			}
			groups[tag] = append(groups[tag], describe(document, path, op))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		operations := groups[name]
		slices.SortFunc(operations, func(a, b docsOperation) int {
			return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Method, b.Method))
		})
		page.Groups = append(page.Groups, docsGroup{Name: name, Operations: operations})
	}
	return page
}

func describe(document *huma.OpenAPI, path string, op *huma.Operation) docsOperation {
	access, _ := op.Metadata[web.AccessKey].(web.Access)
	out := docsOperation{Method: op.Method, Path: path, Summary: op.Summary, Description: op.Description, Access: access}
	for _, p := range op.Parameters {
		out.Inputs = append(out.Inputs, docsField{p.Name, p.In, typeName(p.Schema), p.Description})
	}
	if op.RequestBody != nil {
		for kind, media := range op.RequestBody.Content {
			out.Inputs = append(out.Inputs, bodyFields(document, kind, media.Schema)...)
		}
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		out.Responses = append(out.Responses, strings.TrimSpace(status+" "+op.Responses[status].Description))
	}
	return out
}

func bodyFields(document *huma.OpenAPI, kind string, schema *huma.Schema) []docsField {
	if schema.Ref != "" {
		schema = document.Components.Schemas.SchemaFromRef(schema.Ref)
	}
	var fields []docsField
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		property := schema.Properties[name]
		location := kind
		if slices.Contains(schema.Required, name) {
			location += ", required"
		}
		fields = append(fields, docsField{name, location, typeName(property), property.Description})
	}
	return fields
}

func typeName(schema *huma.Schema) string {
	switch {
	case schema == nil:
		return ""
	case schema.Ref != "":
		return schema.Ref[strings.LastIndex(schema.Ref, "/")+1:]
	case schema.Type == "array":
		return "list of " + typeName(schema.Items)
	}
	name := schema.Type
	if schema.Format != "" {
		name = schema.Format
	}
	if len(schema.Enum) > 0 {
		choices := make([]string, len(schema.Enum))
		for i, choice := range schema.Enum {
			choices[i] = fmt.Sprint(choice)
		}
		name = strings.Join(choices, " | ")
	}
	return name
}
