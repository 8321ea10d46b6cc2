package nilcheck_test

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/nilcheck"
)

func TestCheck_NamesEveryNilDependency(t *testing.T) {
	t.Parallel()
	var pointer *strings.Reader
	var hidden io.Reader = pointer
	var none io.Reader
	err := nilcheck.Check("talk.New", nilcheck.Deps{
		"a": strings.NewReader(""), "d": hidden, "c": pointer, "b": none, "e": func() {}, "f": (func())(nil), "g": 0, "h": struct{}{},
	})
	require.EqualError(t, err, "talk.New: nil b, c, d, f")
	require.NoError(t, nilcheck.Check("talk.New", nilcheck.Deps{"a": strings.NewReader("")}))
	require.PanicsWithError(t, "talk.New: nil b", func() { nilcheck.Must("talk.New", nilcheck.Deps{"b": none}) })
}
