// Package nilcheck checks the dependencies of constructors, so that a process with a
// missing dependency fails at its start and not in a request or job.
package nilcheck

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Deps are the dependencies of a constructor, by name.
type Deps map[string]any

// Check returns an error that names the dependencies that are nil. A nil
// pointer in an interface counts as nil.
func Check(constructor string, deps Deps) error {
	var missing []string
	for _, name := range slices.Sorted(maps.Keys(deps)) {
		if isNil(deps[name]) {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("%s: nil %s", constructor, strings.Join(missing, ", "))
}

// Must is Check for constructors that return no error: it panics.
func Must(constructor string, deps Deps) {
	if err := Check(constructor, deps); err != nil {
		panic(err)
	}
}

func isNil(dependency any) bool {
	if dependency == nil {
		return true
	}
	switch value := reflect.ValueOf(dependency); value.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Func, reflect.Map, reflect.Chan, reflect.Slice:
		return value.IsNil()
	default:
		return false
	}
}
