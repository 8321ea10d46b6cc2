package pg

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

// ServingRole is the role of the processes that serve and work. It owns nothing: it reads and
// writes the tables, but can only insert into and read the audit log.
const ServingRole = "heartward_app"

// CreateServingRole creates ServingRole if it does not exist, without a password. The caller
// must be allowed to create roles.
func CreateServingRole(ctx context.Context, pool *pgxpool.Pool) error {
	_, err := pool.Exec(ctx, `DO $$
		BEGIN
			IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '`+ServingRole+`') THEN
				CREATE ROLE `+ServingRole+` LOGIN;
			END IF;
		EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- created meanwhile
		END $$`)
	return err
}

// grantServing grants ServingRole, if it exists, its rights on the tables, views and sequences that
// the caller owns. It is called after each migration, for new ones. River rebuilds its indexes,
// which PostgreSQL 17 and later can permit to a role that does not own the table.
func grantServing(ctx context.Context, pool *pgxpool.Pool) error {
	var exists bool
	err := pool.QueryRow(ctx, `SELECT to_regclass('audit_log') IS NOT NULL AND EXISTS (SELECT FROM pg_roles WHERE rolname = $1)`,
		ServingRole).Scan(&exists)
	if err != nil || !exists {
		return err
	}
	_, err = pool.Exec(ctx, `DO $$
		DECLARE
			relation record;
		BEGIN
			PERFORM pg_advisory_xact_lock(hashtextextended('grants of `+ServingRole+`', 0));
			FOR relation IN
				SELECT oid::regclass AS name, relkind = 'S' AS is_sequence
				FROM pg_class
				WHERE relnamespace = current_schema()::regnamespace
					AND relkind IN ('r', 'v', 'S')
					AND pg_has_role(relowner, 'USAGE')
			LOOP
				EXECUTE format('GRANT %s ON %s TO `+ServingRole+`',
					CASE WHEN relation.is_sequence THEN 'USAGE, SELECT' ELSE 'SELECT, INSERT, UPDATE, DELETE' END, relation.name);
			END LOOP;
			REVOKE ALL ON audit_log, goose_db_version, migration_files, river_migration FROM `+ServingRole+`;
			GRANT SELECT, INSERT ON audit_log TO `+ServingRole+`;
			GRANT SELECT ON goose_db_version, migration_files, river_migration TO `+ServingRole+`;
			IF current_setting('server_version_num')::int >= 170000 THEN
				GRANT MAINTAIN ON river_job TO `+ServingRole+`;
			END IF;
		END $$`)
	return err
}

// CanChangeAuditLog reports whether the role of the pool could change or remove rows of the
// audit log: it may update or delete them, or owns the table and with it the trigger.
func CanChangeAuditLog(ctx context.Context, pool *pgxpool.Pool) (can bool, err error) {
	err = pool.QueryRow(ctx, `
		SELECT has_table_privilege(oid, 'UPDATE, DELETE, TRUNCATE') OR pg_has_role(relowner, 'MEMBER')
		FROM pg_class
		WHERE oid = 'audit_log'::regclass`).Scan(&can)
	return can, err
}
