-- +goose NO TRANSACTION
-- +goose Up

-- A member has one open report about another, or about one post or comment of theirs. Of those that exist, the most
-- urgent and then the oldest stays; the others become additions to it.
-- +goose StatementBegin
DO $$
DECLARE
    extra record;
BEGIN
    FOR extra IN
        SELECT *
        FROM (
            SELECT
                r.*,
                first_value(r.id) OVER (
                    PARTITION BY r.reporter_id, r.reported_user_id, r.content_id
                    ORDER BY r.priority, r.created_at, r.id
                ) AS kept
            FROM reports r
            WHERE r.status = 'pending'
                AND r.reporter_id IS NOT NULL
                AND r.reported_user_id IS NOT NULL
        ) r
        WHERE r.id <> r.kept
    LOOP
        INSERT INTO report_additions (id, report_id, reason, description, evidence, created_at)
        VALUES (extra.id, extra.kept, extra.reason, extra.description, extra.evidence, extra.created_at);
        UPDATE reports SET hides_profile = hides_profile OR extra.hides_profile WHERE id = extra.kept;
        INSERT INTO evidence_files (subject_id, file_id, message_id, slot, position, content_type)
        SELECT extra.kept, file_id, message_id, slot, position, content_type
        FROM evidence_files
        WHERE subject_id = extra.id
        ON CONFLICT DO NOTHING;
        DELETE FROM evidence_files WHERE subject_id = extra.id;
        DELETE FROM queue_claims WHERE kind = 'report' AND entry_id = extra.id;
        DELETE FROM reports WHERE id = extra.id;
    END LOOP;
END $$;
-- +goose StatementEnd

DROP INDEX CONCURRENTLY IF EXISTS reports_open_pair;
CREATE UNIQUE INDEX CONCURRENTLY reports_open_pair ON reports (reporter_id, reported_user_id, content_id) NULLS NOT DISTINCT
    WHERE status = 'pending' AND reporter_id IS NOT NULL AND reported_user_id IS NOT NULL;
