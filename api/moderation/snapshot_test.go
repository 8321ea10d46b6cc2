package moderation

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"heartward/api/members"
)

// A snapshot has a field for every free text that a profile shows to others, and all
// fields of the same name are copied.
func TestSnapshot_ContainsEveryTextOfProfile(t *testing.T) {
	t.Parallel()
	var member members.PublicMember
	profile := reflect.ValueOf(&member).Elem()
	for _, f := range reflect.VisibleFields(profile.Type()) {
		switch value := profile.FieldByIndex(f.Index); value.Kind() {
		case reflect.String:
			value.SetString(f.Name)
		case reflect.Int:
			value.SetInt(40)
		case reflect.Slice:
			value.Set(reflect.MakeSlice(value.Type(), 1, 1))
		case reflect.Array:
			value.Index(0).SetUint(1)
		}
	}
	result := reflect.ValueOf(snapshot(member))
	for _, f := range reflect.VisibleFields(profile.Type()) {
		field := result.FieldByName(f.Name)
		text := f.Type.Kind() == reflect.String || f.Type == reflect.TypeFor[[]members.Prompt]()
		if !field.IsValid() {
			assert.False(t, text, "Snapshot lacks the text %s of a profile", f.Name)
			continue
		}
		assert.Equal(t, profile.FieldByIndex(f.Index).Interface(), field.Interface(), "%s is not copied", f.Name)
	}
	assert.Len(t, result.FieldByName("PhotoIDs").Interface(), 1)
}
