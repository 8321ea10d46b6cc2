package dates_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/dates"
	"heartward/api/messaging/messages"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func TestAccept_AcceptsProposal(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, ben, conversation := w.Pair()
	want := plan()
	result, err := w.s.Propose(t.Context(), ada, conversation, uuid.Must(uuid.NewV7()), want)
	require.NoError(t, err)
	date := result.Date
	require.False(t, result.Repeated)
	require.Equal(t, []any{want.Place, want.Note, want.TimeZone, dates.Proposed, 1, ada.ID, "Ben", conversation},
		[]any{date.Place, date.Note, date.TimeZone, date.Status, date.Revision, date.ProposedBy, date.User.FirstName, date.ConversationID})
	require.True(t, want.At.Equal(date.At))
	requirePublished(t, w.events.Take(), ada.ID, ben.ID, date)

	list, err := w.messages.List(t.Context(), ben, conversation, messages.Page{Limit: 50})
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, []any{"date", date.ID, ada.ID, date.MessageSeq}, []any{list[0].MessageType, *list[0].DateID, list[0].SenderID, list[0].Seq})
	require.Contains(t, list[0].Content, "Proposed a date: Café Luna, ")

	accepted, err := w.s.Accept(t.Context(), ben, date.ID, 1)
	require.NoError(t, err)
	require.Equal(t, []any{dates.Accepted, 2, "Ada", int64(2), ben.ID},
		[]any{accepted.Status, accepted.Revision, accepted.User.FirstName, accepted.MessageSeq, accepted.ChangedBy})
	requirePublished(t, w.events.Take(), ada.ID, ben.ID, date)
	repeated, err := w.s.Accept(t.Context(), ben, date.ID, 1)
	require.NoError(t, err, "a retry")
	require.Equal(t, accepted, repeated)
	requirePublished(t, w.events.Take(), ada.ID, ben.ID, date)
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM messages`))

	adasView, err := w.s.Get(t.Context(), ada, date.ID)
	require.NoError(t, err)
	require.Equal(t, dates.Accepted, adasView.Status)
}

// requirePublished checks that both members got the event and the message.
func requirePublished(t *testing.T, events []string, a, b uuid.UUID, date dates.Date) {
	t.Helper()
	all := strings.Join(events, "\n")
	for _, member := range []uuid.UUID{a, b} {
		require.Contains(t, all, "member."+member.String()+` {"type":"date_changed","dateId":"`+date.ID.String()+
			`","conversationId":"`+date.ConversationID.String()+`"}`)
		require.Contains(t, all, "member."+member.String()+` {"type":"new_message"`)
	}
}

func TestPropose_RepeatedClientIDReturnsTheSameDate(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, _, conversation := w.Pair()
	id, want := uuid.Must(uuid.NewV7()), plan()
	first, err := w.s.Propose(t.Context(), ada, conversation, id, want)
	require.NoError(t, err)
	published := w.events.Take()
	second, err := w.s.Propose(t.Context(), ada, conversation, id, want)
	require.NoError(t, err)
	require.True(t, second.Repeated)
	require.Equal(t, first.Date, second.Date)
	require.Equal(t, published, w.events.Take(), "the first call may have published nothing")
	want.Place = "elsewhere"
	_, err = w.s.Propose(t.Context(), ada, conversation, id, want)
	testkit.RequireKind(t, err, fault.Conflict)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM messages`))

	_, err = w.s.Cancel(t.Context(), ada, first.Date.ID, 1)
	require.NoError(t, err)
	w.events.Take()
	_, err = w.s.Propose(t.Context(), ada, conversation, id, want)
	require.NoError(t, err)
	require.Empty(t, w.events.Take(), "the later change was published")
}

func TestPropose_RefusesInvalidPlans(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, ben, conversation := w.Pair()
	date := w.propose(ada, conversation)
	for name, row := range map[string]struct {
		change func(*dates.Plan)
		field  string
	}{
		"no place":                {func(p *dates.Plan) { p.Place = " \t" }, "place"},
		"a long place":            {func(p *dates.Plan) { p.Place = strings.Repeat("ü", 121) }, "place"},
		"a line break":            {func(p *dates.Plan) { p.Place = "a\nb" }, "place"},
		"a zero byte":             {func(p *dates.Plan) { p.Note = "a\x00" }, "note"},
		"a long note":             {func(p *dates.Plan) { p.Note = strings.Repeat("ü", 301) }, "note"},
		"now":                     {func(p *dates.Plan) { p.At = time.Now() }, "at"},
		"no time":                 {func(p *dates.Plan) { p.At = time.Time{} }, "at"},
		"more than a year ahead":  {func(p *dates.Plan) { p.At = time.Now().AddDate(1, 0, 2) }, "at"},
		"no zone":                 {func(p *dates.Plan) { p.TimeZone = "" }, "timeZone"},
		"the zone Local":          {func(p *dates.Plan) { p.TimeZone = "Local" }, "timeZone"},
		"an unknown zone":         {func(p *dates.Plan) { p.TimeZone = "Mars/Olympus" }, "timeZone"},
		"a zone name with a path": {func(p *dates.Plan) { p.TimeZone = "../etc/passwd" }, "timeZone"},
	} {
		bad := plan()
		row.change(&bad)
		_, err := w.s.Propose(t.Context(), ada, conversation, uuid.Must(uuid.NewV7()), bad)
		testkit.RequireInvalid(t, err, row.field)
		_, err = w.s.Change(t.Context(), ben, date.ID, 1, bad)
		testkit.RequireInvalid(t, err, row.field)
		require.NotEmpty(t, name)
	}
	_, err := w.s.Propose(t.Context(), ada, conversation, uuid.Nil, plan())
	testkit.RequireInvalid(t, err, "clientId")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM messages`))
}

