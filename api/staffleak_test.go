package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/community"
	"heartward/api/moderation"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/api/profilereview"
	"heartward/api/verification"
)

// Whatever a member reads, reported, sanctioned, appealing or having reported someone, and whatever was decided on what they wrote or
// asked for: no response, mail, push, notification or frame has the name, the id or the address of the moderators who decided. No mail and
// no push to a reported member tells who reported them.
func TestOperations_NameNoStaffToMembers(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	rows := roleTable(t)
	c := s.newCast()
	secrets := []string{"Quartermaine", "Zuckerkandl"}
	for i, role := range []string{"admin", "moderator"} {
		// Nobody finds them as members.
		s.Exec(`UPDATE users SET full_name = $2, first_name = $2, email = $2 || '@staff.example', incognito = true WHERE id = $1`, c.members[role], secrets[i])
		secrets = append(secrets, c.ids[role], secrets[i]+"@staff.example")
	}
	reporters := map[string]string{"match": "Fenwick", "writer": "Thistle"}
	for role, name := range reporters {
		s.Exec(`UPDATE users SET full_name = $2, first_name = $2 WHERE id = $1`, c.members[role], name)
	}
	do := func(role, method, path, body string) {
		t.Helper()
		response := s.do(s.newRequest(c.cookies[role], method, path, "application/json", body))
		require.Less(t, response.status, 300, "%s: %s", path, response.body)
	}
	frames := map[string]func() string{"owner": s.recordFrames(c, "owner"), "match": s.recordFrames(c, "match")}
	words := `"explanation":"Please be kind.","reason":"Seen"`
	for _, role := range []string{"owner", "match", "blocked"} {
		do("moderator", http.MethodPut, "/api/admin/users/"+c.ids[role]+"/warnings/"+c.newID("warning").String(), "{"+words+"}")
		do("moderator", http.MethodPut, "/api/admin/notes/member/"+c.ids[role]+"/"+c.newID("note").String(), `{"text":"Wrote before."}`)
	}
	do("moderator", http.MethodPost, "/api/admin/reports/"+c.ids["report"]+"/open", `{"reason":"To see"}`)
	do("moderator", http.MethodPut, "/api/admin/reports/"+c.ids["report"], `{"decision":"warn",`+words+`}`)
	do("moderator", http.MethodPost, "/api/admin/flags/"+c.ids["flag"]+"/open", `{"reason":"To see"}`)
	do("moderator", http.MethodPut, "/api/admin/flags/"+c.ids["flag"], `{"decision":"warn",`+words+`}`)
	do("admin", http.MethodPost, "/api/admin/appeals/"+c.ids["appealed"]+"/open", `{"reason":"To see"}`)
	do("admin", http.MethodPut, "/api/admin/appeals/"+c.ids["appealed"], `{"outcome":"lifted",`+words+`}`)

	for _, of := range []struct{ path, decision string }{
		{"/api/admin/verifications/" + c.ids["verification"], `{"decision":"reject","reason":"Too dark"}`},
		{"/api/admin/birth-dates/" + c.ids["birthDate"], `{"decision":"refuse","reason":"Unclear"}`},
	} {
		do("admin", http.MethodPost, of.path+"/open", `{"reason":"To see"}`)
		method, path := http.MethodPut, of.path
		if strings.Contains(path, "birth-dates") {
			method, path = http.MethodPost, path+"/decide"
		}
		do("admin", method, path, of.decision)
	}
	c.ids["profileReview"] = testkit.Select[uuid.UUID](t, s.Pool, `SELECT id FROM profile_reviews`).String()
	do("admin", http.MethodPost, "/api/admin/profile-reviews/"+c.ids["profileReview"]+"/open", `{"reason":"To see"}`)
	do("admin", http.MethodPost, "/api/admin/profile-reviews/decide", `{"ids":["`+c.ids["profileReview"]+`"],"decision":"decline","reason":"Unclear"}`)

	s.addReviewed(c)
	s.decideReviewed(c, do)
	sent := s.mailDecisions()
	require.GreaterOrEqual(t, len(sent), 9)
	maps.Copy(sent, s.pushDecisions())
	s.requireReportersUnnamed(c, sent, reporters)
	do("match", http.MethodPost, "/api/messages", `{"recipientId":"`+c.ids["owner"]+`","content":"The last frame","clientId":"`+uuid.Must(uuid.NewV7()).String()+`"}`)
	for role, stop := range frames {
		sent["the frames of the "+role] = stop()
	}
	for what, text := range sent {
		for _, secret := range secrets {
			require.NotContains(t, text, secret, what)
		}
	}
	require.Contains(t, sent["the frames of the owner"], "notifications", "news of the decisions")

	read := 0
	for _, op := range s.operations() {
		name := op.method + " " + op.path
		if op.method != http.MethodGet || changingReads[name] || !op.access.Allows(web.Member) {
			continue
		}
		for _, role := range []string{"owner", "match", "stranger", "blocked", "suspended", "under review"} {
			response := s.do(c.request(role, op, rows[name]))
			read++
			for _, secret := range secrets {
				require.NotContains(t, response.body, secret, "%s names staff to the role %s: %s", name, role, response.body)
			}
		}
	}
	require.Greater(t, read, 200, "hardly anything was read")
	decisions := s.do(s.newRequest(c.cookies["owner"], http.MethodGet, "/api/users/me/decisions", "", ""))
	require.Contains(t, decisions.body, "Please be kind.")
}

