package graduation_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/deletion"
	"heartward/api/graduation"
	"heartward/api/moderation"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// side is a member of the model.
type side struct {
	id        uuid.UUID
	photos    []uuid.UUID
	standing  string // active, suspended, banned or deleted
	graduated bool   // out of discovery

	in       bool // has a row in the couple
	onWall   bool
	pictures []uuid.UUID // chosen for the wall
	agreed   []uuid.UUID // of the partner's
}

// model is what the rules say about two members after each operation.
type model struct {
	*env
	random  *rand.Rand
	two     [2]side
	matched bool
	match   uuid.UUID
	status  string // "" without a couple; asked, pending or graduated
	asker   int
	couple  uuid.UUID // the last one
	ended   string    // how the last one ended
}

func newModel(w *env, random *rand.Rand, run int) *model {
	m := &model{env: w, random: random, matched: true}
	one, two := w.pair(fmt.Sprintf("Ann%d", run), fmt.Sprintf("Ben%d", run))
	for i, id := range []uuid.UUID{one, two} {
		m.two[i] = side{id: id, standing: "active", photos: []uuid.UUID{w.addPhoto(id), w.addPhoto(id)}}
	}
	matches, _, err := w.matching.Matches(w.Context(), web.Actor{ID: one}, "", "", 50)
	require.NoError(w, err)
	m.match = matches[0].ID
	return m
}

// some returns a random part of the ids, in their order.
func (m *model) some(ids []uuid.UUID) []uuid.UUID {
	part := []uuid.UUID{}
	for _, id := range ids {
		if m.random.IntN(2) == 0 {
			part = append(part, id)
		}
	}
	return part
}

func (m *model) end(how string) {
	if m.status == "" {
		return
	}
	m.status, m.ended = "", how
	for i := range m.two {
		m.two[i].in, m.two[i].onWall, m.two[i].pictures, m.two[i].agreed = false, false, nil, nil
	}
}

func (m *model) join(i int, onWall bool, pictures []uuid.UUID) {
	m.two[i].in, m.two[i].onWall, m.two[i].pictures = true, onWall, pictures
}

func (m *model) bothActive() bool {
	return m.two[0].standing == "active" && m.two[1].standing == "active"
}

// step does one random thing, checks that it is refused exactly if the rules refuse it, and returns what it was.
func (m *model) step() string {
	i := m.random.IntN(2)
	me, other := &m.two[i], &m.two[1-i]
	steps := []struct {
		name   string
		weight int
		run    func(*side, *side, int)
	}{
		{"ask", 8, m.askStep}, {"accept", 6, m.acceptStep}, {"decline", 1, m.declineStep}, {"approve", 6, m.approveStep},
		{"reject", 1, m.rejectStep}, {"withdraw", 2, m.withdrawStep}, {"return", 3, m.returnStep}, {"wall", 4, m.wallStep},
		{"agree", 5, m.agreeStep}, {"status", 4, m.statusStep}, {"part", 1, m.partStep}, {"delete", 1, m.deleteStep},
	}
	total := 0
	for _, s := range steps {
		total += s.weight
	}
	choice := m.random.IntN(total)
	for _, s := range steps {
		if choice -= s.weight; choice < 0 {
			// The session of a member who is restricted is refused before the service.
			if me.standing == "active" {
				s.run(me, other, i)
			} else {
				m.statusStep(me, other, i)
			}
			return fmt.Sprintf("%s by %d", s.name, i)
		}
	}
	panic("unreachable")
}

func (m *model) expect(ok bool, err error) {
	m.Helper()
	if ok {
		require.NoError(m, err)
	} else {
		require.Error(m, err)
	}
}

func (m *model) askStep(me, other *side, i int) {
	m.Exec(`DELETE FROM rate_limits`)
	pictures, onWall := m.some(me.photos), m.random.IntN(4) > 0
	state, err := m.Ask(m.Context(), me.id, graduation.Ask{Partner: other.id, OnWall: onWall, Pictures: pictures})
	isAgain := m.status != "" && m.asker == i
	isAnswer := m.status == "asked" && m.asker != i
	m.expect(m.matched && other.standing == "active" && (m.status == "" || isAgain || isAnswer), err)
	if err != nil || isAgain {
		return
	}
	if isAnswer {
		m.status = "pending"
	} else {
		m.status, m.asker, m.couple = "asked", i, state.Couple.ID
	}
	m.join(i, onWall, pictures)
}

