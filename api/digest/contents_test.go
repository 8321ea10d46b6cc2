package digest_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/digest"
)

func TestSend_SummarisesTheWeek(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("Ann")
	ben, cleo, dora, elsa := w.member("Ben"), w.member("Cleo"), w.member("Dora"), w.member("Elsa")
	withBen := w.match(ann, ben)
	w.Exec(`UPDATE matches SET created_at = now() - interval '1 hour'`)
	w.match(ann, cleo)
	w.message(withBen, ben)
	w.like(dora, ann)
	w.like(elsa, ann)
	request := uuid.Must(uuid.NewV7())
	w.Exec(`INSERT INTO conversations (id, user_a, user_b, requested_by) VALUES ($1, least($2::uuid, $3), greatest($2::uuid, $3), $2)`, request, elsa, ann)
	w.message(request, elsa)
	w.date(withBen, ann, ben, `date_trunc('day', now() + interval '3 days') + interval '20 hours 30 minutes'`, "America/New_York")

	m := w.run(ann)
	require.NotNil(t, m)
	require.Equal(t, "Your week on Heartward: 1 date coming up, 2 new matches", m.Subject)
	for _, text := range []string{m.Text, m.HTML} {
		for _, want := range []string{
			"Hi Ann,", "Your date with Ben", "2 new matches", "mutual with Cleo and Ben.", "2 new likes",
			"1 unread conversation", "1 message request", "https://heartward.test/matches/likes", m.Unsubscribe,
		} {
			require.Contains(t, text, want)
		}
		for _, secret := range []string{"Secret", "Dora", "Elsa", "example.test"} {
			require.NotContains(t, text, secret)
		}
		require.Regexp(t, ` at (3|4):30 PM E[SD]T`, text, "the zone of the plan, because Ann has chosen none")
	}
	require.NotContains(t, m.HTML, "<img")
	require.NotContains(t, m.HTML, "url(")
	require.Equal(t, "digest-"+string(digest.WeekOf(w.now))+"-"+ann.String(), m.ID)

	benMail := w.mailTo(ben)
	require.NotNil(t, benMail)
	require.Contains(t, benMail.Text, "Your date with Ann")
	require.NotContains(t, benMail.Text, "unread", "his own message")
}

// The picks are the posts of the week that most like, in a mail that has another reason.
func TestSend_PicksPostsOfTheCommunity(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, author, blocked, hidden := w.likedMember("Ann"), w.member("Ben"), w.member("Bad"), w.member("Gone")
	quiet, nothing := w.likedMember("Quiet"), w.member("Nothing")
	post := func(by uuid.UUID, title string, likes int, age, status string) {
		w.Exec(`INSERT INTO community_posts (author_id, client_id, title, excerpt, content, category, tags, status, published_at, decided_at, like_count)
			VALUES ($1, gen_random_uuid(), $2, 'x', 'Secretwords', 'advice', '{advice}', $3, now() - $4::interval, now(), $5)`, by, title, status, age, likes)
	}
	post(author, "Second <b>", 2, "1 day", "published")
	post(author, "First", 3, "2 days", "published")
	post(author, "Third", 1, "1 hour", "published")
	post(author, "Fourth", 1, "2 hours", "published")
	post(author, "Last year", 9, "300 days", "published")
	post(author, "Waiting", 9, "1 hour", "pending")
	post(blocked, "Of a blocked member", 9, "1 hour", "published")
	post(hidden, "Of a suspended member", 9, "1 hour", "published")
	post(ann, "Her own", 9, "1 hour", "published")
	w.Exec(`INSERT INTO blocks (blocker_id, blocked_id) VALUES ($1, $2)`, blocked, ann)
	w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, hidden)
	w.SetPreference(quiet, "community", false)

	m := w.run(ann)
	require.NotNil(t, m)
	require.Equal(t, "Your week on Heartward: 1 new like", m.Subject)
	picked := regexp.MustCompile(`\* (.*)\n  A pick of the week`).FindAllStringSubmatch(m.Text, -1)
	require.Len(t, picked, 3)
	require.Equal(t, []string{"First", "Second <b>", "Third"}, []string{picked[0][1], picked[1][1], picked[2][1]})
	require.Contains(t, m.HTML, "Second &lt;b&gt;")
	require.NotContains(t, m.Text+m.HTML, "Secretwords")
	require.Regexp(t, `https://heartward\.test/community/[0-9a-f-]{36}`, m.Text)
	require.NotContains(t, w.mailTo(quiet).Text, "pick of the week", "the community is turned off")
	require.Nil(t, w.mailTo(nothing), "posts alone are no reason for a mail")
}

