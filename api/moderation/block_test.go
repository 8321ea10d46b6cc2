package moderation_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/platform/fault"
	"heartward/api/platform/mailaddr"
	"heartward/api/platform/pg"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// visibleOn returns the screens on which viewer sees other. Package api tests discovery.
func (w *env) visibleOn(viewer, other web.Actor) (screens []string) {
	w.Helper()
	ctx := context.Background()
	add := func(screen string, seen bool) {
		if seen {
			screens = append(screens, screen)
		}
	}
	_, err := w.members.Public(ctx, viewer.ID, other.ID)
	add("profile", err == nil)
	likes, _, err := w.matching.Received(ctx, viewer, "", 50)
	require.NoError(w, err)
	for _, l := range likes {
		add("likes", l.User.ID == other.ID)
	}
	passes, _, err := w.matching.Passes(ctx, viewer, false, "", 50)
	require.NoError(w, err)
	for _, p := range passes {
		add("passes", p.User.ID == other.ID)
	}
	matches, _, err := w.matching.Matches(ctx, viewer, matching.ByUnread, "", 50)
	require.NoError(w, err)
	for _, m := range matches {
		add("matches", m.User.ID == other.ID)
	}
	conversations, _, err := w.chat.Conversations.List(ctx, viewer, "", 50)
	require.NoError(w, err)
	for _, c := range conversations {
		add("conversations", c.User.ID == other.ID)
	}
	_, err = w.chat.Conversations.Get(ctx, viewer, other.ID)
	add("conversation", err == nil)
	_, err = w.chat.Conversations.FindOpen(ctx, viewer, other.ID)
	add("typing", err == nil)
	return screens
}

func TestBlock_HidesBothFromEachOther(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		setup         func(w *env, ann, bob web.Actor)
		before, after []string // the screens on which Ann sees Bob before the block and after the unblock
	}{
		"strangers": {func(*env, web.Actor, web.Actor) {}, []string{"profile"}, []string{"profile"}},
		"a like": {func(w *env, ann, bob web.Actor) { w.like(bob, ann) },
			[]string{"profile", "likes"}, []string{"profile", "likes"}},
		"a pass": {func(w *env, ann, bob web.Actor) {
			require.NoError(w, w.matching.Pass(context.Background(), ann, bob.ID, uuid.Nil))
		}, []string{"profile", "passes"}, []string{"profile", "passes"}},
		"a match": {func(w *env, ann, bob web.Actor) { w.match(ann, bob); require.NoError(w, w.send(bob, ann, "hello")) },
			[]string{"profile", "matches", "conversations", "conversation", "typing"}, nil}, // the match has ended for good
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t)
			ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
			c.setup(w, ann, bob)
			require.Equal(t, c.before, w.visibleOn(ann, bob))
			for _, pair := range [][2]web.Actor{{ann, bob}, {bob, ann}} {
				w.block(pair[0], pair[1])
				require.Empty(t, w.visibleOn(ann, bob))
				require.Empty(t, w.visibleOn(bob, ann))
				for _, side := range [][2]web.Actor{{ann, bob}, {bob, ann}} {
					_, err := w.matching.Like(context.Background(), side[0], matching.LikeInput{To: side[1].ID, Kind: matching.Like})
					testkit.RequireKind(t, err, fault.NotFound)
					testkit.RequireKind(t, w.matching.Pass(context.Background(), side[0], side[1].ID, uuid.Nil), fault.NotFound)
					testkit.RequireKind(t, w.send(side[0], side[1], "still there?"), fault.NotFound)
				}
				require.NoError(t, w.s.Unblock(context.Background(), pair[0], pair[1].ID))
				require.Equal(t, c.after, w.visibleOn(ann, bob))
			}
		})
	}
}

