package graduation_test

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/graduation"
	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/mail"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// wallPictures returns the pictures of the only couple on the wall.
func (w *env) wallPictures() []uuid.UUID {
	w.Helper()
	entries, _, err := w.Wall(w.Context(), uuid.Nil, web.Page{Limit: 50})
	require.NoError(w, err)
	require.Len(w, entries, 1)
	return idsOf(entries[0].Pictures)
}

// The pictures of the member who accepts are on the wall only while the member who asked agrees to them.
func TestAgree_ShowsThePicturesOfThePartner(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.pair("Ann", "Ben")
	hers, his := w.addPhoto(ann), w.addPhoto(ben)
	w.ask(ann, ben, hers)
	_, err := w.Agree(t.Context(), ann, []uuid.UUID{his})
	testkit.RequireKind(t, err, fault.NotFound, "before the acceptance")
	require.NoError(t, w.Approve(t.Context(), w.moderator, w.accept(ben, his), ""))

	require.Equal(t, []uuid.UUID{hers}, w.wallPictures())
	require.False(t, w.reads(web.Actor{}, his))
	require.True(t, w.reads(web.Actor{ID: ann}, his), "she has to see it to agree")
	require.False(t, w.state(ann).Couple.PartnerPictures[0].IsAgreed)

	for range 2 {
		state, err := w.Agree(t.Context(), ann, []uuid.UUID{his})
		require.NoError(t, err)
		require.True(t, state.Couple.PartnerPictures[0].IsAgreed)
	}
	require.Equal(t, []uuid.UUID{hers, his}, w.wallPictures())
	require.True(t, w.reads(web.Actor{}, his))

	walls := w.walls.Load()
	_, err = w.Agree(t.Context(), ann, []uuid.UUID{})
	require.NoError(t, err)
	require.Equal(t, walls+1, w.walls.Load(), "the readers of the wall are told")
	_, err = w.Agree(t.Context(), ben, []uuid.UUID{})
	require.NoError(t, err)
	require.Empty(t, w.wallPictures())
	for _, picture := range []uuid.UUID{hers, his} {
		require.False(t, w.reads(web.Actor{}, picture))
	}
	_, err = w.Agree(t.Context(), ann, []uuid.UUID{hers})
	testkit.RequireKind(t, err, fault.Conflict, "a picture that is not the partner's")
	_, err = w.Agree(t.Context(), w.join("Cleo"), []uuid.UUID{})
	testkit.RequireKind(t, err, fault.NotFound, "without a couple")
}

// An acceptance agrees to the pictures that it names, and is refused if the request has others.
func TestAccept_NamesThePicturesThatWereSeen(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.pair("Ann", "Ben")
	first, second := w.addPhoto(ann), w.addPhoto(ann)
	w.ask(ann, ben, first, second)
	id := w.state(ben).Requests[0].ID
	accept := func(seen ...uuid.UUID) error {
		_, err := w.Accept(t.Context(), ben, id, graduation.Acceptance{OnWall: true, Seen: seen})
		return err
	}
	for name, seen := range map[string][]uuid.UUID{"none": nil, "one": {first}, "another": {first, uuid.New()}} {
		testkit.RequireKind(t, accept(seen...), fault.Conflict, name)
		require.Nil(t, w.state(ben).Couple, "nothing is accepted")
	}
	_, err := w.SetWall(t.Context(), ann, true, []uuid.UUID{second})
	require.NoError(t, err)
	testkit.RequireKind(t, accept(first, second), fault.Conflict, "taken off meanwhile")
	require.NoError(t, accept(second))
	_, err = w.Agree(t.Context(), ben, nil)
	require.NoError(t, err)
	require.NoError(t, accept(second), "a repetition")
	require.False(t, w.state(ann).Couple.Pictures[0].IsAgreed, "a repetition does not agree again")
}

// A member who answers a request by asking, too, has not seen its pictures.
func TestAsk_AgreesToNoPictures(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.pair("Ann", "Ben")
	w.ask(ann, ben, w.addPhoto(ann))
	state := w.ask(ben, ann, w.addPhoto(ben))
	require.Equal(t, "pending", state.Couple.Status)
	require.False(t, state.Couple.PartnerPictures[0].IsAgreed)
	require.NoError(t, w.Approve(t.Context(), w.moderator, state.Couple.ID, ""))
	require.Empty(t, w.wallPictures())
}

