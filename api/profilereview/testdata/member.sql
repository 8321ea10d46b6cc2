INSERT INTO birth_date_requests (id, user_id, birth_date, explanation, answer, status, decided_at, opened_by, decided_by)
VALUES
    (gen_random_uuid(), @member, '1980-01-02', @mark, @mark, 'refused', now(), @other, @other),
    (gen_random_uuid(), @other, '1980-01-02', 'Mistyped', '', 'refused', now(), @member, @member)
ON CONFLICT DO NOTHING;
