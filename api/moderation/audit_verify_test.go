package moderation_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
	"heartward/api/platform/pgtest"
)

// The role of the serving processes can add rows to the audit log, but not change, remove or
// forge them, nor disable the triggers.
func TestAudit_ServingRoleOnlyAppends(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner, serving := w.Pool, pgtest.Serving(t, w.Pool)
	w.Pool = serving
	admin := w.Member("Zoe Moss")
	w.audit(admin, "report.open", uuid.Nil)
	for _, statement := range []string{
		`UPDATE audit_log SET reason = 'another'`, `DELETE FROM audit_log`, `TRUNCATE audit_log`, `DROP TABLE audit_log`,
		`ALTER TABLE audit_log DISABLE TRIGGER ALL`, `DROP TRIGGER audit_log_chain ON audit_log`,
		`CREATE OR REPLACE FUNCTION audit_log_chain() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'`,
		`SET session_replication_role = replica`, `SET ROLE heartward_test`, `UPDATE goose_db_version SET is_applied = false`,
	} {
		_, err := serving.Exec(t.Context(), statement)
		var refused *pgconn.PgError
		require.ErrorAs(t, err, &refused, statement)
		require.Equal(t, "42501", refused.Code, "%s: permission denied, not %s", statement, refused.Message)
	}
	// Values for the columns of the chain are replaced.
	_, err := serving.Exec(t.Context(), `INSERT INTO audit_log (id, admin_id, action, reason, created_at, prev_hash, hash)
		VALUES (9, gen_random_uuid(), 'forged', 'x', '2020-01-01', sha256('a'), sha256('b'))`)
	require.NoError(t, err)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE id = 2 AND created_at > now() - interval '1 minute'`))
	chain, err := moderation.VerifyAudit(t.Context(), owner, nil)
	require.NoError(t, err)
	require.EqualValues(t, 2, chain.Rows)
}

// Changes of the table's owner break the chain, unless the owner computes all later hashes again.
func TestVerifyAudit_FindsChanges(t *testing.T) {
	t.Parallel()
	for change, want := range map[string]string{
		`UPDATE audit_log SET reason = 'another' WHERE id = 2`:                                  "row 2 of the audit log was changed",
		`UPDATE audit_log SET created_at = created_at + interval '1 us' WHERE id = 1`:           "row 1 of the audit log was changed",
		`UPDATE audit_log SET detail = '{"x": 2}' WHERE id = 3`:                                 "row 3 of the audit log was changed",
		`UPDATE audit_log SET reason = 'x', hash = sha256('x') WHERE id = 1`:                    "row 1 of the audit log was changed",
		`DELETE FROM audit_log WHERE id = 2`:                                                    "the audit log lacks row 2",
		`DELETE FROM audit_log WHERE id = 1; UPDATE audit_log SET id = id - 1`:                  "row 1 of the audit log was changed",
		`UPDATE audit_log SET prev_hash = sha256('x') WHERE id = 3`:                             "row 3 of the audit log was changed",
		`UPDATE audit_log SET admin_id = gen_random_uuid() WHERE id = 3`:                        "row 3 of the audit log was changed",
		`UPDATE audit_log SET admin_name = 'Another' WHERE id = 2`:                              "row 2 of the audit log was changed",
		`UPDATE audit_log SET admin_name = NULL WHERE id = 3`:                                   "row 3 of the audit log was changed",
		`UPDATE audit_log SET subject_id = NULL WHERE id = 2`:                                   "row 2 of the audit log was changed",
		`UPDATE audit_log a SET action = b.action FROM audit_log b WHERE a.id = 1 AND b.id = 2`: "row 1 of the audit log was changed",
	} {
		w := newEnv(t)
		admin := w.Member("Zoe Moss")
		for _, action := range []string{"report.open", "report.ban", "report.warn"} {
			w.audit(admin, action, admin.ID)
		}
		_, err := moderation.VerifyAudit(t.Context(), w.Pool, nil)
		require.NoError(t, err)
		w.Exec(`ALTER TABLE audit_log DISABLE TRIGGER ALL`)
		w.Exec(change)
		_, err = moderation.VerifyAudit(t.Context(), w.Pool, nil)
		require.EqualError(t, err, want, change)
	}
}

// Rows that are removed at the end are found by an earlier head.
func TestVerifyAudit_SearchesEarlierHead(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	chain, err := moderation.VerifyAudit(t.Context(), w.Pool, nil)
	require.NoError(t, err)
	require.Equal(t, moderation.AuditChain{Head: make([]byte, 32)}, chain, "without rows")
	admin := w.Member("Zoe Moss")
	w.audit(admin, "report.open", admin.ID)
	w.audit(admin, "report.ban", admin.ID)
	chain, err = moderation.VerifyAudit(t.Context(), w.Pool, nil)
	require.NoError(t, err)
	head := bytes.Clone(chain.Head)
	w.audit(admin, "report.warn", admin.ID)
	chain, err = moderation.VerifyAudit(t.Context(), w.Pool, head)
	require.NoError(t, err)
	require.True(t, chain.HasEarlier)
	w.Exec(`ALTER TABLE audit_log DISABLE TRIGGER ALL`)
	w.Exec(`DELETE FROM audit_log WHERE id > 1`)
	chain, err = moderation.VerifyAudit(t.Context(), w.Pool, head)
	require.NoError(t, err)
	require.False(t, chain.HasEarlier)
}

// Concurrent transactions extend one chain.
func TestAudit_ConcurrentRowsFormOneChain(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin := w.Member("Zoe Moss")
	var tasks []func()
	for range 12 {
		tasks = append(tasks, func() { w.audit(admin, "report.open", admin.ID) })
	}
	concurrently(tasks...)
	chain, err := moderation.VerifyAudit(context.Background(), w.Pool, nil)
	require.NoError(t, err)
	require.EqualValues(t, 12, chain.Rows)
}