func TestBlock_EndsMatchWithoutReason(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob, cid := w.Member("Ann Moss"), w.Member("Bob Moss"), w.Member("Cid Moss")
	match := w.match(ann, bob)
	before, err := w.chat.Conversations.Sync(context.Background(), bob, "", 50)
	require.NoError(t, err)
	require.Len(t, before.Conversations, 1)

	w.block(ann, bob)
	w.block(ann, bob) // a repeated block changes and publishes nothing
	w.block(ann, cid) // no match, no event
	for receiver, other := range map[web.Actor]web.Actor{ann: bob, bob: ann} {
		end := map[string]any{"type": "unmatched", "matchId": match.MatchID.String(),
			"conversationId": match.ConversationID.String(), "userId": other.ID.String()}
		require.Equal(t, []map[string]any{end}, w.published(receiver, "unmatched"))
	}
	require.Empty(t, w.published(cid, "unmatched"))
	delta, err := w.chat.Conversations.Sync(context.Background(), bob, before.Cursor, 50)
	require.NoError(t, err)
	require.Equal(t, []uuid.UUID{*match.ConversationID}, delta.Removed, "the sync removes the conversation")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM matches WHERE unmatched_by = $1`, ann.ID))
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM blocks`))

	require.NoError(t, w.s.Unblock(context.Background(), ann, bob.ID))
	require.NoError(t, w.s.Unblock(context.Background(), ann, bob.ID), "repeated")
	_, err = w.matching.Like(context.Background(), bob, matching.LikeInput{To: ann.ID, Kind: matching.Like})
	testkit.RequireKind(t, err, fault.NotFound, "the match is still ended")
	testkit.RequireKind(t, w.send(ann, bob, "hello again"), fault.NotFound)
}

func TestBlockAndReport_RequireMemberWhoCanBeMet(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.Member("Ann Moss")
	hiddenMember := func(change string) web.Actor {
		bob := w.Member("Bob Moss")
		w.Exec(`UPDATE users SET `+change+` WHERE id = $1`, bob.ID)
		return bob
	}
	knownMember := func(change string, before func(bob web.Actor)) web.Actor {
		bob := w.Member("Bob Moss")
		before(bob)
		w.Exec(`UPDATE users SET `+change+` WHERE id = $1`, bob.ID)
		return bob
	}
	for name, c := range map[string]struct {
		bob  web.Actor
		kind fault.Kind // empty: no error
	}{
		"oneself":                        {ann, fault.Invalid},
		"unknown":                        {web.Actor{ID: uuid.New()}, fault.NotFound},
		"never approved":                 {hiddenMember("profile_status = 'under_review', is_approved = false"), fault.NotFound},
		"incognito":                      {hiddenMember("incognito = true"), ""},
		"active":                         {w.Member("Bob Moss"), ""},
		"suspended later":                {hiddenMember("profile_status = 'suspended'"), ""},
		"paused later":                   {hiddenMember("paused_at = now()"), ""},
		"graduated later":                {hiddenMember("is_graduated = true"), ""},
		"incognito, likes Ann":           {knownMember("incognito = true", func(bob web.Actor) { w.like(bob, ann) }), ""},
		"incognito, liked by Ann":        {knownMember("incognito = true", func(bob web.Actor) { w.like(ann, bob) }), ""},
		"incognito, matched":             {knownMember("incognito = true", func(bob web.Actor) { w.match(ann, bob) }), ""},
		"has blocked Ann":                {knownMember("bio = ''", func(bob web.Actor) { w.match(ann, bob); w.block(bob, ann) }), ""},
		"blocked by Ann, incognito":      {knownMember("incognito = true", func(bob web.Actor) { w.block(ann, bob) }), ""},
		"unmatched, under review":        {knownMember("profile_status = 'under_review'", func(bob web.Actor) { w.match(ann, bob) }), ""},
		"a stranger who has blocked Ann": {knownMember("bio = ''", func(bob web.Actor) { w.block(bob, ann) }), ""},
	} {
		_, err := w.s.Report(context.Background(), ann, report(c.bob))
		blockErr := w.s.Block(context.Background(), ann, c.bob.ID)
		if c.kind == "" {
			require.NoError(t, err, name)
			require.NoError(t, blockErr, name)
			require.Empty(t, w.visibleOn(ann, c.bob), name)
		} else {
			testkit.RequireKind(t, err, c.kind, name)
			testkit.RequireKind(t, blockErr, c.kind, name)
			require.Zero(t, w.Count(`SELECT count(*) FROM reports WHERE reported_user_id = $1`, c.bob.ID), name)
		}
	}
	require.NoError(t, w.s.Unblock(context.Background(), ann, uuid.New()), "does not tell a deleted account from others")
}

