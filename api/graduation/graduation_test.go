package graduation_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/graduation"
	"heartward/api/matching"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func TestApprove_TakesBothOutOfDiscoveryAndOntoTheWall(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.pair("Ann", "Ben")
	hers, his := w.addPhoto(ann), w.addPhoto(ben)
	require.Equal(t, "asked", w.ask(ann, ben, hers).Couple.Status)
	require.Nil(t, w.state(ben).Couple)
	couple := w.accept(ben, his)
	require.Equal(t, "pending", w.state(ann).Couple.Status)
	_, err := w.Agree(t.Context(), ann, []uuid.UUID{his})
	require.NoError(t, err)
	require.True(t, w.found(ann), "a member stays in discovery until the approval")
	require.Empty(t, w.names(uuid.Nil))
	require.False(t, w.reads(web.Actor{}, hers))
	require.False(t, w.reads(web.Actor{ID: w.moderator, Moderator: true}, hers), "a moderator who has not opened the couple")
	opened, err := w.Open(t.Context(), w.moderator, couple, "To decide")
	require.NoError(t, err)
	require.True(t, opened.ShowOnLegacyWall)
	require.True(t, w.reads(web.Actor{ID: w.moderator, Moderator: true}, hers))

	before := w.changes.Load()
	for range 2 {
		require.NoError(t, w.Approve(t.Context(), w.moderator, couple, "Lovely"))
	}
	require.Equal(t, before+2, w.changes.Load(), "a repetition announces nothing")
	require.Equal(t, []string{"Ann+Ben"}, w.names(uuid.Nil))
	require.True(t, w.reads(web.Actor{}, hers))
	require.True(t, w.reads(web.Actor{}, his))
	for _, member := range []uuid.UUID{ann, ben} {
		require.False(t, w.found(member))
		require.True(t, w.state(member).IsGraduated)
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'notify_graduation' AND args ->> 'status' = 'graduated' AND args ->> 'memberId' = $1`, member.String()))
	}
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'graduation.graduated' AND subject_id = $1 AND admin_id = $2`, ann, w.moderator))

	entries, _, err := w.Wall(t.Context(), uuid.Nil, web.Page{Limit: 50})
	require.NoError(t, err)
	require.Equal(t, "We met here.", entries[0].LegacyMessage)
	require.Equal(t, []uuid.UUID{hers, his}, []uuid.UUID{entries[0].Pictures[0].ID, entries[0].Pictures[1].ID})
}

// The wall shows a couple only while both want it, and while both are members in good standing.
func TestWall_NeedsBoth(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben, _ := w.graduates("Ann", "Ben")
	for _, member := range []uuid.UUID{ann, ben} {
		require.Equal(t, []string{"Ann+Ben"}, w.names(uuid.Nil))
		_, err := w.SetWall(t.Context(), member, false, []uuid.UUID{})
		require.NoError(t, err)
		require.Empty(t, w.names(uuid.Nil))
		_, err = w.SetWall(t.Context(), member, true, []uuid.UUID{})
		require.NoError(t, err)
		for _, status := range []string{"suspended", "under_review"} {
			w.Exec(`UPDATE users SET profile_status = $2 WHERE id = $1`, member, status)
			require.Empty(t, w.names(uuid.Nil), status)
		}
		w.Exec(`UPDATE users SET profile_status = 'active' WHERE id = $1`, member)
	}
	cleo := w.join("Cleo")
	w.Exec(`INSERT INTO blocks (blocker_id, blocked_id) VALUES ($1, $2)`, ben, cleo)
	require.Empty(t, w.names(cleo), "a blocked member does not meet the couple")
	require.Equal(t, []string{"Ann+Ben"}, w.names(ann))
}

func TestSetWall_KeepsOnlyChosenPictures(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.pair("Ann", "Ben")
	first, second, other := w.addPhoto(ann), w.addPhoto(ann), w.addPhoto(ann)
	w.ask(ann, ben, first, second)
	couple := w.accept(ben)
	require.NoError(t, w.Approve(t.Context(), w.moderator, couple, "Lovely"))
	state, err := w.SetWall(t.Context(), ann, true, []uuid.UUID{second})
	require.NoError(t, err)
	require.Len(t, state.Couple.Pictures, 1)
	require.False(t, w.reads(web.Actor{}, first))
	require.True(t, w.reads(web.Actor{}, second))
	for name, id := range map[string]uuid.UUID{"not chosen": other, "removed": first, "unknown": uuid.New()} {
		_, err = w.SetWall(t.Context(), ann, true, []uuid.UUID{id})
		testkit.RequireKind(t, err, fault.Invalid, name)
	}
	require.False(t, w.reads(web.Actor{}, other), "a picture of a graduate's profile is not public")
	require.NoError(t, w.members.DeletePhoto(t.Context(), ann, second))
	require.False(t, w.reads(web.Actor{}, second))
}

