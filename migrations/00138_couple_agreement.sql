-- +goose Up
-- A picture is on the Legacy Wall when both members of the couple want it there, and a permanent ban ends a couple.

ALTER TABLE couple_pictures
    -- Whether the other member of the couple wants it on the wall, too. The wall shows only such pictures.
    ADD COLUMN is_agreed boolean NOT NULL DEFAULT false;

-- Who accepted a request has seen the pictures in it. Nobody has agreed to those of the acceptance.
UPDATE couple_pictures p
SET is_agreed = true
FROM graduated_couples c
WHERE c.id = p.couple_id
    AND c.user_one_id = p.user_id
    AND c.accepted_at IS NOT NULL;

-- Both members of each couple that has graduated and not ended, with the partner, while both are active.
CREATE OR REPLACE VIEW graduated_partners AS
    SELECT
        c.id AS couple_id,
        me.user_id AS member_id,
        partner.user_id AS partner_id,
        c.approved_at AS graduated_at,
        c.legacy_message
    FROM couple_members me
    JOIN couple_members partner ON partner.couple_id = me.couple_id AND partner.user_id <> me.user_id
    JOIN graduated_couples c ON c.id = me.couple_id AND c.status = 'graduated'
    JOIN profiles a ON a.id = me.user_id AND a.profile_status = 'active'
    JOIN profiles b ON b.id = partner.user_id AND b.profile_status = 'active';

-- The members who want no mails about graduations.
CREATE VIEW members_without_graduation_mails AS
    SELECT user_id
    FROM notification_settings
    WHERE NOT graduation;

-- +goose StatementBegin
-- Ends the couple and the requests of a member who is banned. The second statement reads after the locks of the first, so
-- that it deletes the row of a partner who accepts at the same time.
CREATE FUNCTION end_couples_of(member uuid) RETURNS void LANGUAGE plpgsql AS $$
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
END
$$;
-- +goose StatementEnd

-- Members who were banned before this version.
SELECT end_couples_of(id) FROM users WHERE profile_status = 'suspended' AND suspended_until IS NULL;

-- +goose Down
SELECT 1 / 0 AS "this migration cannot be undone";