func TestAccept_RefusesTheProposer(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, ben, conversation := w.Pair()
	date := w.propose(ada, conversation)
	_, err := w.s.Accept(t.Context(), ada, date.ID, 1)
	testkit.RequireKind(t, err, fault.Conflict)
	_, err = w.s.Decline(t.Context(), ada, date.ID, 1)
	testkit.RequireKind(t, err, fault.Conflict)
	_, err = w.s.Cancel(t.Context(), ben, date.ID, 1)
	testkit.RequireKind(t, err, fault.Conflict)
	_, err = w.Pool.Exec(t.Context(), `UPDATE dates SET status = 'accepted', accepted_at = now()`)
	require.ErrorContains(t, err, "dates_answer", "a constraint of the table prevents it too")
}

func TestChange_RequiresNewAcceptance(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, ben, date := w.accepted()
	other := plan()
	other.Place, other.At = "The old pier; by the water", other.At.Add(24*time.Hour)
	changed, err := w.s.Change(t.Context(), ada, date.ID, 2, other)
	require.NoError(t, err)
	require.Equal(t, []any{dates.Proposed, 3, ada.ID, other.Place}, []any{changed.Status, changed.Revision, changed.ProposedBy, changed.Place})
	repeated, err := w.s.Change(t.Context(), ada, date.ID, 2, other)
	require.NoError(t, err)
	require.Equal(t, changed, repeated)
	_, err = w.s.Accept(t.Context(), ada, date.ID, 3)
	testkit.RequireKind(t, err, fault.Conflict)
	_, err = w.s.Accept(t.Context(), ben, date.ID, 2)
	testkit.RequireKind(t, err, fault.Conflict)
	require.ErrorContains(t, err, "changed meanwhile")
	counter, err := w.s.Change(t.Context(), ben, date.ID, 3, plan())
	require.NoError(t, err, "the other member proposes another plan")
	require.Equal(t, ben.ID, counter.ProposedBy)
	accepted, err := w.s.Accept(t.Context(), ada, date.ID, 4)
	require.NoError(t, err)
	require.Equal(t, 5, accepted.Revision)
	require.Equal(t, int64(5), accepted.MessageSeq, "one message per change")
}

func TestCancel_IsFinal(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, ben, conversation := w.Pair()
	declined := w.propose(ada, conversation)
	_, err := w.s.Decline(t.Context(), ben, declined.ID, 1)
	require.NoError(t, err)
	withdrawn := w.propose(ada, conversation)
	_, err = w.s.Cancel(t.Context(), ada, withdrawn.ID, 1)
	require.NoError(t, err)
	for _, id := range []uuid.UUID{declined.ID, withdrawn.ID} {
		_, err = w.s.Accept(t.Context(), ben, id, 2)
		testkit.RequireKind(t, err, fault.Conflict)
		_, err = w.s.Change(t.Context(), ada, id, 2, plan())
		testkit.RequireKind(t, err, fault.Conflict)
		_, err = w.s.Cancel(t.Context(), ada, id, 2)
		testkit.RequireKind(t, err, fault.Conflict)
	}
	third := w.propose(ben, conversation)
	_, err = w.s.Accept(t.Context(), ada, third.ID, 1)
	require.NoError(t, err)
	cancelled, err := w.s.Cancel(t.Context(), ada, third.ID, 2)
	require.NoError(t, err, "either member may cancel")
	require.Equal(t, dates.Cancelled, cancelled.Status)
}