// The state after a request by address must not tell whether it is the address of a match.
func TestAsk_ByAddressTellsNothing(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.pair("Ann", "Ben")
	cleo := w.join("Cleo")
	by := func(actor uuid.UUID, address string) (graduation.CoupleState, error) {
		return w.Ask(t.Context(), actor, graduation.Ask{Address: address, OnWall: true})
	}
	known, err := by(ann, " BEN@example.test ")
	require.NoError(t, err)
	for _, address := range []string{"cleo@example.test", "nobody@example.test", "ben@example.test"} {
		dora := w.join("Dora" + address[:3])
		unknown, err := by(dora, address)
		require.NoError(t, err)
		require.Equal(t, address, *unknown.Couple.PartnerAddress)
		unknown.Couple.ID, unknown.Couple.RequestedAt, unknown.Couple.PartnerAddress = known.Couple.ID, known.Couple.RequestedAt, known.Couple.PartnerAddress
		require.Equal(t, asJSON(t, known), asJSON(t, unknown))
	}
	require.Empty(t, w.state(cleo).Requests, "who is not matched is not asked")
	require.Len(t, w.state(ben).Requests, 1)
	require.Zero(t, w.Count(`SELECT count(*) FROM river_job WHERE args ->> 'memberId' = $1 AND kind = 'notify_graduation'`, cleo.String()))

	_, err = by(ben, "ben@example.test")
	testkit.RequireKind(t, err, fault.Invalid, "the own address")
	w.accept(ben)
	state := w.state(ann)
	require.Equal(t, ben, state.Couple.Partner.ID, "after the acceptance")
	require.Nil(t, state.Couple.PartnerAddress)
}

func TestAsk_RefusesOthersThanMatchesAndOthersPictures(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.pair("Ann", "Ben")
	cleo := w.join("Cleo")
	w.match(ann, cleo)
	dora := w.join("Dora")
	photo := w.addPhoto(ben)
	for name, c := range map[string]struct {
		in   graduation.Ask
		kind fault.Kind
	}{
		"a stranger":            {graduation.Ask{Partner: dora}, fault.NotFound},
		"an unknown member":     {graduation.Ask{Partner: uuid.New()}, fault.NotFound},
		"oneself":               {graduation.Ask{Partner: ann}, fault.Invalid},
		"nobody":                {graduation.Ask{}, fault.Invalid},
		"no address":            {graduation.Ask{Address: "ben"}, fault.Invalid},
		"a bad local part":      {graduation.Ask{Address: "b..en@example.test"}, fault.Invalid},
		"the own mailbox":       {graduation.Ask{Address: "ANN+x@example.test"}, fault.Invalid},
		"two names":             {graduation.Ask{Partner: ben, Address: "ben@example.test"}, fault.Invalid},
		"a picture of another":  {graduation.Ask{Partner: ben, Pictures: []uuid.UUID{photo}}, fault.Invalid},
		"a message of controls": {graduation.Ask{Partner: ben, LegacyMessage: "a\x00b"}, fault.Invalid},
	} {
		_, err := w.Ask(t.Context(), ann, c.in)
		testkit.RequireKind(t, err, c.kind, name)
		require.Nil(t, w.state(ann).Couple, name)
	}
	first := w.ask(ann, ben)
	require.Equal(t, first, w.ask(ann, ben), "a repetition")
	_, err := w.Ask(t.Context(), ann, graduation.Ask{Partner: cleo})
	testkit.RequireKind(t, err, fault.Conflict, "a second couple")
	w.Exec(`UPDATE users SET is_approved = false WHERE id = $1`, cleo)
	_, err = w.Ask(t.Context(), cleo, graduation.Ask{Partner: ann})
	testkit.RequireKind(t, err, fault.Forbidden, "who is not shown")
}