// requireReportersUnnamed requires that no text to the owner, whom the reporters reported, has their names, ids or addresses.
func (s *env) requireReportersUnnamed(c *cast, sent, reporters map[string]string) {
	s.Helper()
	read := 0
	for what, text := range sent {
		if !strings.Contains(what, "to "+c.ids["owner"]) {
			continue
		}
		read++
		for role, name := range reporters {
			require.NotContains(s, text, name, what)
			require.NotContains(s, text, c.ids[role], what)
		}
	}
	require.GreaterOrEqual(s, read, 6, "the owner got hardly anything")
}

// recordFrames opens a socket of a role, and returns a function that returns all its frames up to the one with the last message.
func (s *env) recordFrames(c *cast, role string) (stop func() string) {
	s.Helper()
	socket := s.openSocket(c.cookies[role])
	done := make(chan string, 1)
	go func() {
		var all strings.Builder
		for {
			_, frame, err := socket.ReadMessage()
			all.Write(frame)
			if err != nil || strings.Contains(string(frame), "The last frame") {
				done <- all.String()
				return
			}
		}
	}()
	return func() string { return <-done }
}

// keptMails keeps mails.
type keptMails []mail.Message

func (l *keptMails) Send(_ context.Context, m mail.Message) error {
	*l = append(*l, m)
	return nil
}

// mailOf returns a function that sends the mail of a job.
func mailOf[T any](send func(ctx context.Context, db pg.DB, sender mail.Sender, args T) error) func(ctx context.Context, db pg.DB, sender mail.Sender, raw []byte) error {
	return func(ctx context.Context, db pg.DB, sender mail.Sender, raw []byte) error {
		var args T
		if err := json.Unmarshal(raw, &args); err != nil {
			return err
		}
		return send(ctx, db, sender, args)
	}
}

// queuedJob is a job with its encoded arguments.
type queuedJob struct {
	Kind string
	Args []byte
}

func (s *env) queuedJobs() []queuedJob {
	s.Helper()
	rows, err := s.Pool.Query(s.Context(), `SELECT kind, args FROM river_job ORDER BY id`)
	require.NoError(s, err)
	queued, err := pgx.CollectRows(rows, pgx.RowToStructByPos[queuedJob])
	require.NoError(s, err)
	return queued
}

// mailDecisions sends the mails of the enqueued jobs about decisions, and returns their whole text by the job.
func (s *env) mailDecisions() map[string]string {
	s.Helper()
	office := moderation.Office{Site: "http://heartward.test", Contact: "help@heartward.test"}
	senders := map[string]func(ctx context.Context, db pg.DB, sender mail.Sender, raw []byte) error{
		"sanction": mailOf(func(ctx context.Context, db pg.DB, sender mail.Sender, args moderation.SanctionArgs) error {
			return moderation.SendSanction(ctx, db, sender, office, args)
		}),
		"report_outcome": mailOf(func(ctx context.Context, db pg.DB, sender mail.Sender, args moderation.OutcomeArgs) error {
			return moderation.SendOutcome(ctx, db, sender, office, args)
		}),
		moderation.HiddenMailArgs{}.Kind(): mailOf(func(ctx context.Context, db pg.DB, sender mail.Sender, args moderation.HiddenMailArgs) error {
			return moderation.SendHidden(ctx, db, sender, office, args)
		}),
		moderation.AskAgeArgs{}.Kind(): mailOf(func(ctx context.Context, db pg.DB, sender mail.Sender, args moderation.AskAgeArgs) error {
			return moderation.SendAskAge(ctx, db, sender, office, args)
		}),
		community.DecisionMailArgs{}.Kind():    mailOf(community.SendDecision),
		"appeal":                               mailOf(moderation.SendAppealOutcome),
		"profile_review":                       mailOf(profilereview.SendOutcome),
		"birth_date":                           mailOf(profilereview.SendBirthDate),
		verification.DecisionMailArgs{}.Kind(): mailOf(verification.SendDecision),
	}
	texts, kinds := map[string]string{}, map[string]bool{}
	for i, one := range s.queuedJobs() {
		send := senders[one.Kind]
		if send == nil {
			continue
		}
		box := &keptMails{}
		require.NoError(s, send(s.Context(), s.Pool, box, one.Args), one.Kind)
		for _, m := range *box {
			kinds[one.Kind] = true
			texts[fmt.Sprintf("mail %d of %s to %s", i, one.Kind, m.To)] = fmt.Sprintf("%+v", m)
		}
	}
	require.Len(s, kinds, len(senders), "each kind of mail was sent: %v", kinds)
	return texts
}
