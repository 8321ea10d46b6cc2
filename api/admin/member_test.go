package admin_test

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

// An admin sees no words of the profile and no religion.
func TestMember_HasNoContents(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("Ann Moss", `bio = 'secret words', love_reflection = 'secret words', religion = 'jewish', city = 'Portland'`)
	member, err := w.s.Member(t.Context(), w.admin, ann)
	require.NoError(t, err)
	require.Equal(t, []any{ann, "Ann Moss", ann.String() + "@example.test", "Portland", "active"},
		[]any{member.ID, member.FullName, member.Email, member.City, member.ProfileStatus})
	text, err := json.Marshal(member)
	require.NoError(t, err)
	require.NotContains(t, string(text), "secret words")
	require.NotContains(t, string(text), "jewish")
	_, err = w.s.Member(t.Context(), w.admin, uuid.New())
	testkit.RequireKind(t, err, fault.NotFound)
}

func TestSetFeatured_RecordsEachChange(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("Ann Moss", "")
	for _, featured := range []bool{true, true, false} {
		require.NoError(t, w.s.SetFeatured(t.Context(), w.admin, ann, new(featured), "a good profile"))
		member, err := w.s.Member(t.Context(), w.admin, ann)
		require.NoError(t, err)
		require.Equal(t, featured, member.IsFeatured)
	}
	for _, featured := range []bool{true, false} { // turned over
		require.NoError(t, w.s.SetFeatured(t.Context(), w.admin, ann, nil, "a good profile"))
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM users WHERE id = $1 AND is_featured = $2`, ann, featured))
	}
	require.Equal(t, 4, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'member.featured' AND subject_id = $1 AND admin_id = $2`, ann, w.admin))
	testkit.RequireInvalid(t, w.s.SetFeatured(t.Context(), w.admin, ann, new(true), " "), "reason")
	for id, kind := range map[uuid.UUID]fault.Kind{w.admin: fault.Forbidden, uuid.New(): fault.NotFound} {
		testkit.RequireKind(t, w.s.SetFeatured(t.Context(), w.admin, id, new(true), "x"), kind, kind)
	}
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM users WHERE id = $1 AND NOT is_featured`, ann), "a refused change is rolled back")
}