func TestApprove_NeedsNoReason(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.pair("Ann", "Ben")
	w.ask(ann, ben)
	require.NoError(t, w.Approve(t.Context(), w.moderator, w.accept(ben), " "))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'graduation.graduated' AND subject_id = $1 AND reason <> ''`, ann))
}

// A ban ends the couple and requests, a suspension only hides them.
func TestBan_EndsTheCouple(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.pair("Ann", "Ben")
	cleo := w.join("Cleo")
	w.match(ben, cleo)
	w.ask(ann, ben)
	require.NoError(t, w.Approve(t.Context(), w.moderator, w.accept(ben), ""))
	w.ask(cleo, ben)
	set := func(status string, change moderation.StatusChange) {
		t.Helper()
		change.Status, change.Reason = status, "Seen"
		if status != "active" {
			change.Explanation = "Seen."
		}
		require.NoError(t, w.reports.SetStatus(t.Context(), w.moderator, ben, change))
	}
	walls := w.walls.Load()
	set("under_review", moderation.StatusChange{})
	require.Empty(t, w.names(uuid.Nil))
	require.Equal(t, walls+1, w.walls.Load())
	require.Equal(t, "graduated", w.state(ann).Couple.Status)
	set("active", moderation.StatusChange{})
	require.Equal(t, []string{"Ann+Ben"}, w.names(uuid.Nil))

	walls, changes := w.walls.Load(), w.changes.Load()
	set("suspended", moderation.StatusChange{})
	require.Equal(t, walls+1, w.walls.Load())
	require.EqualValues(t, 3, w.changes.Load()-changes, "the member, the partner, and the one whose request ended")
	require.Nil(t, w.state(ann).Couple)
	require.Equal(t, "withdrawn", w.state(ann).Ended.Status)
	require.True(t, w.state(ann).IsGraduated, "only the member's own choice returns them to discovery")
	require.Nil(t, w.state(cleo).Couple)
	require.Zero(t, w.Count(`SELECT count(*) FROM couple_members`))
	set("active", moderation.StatusChange{})
	require.Empty(t, w.names(uuid.Nil), "the end of a ban does not bring the couple back")
}

// mailed runs the mails of requests, and returns those to an address.
func (w *env) mailed(address string) []mail.Stored {
	w.Helper()
	folder, err := mail.NewFolder(w.TempDir())
	require.NoError(w, err)
	for _, raw := range testkit.SelectAll[string](w, w.Pool, `SELECT args::text FROM river_job WHERE kind = 'graduation_mail' ORDER BY id`) {
		var args graduation.MailArgs
		require.NoError(w, json.Unmarshal([]byte(raw), &args))
		require.NoError(w, graduation.SendRequest(w.Context(), w.Pool, folder, "https://heartward.test", args))
	}
	mails, err := folder.List(address, 10)
	require.NoError(w, err)
	return mails
}

func TestAsk_MailsThePartner(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.pair("Ann", "Ben")
	for range 2 {
		w.ask(ann, ben)
	}
	mails := w.mailed("ben@example.test")
	require.Len(t, mails, 1)
	require.Equal(t, "Ann wants to graduate with you", mails[0].Subject)
	require.Contains(t, mails[0].Text, "Hi Ben,")
	require.Contains(t, mails[0].Text, "https://heartward.test/graduation")
	require.NotContains(t, mails[0].Text, "We met here.", "the words are read in the app")
	require.NotContains(t, mails[0].Text, "Doe")
	require.Empty(t, w.mailed("ann@example.test"))

	w.SetPreference(ben, "graduation", false)
	require.Empty(t, w.mailed("ben@example.test"), "who turned it off")
	w.Exec(`DELETE FROM notification_settings`)
	w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, ann)
	require.Empty(t, w.mailed("ben@example.test"), "the asking member is not active")
	w.Exec(`UPDATE users SET profile_status = 'active' WHERE id = $1`, ann)
	_, err := w.Withdraw(t.Context(), ann)
	require.NoError(t, err)
	require.Empty(t, w.mailed("ben@example.test"), "withdrawn before it was sent")
	w.ask(ann, ben)
	require.Empty(t, w.mailed("ben@example.test"), "asked again on the same day")
	w.Exec(`UPDATE graduated_couples SET requested_at = requested_at - interval '25 hours' WHERE status <> 'asked'`)
	require.Len(t, w.mailed("ben@example.test"), 1)
	w.accept(ben)
	require.Empty(t, w.mailed("ben@example.test"), "answered")
}

// An address that is not that of a match gets no mail, whoever it belongs to.
func TestAsk_MailsNoOtherAddress(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, _ := w.pair("Ann", "Ben")
	w.join("Cleo")
	for _, address := range []string{"cleo@example.test", "nobody@example.test"} {
		_, err := w.Ask(t.Context(), ann, graduation.Ask{Address: address})
		require.NoError(t, err)
		_, err = w.Withdraw(t.Context(), ann)
		require.NoError(t, err)
	}
	require.Zero(t, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'graduation_mail'`))
	_, err := w.Ask(t.Context(), ann, graduation.Ask{Address: "ben@example.test"})
	require.NoError(t, err)
	require.Len(t, w.mailed("ben@example.test"), 1, "a match by the address")
}