func (m *model) acceptStep(me, other *side, i int) {
	pictures, seen, onWall := m.some(me.photos), other.pictures, m.random.IntN(4) > 0
	if m.random.IntN(4) == 0 {
		seen = m.some(other.photos)
	}
	_, err := m.Accept(m.Context(), me.id, m.couple, graduation.Acceptance{OnWall: onWall, Pictures: pictures, Seen: seen})
	isWaiting := m.status == "asked" && m.asker != i
	isAgain := (m.status == "pending" || m.status == "graduated") && m.asker != i
	m.expect(isAgain || isWaiting && slices.Equal(seen, other.pictures), err)
	if err != nil || isAgain {
		return
	}
	m.status = "pending"
	m.join(i, onWall, pictures)
	me.agreed = slices.Clone(seen)
}

func (m *model) declineStep(me, _ *side, i int) {
	_, err := m.Decline(m.Context(), me.id, m.couple)
	m.expect(m.status == "asked" && m.asker != i, err)
	if err == nil {
		m.end("declined")
	}
}

func (m *model) approveStep(_, _ *side, _ int) {
	err := m.Approve(m.Context(), m.moderator, m.couple, "")
	m.expect(m.status == "graduated" || m.status == "pending" && m.bothActive(), err)
	if err == nil && m.status == "pending" {
		m.status = "graduated"
		m.two[0].graduated, m.two[1].graduated = true, true
	}
}

func (m *model) rejectStep(_, _ *side, _ int) {
	err := m.Reject(m.Context(), m.moderator, m.couple, "No")
	m.expect(m.status == "pending" || m.status == "" && m.ended == "rejected", err)
	if err == nil {
		m.end("rejected")
	}
}

func (m *model) withdrawStep(me, _ *side, _ int) {
	_, err := m.Withdraw(m.Context(), me.id)
	require.NoError(m, err)
	if me.in {
		m.end("withdrawn")
	}
}

func (m *model) returnStep(me, _ *side, _ int) {
	_, err := m.Return(m.Context(), me.id)
	m.expect(m.status != "graduated", err)
	if err == nil {
		me.graduated = false
	}
}

func (m *model) wallStep(me, other *side, _ int) {
	onWall, stay := m.random.IntN(3) > 0, m.some(me.pictures)
	_, err := m.SetWall(m.Context(), me.id, onWall, stay)
	m.expect(me.in, err)
	if err == nil {
		me.onWall, me.pictures = onWall, stay
		other.agreed = slices.DeleteFunc(other.agreed, func(id uuid.UUID) bool { return !slices.Contains(stay, id) })
	}
}

func (m *model) agreeStep(me, other *side, _ int) {
	agreed := m.some(other.photos)
	_, err := m.Agree(m.Context(), me.id, agreed)
	areTheirs := !slices.ContainsFunc(agreed, func(id uuid.UUID) bool { return !slices.Contains(other.pictures, id) })
	m.expect(me.in && m.status != "asked" && areTheirs, err)
	if err == nil {
		me.agreed = agreed
	}
}

// statusStep suspends, bans or reinstates the other member, or reinstates the own account.
func (m *model) statusStep(me, other *side, _ int) {
	subject, change := other, moderation.StatusChange{Reason: "Seen", Explanation: "Seen."}
	if me.standing != "active" {
		subject = me
	}
	choice := m.random.IntN(5)
	if subject.standing == "deleted" {
		return
	}
	standing := "active"
	change.Status = "active"
	switch {
	case subject.standing != "active" && choice > 0:
	case choice == 0:
		standing, change.Status = "banned", "suspended"
	default:
		standing, change.Status = "suspended", "suspended"
		change.SuspendedUntil = new(time.Now().Add(time.Hour))
	}
	require.NoError(m, m.reports.SetStatus(m.Context(), m.moderator, subject.id, change))
	subject.standing = standing
	if standing == "banned" {
		m.end("withdrawn")
	}
}

// partStep unmatches or blocks.
func (m *model) partStep(me, other *side, _ int) {
	if m.random.IntN(2) == 0 || !m.matched || other.standing == "deleted" {
		return
	}
	var err error
	if m.random.IntN(2) == 0 {
		err = m.matching.Unmatch(m.Context(), web.Actor{ID: me.id}, m.match)
	} else {
		err = m.reports.Block(m.Context(), web.Actor{ID: me.id}, other.id)
	}
	require.NoError(m, err)
	m.matched = false
	m.end("withdrawn")
}

