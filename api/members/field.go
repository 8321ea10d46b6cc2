package members

import (
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// Field is an input that may be missing, null or a value. A missing field is not changed;
// null clears it.
type Field[T any] struct {
	Sent  bool
	Value *T // nil for null
}

// UnmarshalJSON is called for fields that are present, including null.
func (f *Field[T]) UnmarshalJSON(raw []byte) error {
	f.Sent = true
	return json.Unmarshal(raw, &f.Value)
}

// Schema returns the schema of T or null.
func (Field[T]) Schema(r huma.Registry) *huma.Schema {
	s := *r.Schema(reflect.TypeFor[T](), true, "")
	s.Nullable = true
	return &s
}

// orZero returns the value, or the zero value of T for null.
func (f Field[T]) orZero() T {
	if f.Value == nil {
		var zero T
		return zero
	}
	return *f.Value
}
