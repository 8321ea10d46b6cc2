package moderation_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
	"heartward/api/platform/pg"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func (w *env) audit(admin web.Actor, action string, subject uuid.UUID) {
	w.Helper()
	require.NoError(w, pg.TxDo(context.Background(), w.Pool, func(tx pgx.Tx) error {
		return moderation.Audit(context.Background(), tx, admin.ID, action, subject, "a reason", map[string]any{"x": 1})
	}))
}

// actions returns the actions of all pages of the audit log, which have two rows each.
func (w *env) actions(admin web.Actor, f moderation.AuditFilter) []string {
	w.Helper()
	var all []string
	for cursor := ""; ; {
		rows, next, err := w.s.AuditLog(context.Background(), admin.ID, f, web.Page{Cursor: cursor, Limit: 2})
		require.NoError(w, err)
		for _, e := range rows {
			all = append(all, e.Action)
		}
		if next == "" {
			return all
		}
		cursor = next
	}
}

func TestAuditLog_FiltersAndPages(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, other, ann := w.Member("Zoe Moss"), w.Member("Yan Moss"), w.Member("Ann Moss")
	gone := uuid.New()
	w.audit(admin, "report.open", ann.ID)
	w.audit(other, "report.ban", gone)
	w.audit(admin, "settings.intention_tags", uuid.Nil)

	all := []string{"settings.intention_tags", "report.ban", "report.open"}
	require.Equal(t, all, w.actions(admin, moderation.AuditFilter{}))
	require.Equal(t, all[1:], w.actions(admin, moderation.AuditFilter{Action: "report."}))
	require.Equal(t, []string{"report.ban"}, w.actions(admin, moderation.AuditFilter{Action: "report.ban"}))
	require.Empty(t, w.actions(admin, moderation.AuditFilter{Action: "report"}))
	require.Equal(t, []string{"report.ban"}, w.actions(admin, moderation.AuditFilter{Admin: other.ID}))
	require.Equal(t, []string{"report.open"}, w.actions(admin, moderation.AuditFilter{Subject: ann.ID}))
	require.Empty(t, w.actions(admin, moderation.AuditFilter{From: time.Now().Add(time.Hour)}))
	require.Equal(t, all, w.actions(admin, moderation.AuditFilter{From: time.Now().Add(-time.Hour), Until: time.Now().Add(time.Hour)}))

	rows, _, err := w.s.AuditLog(t.Context(), admin.ID, moderation.AuditFilter{}, web.Page{Limit: 50})
	require.NoError(t, err)
	require.Nil(t, rows[0].Subject)
	require.Equal(t, "Zoe Moss", *rows[0].Admin.FullName)
	require.JSONEq(t, `{"x": 1}`, string(rows[0].Detail))
	require.Equal(t, gone, rows[1].Subject.ID)
	require.Nil(t, rows[1].Subject.FullName, "the account is deleted")
	_, _, err = w.s.AuditLog(t.Context(), other.ID, moderation.AuditFilter{}, web.Page{Cursor: "x", Limit: 50})
	testkit.RequireKind(t, err, "invalid")
}

// The log keeps the name of the admin after the account is deleted, but not that of the member concerned.
func TestAuditLog_KeepsTheAdminsNameOfTheTime(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, ann := w.Member("Zoe Moss"), w.Member("Ann Moss")
	w.audit(admin, "report.open", ann.ID)
	w.Exec(`UPDATE users SET full_name = 'Zoe Stone' WHERE id = $1`, admin.ID)
	w.audit(admin, "report.ban", ann.ID)
	w.Exec(`DELETE FROM users WHERE id IN ($1, $2)`, admin.ID, ann.ID)
	rows, _, err := w.s.AuditLog(t.Context(), uuid.New(), moderation.AuditFilter{}, web.Page{Limit: 50})
	require.NoError(t, err)
	require.Equal(t, "Zoe Stone", *rows[0].Admin.FullName)
	require.Equal(t, "Zoe Moss", *rows[1].Admin.FullName)
	require.Nil(t, rows[0].Subject.FullName)
	require.Zero(t, w.Count(`SELECT count(*) FROM audit_log a WHERE a::text LIKE '%Ann Moss%'`))
}

// Rows from before the name was stored have the same hashes as then.
func TestVerifyAudit_AcceptsRowsWithoutName(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin := w.Member("Zoe Moss")
	w.audit(admin, "report.open", admin.ID)
	w.Exec(`ALTER TABLE audit_log DISABLE TRIGGER ALL`)
	w.Exec(`UPDATE audit_log SET admin_name = NULL, hash = sha256(prev_hash || convert_to(jsonb_build_array(
		id, admin_id, action, subject_id, reason, detail, (extract(epoch FROM created_at) * 1000000)::bigint)::text, 'UTF8'))`)
	w.Exec(`ALTER TABLE audit_log ENABLE TRIGGER ALL`)
	w.audit(admin, "report.ban", admin.ID)
	chain, err := moderation.VerifyAudit(t.Context(), w.Pool, nil)
	require.NoError(t, err)
	require.EqualValues(t, 2, chain.Rows)
}