func (m *model) deleteStep(me, _ *side, _ int) {
	if m.random.IntN(2) == 0 {
		return
	}
	m.Exec(`UPDATE users SET profile_status = 'leaving', deletion_due_at = now() WHERE id = $1`, me.id)
	require.NoError(m, deletion.Delete(m.Context(), m.Pool, pgtest.Jobs(m, m.Pool), m.reports, api.Data(), me.id))
	me.standing, m.matched = "deleted", false
	m.end("deleted")
	m.couple, m.ended = uuid.New(), ""
}

// check compares what the service shows with the model.
func (m *model) check() {
	m.Helper()
	wall := m.wallPictures()
	entries, _, err := m.Wall(m.Context(), uuid.Nil, web.Page{Limit: 50})
	require.NoError(m, err)
	shown := slices.IndexFunc(entries, func(e graduation.WallEntry) bool { return e.ID == m.couple })
	require.Equal(m, wall != nil, shown >= 0, "on the wall")
	if wall != nil {
		require.Equal(m, wall, idsOf(entries[shown].Pictures), "pictures on the wall")
	}
	for i := range m.two {
		me, other := &m.two[i], &m.two[1-i]
		if me.standing == "deleted" {
			continue
		}
		for _, photo := range me.photos {
			require.Equal(m, slices.Contains(wall, photo), m.reads(web.Actor{}, photo), "a visitor reads a picture")
		}
		m.checkState(me, other, i)
		require.Equal(m, me.standing == "active" && !me.graduated, m.found(me.id), "in discovery")
	}
	require.Equal(m, m.two[0].in || m.two[1].in, m.Count(`SELECT count(*) FROM couple_members WHERE couple_id = $1`, m.couple) > 0)
}

// wallPictures returns the pictures on the wall, or nil if the couple is not on it.
func (m *model) wallPictures() []uuid.UUID {
	if m.status != "graduated" || !m.bothActive() || !m.two[0].onWall || !m.two[1].onWall {
		return nil
	}
	pictures := []uuid.UUID{}
	for _, i := range []int{m.asker, 1 - m.asker} {
		for _, id := range m.two[i].pictures {
			if slices.Contains(m.two[1-i].agreed, id) {
				pictures = append(pictures, id)
			}
		}
	}
	return pictures
}

func (m *model) checkState(me, other *side, i int) {
	m.Helper()
	state := m.state(me.id)
	require.Equal(m, me.graduated, state.IsGraduated)
	isAsked := m.status == "asked" && m.asker != i && other.standing == "active"
	require.Len(m, state.Requests, map[bool]int{false: 0, true: 1}[isAsked])
	require.Equal(m, me.in, state.Couple != nil)
	if !me.in {
		return
	}
	require.Equal(m, []any{m.couple, m.status, me.onWall, other.onWall},
		[]any{state.Couple.ID, state.Couple.Status, state.Couple.OnWall, state.Couple.PartnerOnWall})
	for _, list := range []struct {
		shown          []graduation.CouplePicture
		chosen, agreed []uuid.UUID
	}{{state.Couple.Pictures, me.pictures, other.agreed}, {state.Couple.PartnerPictures, other.pictures, me.agreed}} {
		require.Len(m, list.shown, len(list.chosen))
		for n, picture := range list.shown {
			require.Equal(m, list.chosen[n], picture.ID)
			require.Equal(m, slices.Contains(list.agreed, picture.ID), picture.IsAgreed)
		}
	}
}

func idsOf(pictures []graduation.CouplePicture) []uuid.UUID {
	ids := []uuid.UUID{}
	for _, p := range pictures {
		ids = append(ids, p.ID)
	}
	return ids
}

// Random sequences of what two members and a moderator can do leave the wall, discovery and what each of
// the two sees as the rules say, after each step. A failed test prints its seed and the steps.
func TestSequences_FollowTheRules(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	random := testkit.Rand(t, 40)
	var steps []string
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the steps: %v", steps)
		}
	})
	for run := range 16 {
		m := newModel(w, random, run)
		steps = nil
		for range 60 {
			steps = append(steps, m.step())
			m.check()
		}
		w.Exec(`DELETE FROM graduated_couples`)
	}
}