func TestSend_UsesTheMembersZone(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.member("Ann"), w.member("Ben")
	w.SetPreference(ann, "timeZone", "Asia/Tokyo")
	conversation := w.match(ann, ben)
	w.date(conversation, ann, ben, `date_trunc('day', now() + interval '3 days') + interval '3 hours'`, "UTC")
	w.run(ann)
	require.Contains(t, w.mailTo(ann).Text, " at 12:00 PM JST")
	require.Contains(t, w.mailTo(ben).Text, " at 3:00 AM UTC")
}

// Each case hides Ben from Ann in another way. Her digest then contains nothing about him.
func TestSend_LeavesOutMembersWhoAreNotShown(t *testing.T) {
	t.Parallel()
	for name, hide := range map[string]string{
		"blocked by Ann": `INSERT INTO blocks (blocker_id, blocked_id) VALUES ($1, $2)`,
		"blocked by Ben": `INSERT INTO blocks (blocker_id, blocked_id) VALUES ($2, $1)`,
		"suspended":      `UPDATE users SET profile_status = 'suspended' WHERE id = $2 AND id <> $1`,
		"under review":   `UPDATE users SET profile_status = 'under_review' WHERE id = $2 AND id <> $1`,
		"leaving":        `UPDATE users SET profile_status = 'leaving', deletion_due_at = now() + interval '1 day' WHERE id = $2 AND id <> $1`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t)
			ann, ben := w.likedMember("Ann"), w.member("Ben")
			conversation := w.match(ann, ben)
			w.like(ben, ann)
			w.message(conversation, ben)
			w.date(conversation, ann, ben, `now() + interval '3 days'`, "UTC")
			w.Exec(hide, ann, ben)
			m := w.run(ann)
			require.Equal(t, "Your week on Heartward: 1 new like", m.Subject)
			require.NotContains(t, m.Text, "Ben")
		})
	}
}

// Likes of members whom Ann liked, matched or passed on need no answer; the likes of an
// incognito member count.
func TestSend_CountsUnansweredLikes(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("Ann")
	liked, passed, matched, incognito, paused, old := w.member("Liked"), w.member("Passed"), w.member("Matched"), w.member("Incognito"), w.member("Paused"), w.member("Old")
	for _, id := range []uuid.UUID{liked, passed, matched, incognito, paused, old} {
		w.like(id, ann)
	}
	w.like(ann, liked)
	w.Exec(`INSERT INTO user_passes (from_user_id, to_user_id) VALUES ($1, $2)`, ann, passed)
	w.match(ann, matched)
	w.Exec(`UPDATE matches SET created_at = now() - interval '8 days'`)
	w.Exec(`UPDATE users SET incognito = true WHERE id = $1`, incognito)
	w.Exec(`UPDATE users SET paused_at = now() WHERE id = $1`, paused)
	w.Exec(`UPDATE user_likes SET created_at = now() - interval '8 days' WHERE from_user_id = $1`, old)
	require.Equal(t, "Your week on Heartward: 1 new like", w.run(ann).Subject)
}

func TestSend_LeavesOutMutedConversations(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.likedMember("Ann"), w.member("Ben")
	conversation := w.match(ann, ben)
	w.Exec(`UPDATE matches SET created_at = now() - interval '8 days'`)
	w.message(conversation, ben)
	w.Exec(`UPDATE conversations SET a_muted_until = 'infinity', b_muted_until = 'infinity'`)
	require.Equal(t, "Your week on Heartward: 1 new like", w.run(ann).Subject)
}

