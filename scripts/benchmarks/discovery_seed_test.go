package main

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/pgtest"
)

// The generated members have a value in every column of users that search reads, except
// those in unset.
func TestUserColumns_IncludeAllThatSearchReads(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	var definition string
	require.NoError(t, pool.QueryRow(t.Context(), `SELECT pg_get_functiondef('search_row'::regproc)`).Scan(&definition))
	unset := []string{"is_graduated", "is_approved", "profile_status"}
	for _, match := range regexp.MustCompile(`\bu\.([a-z_]+)`).FindAllStringSubmatch(definition, -1) {
		assert.Contains(t, append(unset, userColumns...), match[1], "discovery_seed.go does not fill a column that the search reads")
	}
}
