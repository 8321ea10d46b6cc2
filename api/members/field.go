package members

import (
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// Field is an input that may be missing, null or a value. Missing leaves the
// profile as it is, null clears what can be cleared.
type Field[T any] struct {
	Sent  bool
	Value *T // nil for null
}

// UnmarshalJSON is called for what was sent only, null included.
func (f *Field[T]) UnmarshalJSON(raw []byte) error {
	f.Sent = true
	return json.Unmarshal(raw, &f.Value)
}

// Schema tells Huma that a Field is a T or null.
func (Field[T]) Schema(r huma.Registry) *huma.Schema {
	s := *r.Schema(reflect.TypeFor[T](), true, "")
	s.Nullable = true
	return &s
}

// orZero is the value, or T's zero for null.
func (f Field[T]) orZero() T {
	if f.Value == nil {
		var zero T
		return zero
	}
	return *f.Value
}