func TestBlocks_PagesByNewest(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, other := w.Member("Ann Moss"), w.Member("Other Moss")
	var want []uuid.UUID
	for range 5 {
		bob := w.Member("Bob Moss")
		w.Exec(`UPDATE users SET bio = 'my words' WHERE id = $1`, bob.ID)
		w.block(ann, bob)
		want = append([]uuid.UUID{bob.ID}, want...)
	}
	w.block(other, ann)
	for _, size := range []int{1, 2, 50} {
		var got []uuid.UUID
		for cursor := ""; ; {
			page, next, err := w.s.Blocks(context.Background(), ann, cursor, size)
			require.NoError(t, err)
			for _, b := range page {
				got = append(got, b.User.ID)
				require.Equal(t, "Bob", b.User.FirstName)
				require.Empty(t, b.User.Bio)
				require.Nil(t, b.User.ProfileImageURL)
				require.Equal(t, web.Time(b.BlockedAt), b.BlockedAt)
			}
			if cursor = next; next == "" {
				break
			}
		}
		require.Equal(t, want, got, "page of %d", size)
	}
	_, _, err := w.s.Blocks(context.Background(), ann, "nonsense", 1)
	testkit.RequireKind(t, err, fault.Invalid)
}

// A contact that has ended tells the other member nothing of what follows: not of a block, by an address or not, and not of a report.
func TestBlockAndReport_OfEndedContactPublishNothing(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(t *testing.T, w *env, ann, bob web.Actor){
		"block": func(_ *testing.T, w *env, ann, bob web.Actor) { w.block(ann, bob) },
		"block by address": func(t *testing.T, w *env, ann, bob web.Actor) {
			w.Exec(`UPDATE users SET abuse_key = $2 WHERE id = $1`, bob.ID, mailaddr.Of("bob@example.test").Abuse)
			_, err := w.s.BlockAddress(t.Context(), ann, "bob@example.test", "Bob")
			require.NoError(t, err)
			require.Equal(t, 1, w.Count(`SELECT count(*) FROM blocks`))
		},
		"address of a blocked entry": func(t *testing.T, w *env, ann, bob web.Actor) {
			_, err := w.s.BlockAddress(t.Context(), ann, "next@example.test", "Bob")
			require.NoError(t, err)
			publish, err := pg.Tx(t.Context(), w.Pool, func(tx pgx.Tx) (func(), error) {
				return w.s.AdmitAddress(t.Context(), tx, bob.ID, "next@example.test")
			})
			require.NoError(t, err)
			publish()
			require.Equal(t, 1, w.Count(`SELECT count(*) FROM blocks`))
		},
		"report": func(_ *testing.T, w *env, ann, bob web.Actor) { w.report(ann, report(bob)) },
		"added and repeated evidence": func(_ *testing.T, w *env, ann, bob web.Actor) {
			in := report(bob)
			w.report(ann, in)
			in.Description = "He did it again."
			w.report(ann, in)
			w.report(ann, in)
		},
	} {
		for _, ender := range []string{"ann", "bob"} {
			t.Run(name+", ended by "+ender, func(t *testing.T) {
				t.Parallel()
				w := newEnv(t)
				ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
				match := w.match(ann, bob)
				require.NoError(t, w.matching.Unmatch(t.Context(), map[string]web.Actor{"ann": ann, "bob": bob}[ender], *match.MatchID))
				require.Len(t, w.published(bob, "unmatched"), 1)
				before := len(w.events.Subjects())
				act(t, w, ann, bob)
				require.Len(t, w.events.Subjects(), before)
			})
		}
	}
}
