package testkit

import (
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// RequireValid fails the test unless the documents, as an object with their names as its keys, are valid for a JSON
// Schema, also in their formats.
func RequireValid(t testing.TB, schema string, documents map[string]string) {
	t.Helper()
	parse := func(name, text string) any {
		parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return parsed
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("schema.json", parse("the schema", schema)); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]any{}
	for name, text := range documents {
		all[name] = parse(name, text)
	}
	if err := compiled.Validate(all); err != nil {
		t.Errorf("%#v", err)
	}
}