func TestAsk_OfWhoAskedAccepts(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.pair("Ann", "Ben")
	w.ask(ann, ben)
	state, err := w.Ask(t.Context(), ben, graduation.Ask{Address: "Ann+home@example.test", OnWall: true})
	require.NoError(t, err)
	require.Equal(t, "pending", state.Couple.Status)
	require.Equal(t, ann, state.Couple.Partner.ID)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM graduated_couples`))
}

func TestAsk_ConcurrentRequestsMakeOneCouple(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for range 5 {
		ann, ben := w.pair("Ann"+uuid.NewString()[:8], "Ben"+uuid.NewString()[:8])
		var both sync.WaitGroup
		for _, pair := range [][2]uuid.UUID{{ann, ben}, {ben, ann}} {
			both.Go(func() { w.ask(pair[0], pair[1]) })
		}
		both.Wait()
		require.Equal(t, "pending", w.state(ann).Couple.Status)
		require.Equal(t, w.state(ann).Couple.ID, w.state(ben).Couple.ID)
	}
}

func TestWithdraw_HidesAtOnceAndReturnIsOwnChoice(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben, _ := w.graduates("Ann", "Ben")
	_, err := w.Return(t.Context(), ann)
	testkit.RequireKind(t, err, fault.Conflict, "as one of a couple")
	for range 2 {
		state, err := w.Withdraw(t.Context(), ben)
		require.NoError(t, err)
		require.Nil(t, state.Couple)
		require.Equal(t, "withdrawn", state.Ended.Status)
	}
	require.Empty(t, w.names(uuid.Nil))
	for _, member := range []uuid.UUID{ann, ben} {
		require.True(t, w.state(member).IsGraduated, "only the member's own choice returns them to discovery")
		require.False(t, w.found(member))
	}
	for range 2 {
		_, err = w.Return(t.Context(), ann)
		require.NoError(t, err)
	}
	require.True(t, w.found(ann))
	require.False(t, w.found(ben))
	require.Equal(t, "asked", w.ask(ann, ben).Couple.Status, "they may ask again")
}

// An unmatch and a block end the couple, so that the wall shows no couple that has parted.
func TestUnmatch_EndsTheCouple(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben, _ := w.graduates("Ann", "Ben")
	err := pg.TxDo(t.Context(), w.Pool, func(tx pgx.Tx) error {
		_, err := matching.End(t.Context(), tx, ann, ben)
		return err
	})
	require.NoError(t, err)
	require.Empty(t, w.names(uuid.Nil))
	require.Nil(t, w.state(ben).Couple)
	_, err = w.Ask(t.Context(), ben, graduation.Ask{Partner: ann})
	testkit.RequireKind(t, err, fault.NotFound)
}

// The end of a contact announces the couple that ended with it, and none that ended just before.
func TestUnmatch_AnnouncesOnlyTheCoupleThatItEnds(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.pair("Ann", "Ben")
	cleo := w.join("Cleo")
	w.match(ann, cleo)
	w.ask(ann, ben)
	require.NoError(t, w.Approve(t.Context(), w.moderator, w.accept(ben), "Lovely"))
	unmatch := func(other uuid.UUID) (walls, changes int32) {
		t.Helper()
		walls, changes = w.walls.Load(), w.changes.Load()
		match := testkit.Select[uuid.UUID](t, w.Pool, `SELECT id FROM matches WHERE unmatched_at IS NULL AND $1 IN (user_a, user_b) AND $2 IN (user_a, user_b)`, ann, other)
		require.NoError(t, w.matching.Unmatch(t.Context(), web.Actor{ID: ann}, match))
		return w.walls.Load() - walls, w.changes.Load() - changes
	}
	walls, changes := unmatch(ben)
	require.Equal(t, []int32{1, 2}, []int32{walls, changes}, "the wall, and both members")
	walls, changes = unmatch(cleo)
	require.Equal(t, []int32{0, 0}, []int32{walls, changes}, "Ann has no couple any more")
}

func TestDecline_EndsTheRequestOnly(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.pair("Ann", "Ben")
	w.ask(ann, ben)
	id := w.state(ben).Requests[0].ID
	for _, other := range []uuid.UUID{ann, w.moderator} {
		_, err := w.Decline(t.Context(), other, id)
		testkit.RequireKind(t, err, fault.NotFound)
		_, err = w.Accept(t.Context(), other, id, graduation.Acceptance{OnWall: true})
		testkit.RequireKind(t, err, fault.NotFound)
	}
	state, err := w.Decline(t.Context(), ben, id)
	require.NoError(t, err)
	require.Empty(t, state.Requests)
	require.Nil(t, state.Ended, "it was not the decliner's couple")
	require.Equal(t, "declined", w.state(ann).Ended.Status)
	_, err = w.Accept(t.Context(), ben, id, graduation.Acceptance{OnWall: true})
	testkit.RequireKind(t, err, fault.NotFound)
}

func TestReject_TellsBothTheReason(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.pair("Ann", "Ben")
	w.ask(ann, ben)
	couple := w.accept(ben)
	testkit.RequireKind(t, w.Reject(t.Context(), w.moderator, couple, ""), fault.Invalid)
	for range 2 {
		require.NoError(t, w.Reject(t.Context(), w.moderator, couple, "Please leave out the address."))
	}
	for _, member := range []uuid.UUID{ann, ben} {
		require.Equal(t, "Please leave out the address.", w.state(member).Ended.Reason)
		require.False(t, w.state(member).IsGraduated)
	}
	testkit.RequireKind(t, w.Approve(t.Context(), w.moderator, couple, "Fine"), fault.Conflict)
}

func TestApprove_RefusesOwnUnacceptedAndSuspended(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ben, cleo := w.pair("Ben", "Cleo")
	w.ask(ben, cleo)
	asked := w.state(cleo).Requests[0].ID
	testkit.RequireKind(t, w.Approve(t.Context(), w.moderator, asked, "Fine"), fault.NotFound, "before the partner accepts")
	couple := w.accept(cleo)
	for _, own := range []uuid.UUID{ben, cleo} {
		testkit.RequireKind(t, w.Approve(t.Context(), own, couple, "Fine"), fault.Forbidden, "the moderator's own")
		list, _, err := w.Pending(t.Context(), own, web.Page{Limit: 50})
		require.NoError(t, err)
		require.Empty(t, list)
	}
	list, _, err := w.Pending(t.Context(), w.moderator, web.Page{Limit: 50})
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, couple, list[0].ID)
	w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, cleo)
	testkit.RequireKind(t, w.Approve(t.Context(), w.moderator, couple, "Fine"), fault.Conflict)
	require.False(t, w.state(ben).IsGraduated)
	testkit.RequireKind(t, w.Approve(t.Context(), w.moderator, uuid.New(), "Fine"), fault.NotFound)
}

// Concurrent operations of four members keep the rules: a member is in one couple at most, and the wall
// shows exactly the couples of which both want it.
func TestConcurrentOperations_KeepTheRules(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	people := []uuid.UUID{w.join("Ann"), w.join("Ben"), w.join("Cleo"), w.join("Dan")}
	for i, one := range people {
		for _, two := range people[i+1:] {
			w.match(one, two)
		}
	}
	ctx := context.WithoutCancel(t.Context())
	var running sync.WaitGroup
	for _, me := range people {
		running.Go(func() {
			for range 40 {
				w.act(ctx, me, people[rand.IntN(len(people))])
			}
		})
	}
	running.Wait()
	require.Zero(t, w.Count(`SELECT count(*) FROM graduated_couples c WHERE status IN ('pending', 'graduated')
		AND (SELECT count(*) FROM couple_members m WHERE m.couple_id = c.id AND m.user_id IN (c.user_one_id, c.user_two_id)) <> 2`))
	require.Zero(t, w.Count(`SELECT count(*) FROM graduated_couples c WHERE status = 'asked'
		AND (SELECT array_agg(m.user_id) FROM couple_members m WHERE m.couple_id = c.id) <> ARRAY[c.user_one_id]`))
	require.Zero(t, w.Count(`SELECT count(*) FROM couple_members m JOIN graduated_couples c ON c.id = m.couple_id WHERE c.ended_at IS NOT NULL`))
	require.Len(t, w.names(uuid.Nil), w.Count(`SELECT count(*) FROM graduated_couples c WHERE status = 'graduated'
		AND (SELECT count(*) FROM couple_members m WHERE m.couple_id = c.id AND m.on_wall) = 2`))
	require.Zero(t, w.Count(`SELECT count(*) FROM graduated_couples c JOIN users u ON u.id IN (c.user_one_id, c.user_two_id)
		WHERE c.status = 'graduated' AND NOT u.is_graduated`))
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	require.NoError(t, err)
	return string(data)
}

// act does one random thing; refusals are fine, other errors are not.
func (w *env) act(ctx context.Context, me, other uuid.UUID) {
	var err error
	switch rand.IntN(6) {
	case 0, 1:
		w.Exec(`DELETE FROM rate_limits`)
		_, err = w.Ask(ctx, me, graduation.Ask{Partner: other, OnWall: rand.IntN(3) > 0})
	case 2:
		var state graduation.CoupleState
		if state, err = w.State(ctx, me); err == nil && len(state.Requests) > 0 {
			_, err = w.Accept(ctx, me, state.Requests[0].ID, graduation.Acceptance{OnWall: rand.IntN(3) > 0})
		}
	case 3:
		var list []graduation.QueuedCouple
		if list, _, err = w.Pending(ctx, w.moderator, web.Page{Limit: 50}); err == nil && len(list) > 0 {
			err = w.Approve(ctx, w.moderator, list[0].ID, "Fine")
		}
	case 4:
		_, err = w.SetWall(ctx, me, rand.IntN(2) == 0, []uuid.UUID{})
	case 5:
		if rand.IntN(3) == 0 {
			_, err = w.Withdraw(ctx, me)
		}
	}
	for _, refused := range []fault.Kind{fault.NotFound, fault.Conflict, fault.Invalid, fault.RateLimited} {
		if fault.Is(err, refused) {
			return
		}
	}
	if err != nil {
		w.Errorf("%v", err)
	}
}
