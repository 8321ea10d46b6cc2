package notifications_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/notifications"
	"heartward/api/platform/fault"
	"heartward/api/platform/mail"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// unsubscribeToken returns the token of the link in a mail of a kind to a member.
func unsubscribeToken(member uuid.UUID, kind mail.Kind) string {
	return strings.TrimPrefix(mail.UnsubscribeLink("", mail.Subscription{Member: member, Kind: kind}), mail.UnsubscribePath)
}

// The link of a mail turns off its kind for its member, and nothing else; the undo turns on the same.
func TestSetMail_ChangesOnlyTheKindOfTheLink(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.SetPreference(w.a.ID, "likes", false)
	w.SetPreference(w.a.ID, "timeZone", "Asia/Tokyo")
	set := func(member uuid.UUID, kind mail.Kind, wanted bool) {
		t.Helper()
		got, err := w.s.SetMail(t.Context(), unsubscribeToken(member, kind), wanted)
		require.NoError(t, err)
		require.Equal(t, kind, got)
	}
	settings := func(member uuid.UUID) (digest, graduation bool) {
		t.Helper()
		s, err := w.s.Settings(t.Context(), web.Actor{ID: member})
		require.NoError(t, err)
		return s.Digest, s.Graduation
	}
	for kind, want := range map[mail.Kind][2]bool{mail.Digests: {false, true}, mail.Graduations: {true, false}, mail.Reminders: {true, true}} {
		set(w.a.ID, kind, false)
		set(w.a.ID, kind, false)
		digest, graduation := settings(w.a.ID)
		require.Equal(t, want, [2]bool{digest, graduation}, kind)
		require.Equal(t, kind == mail.Reminders, w.Count(`SELECT count(*) FROM members_without_start_reminders WHERE user_id = $1`, w.a.ID) == 1, kind)
		digest, graduation = settings(w.b.ID)
		require.True(t, digest && graduation, "another member")
		set(w.a.ID, kind, true)
		digest, graduation = settings(w.a.ID)
		require.True(t, digest && graduation, kind)
	}
	all, err := w.s.Settings(t.Context(), w.a)
	require.NoError(t, err)
	want := notifications.Defaults()
	want.Likes, want.TimeZone = false, "Asia/Tokyo"
	require.Equal(t, want, all, "nothing else")
	set(w.b.ID, mail.Digests, false)
	digest, _ := settings(w.b.ID)
	require.False(t, digest, "a member without settings")
	set(uuid.New(), mail.Digests, false) // a deleted member
	token := unsubscribeToken(w.a.ID, mail.Digests)
	for _, bad := range []string{"", "x", token[1:], token + "A", strings.Repeat("A", 5000)} {
		_, err := notifications.CheckUnsubscribe(bad)
		testkit.RequireKind(t, err, fault.NotFound, bad)
		_, err = w.s.SetMail(t.Context(), bad, false)
		testkit.RequireKind(t, err, fault.NotFound, bad)
	}
}
