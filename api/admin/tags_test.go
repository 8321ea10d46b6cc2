package admin_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/files"
	"heartward/api/platform/testkit"
)

func TestSetIntentionTags_ReplacesListWithAuditRow(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	before, err := w.s.IntentionTags(t.Context())
	require.NoError(t, err)
	stored, err := w.s.SetIntentionTags(t.Context(), w.admin, []string{" Slow dating ", "Marriage"}, "fewer words")
	require.NoError(t, err)
	require.Equal(t, []string{"Slow dating", "Marriage"}, stored)
	now, err := w.s.IntentionTags(t.Context())
	require.NoError(t, err)
	require.Equal(t, stored, now)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'settings.intention_tags' AND admin_id = $1 AND reason = 'fewer words'
		AND detail = jsonb_build_object('before', $2::jsonb, 'after', $3::jsonb)`, w.admin, before, stored))
}

func TestSetIntentionTags_RefusesInvalidLists(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for name, tags := range map[string][]string{
		"none": {}, "an empty one": {"Marriage", "  "}, "one twice": {"Marriage", "marriage "},
		"a long one": {strings.Repeat("x", 41)}, "a line break": {"a\nb"},
	} {
		_, err := w.s.SetIntentionTags(t.Context(), w.admin, tags, "reason")
		testkit.RequireKind(t, err, fault.Invalid, name)
		testkit.RequireInvalid(t, err, "tags")
	}
	_, err := w.s.SetIntentionTags(t.Context(), w.admin, []string{"Marriage"}, " ")
	testkit.RequireInvalid(t, err, "reason")
	tags, err := w.s.IntentionTags(t.Context())
	require.NoError(t, err)
	require.Greater(t, len(tags), 5, "nothing was changed")
	require.Zero(t, w.Count(`SELECT count(*) FROM audit_log`))
}

// A member keeps a removed tag until they remove it themselves; others cannot choose it.
func TestSetIntentionTags_MembersKeepRemovedTag(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close() })
	profiles := members.New(w.Pool, blobs.New(w.Pool, store))
	choose := func(member uuid.UUID, tags ...string) error {
		_, err := profiles.Change(t.Context(), member, members.Changes{IntentionTags: members.Field[[]string]{Sent: true, Value: &tags}})
		return err
	}
	_, err = w.s.SetIntentionTags(t.Context(), w.admin, []string{"Slow dating", "Marriage"}, "new")
	require.NoError(t, err)
	ann, ben := w.member("Ann Moss", ""), w.member("Ben Ash", "")
	require.NoError(t, choose(ann, "Slow dating"))
	_, err = w.s.SetIntentionTags(t.Context(), w.admin, []string{"Marriage"}, "unclear")
	require.NoError(t, err)

	require.NoError(t, choose(ann, "Slow dating", "Marriage"))
	testkit.RequireInvalid(t, choose(ben, "Slow dating"), "intentionTags")
	require.NoError(t, choose(ann, "Marriage"))
	testkit.RequireInvalid(t, choose(ann, "Slow dating"), "intentionTags")
}