func TestTransitions_RefusedAfterDate(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, ben, date := w.accepted()
	w.moveToPast(date.ID, time.Minute)
	_, err := w.s.Cancel(t.Context(), ada, date.ID, 2)
	testkit.RequireKind(t, err, fault.Conflict)
	_, err = w.s.Change(t.Context(), ben, date.ID, 2, plan())
	testkit.RequireKind(t, err, fault.Conflict)
	second := w.propose(ada, date.ConversationID)
	w.moveToPast(second.ID, time.Minute)
	_, err = w.s.Accept(t.Context(), ben, second.ID, 1)
	testkit.RequireKind(t, err, fault.Conflict)
}

func TestPropose_AllowsThreeOpenDates(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, ben, conversation := w.Pair()
	first := w.propose(ada, conversation)
	w.propose(ben, conversation)
	w.propose(ada, conversation)
	_, err := w.s.Propose(t.Context(), ben, conversation, uuid.Must(uuid.NewV7()), plan())
	testkit.RequireKind(t, err, fault.Conflict)
	_, err = w.s.Decline(t.Context(), ben, first.ID, 1)
	require.NoError(t, err)
	w.propose(ben, conversation)
}

func TestPropose_AllowsTwentyADay(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, _, conversation := w.Pair()
	date := w.propose(ada, conversation)
	for revision := 1; revision < 20; revision++ {
		next := plan()
		next.At = next.At.Add(time.Duration(revision) * time.Hour)
		for range 3 { // two retries
			_, err := w.s.Change(t.Context(), ada, date.ID, revision, next)
			require.NoError(t, err)
		}
		_, err := w.s.Change(t.Context(), ada, date.ID, revision-1, plan())
		testkit.RequireKind(t, err, fault.Conflict)
	}
	_, err := w.s.Change(t.Context(), ada, date.ID, 20, plan())
	testkit.RequireKind(t, err, fault.RateLimited)
	_, err = w.s.Propose(t.Context(), ada, conversation, uuid.Must(uuid.NewV7()), plan())
	testkit.RequireKind(t, err, fault.RateLimited)
}

func TestDates_RequireOpenConversation(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, ben, date := w.accepted()
	eve := w.Member("Eve")
	w.requireHidden(eve, date)
	request := w.Match(eve, ada)
	w.Exec(`UPDATE conversations SET requested_by = $2, match_id = NULL WHERE id = $1`, request, eve.ID)
	_, err := w.s.Propose(t.Context(), eve, request, uuid.Must(uuid.NewV7()), plan())
	testkit.RequireKind(t, err, fault.NotFound)
	w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, ada.ID)
	w.requireHidden(ben, date)
	w.Exec(`UPDATE users SET profile_status = 'active' WHERE id = $1`, ada.ID)
	_, err = w.s.Get(t.Context(), ben, date.ID)
	require.NoError(t, err, "an active member's dates are shown again")
}

// requireHidden checks that all operations return NotFound for the date.
func (w *env) requireHidden(actor web.Actor, date dates.Date) {
	w.Helper()
	ctx := w.Context()
	for name, call := range map[string]func() error{
		"get":      func() error { _, err := w.s.Get(ctx, actor, date.ID); return err },
		"accept":   func() error { _, err := w.s.Accept(ctx, actor, date.ID, date.Revision); return err },
		"decline":  func() error { _, err := w.s.Decline(ctx, actor, date.ID, date.Revision); return err },
		"cancel":   func() error { _, err := w.s.Cancel(ctx, actor, date.ID, date.Revision); return err },
		"change":   func() error { _, err := w.s.Change(ctx, actor, date.ID, date.Revision, plan()); return err },
		"calendar": func() error { _, err := w.s.Calendar(ctx, actor, date.ID); return err },
		"share":    func() error { _, err := w.s.Share(ctx, actor, date.ID, 1); return err },
		"end":      func() error { return w.s.EndShares(ctx, actor, date.ID) },
		"answer": func() error {
			_, err := w.s.GiveFeedback(ctx, actor, date.ID, dates.Feedback{Met: dates.MetYes})
			return err
		},
		"propose": func() error {
			_, err := w.s.Propose(ctx, actor, date.ConversationID, uuid.Must(uuid.NewV7()), plan())
			return err
		},
	} {
		testkit.RequireKind(w, call(), fault.NotFound, name)
	}
	for _, period := range []dates.Period{dates.Upcoming, dates.Past} {
		list, _, err := w.s.List(ctx, actor, period, "", 50)
		require.NoError(w, err)
		require.Empty(w, list)
	}
}

