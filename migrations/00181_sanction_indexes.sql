-- +goose NO TRANSACTION
-- +goose Up

DROP INDEX CONCURRENTLY IF EXISTS sanctions_reversed_by;
CREATE INDEX CONCURRENTLY sanctions_reversed_by ON sanctions (reversed_by) WHERE reversed_by IS NOT NULL;

-- For the mail about a decision on a report.
DROP INDEX CONCURRENTLY IF EXISTS sanctions_report;
CREATE INDEX CONCURRENTLY sanctions_report ON sanctions (report_id) WHERE report_id IS NOT NULL;
