WITH reported AS (
    INSERT INTO reports (id, reporter_id, reported_user_id, reason, description, place, priority, status, action_taken, reviewed_at)
    VALUES (gen_random_uuid(), @member, @other, 'hate', @mark, 'card', 1, 'reviewed', 'warn', now())
    RETURNING id
)
INSERT INTO report_additions (id, report_id, reason, description, evidence)
SELECT gen_random_uuid(), id, 'hate', @mark, jsonb_build_object('name', @mark::text) FROM reported;
INSERT INTO hidden_statements (id, user_id, content) VALUES (gen_random_uuid(), @member, @mark);
INSERT INTO staff_notes (id, user_id, author_id, author_name, content) VALUES
    (gen_random_uuid(), @member, @other, 'Other', @mark),
    (gen_random_uuid(), @other, @member, @mark, 'Of the member as a moderator');
INSERT INTO lookalikes (member_id, original_id) VALUES (@member, @other), (@other, @member) ON CONFLICT DO NOTHING;