// Unmatching closes the conversation, which cancels its future dates and hides all dates.
func TestDates_HiddenWhenConversationCloses(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, ben, date := w.accepted()
	other := w.propose(ben, date.ConversationID)
	past := w.propose(ben, date.ConversationID)
	_, err := w.s.Accept(t.Context(), ada, past.ID, 1)
	require.NoError(t, err)
	w.moveToPast(past.ID, 5*time.Hour)
	share, err := w.s.Share(t.Context(), ada, date.ID, 24)
	require.NoError(t, err)

	require.NoError(t, w.matching.Unmatch(t.Context(), ben, testkit.Select[uuid.UUID](t, w.Pool, `SELECT id FROM matches`)))
	w.requireHidden(ada, date)
	w.requireHidden(ben, other)
	_, err = w.s.Shared(t.Context(), tokenOf(share))
	testkit.RequireKind(t, err, fault.NotFound)
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM dates WHERE status = 'cancelled' AND revision > 1`))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM dates WHERE status = 'accepted'`), "past dates are not deleted")
	require.Zero(t, w.Count(`SELECT count(*) FROM date_shares`))
}

func TestList_SortsAndPages(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.Member("Ada")
	var upcoming []uuid.UUID
	for i := range 7 {
		conversation := w.Match(ada, w.Member("Ben"))
		p := plan()
		p.At = p.At.Add(time.Duration(6-i/2) * time.Hour) // pairs at the same time
		result, err := w.s.Propose(t.Context(), ada, conversation, uuid.Must(uuid.NewV7()), p)
		require.NoError(t, err)
		upcoming = append(upcoming, result.Date.ID)
		past := w.propose(ada, conversation)
		w.moveToPast(past.ID, time.Duration(i+4)*time.Hour)
	}
	for _, period := range []dates.Period{dates.Upcoming, dates.Past} {
		var all []dates.Date
		for cursor := ""; ; {
			list, next, err := w.s.List(t.Context(), ada, period, cursor, 2)
			require.NoError(t, err)
			all = append(all, list...)
			if cursor = next; cursor == "" {
				break
			}
		}
		require.Len(t, all, 7)
		for i := 1; i < len(all); i++ {
			require.False(t, period == dates.Upcoming && all[i].At.Before(all[i-1].At))
			require.False(t, period == dates.Past && all[i].At.After(all[i-1].At))
			require.NotEqual(t, all[i].ID, all[i-1].ID)
		}
		if period == dates.Upcoming {
			require.ElementsMatch(t, upcoming, ids(all))
		}
	}
	_, _, err := w.s.List(t.Context(), ada, dates.Past, "x", 2)
	testkit.RequireKind(t, err, fault.Invalid)
}

func ids(list []dates.Date) (ids []uuid.UUID) {
	for _, date := range list {
		ids = append(ids, date.ID)
	}
	return ids
}

func TestDatesPlanned_CountsAcceptedDates(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, ben, date := w.accepted()
	countPlanned := func() int {
		counts, err := w.matching.Counts(t.Context(), ada)
		require.NoError(t, err)
		return counts.DatesPlanned
	}
	require.Equal(t, 1, countPlanned())
	w.propose(ben, date.ConversationID)
	require.Equal(t, 1, countPlanned(), "a proposal does not count")
	w.moveToPast(date.ID, 5*time.Hour)
	require.Equal(t, 1, countPlanned(), "a past date counts")
	for _, c := range []struct {
		answer dates.Met
		want   int
	}{{dates.MetNotYet, 1}, {dates.MetNo, 0}, {dates.MetYes, 1}} {
		_, err := w.s.GiveFeedback(t.Context(), ada, date.ID, dates.Feedback{Met: c.answer})
		require.NoError(t, err)
		require.Equal(t, c.want, countPlanned(), "feedback: met is %s", c.answer)
	}
	_, err := w.s.GiveFeedback(t.Context(), ben, date.ID, dates.Feedback{Met: dates.MetNo})
	require.NoError(t, err)
	require.Equal(t, 1, countPlanned(), "the other member's feedback does not count")
	w.Exec(`UPDATE conversations SET closed_at = now()`)
	require.Zero(t, countPlanned())
}