// An archived conversation is out of the digest until a newer message, and a muted one stays out.
func TestSend_LeavesOutArchivedConversations(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		sql     string
		counted bool
	}{
		"archived by the reader":      {`a_archived_seq = CASE user_a WHEN $1 THEN 1 END, b_archived_seq = CASE user_b WHEN $1 THEN 1 END`, false},
		"archived by the other":       {`a_archived_seq = CASE user_b WHEN $1 THEN 1 END, b_archived_seq = CASE user_a WHEN $1 THEN 1 END`, true},
		"with a newer message":        {`a_archived_seq = 0, b_archived_seq = CASE WHEN $1::uuid IS NOT NULL THEN 0 END`, true},
		"muted, with a newer message": {`a_archived_seq = 0, b_archived_seq = CASE WHEN $1::uuid IS NOT NULL THEN 0 END, a_muted_until = 'infinity', b_muted_until = 'infinity'`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t)
			ann, ben := w.likedMember("Ann"), w.member("Ben")
			conversation := w.match(ann, ben)
			w.Exec(`UPDATE matches SET created_at = now() - interval '8 days'`)
			w.message(conversation, ben)
			w.Exec(`UPDATE conversations SET `+row.sql, ann)
			m := w.run(ann)
			require.Equal(t, row.counted, strings.Contains(m.Text, "1 unread conversation"), m.Text)
		})
	}
}

func TestSend_EscapesNames(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.likedMember("<b>&Ann")
	m := w.run(ann)
	require.Contains(t, m.HTML, "&lt;b&gt;&amp;Ann")
	require.Contains(t, m.Text, "Hi <b>&Ann,")
}

// The streak alone is no reason for a mail, and a single day is no streak.
func TestSend_MentionsTheStreakOfTheLovePulse(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben, nobody := w.likedMember("Ann"), w.likedMember("Ben"), w.member("Nobody")
	write := func(member uuid.UUID, days int) {
		for n := range days {
			w.Exec(`
				INSERT INTO love_pulse (id, user_id, date, day_starts, day_ends, question, mood, reflection, client_id, edited_at)
				SELECT gen_random_uuid(), $1, day, day, day + interval '1 day', 'What was good?', 'hopeful', 'Secretwords', gen_random_uuid(), day
				FROM (SELECT date_trunc('day', now()) - $2 * interval '1 day') AS days (day)`, member, n)
		}
	}
	write(ann, 3)
	write(ben, 1)
	write(nobody, 3)
	w.start()
	w.sendAll()
	require.Contains(t, w.mailTo(ann).Text, "You have written for 3 days in a row.")
	require.NotContains(t, w.mailTo(ann).HTML, "Secretwords")
	require.NotContains(t, w.mailTo(ben).Text, "in a row")
	require.Nil(t, w.mailTo(nobody))
}

// A private mail has no names. A discreet one has none in its sender and subject only.
func TestSend_PrivateAndDiscreetMails(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, private, discreet := w.member("Ann"), w.member("Priva"), w.member("Discreta")
	w.SetPreference(private, "privateMail", true)
	w.SetPreference(discreet, "discreetMail", true)
	for _, member := range []uuid.UUID{ann, private, discreet} {
		ben, cleo := w.member("Ben"), w.member("Cleo")
		w.message(w.match(member, ben), ben)
		w.date(w.match(member, cleo), member, cleo, `now() + interval '2 days'`, "Europe/Vienna")
	}
	w.start()
	w.sendAll()

	named := w.mailTo(ann)
	require.Contains(t, named.Text, "You have unread messages from Ben.")
	require.Contains(t, named.Text, "mutual with Cleo and Ben.")
	nameless := w.mailTo(private)
	for _, text := range []string{nameless.Subject, nameless.Text, nameless.HTML} {
		require.NotRegexp(t, "Ben|Cleo|Priva", text)
	}
	require.Contains(t, nameless.Text, "You have unread messages.")
	hidden := w.mailTo(discreet)
	require.Equal(t, "Your week", hidden.Subject)
	require.Equal(t, "Account mail", hidden.Sender)
	require.Contains(t, hidden.Text, "mutual with Cleo and Ben.", "inside the mail names are wanted")
}
