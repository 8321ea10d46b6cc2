package discovery

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// filterRequest is a FilterSet in a request. A missing field, which an older app does not
// know, has its default. null is a value, which is refused if the field does not allow it.
type filterRequest struct {
	FilterSet
	nulls []string
}

// UnmarshalJSON decodes the fields that are present over the defaults.
func (f *filterRequest) UnmarshalJSON(data []byte) error {
	set, err := decodeOverDefaults(data)
	if err != nil {
		return err
	}
	// A missing recentlyActive is false, not its default.
	var sent struct{ Compatibility struct{ RecentlyActive bool } }
	if err := json.Unmarshal(data, &sent); err != nil {
		return err
	}
	set.Compatibility.RecentlyActive = sent.Compatibility.RecentlyActive
	*f = filterRequest{FilterSet: set, nulls: nullFields(data, reflect.TypeFor[FilterSet]())}
	return nil
}

// Resolve refuses null for fields that must have a value. Huma treats null in an optional
// field like a missing field.
func (f *filterRequest) Resolve(_ huma.Context, prefix *huma.PathBuffer) (errs []error) {
	for _, path := range f.nulls {
		errs = append(errs, &huma.ErrorDetail{Location: prefix.With(path), Message: "expected a value instead of null"})
	}
	return errs
}

// TransformSchema makes all fields optional, including those of groups. It copies the
// schemas, because in responses all fields are required.
func (f filterRequest) TransformSchema(r huma.Registry, s *huma.Schema) *huma.Schema {
	s = f.FilterSet.TransformSchema(r, s)
	s.Required = nil
	for name, property := range s.Properties {
		if property.Ref == "" {
			continue
		}
		group := *r.SchemaFromRef(property.Ref)
		group.Required = nil
		s.Properties[name] = &group
	}
	return s
}

// nullFields returns the paths of the fields that are null in data although their type in
// t does not allow it.
func nullFields(data []byte, t reflect.Type) (paths []string) {
	var values map[string]json.RawMessage
	if json.Unmarshal(data, &values) != nil {
		return nil
	}
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous {
			paths = append(paths, nullFields(data, field.Type)...)
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		value, sent := values[name]
		switch {
		case !sent:
		case bytes.Equal(value, []byte("null")):
			if field.Type.Kind() != reflect.Pointer {
				paths = append(paths, name)
			}
		case field.Type.Kind() == reflect.Struct:
			for _, inner := range nullFields(value, field.Type) {
				paths = append(paths, name+"."+inner)
			}
		}
	}
	return paths
}
