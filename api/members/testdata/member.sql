WITH decided AS (
    INSERT INTO sanctions (id, user_id, kind, explanation, parts) VALUES (gen_random_uuid(), @member, 'removal', @mark, ARRAY[@mark::text])
    RETURNING id
)
INSERT INTO removed_parts (user_id, sanction_id, part, position, question, content, expires_at)
SELECT @member, id, 'prompt', 1, @mark, @mark, now() + interval '1 day' FROM decided;
