-- +goose Up

-- The functions that end couples return whom they ended, so that these are told, and nobody else. end_couple and
-- end_couples_of stay for processes of the version before.

-- +goose StatementBegin
-- Ends the couple, or the request for one, of two members who part. The caller holds the lock of the pair.
CREATE FUNCTION end_couples_between(a uuid, b uuid) RETURNS TABLE (member_ids uuid[], was_approved boolean) LANGUAGE sql AS $$
    WITH ended AS (
        UPDATE graduated_couples
        SET
            status = 'withdrawn',
            partner_address = NULL,
            ended_at = clock_timestamp()
        WHERE status IN ('asked', 'pending', 'graduated')
            AND (user_one_id = a AND user_two_id = b OR user_one_id = b AND user_two_id = a)
        RETURNING
            id,
            user_one_id,
            user_two_id,
            approved_at
    ), deleted AS (
        DELETE FROM couple_members
        WHERE couple_id IN (SELECT id FROM ended)
    )
    SELECT
        ARRAY[user_one_id, user_two_id],
        approved_at IS NOT NULL
    FROM ended
$$;
-- +goose StatementEnd

-- +goose StatementBegin
-- Ends the couple and the requests of a member who is banned. The second statement reads after the locks of the first, so
-- that it deletes the row of a partner who accepts at the same time. A request to an address without an account has one member.
CREATE FUNCTION end_couples_with(member uuid) RETURNS TABLE (member_ids uuid[], was_approved boolean) LANGUAGE plpgsql AS $$
DECLARE
    ended uuid[];
BEGIN
    WITH ending AS (
        UPDATE graduated_couples
        SET
            status = 'withdrawn',
            partner_address = NULL,
            ended_at = clock_timestamp()
        WHERE status IN ('asked', 'pending', 'graduated')
            AND (user_one_id = member OR user_two_id = member)
        RETURNING id
    )
    SELECT array_agg(id) INTO ended FROM ending;
    DELETE FROM couple_members WHERE couple_id = ANY (ended);
    RETURN QUERY
    SELECT
        array_remove(ARRAY[c.user_one_id, c.user_two_id], NULL),
        c.approved_at IS NOT NULL
    FROM graduated_couples c
    WHERE c.id = ANY (ended);
END
$$;
-- +goose StatementEnd

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
